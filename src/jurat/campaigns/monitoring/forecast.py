"""When a campaign will be complete at the current pace, with an interval."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
# The number of spans that the pace is measured over, at most.
MAX_SPANS = {DAY: 14, HOUR: 72}
# Up to this age in days, the pace is measured by the hour.
HOURLY_DAYS = 3
DRAWS = 2000
# Of the draws that lie between `earliest` and `latest`.
INTERVAL = 0.8
# Beyond ten years there is no date.
FARTHEST = timedelta(days=3650)


class Forecast(msgspec.Struct, frozen=True, kw_only=True):
    """The expected completion of a campaign."""

    left: int
    """Decisions that are still wanted."""
    per_day: float | None = None
    """The current pace; None while there are no decisions."""
    when: datetime | None = None
    earliest: datetime | None = None
    latest: datetime | None = None
    """The ends of an 80 % interval; None: no end in sight."""
    spans: int = 0
    width: timedelta = DAY
    """The number and width of the time spans that the pace is measured over."""
    reason: str = ""
    """Why there is no date."""

    @property
    def whole_day(self) -> bool:
        """Whether the pace was measured over a day or more, so that it can be told by the day."""
        return self.spans * self.width >= DAY


def forecast(
    left: int, counts: Sequence[int], *, span: timedelta, now: datetime, seed: int = 1
) -> Forecast:
    """The end of a campaign with so many decisions left, from the numbers in its last spans.

    A bootstrap: spans are drawn with replacement. With mean m and standard deviation s of the
    spans drawn, what is left takes left / m spans, with a standard error of s √(left / m³). So the
    interval covers the uncertainty of the pace and the randomness of the spans to come.
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
    """The ends of the interval, in spans from now."""
    import numpy as np

    past = np.asarray(counts, dtype=np.float64)
    random = np.random.default_rng(seed)
    # The bootstrap of the past gives the uncertainty of the pace.
    drawn = past[random.integers(len(past), size=(DRAWS, len(past)))]
    mean, deviation = drawn.mean(axis=1), drawn.std(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        # By the central limit theorem for renewal processes.
        takes = left / mean + random.standard_normal(DRAWS) * deviation * np.sqrt(left / mean**3)
    # A drawn past without decisions never ends.
    takes = np.maximum(np.where(mean > 0, takes, np.inf), 0.0)
    # `nearest`, since interpolation between a number and infinity gives nan
    ends: list[float] = np.quantile(
        takes, [(1 - INTERVAL) / 2, (1 + INTERVAL) / 2], method="nearest"
    ).tolist()
    return ends


def _at(now: datetime, span: timedelta, count: float) -> datetime | None:
    return now + span * count if count < FARTHEST / span else None
