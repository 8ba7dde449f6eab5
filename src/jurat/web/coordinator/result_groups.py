"""The results of a page by the question that they answer."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from jurat.campaigns.monitoring.sections import ADJUSTED, OUTLIERS, StoredFigure
from jurat.report.result_texts import told

if TYPE_CHECKING:
    from jurat.campaigns.monitoring.sections import Results
    from jurat.results import Figure, Result

# The results whose headlines come first.
LEADING = ("system-cluster", "system-score")
# The first letter of a question's name before what is said of it.
_QUESTION = re.compile(r"(?:^|(?<=\. ))[a-z](?=[\w-]*: )")


class NumberedResult(NamedTuple):
    """A result with its place in its section, by which its files are found."""

    number: int
    result: Result

    @property
    def headline(self) -> str:
        """The finding without advice for users of the commands."""
        return told(self.result.headline)

    @property
    def is_known(self) -> bool:
        """Whether any number has a value."""
        return any(one.value is not None for one in self.result.estimates)


class ResultGroup(NamedTuple):
    """The results that answer one question."""

    section: str
    asks: str
    headline: str
    """The first finding; a reason where nothing could be computed."""
    known: list[NumberedResult]
    """Those in which some number has a value."""


def result_groups(
    section: str, results: Sequence[Result], asks: Mapping[str, str]
) -> list[ResultGroup]:
    """The results of a section in their order; questions without a word to say are left out."""
    numbered = [NumberedResult(n, result) for n, result in enumerate(results, 1)]
    groups = []
    for asked, same in groupby(numbered, key=lambda one: asks.get(one.result.name, "")):
        every = list(same)
        said = next((told(one.result.headline, asked) for one in every if one.headline), "")
        known = [one for one in every if one.is_known]
        if said or known:
            groups.append(ResultGroup(section, asked, said, known))
    return groups


def all_groups(results: Results) -> dict[str, list[ResultGroup]]:
    """The groups of every section."""
    return {
        section: result_groups(section, some, results.asks)
        for section, some in results.sections.items()
    }


def leading(results: Results) -> list[str]:
    """What comes first: which systems are best, and by how much."""
    found = [results.named(name) for name in LEADING]
    every = [one for some in results.sections.values() for one in some if one.headline]
    said = [one for one in found if one and one.headline] or every[:1]
    return [_capitalized(told(one.headline)) for one in said]


def _capitalized(headline: str) -> str:
    """A headline whose sentences that begin with the name of a question have a capital there.

    A system's name is never changed: `cedar` is not `Cedar`.
    """
    return _QUESTION.sub(lambda letter: letter[0].upper(), headline)


def first_chart(
    results: Results, questions: Collection[str], ends: Mapping[str, tuple[float, float]]
) -> NumberedResult | None:
    """The scores by which systems are ranked, with a figure of these questions alone.

    `ends` are those of a question's scale: intervals are drawn up to them.
    """
    numbered = enumerate(results.sections.get("systems", ()), 1)
    known = [NumberedResult(n, one) for n, one in numbered if one.estimates[0].value is not None]
    if not known:
        return None
    first = next((one for one in known if one.result.name == ADJUSTED), known[0])
    figure = first.result.figure()
    shown = StoredFigure(_of_questions(figure, questions, ends) if figure else None)
    return first._replace(result=replace(first.result, draw=shown))


def _of_questions(
    figure: Figure, questions: Collection[str], ends: Mapping[str, tuple[float, float]]
) -> Figure:
    data: Any = figure.get("data", {})
    rows = [
        _within(row, ends.get(question))
        for question in questions
        for row in data.get("values", ())
        if row.get("question") == question
    ]
    return {**figure, "data": {"values": rows}} if rows else figure


def _within(row: dict[str, Any], ends: tuple[float, float] | None) -> dict[str, Any]:
    """A row with its interval cut off at the ends of the scale, beyond which no mean can be."""
    if ends is None or row.get("low") is None or row.get("high") is None:
        return row
    return {**row, "low": max(row["low"], ends[0]), "high": min(row["high"], ends[1])}


def standing_out(results: Results) -> dict[str, list[str]]:
    """The judges who differ from the others beyond chance, and in which ways."""
    found = results.named(OUTLIERS)
    ways: dict[str, list[str]] = {}
    for estimate in found.estimates if found else ():
        if "judge" in estimate.by and estimate.value:
            ways.setdefault(str(estimate.by["judge"]), []).append(str(estimate.by["way"]))
    return ways
