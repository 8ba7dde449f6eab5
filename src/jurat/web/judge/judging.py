"""Judging as plain pages: a step, a decision, the next step."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping

from starlette.requests import Request
from starlette.responses import Response

from jurat.campaigns import Rest, Screen, Submission
from jurat.faults import FaultyInput
from jurat.store import Account, AlreadyDecided, KitGone, NotYours, OutOfTurn, PhaseNotStarted
from jurat.web.forms import sent_form
from jurat.web.judge.api import OUT_OF_ORDER
from jurat.web.judge.steps import Step
from jurat.web.site import Visit

GO_ON = "go-on"
NOTE = "note"
NOTES = ("elsewhere", "gone", "kept", "changed")
"""What a judge is told after a form was sent: how it ended, where the next page cannot show it."""
KEEP = {"Jurat-Keep": "offline"}
"""Says to the page's own worker that a judge may reload this page without a connection."""


async def show(request: Request) -> Response:
    """The judge's next step, or why there is none."""
    visit = Visit(request)
    account = await visit.account()
    if account is None:
        return visit.redirect("")
    next_ = visit.service.next
    found = await visit.call(next_, visit.campaign, account.id, go_on=_goes_on(visit))
    said = request.query_params.get(NOTE, "")
    note = said if said in NOTES else ""
    if isinstance(found, Rest):
        return visit.render("rest.html", rest=found, note=note)
    response = page(visit, found, note=note)
    response.headers.update(KEEP)
    return response


async def decide(request: Request) -> Response:
    """Store what a plain form says, and go on; what is missing is asked for on the same page."""
    visit = Visit(request)
    account = await visit.account()
    if account is None:
        return visit.redirect("")
    form = await sent_form(visit)
    place = str(form.get("assignment", "")), _number(form.get("position"))
    try:
        seen = await visit.call(visit.service.look_back, visit.campaign, account.id, *place)
    except NotYours:
        return _onward(visit, "gone")
    except OutOfTurn:
        return _onward(visit, "elsewhere")
    answers = Step(visit, seen).read(form)
    sent = _submission(visit, place, answers)
    storing = visit.call(
        visit.service.submit, visit.campaign, account.id, sent, go_on=_goes_on(visit)
    )
    return await _after(visit, account, (seen, answers), storing)


async def look_back(request: Request) -> Response:
    """A decision of his own that a judge may change, where the campaign allows it."""
    visit = Visit(request)
    account = await visit.account()
    if account is None:
        return visit.redirect("")
    place = (request.path_params["assignment"], request.path_params["position"])
    try:
        seen = await visit.call(visit.service.look_back, visit.campaign, account.id, *place)
    except (OutOfTurn, NotYours):
        return visit.redirect("judge")
    if not seen.changeable:
        return visit.redirect("judge")
    if request.method == "GET":
        return page(visit, seen)
    form = await sent_form(visit)
    answers = Step(visit, seen).read(form)
    sent, revision = _submission(visit, place, answers), _number(form.get("revision"))
    storing = visit.call(visit.service.revise, visit.campaign, account.id, sent, revision=revision)
    return await _after(visit, account, (seen, answers), storing, note="changed")


async def _after(
    visit: Visit,
    account: Account,
    asked: tuple[Screen, Mapping[str, object]],
    storing: Awaitable[object],
    *,
    note: str = "",
) -> Response:
    """Where a judge goes when his answers are stored, or could not be."""
    seen, answers = asked
    try:
        await storing
    except KitGone:
        return _onward(visit, "gone")
    except (AlreadyDecided, OutOfTurn):
        # a second tab, or the back button: what is decided stays, and it goes on
        return _onward(visit, "elsewhere")
    except PhaseNotStarted:
        place = (seen.assignment, seen.position)
        if seen.answered is None:
            keep = visit.service.keep_draft
            await visit.call(keep, visit.campaign, account.id, *place, answers)
        return _onward(visit, "kept" if seen.answered is None else "")
    except OUT_OF_ORDER:
        return page(visit, seen, answers=answers, note="busy")
    except FaultyInput as error:
        return page(visit, seen, answers=answers, error=error)
    return _onward(visit, note)


async def guest(request: Request) -> Response:
    """The tutorial for somebody without an account; his answers are checked and forgotten."""
    visit = Visit(request)
    if visit.session.role != "guest":
        return visit.redirect("")
    task, position = request.path_params["task"], request.path_params["position"]
    lesson = await visit.call(visit.service.guest_steps, visit.campaign, task)
    if not 1 <= position <= len(lesson):
        return visit.redirect("")
    screen = lesson[position - 1]
    if request.method == "GET":
        return page(visit, screen, guest=True)
    form = await sent_form(visit)
    answers = Step(visit, screen).read(form)
    try:
        check = visit.service.guest_answer
        await visit.call(check, visit.campaign, task, position, {**screen.earlier, **answers})
    except FaultyInput as error:
        return page(visit, screen, answers=answers, error=error, guest=True)
    if position == len(lesson):
        return visit.render("guest-done.html", plan=visit.service.plan(visit.campaign))
    return visit.redirect(f"guest/{task}/{position + 1}")


def page(
    visit: Visit,
    screen: Screen,
    *,
    answers: Mapping[str, object] | None = None,
    error: FaultyInput | None = None,
    guest: bool = False,
    note: str = "",
) -> Response:
    """A step with its questions, and what is wrong with the answers where something is."""
    faults = {fault.field: fault for fault in error.faults} if error else {}
    status = 503 if note == "busy" else 422 if error else 200
    return visit.render(
        "judge.html",
        status,
        step=Step(visit, screen, answers),
        faults=faults,
        guest=guest,
        go_on=_goes_on(visit),
        note=note,
        plan=visit.service.plan(visit.campaign),
    )


def _submission(visit: Visit, place: tuple[str, int], answers: Mapping[str, object]) -> Submission:
    assignment, position = place
    return Submission(
        assignment=assignment, position=position, answers=answers, language=visit.language.code
    )


def _goes_on(visit: Visit) -> bool:
    return visit.request.query_params.get(GO_ON) == "1"


def _onward(visit: Visit, note: str = "") -> Response:
    """On to the next step, with a word about this one where that is needed."""
    said = [f"{GO_ON}=1"] * _goes_on(visit) + ([f"{NOTE}={note}"] if note else [])
    return visit.redirect("?".join(["judge", "&".join(said)]) if said else "judge")


def _number(value: object) -> int:
    text = str(value)
    return int(text) if text.isdecimal() and len(text) < 10 else 0
