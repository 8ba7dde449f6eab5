"""The scores of metrics: what each metric is called, and which of its ends is the good one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np
import polars as pl

from jurat.faults import complain, unknown
from jurat.metrics import metrics
from jurat.stats.ratings import Array

OUTSIDE = frozenset(("cer", "terp"))
"""Metrics that count errors and are none of Jurat's own."""
LABEL = "\0label"
_BREAK = re.compile(r"[^\w+]|_")


@cache
def errors() -> frozenset[str]:
    """The names of metrics that count errors."""
    return OUTSIDE | {kind.name for kind in metrics() if not kind.higher_better}


def tells_errors(label: str) -> bool:
    """Whether a metric counts errors, by how its name begins: `TER-refA`, `ter:no_punct=true`."""
    small = label.lower()
    ends = [*(found.start() for found in _BREAK.finditer(small)), len(small)]
    return any(small[:end] in errors() for end in ends)


@dataclass(frozen=True, kw_only=True, eq=False)
class Scores:
    """The long table of scores; `lower` names metrics of which low scores are good ones."""

    frame: pl.DataFrame = field(repr=False)
    lower: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        known = {*self.metrics, *self.frame["metric"].unique()}
        for name in self.lower:
            if name not in known:
                raise unknown("metric", name, self.metrics, field="--lower-better-metrics")

    @cached_property
    def rows(self) -> pl.DataFrame:
        """The table with the metric's full name: with its reference where it has several."""
        rows = self.frame
        if "reference" not in rows.columns:
            return rows.with_columns(pl.col("metric").alias(LABEL))
        several = pl.col("reference").n_unique().over("metric") > 1
        named = pl.concat_str("metric", pl.col("reference").fill_null(""), separator="-")
        told = several & pl.col("reference").is_not_null()
        return rows.with_columns(pl.when(told).then(named).otherwise("metric").alias(LABEL))

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """Full names, in the order of the table."""
        return tuple(self.rows[LABEL].unique(maintain_order=True))

    @cached_property
    def signs(self) -> Array:
        """What the scores of each metric are multiplied by so that higher is better."""
        return np.array([-1.0 if self.counts_errors(name) else 1.0 for name in self.metrics])

    def counts_errors(self, metric: str) -> bool:
        """Whether low scores are good: as the user said, or as the name and the scores tell.

        An error rate is never negative: where all scores are, somebody has turned them already.
        """
        own = self.rows.filter(pl.col(LABEL) == metric)
        if {metric, *own["metric"].unique()} & set(self.lower):
            return True
        highest = own["value"].max()
        negative = isinstance(highest, float) and highest <= 0 and bool((own["value"] < 0).any())
        return tells_errors(metric) and not negative

    @property
    def direction(self) -> str:
        """Which metrics count errors, as the method says it."""
        turned = [m for m, sign in zip(self.metrics, self.signs, strict=True) if sign < 0]
        return f"lower is better: {', '.join(turned)}" if turned else ""


def chosen_steps(text: str, metrics: Sequence[str]) -> dict[str, float]:
    """`--step 0.05`, or `BLEU=5,TER=0.1`; metrics that are not named are left to the default."""
    steps: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, number = part.rpartition("=")
        if name and name not in metrics:
            raise unknown("metric", name, metrics, field="--step")
        try:
            step = float(number)
        except ValueError:
            step = float("nan")
        if not 0 < step < float("inf"):
            message = f"'{part}' is no step: a number above 0, or METRIC=NUMBER"
            raise complain(message, field="--step")
        steps |= {name: step} if name else dict.fromkeys(metrics, step)
    return steps
