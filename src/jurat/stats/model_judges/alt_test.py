"""The alternative annotator test: may a model take the place of people?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
import polars as pl

from jurat.resampling.multiple_testing import adjust
from jurat.resampling.student_t import t_cdf
from jurat.results import Estimate, Result
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.model_judges.paired_scores import (
    ModelStatistic,
    model_names,
    split_by_kind,
    without_models,
)
from jurat.stats.model_judges.settings import ModelSettings
from jurat.stats.phrases import percent
from jurat.stats.ratings import Array, Codes, Ratings, codes_of, summed

# The rate of false discoveries among the persons that the model is said to replace.
LEVEL = 0.05
# Items of a person below which the t-test is not to be trusted.
FEW_ITEMS = 30
ONE_DOCUMENT = "all items are of one document"
FEW_PEOPLE = "needs two people or more who judged the same items as the model"


class Comparison(NamedTuple):
    """A model against one person, by who is closer to the other people."""

    judge: str
    items: int
    advantage: float
    """The share of items on which the model is as close to the others as the person, or closer."""
    p: float


def compare(
    model: Array, person: Array, others: Sequence[Array], *, exact: bool, epsilon: float,
    document: Codes,
) -> tuple[float, float]:  # fmt: skip
    """The advantage of a model over a person, and the p-value that it may replace them.

    Args:
        model: the model's answers to the items that the person judged.
        person: the person's.
        others: the other people's answers to each of these items, one or more.
        exact: closeness is the share of equal answers; else the negative root mean square of
            differences.
        epsilon: by how much the person may be closer more often and be replaced nevertheless.
        document: which items are of one document, and not independent.

    With W(model) = 1 where the model is at least as close to the others as the person, W(person)
    the reverse, and d = W(person) − W(model): a one-sided t-test of mean(d) < epsilon, with a
    variance over documents. Where each item is a document of its own, this is the test of the
    paper.
    """
    closer = np.array([_closeness(a, o, exact) for a, o in zip(model, others, strict=True)])
    own = np.array([_closeness(a, o, exact) for a, o in zip(person, others, strict=True)])
    d = (own >= closer).astype(float) - (closer >= own).astype(float)
    advantage = float((closer >= own).mean())
    n, away = len(d), d - d.mean()
    totals = summed(document, away)
    groups = len(np.unique(document))
    if groups < 2:
        return advantage, float("nan")
    error = np.sqrt(groups / (groups - 1) * (totals**2).sum()) / n
    if error == 0:
        return advantage, p_of_equal(float(d.mean()), groups, epsilon)
    return advantage, float(t_cdf(groups - 1, (d.mean() - epsilon) / error))


def p_of_equal(difference: float, documents: int, epsilon: float) -> float:
    """The p-value where every document has one and the same difference, between −1 and 1.

    There is no variance for a t-test. If the mean were epsilon or more, a document would be so low
    with a probability of (1 − epsilon) / (1 − difference) at most (Markov), whatever the others
    are: 0.9 for differences of 0 and an epsilon of 0.1, so that 29 documents are needed.
    """
    if difference >= epsilon:
        return 1.0
    return float(((1 - epsilon) / (1 - difference)) ** documents)


def _closeness(answer: float, others: Array, exact: bool) -> float:
    if exact:
        return float((others == answer).mean())
    return -float(np.sqrt(((others - answer) ** 2).mean()))


def false_discoveries(p_values: Array) -> Array:
    """p-values adjusted by Benjamini and Yekutieli (2001), for tests that depend on each other."""
    number = np.count_nonzero(~np.isnan(p_values))
    harmonic = (1 / np.arange(1, number + 1)).sum()
    return np.asarray(np.minimum(1.0, adjust(p_values, "bh") * harmonic), dtype=np.float64)


class AlternativeAnnotator(ModelStatistic):
    """The test of Calderon et al.: the model against each person in turn."""

    name = "alt-test"
    asks = "May the model take the place of people?"
    formulas: ClassVar = {
        "alt-test-winning-rate": (
            "share of people whom the model may replace: adjusted p below 0.05; from 0.5 on the "
            "model passes; n counts people"
        ),
        "alt-test-advantage": (
            "mean over people of the share of items on which the model is as close to the others "
            "as the person, or closer; n counts people"
        ),
        "alt-test-p": (
            "one-sided t-test that the person is closer to the others than the model at most "
            "epsilon more often, variance over documents, adjusted by Benjamini and Yekutieli; "
            "n counts items"
        ),
    }
    source = "Calderon, Reichart & Dror 2025, the alternative annotator test (alt-test)"
    order = 50

    def results(self, evaluation: Evaluation, settings: ModelSettings) -> Iterator[Result]:
        """The winning rate, the advantage, and each person's test."""
        rates: list[Estimate] = []
        advantages: list[Estimate] = []
        tests: list[Estimate] = []
        for ratings in evaluation.scored:
            for model in model_names(ratings):
                found = comparisons(ratings, model, settings)
                own = _estimates(ratings, model, found)
                rates.append(own[0])
                advantages.append(own[1])
                tests += own[2:]
        none = without_models(evaluation)
        for name, made in zip(self.gives, (rates, advantages, tests), strict=True):
            draw = dict if name == "alt-test-p" else None
            yield self.result(
                evaluation, settings, made + none, name=name, draw=draw, epsilon=settings.epsilon
            )

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """Whether the model passes."""
        first = known[0]
        assert first.value is not None
        if name != "alt-test-winning-rate":
            return ""
        verdict = "passes" if first.value >= 0.5 else "does not pass"
        few = f" ({first.note})" if first.note else ""
        return (
            f"{first.by['model']} {verdict} the alternative annotator test: it may replace "
            f"{percent(first.value)} of {first.n} people{few}."
        )


