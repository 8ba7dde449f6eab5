"""Statistics that are sums over items, with intervals from leaving out documents or items.

A statistic says what it adds up for each item (`ItemSums`) and how its values follow from the
totals. Coefficients have the jackknife's intervals on Fisher's scale, shares Wilson's. Few answers
outside the commonest one, or few items about which judges differ, tell the jackknife too little:
then it is repeated with four pseudo-items, and the wider interval counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.resampling.engine import Score
from jurat.resampling.jackknife_t import Scale
from jurat.results import Estimate, Key, Result
from jurat.stats.agreement.answer_counts import AnswerCounts, reason_undefined
from jurat.stats.agreement.new_judges import (
    drawn,
    draws_judges,
    left_out_of_sums,
    with_new_judges,
    without_each_judge,
)
from jurat.stats.agreement.rare_answer_intervals import (
    PSEUDO_ITEMS,
    Rarity,
    rarity,
    widened,
)
from jurat.stats.estimates import (
    Estimates,
    common_method,
    jackknife_estimates,
    method_line,
    share_estimates,
)
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.independent_units import Units, units_of
from jurat.stats.phrases import strength_headline
from jurat.stats.ratings import Array, Codes, Ratings, numbered, summed
from jurat.stats.statistic import Settings, Statistic

# Points of a scale, or items × points, up to which each point's total is added up for itself.
FEW_POINTS = 16
FEW_CELLS = 2**20
# The method that counts chance as Gwet's irrCAC does: over items, whatever their judgments.
IRRCAC = "irrcac"


class ItemSums(NamedTuple):
    """What a statistic adds up for each item, and its values (rows × m) from the totals.

    Items with the same answers come as one row, with its number of copies.
    """

    columns: Array
    score: Score


class ShareSums(NamedTuple):
    """Which of the values are shares, and the hits and cases of each item (items × shares)."""

    at: Sequence[int]
    hits: Array
    cases: Array
    observed: Sequence[float]
    """How many cases there were, where `cases` are weights of items."""
    opposite: Sequence[float] | float = 0.0
    """The weight of one more item at the other end, see `wilson_by_unit`."""
    nested: bool = False
    """Whether each share has all hits of the one before it, so that it cannot be lower."""

    def low_ends(self, low: Array) -> Array:
        """The low ends of these shares, none below that of a share that is part of it.

        Wilson's interval of a share of 1 is wide, where a unit may have many cases.
        """
        return np.asarray(np.fmax.accumulate(low)) if self.nested else low


class ItemStatistic(Statistic[Settings]):
    """A statistic of the first answers to each item.

    A subclass gives `item_sums`, and declares the rest: what n counts, how the headline begins, and
    over which key the figure shows the values. The values stand in the order of `gives`, and for
    each of these names in the order of `keys`.
    """

    counted = "items with two judgments or more"
    words: ClassVar[str] = ""
    """How the headline begins, before the coefficients."""
    over = "question"
    resampled = False
    banded: ClassVar[bool] = False
    """Whether the headline uses Landis and Koch's words, which are for kappas alone."""
    scale: ClassVar[Scale] = "fisher"
    """On which the jackknife computes, see `jackknife_t`."""
    categorical: ClassVar[tuple[int, ...]] = ()
    """Which values only know whether answers are equal, and need pseudo-items where few differ."""
    weighted: ClassVar[tuple[int, ...]] = ()
    """Which values know how far answers lie apart; with two answers in use they are as those."""
    without_interval: ClassVar[tuple[int, ...]] = ()
    """Which values lie so near a limit which they cannot pass that no interval would hold."""
    constant: ClassVar[str] = "every judgment is the same: chance would agree as well"
    """Why a value is undefined although items were judged twice."""

    def item_sums(self, counts: AnswerCounts) -> ItemSums:
        """What is added up and how it is scored, for one question."""
        raise NotImplementedError

    def item_sums_as(self, counts: AnswerCounts, whole: AnswerCounts) -> ItemSums:
        """The same of some of the answers, with as many values as all of them have."""
        return self.item_sums(counts)

    def shares(self, counts: AnswerCounts) -> ShareSums | None:
        """Those of the values that are shares, if any."""
        return None

    def keys(self, counts: AnswerCounts) -> Sequence[Mapping[str, Key]]:
        """What each of the values is of, besides the question."""
        return ({},)

    def taken(self, counts: AnswerCounts, key: Mapping[str, Key]) -> Array:
        """Not 0 for the items that have a part in a value."""
        return counts.paired

    def n(self, counts: AnswerCounts, key: Mapping[str, Key]) -> int:
        """What a value is the mean of."""
        return int(counts.paired.sum())

    def reason(self, counts: AnswerCounts, key: Mapping[str, Key]) -> str:
        """Why a value is undefined, if it is."""
        return reason_undefined(counts, self.constant)

    def caution(self, counts: AnswerCounts, key: Mapping[str, Key], units: int) -> str:
        """Why the interval of a value from so many units may hold less often than stated, if so."""
        return ""

    def taken_for_scale(self, counts: AnswerCounts) -> str:
        """What is taken from the answers for the scale, as the method says it; else empty."""
        return ""

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The finding in words; of kappas with Landis and Koch's."""
        return strength_headline(self.words, known, banded=self.banded)

    def undefined_headline(self, name: str, estimates: Sequence[Estimate]) -> str:
        """The reason, said once for all results of a coefficient."""
        told = self.words and name == self.gives[0]
        return strength_headline(self.words, estimates) if told else ""

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A result for each of the names, with every value of every question."""
        together = tuple(kind for kind in self.computed if issubclass(kind, ItemStatistic))
        kinds = together or (type(self),)
        firsts = [ratings.firsts for ratings in evaluation.ratings]
        found = [(one, with_intervals(kinds, one, settings)[self.name]) for one in firsts]
        for at, name in enumerate(self.gives):
            parts = [self._part(*one, at) for one in found]
            estimates = (e for part in parts for e in part.estimates)
            scales = dict.fromkeys(self.taken_for_scale(AnswerCounts.of(one)) for one in firsts)
            how = method_line(*scales, common_method(part.found.method for part in parts))
            yield self.result(
                evaluation,
                settings,
                estimates,
                name=name,
                how=how,
                unit=settings.unit,
                drawn=drawn(settings),
            )

    def _part(self, ratings: Ratings, found: ValueGroups, which: int) -> _Part:
        counts = AnswerCounts.of(ratings)
        keys = self.keys(counts)
        span = slice(which * len(keys), (which + 1) * len(keys))
        own = found.part(span)
        estimates = [
            own.estimate(
                at,
                n=self.n(counts, key),
                about=ratings,
                by=key,
                reason=self.reason(counts, key),
            )
            for at, key in enumerate(keys)
        ]
        return _Part(estimates, own)


class _Part(NamedTuple):
    estimates: list[Estimate]
    found: Estimates


class ValueGroups(NamedTuple):
    """The values of a statistic, and how the intervals of each came about."""

    values: Estimates
    methods: tuple[str, ...]

    def part(self, span: slice) -> Estimates:
        """Some of the values, with the methods of their intervals."""
        # Values differ in parts of their methods: each part is said once.
        parts = (part for method in self.methods[span] for part in method.split("; "))
        return replace(self.values[span], method=method_line(*dict.fromkeys(parts)))


def values_of(statistic: ItemStatistic, ratings: Ratings) -> Array:
    """The values of a statistic for the first answers, without intervals; NaN where undefined."""
    sums = statistic.item_sums(AnswerCounts.of(ratings.firsts))
    with np.errstate(all="ignore"):
        values: Array = np.asarray(sums.score(sums.columns.sum(axis=0)[None]))[0]
    return values


def with_intervals(
    kinds: tuple[type[ItemStatistic], ...], ratings: Ratings, settings: Settings
) -> dict[str, ValueGroups]:
    """The values of these statistics by name, with their intervals.

    They are computed together, since several add up the same; each has the same numbers as if it
    were alone. The results are kept with the ratings: each of the statistics asks for them in turn.
    """
    return ratings.once(_with_intervals, kinds, settings)


def _with_intervals(
    ratings: Ratings, kinds: tuple[type[ItemStatistic], ...], settings: Settings
) -> dict[str, ValueGroups]:
    units = units_of(ratings, settings)
    sample = _Sample.of(AnswerCounts.of(ratings).distinct, units)
    made = [kind() for kind in kinds]
    if draws_judges(settings) and "judge" in ratings.frame.columns:
        return {one.name: _for_new_judges(one, ratings, units, settings) for one in made}
    plain = _jackknifed(made, sample, settings)
    rare = rarity(sample.counts) if settings.intervals else Rarity()
    wider = _with_pseudo_items(made, sample, rare, settings)
    return {
        one.name: _Combined(one, plain[one.name], wider[one.name], rare, sample, settings).made
        for one in made
    }


def _with_pseudo_items(
    made: Sequence[ItemStatistic], sample: _Sample, rare: Rarity, settings: Settings
) -> Mapping[str, Mapping[int, Estimates]]:
    """By name: the estimates with pseudo-items, by the values that they are to widen."""
    wider: dict[str, dict[int, Estimates]] = {one.name: {} for one in made}
    categorical = [one for one in made if one.categorical]
    if rare.needs_pseudo_items:
        found = _jackknifed(categorical, sample.with_pseudo_items("none"), settings)
        for one in categorical:
            wider[one.name] |= dict.fromkeys(one.categorical, found[one.name])
    weighted = [one for one in made if one.weighted]
    if rare.widens_distances and weighted:
        found = _jackknifed(weighted, sample.with_pseudo_items("quadratic"), settings)
        for one in weighted:
            wider[one.name] |= dict.fromkeys(one.weighted, found[one.name])
    return wider


def _for_new_judges(
    statistic: ItemStatistic, ratings: Ratings, units: Units, settings: Settings
) -> ValueGroups:
    counts = AnswerCounts.of(ratings)

    def sums(kept: NDArray[np.bool_]) -> ItemSums:
        left = AnswerCounts.from_codes(
            ratings.item_codes[kept],
            ratings.codes[kept],
            ratings.places,
            nominal=ratings.nominal,
            least=counts.items,
        )
        return statistic.item_sums_as(left, counts)

    everyone = sums(np.ones(len(ratings), dtype=np.bool_))
    left_out = left_out_of_sums(units, everyone, map(sums, without_each_judge(ratings)))
    shares, width = statistic.shares(counts), len(left_out.value)
    share = np.isin(np.arange(width), [] if shares is None else list(shares.at))
    found = with_new_judges(
        Estimates.without_intervals(left_out.value),
        left_out,
        settings,
        judges=len(ratings.judges),
        sizes=units.sizes,
        fisher=np.full(width, statistic.scale == "fisher"),
        shares=share,
    )
    at = list(statistic.without_interval)
    found.low[at], found.high[at] = np.nan, np.nan
    if shares is not None:
        found.low[list(shares.at)] = shares.low_ends(found.low[list(shares.at)])
    method = method_line(found.method, units.note) if found.method else ""
    return ValueGroups(found, tuple("" if own in at else method for own in range(width)))


class _Sample(NamedTuple):
    """The rows to be added up: a kind of item within a unit, as often as the unit has it."""

    counts: AnswerCounts
    """Of the kinds: one item stands for all that were given the same answers."""
    units: Units
    kind: Codes
    """The kind of each row, by its number in the counts."""
    unit: Codes | None
    """The unit of each row; None where units are items: then a row stands for `times` units."""
    times: Codes
    pseudo: int = 0

    @classmethod
    def of(cls, counts: AnswerCounts, units: Units) -> _Sample:
        if units.are_items:
            return cls(counts, units, np.arange(counts.items), None, counts.copies)
        # A document holds many items of few kinds: each kind is one row of the document.
        cell, times = np.unique(units.of_item * counts.items + counts.kinds, return_counts=True)
        unit, kind = np.divmod(cell, max(counts.items, 1))
        return cls(counts, units, kind, unit, times)

    def with_pseudo_items(self, weights: str) -> _Sample:
        """The same with four items more, each a unit of its own."""
        counts = self.counts.with_pseudo_items(weights)
        added = np.arange(self.counts.items, counts.items)
        ones = np.ones(len(added), dtype=np.int64)
        unit = None
        if self.unit is not None:
            unit = np.concatenate([self.unit, self.units.number + np.arange(len(added))])
        kind, times = np.concatenate([self.kind, added]), np.concatenate([self.times, ones])
        return _Sample(counts, self.units, kind, unit, times, pseudo=len(added))

    def contributing(self, taken: Array) -> int:
        """How many units have an item that is taken."""
        there = taken[self.kind] != 0
        if self.unit is None:
            return int(self.times[there].sum())
        return len(np.unique(self.unit[there]))

    def sums(self, columns: Array) -> tuple[Array, Codes | None]:
        """Columns by item, summed by unit; or those of each item, and how many it stands for."""
        if self.unit is None:
            return columns[self.kind], self.times
        # column by column: all rows of all columns would be many times the table
        place = self._place
        parts = (summed(place, column[self.kind] * self.times) for column in columns.T.copy())
        return np.column_stack(list(parts)), None

    @property
    def sizes(self) -> Array | None:
        """How many items each unit has; None where each item is one."""
        return (
            None if self.unit is None else np.bincount(self._place, self.times).astype(np.float64)
        )

    @property
    def _place(self) -> Codes:
        """The unit of each row, of those that occur."""
        assert self.unit is not None
        return numbered(self.unit, int(self.unit.max(initial=-1)) + 1)[1]

    @property
    def words(self) -> str:
        """What the units are, and what taking them for independent assumes."""
        return self.units.words


def _jackknifed(
    statistics: Sequence[ItemStatistic], sample: _Sample, settings: Settings
) -> dict[str, Estimates]:
    counts = sample.counts
    sums = [one.item_sums(counts) for one in statistics]
    ends = np.cumsum([own.columns.shape[1] for own in sums])
    # Several statistics add up the same, such as the pairs of each item.
    known: dict[bytes, int] = {}
    columns = [column for own in sums for column in own.columns.T]
    if not columns:
        # such as the shares of k equal judgments where nobody shares an item
        return {one.name: Estimates.undefined(0) for one in statistics}
    which = [known.setdefault(column.tobytes(), len(known)) for column in columns]
    single = np.column_stack([columns[which.index(at)] for at in range(len(known))])
    widths = [len(one.keys(counts)) * len(one.gives) for one in statistics]

    def score(totals: Array) -> Array:
        split = np.split(totals[:, which], ends[:-1], axis=1)
        return np.hstack(
            [np.asarray(own.score(part)) for own, part in zip(sums, split, strict=True)]
        )

    rows, copies = sample.sums(single)
    taken = [
        sample.contributing(one.taken(counts, key))
        for one in statistics
        for _ in one.gives
        for key in one.keys(counts)
    ]
    scales: list[Scale] = [
        one.scale for one, width in zip(statistics, widths, strict=True) for _ in range(width)
    ]
    whole = jackknife_estimates(
        rows,
        score,
        settings=settings,
        copies=copies,
        scale=scales,
        contributing=taken,
        pseudo=sample.pseudo > 0,
        sizes=sample.sizes,
        words=sample.words,
    )
    return {
        one.name: whole[end - width : end]
        for one, width, end in zip(statistics, widths, np.cumsum(widths), strict=True)
    }


class _Combined(NamedTuple):
    """The values of one statistic: the jackknife's, widened, and shares in Wilson's way."""

    statistic: ItemStatistic
    plain: Estimates
    wider: Mapping[int, Estimates]
    """Those with pseudo-items, by the values that they are to widen."""
    rare: Rarity
    sample: _Sample
    settings: Settings

    @property
    def made(self) -> ValueGroups:
        plain = self.plain
        if not self.settings.intervals:
            return ValueGroups(plain, ("",) * len(plain.values))
        low, high, notes = plain.low.copy(), plain.high.copy(), list(plain.notes)
        methods = [method_line(plain.method, self.sample.units.note)] * len(low)
        for at, wide in self.wider.items():
            if not np.isnan(plain.values[at]):
                both = widened(plain, wide, self.rare)
                low[at], high[at], notes[at] = both.low[at], both.high[at], both.notes[at]
                methods[at] = method_line(methods[at], PSEUDO_ITEMS)
        for at, caution in enumerate(self._cautions):
            notes[at] = notes[at] or caution
        for at in self.statistic.without_interval:
            low[at], high[at], notes[at], methods[at] = np.nan, np.nan, "", ""
        shares = self.statistic.shares(self.sample.counts)
        if shares is not None:
            found = self._wilson(shares)
            ends = shares.low_ends(found.low)
            for place, at in enumerate(shares.at):
                low[at], high[at], notes[at] = ends[place], found.high[place], ""
                methods[at] = method_line(found.method, self.sample.units.note)
        return ValueGroups(replace(plain, low=low, high=high, notes=tuple(notes)), tuple(methods))

    @property
    def _cautions(self) -> Iterator[str]:
        """What to beware of, for each value; empty where it is undefined."""
        counts, statistic = self.sample.counts, self.statistic
        units = self.sample.units.number
        keys = [key for _ in statistic.gives for key in statistic.keys(counts)]
        for at, key in enumerate(keys):
            few = self.rare.category_note if at in statistic.categorical else ""
            known = not np.isnan(self.plain.values[at])
            yield (few or statistic.caution(counts, key, units)) if known else ""

    def _wilson(self, shares: ShareSums) -> Estimates:
        both = np.hstack([shares.hits, shares.cases])
        rows, copies = self.sample.sums(both)
        hits, cases = np.hsplit(rows, 2)
        return share_estimates(
            hits,
            cases,
            settings=self.settings,
            copies=copies,
            observed=shares.observed,
            opposite=shares.opposite,
            words=self.sample.words,
        )


class ExpectedAgreement(NamedTuple):
    """Columns to be added up, and from their totals Σ w_jk p_j p_k over the shares p of points."""

    columns: Array
    of: Callable[[Array], Array]


def expected_agreement(
    counts: AnswerCounts, weight: Array, matrix: Array | None = None
) -> ExpectedAgreement:
    """Agreement by chance: the quadratic form of the shares of the points of the scale.

    A judgment of an item counts with the item's `weight`; w is the `matrix`, or the identity.

    With the totals of all points it is exact. Where these are too many, it is taken as linear near
    the shares as they are, p*Wp* ≈ 2 pWp* − pWp: what is left out is of the order of 1/judgments,
    which no interval of that many would show.
    """
    weights = counts.count * weight[counts.item]
    total = counts.per_point(weights)
    if counts.points <= FEW_POINTS or counts.items * counts.points <= FEW_CELLS:
        cells = counts.item * counts.points + counts.code
        columns = summed(cells, weights, counts.items * counts.points)
        return ExpectedAgreement(
            columns.reshape(-1, counts.points), lambda t: _quadratic_form(t, matrix)
        )
    with np.errstate(invalid="ignore"):
        shares = total / total.sum()
    slope = shares if matrix is None else matrix @ shares
    columns = np.column_stack(
        [counts.per_item(weights * slope[counts.code]), counts.per_item(weights)]
    )
    middle = float(shares @ slope)
    return ExpectedAgreement(columns, lambda t: 2 * t[:, 0] / t[:, 1] - middle)


def _quadratic_form(totals: Array, matrix: Array | None) -> Array:
    shares = totals / totals.sum(axis=1, keepdims=True)
    weighted = shares if matrix is None else shares @ matrix
    return np.asarray((weighted * shares).sum(axis=1))
