"""A statistic: one question asked of an evaluation, in one file, found by the registry."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar, Generic, TypeVar

from jurat.registry import Registry
from jurat.results import Estimate, Figure, Result
from jurat.stats.evaluation import Evaluation
from jurat.stats.phrases import listed
from jurat.stats.settings import Settings

__all__ = ["NOTHING", "Settings", "Statistic", "analyse", "missing_estimates", "statistics"]

NOTHING = "nothing to compute it from"


Asked = TypeVar("Asked", bound=Settings)


class Statistic(Generic[Asked]):
    """One question asked of an evaluation, and the results that answer it."""

    name: ClassVar[str]
    """Under which the registry finds it; mostly the name of its first result."""
    gives: ClassVar[tuple[str, ...]]
    """The names of its results, as in the command line's contract."""
    asks: ClassVar[str]
    """The question, as a user would ask it."""
    formula: ClassVar[str]
    """How it is computed, in one line."""
    source: ClassVar[str]
    """The paper or convention that it follows."""
    needs: ClassVar[tuple[str, ...]] = ()
    """Columns without which it cannot be computed."""
    order: ClassVar[int] = 50
    """Where it stands in the output; what a reader wants first has the lowest."""

    def __init__(self, asked: Sequence[type[Statistic[Any]]] = ()) -> None:
        """Statistics that are `asked` for in one run may share work, such as drawing resamples."""
        self.asked = tuple(asked)

    def results(self, evaluation: Evaluation, settings: Asked) -> Iterable[Result]:
        """The answers, each with its figure."""
        raise NotImplementedError

    def result(
        self,
        evaluation: Evaluation,
        settings: Settings,
        estimates: Iterable[Estimate],
        *,
        name: str = "",
        method: str = "",
        headline: str = "",
        draw: Callable[[], Figure] | None = None,
        **choices: object,
    ) -> Result:
        """A result of this statistic; the choices stand in its options and its signature.

        Not given, the name is the first that it gives, and the method its formula. The seed is
        part of the signature where there is an interval for it to move.
        """
        # A result is never empty: a reader should see that it was asked for, and why it is missing.
        values = tuple(estimates) or missing_estimates(evaluation, NOTHING)
        given = name or self.gives[0]
        if any(e.low is not None or e.high is not None for e in values):
            # Without an interval nothing was drawn, and the seed would only look as if it mattered.
            drawn = {"bootstrap": settings.bootstrap, "seed": settings.seed}
            choices |= {"confidence": settings.confidence, **drawn}
        return Result(
            name=given,
            estimates=values,
            method=method or self.formula,
            signature=evaluation.signature(given, **choices),
            options=choices,
            headline=headline,
            # There is nothing to draw of values that are all missing.
            draw=draw if any(e.value is not None for e in values) else None,
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
    there = [kind for kind in asked if evaluation.columns.issuperset(kind.needs)]
    for kind in asked:
        if kind in there:
            yield from kind(there).results(evaluation, settings)
        else:
            missing = [name for name in kind.needs if name not in evaluation.columns]
            yield from _unavailable(kind, evaluation, missing)


def missing_estimates(evaluation: Evaluation, reason: str) -> tuple[Estimate, ...]:
    """An estimate that is missing, for each question there is."""
    return tuple(
        Estimate(value=None, n=0, by={"question": question}, reason=reason)
        for question in evaluation.questions
    ) or (Estimate(value=None, n=0, reason=reason),)


def _unavailable(
    statistic: type[Statistic[Any]], evaluation: Evaluation, missing: list[str]
) -> Iterator[Result]:
    for name in statistic.gives:
        result = Result.unavailable(
            name,
            method=statistic.formula,
            signature=evaluation.signature(name),
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
