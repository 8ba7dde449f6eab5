"""What became of suggestions: kept, changed, removed; and what judges added."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np
import polars as pl

from jurat.results import Estimate, Key, Result
from jurat.stats.estimates import Estimates, common_method, share_estimates
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.independent_units import units_of
from jurat.stats.phrases import percentage, subject
from jurat.stats.ratings import Codes, Ratings, summed
from jurat.stats.statistic import Statistic
from jurat.stats.suggestions.settings import SuggestionSettings

FATES = ("kept", "changed", "removed")
ADDED = "added"
NONE = "there are no suggestions: the tables suggestions and spans of a campaign have them"
NO_MARKS = "no error was marked where suggestions were shown"


class SuggestionFates(Statistic[SuggestionSettings]):
    """The shares of suggestions that judges kept, changed and removed, and of errors added."""

    name = "suggestion-fate"
    formulas: ClassVar = {
        "suggestion-fate": "share of the suggestions shown to judges that were kept as they were, "
        "changed or removed; n counts suggestions",
        "suggestion-added": "share of the errors marked where suggestions were shown that were not "
        "suggested; n counts errors",
        "judge-suggestion-fate": "the shares of suggestion-fate for each judge; n counts the "
        "suggestions shown to them",
    }
    asks = "What do judges make of errors that were marked beforehand?"
    source = (
        "Zouhar, Kocmi and Sachan 2025 (ESA^AI); Wilson 1927 with the design effect of documents"
    )
    needs = ("judge",)
    order = 10
    over = "fate"
    resampled = False

    def results(self, evaluation: Evaluation, settings: SuggestionSettings) -> Iterator[Result]:
        """The fates of all, what was added, and the fates of each judge's."""
        fates: list[Estimate] = []
        added: list[Estimate] = []
        judges: list[Estimate] = []
        methods: list[str] = []
        for ratings in evaluation.ratings:
            suggested = rows_of(ratings, settings.table)
            if suggested is None or suggested.is_empty():
                continue
            found = _fates(ratings, suggested, settings)
            methods.append(found.method)
            fates += _estimates(found, ratings, suggested.height)
            added.append(_added(ratings, evaluation, settings))
            for judge, own in suggested.group_by("judge", maintain_order=True):
                shares = _fates(ratings, own, settings)
                judges += _estimates(shares, ratings, own.height, {"judge": str(judge[0])})
        how = common_method(methods)
        for name, estimates in zip(self.gives, (fates, added, judges), strict=True):
            given = estimates or [Estimate.of(None, 0, reason=NONE)]
            yield self.result(evaluation, settings, given, name=name, how=how, unit=settings.unit)

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """How many were kept; of added ones their share; of judges the extremes."""
        first = known[0]
        if name == "suggestion-added":
            return f"Of the errors marked ({subject(first)}), {percentage(first)} were added."
        kept = [one for one in known if one.by["fate"] == "kept"]
        if name == "suggestion-fate":
            return (
                f"Judges kept {percentage(kept[0])} of {first.n:,} suggestions ({subject(first)})."
            )
        most = max(kept, key=lambda one: one.value or 0.0)
        least = min(kept, key=lambda one: one.value or 0.0)
        return (
            f"{most.by['judge']} kept the most suggestions, {percentage(most)}, and "
            f"{least.by['judge']} the fewest, {percentage(least)}."
        )


def rows_of(ratings: Ratings, table: pl.DataFrame | None) -> pl.DataFrame | None:
    """The rows of another table that belong to these judgments, by the number `row` of theirs."""
    if table is None:
        return None
    keys = ["judge", "item", "question"]
    # A judge may have met an item twice, or in two tasks.
    keys += [name for name in ("position", "task") if name in table.columns and ratings.has(name)]
    judged = ratings.frame.select(keys).with_row_index("row")
    alike = table.with_columns(pl.col(name).cast(judged.schema[name]) for name in keys)
    return alike.join(judged, on=keys, nulls_equal=True, maintain_order="left")


def _fates(ratings: Ratings, suggested: pl.DataFrame, settings: SuggestionSettings) -> Estimates:
    """The shares of the fates."""
    fate = suggested["fate"].to_numpy()
    hits = np.column_stack([fate == one for one in FATES]).astype(np.float64)
    return _shares(ratings, suggested["row"].to_numpy(), hits, settings)


def _shares(
    ratings: Ratings, rows: Codes, hits: np.ndarray, settings: SuggestionSettings
) -> Estimates:
    """Shares of rows that belong to judgments, by units of items."""
    units, items = units_of(ratings, settings), ratings.item_codes[rows]
    taken, code = np.unique(items, return_inverse=True)
    sums = np.column_stack([summed(code, column, len(taken)) for column in hits.T])
    cases = np.repeat(summed(code, np.ones(len(code)), len(taken))[:, None], hits.shape[1], axis=1)
    return share_estimates(
        sums, cases, settings=settings, clusters=units.of_item[taken], words=units.words
    )


def _estimates(
    found: Estimates, ratings: Ratings, n: int, by: dict[str, Key] | None = None
) -> list[Estimate]:
    return [
        found.estimate(at, n=n, about=ratings, by={**(by or {}), "fate": fate})
        for at, fate in enumerate(FATES)
    ]


def _added(ratings: Ratings, evaluation: Evaluation, settings: SuggestionSettings) -> Estimate:
    """The share of marked errors that nobody had suggested."""
    spans = evaluation.spans
    marked = None if spans is None or "fate" not in spans.columns else rows_of(ratings, spans)
    shown = None if marked is None else marked.filter(pl.col("fate").is_not_null())
    if shown is None or shown.is_empty():
        return Estimate.of(None, 0, about=ratings, reason=NO_MARKS)
    hits = (shown["fate"].to_numpy() == ADDED).astype(np.float64)[:, None]
    found = _shares(ratings, shown["row"].to_numpy(), hits, settings)
    return found.estimate(n=shown.height, about=ratings)
