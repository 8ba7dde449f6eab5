"""Krippendorff's alpha: one minus observed over expected disagreement, for any scale and gaps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from jurat.faults import unknown
from jurat.results import Estimate, Figure, Key
from jurat.stats.agreement.ordinal import disagreements, mid_ranks
from jurat.stats.agreement.over_items import OverItems, Part, form_of
from jurat.stats.agreement.pictures import coefficients
from jurat.stats.agreement.tallies import Tallies, summed
from jurat.stats.agreement.wording import WORDS, strength, undefined
from jurat.stats.kappa import pairs_within
from jurat.stats.ratings import Array, Ratings, scaled
from jurat.stats.spread import Spread, spread
from jurat.stats.statistic import Settings

SCALES = ("nominal", "ordinal", "interval", "ratio")
FEW_POINTS = 32
MOST_POINTS = 1500
"""Different values up to which all distances of a ratio scale can be held."""


class KrippendorffAlpha(OverItems):
    """Alpha on four scales; a judgment that is alone on its item does not count."""

    name = "krippendorff-alpha"
    gives = ("krippendorff-alpha",)
    asks = "How reliable are the judgments, whatever the number of judges and of gaps?"
    formula = (
        "1 − (N − 1) Do / De; Do = Σ over items of Σ d(a, b) / (n_i − 1), De = Σ d(a, b) over all "
        "pairs of the N judgments; d: a ≠ b (nominal), squared difference of mid-ranks (ordinal), "
        "(a − b)² (interval), ((a − b)/(a + b))² (ratio)"
    )
    source = "Krippendorff 2011"
    place = 25

    def part(self, tallies: Tallies) -> Part:
        """Observed and expected disagreement on each of the scales."""
        parts = [_pieces(tallies, scale) for scale in SCALES]
        ends = np.cumsum([1, *(piece.columns.shape[1] for piece in parts)])

        def score(totals: Array) -> Array:
            spans = zip(parts, ends, ends[1:], strict=False)
            ratios = [piece.ratio(totals[:, start:end]) for piece, start, end in spans]
            return 1 - (totals[:, :1] - 1) * np.column_stack(ratios)

        number = tallies.size * tallies.paired
        return Part(np.column_stack([number, *(piece.columns for piece in parts)]), score)

    def keys(self, tallies: Tallies) -> Sequence[Mapping[str, Key]]:
        """The four scales."""
        return [{"scale": scale} for scale in SCALES]

    def reason(self, tallies: Tallies, key: Mapping[str, Key]) -> str:
        """Why a scale has no alpha."""
        return why_not(tallies.places, str(key["scale"]), nominal=tallies.nominal) or undefined(
            tallies, "every judgment is the same: there is no disagreement to expect"
        )

    def headline(self, estimates: Sequence[Estimate]) -> str:
        """The scale that suits: interval for numbers, nominal for words."""
        told = [e for e in estimates if e.by["scale"] == "interval" and e.value is not None]
        plain = [e for e in estimates if e.by["scale"] == "nominal"]
        scale = "interval" if told else "nominal"
        return strength(f"Krippendorff's alpha ({scale})", told or plain)

    def draw(self, estimates: Sequence[Estimate]) -> Figure:
        """A point for each scale."""
        return coefficients(self.name, estimates, over="scale")


def krippendorff_alpha(ratings: Ratings, *, scale: str = "interval") -> float:
    """Alpha of the first answers on one of the `SCALES`; NaN where undefined."""
    if scale not in SCALES:
        raise unknown("scale", scale, SCALES, field="scale")
    firsts = ratings.firsts
    if len(firsts.points) <= FEW_POINTS:
        return _from_counts(firsts, scale)
    tallies = Tallies.of(firsts)
    piece, number = _pieces(tallies, scale), tallies.size * tallies.paired
    with np.errstate(all="ignore"):
        return float(1 - (number.sum() - 1) * piece.ratio(piece.columns.sum(axis=0)[None])[0])


def alpha_spread(ratings: Ratings, *, scale: str, settings: Settings) -> Spread:
    """Alpha of the first answers on one of the `SCALES`, with its bootstrap interval over items."""
    tallies = Tallies.of(ratings.firsts).kinds
    piece = _pieces(tallies, scale)
    columns = np.column_stack([tallies.size * tallies.paired, piece.columns])

    def score(totals: Array) -> Array:
        return 1 - (totals[:, :1] - 1) * piece.ratio(totals[:, 1:])[:, None]

    return spread(columns, score, settings=settings, copies=tallies.copies)


def _from_counts(ratings: Ratings, scale: str) -> float:
    """Alpha from the answers' coincidences, which are one product of the counts with themselves."""
    if why_not(ratings.places, scale, nominal=ratings.nominal):
        return float("nan")
    counts = ratings.counts
    size = counts.sum(axis=1)
    weights = np.where(size > 1, 1 / np.maximum(size - 1, 1), 0.0)
    met = (counts * weights[:, None]).T @ counts
    met -= np.diag(weights @ counts)
    number = met.sum(axis=1)
    distance = _distances(ratings.places, number, scale)
    expected = float(number @ distance @ number)
    if expected <= 0:
        return float("nan")
    return float(1 - (number.sum() - 1) * (met * distance).sum() / expected)


