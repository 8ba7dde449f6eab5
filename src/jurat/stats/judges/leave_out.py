"""What leaving judges out does to the systems' scores and ranks: outliers, and each judge alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.correlation import kendall, pearson, spearman
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.figures import ranked_judges_figure
from jurat.stats.judges.judge_ratings import once, true_ratings
from jurat.stats.judges.outlier_tests import DERIVED, outliers_by_way, split_key
from jurat.stats.judges.peer_comparison import WORDS
from jurat.stats.phrases import listed
from jurat.stats.ratings import Array, Ratings, divide_or_nan, summed
from jurat.stats.settings import JudgeSettings
from jurat.stats.statistic import Statistic
from jurat.stats.systems.score_table import ranked

CORRELATIONS: dict[str, Callable[[Array, Array], float]] = {
    # what lies on a line has exactly 1, not what rounding makes of it
    "pearson": lambda first, second: round(float(pearson(first, second)), 14),
    "spearman": lambda first, second: round(float(spearman(first, second)), 14),
    "kendall": lambda first, second: float(kendall(first, second)),
}

# The way that leaves nobody out: the scores as they are.
NOBODY = "none"
KEPT = ("rest", "removed")
BETWEEN = (
    "between the systems' scores of all judges and those without the judges found, or of these "
    "alone; n counts systems"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class SystemSums:
    """Each judge's sum and number of scores of each system, in one question and split."""

    ratings: Ratings
    systems: Sequence[str]
    sums: Array
    counts: Array

    @classmethod
    def of(cls, ratings: Ratings) -> SystemSums:
        codes, systems = ratings.coded("system")
        shape = (len(ratings.judges), len(systems))
        cells = ratings.judge_codes * len(systems) + codes
        # words have no mean: all counts are 0, and every score is missing
        known = ratings.frame["system"].is_not_null().to_numpy() & (not ratings.nominal)
        size = shape[0] * shape[1]
        sums = summed(cells[known], ratings.values[known], size)
        counts = np.bincount(cells[known], minlength=size).astype(np.float64)
        named = counts.reshape(shape).sum(axis=0) > 0
        return cls(
            ratings=ratings,
            systems=[s for s, there in zip(systems, named, strict=True) if there],
            sums=sums.reshape(shape)[:, named],
            counts=counts.reshape(shape)[:, named],
        )

    def of_judges(self, chosen: Array) -> Array:
        """The systems' means over the chosen judges (1, else 0); NaN where nothing is left."""
        return divide_or_nan(chosen @ self.sums, chosen @ self.counts)

    def mask(self, judges: Iterable[str]) -> Array:
        """1 for these judges, 0 for the others."""
        return np.isin(self.ratings.judges, list(judges)).astype(np.float64)


@once
def system_sums(evaluation: Evaluation, settings: JudgeSettings) -> tuple[SystemSums, ...]:
    """The sums of each question and split, but of those by which systems cannot be ranked."""
    return tuple(
        SystemSums.of(ratings)
        for ratings in true_ratings(evaluation, settings)
        if ratings.question not in evaluation.partly_asked
    )


KEEPS = "leaving out the judges that any one rule names keeps the order of systems."
CHANGES = "the order of systems changes when judges are left out by one of these rules: "


class OutlierRemoval(Statistic[JudgeSettings]):
    """Hamon et al.'s table 4 and figure 7: the systems without the judges that each way finds."""

    name = "removal-score"
    asks = "What does leaving out the judges that stand out do to the systems?"
    formula = "mean of the system's judgments without the judges that the way finds"
    formulas: ClassVar = {
        "removal-score": f"{formula} (way {NOBODY}: all judges); n counts judgments left",
        "removal-rank": "place of the system by that score, 1 is best, ties share; n counts "
        "judgments",
        "removal-pearson": f"Pearson's r {BETWEEN}",
        "removal-spearman": f"Spearman's rho {BETWEEN}",
        "removal-kendall": f"Kendall's tau-b {BETWEEN}",
        "removal-mean": "mean score of the judges kept, and of those removed; n counts judgments",
    }
    source = "Hamon et al., section 3.4, table 4 and figure 7"
    needs = ("judge", "system")
    reads_order = True
    order = 20

    def results(self, evaluation: Evaluation, settings: JudgeSettings) -> Iterator[Result]:
        """Scores and ranks before and after, and how alike they are."""
        removals = list(_removals(evaluation, settings))
        tables = {
            "removal-score": [e for r in removals for e in r.systems(r.after)],
            "removal-rank": [e for r in removals for e in r.systems(ranked(r.after))],
            **{
                f"removal-{name}": [e for r in removals for e in r.correlations(name)]
                for name in CORRELATIONS
            },
            "removal-mean": [e for r in removals for e in r.means()],
        }
        heads = {
            "removal-score": _headline(removals),
            "removal-pearson": _alike(tables["removal-pearson"]),
        }
        for name, estimates in tables.items():
            yield self.result(
                evaluation,
                settings,
                estimates,
                name=name,
                headline=heads.get(name, ""),
                draw=partial(_draw, estimates) if name == "removal-score" else None,
                **settings.choices(),
            )


