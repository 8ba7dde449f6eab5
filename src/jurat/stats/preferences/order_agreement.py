"""Whether scores and preferences say the same about two systems on a segment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.preferences.comparisons import Comparing, of_pairs
from jurat.stats.preferences.places import Order, orders, segment_keys
from jurat.stats.preferences.settled import settled_preferences
from jurat.stats.spread import Spread, first_method, spread, told
from jurat.stats.statistic import Statistic
from jurat.stats.words import interval, percent

KINDS = (
    "the lower one preferred",
    "no preference, within one category",
    "no preference, further apart",
)
MOST_LISTED = 50
"""Kinds of answers that are listed, the most frequent first."""
NEAR = 1e-9
"""Means of places that are equal on paper count as equal."""
ANSWERS = "adjudicated answers where there are any, else judges' mean place and each decision"


class OrderAgreement(Statistic[Comparing]):
    """TAP-ET's comparison of adequacy and preference."""

    name = "order-agreement"
    gives = ("order-agreement", "order-mismatch", "order-mismatch-answers")
    asks = "Do judges prefer the system that they also score higher?"
    formula = (
        "share of preferences whose system has an equal or higher place, “no preference” only "
        "where places are equal"
    )
    source = "TAP-ET, section 5.1.3"
    needs = ("system_a", "system_b", "outcome")
    place = 70

    def results(self, evaluation: Evaluation, settings: Comparing) -> Iterator[Result]:
        """The share that agrees, and the mismatches by kind and by answers."""
        found = [
            _Compared.of(order, question, tags, rows, settings)
            for order in orders(evaluation, settings.protocol)
            for question, tags, rows in settled_preferences(evaluation)
        ]
        yield self._result(
            evaluation,
            settings,
            [one.share() for one in found] or [_nothing(evaluation, found)],
            method=told(
                f"{self.formula}; {ANSWERS}; n counts preferences with both systems scored",
                first_method([one.spread for one in found if one.spread]),
            ),
            headline=_headline(found),
        )
        kinds = [e for one in found for e in one.kinds()]
        yield self._result(
            evaluation,
            settings,
            kinds or [_nothing(evaluation, found)],
            name="order-mismatch",
            method=f"preferences that disagree, by kind; {ANSWERS}; n counts all preferences",
            draw=(lambda: _draw(kinds)) if kinds else None,
        )
        yield self._result(
            evaluation,
            settings,
            [e for one in found for e in one.answers()] or [_nothing(evaluation, found)],
            name="order-mismatch-answers",
            method=f"preferences that disagree, by the answers of both systems; {ANSWERS}",
        )

    def _result(
        self,
        evaluation: Evaluation,
        settings: Comparing,
        estimates: list[Estimate],
        **more: Any,
    ) -> Result:
        protocol = settings.protocol.name if settings.protocol else None
        return self.result(of_pairs(evaluation), settings, estimates, protocol=protocol, **more)


def agrees(outcomes: pl.Series, first: pl.Series, second: pl.Series) -> pl.Series:
    """Whether each outcome fits the places (1 is best) of the systems a and b."""
    rows = pl.DataFrame({"outcome": outcomes, "apart": first - second})
    apart, outcome = pl.col("apart"), pl.col("outcome")
    fits = (
        pl.when(outcome == "a")
        .then(apart <= NEAR)
        .when(outcome == "b")
        .then(apart >= -NEAR)
        .otherwise(apart.abs() <= NEAR)
    )
    return rows.select(fits).to_series()


