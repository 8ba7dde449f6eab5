"""After how many decisions the quality of judging falls: advice on the size of kits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from jurat.resampling import adjust, permute_signs
from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.fatigue.courses import Followed, followed
from jurat.stats.fatigue.slices import Course, Slicing
from jurat.stats.ratings import Array
from jurat.stats.spread import told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.words import listed

SURE = 0.05
WARM = {"seconds": 2}
"""Slices before a fall can begin, where it is not one: everybody is slow at the start."""
NAMED = {
    "sd": "judges' scores vary less",
    "agreement": "judges agree less",
    "seconds": "judges decide faster",
}


class QualityFall(Statistic[Slicing]):
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
    place = 10

    def results(self, evaluation: Evaluation, settings: Slicing) -> Iterator[Result]:
        """A point of fall for every measure, or why there is none."""
        parts = followed(evaluation, settings)
        found = [
            _Fall.of(part, course, settings)
            for part in parts
            for course in part[1]
            if course.measure in NAMED
        ]
        estimates = tuple(fall.estimate for fall in found)
        alike = any(part[0].same_order for part in parts)
        yield self.result(
            evaluation,
            settings,
            estimates,
            method=told(self.formula, _ALIKE if alike else ""),
            headline=_headline(found, alike=alike),
            draw=lambda: _draw(estimates),
            slices=settings.slices,
            group=settings.group,
            source=settings.source,
            seed=settings.seed,
        )


_ALIKE = "judges met the same items at the same place: a slice's items may explain a fall"


class Fall(NamedTuple):
    """The border of slices after which values are lower, its p, and the means around it."""

    border: int
    p: float
    before: float
    after: float


def fall_of(values: Array, *, seed: int, warm: int = 1) -> Fall | None:
    """The likeliest border of a fall in values (judges × slices); None where none can be told."""
    borders = range(warm, values.shape[1])
    if not borders or not len(values):
        return None
    changes = np.column_stack(
        [values[:, c:].mean(axis=1) - values[:, :c].mean(axis=1) for c in borders]
    )
    p = adjust(permute_signs(changes, alternative="less", seed=seed).p_value, "holm")
    error = changes.std(axis=0) / np.sqrt(len(changes))
    mean = changes.mean(axis=0)
    size = np.divide(mean, error, out=np.where(mean < 0, -np.inf, 0.0), where=error > 1e-12)
    best = int(np.lexsort((size, p))[0])
    border = borders[best]
    before, after = values[:, :border].mean(), values[:, border:].mean()
    return Fall(border, float(p[best]), float(before), float(after))


class _Fall(NamedTuple):
    """What was found about one measure."""

    measure: str
    estimate: Estimate
    fall: Fall | None = None

    @classmethod
    def of(cls, part: Followed, course: Course, settings: Settings) -> _Fall:
        sliced, values = part[0], course.complete
        by = {**sliced.ratings.by, "measure": course.measure, **course.keys}
        fall = fall_of(values, seed=settings.seed, warm=WARM.get(course.measure, 1))
        here = Estimate(None, len(values), by=by, tags=sliced.ratings.tags)
        if fall is None:
            why = "no judge has a value in every slice" if not len(values) else "too few slices"
            return cls(course.measure, here._replace(reason=why))
        if fall.p >= SURE:
            why = f"no fall was found (smallest p = {fall.p:.3f})"
            return cls(course.measure, here._replace(reason=why))
        length = float(np.median(sliced.lengths))
        decisions = round(length * fall.border / sliced.count)
        return cls(course.measure, here._replace(value=float(decisions)), fall)


def _headline(found: Sequence[_Fall], *, alike: bool) -> str:
    falls = [f for f in found if f.fall and f.estimate.value is not None]
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


def _spoken(found: _Fall) -> str:
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
