"""A signal: a value of each judge, and the rule by which it makes a judge an outlier.

One file adds a signal. Whatever it finds enters the tables of outliers, their overlaps, and what
leaving these judges out would do.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isnan
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.estimates import Estimates, method_line
from jurat.stats.evaluation import Evaluation
from jurat.stats.judges import outlier_rules
from jurat.stats.judges.judge_intervals import judge_intervals, share_of_first, sum_by_code
from jurat.stats.judges.outlier_rules import OutlierFlags
from jurat.stats.judges.settings import JudgeSettings, true_ratings
from jurat.stats.phrases import listed
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.statistic import Statistic, statistics

# By question: a mean, and the lower and upper limit of the rule.
LimitLines = Mapping[str, tuple[float, float, float]]
Mask = NDArray[np.bool_]
# Question, judge and split of an estimate, by which it is found again.
EstimateKey = tuple[object, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class SignalValues:
    """A value of every judge, in one question and split, and who is an outlier by it."""

    question: str
    tags: Mapping[str, Key]
    judges: Sequence[str]
    estimated: Estimates
    n: Codes
    flags: OutlierFlags
    reason: str = ""
    """Why a judge has no value."""
    side: Sequence[str] = ()
    """Whether each outlier is strict or lenient; empty where a signal has no sides."""

    @classmethod
    def of(
        cls,
        ratings: Ratings,
        estimated: Estimates | Array | Codes,
        n: Codes | Array,
        flags: OutlierFlags,
        **more: Any,
    ) -> SignalValues:
        """The values of the judges of some ratings; plain values have no intervals."""
        if not isinstance(estimated, Estimates):
            nothing = np.full(len(estimated), np.nan)
            values = np.asarray(estimated, dtype=np.float64)
            estimated = Estimates(values=values, low=nothing, high=nothing)
        return cls(
            question=ratings.question,
            tags=ratings.tags,
            judges=ratings.judges,
            estimated=estimated,
            n=np.asarray(n, dtype=np.int64),
            flags=flags,
            **more,
        )

    @property
    def by(self) -> dict[str, Key]:
        """The keys of an estimate about all judges."""
        return {"question": self.question}

    @property
    def values(self) -> Array:
        """The value of every judge, NaN for those who have none."""
        return self.estimated.values

    @cached_property
    def found(self) -> set[str]:
        """The judges who are outliers."""
        return {judge for judge, _ in self.outliers()}

    def outliers(self) -> Iterator[tuple[str, str]]:
        """The judges who are outliers, each with their side."""
        for at in np.flatnonzero(self.flags.found == 1).tolist():
            yield self.judges[at], self.side_of(at)

    def side_of(self, at: int) -> str:
        """Whether the judge is strict or lenient; nothing where that is not known."""
        return self.side[at] if self.side else ""

    def estimates(self) -> Iterator[Estimate]:
        """The value of every judge: outliers first, then from the lowest on."""
        if np.isnan(self.values).all():
            yield Estimate(None, 0, by=self.by, tags=self.tags, reason=self.reason)
            return
        for at in np.lexsort((self.values, self.flags.found != 1)):  # which puts NaN last
            yield self.estimated.estimate(
                int(at),
                n=int(self.n[at]),
                by={**self.by, "judge": self.judges[at]},
                tags=self.tags,
                reason=self.reason,
                side=self.side_of(int(at)),
            )

    def outlier_estimates(self, way: str) -> Iterator[Estimate]:
        """1 for every judge who is an outlier in this way, 0 for the others."""
        if np.isnan(self.values).all():
            by = {**self.by, "way": way}
            yield Estimate(None, 0, by=by, tags=self.tags, reason=self.reason)
            return
        for at, (judge, hit) in enumerate(zip(self.judges, self.flags.found, strict=True)):
            unknown = bool(np.isnan(hit))
            has_none = np.isnan(self.values[at]) and self.reason
            yield Estimate(
                value=None if unknown else float(hit),
                n=int(self.n[at]),
                by={**self.by, "judge": judge, "way": way},
                tags=self.tags,
                reason=(self.reason if has_none else self.flags.reason) if unknown else "",
                side=self.side_of(at),
            )


class Signal(Statistic[JudgeSettings]):
    """A value of each judge, and the way in which it makes a judge an outlier.

    A signal defines `measure`, of the answers to one question and split, or `measure_all`.
    """

    way: ClassVar[str]
    """What the way is called in the tables of outliers."""
    rule: ClassVar[str]
    """By which it finds judges, in one line; {k} stands for the number of deviations."""
    doubts: ClassVar[bool] = False
    """Whether it casts doubt on the answers, rather than shows a strict judge or a quick one."""
    counts: ClassVar[str] = "judgments"
    """What n is the number of."""
    absent: ClassVar[str] = "there are no judgments"
    """Why there are no values at all, where there are none."""

    def measure(self, ratings: Ratings, settings: JudgeSettings) -> SignalValues | None:
        """The values of the judges of some ratings; None where the signal says nothing of them."""
        raise NotImplementedError

    def measure_all(
        self, evaluation: Evaluation, settings: JudgeSettings
    ) -> tuple[SignalValues, ...]:
        """The values of each question and split."""
        found = (self.measure(ratings, settings) for ratings in true_ratings(evaluation, settings))
        return tuple(values for values in found if values is not None)

    def values(self, evaluation: Evaluation, settings: JudgeSettings) -> tuple[SignalValues, ...]:
        """The same, computed only once: outliers and removals start from it, too."""
        # keyed by the class: signals are made anew whenever they are asked for
        return evaluation.once(_measured, cast(Hashable, type(self)), settings)

    def results(self, evaluation: Evaluation, settings: JudgeSettings) -> Iterator[Result]:
        """The value of every judge."""
        yield self.signal_result(evaluation, settings, self.values(evaluation, settings))

    def signal_result(
        self,
        evaluation: Evaluation,
        settings: JudgeSettings,
        found: Sequence[SignalValues],
        *,
        name: str = "",
        formula: str = "",
        draw: Callable[[], Figure] | None = None,
        **choices: object,
    ) -> Result:
        """Values as a result: that of the signal's own name, or with `name` a further one."""
        rule = "" if name else f"outlier: {self.spoken_rule(settings)}"
        how = next((one.estimated.method for one in found if one.estimated.method), "")
        return self.result(
            evaluation,
            settings,
            all_estimates(found) or [Estimate(None, 0, reason=self.absent)],
            name=name,
            method=method_line(f"{formula or self.formula}; n counts {self.counts}", rule),
            how=how,
            headline="" if name else self.outlier_headline(found),
            draw=draw or (lambda: self.draw(found, settings, name)),
            **settings.choices(),
            **choices,
        )

    def spoken_rule(self, settings: JudgeSettings) -> str:
        """The rule, with the number of deviations."""
        return self.rule.format(k=f"{settings.k:g}")

    def outlier_headline(self, found: Sequence[SignalValues]) -> str:
        """Whom the signal finds, in one sentence."""
        known = {j for r in found for j in np.asarray(r.judges)[~np.isnan(r.values)].tolist()}
        sides: dict[str, set[str]] = {}
        for judge, side in (pair for values in found for pair in values.outliers()):
            sides.setdefault(judge, set()).add(side)
        if not known:
            return ""
        who = [_with_sides(judge, sides[judge] - {""}) for judge in sorted(sides)]
        return f"{self.asks} Of {len(known)} judges {listed(who) or 'nobody'}."

    def draw(
        self, found: Sequence[SignalValues], settings: JudgeSettings, name: str = ""
    ) -> Figure:
        """The judges from the lowest to the highest, and the limits of the rule."""
        ruled = "{k} SD" in self.rule and not name
        return ranked_judges_figure(
            f"{name}: judges from the lowest to the highest" if name else self.asks,
            all_estimates(found),
            value=name or self.gives[0],
            lines=limits(found, settings) if ruled else {},
        )


