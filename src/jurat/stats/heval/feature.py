"""The profile of each system: how well it does each of the features."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jurat.results import Estimate, Figure, Result, spoken
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.heval.means import means
from jurat.stats.heval.sheets import HEVAL, HEvalSettings, Sheet, sheets
from jurat.stats.spread import told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.words import listed

WEAKEST = 2
"""Features that a headline names for each system."""
NO_FEATURES = "there are scores only, and no features"


class HEvalFeature(Statistic[Settings]):
    """What a system gets wrong: the mean of each feature, not applicable ones left out."""

    name = "heval-feature"
    gives = ("heval-feature",)
    asks = "Which features does each system get wrong?"
    formula = "mean points of a feature over the sentences to which it applies"
    source = "Joshi et al. 2013, section 4 and conclusion"
    needs = ("system",)
    place = 20

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A number for each feature and system."""
        asked = HEvalSettings.of(settings)
        found = list(sheets(evaluation, asked))
        estimates = tuple(e for sheet in found for e in profile(sheet, asked))
        yield self.result(
            evaluation,
            asked,
            estimates,
            method=told(f"{self.formula}; n counts answers", found[0].drawn(estimates, asked)),
            headline=_headline(estimates, asked.top),
            draw=lambda: _draw(estimates),
        )


def profile(sheet: Sheet, settings: HEvalSettings) -> Iterator[Estimate]:
    """The mean of each feature in the features' own order, system by system."""
    if sheet.answers.is_empty():
        yield sheet.nothing(NO_FEATURES)
        return
    found = {
        (mean.by["system"], mean.by["feature"]): mean
        for mean in means(sheet.answers, apart=["system"], beside="feature", settings=settings)
    }
    for system in dict.fromkeys(system for system, _ in found):
        for feature in sheet.features:
            by = {"question": HEVAL, "feature": feature, "system": system}
            mean = found.get((system, feature))
            never = Estimate(None, 0, by, sheet.tags, reason="applies to no sentence")
            yield mean.estimate(by, sheet.tags) if mean else never


def _headline(estimates: Sequence[Estimate], top: float) -> str:
    """The weakest features of each system."""
    systems: dict[tuple[object, ...], list[Estimate]] = {}
    for e in estimates:
        if e.value is not None:
            systems.setdefault((e.by["system"], *e.tags.values()), []).append(e)
    told_of = [_weakest(name, own) for name, own in systems.items()]
    return f"Weakest features (of {top:g} points): {'; '.join(told_of[:8])}." if told_of else ""


def _weakest(name: tuple[object, ...], estimates: Sequence[Estimate]) -> str:
    worst = sorted(estimates, key=lambda e: e.value or 0.0)[:WEAKEST]
    parts = [f"{e.by['feature']} {spoken(e.value)}" for e in worst]
    return f"{' '.join(map(str, name))}: {listed(parts)}"


def _draw(estimates: Sequence[Estimate]) -> Figure:
    data = figures.rows(estimates)
    order = list(dict.fromkeys(row["feature"] for row in data))
    return figures.heat(
        "Mean of each feature",
        data,
        x=figures.axis("system", "system", "nominal"),
        y=figures.axis("feature", "feature", "nominal", sort=order),
        colour=figures.axis("value", "mean points"),
    )
