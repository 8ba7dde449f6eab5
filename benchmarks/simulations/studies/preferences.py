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
# How well two judges agree, which is of these two where judges have tastes.
KAPPA = "cohen-kappa"
STATISTICS = (
    "preference-p",
    "sign-test",
    "preference-wins",
    "side-bias",
    "preference-count",
    *SHARED[1:],
    KAPPA,
)


@dataclass(frozen=True, kw_only=True)
class EqualPreferences(Study):
    """`jurat preferences` on two systems that are equally good."""

    folders = ("preferences",)
    section = "preferences"
    design: Comparisons

    def columns(self) -> Mapping[str, object]:
        """The design."""
        design = self.design
        leaning = {"leaning": design.leaning} if design.leaning else {}
        return {
            "documents": design.documents,
            "judges": design.judges,
            "judges a segment": design.each or "one a document",
            "document effect": design.interaction,
            "taste": design.taste,
            "ties": design.ties,
            **leaning,
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
        yield from claims.rejections(found, "preference-p")
        yield from claims.rejections(found, "sign-test")
        yield from claims.rejections(found, "side-bias-p")
        yield from claims.coverage(found, "preference-wins", constant(0.5))
        yield from claims.coverage(found, "side-bias", constant(0.5))
        shares = claims.looked_up(_population(self.design), SHARED[0])
        yield from claims.coverage(found, SHARED[0], shares)
        if self.design.each > 1 and not (self.design.taste or self.design.leaning):
            # agreement is of these judges, who are all alike here
            for name in (*SHARED[1:], KAPPA):
                true = _many_documents if name == KAPPA else _population
                yield from claims.coverage(found, name, claims.looked_up(true(self.design), name))


@cache
def _population(design: Comparisons) -> Mapping[Keys, float]:
    """Every share and coefficient, from so many documents and judges that they hardly vary."""
    return _values(replace(design, documents=6000, judges=6000), STATISTICS)


@cache
def _many_documents(design: Comparisons) -> Mapping[Keys, float]:
    """The kappas of so many documents that they hardly vary, with as many judges."""
    return _values(replace(design, documents=6000), (KAPPA,))


def _values(large: Comparisons, names: tuple[str, ...]) -> Mapping[Keys, float]:
    evaluation = Evaluation(preferences=Preferences(large.frame(np.random.default_rng(1))))
    settings = PreferenceSettings(bootstrap=0)
    return claims.values_by_keys(claims.computed("preferences", evaluation, settings, names))