class _Compared(NamedTuple):
    """Preferences of one question and split, beside the places of both systems."""

    order: Order
    by: dict[str, Key]
    tags: dict[str, Key]
    rows: pl.DataFrame
    spread: Spread | None

    @classmethod
    def of(
        cls,
        order: Order,
        question: str,
        tags: dict[str, Key],
        preferences: pl.DataFrame,
        settings: Comparing,
    ) -> _Compared:
        rows = _beside(preferences, order)
        drawn = _drawn(rows, order, settings) if rows.height else None
        by: dict[str, Key] = {"question": question, "order": order.name}
        return cls(order, by, tags, rows, drawn)

    def share(self) -> Estimate:
        n = self.rows.height
        if self.spread is None:
            reason = "no preference is about two systems that were both scored on its segment"
            return Estimate(value=None, n=0, by=self.by, tags=self.tags, reason=reason)
        return self.spread.estimate(n=n, by=self.by, tags=self.tags)

    def kinds(self) -> Iterator[Estimate]:
        counts = dict(self._mismatches().group_by("kind").len().iter_rows())
        for kind in KINDS if self.rows.height else ():
            by = {**self.by, "kind": kind}
            value = float(counts.get(kind, 0))
            yield Estimate(value=value, n=self.rows.height, by=by, tags=self.tags)

    def answers(self) -> Iterator[Estimate]:
        kinds = self._mismatches().group_by("kind", "higher", "lower").len()
        order = kinds.sort("len", "kind", "higher", "lower", descending=[True, False, False, False])
        for kind, higher, lower, count in order.head(MOST_LISTED).iter_rows():
            by = {**self.by, "kind": kind, "higher": higher, "lower": lower}
            yield Estimate(value=float(count), n=self.rows.height, by=by, tags=self.tags)

    def _mismatches(self) -> pl.DataFrame:
        """Preferences that do not agree, by kind, with the answers of the higher and the lower."""
        near = (pl.col("category") - pl.col("category_b")).abs() <= 1 + NEAR
        chosen = pl.col("outcome").is_in(["a", "b"])
        kind = pl.when(chosen).then(pl.lit(KINDS[0])).when(near).then(pl.lit(KINDS[1]))
        first = pl.col("place") < pl.col("place_b")
        return self.rows.filter(~pl.col("agrees")).select(
            kind.otherwise(pl.lit(KINDS[2])).alias("kind"),
            higher=pl.when(first).then("told").otherwise("told_b"),
            lower=pl.when(first).then("told_b").otherwise("told"),
        )


def _beside(preferences: pl.DataFrame, order: Order) -> pl.DataFrame:
    """Preferences with place, category and answers of both systems, where both were scored."""
    keys = [*order.keys, "system"]
    first, second = ([*order.keys, f"system_{side}"] for side in "ab")
    rows = preferences.select(*order.keys, "system_a", "system_b", "outcome")
    rows = rows.join(order.frame, left_on=first, right_on=keys, maintain_order="left")
    rows = rows.join(order.frame, left_on=second, right_on=keys, suffix="_b", maintain_order="left")
    fits = agrees(rows["outcome"], rows["place"], rows["place_b"])
    return rows.with_columns(fits.alias("agrees"))


def _drawn(rows: pl.DataFrame, order: Order, settings: Comparing) -> Spread:
    segments = rows.select(pl.struct(order.keys).rank("dense")).to_series().to_numpy()
    columns = np.column_stack([rows["agrees"].to_numpy(), np.ones(rows.height)])
    return spread(
        columns.astype(np.float64),
        lambda t: t[:, 0] / t[:, 1],
        settings=settings,
        clusters=segments,
    )


def _nothing(evaluation: Evaluation, found: Sequence[_Compared]) -> Estimate:
    """Why there is nothing to list."""
    judged = evaluation.judged
    if evaluation.judgments is None:
        reason = "needs judgments of the same segments, as a campaign has that asks for both"
    elif "system" not in judged.columns:
        reason = "needs the column system"
    elif not segment_keys(judged, evaluation.compared):
        reason = "needs document, segment or item in both tables"
    elif found and any(one.rows.height for one in found):
        return Estimate(value=0.0, n=sum(one.rows.height for one in found))
    else:
        reason = "no preference is about two systems that were both scored on its segment"
    return Estimate(value=None, n=0, reason=reason)


def _headline(found: Sequence[_Compared]) -> str:
    for one in found:
        share = one.share()
        if share.value is not None:
            wrong = round((1 - share.value) * share.n)
            return (
                f"Preferences agree with the order by {one.order.name} in {percent(share.value)} "
                f"of {share.n:,}{interval(share)}; {wrong:,} do not."
            )
    return "Preferences cannot be held against scores."


def _draw(mismatches: list[Estimate]) -> Figure:
    return figures.bars(
        "Preferences that scores do not bear out",
        figures.rows(mismatches),
        x=figures.axis("value", "preferences"),
        y=figures.axis("kind", "kind", "nominal"),
        colour=figures.axis("order", "order", "nominal"),
    )