def _distances(places: Array, number: Array, scale: str) -> Array:
    """The squared distance of every two points."""
    if scale == "nominal":
        return 1 - np.eye(len(places))
    x = mid_ranks(number) if scale == "ordinal" else scaled(places)
    apart = x[:, None] - x
    if scale == "ratio":
        # 0 and 0 are equal, although nothing can be divided by their sum.
        above = x[:, None] + x
        apart = apart / np.where(above > 0, above, 1.0)
    return np.asarray(apart**2)


class _Piece(NamedTuple):
    """The columns of one scale, and Do / De from their totals."""

    columns: Array
    ratio: Callable[[Array], Array]


def _pieces(tallies: Tallies, scale: str) -> _Piece:
    if why_not(tallies.places, scale, nominal=tallies.nominal):
        return _Piece(np.empty((tallies.items, 0)), lambda t: np.full(len(t), np.nan))
    return _OF_SCALE[scale](tallies)


def why_not(places: Array, scale: str, *, nominal: bool) -> str:
    """Why answers have no distances of that scale, if they have none."""
    if scale == "nominal":
        return ""
    if nominal:
        return WORDS
    if scale == "ratio" and places.min(initial=0.0) < 0:
        return "a ratio scale has no values below 0"
    if scale == "ratio" and len(places) > MOST_POINTS:
        return f"more than {MOST_POINTS:,} different values"
    return ""


def _nominal(tallies: Tallies) -> _Piece:
    form = form_of(tallies, tallies.paired)
    number = tallies.size * tallies.paired
    unequal = tallies.per_judgment(tallies.pairs - tallies.equal)

    def ratio(totals: Array) -> Array:
        return np.asarray(totals[:, 0] / (totals[:, 1] ** 2 * (1 - form.of(totals[:, 2:]))))

    return _Piece(np.column_stack([unequal, number, form.columns]), ratio)


def _ordinal(tallies: Tallies) -> _Piece:
    found = disagreements(tallies)

    def ratio(totals: Array) -> Array:
        observed, expected = np.asarray(found.of(totals)).T
        return np.asarray(observed / expected)

    return _Piece(found.columns, ratio)


def _interval(tallies: Tallies) -> _Piece:
    values = scaled(tallies.places)
    values = values - values[len(values) // 2]
    weights = tallies.count * tallies.paired[tallies.item]
    powers = [tallies.per_item(weights * values[tallies.code] ** power) for power in range(3)]
    observed = tallies.per_judgment(tallies.squared(values))

    def ratio(totals: Array) -> Array:
        far, number, total, squares = totals.T
        return np.asarray(far / (2 * (number * squares - total**2)))

    return _Piece(np.column_stack([observed, *powers]), ratio)


def _ratio(tallies: Tallies) -> _Piece:
    first, second = pairs_within(tallies.item)
    places = scaled(tallies.places)
    low, high = (places[tallies.code[cells]] for cells in (first, second))
    apart = ((high - low) / (high + low)) ** 2 * tallies.count[first] * tallies.count[second]
    sums = summed(tallies.item[first], apart, tallies.items)
    form = form_of(tallies, tallies.paired, _distances(places, places, "ratio"))
    number = tallies.size * tallies.paired

    def ratio(totals: Array) -> Array:
        return np.asarray(totals[:, 0] / (totals[:, 1] ** 2 * form.of(totals[:, 2:])))

    return _Piece(np.column_stack([tallies.per_judgment(sums), number, form.columns]), ratio)


_OF_SCALE: Mapping[str, Callable[[Tallies], _Piece]] = {
    "nominal": _nominal,
    "ordinal": _ordinal,
    "interval": _interval,
    "ratio": _ratio,
}
