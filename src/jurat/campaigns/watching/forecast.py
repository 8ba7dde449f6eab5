"""When a campaign will be done if judging goes on as it did, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SPANS = {DAY: 14, HOUR: 72}
"""How far back the pace is looked for."""
YOUNG = 3
"""Days up to which a campaign is measured by the hour."""
DRAWS = 2000
SHARE = 0.8
"""Of the draws that lie between `earliest` and `latest`."""
FAR = timedelta(days=3650)
"""What would take longer than ten years has no date."""


class Forecast(msgspec.Struct, frozen=True, kw_only=True):
    """When the decisions that are wanted will have been made."""

    left: int
    """Decisions."""
    per_day: float | None = None
    """The present pace; None while nothing was decided."""
    when: datetime | None = None
    earliest: datetime | None = None
    latest: datetime | None = None
    """Between these two the end lies with a probability of 80 %; None: no end is in sight."""
    spans: int = 0
    width: timedelta = DAY
    """The pace is that of the last so many spans of this width."""
    reason: str = ""
    """Why there is no date."""


def forecast(
    left: int, counts: Sequence[int], *, span: timedelta, now: datetime, seed: int = 1
) -> Forecast:
    """The end of a campaign with so many decisions left, from the numbers in its last spans.

    The spans are drawn again, with replacement, as the resampled past has mean m and deviation s;
    what is left then takes left / m spans, give or take s √(left / m³). The past as it was drawn
    and the course that is still to come are both uncertain, and both are in the interval.
    """
    known = Forecast(left=left, spans=len(counts), width=span)
    if left <= 0:
        return msgspec.structs.replace(known, when=now, earliest=now, latest=now)
    if not any(counts):
        return msgspec.structs.replace(known, reason="nothing was decided lately")
    per_span = sum(counts) / len(counts)
    when = _at(now, span, left / per_span)
    earliest, latest = (_at(now, span, end) for end in _interval(left, counts, seed))
    return msgspec.structs.replace(
        known,
        per_day=per_span * (DAY / span),
        when=when,
        earliest=earliest,
        latest=latest,
        reason="" if when else "it would take more than ten years",
    )


def _interval(left: int, counts: Sequence[int], seed: int) -> list[float]:
    """The fewest and the most spans that what is left may take."""
    import numpy as np

    past = np.asarray(counts, dtype=np.float64)
    random = np.random.default_rng(seed)
    drawn = past[random.integers(len(past), size=(DRAWS, len(past)))]
    mean, deviation = drawn.mean(axis=1), drawn.std(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        takes = left / mean + random.standard_normal(DRAWS) * deviation * np.sqrt(left / mean**3)
    takes = np.maximum(np.where(mean > 0, takes, np.inf), 0.0)
    ends: list[float] = np.quantile(
        takes, [(1 - SHARE) / 2, (1 + SHARE) / 2], method="nearest"
    ).tolist()
    return ends


def _at(now: datetime, span: timedelta, count: float) -> datetime | None:
    return now + span * count if count < FAR / span else None
