"""Everything that a report says, computed once: sections of results, corpus, findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple

from jurat.errors import input_error
from jurat.report.contents import LARGE, SECTIONS, Given, SectionKind
from jurat.report.corpus import Fact, corpus_facts, judgment_count, system_names
from jurat.report.heval_tables import level_results, with_compared
from jurat.report.live.data import live_data
from jurat.report.marked_texts import MarkedText, marked_texts
from jurat.report.pseudonyms import Pseudonyms, hidden, hidden_scores
from jurat.report.selected_sentences import SheetSentence, results_sheet
from jurat.report.settings import ReportSettings
from jurat.resampling.blas_threads import one_blas_thread
from jurat.results import Result
from jurat.stats import Evaluation, Statistic, analyse, statistics
from jurat.stats.identical_outputs import BY_SYSTEM, credited

# Polars and numpy release Python's lock, so that two threads use two processors.
THREADS = 2


# The section that counts model judges, whom all others leave out.
MODEL_JUDGES = "model_judges"


JOINED = (
    "Outputs that several systems share are compared as one here; the section on systems counts "
    "them for each, so that its tests may say something else of two systems."
)


class Answer(NamedTuple):
    """The results of one statistic, which answer one question."""

    statistic: type[Statistic[Any]]
    results: tuple[Result, ...]

    @property
    def known(self) -> tuple[Result, ...]:
        """The results in which some number has a value."""
        return tuple(r for r in self.results if any(e.value is not None for e in r.estimates))

    @property
    def headline(self) -> str:
        """The first finding in words."""
        return next((result.headline for result in self.known if result.headline), "")


class Section(NamedTuple):
    """The answers of one section; without any, it does not apply."""

    kind: SectionKind
    answers: tuple[Answer, ...] = ()
    left_out: tuple[str, ...] = ()
    """Questions that were not asked because there are too many judgments."""
    remark: str = ""
    """What tells its numbers from those of another section."""

    def result(self, name: str) -> Result | None:
        """The first result of a name that has a value; None where there is none."""
        found = (r for answer in self.answers for r in answer.known if r.name == name)
        return next(found, None)


@dataclass(frozen=True, kw_only=True)
class Report:
    """What a report says, with pseudonyms in place."""

    settings: ReportSettings
    facts: tuple[Fact, ...]
    sections: tuple[Section, ...]
    notes: tuple[str, ...]
    fingerprint: str
    systems: tuple[str, ...]
    judgments: int
    live: Mapping[str, Any] | None = None
    """What the page's filter computes from; None where it cannot."""
    marked: tuple[MarkedText, ...] = ()
    """Translations with the errors that were marked in them."""
    sheet: tuple[SheetSentence, ...] = ()
    """Single sentences with their translations and scores."""

    def section(self, name: str) -> Section | None:
        """The section of a folder, where it applies."""
        return next((s for s in self.sections if s.kind.name == name and s.answers), None)


def compute(
    evaluation: Evaluation,
    settings: ReportSettings,
    advance: Callable[[], None] = lambda: None,
) -> Report:
    """The report of an evaluation; `advance` is called after each result.

    Raises `InputError` where there are no judgments, or a column that options name is missing.
    """
    if settings.group and settings.group not in evaluation.columns:
        raise input_error(f"there is no column '{settings.group}'", field="--group")
    rows = evaluation.judged.height + evaluation.compared.height
    if not rows:
        raise input_error("there are no judgments to report on")
    frames = (evaluation.judged, evaluation.compared)
    names = Pseudonyms.of(
        evaluation, judges=not settings.judge_names, systems=settings.hide_systems
    )
    seen = hidden(evaluation, names)
    if settings.scores is not None:
        settings = replace(settings, scores=hidden_scores(settings.scores, names))
    # where systems are compared, a judgment of several with the same output counts for each
    own = credited(evaluation)
    of_each = seen if own is evaluation else hidden(own, names)
    given = {
        name: Given(of_each if name in BY_SYSTEM else seen, settings)
        for name in (kind.name for kind in SECTIONS)
    }
    if settings.models is not None:
        # models are not people: they keep their names
        given[MODEL_JUDGES] = Given(hidden(settings.models, names), settings)
    # Also between the statistics, which each ask for it: two threads would take it in turns.
    with one_blas_thread(), ThreadPoolExecutor(THREADS) as threads:
        made = [
            threads.submit(_section, kind, given[kind.name], names, rows, advance)
            for kind in SECTIONS
        ]
        sections = tuple(future.result() for future in made)
    if own is not evaluation:
        sections = tuple(
            one._replace(remark=JOINED) if one.kind.name == "preferences" else one
            for one in sections
        )
    return Report(
        settings=settings,
        facts=corpus_facts(evaluation, settings.test_set, names, settings.translations),
        sections=sections,
        notes=tuple(map(names.shown, (*of_each.notes, *of_each.scoring_notes))),
        fingerprint=evaluation.fingerprint,
        systems=tuple(sorted(names.systems.get(name, name) for name in system_names(frames))),
        judgments=judgment_count([frame for frame in frames if frame.height]),
        live=live_data(seen, of_each, settings, names),
        marked=marked_texts(own, settings.test_set, names, settings.translations),
        sheet=results_sheet(own, settings, names),
    )


def without_judgments(settings: ReportSettings) -> Report:
    """A report that has nothing but what its settings say, such as a study's printed numbers."""
    return Report(
        settings=settings,
        facts=(),
        sections=(),
        notes=("no judgments of this study are published",),
        fingerprint="",
        systems=(),
        judgments=0,
    )


def steps() -> int:
    """How often `compute` advances where every section applies: once for each result."""
    return sum(len(one.gives) for kind in SECTIONS for one in statistics(kind.name))


def _section(
    kind: SectionKind, given: Given, names: Pseudonyms, rows: int, advance: Callable[[], None]
) -> Section:
    if not kind.applies(given):
        return Section(kind)
    everything = statistics(kind.name)
    skipped = [one for one in everything if one.name in kind.left_out(rows)]
    unfit = kind.unfit(given)
    asked = [one for one in everything if one not in skipped and one.name not in unfit]
    found: list[Result] = []
    chosen = given.settings.of(kind.name)
    if kind.name == "heval":
        chosen = with_compared(given.evaluation, chosen)
    for result in analyse(kind.name, given.evaluation, chosen, only=[s.name for s in asked]):
        found.append(names.reveal(result))
        advance()
    answers = [answer for answer in _answers(asked, found) if answer.known]
    if kind.name == "heval" and rows <= LARGE:
        answers += [
            Answer(statistic, (names.reveal(result),))
            for statistic, result in level_results(given.evaluation, chosen)
        ]
    first = {name: n for n, name in enumerate(kind.first)}
    answers.sort(key=lambda answer: first.get(answer.statistic.name, len(first)))
    return Section(kind, tuple(answers), tuple(one.asks for one in skipped))


def _answers(asked: Sequence[type[Statistic[Any]]], results: Sequence[Result]) -> Iterator[Answer]:
    """The results put to the statistics that gave them, which come in the same order."""
    waiting = list(asked)
    owner: list[tuple[type[Statistic[Any]], Result]] = []
    for result in results:
        # A statistic may give a name several times, or not all of its names.
        while len(waiting) > 1 and result.name not in waiting[0].gives:
            waiting.pop(0)
        owner.append((waiting[0], result))
    for statistic, group in groupby(owner, key=lambda pair: pair[0]):
        yield Answer(statistic, tuple(result for _, result in group))
