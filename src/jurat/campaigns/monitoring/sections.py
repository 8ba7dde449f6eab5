"""The sections of a campaign's results, each from one package of statistics.

The summary has the main numbers of every section, with fewer resamples and a test that needs none;
a full section has everything that the command of the same name computes, in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast, get_args

import msgspec

from jurat.campaigns.monitoring.filters import Filter
from jurat.errors import unknown_name
from jurat.results import Estimate

if TYPE_CHECKING:
    from jurat.campaigns.monitoring.worker import WorkerState
    from jurat.results import Estimate, Figure, Key, Result
    from jurat.stats import Evaluation, Settings
    from jurat.stats.settings import JudgeSettings

Section = Literal["agreement", "judges", "systems", "preferences", "time", "heval", "fatigue"]
# The sections of the summary.
SUMMARY_SECTIONS: tuple[Section, ...] = ("agreement", "judges", "systems", "preferences", "time")
OUTLIERS = "judge-outlier"
# In the summary only where the headline of the scores names it.
ADJUSTED = "adjusted-score"
# The way of `jurat.stats.judges.outlier_tests` that a page can name without loading the statistics.
TESTED = "tested"
SUMMARY_STATISTICS: Mapping[str, tuple[str, ...]] = {
    "agreement": ("n-agreement", "fleiss-kappa", "krippendorff-alpha"),
    "judges": (OUTLIERS, "judge-mean"),
    "systems": ("system-score", "system-rank", "system-cluster", "pairwise-p", ADJUSTED),
    "preferences": ("preference-count", "preference-agreement", "preference-kappa"),
    "time": ("seconds-mean",),
}
# Of the summary; a full section draws a thousand.
SUMMARY_RESAMPLES = 200
# The slowest section starts first, so that both threads end at about the same time.
THREADS, SLOWEST = 2, "judges"


class DataVersion(msgspec.Struct, frozen=True, kw_only=True):
    """The judgments that a result was computed from."""

    version: str
    """Changes whenever the campaign's judgments do."""
    judgments: int
    """How many decisions there were."""
    last: datetime | None
    """When the last of them was made."""


class Results(NamedTuple):
    """The results of some sections, and the judgments they were computed from."""

    as_of: DataVersion
    sections: Mapping[str, tuple[Result, ...]]
    excluded: tuple[str, ...] = ()
    """Judges whom the filter's rules excluded."""
    not_scored: int = 0
    """Answers to controls and repeated items, which do not count in the scores of systems."""
    partly_asked: Mapping[str, tuple[int, int]] = {}
    """Questions that systems are not ranked by: in how many of how many judgments they came."""
    asks: Mapping[str, str] = {}
    """The question that each result answers, by the result's name."""

    def named(self, name: str) -> Result | None:
        """The first result of a name; None where there is none."""
        return next((r for part in self.sections.values() for r in part if r.name == name), None)


@dataclass(frozen=True)
class StoredFigure:
    """A figure made by the worker: functions that draw could not be pickled."""

    content: Figure | None

    def __call__(self) -> Figure:
        return self.content or {}


def summary(state: WorkerState, campaign: str, chosen: Filter) -> Results:
    """The main results of every section that has any."""
    as_of, left = state.tables(campaign).as_of, state.filtered(campaign, chosen)
    found = summary_results(left.evaluation, chosen)
    return Results(as_of, found, left.outliers, *_left_out(left.evaluation), _asks(found))


def section(state: WorkerState, campaign: str, part: str, chosen: Filter) -> Results:
    """All results of one section; raises `InputError` for an unknown name."""
    known = get_args(Section)
    if part not in known:
        raise unknown_name("part of the results", part, known)
    as_of, left = state.tables(campaign).as_of, state.filtered(campaign, chosen)
    found = {part: section_results(part, left.evaluation, chosen, quick=False)}
    return Results(as_of, found, left.outliers, *_left_out(left.evaluation), _asks(found))


def _left_out(seen: Evaluation) -> tuple[int, Mapping[str, tuple[int, int]]]:
    return seen.not_scored, seen.partly_asked


def _asks(sections: Iterable[str]) -> dict[str, str]:
    """The questions of all statistics of some sections, by the names of their results."""
    from jurat.stats import statistics

    return {name: one.asks for part in sections for one in statistics(part) for name in one.gives}


def summary_results(seen: Evaluation, chosen: Filter) -> dict[str, tuple[Result, ...]]:
    """The main results by section, of an evaluation."""
    parts = [part for part in SUMMARY_SECTIONS if part != "preferences" or seen.preferences]
    if seen.judgments is None:
        parts = [part for part in parts if part not in ("agreement", "judges")]
    if seen.judgments is None and seen.preferences is None:
        return {}
    # threads help although Python runs one at a time: polars and numpy release the lock
    with ThreadPoolExecutor(THREADS) as threads:
        found = {
            part: threads.submit(section_results, part, seen, chosen, quick=True)
            for part in sorted(parts, key=lambda part: part != SLOWEST)
        }
        # in the order of the page, not of the computation
        return {part: found[part].result() for part in parts}


def section_results(
    part: str, seen: Evaluation, chosen: Filter, *, quick: bool
) -> tuple[Result, ...]:
    """The results of a section with their figures; with `quick` only the main ones."""
    from jurat.stats import analyse
    from jurat.stats.identical_outputs import evaluation_for

    seen = evaluation_for(part, seen)
    settings = _settings(part, chosen, quick=quick)
    results = analyse(part, seen, settings)
    if quick:
        results = (
            one for name in SUMMARY_STATISTICS[part] for one in _first(part, name, seen, settings)
        )
        results = _without_unnamed_adjusted(results)
    return tuple(
        replace(one, draw=StoredFigure(one.figure()) if one.draw else None) for one in results
    )


