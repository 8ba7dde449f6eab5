"""Agreement of each judge with the adjudicators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from jurat.campaigns.monitoring.filters import Filter, apply_filter
from jurat.campaigns.monitoring.sections import DataVersion

if TYPE_CHECKING:
    import polars as pl

    from jurat.campaigns.monitoring.worker import Tables, WorkerState
    from jurat.protocols import Protocol
    from jurat.results import Estimate, Result
    from jurat.stats import Evaluation

EVERYONE = "all"
SHARES = ("adjudicated-agreement", "preference-adjudicated")
FAR = ("adjudicated-distance", "adjudicated-difference")
# Few, as in the summary of results: the page is for watching, not for publication.
RESAMPLES = 200


class JudgeAgreement(NamedTuple):
    """How far a judge, or all of them, agree with the adjudicators."""

    judge: str
    """Empty for all together."""
    cases: int
    """Adjudicated items that they had judged."""
    same: Estimate
    """The share with the same answer."""
    within: Estimate | None
    """The share within one point; None where answers are not numbers."""
    apart: Estimate | None
    """Mean distance from the adjudicated score."""
    above: Estimate | None
    """Mean signed difference: above 0 the judge scored higher."""


class QuestionAgreement(NamedTuple):
    """Agreement with the adjudicators on one question of a task."""

    question: str
    everyone: JudgeAgreement
    judges: tuple[JudgeAgreement, ...]
    """By name."""


class AdjudicationView(NamedTuple):
    """Agreement with the adjudicators, by task with adjudicated items."""

    as_of: DataVersion
    tasks: Mapping[str, tuple[QuestionAgreement, ...]]


def adjudication(state: WorkerState, campaign: str) -> AdjudicationView:
    """Every task with adjudicated items, question by question."""
    tables, protocols = state.tables(campaign), state.definition(campaign).protocols
    tasks = dict.fromkeys(task for frame in tables.named.values() for task in _tasks(frame))
    return AdjudicationView(
        as_of=tables.as_of,
        tasks={task: tuple(_questions(_left(tables, task), protocols[task])) for task in tasks},
    )


def _tasks(frame: pl.DataFrame) -> list[str]:
    """The tasks with adjudicated rows in a table."""
    import polars as pl

    settled = frame.filter(pl.col("status") == "adjudicated")
    return settled["task"].unique(maintain_order=True).to_list()


def _left(tables: Tables, task: str) -> Evaluation:
    return apply_filter(tables.named, Filter(task=task)).evaluation


def _questions(seen: Evaluation, protocol: Protocol) -> Iterator[QuestionAgreement]:
    found = {result.name: result for result in _results(seen)}
    for name in SHARES:
        shares = found[name].estimates if name in found else ()
        asked = dict.fromkeys(str(e.by["question"]) for e in shares if e.value is not None)
        for question in asked:
            asked_as = protocol.questions.get(question)
            # a yes is no point away from a no
            words = asked_as is not None and asked_as.level == "nominal"
            rows = _Rows(question, {name: found[name]} if words else found)
            # estimates with `n` are shares within n points, which `near` looks up
            own = [e for e in shares if e.by.get("question") == question and not e.by.get("n")]
            # The first row is of all judges together.
            everyone, *judges = (rows.near(same) for same in own)
            yield QuestionAgreement(question, everyone, tuple(judges))


class _Rows(NamedTuple):
    """The results that have estimates for one question."""

    question: str
    results: Mapping[str, Result]

    def near(self, same: Estimate) -> JudgeAgreement:
        judge = str(same.by["judge"])
        apart, above = (self._of(name, judge=judge) for name in FAR)
        return JudgeAgreement(
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
    from jurat.stats.settings import PreferenceSettings

    if seen.judgments is not None:
        names = ["adjudicated-agreement", "adjudicated-difference"]
        yield from analyse("agreement", seen, Settings(bootstrap=RESAMPLES), only=names)
    if seen.preferences is not None:
        asked = PreferenceSettings(bootstrap=RESAMPLES)
        yield from analyse("preferences", seen, asked, only=["preference-adjudicated"])
