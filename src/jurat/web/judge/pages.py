"""Judging as plain pages: the overview, a step, a decision, the next step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, get_args

import msgspec
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from jurat.campaigns import Rest, Screen, Submission
from jurat.campaigns.judge_tasks import Outlook, Part
from jurat.campaigns.platforms import ScreenedOut
from jurat.campaigns.questionnaires import QuestionnaireDue
from jurat.campaigns.tutorial_feedback import Practice
from jurat.errors import InputError, Problem
from jurat.store import Account, Flag, NoSuchMessage, NotYours, OutOfTurn
from jurat.web.context import Visit
from jurat.web.forms import sent_form
from jurat.web.judge.guidelines import worked
from jurat.web.judge.login import login_page
from jurat.web.judge.script_api import OUT_OF_ORDER
from jurat.web.judge.step_form import StepForm

# Characters of a message to the coordinator.
LONGEST = 5000
GO_ON = "go-on"
NOTE = "note"
# Keys of messages that the page after a form may show; others in the address are ignored.
NOTES = ("elsewhere", "gone", "kept", "changed")
# Tells the service worker to cache this page for reloading without a connection.
KEEP = {"Jurat-Keep": "offline"}


async def home(request: Request) -> Response:
    """The judge's overview, or the login page; other roles are redirected to their pages."""
    visit = Visit(request)
    account = await visit.account()
    if account is None:
        return await login_page(visit)
    plan = visit.service.campaigns.plan(visit.campaign)
    if account.role != "judge":
        return visit.redirect("cases/" if account.role == "adjudicator" else "desk/")
    if account.pending:
        return visit.render("pending.html", plan=plan, account=account)
    outlook = await visit.call(visit.service.judging.outlook, visit.campaign, account.id)
    if (first := await _due_first(visit, account, outlook)) is not None:
        return visit.redirect(first)
    messages = await visit.call(visit.service.messages.unread, visit.campaign, account.id)
    wrote = await _wrote(visit, account, outlook.rest)
    return visit.render(
        "home.html", plan=plan, account=account, outlook=outlook, messages=messages, wrote=wrote
    )


async def _wrote(visit: Visit, account: Account, rest: Rest | None) -> bool:
    """Whether the judge has sent a message, where the page asks for one: at the end."""
    if rest is None or rest.kind != "finished":
        return False
    sent = await visit.call(visit.service.messages.from_judges, visit.campaign)
    return any(entry.author == account.pin for entry in sent)


async def _due_first(visit: Visit, account: Account, outlook: Outlook) -> str | None:
    """The page that comes before any other now: a questionnaire, or the way back to a platform.

    None where nothing is due.
    """
    finished = outlook.rest is not None and outlook.rest.kind in ("finished", "go-on")
    due = await visit.call(
        visit.service.questionnaires.due, visit.campaign, account.id, finished=finished
    )
    if due == "before" or (due and finished):
        return f"questionnaire/{due}"
    ended = visit.service.platforms.outcome(visit.campaign, account, finished=finished)
    return "end" if ended else None


async def offline(request: Request) -> Response:
    """The page that browsers keep to show it when the server does not respond."""
    response = Visit(request).render("offline.html")
    response.headers.update(KEEP)
    return response


async def feedback(request: Request) -> Response:
    """Store a judge's message to the coordinator."""
    visit = Visit(request)
    account = await visit.account()
    if account is None:
        return visit.redirect("")
    form = await sent_form(visit)
    # PostgreSQL accepts no zero bytes
    said = str(form.get("words", "")).replace("\0", "").strip()[:LONGEST]
    if said:
        await visit.call(
            visit.service.judging.feedback, visit.campaign, account.id, {"words": said}
        )
    return visit.render(
        "thanks.html", plan=visit.service.campaigns.plan(visit.campaign), said=bool(said)
    )


async def dismiss(request: Request) -> Response:
    """Show a message of the coordinator no more, and return to the page that showed it."""
    visit = Visit(request)
    account = await visit.account()
    if account is None:
        return visit.redirect("")
    form = await sent_form(visit)
    # one that is not there, or for another judge, is not shown in any case
    with suppress(NoSuchMessage):
        message = str(form.get("message", ""))
        await visit.call(visit.service.messages.dismiss, visit.campaign, account.id, message)
    return visit.redirect("between" if form.get("back") == "between" else "")


