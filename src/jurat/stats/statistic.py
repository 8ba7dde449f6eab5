"""A statistic: one question asked of an evaluation, declared in a class that the registry finds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from jurat.registry import Registry
from jurat.resampling.blas_threads import one_blas_thread
from jurat.resampling.executor import executor
from jurat.results import Estimate, Figure, Result
from jurat.stats.estimates import method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.figures import coefficient_figure
from jurat.stats.phrases import listed
from jurat.stats.settings import Settings

__all__ = [
    "NOTHING",
    "Answer",
    "Settings",
    "Statistic",
    "analyse",
    "missing_estimates",
    "statistics",
]

NOTHING = "nothing to compute it from"


Asked = TypeVar("Asked", bound=Settings)


class Statistic(Generic[Asked]):
    """One question asked of an evaluation, and the results that answer it.

    A subclass declares what it gives, needs and computes, and defines `results`. Where words and
    a figure follow from the estimates alone, it defines `headline_of` and `figure_of`.
    """

    name: ClassVar[str]
    """Under which the registry finds it; mostly the name of its first result."""
    gives: ClassVar[tuple[str, ...]]
    """The names of its results, as in the command line's contract.

    Where a class does not say it, they are the keys of its `formulas`, or else its name.
    """
    asks: ClassVar[str]
    """The question, as a user would ask it."""
    formula: ClassVar[str]
    """How it is computed, in one line; where a class does not say it, the first of `formulas`."""
    formulas: ClassVar[Mapping[str, str]] = {}
    """How each of its results is computed, where they differ."""
    counted: ClassVar[str] = ""
    """What n is the number of; nothing where the formula says it."""
    source: ClassVar[str]
    """The paper or convention that it follows."""
    needs: ClassVar[tuple[str, ...]] = ()
    """Columns without which it cannot be computed."""
    over: ClassVar[str] = ""
    """The key along an axis of its figure, where a point and an interval a value are enough."""
    resampled: ClassVar[bool] = True
    """Whether its intervals come from random resamples, so that the seed moves them."""
    reads_order: ClassVar[bool] = False
    """Whether it takes the order of rows for the order of answers, in tables without times."""
    order: ClassVar[int] = 50
    """Where it stands in the output; what a reader wants first has the lowest."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        own = vars(cls)
        formulas: Mapping[str, str] = own.get("formulas", {})
        if formulas and "formula" not in own:
            cls.formula = next(iter(formulas.values()))
        # A base class without a name gives nothing itself.
        if "name" in own and "gives" not in own:
            cls.gives = tuple(formulas) or (cls.name,)

    def __init__(self, computed: Sequence[type[Statistic[Any]]] = ()) -> None:
        """Statistics that are `computed` in one run may share work, such as drawing resamples."""
        self.computed = tuple(computed)

    def results(self, evaluation: Evaluation, settings: Asked) -> Iterable[Result]:
        """The answers, each with its figure."""
        raise NotImplementedError

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The finding of one result in a sentence, from the estimates that have a value."""
        return ""

    def undefined_headline(self, name: str, estimates: Sequence[Estimate]) -> str:
        """What is said where no estimate has a value."""
        return ""

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """One result as a figure: the values `over` a key by default, none without a key."""
        return coefficient_figure(name, estimates, over=self.over) if self.over else {}

    def result(
        self,
        evaluation: Evaluation,
        settings: Settings,
        estimates: Iterable[Estimate],
        *,
        name: str = "",
        method: str = "",
        how: str = "",
        headline: str | None = None,
        draw: Callable[[], Figure] | None = None,
        **choices: object,
    ) -> Result:
        """A result of this statistic; the choices stand in its options and its signature.

        Args:
            evaluation: what it was computed of.
            settings: how it was computed.
            estimates: the numbers; without any, the result says that there was nothing to compute.
            name: one of those that it gives; the first if not given.
            method: how the numbers were computed; if not given, the formula and what n counts.
            how: how intervals came about, said after the method.
            headline: if not given, `headline_of` the estimates.
            draw: makes the figure; if not given, `figure_of` the estimates.
            choices: what was chosen beside the settings. The seed joins them where there is an
                interval for it to move.
        """
        # A result is never empty: a reader should see that it was asked for, and why it is missing.
        values = tuple(estimates) or missing_estimates(evaluation, NOTHING)
        known = [e for e in values if e.value is not None]
        given = name or self.gives[0]
        if headline is None:
            headline = (
                self.headline_of(given, known) if known else self.undefined_headline(given, values)
            )
        if draw is None and (self.over or type(self).figure_of is not Statistic.figure_of):
            draw = partial(self.figure_of, given, values)
        if any(e.low is not None or e.high is not None for e in values):
            choices |= {"confidence": settings.confidence}
            # Where nothing was drawn, the seed would only look as if it mattered.
            if self.resampled:
                choices |= {"bootstrap": settings.bootstrap, "seed": settings.seed}
        return Result(
            name=given,
            estimates=values,
            method=method_line(method or self._method(given), how),
            signature=evaluation.signature(
                given, settings, ordered=self.reads_order, seeded=self.resampled, **choices
            ),
            options=choices,
            headline=headline,
            # There is nothing to draw of values that are all missing.
            draw=draw if known else None,
        )

    def _method(self, name: str) -> str:
        counted = f"n counts {self.counted}" if self.counted else ""
        return method_line(self.formulas.get(name, self.formula), counted)


class Answer(NamedTuple):
    """What `Statistic.result` takes, without what is the same in all answers of a folder."""

    estimates: Sequence[Estimate]
    method: str = ""
    """How it was computed; the statistic's formula where it is empty."""
    name: str = ""
    """One of the names that the statistic gives; the first where it is empty."""
    headline: str | None = None
    """Where there is none, the statistic's own for these estimates."""
    draw: Callable[[], Figure] | None = None
    choices: Mapping[str, object] = {}
    """What stands in the signature after the choices that all answers share."""
    how: str = ""
    """How intervals came about, said after the method."""

    def result(
        self,
        statistic: Statistic[Any],
        evaluation: Evaluation,
        settings: Settings,
        shared: Mapping[str, object],
    ) -> Result:
        """The result of the statistic, with the shared choices and its own in the signature."""
        return statistic.result(
            evaluation,
            settings,
            self.estimates,
            name=self.name,
            method=self.method,
            how=self.how,
            headline=self.headline,
            draw=self.draw,
            **{**shared, **self.choices},
        )


