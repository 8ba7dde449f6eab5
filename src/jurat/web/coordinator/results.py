"""The results of a campaign so far: a summary, whole sections, filters, and one page a system."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, get_args

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns.monitoring.cached_results import CachedValue
from jurat.campaigns.monitoring.filters import Filter
from jurat.campaigns.monitoring.score_view import JudgeScores
from jurat.campaigns.monitoring.sections import (
    OUTLIERS,
    SYSTEM_STATISTICS,
    TESTED,
    FilterComparison,
    Section,
)
from jurat.campaigns.monitoring.system_view import SystemView
from jurat.errors import InputError, Problem, raise_problems, unknown_name
from jurat.results import decimals
from jurat.store import AuditEntry
from jurat.web.coordinator import charts
from jurat.web.coordinator.page_context import StaffVisit, coordinators

if TYPE_CHECKING:
    from jurat.campaigns.monitoring.sections import Results
    from jurat.results import Estimate, Figure, Result

# The parameters of the address that make up a filter, and those of them that are names.
FILTER_FIELDS = ("task", "judges", "without", "documents", "systems", "where", "ways", "k")
NAME_FIELDS = ("task", "judges", "without", "documents", "systems")
JUDGE_COLUMNS: dict[str, Callable[[JudgeScores], object]] = {
    "pin": lambda one: one.judge,
    "mean": lambda one: one.mean,
    "n": lambda one: one.n,
}
# The address of the library changes with its version: browsers need never ask again.
FOR_EVER = "private, max-age=31536000, immutable"


class SystemRow(NamedTuple):
    """A system's score, rank and cluster on one question."""

    system: str
    score: Estimate
    rank: float | None
    cluster: float | None


class QuestionScores(NamedTuple):
    """All systems on one question, best first, and the range of their scores' intervals."""

    question: str
    rows: list[SystemRow]
    least: float
    most: float


@coordinators
async def show(visit: StaffVisit) -> Response:
    """The summary of all judgments, or before and after a filter."""
    names = await visit.call(_names, visit)
    excluded = await visit.call(visit.service.campaigns.exclusions, visit.campaign)
    try:
        cached = await _load(visit)
    except InputError as error:
        nothing: CachedValue[Results] = CachedValue(None, computing=False)
        return _page(visit, nothing, names, excluded, error.problems)
    return _page(visit, cached, names, excluded)


@coordinators
async def figures(visit: StaffVisit) -> Response:
    """The figures of the summary as JSON."""
    cached = await _load(visit)
    results = _filtered(cached.value)
    return _figures(visit, cached, results.sections if results else {})


@coordinators
async def section(visit: StaffVisit) -> Response:
    """All results of one section; a faulty filter leads back to the form with the message."""
    try:
        name, cached = await _load_section(visit)
    except InputError:
        # a section has no form for the filter, where the problem could be shown
        return visit.redirect_to_page(f"results?{visit.request.url.query}")
    return visit.render_results("coordinator/results-section.html", cached, section=name)


@coordinators
async def section_figures(visit: StaffVisit) -> Response:
    """The figures of a section as JSON."""
    _, cached = await _load_section(visit)
    return _figures(visit, cached, cached.value.sections if cached.value else {})


@coordinators
async def heat_map(visit: StaffVisit) -> Response:
    """The mean score of every system by every judge, on one question."""
    question = visit.request.query_params.get("question", "")
    cached = await visit.results_of(visit.service.monitoring.results.heat_map, question)
    judges = cached.value.judges if cached.value else ()
    return visit.render_results(
        "coordinator/heat-map.html",
        cached,
        rows=visit.sorted(judges, JUDGE_COLUMNS, first="-mean"),
        places=decimals(cached.value.most) if cached.value else 0,
    )


@coordinators
async def system(visit: StaffVisit) -> Response:
    """One system: its scores, scores by tag, errors, best and worst segments."""
    cached = await _load_system(visit)
    name = visit.request.path_params["name"]
    return visit.render_results("coordinator/system.html", cached, name=name)


@coordinators
async def system_figures(visit: StaffVisit) -> Response:
    """The figures of a system's page as JSON."""
    cached = await _load_system(visit)
    return _figures(visit, cached, {"system": cached.value.figures} if cached.value else {})


@coordinators
async def library(visit: StaffVisit) -> Response:
    """The library that draws figures in the browser."""
    # another version's content must not be cached for ever at this address
    if visit.request.path_params["version"] != charts.library_version():
        raise HTTPException(404)
    content = await visit.call(charts.bundle)
    return Response(content, media_type="text/javascript", headers={"Cache-Control": FOR_EVER})


async def _load(visit: StaffVisit) -> CachedValue[Results] | CachedValue[FilterComparison]:
    """The summary, or a comparison where the address has a filter; raises `InputError`."""
    chosen, results = await visit.call(read_filter, visit), visit.service.monitoring.results
    if chosen.is_active:
        return await visit.results(results.compare, chosen)
    return await visit.results(results.summary, chosen)


async def _load_section(visit: StaffVisit) -> tuple[str, CachedValue[Results]]:
    name = visit.request.path_params["section"]
    if name not in get_args(Section):
        raise HTTPException(404)
    chosen = await visit.call(read_filter, visit)
    return name, await visit.results(visit.service.monitoring.results.section, name, chosen)


