"""A statistic: one question asked of an evaluation, in one file, found by the registry."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from jurat.faults import complain
from jurat.registry import Registry
from jurat.results import Estimate, Figure, Result
from jurat.stats.evaluation import Evaluation
from jurat.stats.words import listed

NOTHING = "nothing to compute it from"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How an analysis is computed: seed, intervals, and the named way where there are several."""

    seed: int = 1
    bootstrap: int = 1000
    confidence: float = 0.95
    method: str = ""
    jobs: int = 1

    def refuse_method(self) -> None:
        """Complain of a named way where there is only one."""
        if self.method:
            raise complain(f"unknown method '{self.method}': there is only one way to compute this")


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
    place: ClassVar[int] = 50
    """Where it stands in the output; what a reader wants first has the lowest."""

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
        told = tuple(estimates) or nothing(evaluation, NOTHING)
        given = name or self.gives[0]
        if any(e.low is not None or e.high is not None for e in told):
            drawn = {"bootstrap": settings.bootstrap, "seed": settings.seed}
            choices |= {"confidence": settings.confidence, **drawn}
        return Result(
            name=given,
            estimates=told,
            method=method or self.formula,
            signature=evaluation.signature(given, **choices),
            options=choices,
            headline=headline,
            draw=draw if any(e.value is not None for e in told) else None,
        )


@cache
def statistics(folder: str) -> tuple[type[Statistic[Any]], ...]:
    """The statistics of a folder (`agreement`), in the order of the output."""
    base: type[Statistic[Any]] = Statistic
    registry = Registry(f"jurat.stats.{folder}", base, word="statistic")
    return tuple(sorted(registry, key=lambda statistic: (statistic.place, statistic.name)))


def analyse(
    folder: str, evaluation: Evaluation, settings: Settings, *, only: Collection[str] = ()
) -> Iterator[Result]:
    """Every statistic of a folder, or those named; one whose columns are missing says which."""
    for statistic in statistics(folder):
        if only and statistic.name not in only:
            continue
        missing = [name for name in statistic.needs if name not in evaluation.columns]
        if missing:
            yield from _unavailable(statistic, evaluation, missing)
        else:
            yield from statistic().results(evaluation, settings)


def nothing(evaluation: Evaluation, reason: str) -> tuple[Estimate, ...]:
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
        (told,) = result.estimates
        reason = _of_scores(missing) if _compares(evaluation, missing) else told.reason
        yield replace(result, estimates=nothing(evaluation, reason))


def _compares(evaluation: Evaluation, missing: list[str]) -> bool:
    """Whether the column system is missing because there are comparisons of two."""
    return "system" in missing and evaluation.judgments is None and bool(evaluation.preferences)


def _of_scores(missing: list[str]) -> str:
    """The reason in words that make sense to somebody whose table is full of systems."""
    return f"needs scores, in a table with {listed(missing)}: these are comparisons"