def _measured(
    evaluation: Evaluation, kind: type[Signal], settings: JudgeSettings
) -> tuple[SignalValues, ...]:
    return kind().measure_all(evaluation, settings)


def _with_sides(judge: str, sides: set[str]) -> str:
    return f"{judge} ({', '.join(sorted(sides))})" if sides else judge


def signals() -> tuple[Signal, ...]:
    """Every signal of the folder, in the order of the output."""
    return tuple(kind() for kind in statistics("judges") if issubclass(kind, Signal))


def all_estimates(found: Sequence[SignalValues]) -> list[Estimate]:
    """The estimates of several questions and splits."""
    return [estimate for values in found for estimate in values.estimates()]


def share_signal(
    ratings: Ratings,
    hits: Mask,
    trials: Mask,
    settings: JudgeSettings,
    *,
    reason: str,
    side: str = "",
    complement: bool = False,
) -> SignalValues:
    """The share of hits among each judge's trials; who has more than by chance is an outlier.

    The chance is the share of all judges together. `complement` gives the share of the others
    instead (passed instead of failed), while those with too many hits are still the outliers.
    """
    judges = len(ratings.judges)
    rows = np.column_stack([trials, hits]).astype(np.float64)
    share = judge_intervals(rows, ratings, share_of_first, settings).column(0)
    tried, hit = (sum_by_code(ratings.judge_codes, part, judges) for part in (trials, hits))
    rate = hit.sum() / tried.sum() if tried.sum() else np.nan
    flags = outlier_rules.unlikely(outlier_rules.binomial_tail(hit, tried, float(rate)))
    if complement:
        low, high = 1 - share.high, 1 - share.low
        share = replace(share, values=1 - share.values, low=low, high=high)
    sides = tuple(side if found == 1 else "" for found in flags.found)
    return SignalValues.of(ratings, share, tried, flags, reason=reason, side=sides)