@dataclass(frozen=True, kw_only=True, eq=False)
class _WithoutJudges:
    """A question and split without the judges that one way finds.

    `gone` is 1 for these judges, else 0; `reason` says why the way finds nobody at all.
    """

    scores: SystemSums
    way: str
    gone: Array
    reason: str = ""

    @property
    def before(self) -> Array:
        return self.scores.of_judges(np.ones(len(self.gone)))

    @property
    def after(self) -> Array:
        return self.scores.of_judges(1 - self.gone)

    def _estimate(self, value: float, n: float, reason: str, **by: Key) -> Estimate:
        keys = {"way": self.way, **by}
        missing = np.nan if reason else value
        return Estimate.of(missing, n, about=self.scores.ratings, by=keys, reason=reason)

    def systems(self, values: Array) -> Iterator[Estimate]:
        """A value of each system."""
        left = (1 - self.gone) @ self.scores.counts
        for at, system in enumerate(self.scores.systems):
            none = "no judgments are left" if np.isnan(values[at]) else ""
            yield self._estimate(values[at], left[at], self.reason or none, system=system)

    def parts(self) -> Iterator[tuple[str, Array]]:
        """The judges who are kept, and those removed; nothing where nobody is to be removed."""
        if self.way != NOBODY:
            yield from zip(KEPT, (1 - self.gone, self.gone), strict=True)

    def correlations(self, name: str) -> Iterator[Estimate]:
        """The correlation of all judges with those kept, and with those removed."""
        for kept, judges in self.parts():
            after = self.scores.of_judges(judges)
            both = ~np.isnan(after)
            n = int(both.sum())
            reason = self.reason or self._undefined(kept, n)
            value = np.nan if reason else CORRELATIONS[name](self.before[both], after[both])
            if np.isnan(value):
                reason = reason or "all systems have the same score"
            yield self._estimate(value, n, reason, kept=kept)

    def _undefined(self, kept: str, systems: int) -> str:
        if kept == "removed" and not self.gone.any():
            return "nobody is removed"
        return "fewer than two systems are left" if systems < 2 else ""

    def means(self) -> Iterator[Estimate]:
        """The mean score of those kept and of those removed."""
        for kept, judges in self.parts():
            total, n = (
                judges @ part.sum(axis=1) for part in (self.scores.sums, self.scores.counts)
            )
            reason = self.reason or ("" if n else f"nobody is {'left' if kept == 'rest' else kept}")
            yield self._estimate(np.nan if reason else total / n, n, reason, kept=kept)


def _removals(evaluation: Evaluation, settings: JudgeSettings) -> Iterator[_WithoutJudges]:
    for one in system_sums(evaluation, settings):
        nominal = WORDS if one.ratings.nominal else ""
        yield _WithoutJudges(
            scores=one, way=NOBODY, gone=np.zeros(len(one.ratings.judges)), reason=nominal
        )
        split = split_key(one.ratings)
        for way in outliers_by_way(evaluation, settings):
            # a way that says nothing of this question and split removes nobody from it
            if split in way.values:
                gone, reason = one.mask(way.found(split)), nominal or way.reason(split)
                yield _WithoutJudges(scores=one, way=way.name, gone=gone, reason=reason)


def _headline(removals: Sequence[_WithoutJudges]) -> str:
    """In which ways the order of systems changes; of several questions for each."""
    told = [r for r in removals if r.way != NOBODY and not r.reason and r.gone.any()]
    if not told or len(told[0].scores.systems) < 2:
        return ""
    changed: dict[str, list[str]] = {}
    for one in told:
        ways = changed.setdefault(one.scores.ratings.question, [])
        ways += [one.way] if _reordered(one) else []
    kept = [question for question, ways in changed.items() if not ways]
    several = len(changed) > 1
    said = [f"{listed(kept) if several else ''}: {KEEPS}"] if kept else []
    said += [
        f"{question if several else ''}: {CHANGES}{listed(list(dict.fromkeys(ways)), most=12)}."
        for question, ways in changed.items()
        if ways
    ]
    return " ".join(_capital(one.removeprefix(": "), several=several) for one in said)


def _capital(sentence: str, *, several: bool) -> str:
    # after the name of a question a sentence goes on with a small letter
    return sentence if several else sentence[0].upper() + sentence[1:]


def _reordered(removal: _WithoutJudges) -> bool:
    return not np.array_equal(ranked(removal.before), ranked(removal.after), equal_nan=True)


def _alike(estimates: Sequence[Estimate]) -> str:
    told = [e for e in estimates if e.by["kept"] == "rest" and e.value is not None]
    # these follow from the other ways, and would be told twice
    told = [e for e in told if e.by["way"] not in DERIVED]
    if not told:
        return ""
    least = min(told, key=lambda e: e.value or 0.0)
    return (
        "Systems' scores of all judges and without those that a rule names correlate by at least "
        f"{least.value:.3f} ({least.by['way']}, {least.by['question']})."
    )


