"""What the results about systems say in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from jurat.results import Estimate, spoken
from jurat.stats.evaluation import Evaluation
from jurat.stats.words import listed, percent

MOST_SAID = 3
"""Questions and splits that a headline speaks of."""


class Worded(Protocol):
    """Something that says how it was computed."""

    @property
    def method(self) -> str:
        """In one line."""


def first_words(found: Sequence[Worded]) -> str:
    """How several things that were made alike were made."""
    return next((one.method for one in found), "")


def no_numbers(evaluation: Evaluation) -> list[Estimate]:
    """Why no system has a score."""
    there = any(not ratings.nominal for ratings in evaluation.ratings)
    if not evaluation.ratings:
        reason = "there are no judgments"
    else:
        reason = "no judgment names its system" if there else "the answers are words, not numbers"
    return [Estimate(value=None, n=0, reason=reason)]


def nothing_compared(evaluation: Evaluation) -> list[Estimate]:
    """Why systems cannot be compared."""
    if evaluation.preferences:
        return [Estimate(value=None, n=0, reason="there are no comparisons")]
    if "system" in evaluation.columns or not evaluation.ratings:
        return no_numbers(evaluation)
    reason = "needs the column system, or system_a, system_b and outcome"
    return [Estimate(value=None, n=0, reason=reason)]


def leader(
    estimates: Iterable[Estimate],
    verb: str,
    *,
    best: str = "highest",
    share: bool = False,
    whole: bool = False,
) -> str:
    """Who is first, in each question and split; ties are named together."""
    groups: dict[tuple[tuple[str, object], ...], list[Estimate]] = {}
    for e in estimates:
        if e.value is not None:
            kept = {k: v for k, v in e.by.items() if k != "system"}
            groups.setdefault((*kept.items(), *e.tags.items()), []).append(e)
    say = percent if share else _whole if whole else spoken
    said = [_first(group, verb, best, say, named=len(groups) > 1) for group in groups.values()]
    more = f" ({len(said) - MOST_SAID} more below)" if len(said) > MOST_SAID else ""
    return " ".join(said[:MOST_SAID]) + more


def _first(
    group: list[Estimate], verb: str, best: str, say: Callable[[float], str], *, named: bool
) -> str:
    choose = max if best == "highest" else min
    top = choose(e.value for e in group if e.value is not None)
    first = [e for e in group if math.isclose(e.value or 0, top, rel_tol=1e-6, abs_tol=1e-9)]
    names = listed([str(e.by["system"]) for e in first])
    words = f"{names} {plural(verb, len(first))} {say(float(top))}{_interval(first[0], say)}"
    where = f"{place(first[0])}: " if named else ""
    others = f"{len(group)} systems" if len(group) > 1 else "one system"
    return f"{where}{words} (n = {first[0].n:,}; {others})."


def _interval(estimate: Estimate, say: Callable[[float], str]) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    return f" [{say(estimate.low)}, {say(estimate.high)}]"


def _whole(value: float) -> str:
    return f"{value:.0f}"


def place(estimate: Estimate) -> str:
    """The question and split that an estimate is of."""
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
