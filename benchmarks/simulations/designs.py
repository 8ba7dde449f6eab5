"""Tables of simulated campaigns whose truth is known: scores, preferences, ratings of items.

Every size of an effect is in residual standard deviations, before the score is put on its scale.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.stats import norm

from jurat.stats.ratings import divide_or_nan

Array = NDArray[np.float64]
Codes = NDArray[np.int64]
Rng = np.random.Generator
Scale = Callable[[Array], Array]

# Standard deviations of documents' and segments' difficulty and of judges' severity: they concern
# all systems alike, so a method that lets them into a comparison is found out.
DIFFICULTY = 0.5
SEVERITY = 0.5


def _points(number: int) -> Scale:
    """An ordinal scale of so many points, cut where a normal variable has equal shares."""
    cuts = norm.ppf(np.arange(1, number) / number) * 1.3
    return lambda latent: np.digitize(latent, cuts).astype(np.float64)


def _skewed(latent: Array) -> Array:
    """From 0 to 100 with a heap at 100, as direct assessment of good systems has it."""
    return np.clip(np.round(85 + 15 * latent), 0, 100)


def _penalties(latent: Array) -> Array:
    """Points off for errors, as MQM counts them: mostly 0 to 5, a few times many more."""
    return np.asarray(-np.round(np.exp(0.3 - latent)), dtype=np.float64)


def _magnitudes(latent: Array) -> Array:
    """Numbers above 0 beside something that counts 100, as magnitude estimation and RankME ask."""
    return np.maximum(1.0, np.round(100 * np.exp(latent / 2)))


SCALES: Mapping[str, Scale] = {
    "continuous": lambda latent: latent,
    "3 points": _points(3),
    "5 points": _points(5),
    "7 points": _points(7),
    "0–100 skewed": _skewed,
    "penalties": _penalties,
    "magnitudes": _magnitudes,
}


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Who judged which translation: one number of each kind a judgment."""

    document: Codes
    segment: Codes
    system: Codes
    judge: Codes
    shift: Array | float = 0.0
    """What is added to each score, such as how much harder a part of the documents is."""


@dataclass(frozen=True, kw_only=True)
class Campaign:
    """Scores of systems, with effects of documents, judges, and both by system."""

    layout: str = "crossed"
    documents: int = 30
    segments: int = 5
    """Of each document."""
    judges: int = 6
    systems: int = 3
    interaction: float = 0.0
    """SD of document × system."""
    taste: float = 0.0
    """SD of judge × system."""
    severity: float = SEVERITY
    """SD of the judges' own levels."""
    habit: float = 0.0
    """SD of judge × document."""
    step: float = 0.0
    """By how much each system is better than the one before it."""
    scale: str = "continuous"

    def effects(self) -> Array:
        """The systems' true qualities."""
        return np.arange(self.systems, dtype=np.float64) * self.step

    def frame(self, rng: Rng, severities: Array | None = None) -> pl.DataFrame:
        """One campaign as a table of judgments, with these levels of its judges or new ones."""
        return self.table(self.drawn_layout(rng), rng, severities)

    def drawn_layout(self, rng: Rng) -> Layout:
        """Who judges what in one campaign."""
        return {**LAYOUTS, **LINKED}[self.layout](self, rng)

    def table(self, layout: Layout, rng: Rng, severities: Array | None = None) -> pl.DataFrame:
        """Judgments of that layout."""
        latent = self.effects()[layout.system] + rng.normal(size=len(layout.system))
        latent += layout.shift
        documents, judges = layout.document.max() + 1, layout.judge.max() + 1
        latent += rng.normal(0, DIFFICULTY, documents)[layout.document]
        latent += rng.normal(0, DIFFICULTY, (documents, self.segments))[
            layout.document, layout.segment
        ]
        own = rng.normal(0, self.severity, judges) if severities is None else severities
        latent += own[layout.judge]
        latent += rng.normal(0, self.interaction, (documents, self.systems))[
            layout.document, layout.system
        ]
        latent += rng.normal(0, self.taste, (judges, self.systems))[layout.judge, layout.system]
        if self.habit:
            latent += rng.normal(0, self.habit, (judges, documents))[layout.judge, layout.document]
        return _judgments(layout, SCALES[self.scale](latent))

    @cached_property
    def means(self) -> Array:
        """The true mean score of each system on the scale."""
        spread = 1 + 2 * DIFFICULTY**2 + self.severity**2 + self.interaction**2 + self.taste**2
        # Quantiles at the middle of equal shares integrate the normal density.
        normal = norm.ppf((np.arange(200_000) + 0.5) / 200_000) * np.sqrt(spread)
        scale = SCALES[self.scale]
        return np.array([scale(effect + normal).mean() for effect in self.effects()])

    def error(self) -> float:
        """The standard error of a difference of two systems, were all variances known."""
        judgments = (
            self.documents * self.segments * (self.judges if self.layout == "crossed" else 1)
        )
        judges = min(self.judges, self.documents)
        parts = (1 / judgments, self.interaction**2 / self.documents, self.taste**2 / judges)
        return float(np.sqrt(2 * sum(parts)))

    def population(self) -> Campaign:
        """A campaign large enough to tell what each coefficient is in the population."""
        return replace(self, layout="nested", documents=12_000, judges=12_000, segments=4)


