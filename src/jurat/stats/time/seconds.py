"""How long a decision takes: mean, median, and mean without pauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jurat.resampling.intervals import NORMAL
from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array
from jurat.stats.spread import Spread, first_method, spread, told
from jurat.stats.statistic import Statistic
from jurat.stats.time.timing import NO_TIMES, Means, Times, Timing, about, overall, times
from jurat.stats.words import interval, percent

GRID = 2048
"""Different times that the resampled median is found among; more are thinned out to as many."""
BARS = 40


class Seconds(Statistic[Timing]):
    """TAP-ET's time requirements: the average of decisions made in two minutes or less."""

    name = "seconds-mean"
    gives = ("seconds-mean", "seconds-median", "seconds-capped", "seconds-over")
    asks = "How long does a decision take?"
    formula = "mean seconds from shown to decided"
    source = "TAP-ET, tables 2 and 3"
    place = 10

    def results(self, evaluation: Evaluation, settings: Timing) -> Iterator[Result]:
        """Mean, median, mean of the decisions within the cap, and how many are over it."""
        found = list(times(evaluation))
        capped = [(one, overall(one.within(settings.cap), settings)) for one in found]
        means = [(one, overall(one, settings)) for one in found]
        medians = [(one, _median(one, settings)) for one in found]
        short = [means.estimate(one) for one, means in capped]
        cap = f"{settings.cap:g} s"
        yield self.result(
            evaluation,
            settings,
            [m.estimate(one) for one, m in means] or [_nothing()],
            method=_method(f"{self.formula}; n counts decisions{_untimed(found)}", means),
            headline=_headline(found, settings, short, [m.estimate(o) for o, m in medians]),
            draw=lambda: _draw(found, settings),
        )
        yield self.result(
            evaluation,
            settings,
            [m.estimate(one) for one, m in medians] or [_nothing()],
            name="seconds-median",
            method=_method("median seconds; n counts decisions", medians),
        )
        yield self.result(
            evaluation,
            settings,
            short or [_nothing()],
            name="seconds-capped",
            method=_method(f"mean of the decisions of at most {cap}; n counts these", capped),
            draw=lambda: figures.points_with_intervals(
                "Seconds a decision", figures.labelled(short), over="of", value="seconds"
            ),
            cap=settings.cap,
        )
        yield self.result(
            evaluation,
            settings,
            [_over(one, settings) for one in found] or [_nothing()],
            name="seconds-over",
            method=f"decisions of more than {cap}, left out of seconds-capped; n counts all",
            cap=settings.cap,
        )


def median_of_totals(totals: Array, grid: Array) -> Array:
    """The median of each row of counts, given how often each time of the grid occurs."""
    below, n = totals.cumsum(axis=1), totals.sum(axis=1, keepdims=True)
    last = len(grid) - 1
    ends = [np.minimum((below <= at).sum(axis=1), last) for at in ((n - 1) // 2, n // 2)]
    return np.asarray((grid[ends[0]] + grid[ends[1]]) / 2)


def _median(one: Times, settings: Timing) -> Means:
    n = np.array([len(one)])
    judges = int(one.judge_codes.max()) + 1 if len(one) else 0
    if judges < 2 or not settings.bootstrap:
        return Means(_ranked(one.seconds, settings), n)
    grid = np.unique(one.seconds)
    if len(grid) > GRID:
        grid = np.unique(np.quantile(one.seconds, np.linspace(0, 1, GRID)))
    nearest = np.minimum(np.searchsorted(grid, one.seconds), len(grid) - 1)
    cells = one.judge_codes * len(grid) + nearest
    counts = np.bincount(cells, minlength=judges * len(grid)).reshape(judges, -1)
    drawn = spread(counts, lambda t: median_of_totals(t, grid), settings=settings)
    exact = np.array([np.median(one.seconds)])
    return Means(Spread(values=exact, low=drawn.low, high=drawn.high, method=drawn.method), n)


def _ranked(seconds: Array, settings: Timing) -> Spread:
    """The median between two of the sorted times, by the binomial distribution of their ranks."""
    nothing = np.full(1, np.nan)
    if not len(seconds):
        return Spread(values=nothing, low=nothing, high=nothing)
    n, ordered = len(seconds), np.sort(seconds)
    value = np.array([np.median(ordered)])
    reach = NORMAL.inv_cdf((1 + settings.confidence) / 2) * np.sqrt(n) / 2
    if not settings.bootstrap or n < 2 * reach + 1:
        return Spread(values=value, low=nothing, high=nothing)
    low, high = int(np.floor(n / 2 - reach)), int(np.ceil(n / 2 + reach))
    method = f"interval from ranks, {100 * settings.confidence:g} %, over decisions"
    ends = ordered[[max(low, 0), min(high, n - 1)]]
    return Spread(values=value, low=ends[:1], high=ends[1:], method=method)


def _over(one: Times, settings: Timing) -> Estimate:
    if not len(one):
        return Estimate(value=None, n=0, by=one.by, tags=one.tags, reason=NO_TIMES)
    over = float((one.seconds > settings.cap).sum())
    return Estimate(value=over, n=len(one), by=one.by, tags=one.tags)


def _nothing() -> Estimate:
    return Estimate(value=None, n=0, reason=NO_TIMES)


def _method(formula: str, found: Sequence[tuple[Times, Means]]) -> str:
    drawn = first_method([means.spread for _, means in found])
    return told(formula, drawn.replace("clusters", "judges"))


def _untimed(found: Sequence[Times]) -> str:
    count = sum(one.untimed for one in found)
    return f" with a time, {count:,} have none" if count else ""


def _headline(
    found: Sequence[Times], settings: Timing, capped: list[Estimate], medians: list[Estimate]
) -> str:
    for one, mean, median in zip(found, capped, medians, strict=True):
        if mean.value is None or median.value is None:
            continue
        over = 1 - mean.n / len(one)
        dropped = f"; {percent(over)} took longer and are left out" if over else ""
        return (
            f"{about(one, found)}A decision takes {mean.value:.1f} s on average{interval(mean)}, "
            f"of {mean.n:,} made within {settings.cap:g} s{dropped}; the median is "
            f"{median.value:.1f} s.{_next(over)}"
        )
    return "No decision has a time."


def _next(over: float) -> str:
    """What to look at where many decisions took longer than the cap."""
    return " With so many, try another cap." if over > 0.1 else ""


def _draw(found: Sequence[Times], settings: Timing) -> Figure:
    """How many decisions took how long, up to the cap."""
    edges = np.linspace(0, settings.cap, BARS + 1)
    data = [
        {**one.by, **one.tags, "seconds": float(start), "decisions": int(count)}
        for one in found
        for start, count in zip(edges, np.histogram(one.seconds, edges)[0], strict=False)
    ]
    return figures.bars(
        f"Seconds a decision, up to {settings.cap:g}",
        data,
        x=figures.axis("seconds", "seconds"),
        y=figures.axis("decisions", "decisions"),
        colour=figures.axis("question", "question", "nominal"),
    )
