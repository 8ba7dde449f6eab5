"""Studies of `jurat preferences`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from benchmarks.simulations import claims
from benchmarks.simulations.claims import Keys, Reading, constant
from benchmarks.simulations.designs import Comparisons, Rng
from benchmarks.simulations.study import RESAMPLES, Study, drawn_seed
from jurat.stats import Evaluation
from jurat.stats.settings import PreferenceSettings
from jurat.tables.preferences import Preferences

# Shares of the outcomes, and how well judges of one segment agree.
SHARED = ("preference-share", "preference-kappa", "preference-agreement")
STATISTICS = ("sign-test", "preference-wins", "side-bias", "preference-count", *SHARED[1:])


@dataclass(frozen=True, kw_only=True)
class EqualPreferences(Study):
    """`jurat preferences` on two systems that are equally good."""

    folders = ("preferences",)
    section = "preferences"
    design: Comparisons

    def columns(self) -> Mapping[str, object]:
        """The design."""
        design = self.design
        return {
            "documents": design.documents,
            "judges": design.judges,
            "judges a segment": design.each or "one a document",
            "document effect": design.interaction,
            "taste": design.taste,
            "ties": design.ties,
        }

    @property
    def smallest(self) -> bool:
        """Ten documents or three judges."""
        return self.design.documents <= 10 or self.design.judges <= 3

    def readings(self, rng: Rng) -> Iterator[Reading]:
        """The sign test, the shares of preferences, and the bias towards a side."""
        evaluation = Evaluation(preferences=Preferences(self.design.frame(rng)))
        settings = PreferenceSettings(bootstrap=RESAMPLES, seed=drawn_seed(rng))
        found = claims.computed("preferences", evaluation, settings, STATISTICS)
        yield from claims.rejections(found, "sign-test")
        yield from claims.rejections(found, "side-bias-p")
        yield from claims.coverage(found, "preference-wins", constant(0.5))
        for name in SHARED if self.design.each > 1 else SHARED[:1]:
            true = claims.looked_up(_population(self.design), name)
            yield from claims.coverage(found, name, true)


@cache
def _population(design: Comparisons) -> Mapping[Keys, float]:
    """Every share and coefficient, from so many documents and judges that they hardly vary."""
    large = replace(design, documents=6000, judges=6000)
    evaluation = Evaluation(preferences=Preferences(large.frame(np.random.default_rng(1))))
    settings = PreferenceSettings(bootstrap=0)
    return claims.values_by_keys(claims.computed("preferences", evaluation, settings, STATISTICS))