def _judgments(layout: Layout, values: Array) -> pl.DataFrame:
    codes = pl.DataFrame(
        {"d": layout.document, "g": layout.segment, "s": layout.system, "j": layout.judge}
    )
    return codes.select(
        document=pl.format("d{}", "d"),
        segment=pl.format("d{}-{}", "d", "g"),
        item=pl.format("d{}-{}-s{}", "d", "g", "s"),
        system=pl.format("s{}", "s"),
        judge=pl.format("j{}", "j"),
        value=pl.Series(values),
    )


def _grid(campaign: Campaign, *further: int) -> list[Codes]:
    shape = (campaign.documents, campaign.segments, campaign.systems, *further)
    return [codes.ravel() for codes in np.indices(shape)]


def crossed(campaign: Campaign, _: Rng) -> Layout:
    """Every judge judges everything."""
    document, segment, system, judge = _grid(campaign, campaign.judges)
    return Layout(document=document, segment=segment, system=system, judge=judge)


def nested(campaign: Campaign, _: Rng) -> Layout:
    """A document is judged by one judge, for all systems."""
    document, segment, system = _grid(campaign)
    judge = document % campaign.judges
    return Layout(document=document, segment=segment, system=system, judge=judge)


def spread(campaign: Campaign, rng: Rng) -> Layout:
    """The systems of a segment go to different judges."""
    document, segment, system = _grid(campaign)
    first = rng.integers(campaign.judges, size=(campaign.documents, campaign.segments))
    judge = (first[document, segment] + system) % campaign.judges
    return Layout(document=document, segment=segment, system=system, judge=judge)


def unbalanced(campaign: Campaign, rng: Rng) -> Layout:
    """Each system has two thirds of the documents, each by a judge drawn for it."""
    document, segment, system = _grid(campaign)
    chosen = rng.random((campaign.documents, campaign.systems)) < 2 / 3
    # The first two documents link all systems, whatever was drawn.
    chosen[:2] = True
    drawn = rng.integers(campaign.judges, size=(campaign.documents, campaign.systems))
    kept = chosen[document, system]
    document, segment, system = document[kept], segment[kept], system[kept]
    judge = drawn[document, system]
    return Layout(document=document, segment=segment, system=system, judge=judge)


def sites(campaign: Campaign, _: Rng) -> Layout:
    """Half of the judges have all systems but the last, the stricter others all but the first.

    Each document has a judge of either half.
    """
    document, segment, system, site = _grid(campaign, 2)
    kept = system != (campaign.systems - 1) * (1 - site)
    document, segment, system, site = (c[kept] for c in (document, segment, system, site))
    half = campaign.judges // 2
    judge = document % half + half * site
    return Layout(document=document, segment=segment, system=system, judge=judge, shift=-1.0 * site)


def parts(campaign: Campaign, _: Rng) -> Layout:
    """The first system has the easier half of the documents, the last the harder one."""
    document, segment, system = _grid(campaign)
    harder = (2 * document >= campaign.documents).astype(np.int64)
    kept = system != (campaign.systems - 1) * (1 - harder)
    document, segment, system, harder = (c[kept] for c in (document, segment, system, harder))
    judge = document % campaign.judges
    return Layout(
        document=document, segment=segment, system=system, judge=judge, shift=-1.0 * harder
    )


LAYOUTS: Mapping[str, Callable[[Campaign, Rng], Layout]] = {
    "crossed": crossed,
    "nested": nested,
    "spread": spread,
    "unbalanced": unbalanced,
}
# Layouts in which the first and the last system are linked by others only.
LINKED: Mapping[str, Callable[[Campaign, Rng], Layout]] = {"sites": sites, "parts": parts}


