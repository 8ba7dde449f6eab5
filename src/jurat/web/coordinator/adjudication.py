"""The adjudication page: items on which judges differ, and judges against adjudicators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns import Service
from jurat.campaigns.adjudication import Contest
from jurat.campaigns.monitoring.adjudication_view import AdjudicationView
from jurat.campaigns.monitoring.cached_results import CachedValue
from jurat.protocols import Protocol
from jurat.web.coordinator.page_context import StaffVisit, coordinators

# Items of a task on the page, those with the largest differences.
MAX_SHOWN = 100
# How an answer without anything in it is written.
NOTHING = "–"


class AdjudicationSummary(NamedTuple):
    """A task: how many of its items are open, how many are settled, and the worst open ones."""

    task: str
    protocol: Protocol
    apart: float
    """By how much judgments must differ to be adjudicated."""
    open: int
    settled: int
    contests: list[Contest]


@coordinators
async def show(visit: StaffVisit) -> Response:
    """Every task with its open items, and how far each judge agrees with the adjudicators."""
    more_than = visit.min_difference
    # computed at every request, unlike results: adjudicators need the cases as they are now
    summaries = await visit.call(load_summaries, visit, more_than)
    # before the first case is settled there is nothing to compute
    cached: CachedValue[AdjudicationView] = CachedValue(None, computing=False)
    if any(one.settled for one in summaries):
        cached = await visit.results(visit.service.monitoring.results.adjudication)
    roles = [one.role for one in await visit.call(visit.service.accounts.all, visit.campaign)]
    return visit.render_results(
        "coordinator/adjudication.html",
        cached,
        queues=summaries,
        apart=more_than,
        adjudicators=roles.count("adjudicator"),
        readable_answers=readable_answers,
    )


def load_summaries(visit: StaffVisit, more_than: float | None) -> list[AdjudicationSummary]:
    """The summary of each task of the campaign, in the order of the plan."""
    service: Service = visit.service
    settled = service.adjudication.all(visit.campaign)
    return [
        _summary(
            visit, task.name, more_than, len({_place(s) for s in settled if s.task == task.name})
        )
        for task in service.campaigns.plan(visit.campaign).tasks
    ]


def _summary(
    visit: StaffVisit, task: str, more_than: float | None, settled: int
) -> AdjudicationSummary:
    found = visit.service.adjudication.contested(visit.campaign, task, more_than=more_than)
    protocol = visit.protocol(task)
    apart = protocol.tolerance if more_than is None else more_than
    return AdjudicationSummary(task, protocol, apart, len(found), settled, found[:MAX_SHOWN])


# An item may have been settled several times, and is counted once.
def _place(one: object) -> tuple[object, ...]:
    return tuple(getattr(one, name) for name in ("task", "phase", "kit", "index"))


def readable_answers(protocol: Protocol, answers: Mapping[str, object]) -> dict[str, str]:
    """Answers by question: labels, where the question has any, and numbers where there are any."""
    known = protocol.questions
    legends = {n: {str(value): label for value, label, _ in known[n].legend()} for n in known}
    return {n: _said(answer, legends[n]) for n, answer in answers.items() if n in known}


def _said(answer: object, legend: Mapping[str, str]) -> str:
    if isinstance(answer, Mapping):
        return _marked(answer, legend)
    if isinstance(answer, Sequence) and not isinstance(answer, str):
        # marked errors contain commas themselves
        between = "; " if any(isinstance(one, Mapping) for one in answer) else ", "
        return between.join(_said(one, legend) for one in answer) or NOTHING
    label = legend.get(str(answer), "")
    if isinstance(answer, str) or not label:
        return label or str(answer)
    return f"{answer} ({label})"


def _marked(error: Mapping[str, object], legend: Mapping[str, str]) -> str:
    """A marked error as text: severity, category and its position in the translation."""
    words = (str(error[name]) for name in ("severity", "category") if error.get(name))
    named = ", ".join(legend.get(word, word) for word in words)
    start, end = error.get("start"), error.get("end")
    # an empty span marks a place where something is missing
    return f"{named} ({start})" if start == end else f"{named} ({start}–{end})"


routes = [Route("/adjudication", show)]
