"""How each judge gets on, when all will be done, and who needs a word."""

from __future__ import annotations

from collections.abc import Callable

from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns.watching.overseeing import Standing
from jurat.campaigns.watching.progress import Judge
from jurat.campaigns.watching.remarks import Remark
from jurat.campaigns.watching.reminders import Reminder
from jurat.faults import FaultyInput
from jurat.web.coordinator.desk import Desk, coordinators
from jurat.web.coordinator.running import refusal
from jurat.web.forms import sent_form

COLUMNS: dict[str, Callable[[Judge], object]] = {
    "pin": lambda one: one.account.pin,
    "done": lambda one: one.done,
    "left": lambda one: one.left,
    "decisions": lambda one: one.decisions,
    "seen": lambda one: one.last_seen,
    "day": lambda one: one.pace.day,
    "seconds": lambda one: one.seconds,
    "time": lambda one: one.time_left,
    "flags": lambda one: len(one.remarks),
}


@coordinators
async def show(desk: Desk) -> Response:
    """Every judge, the forecast, and the reminders that are due."""
    return await _page(desk)


@coordinators
async def remind(desk: Desk) -> Response:
    """Mail the reminders that were ticked, or note that they were given by hand."""
    form = await sent_form(desk)
    chosen = {str(pin) for pin in form.getlist("pin")}
    due = await desk.call(_reminders, desk)
    letters = [one.letter for one in due if one.letter.pin in chosen]
    post = desk.site.post if form.get("by") == "mail" else None
    deliver = desk.service.remind
    try:
        failed = await desk.call(
            deliver, desk.campaign, letters, post=post, author=desk.person.name
        )
    except FaultyInput as error:  # nothing could be sent at all
        return refusal(desk, error.faults)
    return await _page(desk, failed=failed) if failed else desk.to("progress")


@coordinators
async def give_address(desk: Desk) -> Response:
    """Where a judge's reminders go."""
    form = await sent_form(desk)
    pin, address = str(form.get("pin", "")), str(form.get("address", "")).strip()
    give = desk.service.give_address
    try:
        await desk.call(give, desk.campaign, pin, address, author=desk.person.name)
    except FaultyInput as error:
        return refusal(desk, error.faults)
    return desk.to("progress")


def said(desk: Desk, remark: Remark) -> str:
    """A remark in the coordinator's language."""
    values = desk.named({n: str(v) for n, v in remark.values.items() if n == "task"})
    others = {n: v for n, v in remark.values.items() if n != "task"}
    return desk.language.say(f"desk-remark-{remark.code}", **values, **others)


def _reminders(desk: Desk, standing: Standing | None = None) -> list[Reminder]:
    url = desk.request.url
    link = f"{url.scheme}://{url.netloc}{desk.path}"
    return desk.service.reminders(desk.campaign, link=link, standing=standing)


async def _page(desk: Desk, *, failed: dict[str, str] | None = None) -> Response:
    standing = await desk.call(desk.service.standing, desk.campaign)
    due = await desk.call(_reminders, desk, standing)
    return desk.render(
        "desk/progress.html",
        plan=desk.service.plan(desk.campaign),
        standing=standing,
        judges=desk.sorted(standing.judges, COLUMNS, first="pin"),
        reminders=due,
        mail=desk.site.post is not None,
        said=lambda remark: said(desk, remark),
        failed=failed or {},
    )


routes = [
    Route("/progress", show),
    Route("/progress/remind", remind, methods=["POST"]),
    Route("/progress/address", give_address, methods=["POST"]),
]
