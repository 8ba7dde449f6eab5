"""Studies of `jurat heval`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchmarks.simulations import claims
from benchmarks.simulations.claims import Reading, Truth
from benchmarks.simulations.designs import ADEQUACY, FeatureCampaign, Rng
from benchmarks.simulations.studies.systems import campaign_columns
from benchmarks.simulations.study import RESAMPLES, Study, drawn_seed, judged
from jurat.results import Key
from jurat.stats.correlation import pearson, spearman
from jurat.stats.settings import HEvalSettings

CORRELATIONS = {"heval-correlation": pearson, "heval-spearman": spearman}


@dataclass(frozen=True, kw_only=True)
class HEval(Study):
    """`jurat heval --with adequacy` on systems that are equally good."""

    folders = ("heval", "systems")
    section = "heval"
    design: FeatureCampaign

    def columns(self) -> Mapping[str, object]:
        """The design."""
        return {**campaign_columns(self.design), "layout": self.design.layout}

    @property
    def smallest(self) -> bool:
        """Ten documents or three judges."""
        return self.design.documents <= 10 or self.design.judges <= 3

    def readings(self, rng: Rng) -> Iterator[Reading]:
        """Intervals of scores and features for new judges, of correlations for these judges."""
        levels = self.design.levels(rng)
        evaluation = judged(self.design.judged_by(levels, rng))
        settings = HEvalSettings(bootstrap=RESAMPLES, seed=drawn_seed(rng), compared=(ADEQUACY,))
        names = ("heval-score", "heval-feature", "heval-correlation")
        found = claims.computed("heval", evaluation, settings, names)
        means = self.design.feature_means
        score = sum(means.values()) / len(means) / 4
        yield from claims.coverage(found, "heval-score", _by_all(lambda _: score))
        feature = _by_all(lambda by: means[str(by["feature"])])
        yield from claims.coverage(found, "heval-feature", feature)
        population = list(self.design.many_sentences(levels, rng))
        for name, of in CORRELATIONS.items():
            true = [float(of(*pair)) for pair in population]
            yield from claims.coverage(found, name, _by_all(_of_system(true)))


def _of_system(values: list[float]) -> Truth:
    """The value of the system `s2`."""
    return lambda by: values[int(str(by["system"])[1:])]


def _by_all(truth: Truth) -> Truth:
    """What holds of all judges together; what is true of a single judge is another number."""

    def of_all(by: Mapping[str, Key]) -> float | None:
        return None if "judge" in by else truth(by)

    return of_all
