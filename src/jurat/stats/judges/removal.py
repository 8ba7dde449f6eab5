"""What leaving judges out does to the systems' scores and ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.judges.adding import added, over
from jurat.stats.judges.correlations import CORRELATIONS, places
from jurat.stats.judges.diagnosing import Diagnosing, once, ordinary
from jurat.stats.judges.panel import WORDS
from jurat.stats.judges.signal import Group
from jurat.stats.judges.ways import MOST, place_of, ways
from jurat.stats.ratings import Array, Ratings
from jurat.stats.statistic import Statistic
from jurat.stats.words import listed

NOBODY = "none"
"""The way that leaves nobody out: the scores as they are."""
KEPT = ("rest", "removed")


@dataclass(frozen=True, kw_only=True, eq=False)
class Scores:
    """Each judge's sum and number of scores of each system, in one question and split."""

    ratings: Ratings
    systems: Sequence[str]
    sums: Array
    counts: Array

    @classmethod
    def of(cls, ratings: Ratings) -> Scores:
        codes, systems = ratings.coded("system")
        shape = (len(ratings.judges), len(systems))
        cells = ratings.judge_codes * len(systems) + codes
        known = ratings.frame["system"].is_not_null().to_numpy() & (not ratings.nominal)
        size = shape[0] * shape[1]
        sums = added(cells[known], ratings.values[known], size)
        counts = np.bincount(cells[known], minlength=size).astype(np.float64)
        named = counts.reshape(shape).sum(axis=0) > 0
        return cls(
            ratings=ratings,
            systems=[s for s, there in zip(systems, named, strict=True) if there],
            sums=sums.reshape(shape)[:, named],
            counts=counts.reshape(shape)[:, named],
        )

    def of_judges(self, chosen: Array) -> Array:
        """The systems' means over these judges (1) without those (0); NaN where nothing is left."""
        return over(chosen @ self.sums, chosen @ self.counts)

    def mask(self, judges: Iterable[str]) -> Array:
        """1 for these judges, 0 for the others."""
        return np.isin(self.ratings.judges, list(judges)).astype(np.float64)


@once
def scores(evaluation: Evaluation, settings: Diagnosing) -> tuple[Scores, ...]:
    """The sums of each question and split."""
    return tuple(Scores.of(ratings) for ratings in ordinary(evaluation, settings))