@dataclass(frozen=True, kw_only=True)
class AdaptiveCampaign(Campaign):
    """Kits of one document and one judge, chosen with unequal probabilities that are recorded.

    A document on which an earlier system is ahead is chosen less often, so that an unweighted mean
    takes the later systems for better than they are.
    """

    layout: str = "nested"

    def table(self, layout: Layout, rng: Rng, severities: Array | None = None) -> pl.DataFrame:
        """Judgments of the documents that were drawn, with the column `probability`."""
        ahead, chance = self._chosen_documents(rng)
        plain = replace(self, interaction=0.0)
        rows = Campaign.table(plain, layout, rng, severities)
        value = pl.col("value") + pl.Series(ahead[layout.document, layout.system])
        return rows.with_columns(
            value=value,
            probability=pl.Series(chance[layout.document]),
            kit=pl.col("document"),
        )

    def _chosen_documents(self, rng: Rng) -> tuple[Array, Array]:
        """Their effects by system, and the probability with which each was chosen."""
        # A document is chosen with a tenth to nine tenths, so some thirty times as many are enough.
        size = (30 * self.documents, self.systems)
        drawn = rng.normal(0, max(self.interaction, 0.2), size)
        chance = np.clip(norm.cdf(2 * (drawn[:, -1] - drawn[:, 0])), 0.1, 0.9)
        chosen = np.flatnonzero(rng.random(len(drawn)) < chance)[: self.documents]
        return drawn[chosen], chance[chosen]


# Points of a HEval feature, from 0 to 4, and how much easier each feature is than no bias at all.
POINTS = _points(5)
FEATURES: Mapping[str, float] = {"tense": 0.2, "order": 0.6, "voice": 1.0, "lexis": -0.2}
# SD of what each answer to a feature, or to adequacy, has of its own; how often one does not apply.
ANSWER = 0.7
NOT_APPLICABLE = 0.1
ADEQUACY = "adequacy"


@dataclass(frozen=True, kw_only=True)
class FeatureCampaign(Campaign):
    """Points of HEval features, and adequacy, that all follow the judge's score of a sentence."""

    def levels(self, rng: Rng) -> Array:
        """Severity and taste of new judges together (judges × systems)."""
        severity = rng.normal(0, self.severity, (self.judges, 1))
        return severity + rng.normal(0, self.taste, (self.judges, self.systems))

    def judged_by(self, levels: Array, rng: Rng) -> pl.DataFrame:
        """One campaign of these judges as a long table: a row a judge, translation and question."""
        layout = self.drawn_layout(rng)
        plain = replace(self, taste=0.0)
        table = Campaign.table(plain, layout, rng, severities=np.zeros(self.judges))
        latent = table["value"].to_numpy() + levels[layout.judge, layout.system]
        answers = self._answers(latent, rng)
        asked = [
            table.with_columns(question=pl.lit(name), value=pl.Series(values))
            for name, values in answers.items()
        ]
        return pl.concat(asked).filter(pl.col("value").is_not_nan())

    @staticmethod
    def _answers(latent: Array, rng: Rng) -> dict[str, Array]:
        """Points of each feature, NaN where it does not apply, and of adequacy."""
        found = {}
        for name, easier in FEATURES.items():
            points = POINTS(latent + easier + rng.normal(0, ANSWER, latent.shape))
            found[name] = np.where(rng.random(latent.shape) < NOT_APPLICABLE, np.nan, points)
        found[ADEQUACY] = POINTS(latent + rng.normal(0, ANSWER, latent.shape)) + 1
        return found

    @cached_property
    def feature_means(self) -> Mapping[str, float]:
        """The true mean of each feature over new documents and judges, the same of all systems."""
        spread = 1 + 2 * DIFFICULTY**2 + self.severity**2 + self.interaction**2 + self.taste**2
        normal = norm.ppf((np.arange(200_000) + 0.5) / 200_000) * np.sqrt(spread + ANSWER**2)
        return {name: float(POINTS(easier + normal).mean()) for name, easier in FEATURES.items()}

    def many_sentences(self, levels: Array, rng: Rng) -> Iterator[tuple[Array, Array]]:
        """Scores (NaN where there is none) and adequacy of each system from these judges.

        Of several judges of a sentence means. Correlations of so many sentences hardly vary.
        """
        size = 10_000
        common = np.sqrt(2 * DIFFICULTY**2 + self.interaction**2)
        judge = np.tile(np.arange(self.judges), (size, 1))
        if self.layout == "nested":
            judge = (np.arange(size) % self.documents % self.judges)[:, None]
        for system in range(self.systems):
            latent = rng.normal(0, common, (size, 1)) + rng.normal(size=judge.shape)
            answers = self._answers(latent + levels[judge, system], rng)
            adequacy = answers.pop(ADEQUACY).mean(axis=1)
            points = np.stack(list(answers.values()))
            applies = ~np.isnan(points)
            score = divide_or_nan(np.where(applies, points, 0.0).sum(axis=0), applies.sum(axis=0))
            known = ~np.isnan(score)
            # A sentence to which nothing applies has no score, and is left out of the judges' mean.
            yield (
                divide_or_nan(np.where(known, score, 0.0).sum(axis=1), known.sum(axis=1)),
                adequacy,
            )


