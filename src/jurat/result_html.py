"""Results as HTML: tables for a notebook, or a whole page with figures that needs no network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape

from jurat.figure_files import can_draw, draw
from jurat.results import NUMERIC, Result, left_out, readable

# The class stands twice where a notebook's own rules for tables would count for more.
STYLE = """\
.jurat { font: 15px/1.5 system-ui, sans-serif; color-scheme: light dark; max-width: 60rem; }
.jurat table { border-collapse: collapse; margin: .5rem 0; }
.jurat.jurat table :is(th, td) { padding: .15rem .7rem .15rem 0; text-align: left; }
.jurat.jurat table :is(th, td) { vertical-align: top; }
.jurat th { border-bottom: 1px solid; }
.jurat.jurat table .number { text-align: right; font-variant-numeric: tabular-nums; }
.jurat .method { font-size: .85em; opacity: .75; overflow-wrap: anywhere; }
.jurat figure { margin: 1rem 0; overflow-x: auto; }
.jurat figure svg { background: #fff; max-width: 100%; height: auto; }
"""
_NO_FIGURES = "Figures are not shown: they need the extra 'figures' of Jurat."


def page(results: Sequence[Result], *, title: str = "Results", notes: Iterable[str] = ()) -> str:
    """A whole page: headline, table and figure of each result, with method and signature."""
    drawing = can_draw()
    parts = [section for result in results if not result.reason for section in _section(result)]
    remarks = [*notes] if drawing else [*notes, _NO_FIGURES]
    style = f"{STYLE}main.jurat {{ margin: 0 auto; padding: 0 1rem; }}"
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    head = f'<meta charset="utf-8">{view}<title>{escape(title)}</title><style>{style}</style>'
    told = "".join(f"<p>{escape(note)}</p>" for note in remarks)
    body = "".join([f"<h1>{escape(title)}</h1>", told, *parts, *_left_out(results)])
    main = f'<main class="jurat">{body}</main>'
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>{main}</body></html>\n'


def fragment(
    results: Sequence[Result], *, most_rows: int, shown: int, notes: Iterable[str] = ()
) -> str:
    """The tables alone, for a notebook; of a longer table the first `most_rows` rows.

    Of more than `shown` results, all but the first are folded: a click opens them.
    """
    told = [f'<p class="method">{escape(note)}</p>' for note in notes]
    there = [result for result in results if not result.reason]
    whole = 1 if len(there) > shown else len(there)
    parts = [part for one in there[:whole] for part in _table(one, most_rows=most_rows)]
    parts += [part for one in there[whole:] for part in _folded(one, most_rows=most_rows)]
    body = "".join([*told, *parts, *_left_out(results)])
    return f'<style>{STYLE}</style><div class="jurat">{body}</div>'


def _folded(result: Result, *, most_rows: int) -> Iterator[str]:
    """A line with name and headline that opens the table."""
    told = f"<b>{escape(result.name)}</b> {escape(result.headline)}"
    yield f"<details><summary>{told}</summary>"
    yield from _table(replace(result, headline=""), most_rows=most_rows)
    yield "</details>"


def _section(result: Result) -> Iterator[str]:
    yield f"<section><h2>{escape(result.name)}</h2>"
    yield from _table(result)
    figure = result.figure() if can_draw() else None
    if figure:
        yield f"<figure>{draw(figure, 'svg').decode()}</figure>"
    yield f'<p class="method">{escape(result.signature)}</p></section>'


def _table(result: Result, *, most_rows: int | None = None) -> Iterator[str]:
    """Headline, table and method of a result."""
    columns, rows = readable(result)
    if result.headline:
        yield f"<p>{escape(result.headline)}</p>"
    sides = [' class="number"' if name in NUMERIC else "" for name in columns]
    heads = zip(sides, columns, strict=True)
    yield "<table><thead><tr>"
    yield "".join(f'<th scope="col"{side}>{escape(name)}</th>' for side, name in heads)
    yield "</tr></thead><tbody>"
    for row in rows[:most_rows]:
        cells = zip(sides, row, strict=True)
        yield f"<tr>{''.join(f'<td{side}>{escape(cell)}</td>' for side, cell in cells)}</tr>"
    yield "</tbody></table>"
    if most_rows is not None and len(rows) > most_rows:
        yield f'<p class="method">… and {len(rows) - most_rows:,} more rows</p>'
    yield f'<p class="method"><b>{escape(result.name)}</b>: {escape(result.method)}</p>'


def _left_out(results: Iterable[Result]) -> Iterator[str]:
    for told in left_out(results):
        yield f'<p class="method">{escape(told)}</p>'