class Removal(Statistic[Diagnosing]):
    """Hamon et al.'s table 4 and figure 7: the systems without the judges that each way finds."""

    name = "removal-score"
    gives = (
        "removal-score",
        "removal-rank",
        *(f"removal-{name}" for name in CORRELATIONS),
        "removal-mean",
    )
    asks = "What does leaving out the judges that stand out do to the systems?"
    formula = "mean of the system's judgments without the judges that the way finds"
    source = "Hamon et al., section 3.4, table 4 and figure 7"
    needs = ("judge", "system")
    place = 20

    def results(self, evaluation: Evaluation, settings: Diagnosing) -> Iterator[Result]:
        """Scores and ranks before and after, and how alike they are."""
        removals = list(_removals(evaluation, settings))
        tables = {
            "removal-score": [e for r in removals for e in r.systems(r.after)],
            "removal-rank": [e for r in removals for e in r.systems(places(r.after))],
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
        draws = {"removal-score": lambda: _draw(tables["removal-score"])}
        for name, estimates in tables.items():
            yield self.result(
                evaluation,
                settings,
                estimates,
                name=name,
                method=METHODS[name],
                headline=heads.get(name, ""),
                draw=draws.get(name),
                **settings.choices(),
            )


METHODS = {
    "removal-score": f"{Removal.formula} (way {NOBODY}: all judges); n counts judgments left",
    "removal-rank": "place of the system by that score, 1 is best, ties share; n counts judgments",
    **{
        f"removal-{name}": (
            f"{title} between the systems' scores of all judges and those without the judges found "
            "(kept: rest) or of these alone (kept: removed); n counts systems"
        )
        for name, title in {
            "pearson": "Pearson's r",
            "spearman": "Spearman's rho",
            "kendall": "Kendall's tau-b",
        }.items()
    },
    "removal-mean": "mean score of the judges kept, and of those removed; n counts judgments",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class _Removal:
    """A question and split without the judges that one way finds."""

    scores: Scores
    way: str
    gone: Array
    reason: str = ""

    @property
    def before(self) -> Array:
        return self.scores.of_judges(np.ones(len(self.gone)))

    @property
    def after(self) -> Array:
        return self.scores.of_judges(1 - self.gone)

    @property
    def by(self) -> dict[str, Key]:
        return {**self.scores.ratings.by, "way": self.way}

    def systems(self, values: Array) -> Iterator[Estimate]:
        """A value of each system."""
        left = (1 - self.gone) @ self.scores.counts
        for at, system in enumerate(self.scores.systems):
            known = not (self.reason or np.isnan(values[at]))
            yield Estimate(
                value=float(values[at]) if known else None,
                n=int(left[at]),
                by={**self.by, "system": system},
                tags=self.scores.ratings.tags,
                reason="" if known else self.reason or "no judgments are left",
            )

    def correlations(self, name: str) -> Iterator[Estimate]:
        """The correlation of all judges with those kept, and with those removed."""
        if self.way == NOBODY:
            return
        for kept, judges in zip(KEPT, (1 - self.gone, self.gone), strict=True):
            after = self.scores.of_judges(judges)
            both = ~np.isnan(after)
            reason = self.reason or self._undefined(kept, int(both.sum()))
            value = np.nan if reason else CORRELATIONS[name](self.before[both], after[both])
            if np.isnan(value) and not reason:
                reason = "all systems have the same score"
            yield Estimate(
                value=None if reason else value,
                n=int(both.sum()),
                by={**self.by, "kept": kept},
                tags=self.scores.ratings.tags,
                reason=reason,
            )

    def _undefined(self, kept: str, systems: int) -> str:
        if kept == "removed" and not self.gone.any():
            return "nobody is removed"
        return "fewer than two systems are left" if systems < 2 else ""

    def means(self) -> Iterator[Estimate]:
        """The mean score of those kept and of those removed."""
        if self.way == NOBODY:
            return
        for kept, judges in zip(KEPT, (1 - self.gone, self.gone), strict=True):
            total, n = (
                judges @ part.sum(axis=1) for part in (self.scores.sums, self.scores.counts)
            )
            reason = self.reason or ("" if n else f"nobody is {'left' if kept == 'rest' else kept}")
            yield Estimate(
                value=None if reason else total / n,
                n=int(n),
                by={**self.by, "kept": kept},
                tags=self.scores.ratings.tags,
                reason=reason,
            )


def _removals(evaluation: Evaluation, settings: Diagnosing) -> Iterator[_Removal]:
    for one in scores(evaluation, settings):
        nominal = WORDS if one.ratings.nominal else ""
        yield _Removal(
            scores=one, way=NOBODY, gone=np.zeros(len(one.ratings.judges)), reason=nominal
        )
        place = place_of(Group(one.ratings.question, one.ratings.tags))
        for way in ways(evaluation, settings):
            if place in way.readings:
                gone, reason = one.mask(way.found(place)), nominal or way.reason(place)
                yield _Removal(scores=one, way=way.name, gone=gone, reason=reason)


def _headline(removals: Sequence[_Removal]) -> str:
    """In which ways the order of systems changes."""
    told = [r for r in removals if r.way != NOBODY and not r.reason and r.gone.any()]
    if not told or len(told[0].scores.systems) < 2:
        return ""
    changed = [r.way for r in told if _reordered(r)]
    if not changed:
        return "Whichever way judges are left out, the order of systems stays the same."
    names = listed(list(dict.fromkeys(changed)), most=12)
    return f"The order of systems changes without the judges found by: {names}."


def _reordered(removal: _Removal) -> bool:
    return not np.array_equal(places(removal.before), places(removal.after), equal_nan=True)


def _alike(estimates: Sequence[Estimate]) -> str:
    told = [e for e in estimates if e.by["kept"] == "rest" and e.value is not None]
    told = [e for e in told if e.by["way"] != MOST]
    if not told:
        return ""
    least = min(told, key=lambda e: e.value or 0.0)
    return (
        "Scores with and without the judges found correlate by at least "
        f"{least.value:.3f} ({least.by['way']}, {least.by['question']})."
    )


def _draw(estimates: Sequence[Estimate]) -> Figure:
    """Figure 7: the systems' scores of all judges, and after each removal."""
    data = [{**row, "of": _of(row)} for row in figures.rows(estimates)]
    before = [row for row in data if row["way"] == NOBODY]
    order = [r["system"] for r in sorted(before, key=lambda row: float(str(row["value"])))]
    drawn = {
        "mark": {"type": "line", "point": True, "tooltip": True},
        "encoding": {
            "x": figures.axis("system", "system", "nominal", sort=list(dict.fromkeys(order))),
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