def comparisons(ratings: Ratings, model: str, settings: ModelSettings) -> list[Comparison]:
    """The model against each person who shares items with the model and with another person."""
    people, models = split_by_kind(ratings)
    if "judge" not in people.frame.columns:
        return []
    point = _points(ratings)
    own = models.frame.filter(pl.col("judge") == model).unique("item", keep="first")
    of_model = dict(zip(own["item"], point(own), strict=True))
    firsts = people.firsts.frame.filter(pl.col("item").is_in(list(of_model)))
    answers: dict[str, dict[str, float]] = {}
    for item, judge, value in zip(firsts["item"], firsts["judge"], point(firsts), strict=True):
        answers.setdefault(str(item), {})[str(judge)] = value
    documents = _documents(firsts, settings)
    judges = sorted({judge for given in answers.values() for judge in given})
    made = []
    for judge in judges:
        shared = [i for i, given in answers.items() if judge in given and len(given) > 1]
        if not shared:
            continue
        advantage, p = compare(
            np.array([of_model[item] for item in shared]),
            np.array([answers[item][judge] for item in shared]),
            [np.array([v for j, v in answers[i].items() if j != judge]) for i in shared],
            exact=ratings.nominal,
            epsilon=settings.epsilon,
            document=_numbered([documents[item] for item in shared]),
        )
        made.append(Comparison(judge, len(shared), advantage, p))
    return made


def _points(ratings: Ratings) -> Callable[[pl.DataFrame], list[float]]:
    """A function that gives answers as numbers; words are numbered, the same for all judges."""
    if not ratings.nominal:
        return lambda frame: frame["value"].to_list()
    known = {str(label): float(n) for n, label in enumerate(ratings.points)}
    return lambda frame: [known[str(label)] for label in frame["label"]]


def _documents(rows: pl.DataFrame, settings: ModelSettings) -> dict[str, str]:
    column = "document" if "document" in rows.columns and settings.unit != "segment" else "item"
    return {
        str(item): str(item) if document is None else f"{column} {document}"
        for item, document in zip(rows["item"], rows[column], strict=True)
    }


def _numbered(names: list[str]) -> Codes:
    return codes_of(pl.DataFrame({"name": names}))


def _estimates(ratings: Ratings, model: str, found: Sequence[Comparison]) -> list[Estimate]:
    by = {"model": model}
    if len(found) < 2:
        none = Estimate.of(None, len(found), about=ratings, by=by, reason=FEW_PEOPLE)
        return [none, none, none]
    p = false_discoveries(np.array([one.p for one in found]))
    # a person who cannot be tested is not replaced, but where nobody can be, nothing is known
    wins = float(np.mean(p < LEVEL)) if (~np.isnan(p)).any() else np.nan
    fewest = min(one.items for one in found)
    note = f"a person shares only {fewest} items: at least {FEW_ITEMS} are advised"
    trust = note if fewest < FEW_ITEMS else ""
    advantage = float(np.mean([one.advantage for one in found]))
    return [
        Estimate.of(wins, len(found), about=ratings, by=by, reason=ONE_DOCUMENT, note=trust),
        Estimate.of(advantage, len(found), about=ratings, by=by),
        *(
            Estimate.of(
                float(value),
                one.items,
                about=ratings,
                by={**by, "judge": one.judge},
                reason=ONE_DOCUMENT,
            )
            for one, value in zip(found, p, strict=True)
        ),
    ]