def limits(found: Sequence[SignalValues], settings: JudgeSettings) -> LimitLines:
    """Mean and limits of each question; none where it is split, because then there are many."""
    lines = {one.question: outlier_rules.limits(one.values, settings.k) for one in found}
    return lines if len(lines) == len(found) else {}


def ranked_judges_figure(
    title: str,
    estimates: Sequence[Estimate],
    *,
    value: str,
    lines: LimitLines | None = None,
    other: Sequence[Estimate] = (),
    other_name: str = "",
    axis: str = "",
) -> Figure:
    """Judges ranked by a value with its interval, as in Hamon et al.'s figures 2 to 5.

    `other` are further values of the same judges, drawn in the same order; `lines` the mean and
    the limits of each question; `axis` is the title of the axis, if it is not that of the values.
    """
    rank = _ranks(estimates)
    data = [*_rows(estimates, rank, value), *_rows(other, rank, other_name)]
    data += _straight_lines(lines or {}, rank)
    x = figures.axis("rank", "judges, lowest first", axis={"tickMinStep": 1})
    y, low = (figures.axis(end, axis or value, scale={"zero": False}) for end in ("value", "low"))
    colour = figures.axis("series", "", "nominal")
    line = {"type": "line", "point": True, "tooltip": {"content": "data"}}
    reach = {"x": x, "y": low, "y2": {"field": "high"}, "color": colour}
    layers = {
        "layer": [
            {"mark": line, "encoding": {"x": x, "y": y, "color": colour}},
            {"mark": {"type": "rule", "opacity": 0.4}, "encoding": reach},
        ]
    }
    if len({row["question"] for row in data}) > 1:
        facet = figures.axis("question", "question", "nominal")
        own = {"scale": {"y": "independent"}}  # questions are answered in different points
        return figures.figure(title, data, facet=facet, spec=layers, columns=1, resolve=own)
    return figures.figure(title, data, **layers)


def _key(estimate: Estimate) -> EstimateKey:
    tags = tuple(sorted((k, str(v)) for k, v in estimate.tags.items()))
    return (estimate.by.get("question", ""), estimate.by.get("judge", ""), tags)


def _ranks(estimates: Iterable[Estimate]) -> dict[EstimateKey, int]:
    """The rank of every judge in their question and split."""
    last: dict[object, int] = {}
    ranks: dict[EstimateKey, int] = {}
    known = [e for e in estimates if e.value is not None]
    for estimate in sorted(known, key=lambda e: e.value or 0.0):
        question, _, tags = key = _key(estimate)
        ranks[key] = last[question, tags] = last.get((question, tags), 0) + 1
    return ranks


def _rows(
    estimates: Iterable[Estimate], rank: Mapping[EstimateKey, int], series: str
) -> list[dict[str, object]]:
    known = [e for e in estimates if e.value is not None and _key(e) in rank]
    names = (", ".join([series, *map(str, e.tags.values())]) for e in known)
    return [
        {**row, "rank": rank[_key(e)], "series": name}
        for e, row, name in zip(known, figures.rows(known), names, strict=True)
    ]


def _straight_lines(lines: LimitLines, rank: Mapping[EstimateKey, int]) -> list[dict[str, object]]:
    last = max(rank.values(), default=1)
    return [
        {"question": question, "series": name, "rank": at, "value": height}
        for question, heights in lines.items()
        for name, height in zip(("mean", "mean − k SD", "mean + k SD"), heights, strict=True)
        if not isnan(height)
        for at in (1, last)
    ]
