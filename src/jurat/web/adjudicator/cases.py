"""Cases: an item on which judges differ, judged once more, then compared with what they said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

import msgspec
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns import Screen
from jurat.campaigns.contests import Case
from jurat.faults import FaultyInput
from jurat.web.answering import spoken
from jurat.web.coordinator.desk import APART, Desk, adjudicators
from jurat.web.forms import sent_form
from jurat.web.judge.steps import Step


class Queue(NamedTuple):
    """A task with its cases."""

    task: str
    title: str
    apart: float
    open: int


@adjudicators
async def show(desk: Desk) -> Response:
    """What there is to settle."""
    plan = desk.service.plan(desk.campaign)
    queues = [await _queue(desk, task.name) for task in plan.tasks]
    return desk.render("adjudicator/cases.html", plan=plan, queues=queues, apart=desk.apart)


@adjudicators
async def next_case(desk: Desk) -> Response:
    """On to the case that judges differ about most."""
    task = desk.request.path_params["task"]
    cases = await _open(desk, task)
    return desk.away(_to(desk, f"{task}/{cases[0].key}" if cases else ""))


@adjudicators
async def judge(desk: Desk) -> Response:
    """One stage after the other, as the judges saw it; what they said is not shown yet."""
    task, key = desk.request.path_params["task"], desk.request.path_params["key"]
    who = (desk.campaign, desk.session.account)
    case: Case = await desk.call(desk.service.case, *who, task, key)
    if desk.request.method == "GET":
        return _page(desk, case.screens[0], {})
    form = await sent_form(desk)
    stage = _stage(str(form.get("position", "")), len(case.screens))
    screen, earlier = case.screens[stage], _earlier(str(form.get("earlier", "")))
    seen = msgspec.structs.replace(screen, earlier=earlier)
    answers = {**earlier, **Step(desk, seen).read(form)}
    try:
        if stage + 1 < len(case.screens):
            check = desk.service.check_case
            await desk.call(check, desk.campaign, task, key, answers, stage=stage)
            return _page(desk, case.screens[stage + 1], answers)
        await desk.call(desk.service.adjudicate, *who, task, key, answers)
    except FaultyInput as error:
        return _page(desk, screen, earlier, answers=answers, error=error)
    return desk.away(_to(desk, f"{task}/{key}/compared"))


@adjudicators
async def compared(desk: Desk) -> Response:
    """What he said beside what the judges had said, without who said what."""
    task, key = desk.request.path_params["task"], desk.request.path_params["key"]
    found = await desk.call(desk.service.settled, desk.campaign, desk.session.account, task, key)
    if found is None:
        return desk.away(_to(desk, f"{task}/{key}"))
    protocol = desk.protocol(task)
    return desk.render(
        "adjudicator/compared.html",
        plan=desk.service.plan(desk.campaign),
        step=Step(desk, found.case.screens[-1], {}),
        shown=frozenset(protocol.stages[-1].show),
        own=spoken(protocol, found.answers),
        others=[spoken(protocol, one) for one in found.case.answers],
        again=_to(desk, f"{task}/{key}"),
        onward=_to(desk, f"{task}/next"),
    )


def _page(
    desk: Desk,
    screen: Screen,
    earlier: Mapping[str, object],
    *,
    answers: Mapping[str, object] | None = None,
    error: FaultyInput | None = None,
) -> Response:
    """A stage with its questions; answers to earlier ones travel with the form."""
    seen = msgspec.structs.replace(screen, earlier=earlier)
    return desk.render(
        "adjudicator/case.html",
        422 if error else 200,
        step=Step(desk, seen, answers if answers is not None else {}),
        faults={fault.field: fault for fault in error.faults} if error else {},
        guest=True,
        go_on=False,
        note="",
        carried=msgspec.json.encode(earlier).decode(),
        plan=desk.service.plan(desk.campaign),
    )


async def _queue(desk: Desk, task: str) -> Queue:
    protocol, asked = desk.protocol(task), desk.apart
    apart = protocol.tolerance if asked is None else asked
    return Queue(task, protocol.title, apart, len(await _open(desk, task)))


async def _open(desk: Desk, task: str) -> list[Case]:
    cases: list[Case] = await desk.call(
        desk.service.cases, desk.campaign, desk.session.account, task, more_than=desk.apart
    )
    return cases


def _to(desk: Desk, page: str) -> str:
    kept = desk.request.query_params.get(APART)
    return f"{desk.path}cases/{page}" + (f"?{urlencode({APART: kept})}" if kept else "")


def _stage(said: str, stages: int) -> int:
    if not said.isdecimal() or not 1 <= int(said[:6]) <= stages:
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
