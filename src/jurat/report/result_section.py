"""One question with its answers: headline, figure, table, method and signature."""

from __future__ import annotations

import re
from dataclasses import replace

from jurat.report.compute import Answer
from jurat.report.html import element, paragraph, table, words
from jurat.report.labels import ABOUT
from jurat.report.result_texts import (
    counted,
    result_table,
    told,
    value_heading,
    with_footnotes,
)
from jurat.report.svg.canvas import Palette
from jurat.report.svg.figure import draw
from jurat.results import NUMERIC, Figure, Result
from jurat.stats import statistics

# Rows of a table in the page; the commands print all.
MOST_ROWS = 60
# A longer table below a figure is folded, so that it does not bury what follows; one without a
# figure may be longer.
SHORT = 6
LONG = 12
_FORMULA = re.compile(r"[=|Σ()/]| − ")
# Results that are shown at once; a reader opens the others.
SHOWN = 2


def answer_block(answer: Answer, section: str, palette: Palette) -> str:
    """A question and its answers; numbers that no sentence speaks of are folded."""
    return element("h3", words(answer.statistic.asks)) + _blocks(answer, section, palette)


def folded_block(answer: Answer, section: str, palette: Palette) -> str:
    """A question and its answers, folded; the fold says the result."""
    # a filter hides what the sentence says of all data
    said = element("span", words(f" {_said(answer, answer.headline)}"), class_="said")
    head = element(
        "summary", element("b", words(answer.statistic.asks)) + (said if answer.headline else "")
    )
    return element("details", head + _blocks(answer, section, palette), class_="fold")


def _said(answer: Answer, headline: str) -> str:
    """A headline without the question, which stands before it already."""
    return told(headline, answer.statistic.asks)


def _blocks(answer: Answer, section: str, palette: Palette) -> str:
    parts: list[str] = []
    drawn: list[Figure | None] = []
    for n, result in enumerate(answer.known):
        figure = result.figure()
        # Results of one statistic may share a figure, and a single point is no figure.
        new = figure is not None and figure not in drawn
        drawn.append(figure)
        said = replace(result, headline=_said(answer, result.headline))
        anchor = f"{section}-{_own_name(answer, result, section)}"
        if any(result.name == other.name for other in answer.known[:n]):
            # such as Cohen's kappa, of all judges together and of every two
            anchor += "-pairs"
        block = _result_block(
            said,
            anchor,
            palette,
            figure if new else None,
            about=_about(result) if len(answer.known) > 1 else "",
        )
        if n >= SHOWN or (n and not result.headline):
            head = element("summary", _summary(said.headline, _about(result)))
            block = element("details", head + block)
        parts.append(block)
    return "".join(parts)


def _summary(headline: str, about: str) -> str:
    """What a folded result says; under a filter, which changes its numbers, what it is about."""
    if not headline:
        return words(about)
    told = element("span", words(headline), class_="said")
    return told + element("span", words(about), class_="instead", hidden=True)


def _own_name(answer: Answer, result: Result, section: str) -> str:
    """The name of a result, with its statistic's where another one is called so."""
    named = {one.name for one in statistics(section)} - {answer.statistic.name}
    return f"{answer.statistic.name}-{result.name}" if result.name in named else result.name


def _about(result: Result) -> str:
    """What a result without a headline gives, in the words of a page or of its method."""
    if result.name in ABOUT:
        return ABOUT[result.name]
    first = result.method.partition(";")[0].rstrip(".")
    # a Greek letter is a symbol, which has no capital
    return first[:1].upper() + first[1:] if first[:1].isascii() else first


def _result_block(
    result: Result, anchor: str, palette: Palette, figure: Figure | None, *, about: str
) -> str:
    """A result; what is its table `about` stands above it where a question has several."""
    picture = draw(figure, palette) if figure else ""
    caption = element("b", words(result.headline)) if result.headline else ""
    title = str(figure.get("title", "")) if figure else ""
    if picture and title and title not in (result.name, result.headline):
        caption += words(f" {title.rstrip('?.')}.")
    if caption:
        caption = element("figcaption" if picture else "p", caption, class_="cap")
    # a formula would say no more to a reader than the name of its result
    plain = about and not _FORMULA.search(about)
    shown = (paragraph(f"{about}:", "rem") if plain else "") + _table(result)
    how = paragraph(f"{result.method}.", "rem") + paragraph(result.signature, "sign")
    if len(result.estimates) <= (SHORT if picture else LONG):
        how = shown + element("details", element("summary", "Method and signature") + how)
    else:
        how = element("details", element("summary", "Table, method and signature") + shown + how)
    kind = "figure" if picture else "div"
    return element(kind, caption + picture + how, id=anchor, class_="block")


def _table(result: Result) -> str:
    columns, rows = result_table(result)
    label = f"Numbers of {result.name.replace('-', ' ')}"
    rows, notes = with_footnotes(columns, rows)
    measured = value_heading(result)
    heads = [measured if name == "value" else name for name in columns]
    numeric = frozenset({*NUMERIC, measured})
    shown = table(heads, rows[:MOST_ROWS], numeric=numeric, label=label)
    notes = " ".join(filter(None, (counted(result), notes)))
    shown += paragraph(notes, "rem") if notes else ""
    left = len(rows) - MOST_ROWS
    return shown + (
        paragraph(f"… and {left:,} more rows: --tables writes all", "rem") if left > 0 else ""
    )
