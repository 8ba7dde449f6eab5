"""Files of results, by their ending: numbers, tables, a page or a figure.

`content` makes the bytes of such a file, `write` writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from jurat import result_html
from jurat.errors import input_error, unknown_name
from jurat.figure_files import DRAWN, draw, stacked
from jurat.files import write_file
from jurat.results import NUMERIC, Result, flat_rows, readable, to_csv, to_json, to_latex
from jurat.tables.spreadsheets import write_workbook

# The endings of files that hold numbers; those of figures are in `DRAWN`.
WRITTEN = ("json", "csv", "xlsx", "tex", "md", "html")
ENDINGS = (*WRITTEN, *DRAWN)


def write(
    results: Iterable[Result],
    path: Path | str,
    *,
    force: bool = False,
    notes: Sequence[str] = (),
    analysis: Mapping[str, object] | None = None,
) -> None:
    """Write results to a file of the kind that its ending names, whole or not at all.

    Args:
        results: what is written; in a file of figures, those that have one, below each other.
        path: a file with one of `ENDINGS`.
        force: whether an existing file is replaced; otherwise it raises `InputError`.
        notes: remarks about the data, for JSON, HTML and Markdown.
        analysis: how the numbers came about, for JSON.

    Raises:
        InputError: for another ending, or if there is nothing to draw.
    """
    ending = ending_of(path)
    data = content(results, ending, notes=notes, analysis=analysis, title=Path(path).stem)
    write_file(path, data, force=force)


def ending_of(path: Path | str, allowed: Sequence[str] = ENDINGS) -> str:
    """The ending of a file in lower case; raises `InputError` unless it is one of `allowed`."""
    ending = Path(path).suffix.removeprefix(".").lower()
    if ending not in allowed:
        raise unknown_name("kind of file", ending, allowed, file=str(path))
    return ending


def content(
    results: Iterable[Result],
    ending: str,
    *,
    notes: Sequence[str] = (),
    analysis: Mapping[str, object] | None = None,
    title: str = "Results",
) -> bytes:
    """Results as the content of a file with that ending, one of `ENDINGS`."""
    found = list(results)
    if ending in DRAWN:
        return draw(figure_of(found), ending)
    match ending:
        case "json":
            beside = {"analysis": analysis} if analysis else {}
            text = to_json(found, **beside, notes=notes)
        case "csv":
            text = to_csv(found)
        case "xlsx":
            return _workbook(found)
        case "tex":
            text = to_latex(found)
        case "md":
            text = to_markdown(found, notes)
        case "html":
            text = result_html.page(found, title=title, notes=notes)
        case _:
            raise unknown_name("kind of file", ending, ENDINGS)
    return text.encode()


def figure_of(results: Iterable[Result]) -> Mapping[str, object]:
    """The figures of all results below each other; raises `InputError` if there are none."""
    figures = [figure for result in results if (figure := result.figure())]
    if not figures:
        raise input_error("none of these results has a figure")
    return stacked(figures)


def to_markdown(results: Iterable[Result], notes: Iterable[str] = ()) -> str:
    """Headline, table and method of each result."""
    return "\n".join([*(f"> {note}\n" for note in notes), *map(_markdown, results)])


def _markdown(result: Result) -> str:
    columns, rows = readable(result)
    rule = ["--:" if name in NUMERIC else "---" for name in columns]
    table = [_markdown_row(columns), _markdown_row(rule), *map(_markdown_row, rows)]
    lead = [result.headline, ""] if result.headline else []
    lines = [f"## {result.name}", "", *lead, *table, "", result.method, "", f"`{result.signature}`"]
    return "\n".join(lines) + "\n"


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(" ".join(c.split()).replace("|", r"\|") for c in cells) + " |"


def _workbook(results: Sequence[Result]) -> bytes:
    """An Excel workbook with a sheet of all numbers, whose columns are those of CSV."""
    names, rows = flat_rows(results)
    return write_workbook({"results": (names, ([row.get(n) for n in names] for row in rows))})