def _without_unnamed_adjusted(results: Iterable[Result]) -> Iterator[Result]:
    """The results without adjusted scores, where systems are ranked by plain means."""
    from jurat.report.result_texts import names_adjusted_scores

    every = list(results)
    # their own headline names them in any case
    named = any(names_adjusted_scores(one) for one in every if one.name != ADJUSTED)
    return (one for one in every if named or one.name != ADJUSTED)


def _first(part: str, name: str, seen: Evaluation, settings: Settings) -> Iterator[Result]:
    """The results of one statistic; of outliers only the judges who stand out beyond chance."""
    from jurat.stats import analyse
    from jurat.stats.judges.outlier_tests import standing_out
    from jurat.stats.judges.outliers import estimates_of

    results = analyse(part, seen, settings, only=[name])
    if name != OUTLIERS:
        yield from results
        return
    # only the first result: how far the rules agree takes long to compute
    for every in islice(results, 1):
        out = standing_out(seen, cast("JudgeSettings", settings))
        nobody = (Estimate(value=None, n=0, reason="nobody stands out"),)
        shown = estimates_of(every.estimates, out) or nobody
        yield replace(every, estimates=shown, method=f"{every.method}; only those beyond chance")


def _settings(part: str, chosen: Filter, *, quick: bool) -> Settings:
    """The command's default settings; `quick` draws fewer resamples, or none."""
    from jurat.stats import settings

    drawn: dict[str, Any] = {"bootstrap": SUMMARY_RESAMPLES} if quick else {}
    none_drawn: dict[str, Any] = {"bootstrap": 0} if quick else {}
    match part:
        case "judges":
            return settings.JudgeSettings(k=chosen.k, **none_drawn)
        case "time":
            return settings.TimeSettings(**none_drawn)
        case "systems":
            return settings.SystemSettings(**drawn)
        case "preferences":
            return settings.PreferenceSettings(**drawn)
        case "fatigue":
            return settings.FatigueSettings()
    return settings.Settings(**drawn)


# Parts whose numbers say how far judges agree.
AGREEMENT = ("agreement", "preferences")
SYSTEM_STATISTICS = ("system-score", "system-rank", "system-cluster")

Name = tuple[tuple[str, "Key"], ...]


class BeforeAfter(NamedTuple):
    """A number before and after; None where it is missing."""

    before: float | None
    after: float | None

    @property
    def moved(self) -> bool:
        """Whether it changed."""
        return self.before != self.after


class SystemChange(NamedTuple):
    """A system's score, rank and cluster on one question."""

    question: str
    system: str
    score: BeforeAfter
    rank: BeforeAfter
    cluster: BeforeAfter

    @property
    def moved(self) -> bool:
        """Whether its rank or cluster changed."""
        return self.rank.moved or self.cluster.moved


class NumberChange(NamedTuple):
    """A measure of agreement."""

    name: str
    by: Mapping[str, Key]
    value: BeforeAfter


class FilterComparison(NamedTuple):
    """The same results of all judgments and of those that a filter keeps."""

    before: Results
    after: Results
    systems: tuple[SystemChange, ...]
    """In the order before, best first."""
    agreement: tuple[NumberChange, ...]

    @property
    def as_of(self) -> DataVersion:
        """The judgments that both were computed from."""
        return self.after.as_of

    @property
    def moved(self) -> tuple[SystemChange, ...]:
        """The systems whose rank or cluster changed."""
        return tuple(one for one in self.systems if one.moved)


def compare(state: WorkerState, campaign: str, chosen: Filter) -> FilterComparison:
    """The summary of a task's judgments before and after a filter."""
    # of the same task: another task's judgments would be a difference that is not the filter's
    before = summary(state, campaign, chosen.task_only())
    after = summary(state, campaign, chosen)
    return FilterComparison(
        before=before,
        after=after,
        systems=tuple(_systems(before, after)),
        agreement=tuple(_agreement(before, after)),
    )


def _systems(before: Results, after: Results) -> Iterator[SystemChange]:
    named = [_paired(before, after, name) for name in SYSTEM_STATISTICS]
    for key in dict.fromkeys(key for pairs in named for key in pairs):
        by = dict(key)
        nothing = BeforeAfter(None, None)
        score, rank, cluster = (pairs.get(key, nothing) for pairs in named)
        yield SystemChange(str(by.get("question", "")), str(by["system"]), score, rank, cluster)


def _agreement(before: Results, after: Results) -> Iterator[NumberChange]:
    parts = [part for part in AGREEMENT if part in before.sections or part in after.sections]
    names = dict.fromkeys(
        one.name
        for results in (before, after)
        for part in parts
        for one in results.sections.get(part, ())
    )
    for name in names:
        for key, pair in _paired(before, after, name).items():
            yield NumberChange(name, dict(key), pair)


def _paired(before: Results, after: Results, name: str) -> dict[Name, BeforeAfter]:
    """The values of one statistic that are known on either side."""
    first, second = (_values(results, name) for results in (before, after))
    keys = dict.fromkeys((*first, *second))
    return {key: BeforeAfter(first.get(key), second.get(key)) for key in keys}


def _values(results: Results, name: str) -> dict[Name, float]:
    found = results.named(name)
    estimates: Iterable[Estimate] = found.estimates if found else ()
    return {
        tuple({**e.by, **e.tags}.items()): e.value
        for e in estimates
        if e.value is not None and (e.by or e.tags)
    }
