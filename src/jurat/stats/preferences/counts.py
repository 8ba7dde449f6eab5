"""How often each of two systems is preferred, and how often neither."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.estimates import Estimates, bootstrap_estimates, first_method, method_line
from jurat.stats.evaluation import Evaluation
from jurat.stats.phrases import percent
from jurat.stats.preferences.comparisons import (
    KINDS,
    TIE,
    Comparisons,
    PreferenceStatistic,
    comparisons,
)
from jurat.stats.ratings import Array
from jurat.stats.settings import PreferenceSettings
from jurat.tables.schema import OUTCOMES


class PreferenceCount(PreferenceStatistic):
    """Counts and shares of a, b and the kinds of "no preference"."""

    name = "preference-count"
    gives = ("preference-count", "preference-share")
    asks = "How often is each system preferred, and how often neither?"
    formula = "number of decisions with each outcome"
    source = "TAP-ET, section 2.2"
    order = 10

    def results(self, evaluation: Evaluation, settings: PreferenceSettings) -> Iterator[Result]:
        """The counts, then the shares with their intervals."""
        parts = comparisons(evaluation)
        found = [(part, _shares(part, settings)) for part in parts]
        counts = [e for part in parts for e in _counts(part)]
        shares = [e for part, drawn in found for e in _estimates(part, drawn)]
        yield self.preference_result(
            evaluation,
            settings,
            counts,
            method=f"{self.formula}; {_who(parts)}; n counts decisions",
            headline=_headline(parts),
            draw=lambda: _draw(counts),
        )
        yield self.preference_result(
            evaluation,
            settings,
            shares,
            name="preference-share",
            method=method_line(
                f"count / all decisions; {_who(parts)}", first_method([s for _, s in found])
            ),
            draw=lambda: figures.points_with_intervals(
                "Share of each outcome",
                figures.labelled(shares),
                over="outcome",
                value="share of decisions",
                facet="of",
                sort=OUTCOMES,
            ),
        )


def outcome_counts(part: Comparisons) -> Array:
    """Decisions (rows) × outcomes: per system where there are two, else per side as shown."""
    # of more than two systems a is no particular one, only the side on the screen
    codes = part.outcomes if len(part.systems) == 2 else part.shown
    return np.asarray(np.eye(KINDS)[codes])


def _outcomes(part: Comparisons) -> list[int]:
    """a, b and tie always; "both good" and "both bad" where somebody said it."""
    used = np.bincount(part.shown, minlength=KINDS)
    # most tables know one kind of tie only
    return [code for code in range(KINDS) if code <= TIE or used[code]]


def _keys(part: Comparisons, code: int) -> dict[str, Key]:
    return {**part.by, "outcome": OUTCOMES[code]}


def _side(part: Comparisons, code: int) -> str:
    """Which system an outcome speaks of, where there are only two."""
    return part.systems[code] if len(part.systems) == 2 and code < TIE else ""


def _counts(part: Comparisons) -> Iterator[Estimate]:
    total = outcome_counts(part).sum(axis=0)
    for code in _outcomes(part):
        yield Estimate(
            value=float(total[code]),
            n=len(part),
            by=_keys(part, code),
            tags=part.tags,
            side=_side(part, code),
        )


def _shares(part: Comparisons, settings: PreferenceSettings) -> Estimates:
    return bootstrap_estimates(
        outcome_counts(part),
        lambda totals: totals / totals.sum(axis=1, keepdims=True),
        settings=settings,
        clusters=part.item_codes,
    )


def _estimates(part: Comparisons, shares: Estimates) -> Iterator[Estimate]:
    for code in _outcomes(part):
        side = _side(part, code)
        yield shares.estimate(code, n=len(part), by=_keys(part, code), tags=part.tags, side=side)


def _who(parts: tuple[Comparisons, ...]) -> str:
    if parts and len(parts[0].systems) == 2:
        return "a is {}, b is {}, on whichever side they stood".format(*parts[0].systems)
    if parts and not parts[0].sided:
        return "a is the better system, of which the table does not tell on which side it stood"
    return "a is the system shown first, b the one shown second"


def _headline(parts: tuple[Comparisons, ...]) -> str:
    if not parts:
        return "There is nothing to count."
    total = np.sum([outcome_counts(part).sum(axis=0) for part in parts], axis=0)
    first, second = (
        parts[0].systems if len(parts[0].systems) == 2 else ("The system shown first", "the second")
    )
    n = total.sum()
    if len(parts[0].systems) != 2 and not parts[0].sided:
        return f"{int(n):,} decisions prefer one of two systems; preference-wins tells which."
    return (
        f"{first} is preferred in {percent(total[0] / n)} of {int(n):,} decisions, {second} in "
        f"{percent(total[1] / n)}, neither in {percent(total[TIE:].sum() / n)}."
    )


def _draw(estimates: list[Estimate]) -> Figure:
    return figures.bars(
        "How often each outcome was chosen",
        figures.rows(
            figures.labelled([e._replace(by={**e.by, "system": e.side}) for e in estimates])
        ),
        x=figures.axis("outcome", "outcome", "nominal", sort=list(OUTCOMES)),
        y=figures.axis("value", "decisions"),
        colour=figures.axis("of", "question", "nominal"),
    )
