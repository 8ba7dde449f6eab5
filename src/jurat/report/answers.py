"""One question with its answers: headline, figure, table, method and signature."""

from __future__ import annotations

import re
from dataclasses import replace

from jurat.report.compute import Answer
from jurat.report.html import element, paragraph, table, words
from jurat.report.svg.canvas import Palette
from jurat.report.svg.figure import draw
from jurat.results import Figure, Result, readable

# Rows of a table in the page; the commands print all.
MOST_ROWS = 60
# A longer table is folded, so that it does not bury what follows.
SHORT = 6
NUMERIC = frozenset(("value", "interval", "n"))
# What a headline tells the user of a command to type next.
_ADVICE = re.compile(r" To see any figure without, exclude .*$| Which judges differ, .* shows\.$")


def answer_block(answer: Answer, section: str, palette: Palette) -> str:
    """A question and its answers; numbers that no sentence speaks of are folded."""
    return element("h3", words(answer.statistic.asks)) + _blocks(answer, section, palette)


def folded_block(answer: Answer, section: str, palette: Palette) -> str:
    """A question and its answers, folded; the fold says the result."""
    finding = words(f" {said(answer, answer.headline)}") if answer.headline else ""
    head = element("summary", element("b", words(answer.statistic.asks)) + finding)
    return element("details", head + _blocks(answer, section, palette), class_="fold")


def told(headline: str) -> str:
    """A headline without what only the user of a command can do."""
    return _ADVICE.sub("", headline)


def said(answer: Answer, headline: str) -> str:
    """A headline without the question, which stands before it already."""
    return told(headline).removeprefix(answer.statistic.asks).strip()


def _blocks(answer: Answer, section: str, palette: Palette) -> str:
    parts: list[str] = []
    drawn: list[Figure | None] = []
    for n, result in enumerate(answer.known):
        figure = result.figure()
        # Results of one statistic may share a figure, and a single point is no figure.
        new = figure is not None and figure not in drawn and len(result.estimates) > 1
        drawn.append(figure)
        shown = replace(result, headline=said(answer, result.headline))
        block = _result_block(shown, section, palette, figure if new else None)
        if n and not result.headline:
            block = element("details", element("summary", words(_about(result))) + block)
        parts.append(block)
    return "".join(parts)


def _about(result: Result) -> str:
    """What a result without a headline gives, in the words of its method."""
    first = result.method.partition(";")[0].rstrip(".")
    return first[:1].upper() + first[1:]


def _result_block(result: Result, section: str, palette: Palette, figure: Figure | None) -> str:
    picture = draw(figure, palette) if figure else ""
    caption = element("b", words(result.headline)) if result.headline else ""
    title = str(figure.get("title", "")) if figure else ""
    if picture and title and title not in (result.name, result.headline):
        caption += words(f" {title.rstrip('?.')}.")
    if caption:
        caption = element("figcaption" if picture else "p", caption, class_="cap")
    shown = _table(result)
    how = paragraph(f"{result.method}.", "rem") + paragraph(result.signature, "sign")
    if len(result.estimates) <= SHORT or not picture:
        how = shown + element("details", element("summary", "Method and signature") + how)
    else:
        how = element("details", element("summary", "Table, method and signature") + shown + how)
    anchor = f"{section}-{result.name}"
    return element(
        "figure" if picture else "div", caption + picture + how, id=anchor, class_="block"
    )


def _table(result: Result) -> str:
    columns, rows = result_table(result)
    label = f"Numbers of {result.name.replace('-', ' ')}"
    shown = table(columns, rows[:MOST_ROWS], numeric=NUMERIC, label=label)
    left = len(rows) - MOST_ROWS
    return shown + (
        paragraph(f"… and {left:,} more rows: --tables writes all", "rem") if left > 0 else ""
    )


def result_table(result: Result) -> tuple[list[str], list[list[str]]]:
    """Columns and rows for people, without a question that is the same in all rows."""
    columns, rows = readable(result)
    kept = [
        n
        for n, name in enumerate(columns)
        if name != "question" or len({row[n] for row in rows}) > 1
    ]
    heads = [columns[n].removeprefix("by.").removeprefix("tags.").replace("_", " ") for n in kept]
    return heads, [[row[n] for n in kept] for row in rows]
