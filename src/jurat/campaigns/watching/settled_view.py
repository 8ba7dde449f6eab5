"""How near each judge came to what the adjudicators settled on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from jurat.campaigns.watching.filters import Filter, left_of
from jurat.campaigns.watching.parts import AsOf

if TYPE_CHECKING:
    import polars as pl

    from jurat.campaigns.watching.room import Room, Tables
    from jurat.protocols import Protocol
    from jurat.results import Estimate, Result
    from jurat.stats import Evaluation

EVERYONE = "all"
SHARES = ("adjudicated-agreement", "preference-adjudicated")
FAR = ("adjudicated-distance", "adjudicated-difference")
RESAMPLES = 200


class Near(NamedTuple):
    """A judge, or all of them, beside the adjudicators."""

    judge: str
    """Empty for all together."""
    cases: int
    """That he had judged, and that were settled."""
    same: Estimate
    """The share in which he had said what was settled on."""
    within: Estimate | None
    """The share in which he was one point away at most; None where there are no points."""
    apart: Estimate | None
    """How far he was from the settled score in the mean."""
    above: Estimate | None
    """The same with its sign: above 0 he scored higher."""


class Question(NamedTuple):
    """What was settled of one question of a task."""

    question: str
    everyone: Near
    judges: tuple[Near, ...]
    """By name."""


class SettledView(NamedTuple):
    """The judges beside the adjudicators, by task, as far as something was settled."""

    as_of: AsOf
    tasks: Mapping[str, tuple[Question, ...]]


def settled(room: Room, campaign: str) -> SettledView:
    """Every task of which something was settled, question by question."""
    tables, protocols = room.tables(campaign), room.blueprint(campaign).protocols
    tasks = dict.fromkeys(task for frame in tables.named.values() for task in _tasks(frame))
    return SettledView(
        as_of=tables.as_of,
        tasks={task: tuple(_questions(_left(tables, task), protocols[task])) for task in tasks},
    )


def _tasks(frame: pl.DataFrame) -> list[str]:
    """Those of which something was settled."""
    import polars as pl

    settled = frame.filter(pl.col("status") == "adjudicated")
    return settled["task"].unique(maintain_order=True).to_list()


def _left(tables: Tables, task: str) -> Evaluation:
    return left_of(tables.named, Filter(task=task)).evaluation


def _questions(seen: Evaluation, protocol: Protocol) -> Iterator[Question]:
    found = {result.name: result for result in _results(seen)}
    for name in SHARES:
        shares = found[name].estimates if name in found else ()
        asked = dict.fromkeys(str(e.by["question"]) for e in shares if e.value is not None)
        for question in asked:
            asked_as = protocol.questions.get(question)
            # a yes is no point away from a no
            words = asked_as is not None and asked_as.level == "nominal"
            rows = _Rows(question, {name: found[name]} if words else found)
            own = [e for e in shares if e.by.get("question") == question and not e.by.get("n")]
            everyone, *judges = (rows.near(same) for same in own)
            yield Question(question, everyone, tuple(judges))


class _Rows(NamedTuple):
    """The numbers of one question."""

    question: str
    results: Mapping[str, Result]

    def near(self, same: Estimate) -> Near:
        judge = str(same.by["judge"])
        apart, above = (self._of(name, judge=judge) for name in FAR)
        return Near(
            judge="" if judge == EVERYONE else judge,
            cases=same.n,
            same=same,
            within=self._of(SHARES[0], judge=judge, n=1) if apart else None,
            apart=apart,
            above=above,
        )

    def _of(self, name: str, **by: str | int) -> Estimate | None:
        """The one number of this question with these keys."""
        wanted = {"question": self.question, **by}.items()
        estimates = self.results[name].estimates if name in self.results else ()
        return next((e for e in estimates if wanted <= e.by.items()), None)


def _results(seen: Evaluation) -> Iterator[Result]:
    from jurat.stats import Settings, analyse
    from jurat.stats.preferences.comparisons import Comparing

    if seen.judgments is not None:
        names = ["adjudicated-agreement", "adjudicated-difference"]
        yield from analyse("agreement", seen, Settings(bootstrap=RESAMPLES), only=names)
    if seen.preferences is not None:
        asked = Comparing(bootstrap=RESAMPLES)
        yield from analyse("preferences", seen, asked, only=["preference-adjudicated"])
