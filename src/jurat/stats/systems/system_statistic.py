"""What the statistics of systems share: their base class, headlines and figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol

from jurat.results import Estimate, Figure, Result, spoken
from jurat.stats import figures
from jurat.stats.estimates import method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.phrases import MOST_LISTED, NOT_NUMBERS, listed, percent
from jurat.stats.settings import Settings, SystemSettings
from jurat.stats.statistic import Statistic

# Questions and splits that a headline speaks of.
MOST_SAID = 3


class Display(NamedTuple):
    """How one result is shown: who leads in its headline, and the axis and title of its figure."""

    title: str
    value: str
    """The title of the axis of values."""
    leads: str = ""
    """What the headline says of the first system; {best} stands for highest or lowest."""
    share: bool = False
    """Whether values are shares, told in percent."""
    ranks: bool = False
    """Whether values are ranks: the least is best, and the figure is sorted by it."""


class QuestionEstimates(NamedTuple):
    """The estimates of one question and split, and how they were computed."""

    estimates: Sequence[Estimate]
    method: str = ""


class SystemStatistic(Statistic[Settings]):
    """A statistic of systems; the plain settings will do where nothing about systems is chosen.

    One with a single result gives `found` and overrides what differs from the default; one with
    several overrides `results`.
    """

    shown: ClassVar[tuple[Display, ...]] = ()
    """How its results are shown, in the order of `gives`; others have their own headline."""
    follows_direction: ClassVar[bool] = False
    """Whether low values are the good ones with `--lower-better`; else high ones always are."""

    def each_question(
        self, evaluation: Evaluation, settings: SystemSettings
    ) -> Iterable[QuestionEstimates]:
        """The estimates of every question and split."""
        raise NotImplementedError

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """One result with everything found."""
        chosen = SystemSettings.of(settings)
        found = list(self.each_question(evaluation, chosen))
        estimates = [e for one in found for e in one.estimates]
        yield self.system_result(
            evaluation,
            chosen,
            estimates,
            method=self.method(chosen, method_of_first(found)),
            best=self._best(chosen),
            headline=self.headline(estimates, chosen),
            **self.choices(chosen),
        )

    def _best(self, settings: SystemSettings) -> str:
        """Which end of the values is the good one."""
        if self.shown and self.shown[0].ranks:
            return "lowest"
        return settings.best if self.follows_direction else "highest"

    def method(self, settings: SystemSettings, how: str) -> str:
        """The method of the result; `how` is that of the first question that has one."""
        return method_line(self.formula, how, settings.direction)

    def choices(self, settings: SystemSettings) -> dict[str, Any]:
        """What stands in the result's options and signature beside the common ones."""
        return {}

    def headline(self, estimates: Sequence[Estimate], settings: SystemSettings) -> str:
        """A headline of its own; empty for the one that `shown` declares."""
        return ""

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A point with its interval for each system, each question apart, as `shown` declares."""
        shown = self._shown(name)
        if not shown:
            return {}
        return figures.points_with_intervals(
            shown.title,
            estimates,
            over="system",
            value=shown.value,
            facet="question",
            sort="x" if shown.ranks else figures.AS_GIVEN,
        )

    def _shown(self, name: str) -> Display | None:
        return dict(zip(self.gives, self.shown, strict=False)).get(name)

    def system_result(
        self,
        evaluation: Evaluation,
        settings: SystemSettings,
        estimates: Sequence[Estimate],
        *,
        method: str,
        name: str = "",
        best: str = "highest",
        headline: str = "",
        draw: Callable[[], Figure] | None = None,
        **choices: Any,
    ) -> Result:
        """A result with the headline and figure declared for it in `shown`, or those given.

        `best` is the good end of the values; where there are no estimates the result says why.
        """
        name = name or self.gives[0]
        if shown := self._shown(name):
            headline = headline or leader_headline(estimates, shown, best=best)
        return self.result(
            evaluation,
            settings,
            estimates or self.missing(evaluation),
            name=name,
            method=method,
            headline=headline,
            draw=draw,
            **choices,
            **settings.signature(),
        )

    def missing(self, evaluation: Evaluation) -> list[Estimate]:
        """Why there is no estimate at all."""
        # a statistic that needs the column system is of scores; others take comparisons, too
        return no_numbers(evaluation) if "system" in self.needs else nothing_compared(evaluation)


class HasMethod(Protocol):
    """Something that says how it was computed."""

    @property
    def method(self) -> str:
        """In one line."""


def method_of_first(found: Sequence[HasMethod]) -> str:
    """How several things that were computed alike were computed."""
    return next((one.method for one in found if one.method), "")


def no_numbers(evaluation: Evaluation) -> list[Estimate]:
    """A missing estimate that says why no system has a score."""
    there = any(not ratings.nominal for ratings in evaluation.ratings)
    if not evaluation.ratings:
        reason = "there are no judgments"
    else:
        reason = "no judgment names its system" if there else NOT_NUMBERS
    return [Estimate(value=None, n=0, reason=reason)]


def nothing_compared(evaluation: Evaluation) -> list[Estimate]:
    """A missing estimate that says why systems cannot be compared."""
    if evaluation.preferences:
        return [Estimate(value=None, n=0, reason="there are no comparisons")]
    if "system" in evaluation.columns or not evaluation.ratings:
        return no_numbers(evaluation)
    reason = "needs the column system, or system_a, system_b and outcome"
    return [Estimate(value=None, n=0, reason=reason)]


def first_split(estimates: Sequence[Estimate]) -> list[Estimate]:
    """The estimates of the first question and split: a matrix of pairs can show only one."""
    return [e for e in estimates if _split(e) == _split(estimates[0])]


def _split(e: Estimate) -> tuple[object, object]:
    return e.by.get("question"), e.tags


def leader_headline(estimates: Iterable[Estimate], shown: Display, *, best: str = "highest") -> str:
    """Who is first, in each question and split; systems that tie are named together."""
    if not shown.leads:
        return ""
    groups: dict[tuple[tuple[str, object], ...], list[Estimate]] = {}
    for e in estimates:
        if e.value is not None:
            # a judge among the keys is a split as well
            of = {k: v for k, v in e.by.items() if k != "system"}
            group = groups.setdefault((*of.items(), *e.tags.items()), [])
            # answers that score systems may compare them too, under the same question
            if e.by.get("system") not in [one.by.get("system") for one in group]:
                group.append(e)
    say = percent if shown.share else "{:.0f}".format if shown.ranks else spoken
    verb = shown.leads.format(best=best)
    said = [_first(group, verb, best, say, named=len(groups) > 1) for group in groups.values()]
    more = f" ({len(said) - MOST_SAID} more below)" if len(said) > MOST_SAID else ""
    return " ".join(said[:MOST_SAID]) + more


def _first(
    group: list[Estimate], verb: str, best: str, say: Callable[[float], str], *, named: bool
) -> str:
    choose = max if best == "highest" else min
    top = choose(e.value for e in group if e.value is not None)
    # means of the same answers differ by rounding where they were added up in another order
    first = [e for e in group if math.isclose(e.value or 0, top, rel_tol=1e-6, abs_tol=1e-9)]
    names = listed([str(e.by["system"]) for e in first])
    # systems that tie may differ in how much they were judged, and so in their intervals
    interval, *different = dict.fromkeys(_interval(e, say) for e in first)
    words = f"{names} {plural(verb, len(first))} {say(float(top))}{'' if different else interval}"
    where = f"{question_and_split(first[0])}: " if named else ""
    others = f"{len(group)} systems" if len(group) > 1 else "one system"
    return f"{where}{words} (n = {_numbers(first)}; {others})."


def _numbers(first: list[Estimate]) -> str:
    """What the values rest on: one number, or where they differ one for each name in its order."""
    every = [f"{e.n:,}" for e in first]
    if len(set(every)) == 1:
        return every[0]
    return ", ".join((*every[:MOST_LISTED], *(["…"] if len(every) > MOST_LISTED else [])))


def _interval(estimate: Estimate, say: Callable[[float], str]) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    return f" [{say(estimate.low)}, {say(estimate.high)}]"


def question_and_split(estimate: Estimate) -> str:
    """The question and split of an estimate, in words."""
    parts = [str(estimate.by.get("question", ""))]
    parts += [f"{name} {value}" for name, value in estimate.tags.items()]
    return ", ".join(filter(None, parts))


PLURAL = {"has": "have", "is": "are", "wins": "win"}


def plural(verb: str, count: int) -> str:
    """`has its` of one, `have their` of several."""
    if count == 1:
        return verb
    first, _, rest = verb.partition(" ")
    return f"{PLURAL[first]} {rest}".replace(" its ", " their ")


def best_first(estimates: Iterable[Estimate], best: str = "highest") -> list[Estimate]:
    """The estimates of one question and split, the best system first, those without value last."""
    sign = -1 if best == "highest" else 1
    return sorted(estimates, key=lambda e: (e.value is None, sign * (e.value or 0)))
