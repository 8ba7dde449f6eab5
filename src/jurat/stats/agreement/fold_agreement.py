"""Agreement before and after the scale was folded, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.agreement.over_items import resampled
from jurat.stats.agreement.tallies import Tallies
from jurat.stats.agreement.wording import undefined
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Ratings
from jurat.stats.spread import told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.words import interval

COMPARED = (
    ("n-agreement 0", "n-agreement", 0),
    ("n-agreement 1", "n-agreement", 1),
    ("fleiss-kappa", "fleiss-kappa", 0),
    ("krippendorff-alpha interval", "krippendorff-alpha", 2),
)
"""What stands side by side: the statistic, and which of its values."""


class FoldAgreement(Statistic[Settings]):
    """What a coarser scale does to agreement."""

    name = "fold-agreement"
    gives = ("fold-agreement",)
    asks = "Do judges agree better on the folded scale?"
    formula = (
        "n-agreement, Fleiss' kappa and Krippendorff's alpha of the same judgments before and "
        "after folding; n counts items with two judgments or more"
    )
    source = "Hamon et al., section 3.1; TAP-ET, figure 4 (mapped 5pt)"
    place = 12

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """One result where a fold was asked for, else none."""
        judgments = evaluation.judgments
        if judgments is None or not judgments.intake.fold:
            return
        before = Evaluation(judgments=judgments.unfolded()).ratings
        both = [*(("before", r) for r in before), *(("after", r) for r in evaluation.ratings)]
        found = [(scale, ratings.firsts) for scale, ratings in both]
        estimates = tuple(e for one in found for e in _estimates(*one, settings))
        method = resampled(found[0][1], settings)["n-agreement"].method if found else ""
        yield self.result(
            evaluation,
            settings,
            estimates,
            method=told(self.formula, method),
            headline=_headline(estimates),
            draw=lambda: _draw(estimates),
        )


def _estimates(scale: str, ratings: Ratings, settings: Settings) -> Iterator[Estimate]:
    values, tallies = resampled(ratings, settings), Tallies.of(ratings)
    for words, name, at in COMPARED:
        by: dict[str, Key] = {**ratings.by, "statistic": words, "scale": scale}
        if at < len(values[name].values):
            yield values[name].estimate(
                at,
                n=int(tallies.paired.sum()),
                by=by,
                tags=ratings.tags,
                reason=undefined(tallies, "it is not defined for these answers"),
            )


def _headline(estimates: Sequence[Estimate]) -> str:
    kappas = [e for e in estimates if e.by["statistic"] == "fleiss-kappa" and e.value is not None]
    firsts = [next((e for e in kappas if e.by["scale"] == s), None) for s in ("before", "after")]
    if not all(firsts):
        return ""
    before, after = (f"{spoken(e.value)}{interval(e)}" for e in firsts if e)
    return f"Folding the scale takes Fleiss' kappa from {before} to {after}."


def _draw(estimates: Sequence[Estimate]) -> Figure:
    return figures.points_with_intervals(
        "Agreement before and after folding",
        estimates,
        over="statistic",
        value="value",
        facet="question",
        colour="scale",
    )
