"""The figures of a report for papers: SVG and PNG files, drawn without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from jurat.figure_files import svg_to_png
from jurat.report.compute import Answer, Report
from jurat.report.svg.canvas import Palette
from jurat.report.svg.figure import draw
from jurat.report.svg.standalone import FONT, StandaloneFigure, facet_rows, standalone
from jurat.report.tables import named_results
from jurat.results import Figure


class PaperFigure(NamedTuple):
    """A figure as a file, with its title, what it shows in words, and its height in pixels."""

    svg: str
    title: str
    alternative: str
    height: float
    rows: tuple[StandaloneFigure, ...]
    """The rows of its facets, for figures higher than a page."""


def drawn_once(answer: Answer, palette: Palette, *, font: str = FONT) -> dict[int, PaperFigure]:
    """The figures of an answer's results by their identity.

    Results of one statistic may share a figure, which is drawn with the first; a single point is
    no figure.
    """
    found: dict[int, PaperFigure] = {}
    drawn: list[Figure] = []
    for result in answer.known:
        figure = result.figure()
        if figure is None or figure in drawn:
            continue
        drawn.append(figure)
        drawing = draw(figure, palette)
        made = standalone(drawing, font=font)
        if made is not None:
            title = str(figure.get("title", ""))
            shown = "" if title in (result.name, result.headline) else f"{title.rstrip('?.')}."
            rows = tuple(facet_rows(drawing, font=font))
            found[id(result)] = PaperFigure(made.svg, shown, made.alternative, made.height, rows)
    return found


def figure_files(report: Report) -> Iterator[tuple[str, bytes]]:
    """The name and content of each figure's files: SVG, and PNG as sharp as print needs it."""
    palette = Palette(report.systems)
    pictures = {
        key: picture
        for section in report.sections
        for answer in section.answers
        for key, picture in drawn_once(answer, palette).items()
    }
    for name, result in named_results(report):
        if id(result) in pictures:
            svg = pictures[id(result)].svg
            yield f"{name}.svg", svg.encode()
            yield f"{name}.png", svg_to_png(svg)