@dataclass(frozen=True, kw_only=True)
class Ratings:
    """Ratings of items by all judges, on an ordinal scale or in categories without order."""

    items: int = 50
    judges: int = 4
    scale: str = "5 points"
    agreement: float = 0.5
    """The share of the variance that belongs to the item; of nominal ratings, how often a judge
    gives the item's own category instead of one by chance."""
    rare: float = 0.0
    """The share of the rarer of two categories; 0 for a scale."""
    documents: int = 0
    """Into which the items fall, with half the items' variance; 0 where they are not known."""
    severity: float = 0.0
    """SD of the judges' own levels, new in every campaign."""

    def frame(self, rng: Rng) -> pl.DataFrame:
        """One table of ratings."""
        shape = (self.items, self.judges)
        item, judge = (codes.ravel() for codes in np.indices(shape))
        values = self._categories(rng) if self.rare else self._scores(rng)
        codes = pl.DataFrame({"i": item, "j": judge, "d": self._document()[item]})
        table = codes.select(
            item=pl.format("i{}", "i"),
            judge=pl.format("j{}", "j"),
            document=pl.format("d{}", "d"),
            value=pl.Series(values.ravel()),
        )
        return table if self.documents else table.drop("document")

    def _document(self) -> Codes:
        return np.arange(self.items) * max(self.documents, 1) // self.items

    def _scores(self, rng: Rng) -> Array:
        item = rng.normal(size=self.items)
        if self.documents:
            shared = rng.normal(size=self.documents)[self._document()]
            item = np.sqrt(0.5) * (item + shared)
        own = rng.normal(0, self.severity, self.judges)
        error = rng.normal(size=(self.items, self.judges))
        share = self.agreement
        latent = np.sqrt(share) * item[:, None] + np.sqrt(1 - share) * error + own
        return SCALES[self.scale](latent)

    def _categories(self, rng: Rng) -> Array:
        true = rng.random(self.items) < self.rare
        guess = rng.random((self.items, self.judges)) < self.rare
        knows = rng.random((self.items, self.judges)) < np.sqrt(self.agreement)
        return np.where(knows, true[:, None], guess).astype(np.float64)

    def population(self) -> Ratings:
        """The same with so many items (and documents) that coefficients hardly vary."""
        items = 100_000
        documents = items * self.documents // self.items if self.documents else 0
        return replace(self, items=items, documents=documents)


@dataclass(frozen=True, kw_only=True)
class Comparisons:
    """Preferences between two systems that are equally good, with ties."""

    documents: int = 30
    segments: int = 5
    judges: int = 6
    each: int = 2
    """Judges of every segment; 0: one judge a document."""
    interaction: float = 0.0
    taste: float = 0.0
    ties: float = 0.3
    """The share of judgments without a preference."""
    leaning: float = 0.0
    """SD of how far each judge prefers the side shown first, or the other."""

    def frame(self, rng: Rng) -> pl.DataFrame:
        """One table of preferences."""
        shape = (self.documents, self.segments, max(self.each, 1))
        document, segment, place = (codes.ravel() for codes in np.indices(shape))
        first = rng.integers(self.judges, size=shape[:2])[document, segment]
        judge = (first + place) % self.judges if self.each else document % self.judges
        latent = (
            rng.normal(size=len(document)) + rng.normal(0, DIFFICULTY, shape[:2])[document, segment]
        )
        latent += rng.normal(0, np.sqrt(2) * self.interaction, self.documents)[document]
        latent += rng.normal(0, np.sqrt(2) * self.taste, self.judges)[judge]
        # Which of the two is shown first is drawn; all judges together prefer no side.
        swapped = rng.random(len(document)) < 0.5
        ahead = np.where(swapped, -latent, latent)
        if self.leaning:
            ahead += rng.normal(0, self.leaning, self.judges)[judge]
        border = norm.ppf(0.5 + self.ties / 2) * latent.std()
        outcome = np.where(np.abs(ahead) <= border, "tie", np.where(ahead > 0, "a", "b"))
        codes = pl.DataFrame({"d": document, "g": segment, "j": judge})
        return codes.select(
            document=pl.format("d{}", "d"),
            segment=pl.format("d{}-{}", "d", "g"),
            item=pl.format("d{}-{}", "d", "g"),
            judge=pl.format("j{}", "j"),
            system_a=pl.Series(np.where(swapped, "s1", "s0")),
            system_b=pl.Series(np.where(swapped, "s0", "s1")),
            outcome=pl.Series(outcome),
        )
