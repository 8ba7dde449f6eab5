"""Whether two judges who saw the same reference agree more than two who saw different ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.results import Estimate, Figure
from jurat.stats import figures
from jurat.stats.bias.groups import GroupStatistic, JudgeGroups, chance_words
from jurat.stats.bias.pair_kappas import (
    KindKappas,
    PairKappas,
    kappas_by_kind,
    kappas_of_pairs,
    mean_kappas,
)
from jurat.stats.estimates import Estimates, first_method, method_line
from jurat.stats.phrases import band, interval
from jurat.stats.ratings import Array, Codes
from jurat.stats.settings import BiasSettings
from jurat.stats.statistic import Answer

P_FORMULA = (
    "p of mean kappa within − across groups under permuted groups of the judges who "
    "saw a reference, one-sided, adjusted for the number of weightings by the smallest p of each "
    "permutation; n counts these judges"
)
APART = "no item was judged by all groups: what references and what items do cannot be told apart"
# The weighting that a headline speaks of: the first that there is.
PREFERRED = ("linear", "none")


class ReferenceKappa(GroupStatistic):
    """Fomicheva and Specia's table 1, with a test."""

    name = "cohen-kappa"
    gives = ("cohen-kappa", "group-p")
    asks = "Do two judges who saw the same reference agree more than two who saw different ones?"
    formula = (
        "mean over pairs of judges of Cohen's kappa, 1 − observed / expected distance; within: "
        "both saw the same reference; across: different ones; source: both saw the source"
    )
    source = "Fomicheva & Specia 2016, table 1; Cohen 1960, 1968"
    needs = ("judge",)
    order = 20

    def answers(self, parts: Sequence[JudgeGroups], settings: BiasSettings) -> Iterator[Answer]:
        """The kappas of each kind of pairs, then the test of within against across."""
        found = [_QuestionKappas.of(groups, settings) for groups in parts]
        estimates = tuple(e for part in found for e in part.estimates())
        drawn = first_method([part.means for part in found])
        method = method_line(self.formula, "n counts pairs with a kappa", drawn)
        yield Answer(estimates, method, choices={"way": settings.method or "exact"})
        tests = [part.test(settings) for part in found]
        p = tuple(e for test in tests for e in test.estimates)
        method = method_line(P_FORMULA, next((test.method for test in tests if test.method), ""))
        yield Answer(p, method, "group-p", _verdict(tests), choices={"seed": settings.seed})

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The mean kappas within, across and of the source."""
        chosen = _chosen(known)
        kinds = [kind for kind in _SPOKEN if kind in chosen]
        if not kinds and "all" in chosen:
            return "There are no two judges of the same or of different groups to compare."
        if not kinds:
            return self.undefined_headline(name, known)
        parts = [_spoken(kind, chosen[kind], first=kind == kinds[0]) for kind in kinds]
        weights = str(chosen[kinds[0]].by["weights"])
        return f"{'; '.join(parts)}: their mean {_kappa_name(weights)}."

    def undefined_headline(self, name: str, estimates: Sequence[Estimate]) -> str:
        """Why there are no kappas."""
        return (
            ""
            if name != self.name
            else "No two judges in groups share an item: how far they agree cannot be told."
        )

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A point a kind of pairs, for every way of weighting."""
        if name != self.name:
            return {}
        return figures.points_with_intervals(
            "Agreement of judges who saw the same reference, different ones, or the source",
            estimates,
            over="pairs",
            value="mean kappa",
            colour="question",
            facet="weights",
            sort=["within", "across", "source", "all"],
        )


class _KappaTest(NamedTuple):
    """p by weights, and the differences of mean kappa within and across references."""

    estimates: tuple[Estimate, ...]
    differences: Mapping[str, float] = {}
    method: str = ""
    where: str = ""
    """The items it is about, where these are not all."""


