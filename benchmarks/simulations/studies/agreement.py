"""Studies of `jurat agreement`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from benchmarks.simulations import claims
from benchmarks.simulations.claims import Keys, Reading, Truth
from benchmarks.simulations.designs import Array, Ratings, Rng
from benchmarks.simulations.study import RESAMPLES, Study, drawn_seed, judged
from jurat.results import Key
from jurat.stats.settings import AgreementSettings

STATISTICS = (
    "fleiss-kappa",
    "krippendorff-alpha",
    "cohen-kappa",
    "icc",
    "pearson-mean",
    "n-agreement",
    "kway-agreement",
    "scott-pi",
    "gwet-ac",
    "brennan-prediger",
    "kendall-w",
    "answer-share",
    "item-spread",
)
# The results whose intervals are checked, and the keys that tell apart several of one name.
COEFFICIENTS: Mapping[str, tuple[str, ...]] = {
    "fleiss-kappa": (),
    "krippendorff-alpha": ("scale",),
    "cohen-kappa": ("weights", "pairs"),
    "icc": ("form",),
    "pearson-mean": (),
    "spearman-mean": (),
    "kendall-mean": ("form",),
    "n-agreement": ("n",),
    "kway-agreement": ("k",),
    "scott-pi": (),
    "gwet-ac": ("weights",),
    "brennan-prediger": ("weights",),
    "kendall-w": (),
    "answer-share": (),
    "spread-correlation": ("with",),
}


@dataclass(frozen=True, kw_only=True)
class Agreement(Study):
    """`jurat agreement` on ratings whose coefficients in the population are known."""

    folders = ("agreement",)
    section = "agreement"
    design: Ratings

    def columns(self) -> Mapping[str, object]:
        """The design."""
        design = self.design
        scale = f"two categories, {design.rare:.0%} rarer" if design.rare else design.scale
        columns: dict[str, object] = {
            "items": design.items,
            "judges": design.judges,
            "scale": scale,
            "agreement": design.agreement,
        }
        if design.documents:
            columns["documents"] = design.documents
        if design.severity:
            columns["severity"] = design.severity
        return columns

    @property
    def smallest(self) -> bool:
        """Twenty items, or as few documents."""
        return min(self.design.items, self.design.documents or self.design.items) <= 20

    def readings(self, rng: Rng) -> Iterator[Reading]:
        """The intervals of all coefficients."""
        settings = AgreementSettings(bootstrap=RESAMPLES, seed=drawn_seed(rng))
        frame = self.design.frame(rng)
        found = claims.computed("agreement", judged(frame), settings, STATISTICS)
        true = _population(self.design)
        seen = frame["value"].unique().sort().to_numpy()
        for name, keys in COEFFICIENTS.items():
            truth = claims.looked_up(true, name)
            if name in OF_SEEN and not self.design.rare:
                truth = _of_seen(name, self.design, seen)
            yield from claims.coverage(found, name, truth, keys)


@cache
def _population(design: Ratings) -> Mapping[Keys, float]:
    """Every coefficient, from a table so large that it hardly varies."""
    frame = design.population().frame(np.random.default_rng(1))
    found = claims.computed("agreement", judged(frame), AgreementSettings(bootstrap=0), STATISTICS)
    return claims.values_by_keys(found)


# Coefficients whose chance and weights are those of the answers that occur, which on a long scale
# are other ones in every campaign: the truth is what these make of the population.
OF_SEEN = ("gwet-ac", "brennan-prediger")


def _of_seen(name: str, design: Ratings, seen: Array) -> Truth:
    """The coefficients of the population with the weights of the answers `seen`."""
    pairs = _pairs(design)
    # an answer that nobody gave lies between its neighbours
    steps = np.arange(len(seen), dtype=np.float64)
    step = np.interp(pairs, seen, steps)
    q, length = len(seen), seen[-1] - seen[0]
    shares = np.unique(pairs, return_counts=True)[1] / pairs.size
    apart: Mapping[str, Callable[[Array, Array], Array]] = {
        "none": lambda x, _: (x != 0).astype(np.float64),
        "linear": lambda x, _: np.abs(x) / length,
        "quadratic": lambda x, _: x**2 / length**2,
        "ordinal": lambda _, d: np.abs(d) * (np.abs(d) + 1) / (q * (q - 1)),
    }

    def truth(by: Mapping[str, Key]) -> float | None:
        distance = apart[str(by["weights"])]
        observed = 1 - distance(pairs[0] - pairs[1], step[0] - step[1]).mean()
        total = (
            1 - distance(seen[:, None] - seen, (steps[:, None] - steps).astype(np.float64))
        ).sum()
        by_chance = (1 - (shares**2).sum()) / (q * (q - 1)) if name == "gwet-ac" else 1 / q**2
        expected = total * by_chance
        return float((observed - expected) / (1 - expected))

    return truth


@cache
def _pairs(design: Ratings) -> Array:
    """Two judgments of each of many items."""
    frame = replace(design.population(), judges=2).frame(np.random.default_rng(1))
    return frame["value"].to_numpy().reshape(-1, 2).T


# Coefficients that new judges of the same kind would have too.
FOR_NEW_JUDGES = ("fleiss-kappa", "krippendorff-alpha", "icc", "pearson-mean")


@dataclass(frozen=True, kw_only=True)
class NewJudges(Agreement):
    """`jurat agreement --draw judges` on judges who are themselves drawn."""

    section = "agreement --draw judges"

    def readings(self, rng: Rng) -> Iterator[Reading]:
        """Intervals that should hold what the agreement of many other judges is."""
        settings = AgreementSettings(bootstrap=RESAMPLES, seed=drawn_seed(rng), draw="judges")
        evaluation = judged(self.design.frame(rng))
        found = claims.computed("agreement", evaluation, settings, FOR_NEW_JUDGES)
        true = _many_judges(self.design)
        for name in FOR_NEW_JUDGES:
            truth = claims.looked_up(true, name)
            yield from claims.coverage(found, name, truth, COEFFICIENTS[name])


@cache
def _many_judges(design: Ratings) -> Mapping[Keys, float]:
    """Every coefficient of so many judges and items that they hardly vary."""
    frame = replace(design, items=2000, judges=60).frame(np.random.default_rng(1))
    settings = AgreementSettings(bootstrap=0)
    found = claims.computed("agreement", judged(frame), settings, FOR_NEW_JUDGES)
    values = claims.values_by_keys(found)
    return {key: value for key, value in values.items() if not _of_means(key)}


def _of_means(key: Keys) -> bool:
    """Whether a coefficient is of the mean of all judges, whose number differs here."""
    return any(name == "form" and str(value).endswith("k") for name, value in key[1])