async def show(request: Request) -> Response:
    """The judge's next step, or the page that says why there is none."""
    visit = Visit(request)
    account = await visit.account()
    if account is None:
        return visit.redirect("")
    next_ = visit.service.judging.next
    try:
        found = await visit.call(next_, visit.campaign, account.id, go_on=_goes_on(visit))
    except QuestionnaireDue:
        return visit.redirect("questionnaire/before")
    except ScreenedOut:
        return visit.redirect("end")
    said = request.query_params.get(NOTE, "")
    note = said if said in NOTES else ""
    outlook = await visit.call(visit.service.judging.outlook, visit.campaign, account.id)
    if isinstance(found, Rest):
        # whoever has finished is led to the same page from everywhere
        if (first := await _due_first(visit, account, outlook)) is not None:
            return visit.redirect(first)
        wrote = await _wrote(visit, account, found)
        return visit.render("rest.html", rest=found, note=note, wrote=wrote)
    response = page(visit, found, note=note, part=outlook.current)
    response.headers.update(KEEP)
    return response


async def between(request: Request) -> Response:
    """What the judge has done, and what comes next: after a kit, a tutorial or a task."""
    visit = Visit(request)
    account = await visit.account()
    if account is None:
        return visit.redirect("")
    outlook = await visit.call(visit.service.judging.outlook, visit.campaign, account.id)
    if (first := await _due_first(visit, account, outlook)) is not None:
        return visit.redirect(first)
    if outlook.current and outlook.current.open_kit and outlook.rest is None:
        found = await visit.call(visit.service.judging.next, visit.campaign, account.id)
        # the browser's back button in the middle of a kit: nothing was finished just now
        if isinstance(found, Screen) and found.position > 1:
            return visit.redirect("")
    plan = visit.service.campaigns.plan(visit.campaign)
    messages = await visit.call(visit.service.messages.unread, visit.campaign, account.id)
    next_ = outlook.current
    return visit.render(
        "between.html",
        plan=plan,
        outlook=outlook,
        messages=messages,
        may_revise=next_ and visit.service.judging.may_revise(visit.campaign, next_.task),
    )


async def practice(request: Request) -> Response:
    """The expected answers of a practice item that the judge has answered."""
    visit = Visit(request)
    account = await visit.account()
    if account is None:
        return visit.redirect("")
    place = (request.path_params["assignment"], request.path_params["position"])
    try:
        found = await visit.call(visit.service.judging.practice, visit.campaign, account.id, *place)
    except (OutOfTurn, NotYours):
        return visit.redirect("judge")
    if found is None:
        return visit.redirect("judge")
    last = found.screen.position == found.screen.steps
    return _practice_page(visit, found, "between" if last else "judge")


def _practice_page(visit: Visit, found: Practice, onward: str) -> Response:
    """The judge's answers beside the expected ones; `onward` is where they continue."""
    step = StepForm(visit, found.screen, {}, compared=True)
    compared = [
        (
            asked,
            worked(asked.question, found.own[asked.question.id], visit.language)
            if asked.question.id in found.own
            else None,
            worked(asked.question, found.expected[asked.question.id], visit.language),
        )
        for asked in step.questions
        if asked.question.id in found.expected
    ]
    return visit.render(
        "practice.html", step=step, compared=compared, because=found.because, onward=onward
    )


async def decide(request: Request) -> Response:
    """Store the answers of a form and go to the next step, or show the step with its problems."""
    visit = Visit(request)
    account = await visit.account()
    if account is None:
        return visit.redirect("")
    form = await sent_form(visit)
    place = str(form.get("assignment", "")), _number(form.get("position"))
    try:
        seen = await visit.call(visit.service.judging.look_back, visit.campaign, account.id, *place)
    except NotYours:
        return _onward(visit, "gone")
    except OutOfTurn:
        return _onward(visit, "elsewhere")
    # the step is needed first: only its questions know how to read their fields
    answers = StepForm(visit, seen).read(form)
    return await _decide(visit, account, seen, answers, remark=_remark(form))


async def look_back(request: Request) -> Response:
    """An earlier decision of the judge, which they can change if the campaign allows it."""
    visit = Visit(request)
    account = await visit.account()
    if account is None:
        return visit.redirect("")
    place = (request.path_params["assignment"], request.path_params["position"])
    try:
        seen = await visit.call(visit.service.judging.look_back, visit.campaign, account.id, *place)
    except (OutOfTurn, NotYours):
        return visit.redirect("judge")
    if not seen.changeable:
        return visit.redirect("judge")
    if request.method == "GET":
        return page(visit, seen)
    form = await sent_form(visit)
    answers = StepForm(visit, seen).read(form)
    # revision 1 is the first decision, which a form of this page must not replace
    revision = max(2, _number(form.get("revision")))
    return await _decide(visit, account, seen, answers, revision=revision, remark=_remark(form))


