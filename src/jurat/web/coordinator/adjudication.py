"""The adjudication page: items on which judges differ, and judges against adjudicators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns import Service
from jurat.campaigns.adjudication import Contest
from jurat.campaigns.monitoring.adjudication_view import AdjudicationView
from jurat.campaigns.monitoring.cached_results import CachedValue
from jurat.protocols import Protocol
from jurat.web.coordinator.page_context import COMPARING, StaffVisit, coordinators
from jurat.web.format_answers import readable_answers

# Items of a task on the page, those with the largest differences.
MAX_SHOWN = 100


class AdjudicationSummary(NamedTuple):
    """A task: how many of its items are open, how many are settled, and the worst open ones."""

    task: str
    protocol: Protocol
    apart: float
    """By how much judgments must differ to be adjudicated."""
    open: int
    settled: int
    contests: Sequence[Contest]
    once: bool
    """Whether items are judged by one judge only, so that no judgments can differ."""


@coordinators
async def show(visit: StaffVisit) -> Response:
    """Every task with its open items, and how far each judge agrees with the adjudicators."""
    more_than = visit.min_difference
    ready = visit.service.adjudication.is_ready
    compared = await visit.call(ready, visit.campaign, timeout=COMPARING)
    # up to date at every request, unlike results: adjudicators need the cases as they are now
    summaries = await visit.call(load_summaries, visit, more_than) if compared else []
    # before the first case is settled there is nothing to compute
    cached: CachedValue[AdjudicationView] = CachedValue(None, computing=not compared)
    if any(one.settled for one in summaries):
        cached = await visit.results(visit.service.monitoring.results.adjudication)
    roles = [one.role for one in await visit.call(visit.service.accounts.all, visit.campaign)]
    return visit.render_results(
        "coordinator/adjudication.html",
        cached,
        queues=summaries,
        apart=more_than,
        adjudicators=roles.count("adjudicator"),
        readable_answers=partial(readable_answers, say=visit.language.say, numbers=True),
    )


def load_summaries(visit: StaffVisit, more_than: float | None) -> list[AdjudicationSummary]:
    """The summary of each task of the campaign, in the order of the plan."""
    service: Service = visit.service
    settled = settled_counts(service, visit.campaign)
    return [
        _summary(visit, task.name, more_than, settled[task.name])
        for task in service.campaigns.plan(visit.campaign).tasks
    ]


def settled_counts(service: Service, campaign: str) -> Counter[str]:
    """How many items of each task are settled; one that was settled several times counts once."""
    places = {
        (one.task, one.phase, one.kit, one.index) for one in service.adjudication.all(campaign)
    }
    return Counter(task for task, *_ in places)


def _summary(
    visit: StaffVisit, task: str, more_than: float | None, settled: int
) -> AdjudicationSummary:
    found = visit.service.adjudication.contested(visit.campaign, task, more_than=more_than)
    protocol = visit.protocol(task)
    once = visit.service.campaigns.plan(visit.campaign).task(task).wanted == 1 and not found
    apart = protocol.tolerance if more_than is None else more_than
    return AdjudicationSummary(task, protocol, apart, len(found), settled, found[:MAX_SHOWN], once)


routes = [Route("/adjudication", show)]
