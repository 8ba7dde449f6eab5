"""After how many decisions the quality of judging falls: advice on the size of kits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from jurat.resampling import adjust, permute_signs
from jurat.results import Estimate, Figure
from jurat.stats import figures
from jurat.stats.estimates import method_line
from jurat.stats.evaluation import Evaluation
from jurat.stats.fatigue.slice_trend import slice_measures
from jurat.stats.fatigue.slices import SlicedRatings, SliceStatistic, SliceValues
from jurat.stats.phrases import listed
from jurat.stats.ratings import Array
from jurat.stats.settings import FatigueSettings
from jurat.stats.statistic import Answer, Settings

SURE = 0.05
# Slices before a fall can begin, where it is not one: everybody is slow at the start.
WARM = {"seconds": 2}
NAMED = {
    "sd": "judges' scores vary less",
    "agreement": "judges agree less",
    "seconds": "judges decide faster",
}


class QualityFall(SliceStatistic):
    """The point from which a measure of quality is lower than before, if there is one."""

    name = "quality-fall"
    gives = ("quality-fall",)
    asks = "After how many decisions does quality fall, and how large may a kit be?"
    formula = (
        "decisions before the border of slices after which the measure's mean is lower than before "
        "it, where judges' differences say so (one-sided sign flips, Holm over borders, p < .05): "
        "the border with the largest mean difference / SE; n counts judges with all slices"
    )
    source = "advice after Fomicheva & Specia 2016, section 6 (smaller batches)"
    needs = ("judge",)
    order = 10

    def answers(self, evaluation: Evaluation, settings: FatigueSettings) -> Iterator[Answer]:
        """A change point for every measure, or why there is none."""
        parts = slice_measures(evaluation, settings)
        found = [
            _Finding.of(sliced, values, settings)
            for sliced, measured in parts
            for values in measured
            if values.measure in NAMED
        ]
        estimates = tuple(finding.estimate for finding in found)
        alike = any(sliced.same_order for sliced, _ in parts)
        yield Answer(
            estimates,
            method_line(self.formula, _ALIKE if alike else ""),
            headline=_headline(found, alike=alike),
            draw=lambda: _draw(estimates),
            choices={"seed": settings.seed},
        )


_ALIKE = "judges met the same items at the same place: a slice's items may explain a fall"


class ChangePoint(NamedTuple):
    """The border of slices after which values are lower, its p, and the means around it."""

    border: int
    p: float
    before: float
    after: float


def change_point(values: Array, *, seed: int, warm: int = 1) -> ChangePoint | None:
    """The likeliest border of a fall in values (judges × slices); None where none can be told."""
    borders = range(warm, values.shape[1])
    if not borders or not len(values):
        return None
    # Judges are compared with themselves: what differs between them does not matter.
    changes = np.column_stack(
        [values[:, c:].mean(axis=1) - values[:, :c].mean(axis=1) for c in borders]
    )
    # All borders are tried, so that the smallest p has to be corrected for their number.
    p = adjust(permute_signs(changes, alternative="less", seed=seed).p_value, "holm")
    error = changes.std(axis=0) / np.sqrt(len(changes))
    mean = changes.mean(axis=0)
    # Differences that are all the same have no error: certain, if they go down at all.
    size = np.divide(mean, error, out=np.where(mean < 0, -np.inf, 0.0), where=error > 1e-12)
    # Many borders share the smallest p that permutations can give: then the larger effect counts.
    best = int(np.lexsort((size, p))[0])
    border = borders[best]
    before, after = values[:, :border].mean(), values[:, border:].mean()
    return ChangePoint(border, float(p[best]), float(before), float(after))


class _Finding(NamedTuple):
    """What was found about one measure."""

    measure: str
    estimate: Estimate
    fall: ChangePoint | None = None

    @classmethod
    def of(cls, sliced: SlicedRatings, measured: SliceValues, settings: Settings) -> _Finding:
        values = measured.complete
        by = {**sliced.ratings.by, "measure": measured.measure, **measured.keys}
        fall = change_point(values, seed=settings.seed, warm=WARM.get(measured.measure, 1))
        here = Estimate(None, len(values), by=by, tags=sliced.ratings.tags)
        if fall is None:
            why = "no judge has a value in every slice" if not len(values) else "too few slices"
            return cls(measured.measure, here._replace(reason=why))
        if fall.p >= SURE:
            why = f"no fall was found (smallest p = {fall.p:.3f})"
            return cls(measured.measure, here._replace(reason=why))
        length = float(np.median(sliced.lengths))
        # In decisions of a judge with a typical amount of work, since slices are shares of it.
        decisions = round(length * fall.border / sliced.count)
        return cls(measured.measure, here._replace(value=float(decisions)), fall)


def _headline(found: Sequence[_Finding], *, alike: bool) -> str:
    falls = [f for f in found if f.fall and f.estimate.value is not None]
    # Who decides faster may just have learnt the task: that alone is no loss of quality.
    quality = [f for f in falls if f.measure != "seconds"]
    if not any(f.estimate.n for f in found):
        return ""
    if not falls:
        return "No fall of quality was found over the judges' work: kits of this size seem fine."
    told = listed(list(dict.fromkeys(map(_spoken, falls))))
    told = told[0].upper() + told[1:]
    if not quality:
        return f"{told}; that may be practice, since nothing else falls."
    if alike:
        return (
            f"{told}; but judges met the same items there, so that these may be why and no size of "
            "kits follows: shuffled kits would tell."
        )
    size = min(f.estimate.value or 0.0 for f in quality)
    return f"{told}: kits of at most {size:,.0f} decisions would avoid that."


def _spoken(found: _Finding) -> str:
    assert found.fall is not None
    kind = f" ({found.estimate.by['pairs']})" if "pairs" in found.estimate.by else ""
    numbers = f"{found.fall.before:.2f} before, {found.fall.after:.2f} after"
    return f"{NAMED[found.measure]}{kind} after {found.estimate.value:,.0f} decisions ({numbers})"


def _draw(estimates: Sequence[Estimate]) -> Figure:
    rows = [
        {**row, "what": " ".join(str(row[k]) for k in ("measure", "pairs") if k in row)}
        for row in figures.rows(estimates)
    ]
    return figures.bars(
        "Decisions after which quality falls",
        rows,
        x=figures.axis("value", "decisions"),
        y=figures.axis("what", "measure", "nominal"),
    )