def _draw(estimates: Sequence[Estimate]) -> Figure:
    """Figure 7: the systems' scores of all judges, and after each removal."""
    data = [{**row, "of": _of(row)} for row in figures.rows(estimates)]
    before = [row for row in data if row["way"] == NOBODY]
    best_first = sorted(before, key=lambda row: -float(str(row["value"])))
    order = list(dict.fromkeys(row["system"] for row in best_first))
    drawn = {
        "mark": {"type": "line", "point": True, "tooltip": True},
        "encoding": {
            "x": figures.axis("system", "system", "nominal", sort=order),
            "y": figures.axis("value", "mean score", scale={"zero": False}),
            "color": figures.axis("way", "left out by", "nominal"),
        },
    }
    title = "Systems' scores of all judges, and without those found"
    if len({row["of"] for row in data}) > 1:
        facet = figures.axis("of", "", "nominal")
        return figures.figure(title, data, facet=facet, spec=drawn, columns=1)
    return figures.figure(title, data, **drawn)


def _of(row: dict[str, object]) -> str:
    own = ("system", "way", "value", "low", "high", "n")
    return ", ".join(str(value) for name, value in row.items() if name not in own)


class JudgeInfluence(Statistic[JudgeSettings]):
    """The systems with each judge left out."""

    name = "judge-influence"
    asks = "Whose judgments move the systems' scores and ranks most?"
    formulas: ClassVar = {
        "judge-influence": "largest change of a system's mean score when the judge is left out "
        "(its new score − the old); n counts the judge's judgments",
        "judge-influence-ranks": "systems in another place when the judge is left out; n counts "
        "judgments",
    }
    source = "leave-one-out influence: Cook & Weisberg 1982"
    needs = ("judge", "system")
    order = 28

    def results(self, evaluation: Evaluation, settings: JudgeSettings) -> Iterator[Result]:
        """The largest change of a score, and the number of systems that change places."""
        found = system_sums(evaluation, settings)
        moves = sorted(
            (e for one in found for e in _estimates(one, moved(one))),
            key=lambda e: -abs(e.value or 0.0),
        )
        ranks = [e for one in found for e in _estimates(one, reordered(one))]
        yield self.result(
            evaluation,
            settings,
            moves,
            **settings.choices(),
            headline=_headline_influence(moves, ranks),
            draw=lambda: ranked_judges_figure(
                "Largest change of a system's score without the judge", moves, value="change"
            ),
        )
        yield self.result(
            evaluation,
            settings,
            sorted(ranks, key=lambda e: -(e.value or 0.0)),
            name="judge-influence-ranks",
            **settings.choices(),
        )


def left_out(one: SystemSums) -> Array:
    """The systems' scores without each judge: judges × systems."""
    # the totals without each judge, for all judges at once
    sums, counts = one.sums.sum(axis=0) - one.sums, one.counts.sum(axis=0) - one.counts
    return divide_or_nan(sums, counts)


def moved(one: SystemSums) -> Array:
    """The change of the system that changes most without each judge."""
    change = left_out(one) - one.of_judges(np.ones(len(one.sums)))
    # a system that only this judge scored has no score without them, and no change
    size = np.where(np.isnan(change), -1.0, np.abs(change))
    if not size.size:
        return np.full(len(one.sums), np.nan)
    return np.asarray(change[np.arange(len(change)), size.argmax(axis=1)])


def reordered(one: SystemSums) -> Array:
    """How many systems have another place, or none, without each judge."""
    # a system that loses its only judge has no rank (NaN), which differs from every rank
    before = ranked(one.of_judges(np.ones(len(one.sums))))
    after = [ranked(row) for row in left_out(one)]
    return np.array([float((row != before).sum()) for row in after])


def _estimates(one: SystemSums, values: Array) -> Iterator[Estimate]:
    ratings = one.ratings
    reason = WORDS if ratings.nominal else "nobody else scored any system that they scored"
    for at, judge in enumerate(ratings.judges):
        value = np.nan if ratings.nominal else values[at]
        n, by = one.counts[at].sum(), {"judge": judge}
        yield Estimate.of(value, n, about=ratings, by=by, reason=reason)


def _headline_influence(moves: Sequence[Estimate], ranks: Sequence[Estimate]) -> str:
    if not moves or moves[0].value is None:
        return ""
    judge, change = moves[0].by["judge"], abs(moves[0].value)
    other = [e for e in ranks if e.value]
    # a judge may matter to several questions
    told = list(dict.fromkeys(str(e.by["judge"]) for e in other))
    order = f"changes without {listed(told)}" if told else "stays the same"
    return (
        f"Leaving out one judge changes a system's score by at most {change:.2f} ({judge}); "
        f"the order of systems {order}."
    )
