"""Mean seconds of groups of decisions: what the questions about systems, judges and so on share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Codes
from jurat.stats.spread import first_method, told
from jurat.stats.statistic import Statistic
from jurat.stats.time.timing import NO_TIMES, Means, Times, Timing, about, group_means, times

MOST_DRAWN = 60
"""Groups in a figure, the slowest."""


class GroupedSeconds(Statistic[Timing]):
    """The mean seconds of the decisions within the cap, for every value of one column."""

    key: ClassVar[str]
    """The column, and the key of the estimates."""
    counted: ClassVar[str] = "decisions"
    """What n counts."""

    def groups(self, one: Times, settings: Timing) -> tuple[Codes, Sequence[str]] | None:
        """The group of each decision and the groups' names; None where they are not known."""
        return one.grouped(self.key) if one.has(self.key) else None

    def means(self, one: Times, codes: Codes, size: int, settings: Timing) -> Means:
        """The mean of each group."""
        return group_means(one, codes, size, settings)

    def results(self, evaluation: Evaluation, settings: Timing) -> Iterator[Result]:
        """Every group of every question and split."""
        short = [one.within(settings.cap) for one in times(evaluation)]
        grouped = [(one, groups) for one in short if (groups := self.groups(one, settings))]
        found = [
            (one, names, self.means(one, codes, len(names), settings))
            for one, (codes, names) in grouped
        ]
        estimates = [
            [means.estimate(one, at, **{self.key: name}) for at, name in enumerate(names)]
            for one, names, means in found
        ]
        everything = [e for of_one in estimates for e in of_one]
        drawn = first_method([means.spread for _, _, means in found])
        yield self.result(
            evaluation,
            settings,
            everything or [Estimate(value=None, n=0, reason=self._reason(short))],
            method=told(
                f"{self.formula} ({settings.cap:g} s); n counts {self.counted}",
                drawn.replace("clusters", "judges"),
            ),
            headline=self._headline([one for one, _, _ in found], estimates),
            draw=(lambda: self._draw(everything)) if everything else None,
            cap=settings.cap,
        )

    def _draw(self, estimates: Sequence[Estimate]) -> Figure:
        slowest = sorted(estimates, key=lambda e: -(e.value or 0.0))[:MOST_DRAWN]
        return figures.points_with_intervals(
            f"Seconds, by {self.key}",
            figures.labelled(slowest),
            over=self.key,
            value="seconds",
            facet="of",
        )

    def _reason(self, short: Sequence[Times]) -> str:
        if not any(len(one) for one in short):
            return NO_TIMES
        return f"needs the column {self.key}"

    def _headline(self, all_times: Sequence[Times], estimates: list[list[Estimate]]) -> str:
        """The fastest and the slowest group of the first question that has two."""
        for one, of_one in zip(all_times, estimates, strict=True):
            known = sorted((e for e in of_one if e.value is not None), key=lambda e: e.value or 0.0)
            if len(known) > 1:
                least, most = (f"{e.by[self.key]} ({e.value:.1f} s)" for e in (known[0], known[-1]))
                span = f"from {least} to {most}"
                return f"{about(one, all_times)}By {self.key}, mean times range {span}."
        return ""
