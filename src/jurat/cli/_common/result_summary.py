"""What a command prints by default: its answer, one table, and what to look at next.

Each command's summary is declared in `shown_by_default`; `summary_table` makes its table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from jurat.results import Estimate, Key, Result

# Sentences of the answer where results are split into groups.
MOST_RANGES = 2


class Measure(NamedTuple):
    """Which of a result's estimates a table shows, and how."""

    title: str
    result: str
    keys: Mapping[str, Key | None] = {}
    """Values of `by` that an estimate must have; None: it must not have the key."""
    shows: Literal["interval", "value", "p", "side", "found"] = "interval"
    """The value with its interval, the value alone, the smallest p, who is ahead, or the names
    under the key `found` of the estimates that are 1."""
    found: str = ""

    def accepts(self, estimate: Estimate) -> bool:
        """Whether the estimate has the wanted keys."""
        return all(
            name not in estimate.by if value is None else estimate.by.get(name) == value
            for name, value in self.keys.items()
        )


class Hint(NamedTuple):
    """A next step: what to type, and what it shows."""

    text: str
    shows: str
    needs: tuple[str, ...] = ()
    """Columns without which there is nothing to see."""


@dataclass(frozen=True, kw_only=True)
class Summary:
    """What a command prints by default."""

    statistics: tuple[str, ...]
    """The statistics that are computed for it."""
    headlines: tuple[str, ...]
    """Results whose headlines are the answer."""
    measures: tuple[Measure, ...]
    rows: tuple[str, ...] = ()
    """Keys of `by` that make the rows; without any, every measure is a row."""
    hints: tuple[Hint, ...] = ()
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Results that are printed below the table if an option was given that is about them."""
    order: Literal["found", "highest", "lowest"] = "found"
    """How rows are sorted: as the first measure gives them, or by its value."""
    lacking: str = ""
    """What the data lack where nothing can be computed, and how to name it."""
    fits: Callable[[Mapping[str, Result]], bool] = lambda _: True
    """Whether it suits these results, where a command has several."""


# Results of tests that are corrected for all pairs of one group, not for all groups.
TESTED = (
    *("pairwise-p", "system-cluster", "preference-p", "preference-p-adjusted"),
    *("metric-better-p", "metric-cluster"),
)


def found_by_name(results: Iterable[Result]) -> dict[str, list[Result]]:
    """The results by their names; two may have the same name."""
    named: dict[str, list[Result]] = {}
    for result in results:
        named.setdefault(result.name, []).append(result)
    return named


def answer(summary: Summary, results: Sequence[Result], by: Sequence[str]) -> list[str]:
    """The finding in sentences; of all groups where `by` makes several."""
    groups = {_group(e, by) for result in results for e in result.estimates if e.value is not None}
    if by and len(groups) > 1:
        ranges = (_range(measure, results, by) for measure in summary.measures)
        return [*list(filter(None, ranges))[:MOST_RANGES], *_corrected_within(results, by)]
    named = found_by_name(results)
    told: list[str] = []
    for name in summary.headlines:
        for result in named.get(name, ()):
            told.append(_news(result.headline, told))
    return list(filter(None, told))


def _news(sentence: str, told: Sequence[str]) -> str:
    """A headline without its first sentence, or empty, where another has said the same."""
    first, _, rest = sentence.partition(". ")
    if rest and any(one.startswith(f"{first}. ") for one in told):
        return rest
    # two statistics that cannot be told for the same reason
    _, _, reason = sentence.partition(": ")
    return "" if reason and any(one.endswith(f": {reason}") for one in told) else sentence


def headline(result: Result, by: Sequence[str]) -> str:
    """The finding of one result; of all groups where `by` makes several."""
    groups = {_group(e, by) for e in result.estimates if e.value is not None}
    if len(groups) < 2:
        return result.headline
    told = _range(Measure(result.name, result.name), [result], by) or result.headline
    return " ".join([told, *_corrected_within([result], by)])


def _corrected_within(results: Iterable[Result], by: Sequence[str]) -> list[str]:
    """That tests are corrected within each group alone, where several groups were tested."""
    own = [r for r in results if r.name in TESTED and r.options.get("correction") != "none"]
    estimates = [e for r in own for e in r.estimates]
    number = len({_group(e, by) for e in estimates if e.value is not None})
    if number < 2:
        return []
    some = number < len({_group(e, by) for e in estimates})
    tested = f"{number} groups that can be tested" if some else f"{number} groups"
    return [
        f"Tests are corrected within each of the {tested}: where nothing differs, about one group "
        "in twenty shows a difference."
    ]


def _group(estimate: Estimate, by: Sequence[str]) -> tuple[Key | None, ...]:
    return tuple(estimate.tags.get(name) for name in by)


def _range(measure: Measure, results: Sequence[Result], by: Sequence[str]) -> str:
    """From where to where a measure goes over the groups of `by`; empty where it says nothing."""
    from jurat.results import spoken

    known = [
        e
        for result in results
        if result.name == measure.result
        for e in result.estimates
        if e.value is not None and measure.accepts(e) and any(name in e.tags for name in by)
    ]
    groups = {_group(e, by) for e in known}
    if measure.shows not in ("interval", "value") or len(groups) < 2:
        return ""
    low, high = min(known, key=_value), max(known, key=_value)
    return (
        f"{measure.title[:1].upper()}{measure.title[1:]}: from {spoken(low.value)} "
        f"({_about(low, by, known)}) to {spoken(high.value)} ({_about(high, by, known)}) "
        f"over {len(groups)} groups by {', '.join(by)}."
    )


def _value(estimate: Estimate) -> float:
    return estimate.value or 0.0


def _about(estimate: Estimate, by: Sequence[str], known: Sequence[Estimate]) -> str:
    """Whose number it is: the group, and the keys in which the estimates differ."""
    own = [
        f"{name} {value}"
        for name, value in estimate.by.items()
        if len({e.by.get(name) for e in known}) > 1
    ]
    return ", ".join([*own, *(f"{n} {estimate.tags[n]}" for n in by if n in estimate.tags)])
