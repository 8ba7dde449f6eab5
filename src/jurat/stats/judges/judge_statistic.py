"""A signal: a value of each judge, and the rule by which it makes a judge an outlier.

Whatever a signal finds enters the tables of outliers, their overlaps, and what leaving these judges
out would do.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from jurat.results import Estimate, Figure, Key, Result
from jurat.stats.estimates import Estimates, first_method, method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.figures import LimitLines, ranked_judges_figure
from jurat.stats.judges.judge_ratings import judge_shares, true_ratings
from jurat.stats.judges.peer_tests import PeerTest, share_test
from jurat.stats.phrases import listed
from jurat.stats.ratings import Array, Codes, Ratings, summed
from jurat.stats.settings import JudgeSettings
from jurat.stats.statistic import Statistic, statistics

Mask = NDArray[np.bool_]
# Below this probability something is no chance.
LEVEL = 0.05


class OutlierFlags(NamedTuple):
    """1 for the judges whom a rule finds, 0 for others, NaN where it is undefined, and why."""

    found: Array
    reason: str = ""

    @classmethod
    def undefined(cls, judges: int, reason: str = "") -> OutlierFlags:
        """No rule says anything about so many judges."""
        return cls(np.full(judges, np.nan), reason)


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
    test: PeerTest | None = None
    """A test of each judge against the others; None where the rule alone finds outliers."""

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
            estimated = Estimates.without_intervals(np.asarray(estimated, dtype=np.float64))
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
            yield Estimate.of(None, 0, about=self, reason=self.reason)
            return
        for at in np.lexsort((self.values, self.flags.found != 1)).tolist():  # which puts NaN last
            yield self.estimated.estimate(
                at,
                n=self.n[at],
                about=self,
                by={"judge": self.judges[at]},
                reason=self.reason,
                side=self.side_of(at),
            )

    def outlier_estimates(self, way: str) -> Iterator[Estimate]:
        """1 for every judge who is an outlier in this way, 0 for the others."""
        if np.isnan(self.values).all():
            yield Estimate.of(None, 0, about=self, by={"way": way}, reason=self.reason)
            return
        for at, (judge, hit) in enumerate(zip(self.judges, self.flags.found, strict=True)):
            # a judge without a value has another reason than a rule that cannot be applied
            has_none = np.isnan(self.values[at]) and self.reason
            yield Estimate.of(
                hit,
                self.n[at],
                about=self,
                by={"judge": judge, "way": way},
                reason=self.reason if has_none else self.flags.reason,
                side=self.side_of(at),
            )


class Signal(Statistic[JudgeSettings]):
    """A value of each judge, and the way in which it makes a judge an outlier.

    A signal defines `measure`, of the answers to one question and split, or `measure_all`.
    """

    way: ClassVar[str]
    """The name of the signal in the tables of outliers, which call it a way of finding them."""
    rule: ClassVar[str]
    """When a judge is an outlier, in one line; {k} stands for the number of deviations."""
    doubts: ClassVar[bool] = False
    """Whether it casts doubt on the answers, rather than shows a strict judge or a quick one."""
    needs: ClassVar[tuple[str, ...]] = ("judge",)
    counted = "judgments"
    absent: ClassVar[str] = "there are no judgments"
    """Why there are no values at all, where there are none."""

    def measure(self, ratings: Ratings, settings: JudgeSettings) -> SignalValues | None:
        """The values of the judges of one question and split; None where they have none."""
        raise NotImplementedError

    def measure_all(
        self, evaluation: Evaluation, settings: JudgeSettings
    ) -> tuple[SignalValues, ...]:
        """The values of each question and split."""
        found = (self.measure(ratings, settings) for ratings in true_ratings(evaluation, settings))
        return tuple(values for values in found if values is not None)

    def values(self, evaluation: Evaluation, settings: JudgeSettings) -> tuple[SignalValues, ...]:
        """`measure_all`, computed once: tables of outliers and of removals start from it, too."""
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
        return self.result(
            evaluation,
            settings,
            all_estimates(found) or [Estimate(None, 0, reason=self.absent)],
            name=name,
            method=method_line(f"{formula or self.formula}; n counts {self.counted}", rule),
            how=first_method([one.estimated for one in found]),
            headline="" if name else self.outlier_headline(evaluation, settings, found),
            draw=draw or (lambda: self.draw(found, settings, name)),
            **settings.choices(),
            **choices,
        )

    def spoken_rule(self, settings: JudgeSettings) -> str:
        """The rule, with the number of deviations."""
        return self.rule.format(k=f"{settings.k:g}")

    def outlier_headline(
        self, evaluation: Evaluation, settings: JudgeSettings, found: Sequence[SignalValues]
    ) -> str:
        """Who stands out by the signal beyond chance, and how many its rule counts."""
        # that module needs every signal of the folder
        from jurat.stats.judges.outlier_tests import standing_out

        known = {j for r in found for j in np.asarray(r.judges)[~np.isnan(r.values)].tolist()}
        # one judge alone is not compared with anybody
        if len(known) < 2:
            return ""
        counted = f"{len({j for one in found for j in one.found})} by its rule alone"
        if not any(one.test for one in found):
            return f"{self.asks} Of {len(known)} judges {counted}, which may be chance."
        out = {judge for _, judge, way in standing_out(evaluation, settings) if way == self.way}
        sides = {(judge, side) for one in found for judge, side in one.outliers() if judge in out}
        who = [
            _with_sides(j, {side for one, side in sides if one == j} - {""}) for j in sorted(out)
        ]
        return (
            f"{self.asks} Beyond chance {listed(who) or 'nobody'}, of {len(known)} judges; "
            f"{counted}."
        )

    def draw(
        self, found: Sequence[SignalValues], settings: JudgeSettings, name: str = ""
    ) -> Figure:
        """The judges from the lowest to the highest, and the limits of the rule."""
        # tests by chance have no limits that could be drawn, nor have further results
        ruled = "{k} SD" in self.rule and not name
        return ranked_judges_figure(
            f"{name}: judges from the lowest to the highest" if name else self.asks,
            all_estimates(found),
            value=name or self.gives[0],
            lines=limit_lines(found, settings) if ruled else {},
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
    share = judge_shares(hits & trials, trials, ratings, settings)
    tried, hit = (summed(ratings.judge_codes, part, judges) for part in (trials, hits))
    # against all judges, not against a fixed rate: how hard controls are is not known beforehand
    rate = hit.sum() / tried.sum() if tried.sum() else np.nan
    flags = flag_unlikely(binomial_tail(hit, tried, float(rate)))
    if complement:
        # the ends change places: the most failures are the fewest passed
        low, high = 1 - share.high, 1 - share.low
        share = replace(share, values=1 - share.values, low=low, high=high)
    sides = tuple(side if found == 1 else "" for found in flags.found)
    test = share_test(hits, trials, ratings, unit=settings.unit)
    return SignalValues.of(ratings, share, tried, flags, reason=reason, side=sides, test=test)


def limit_lines(found: Sequence[SignalValues], settings: JudgeSettings) -> LimitLines:
    """Mean and limits of each question; none where it is split, because then there are many."""
    lines = {one.question: mean_and_limits(one.values, settings.k) for one in found}
    return lines if len(lines) == len(found) else {}


def flag_outside(values: Array, k: float) -> OutlierFlags:
    """Flag the judges outside mean ± k SD (ddof 1) of those who have a value."""
    return _beyond(values, lambda away, sd: np.abs(away) > k * sd)


def flag_above(values: Array, k: float) -> OutlierFlags:
    """Flag the judges above mean + k SD (ddof 1) of those who have a value."""
    return _beyond(values, lambda away, sd: away > k * sd)


def flag_below(values: Array, k: float) -> OutlierFlags:
    """Flag the judges below mean − k SD (ddof 1) of those who have a value."""
    return flag_above(-values, k)


def flag_unlikely(p: Array) -> OutlierFlags:
    """Flag the judges whose p-value is below .05; NaN, where there is no p-value, stays NaN."""
    return OutlierFlags(np.where(np.isnan(p), np.nan, p < LEVEL))


def binomial_tail(hits: Array, trials: Array, rate: float) -> Array:
    """P(X ≥ hits) of so many trials at that rate: one-sided binomial; NaN without trials."""
    from scipy.special import betainc

    if np.isnan(rate):
        return np.full(len(hits), np.nan)
    # P(X ≥ k) is the regularised incomplete beta function I_p(k, n − k + 1), for k from 1 on
    at_least_one = np.maximum(hits, 1)
    more = betainc(at_least_one, np.maximum(trials - at_least_one, 0) + 1, np.clip(rate, 0, 1))
    return np.asarray(np.where(trials > 0, np.where(hits > 0, more, 1.0), np.nan))


def sides(
    values: Array, found: Array, settings: JudgeSettings, middle: float | None = None
) -> tuple[str, ...]:
    """The side of each outlier: strict below the middle, lenient above it; "" for all others.

    Where low values are better it is the other way round. The middle is the mean of the values
    where none is given.
    """
    known = values[~np.isnan(values)]
    if middle is None:
        middle = float(known.mean()) if len(known) else 0.0
    below, above = ("lenient", "strict") if settings.lower_better else ("strict", "lenient")
    return tuple(
        (below if value < middle else above) if hit == 1 and value != middle else ""
        for value, hit in zip(values, found, strict=True)
    )


def mean_and_limits(values: Array, k: float) -> tuple[float, float, float]:
    """Mean, mean − k SD and mean + k SD; NaN where fewer than two judges have a value."""
    known = values[~np.isnan(values)]
    if len(known) < 2:
        return (float(known.mean()) if len(known) else np.nan, np.nan, np.nan)
    mean, sd = float(known.mean()), float(known.std(ddof=1))
    return mean, mean - k * sd, mean + k * sd


def _beyond(values: Array, far: Callable[[Array, float], NDArray[np.bool_]]) -> OutlierFlags:
    """Where a judge lies too far from the mean, as `far` tells from distance and deviation."""
    known = values[~np.isnan(values)]
    if len(known) < 2:
        return OutlierFlags.undefined(len(values), "fewer than two judges have a value")
    sd = float(known.std(ddof=1))
    # what differs by rounding alone does not differ
    if sd <= 1e-12 * max(1.0, float(np.abs(known).max())):
        return OutlierFlags.undefined(len(values), "all judges have the same value")
    away = values - known.mean()
    return OutlierFlags(np.where(np.isnan(values), np.nan, far(away, sd)))
