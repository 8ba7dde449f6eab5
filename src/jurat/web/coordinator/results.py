"""The results of a campaign so far: a summary, whole sections, filters, and one page a system.

Every chart and table of these pages is also a file, at an address below that of its page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, NamedTuple, get_args
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns.monitoring.cached_results import CachedValue
from jurat.campaigns.monitoring.judge_heat_map import JudgeScores
from jurat.campaigns.monitoring.sections import (
    ADJUSTED,
    OUTLIERS,
    SYSTEM_STATISTICS,
    TESTED,
    FilterComparison,
    Section,
)
from jurat.campaigns.monitoring.system_view import SystemView
from jurat.errors import InputError, Problem
from jurat.figure_files import svg_to_png
from jurat.protocols.questions import Question, Rating
from jurat.protocols.questions.each import Each
from jurat.protocols.questions.spans import Spans
from jurat.report.svg.standalone import standalone
from jurat.results import decimals, to_csv
from jurat.store import AuditEntry
from jurat.web.coordinator import report
from jurat.web.coordinator.charts import chart
from jurat.web.coordinator.export import as_file
from jurat.web.coordinator.page_context import StaffVisit, coordinators
from jurat.web.coordinator.result_groups import (
    NumberedResult,
    all_groups,
    first_chart,
    leading,
    result_groups,
    standing_out,
)
from jurat.web.coordinator.results_filter import FILTER_FIELDS, filter_names, read_filter

if TYPE_CHECKING:
    from jurat.campaigns.monitoring.sections import Results
    from jurat.results import Estimate, Result

# Files that a result can be had as.
KINDS = {"csv": "text/csv", "svg": "image/svg+xml", "png": "image/png"}
JUDGE_COLUMNS: dict[str, Callable[[JudgeScores], object]] = {
    "pin": lambda one: one.judge,
    "mean": lambda one: one.mean,
    "n": lambda one: one.n,
}


class SystemRow(NamedTuple):
    """A system's score, rank and cluster on one question."""

    system: str
    score: Estimate
    """What ranks the systems: the mean, or the adjusted score where the headline names it."""
    rank: float | None
    cluster: float | None
    mean: Estimate | None = None
    """The mean, where the score is adjusted."""


class QuestionScores(NamedTuple):
    """All systems on one question, best first, and the range of their scores' intervals."""

    question: str
    rows: list[SystemRow]
    least: float
    most: float

    @property
    def adjusted(self) -> bool:
        """Whether the scores are adjusted for who judged what."""
        return any(row.mean for row in self.rows)

    @property
    def judgments(self) -> int:
        """How many judgments the scores of all systems rest on."""
        return sum(row.score.n for row in self.rows)

    def reaches_beyond(self, ends: tuple[float, float] | None) -> bool:
        """Whether an interval goes beyond the ends of the scale, where no mean can be."""
        return ends is not None and (self.least < ends[0] or self.most > ends[1])


@coordinators
async def show(visit: StaffVisit) -> Response:
    """The summary of all judgments, or before and after a filter."""
    names = await visit.call(filter_names, visit)
    excluded = await visit.call(visit.service.campaigns.exclusions, visit.campaign)
    try:
        cached = await _load(visit)
    except InputError as error:
        nothing: CachedValue[Results] = CachedValue(None, computing=False)
        return _page(visit, nothing, names, excluded, error.problems)
    return _page(visit, cached, names, excluded)


@coordinators
async def section(visit: StaffVisit) -> Response:
    """All results of one section; a faulty filter leads back to the form with the message."""
    try:
        name, cached = await _load_section(visit)
    except InputError:
        # a section has no form for the filter, where the problem could be shown
        return visit.redirect_to_page(f"results?{visit.request.url.query}")
    found = cached.value
    groups = result_groups(name, found.sections[name], found.asks) if found else []
    systems = await visit.call(_system_names, visit)
    return visit.render_results(
        "coordinator/results-section.html",
        cached,
        section=name,
        groups=groups,
        systems=systems,
        implied=_implied_orders(visit),
    )


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
    systems = await visit.call(_system_names, visit)
    every = enumerate(cached.value.figures, 1) if cached.value else ()
    figures = [NumberedResult(n, result) for n, result in every]
    return visit.render_results(
        "coordinator/system.html", cached, name=name, systems=systems, figures=figures
    )


@coordinators
async def summary_file(visit: StaffVisit) -> Response:
    """A table or chart of the summary."""
    results = _filtered((await _load(visit)).value)
    return await _file(visit, results.sections if results else {}, "results")


@coordinators
async def section_file(visit: StaffVisit) -> Response:
    """A table or chart of a section."""
    name, cached = await _load_section(visit)
    return await _file(visit, cached.value.sections if cached.value else {}, f"results/{name}")