async def _load_system(visit: StaffVisit) -> CachedValue[SystemView]:
    name = visit.request.path_params["name"]
    return await visit.results_of(visit.service.monitoring.results.system, name)


def _filtered(found: Results | FilterComparison | None) -> Results | None:
    """The results that the page shows in full: those after the filter, where there is one."""
    return found.after if isinstance(found, FilterComparison) else found


def _figures(
    visit: StaffVisit,
    cached: CachedValue[Results] | CachedValue[FilterComparison] | CachedValue[SystemView],
    sections: Mapping[str, Sequence[Result]],
) -> Response:
    drawn: dict[str, Figure] = {}
    for name, results in sections.items():
        drawn |= charts.figures(results, name, visit.language)
    return charts.figures_response(drawn, computing=cached.computing)


def read_filter(visit: StaffVisit) -> Filter:
    """The filter in the address; raises `InputError` for unknown names and faulty values."""
    given = visit.request.query_params
    chosen = Filter.read({name: given.getlist(name) for name in FILTER_FIELDS})
    # an unknown name would silently leave no judgment
    if any(getattr(chosen, name) for name in NAME_FIELDS):
        known = _names(visit)
        raise_problems([problem for name in known for problem in _unknown(name, known, chosen)])
    return chosen


def _names(visit: StaffVisit) -> dict[str, list[str]]:
    """The names that each field of the filter may have."""
    test_set = visit.service.campaigns.test_set(visit.campaign)
    judges = [one.pin for one in visit.service.accounts.all(visit.campaign) if one.role == "judge"]
    return {
        "task": [one.name for one in visit.service.campaigns.plan(visit.campaign).tasks],
        "judges": judges,
        "without": judges,
        "documents": [one.id for one in test_set.documents],
        "systems": [one.name for one in test_set.systems],
    }


def _unknown(field: str, known: Mapping[str, list[str]], chosen: Filter) -> Iterator[Problem]:
    given: str | Iterable[str] = getattr(chosen, field)
    for name in (given,) if isinstance(given, str) else given:
        if name and name not in known[field]:
            yield from unknown_name(field, name, known[field], field=field).problems


def score_tables(results: Results) -> Iterator[QuestionScores]:
    """Score, rank and cluster of every system, one table a question."""
    scores, ranks, clusters = (_by_system(results, name) for name in SYSTEM_STATISTICS)
    for question in dict.fromkeys(question for question, _ in scores):
        rows = [
            SystemRow(key[1], score, _value(ranks, key), _value(clusters, key))
            for key, score in scores.items()
            if key[0] == question and score.value is not None
        ]
        # the bars of all rows share one axis, which has to hold their intervals
        ends = [end for row in rows for end in (row.score.low, row.score.value, row.score.high)]
        known = [end for end in ends if end is not None] or [0.0]
        yield QuestionScores(question, rows, min(known), max(known))


def _by_system(results: Results, name: str) -> Mapping[tuple[str, str], Estimate]:
    """The estimates of a statistic by question and system."""
    found = results.named(name)
    return {
        (str(e.by.get("question", "")), str(e.by["system"])): e
        for e in (found.estimates if found else ())
        if "system" in e.by and not e.tags
    }


def _value(found: Mapping[tuple[str, str], Estimate], key: tuple[str, str]) -> float | None:
    return found[key].value if key in found else None


def _rules(results: Results | None) -> list[str]:
    """The exclusion rules worth offering: that of judges beyond chance, where there are any."""
    found = results.named(OUTLIERS) if results else None
    return [TESTED] if found and any("way" in e.by for e in found.estimates) else []


def _page(
    visit: StaffVisit,
    cached: CachedValue[Results] | CachedValue[FilterComparison],
    names: Mapping[str, list[str]],
    excluded: Sequence[AuditEntry],
    problems: Sequence[Problem] = (),
) -> Response:
    found = cached.value
    comparison = found if isinstance(found, FilterComparison) else None
    results = _filtered(found)
    given = visit.request.query_params
    asked = {name: given.getlist(name) for name in FILTER_FIELDS}
    # before the filter: judges whom a rule excludes are no outliers any more afterwards
    rules = _rules(comparison.before if comparison else results)
    return visit.render_results(
        "coordinator/results.html",
        cached,
        422 if problems else 200,
        comparison=comparison,
        results=results,
        tables=list(score_tables(results)) if results else [],
        excluded=excluded,
        problems=problems,
        asked=asked,
        choosing=any(value for some in asked.values() for value in some),
        names=names,
        # a rule of the address stays on the form although it now excludes nobody
        ways=list(dict.fromkeys((*rules, *asked["ways"]))),
        query=visit.request.url.query,
    )


routes = [
    Route("/results", show),
    # before `{section}`, which would match them too
    Route("/results/figures", figures),
    Route("/results/heat-map", heat_map),
    Route("/results/{section}", section),
    Route("/results/{section}/figures", section_figures),
    # names of systems may contain slashes, so that nothing can follow them in an address
    Route("/figures/system/{name:path}", system_figures),
    Route("/system/{name:path}", system),
    Route("/charts/{version}/vega.js", library),
]
