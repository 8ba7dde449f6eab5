"""The share of the time that each part of the screen takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.estimates import Estimates, bootstrap_estimates
from jurat.stats.evaluation import Evaluation
from jurat.stats.phrases import headline_prefix, listed, percent
from jurat.stats.ratings import Array
from jurat.stats.settings import TimeSettings
from jurat.stats.time.decision_times import DecisionTimes, TimeStatistic, decision_times
from jurat.tables.schema import cast_column


class SecondsShare(TimeStatistic):
    """Guzmán et al.'s proportions of time on source, reference and translation."""

    name = "seconds-share"
    gives = ("seconds-share",)
    asks = "Which part of the screen does the time go to?"
    formula = "mean over decisions of a part's seconds / all seconds"
    source = "Guzmán et al. 2015, table of time proportions"
    order = 60

    def results(self, evaluation: Evaluation, settings: TimeSettings) -> Iterator[Result]:
        """Every part of every question and split."""
        found = [(one, _shares(one, settings)) for one in decision_times(evaluation)]
        estimates = [e for one, shares in found for e in _estimates(one, shares, settings)]
        yield self.time_result(
            evaluation,
            settings,
            estimates,
            method=f"{self.formula}; n counts decisions",
            made=[shares for _, (shares, _) in found if shares],
            missing="needs columns with the times of parts",
            headline=_headline([one for one, _ in found], estimates, len(settings.parts)),
            draw=lambda: _draw(estimates),
            parts="+".join(settings.parts),
        )


def _shares(one: DecisionTimes, settings: TimeSettings) -> tuple[Estimates | None, int]:
    """The mean share of each part, and of how many decisions."""
    there = [name for name in settings.parts if one.has(name)]
    # shares of some of the parts would look like shares of all
    if len(there) < max(1, len(settings.parts)):
        return None, 0
    parts = one.frame.select(cast_column(one.frame[n], pl.Float64).alias(n) for n in there)
    share = (
        parts.to_numpy().astype(np.float64)
        / np.where(one.seconds > 0, one.seconds, np.nan)[:, None]
    )
    # a decision without time for one part is left out for all, so that shares add up
    known = ~np.isnan(share).any(axis=1)
    if not known.any():
        return None, 0
    columns = np.column_stack([share[known], np.ones(known.sum())])
    judges = one.judge_codes[known] if one.judge_codes.any() else None
    return bootstrap_estimates(columns, _mean, settings=settings, clusters=judges), int(known.sum())


def _mean(totals: Array) -> Array:
    return np.asarray(totals[:, :-1] / totals[:, -1:])


def _estimates(
    one: DecisionTimes, found: tuple[Estimates | None, int], settings: TimeSettings
) -> Iterator[Estimate]:
    shares, n = found
    for at, part in enumerate(settings.parts):
        by = {**one.by, "part": part}
        if shares is None:
            missing = [name for name in settings.parts if not one.has(name)]
            reason = f"needs the column {listed(missing)}" if missing else "no part has a time"
            yield Estimate(value=None, n=0, by=by, tags=one.tags, reason=reason)
        else:
            yield shares.estimate(at, n=n, by=by, tags=one.tags)


def _headline(all_times: Sequence[DecisionTimes], estimates: list[Estimate], parts: int) -> str:
    for one, start in zip(all_times, range(0, len(estimates), parts or 1), strict=False):
        known = [e for e in estimates[start : start + parts] if e.value is not None]
        if known:
            most = max(known, key=lambda e: e.value or 0.0)
            share = percent(most.value or 0.0)
            return (
                f"{headline_prefix(one, all_times)}{share} of the time goes to {most.by['part']}."
            )
    return ""


def _draw(estimates: list[Estimate]) -> Figure:
    return figures.bars(
        "Where the time goes",
        figures.rows(figures.labelled(estimates)),
        x=figures.axis("value", "mean share of the time"),
        y=figures.axis("of", "question", "nominal"),
        colour=figures.axis("part", "part", "nominal"),
    )
