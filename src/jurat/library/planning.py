"""`jurat.plan`: the segments, judges, kits and hours that a wanted precision needs."""

from __future__ import annotations

from typing import Annotated, Any, Unpack

from jurat.errors import input_error
from jurat.library.computation import compute, settings_of
from jurat.library.data import data_of
from jurat.library.options import (
    Count,
    Deviation,
    Names,
    PlanOptions,
    Positive,
    Range,
    Share,
    Source,
    checked,
)
from jurat.library.results import Results
from jurat.stats import Evaluation
from jurat.stats.settings import PlanSettings


@checked
def plan(
    data: Source = None,
    *,
    systems: int | Names = (),
    segments: Count | None = None,
    judgments: Count | None = None,
    judges: Count | None = None,
    kit_size: Count = 20,
    interval: Positive | None = None,
    difference: Positive | None = None,
    power: Share = 0.8,
    protocol: str = "tapet-adequacy",
    seconds_per_item: Positive | None = None,
    severity: Deviation = 0.05,
    noise: Deviation = 0.1,
    interaction: Deviation = 0.05,
    taste: Deviation = 0.02,
    document_size: Count | None = None,
    simulations: Annotated[int, Range(least=100)] = 1000,
    stop: bool = False,
    most_documents: Annotated[int, Range(least=10)] | None = None,
    **options: Unpack[PlanOptions],
) -> Results:
    """Estimate how much judging a wanted precision needs, by simulated campaigns.

    Args:
        data: earlier judgments (`--from`), to estimate variances, sizes and seconds from.
        systems: the number of systems, or the columns of `data` that hold their scores.
        segments: the number of segments; as many as needed by default.
        judgments: judgments of each translation, by different judges.
        judges: the number of judges; as many as needed by default.
        kit_size: items per kit.
        interval: precision: a system's score within ± this many points.
        difference: precision: tell apart systems that are this many points apart.
        power: the probability of finding that difference.
        protocol: the protocol of the campaign.
        seconds_per_item: as measured in `data`, or typical of the protocol by default.
        severity: the standard deviation of the judges' severity on a scale from 0 to 1.
        noise: that of a judge's random error.
        interaction: that of documents by system.
        taste: that of judges by system.
        document_size: segments of a document; as in `data`, or 5 by default.
        simulations: the number of simulated campaigns.
        stop: only report which pairs are decided, and what is missing.
        most_documents: with `stop`: documents after which the campaign ends, fixed beforehand.
        options: as for `jurat.agreement`.
    """
    given = data is not None or bool(options.get("campaign"))
    if stop and not given:
        raise input_error("stop needs judgments: give data or campaign=")
    columns = () if isinstance(systems, int) else systems
    if columns and not given:
        raise input_error("systems takes a number unless there are data")
    asked: dict[str, Any] = {
        "systems": systems if isinstance(systems, int) else None,
        "segments": segments,
        "judgments": judgments,
        "judges": judges,
        "kit_size": kit_size,
        "interval": interval,
        "difference": difference,
        "power": power,
        "protocol": protocol,
        "seconds_per_item": seconds_per_item,
        "severity": severity,
        "noise": noise,
        "interaction": interaction,
        "taste": taste,
        "document_size": document_size,
        "simulations": simulations,
        "stop": stop,
        "most_documents": most_documents,
    }
    reading = {**options, "systems": columns}
    evaluation = data_of(data, reading).evaluation() if given else Evaluation()
    return compute("planning", evaluation, settings_of(PlanSettings, options, **asked), options)