@coordinators
async def system_file(visit: StaffVisit) -> Response:
    """A table or chart of a system's page."""
    cached = await _load_system(visit)
    page = f"system/{quote(visit.request.path_params['name'])}"
    return await _file(visit, {"system": cached.value.figures} if cached.value else {}, page)


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


async def _file(visit: StaffVisit, sections: Mapping[str, Sequence[Result]], page: str) -> Response:
    """One result as a file; back to its page while that is being computed."""
    given = visit.request.path_params
    some, number, ending = sections.get(given["section"], ()), given["number"], given["ending"]
    if ending not in KINDS:
        raise HTTPException(404)
    if not sections:
        return visit.redirect_to_page(f"{page}?{visit.request.url.query}")
    if not 1 <= number <= len(some):
        raise HTTPException(404)
    result = some[number - 1]
    # in a thread: drawing takes a second
    data = await visit.call(_content, visit, result, ending)
    return as_file(data, f"{visit.campaign}-{result.name}.{ending}", KINDS[ending])


def _content(visit: StaffVisit, result: Result, ending: str) -> bytes:
    """The table as CSV, or the chart as the page draws it; raises 404 where there is none."""
    if ending == "csv":
        return to_csv([result]).encode()
    figure = result.figure()
    drawn = standalone(chart(figure, _system_names(visit), visit.language)) if figure else None
    if drawn is None:
        raise HTTPException(404)
    return drawn.svg.encode() if ending == "svg" else svg_to_png(drawn.svg)


def _system_names(visit: StaffVisit) -> list[str]:
    """The systems in an order that gives each the same colour on every page."""
    return filter_names(visit)["systems"]


def score_tables(results: Results) -> Iterator[QuestionScores]:
    """Score, rank and cluster of every system, one table a question."""
    scores, ranks, clusters = (_by_system(results, name) for name in SYSTEM_STATISTICS)
    adjusted = _by_system(results, ADJUSTED)
    for question in dict.fromkeys(question for question, _ in scores):
        own = {k: one for k, one in scores.items() if k[0] == question and one.value is not None}
        fair = all(_value(adjusted, key) is not None for key in own)
        rows = [
            SystemRow(
                key[1],
                adjusted[key] if fair else mean,
                _value(ranks, key),
                _value(clusters, key),
                mean if fair else None,
            )
            for key, mean in own.items()
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


def _scale_ends(visit: StaffVisit) -> dict[str, tuple[float, float]]:
    """The lowest and highest value of each question's scale; without those that tasks differ in."""
    found: dict[str, set[tuple[float, float]]] = {}
    for question in _questions(visit):
        if isinstance(question, Rating) and question.ends:
            found.setdefault(question.id, set()).add(question.ends)
        elif isinstance(question, Spans):
            # errors are minus points, of which there may be any number
            found.setdefault(question.id, set()).add((-inf, 0.0))
    return {name: ends.pop() for name, ends in found.items() if len(ends) == 1}


def _questions(visit: StaffVisit) -> Iterator[Question]:
    """The questions of all tasks."""
    for task in visit.service.campaigns.plan(visit.campaign).tasks:
        yield from visit.protocol(task.name).questions.values()


def _span_questions(visit: StaffVisit) -> set[str]:
    """The questions that are answered by marking errors."""
    return {question.id for question in _questions(visit) if isinstance(question, Spans)}


def _implied_orders(visit: StaffVisit) -> list[str]:
    """The questions whose scores imply an order of translations, which counts as preferences."""
    of_several = (q for q in _questions(visit) if isinstance(q, Each) and q.ranked_by)
    return list(dict.fromkeys(question.id for question in of_several))


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
    marked, ends = _span_questions(visit), _scale_ends(visit)
    # where errors are marked and a score is given, the score counts and the marks explain it
    tables = (
        sorted(score_tables(results), key=lambda one: one.question in marked) if results else []
    )
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
        tables=tables,
        of_errors=[t.question for t in tables if t.question in marked],
        excluded=excluded,
        leading=leading(results) if results else [],
        ADJUSTED=ADJUSTED,
        implied=_implied_orders(visit),
        first=first_chart(results, [one.question for one in tables[:2]], ends) if results else None,
        beyond=any(one.reaches_beyond(ends.get(one.question)) for one in tables),
        groups=all_groups(results) if results else {},
        unusual=standing_out(results) if results else {},
        systems=names["systems"],
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
    Route("/results/heat-map", heat_map),
    Route("/results/report", report.show),
    Route("/results/report/file", report.download),
    Route("/results/files/{section}-{number:int}.{ending}", summary_file),
    Route("/results/{section}", section),
    Route("/results/{section}/{number:int}.{ending}", section_file),
    # names of systems may contain slashes, so that nothing can follow them in an address
    Route("/files/{section}-{number:int}.{ending}/{name:path}", system_file),
    Route("/system/{name:path}", system),
]
