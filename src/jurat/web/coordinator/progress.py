"""How each judge gets on, when all will be done, and who needs a word."""

from __future__ import annotations

from collections.abc import Callable

from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns.monitoring.progress import JudgeProgress
from jurat.campaigns.monitoring.reminders import Reminder
from jurat.campaigns.monitoring.status import CampaignStatus
from jurat.errors import InputError
from jurat.web.coordinator.page_context import StaffVisit, coordinators
from jurat.web.forms import sent_form

COLUMNS: dict[str, Callable[[JudgeProgress], object]] = {
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
async def show(visit: StaffVisit) -> Response:
    """Every judge, the forecast, and the reminders that are due."""
    return await _page(visit)


@coordinators
async def remind(visit: StaffVisit) -> Response:
    """Mail the reminders that were ticked, or note that they were given by hand."""
    form = await sent_form(visit)
    chosen = {str(pin) for pin in form.getlist("pin")}
    due = await visit.call(_reminders, visit)
    emails = [one.email for one in due if one.email.pin in chosen]
    mail_server = visit.site.mail_server if form.get("by") == "mail" else None
    deliver = visit.service.monitoring.remind
    try:
        failed = await visit.call(
            deliver, visit.campaign, emails, mail_server=mail_server, author=visit.person.name
        )
    except InputError as error:  # nothing could be sent at all
        return visit.refuse(error.problems)
    return await _page(visit, failed=failed) if failed else visit.redirect_to_page("progress")


@coordinators
async def give_address(visit: StaffVisit) -> Response:
    """Where a judge's reminders go."""
    form = await sent_form(visit)
    pin, address = str(form.get("pin", "")), str(form.get("address", "")).strip()
    give = visit.service.accounts.set_address
    try:
        await visit.call(give, visit.campaign, pin, address, author=visit.person.name)
    except InputError as error:
        return visit.refuse(error.problems)
    return visit.redirect_to_page("progress")


def _reminders(visit: StaffVisit, status: CampaignStatus | None = None) -> list[Reminder]:
    url = visit.request.url
    link = f"{url.scheme}://{url.netloc}{visit.path}"
    return visit.service.monitoring.reminders(visit.campaign, link=link, status=status)


async def _page(visit: StaffVisit, *, failed: dict[str, str] | None = None) -> Response:
    status = await visit.call(visit.service.monitoring.status, visit.campaign)
    due = await visit.call(_reminders, visit, status)
    return visit.render(
        "coordinator/progress.html",
        campaign_status=status,
        judges=visit.sorted(status.judges, COLUMNS, first="pin"),
        reminders=due,
        mail=visit.site.mail_server is not None,
        failed=failed or {},
    )


routes = [
    Route("/progress", show),
    Route("/progress/remind", remind, methods=["POST"]),
    Route("/progress/address", give_address, methods=["POST"]),
]