@cache
def statistics(folder: str) -> tuple[type[Statistic[Any]], ...]:
    """The statistics of a folder (`agreement`), in the order of the output."""
    base: type[Statistic[Any]] = Statistic
    # Outside packages register theirs under the same name, and stand in the same order.
    registry = Registry(f"jurat.stats.{folder}", base, word="statistic")
    return tuple(sorted(registry, key=lambda statistic: (statistic.order, statistic.name)))


def analyse(
    folder: str, evaluation: Evaluation, settings: Settings, *, only: Collection[str] = ()
) -> Iterator[Result]:
    """Every statistic of a folder, or only those named; nothing else is computed.

    A statistic whose columns are missing gives results without a value that say which.
    """
    asked = [kind for kind in statistics(folder) if not only or kind.name in only]
    computed = [kind for kind in asked if evaluation.columns.issuperset(kind.needs)]
    for kind in asked:
        if kind in computed:
            # Only while it computes: what the caller does between two results is the caller's.
            with one_blas_thread(), executor(settings.executor):
                found = list(kind(computed).results(evaluation, settings))
            yield from found
        else:
            missing = [name for name in kind.needs if name not in evaluation.columns]
            yield from _unavailable(kind, evaluation, settings, missing)


def missing_estimates(evaluation: Evaluation, reason: str) -> tuple[Estimate, ...]:
    """An estimate that is missing, for each question there is."""
    return tuple(
        Estimate(None, 0, by={"question": question}, reason=reason)
        for question in evaluation.questions
    ) or (Estimate(None, 0, reason=reason),)


def _unavailable(
    statistic: type[Statistic[Any]],
    evaluation: Evaluation,
    settings: Settings,
    missing: list[str],
) -> Iterator[Result]:
    for name in statistic.gives:
        result = Result.unavailable(
            name,
            method=statistic.formulas.get(name, statistic.formula),
            signature=evaluation.signature(name, settings),
            missing=missing,
        )
        (single,) = result.estimates
        # A table of comparisons is full of systems: "needs the column system" would puzzle.
        reason = _of_scores(missing) if _compares(evaluation, missing) else single.reason
        yield replace(result, estimates=missing_estimates(evaluation, reason))


def _compares(evaluation: Evaluation, missing: list[str]) -> bool:
    """Whether the column system is missing because there are comparisons of two."""
    return "system" in missing and evaluation.judgments is None and bool(evaluation.preferences)


def _of_scores(missing: list[str]) -> str:
    """The reason in words that make sense to somebody whose table is full of systems."""
    return f"needs scores, in a table with {listed(missing)}: these are comparisons"