async def _decide(
    visit: Visit,
    account: Account,
    seen: Screen,
    answers: Mapping[str, object],
    *,
    remark: Mapping[str, Any],
    revision: int = 1,
) -> Response:
    """Store answers and what the judge says about the item; redirect according to the outcome."""
    sent = Submission(
        assignment=seen.assignment,
        position=seen.position,
        answers=answers,
        revision=revision,
        language=visit.language.code,
        **remark,
    )
    # shown again with the page, if it is
    seen = msgspec.structs.replace(seen, flag=sent.flag, comment=sent.comment)
    try:
        # On the event loop, unlike other calls: the store collects decisions and writes them
        # together. It checks the login again within the transaction.
        outcome = await visit.service.judging.decide(
            visit.campaign,
            account.id,
            sent,
            is_logged_in=visit.recognises,
        )
    except OUT_OF_ORDER:
        # without a script, the answers are only in this request: the page shows them again
        return page(visit, seen, answers=answers, note="busy")
    match outcome.refused:
        case "" if outcome.decision is not None and outcome.decision.practice:
            return visit.redirect(f"practice/{seen.assignment}/{seen.position}")
        case "" if revision == 1 and seen.position == seen.steps:
            return visit.redirect("between")
        case "":
            return _onward(visit, "changed" if revision > 1 else "")
        case "login":
            return visit.redirect("")
        case "gone":
            return _onward(visit, "gone")
        case "early" | "elsewhere":
            # a second tab, or the back button: the first decision counts
            return _onward(visit, "elsewhere")
        case "shut" if seen.answered is None:
            # the phase was stopped meanwhile: the answers are there when it goes on
            place = (seen.assignment, seen.position)
            save = visit.service.judging.save_answers
            await visit.call(save, visit.campaign, account.id, *place, answers)
            return _onward(visit, "kept")
        case "shut":
            return _onward(visit)
    return page(visit, seen, answers=answers, problems=outcome.problems)


async def guest(request: Request) -> Response:
    """The tutorial for a guest; answers are checked and not stored."""
    visit = Visit(request)
    if visit.session.role != "guest":
        return visit.redirect("")
    task, position = request.path_params["task"], request.path_params["position"]
    lesson = await visit.call(visit.service.guests.screens, visit.campaign, task)
    if not 1 <= position <= len(lesson):
        return visit.redirect("")
    screen = lesson[position - 1]
    if request.method == "GET":
        return page(visit, screen, guest=True)
    form = await sent_form(visit)
    answers = StepForm(visit, screen).read(form)
    try:
        check = visit.service.guests.check
        await visit.call(check, visit.campaign, task, position, {**screen.earlier, **answers})
    except InputError as error:
        return page(visit, screen, answers=answers, problems=error.problems, guest=True)
    last = position == len(lesson)
    expected = visit.service.guests.practice
    found = await visit.call(expected, visit.campaign, task, position, answers)
    if found is not None:
        onward = "guest-done" if last else f"guest/{task}/{position + 1}"
        return _practice_page(visit, found, onward)
    if last:
        return visit.redirect("guest-done")
    return visit.redirect(f"guest/{task}/{position + 1}")


async def guest_done(request: Request) -> Response:
    """The end of a guest's tutorial."""
    visit = Visit(request)
    if visit.session.role != "guest":
        return visit.redirect("")
    tasks = await visit.call(visit.service.guests.tasks, visit.campaign)
    plan = visit.service.campaigns.plan(visit.campaign)
    return visit.render("guest-done.html", plan=plan, others=len(tasks) > 1)


def page(
    visit: Visit,
    screen: Screen,
    *,
    answers: Mapping[str, object] | None = None,
    problems: Sequence[Problem] = (),
    guest: bool = False,
    note: str = "",
    part: Part | None = None,
) -> Response:
    """A step with its questions and problems; 422 with problems, 503 if the store is busy.

    `part` tells which of the judge's kits it belongs to, where that is known.
    """
    status = 503 if note == "busy" else 422 if problems else 200
    return visit.render(
        "judge.html",
        status,
        step=StepForm(visit, screen, answers),
        faults={problem.field: problem for problem in problems},
        guest=guest,
        go_on=_goes_on(visit),
        note=note,
        part=part,
        may_revise=not guest and visit.service.judging.may_revise(visit.campaign, screen.task),
        plan=visit.service.campaigns.plan(visit.campaign),
    )


def _remark(form: FormData) -> dict[str, Any]:
    """The fields of a submission about the item itself; an unknown flag counts as none."""
    said = str(form.get("flag", ""))
    return {
        "flag": said if said in get_args(Flag) else "",
        "comment": str(form.get("comment", "")),
        "skip": "skip" in form,
    }


def _goes_on(visit: Visit) -> bool:
    return visit.request.query_params.get(GO_ON) == "1"


def _onward(visit: Visit, note: str = "") -> Response:
    """Redirect to the next step, with a message about this one if there is one."""
    said = [f"{GO_ON}=1"] * _goes_on(visit) + ([f"{NOTE}={note}"] if note else [])
    return visit.redirect("?".join(["judge", "&".join(said)]) if said else "judge")


def _number(value: object) -> int:
    # the length is limited, since the database's integers are
    text = str(value)
    return int(text) if text.isdecimal() and len(text) < 10 else 0
