"""A figure of the page as an SVG file of its own, for papers: fixed width, no style sheet.

In the page a figure is HTML: a legend, titles, and plots whose places are percents of a width that
is not known. Here the same drawing gets a width, so that papers show what the page shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from importlib.resources import files
from textwrap import wrap
from typing import NamedTuple

from jurat.report.html import element, words
from jurat.report.svg.canvas import width as text_width

# Pixels: two columns of a paper, at the size of letters that the page has.
WIDTH = 720.0
GAP = 40.0
# Beside margins wider than this, a plot in half of the width would be too narrow to read.
WIDE_MARGINS = 160.0
LINE = 20.0
# About how wide a letter of a sentence is.
LETTER = 6.6
FEW = 448.0
FONT = "Helvetica, Arial, 'Liberation Sans', 'Noto Sans', sans-serif"


class StandaloneFigure(NamedTuple):
    """An SVG file, what it shows in words, and its height in pixels."""

    svg: str
    alternative: str
    height: float


class _Node:
    """An element of the drawing: its text is what stands before its first child."""

    def __init__(self, name: str, attributes: dict[str, str]) -> None:
        self.name = name
        self.attributes = attributes
        self.children: list[_Node] = []
        self.text = ""

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    def all(self) -> Iterator[_Node]:
        """This element and all inside, in their order."""
        yield self
        for child in self.children:
            yield from child.all()


class _Reader(HTMLParser):
    """Reads what `jurat.report.html.element` wrote: every element is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open = [_Node("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = _Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(node)
        self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].text += data


def standalone(drawing: str, *, font: str = FONT, width: float = WIDTH) -> StandaloneFigure | None:
    """A drawing of `jurat.report.svg.figure.draw` as a file; None for an empty one."""
    nodes = _read(drawing).children
    return _figure(nodes, font, width) if nodes else None


def facet_rows(drawing: str, *, font: str = FONT, width: float = WIDTH) -> list[StandaloneFigure]:
    """The rows of facets as files of their own, for figures higher than a page; else the figure."""
    root = _read(drawing)
    if len(root.children) != 1 or "figs" not in root.children[0].classes:
        return [_figure(root.children, font, width)] if root.children else []
    (facets,) = root.children
    columns = _columns(facets)
    found = []
    for n in range(0, len(facets.children), columns):
        row = _Node("div", facets.attributes)
        row.children = facets.children[n : n + columns]
        # A last facet alone is as wide as those above it.
        row.children += [_Node("div", {})] * (columns - len(row.children))
        found.append(_figure([row], font, width))
    return found


def _read(drawing: str) -> _Node:
    reader = _Reader()
    reader.feed(drawing)
    (root,) = reader.open
    return root


def _figure(nodes: list[_Node], font: str, width: float) -> StandaloneFigure:
    root = _Node("", {})
    root.children = nodes
    parts, height = _blocks(nodes, width)
    told = [node.attributes["aria-label"] for node in root.all() if _is_plot(node)]
    alternative = "; ".join(told)
    inner = element("title", words(alternative)) + "".join(parts)
    size = {"width": f"{width:g}", "height": f"{height:g}"}
    svg = element(
        "svg",
        inner,
        xmlns="http://www.w3.org/2000/svg",
        **size,
        viewBox=f"0 0 {width:g} {height:g}",
        font_family=font,
        font_size=13,
    )
    return StandaloneFigure(svg, alternative, height)


def _blocks(nodes: list[_Node], width: float) -> tuple[list[str], float]:
    """Elements of the page under each other, and the height that they take."""
    parts: list[str] = []
    at = 0.0
    for node in nodes:
        inner, height = _block(node, width)
        parts.append(_moved(inner, 0, at))
        at += height
    return parts, at


def _block(node: _Node, width: float) -> tuple[str, float]:
    if node.name == "ul":
        return _legend(node, width)
    if node.name in ("p", "summary"):
        # Remarks below a figure tell where its table is, which a file does not have.
        if "rem" in node.classes:
            return "", 0.0
        bold = "bold" if "facet" in node.classes or node.name == "summary" else None
        style = {"fill": colours()["ink" if bold else "soft"], "font_weight": bold}
        lines = wrap(node.text, int(width / LETTER)) or [""]
        texts = [
            element("text", words(line), x=0, y=f"{14 + n * LINE:g}", **style)
            for n, line in enumerate(lines)
        ]
        return "".join(texts), LINE * len(lines)
    if "figs" in node.classes:
        return _facets(node, width)
    if _is_plot(node):
        return _plot(node, width)
    # Tables of few cells are not stretched over the page.
    parts, height = _blocks(node.children, min(width, FEW) if "few" in node.classes else width)
    return "".join(parts), height


def _legend(node: _Node, width: float) -> tuple[str, float]:
    """Patches with their names, as many beside each other as there is room for."""
    parts, x, y = [], 0.0, 0.0
    for item in node.children:
        needed = 18.0 + text_width(item.text)
        if x and x + needed > width:
            x, y = 0.0, y + LINE
        (patch,) = item.children
        colour = colours()[_kind(patch.classes)]
        parts.append(element("rect", x=x, y=y + 4, width=12, height=12, rx=2, fill=colour))
        parts.append(element("text", words(item.text), x=x + 18, y=y + 14, fill=colours()["ink"]))
        x += needed + 16
    return "".join(parts), y + LINE + 8


def _facets(node: _Node, width: float) -> tuple[str, float]:
    """Plots in two columns, or under each other where names need the room."""
    columns = _columns(node)
    each = (width - GAP * (columns - 1)) / columns
    parts: list[str] = []
    at = 0.0
    for n in range(0, len(node.children), columns):
        row = [_block(child, each) for child in node.children[n : n + columns]]
        parts += [_moved(inner, k * (each + GAP), at) for k, (inner, _) in enumerate(row)]
        at += max(height for _, height in row) + 16
    return "".join(parts), at


def _columns(facets: _Node) -> int:
    margins = [sum(_margins(plot)) for plot in facets.all() if _is_plot(plot)]
    return 2 if len(facets.children) > 1 and max(margins, default=0.0) <= WIDE_MARGINS else 1


def _is_plot(node: _Node) -> bool:
    return node.name == "svg" and "plot" in node.classes


def _margins(plot: _Node) -> tuple[float, float]:
    """The margins that the style sheet gives a plot: its classes l120 and r60."""
    found = {name[0]: float(name[1:]) for name in plot.classes if re.fullmatch(r"[lr]\d+", name)}
    return found.get("l", 0.0), found.get("r", 0.0)


def _plot(node: _Node, width: float) -> tuple[str, float]:
    left, right = _margins(node)
    inner = "".join(_shape(child, width - left - right) for child in node.children)
    # Letters reach above the first line of a plot.
    return _moved(inner, left, 8), float(node.attributes["height"]) + 16


def _shape(node: _Node, width: float) -> str:
    """A shape with its places in pixels and its colours written out."""
    given = node.attributes
    if node.name == "svg" and "viewbox" in given:
        # The stretched drawing of a line: a hundred units are the width of the plot.
        return "".join(_stretched(child, width / 100) for child in node.children)
    if node.name == "svg":
        inner = "".join(_shape(child, width) for child in node.children)
        return _moved(inner, _pixels(given.get("x", "0"), width), float(given.get("y", "0")))
    kept = {
        name.replace("-", "_"): f"{_pixels(value, width):g}" if _measured(value) else value
        for name, value in given.items()
        if name != "class"
    }
    return element(node.name, words(node.text), **{**_style(node), **kept})


def _stretched(node: _Node, times: float) -> str:
    points = [point.split(",") for point in node.attributes["points"].split()]
    placed = " ".join(f"{float(x) * times:.1f},{y}" for x, y in points)
    return element("polyline", "", points=placed, **_style(node))


def _measured(value: str) -> bool:
    return re.fullmatch(r"-?[\d.]+%?", value) is not None


def _pixels(value: str, width: float) -> float:
    if value.endswith("%"):
        return round(float(value[:-1]) / 100 * width, 2)
    return float(value)


def _moved(inner: str, x: float, y: float) -> str:
    return element("g", inner, transform=f"translate({x:g} {y:g})") if inner and (x or y) else inner


def _kind(classes: list[str]) -> str:
    """The colour among an element's classes."""
    return next((name for name in classes if name in colours()), "soft")


def _style(node: _Node) -> dict[str, object]:
    """What the style sheet says about a shape of the page, as attributes."""
    classes, named = node.classes, colours()
    colour = named[_kind(classes)]
    match node.name:
        case "line" if "g" in classes:
            return {"stroke": named["soft" if "zero" in classes else "hair"]}
        case "line" if "halo" in classes:
            return {"stroke": "#fff", "stroke_width": 4.5}
        case "line" if "er" in classes:
            return {"stroke": named["ink"], "stroke_width": 1.5}
        case "line":
            return {"stroke": colour, "stroke_width": 2}
        case "polyline" if "limit" in classes:
            return {"fill": "none", "stroke": named["soft"], "stroke_dasharray": "4 4"}
        case "polyline":
            return {"fill": "none", "stroke": colour, "stroke_width": 2, "stroke_linejoin": "round"}
        case "rect":
            shade = named["accent"] if "shade" in classes else colour
            return {"fill": shade, "stroke": "#fff", "stroke_width": 1}
        case "text" if "own" in classes:
            return {"fill": colour, "font_weight": None if "limit" in classes else "bold"}
        case "text":
            return {"fill": named["on" if "on" in classes else "ink" if "l" in classes else "soft"]}
    return {"fill": colour}


@cache
def colours() -> dict[str, str]:
    """The light colours of the page's style sheets by name: paper and page have one palette."""
    found: dict[str, str] = {}
    for sheet in ("report.css", "svg/figures.css"):
        # the dark colours come in a second rule
        light = files("jurat.report").joinpath(sheet).read_text("utf-8").partition("}")[0]
        found |= dict(re.findall(r"--(\w+):\s*(#[0-9a-f]{3,6}|var\(--\w+\))", light))
    named = {name: re.sub(r"var\(--(\w+)\)", r"\1", value) for name, value in found.items()}
    return {name: named.get(value, value) for name, value in named.items()}
