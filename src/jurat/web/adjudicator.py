"""Adjudication: an item on which judges differ is judged again, then compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

import msgspec
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns import Screen
from jurat.campaigns.adjudication import Case
from jurat.errors import InputError
from jurat.web.coordinator.page_context import COMPARING, MORE_THAN, StaffVisit, adjudicators
from jurat.web.format_answers import readable_answers
from jurat.web.forms import sent_form
from jurat.web.judge.step_form import StepForm


class Queue(NamedTuple):
    """A task, and how many of its items an adjudicator still has to decide."""

    task: str
    title: str
    apart: float
    open: int
    once: bool
    """Whether items are judged by one judge only, so that no judgments can differ."""


@adjudicators
async def show(visit: StaffVisit) -> Response:
    """The tasks with the number of open cases."""
    ready = visit.service.adjudication.is_ready
    compared = await visit.call(ready, visit.campaign, timeout=COMPARING)
    plan = visit.service.campaigns.plan(visit.campaign)
    queues = [await _queue(visit, task.name) for task in plan.tasks] if compared else []
    return visit.render(
        "adjudicator/cases.html", queues=queues, computing=not compared, apart=visit.min_difference
    )


@adjudicators
async def next_case(visit: StaffVisit) -> Response:
    """Redirect to the open case with the largest difference."""
    task = visit.request.path_params["task"]
    cases = await _open(visit, task)
    return visit.redirect_to(_to(visit, f"{task}/{cases[0].key}" if cases else ""))


@adjudicators
async def judge(visit: StaffVisit) -> Response:
    """Judge a case stage by stage, as judges did, without seeing their answers."""
    task, key = visit.request.path_params["task"], visit.request.path_params["key"]
    who = (visit.campaign, visit.session.account)
    case: Case = await visit.call(visit.service.adjudication.case, *who, task, key)
    if visit.request.method == "GET":
        return await _page(visit, case.screens[0], {})
    form = await sent_form(visit)
    stage = _stage(str(form.get("position", "")), len(case.screens))
    # Nothing is stored before the last stage: earlier answers come back with the form. They may
    # have been tampered with, so `settle` checks the answers to all stages once more.
    screen, earlier = case.screens[stage], _earlier(str(form.get("earlier", "")))
    seen = msgspec.structs.replace(screen, earlier=earlier)
    answers = {**earlier, **StepForm(visit, seen).read(form)}
    try:
        if stage + 1 < len(case.screens):
            check = visit.service.adjudication.check
            await visit.call(check, visit.campaign, task, key, answers, stage=stage)
            return await _page(visit, case.screens[stage + 1], answers)
        await visit.call(visit.service.adjudication.settle, *who, task, key, answers)
    except InputError as error:
        return await _page(visit, screen, earlier, answers=answers, error=error)
    return visit.redirect_to(_to(visit, f"{task}/{key}/compared"))


@adjudicators
async def compared(visit: StaffVisit) -> Response:
    """The adjudicator's answers next to the judges', who stay anonymous."""
    task, key = visit.request.path_params["task"], visit.request.path_params["key"]
    found = await visit.call(
        visit.service.adjudication.settled, visit.campaign, visit.session.account, task, key
    )
    # the comparison shows the judges' answers, so the adjudicator has to judge first
    if found is None:
        return visit.redirect_to(_to(visit, f"{task}/{key}"))
    protocol, say = visit.protocol(task), visit.language.say
    return visit.render(
        "adjudicator/compared.html",
        step=StepForm(visit, found.case.screens[-1], {}, compared=True),
        shown=frozenset(protocol.stages[-1].show),
        own=readable_answers(protocol, found.answers, say=say),
        others=[readable_answers(protocol, one, say=say) for one in found.case.answers],
        again=_to(visit, f"{task}/{key}"),
        open=len(await _open(visit, task)),
        onward=_to(visit, f"{task}/next"),
    )


async def _page(
    visit: StaffVisit,
    screen: Screen,
    earlier: Mapping[str, object],
    *,
    answers: Mapping[str, object] | None = None,
    error: InputError | None = None,
) -> Response:
    """A stage with its questions; answers to earlier ones travel with the form."""
    seen = msgspec.structs.replace(screen, earlier=earlier)
    say = visit.language.say
    # a case is no part of a kit: what counts is how many wait, and the stage where there are some
    places = [say("cases-open", count=len(await _open(visit, screen.task)))]
    if screen.steps > 1:
        places.append(say("step-of", position=screen.position, steps=screen.steps))
    return visit.render(
        "adjudicator/case.html",
        422 if error else 200,
        step=StepForm(visit, seen, answers if answers is not None else {}),
        faults={fault.field: fault for fault in error.problems} if error else {},
        # as for guests, the script sends the form instead of storing decisions on the device
        guest=True,
        go_on=False,
        note="",
        part=None,
        where=" · ".join(places),
        may_revise=False,
        carried=msgspec.json.encode(earlier).decode(),
    )


async def _queue(visit: StaffVisit, task: str) -> Queue:
    protocol, asked = visit.protocol(task), visit.min_difference
    apart = protocol.tolerance if asked is None else asked
    open_ = len(await _open(visit, task))
    once = visit.service.campaigns.plan(visit.campaign).task(task).wanted == 1 and not open_
    return Queue(task, visit.task_title(task), apart, open_, once)


async def _open(visit: StaffVisit, task: str) -> Sequence[Case]:
    cases: Sequence[Case] = await visit.call(
        visit.service.adjudication.cases,
        visit.campaign,
        visit.session.account,
        task,
        more_than=visit.min_difference,
    )
    return cases


def _to(visit: StaffVisit, page: str) -> str:
    # the chosen difference stays in the address, or the next page would list other cases
    kept = visit.request.query_params.get(MORE_THAN)
    return f"{visit.path}cases/{page}" + (f"?{urlencode({MORE_THAN: kept})}" if kept else "")


def _stage(said: str, stages: int) -> int:
    # Python refuses to convert thousands of digits; no protocol has so many stages
    if not said.isdecimal() or len(said) > 6 or not 1 <= int(said) <= stages:
        raise HTTPException(400)
    return int(said) - 1


def _earlier(said: str) -> dict[str, object]:
    try:
        return msgspec.json.decode(said or "{}", type=dict[str, object])
    except msgspec.DecodeError as error:
        raise HTTPException(400) from error


routes = [
    Route("/", show),
    Route("/{task}/next", next_case),
    Route("/{task}/{key}", judge, methods=["GET", "POST"]),
    Route("/{task}/{key}/compared", compared),
]