class _QuestionKappas(NamedTuple):
    """The kappas of one question's pairs of judges, and their means by kind of pair."""

    groups: JudgeGroups
    kappas: PairKappas
    cells: list[KindKappas]
    means: Estimates

    @classmethod
    def of(cls, groups: JudgeGroups, settings: BiasSettings) -> _QuestionKappas:
        kappas = kappas_of_pairs(groups.ratings)
        found = kappas_by_kind(groups, kappas)
        return cls(groups, kappas, found, mean_kappas(found, groups.person, settings))

    def estimates(self) -> Iterator[Estimate]:
        for at, kind in enumerate(self.cells):
            yield self.means.estimate(
                at,
                n=len(kind.kappas),
                about=self.groups.ratings,
                by={"weights": kind.weights, "pairs": kind.pairs},
                reason=kind.reason,
            )

    def test(self, settings: BiasSettings) -> _KappaTest:
        """The permutation test, for every way of weighting at once."""
        # Who saw the source had another task, and is not exchangeable with the others.
        judges = np.flatnonzero(self.groups.saw_reference(self.groups.judge_group))
        shared = self._shared_by_all()
        if reason := self._untestable() or ("" if shared.any() else APART):
            return _KappaTest(tuple(self._p(name, None, 0, reason) for name in self.kappas.values))
        arrays = self._among(judges, shared)
        test = self.groups.test(difference_within, arrays, judges, settings, units=len(arrays[0]))
        p, few = test.adjusted_p_value(), self.groups.too_few(judges)
        estimates = tuple(
            self._p(name, p[at], len(judges), "kappa is undefined within or across groups", few)
            for at, name in enumerate(self.kappas.values)
        )
        differences = dict(zip(self.kappas.values, test.estimate.tolist(), strict=True))
        items = len(np.unique(self.groups.ratings.item_codes[shared]))
        where = "" if shared.all() else f"on the {items:,} items that all of these groups judged"
        return _KappaTest(estimates, differences, method_line(where, test.method), where)

    def _shared_by_all(self) -> NDArray[np.bool_]:
        """The judgments of items that every group with a reference judged.

        Two judges of a group share its items: on items of one group alone, exchanging judges
        between groups would exchange items, too.
        """
        items, group = self.groups.ratings.item_codes, self.groups.row_group
        number = len(self.groups.names)
        seen = np.unique((items * number + group)[self.groups.saw_reference(group)])
        every = np.bincount(seen // number, minlength=int(items.max(initial=-1)) + 1)
        return np.asarray((every == len(self.groups.references))[items])

    def _untestable(self) -> str:
        if len(self.groups.references) < 2:
            return "there are not two groups that saw a reference"
        kinds = {kind.pairs: kind for kind in self.cells}
        return kinds["within"].reason or kinds["across"].reason

    def _among(self, judges: Codes, rows: NDArray[np.bool_]) -> tuple[Codes, Codes, Array]:
        """The pairs among these judges, renumbered, and the table of `difference_within`.

        From the judgments in `rows`.
        """
        kappas = self.kappas if rows.all() else kappas_of_pairs(self.groups.ratings, rows)
        # Judges who are left out keep −1, which takes their pairs out below.
        number = np.full(len(self.groups.judge_group), -1)
        number[judges] = np.arange(len(judges))
        a, b = number[kappas.a], number[kappas.b]
        person = self.groups.person
        kept = (a >= 0) & (b >= 0) & (person[kappas.a] != person[kappas.b])
        values = np.column_stack(list(kappas.values.values()))[kept]
        there = ~np.isnan(values)
        return a[kept], b[kept], np.hstack([np.where(there, values, 0), there])

    def _p(
        self, weights: str, value: float | None, n: int, reason: str, note: str = ""
    ) -> Estimate:
        about, by = self.groups.ratings, {"weights": weights}
        return Estimate.of(value, n, about=about, by=by, reason=reason, note=note)


def difference_within(labels: Codes, a: Codes, b: Codes, table: Array) -> Array:
    """Mean kappa of pairs with the same label − of those with different ones (labels' rows × m).

    `table` has the pairs' kappas, 0 where undefined, then as many columns that are 1 where defined.
    """
    # One product gives all relabellings; what is not within is across.
    same = (labels[:, a] == labels[:, b]).astype(np.float64)
    within = same @ table
    across = table.sum(axis=0) - within
    half = table.shape[1] // 2
    with np.errstate(invalid="ignore", divide="ignore"):
        means = [part[:, :half] / part[:, half:] for part in (within, across)]
    return np.asarray(means[0] - means[1])


def _chosen(known: Sequence[Estimate]) -> dict[str, Estimate]:
    """The kappas of which a headline speaks, by kind of pairs."""
    # Linear weights where there are points to weigh, else plain agreement.
    weights = next((w for w in PREFERRED if any(e.by["weights"] == w for e in known)), "")
    first = next((e.by["question"] for e in known if e.by["weights"] == weights), "")
    found: dict[str, Estimate] = {}
    for estimate in known:
        if estimate.by["weights"] == weights and estimate.by["question"] == first:
            found.setdefault(str(estimate.by["pairs"]), estimate)
    return found


_SPOKEN = {"within": "the same reference", "across": "different ones", "source": "the source"}
_ALONE = {**_SPOKEN, "across": "different references"}


def _kappa_name(weights: str) -> str:
    return "kappa" if weights == "none" else f"{weights} kappa"


def _spoken(kind: str, of: Estimate, *, first: bool) -> str:
    """What judges saw, and their kappa; only the first of several needs all the words."""
    who = f"Two judges who saw {_ALONE[kind]}" if first else f"two who saw {_SPOKEN[kind]}"
    pairs = f"{of.n:,} pair{'' if of.n == 1 else 's'}"
    return f"{who} {of.value:.3f}{interval(of)} ({band(float(of.value or 0))}, {pairs})"


def _verdict(tests: Sequence[_KappaTest]) -> str:
    """What the test of the first question says."""
    test = next((t for t in tests if t.differences), None)
    if test is None:
        return ""
    weights = next(w for w in PREFERRED if w in test.differences)
    chosen = next(e for e in test.estimates if e.by["weights"] == weights)
    if (p := chosen.value) is None:
        return ""
    gap = test.differences[weights]
    words = "more" if gap > 0 else "less"
    return (
        f"Judges agree {words} within a reference than across references, by {abs(gap):.3f} "
        f"({', '.join(filter(None, (_kappa_name(weights), test.where)))}); p = {p:.4f}: "
        f"{chance_words(p, chosen.note)}."
    )
