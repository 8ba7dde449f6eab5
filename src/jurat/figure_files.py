"""Vega-Lite figures as PNG, SVG and PDF, drawn without a browser by vl-convert."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import msgspec

from jurat.errors import input_error, unknown_name
from jurat.files import write_file
from jurat.results import Figure

# The endings of files that hold a figure.
DRAWN = ("png", "svg", "pdf")
VEGA_LITE = "application/vnd.vegalite.v5+json"
# The title of the vertical axis lies above it: beside it, the labels of a viewer with wider letters
# than those the figure was laid out with would run into it.
TITLE_ABOVE = {"titleAngle": 0, "titleAlign": "right", "titleX": -4, "titleY": -10}
# Room for the letters of a viewer whose sans-serif is wider than the one that was measured.
PADDING = {"left": 20, "top": 5, "right": 20, "bottom": 5}
# Of intervals and limits: Vega-Lite's black is not to be seen on the dark page of a notebook.
GREY = "#7f7f7f"
# Pixels per point of the figure: twice as many as on a plain screen, so that print is sharp.
SCALE = 2.0


class Chart(dict[str, object]):
    """A Vega-Lite specification that notebooks draw, and `save` writes to a file."""

    def save(self, path: Path | str) -> None:
        """Write the figure to a file with one of the endings in `DRAWN`, or `.json`."""
        ending = Path(path).suffix.removeprefix(".").lower()
        data = msgspec.json.encode(self) if ending == "json" else draw(self, ending)
        write_file(path, data, force=True)

    def _repr_mimebundle_(self, **_: object) -> dict[str, object]:
        # the picture is for viewers that cannot draw Vega-Lite, such as a code host
        picture = {"image/svg+xml": draw(self, "svg").decode()} if can_draw() else {}
        return {VEGA_LITE: roomy(self), **picture, "text/plain": f"Chart: {self.get('title', '')}"}


def draw(figure: Figure, ending: str) -> bytes:
    """The figure as the content of a file; raises `InputError` for an ending not in `DRAWN`.

    Also raises it if vl-convert is not installed.
    """
    vl_convert = _vl_convert()
    specification = msgspec.json.encode(roomy(figure)).decode()
    match ending:
        case "png":
            drawn: bytes = vl_convert.vegalite_to_png(specification, scale=SCALE)
            return drawn
        case "svg":
            return str(vl_convert.vegalite_to_svg(specification)).encode()
        case "pdf":
            pages: bytes = vl_convert.vegalite_to_pdf(specification)
            return pages
    raise unknown_name("kind of figure", ending, DRAWN)


def svg_to_png(svg: str) -> bytes:
    """An SVG file as PNG; raises `InputError` if vl-convert is not installed."""
    drawn: bytes = _vl_convert().svg_to_png(svg, scale=SCALE)
    return drawn


def roomy(figure: Figure) -> dict[str, object]:
    """The figure with wider axes than Vega-Lite's, unless it says itself how wide they are."""
    view = {"continuousWidth": 420, "continuousHeight": 260}
    # a first or last label that is moved inwards runs into its neighbour
    axes = {"axisX": {"labelFlush": False}, "axisY": TITLE_ABOVE}
    config = {"view": view, "facet": {"spacing": 40}, "rule": {"color": GREY}, **axes}
    return {"config": config, "padding": PADDING, **figure}


def can_draw() -> bool:
    """Whether vl-convert is installed."""
    from importlib.util import find_spec

    return find_spec("vl_convert") is not None


def stacked(figures: Sequence[Figure]) -> Figure:
    """Several figures as one, below each other; a single figure as it is."""
    if len(figures) == 1:
        return figures[0]
    # a part of a figure may not name the schema again
    parts = [{n: value for n, value in one.items() if n != "$schema"} for one in figures]
    # each part has its own colours: a legend of judges says nothing about systems
    own = dict.fromkeys(("color", "shape", "size"), "independent")
    schema = {"$schema": figures[0]["$schema"]} if "$schema" in figures[0] else {}
    return {**schema, "vconcat": parts, "spacing": 40, "resolve": {"scale": own}}


def _vl_convert() -> ModuleType:
    try:
        import vl_convert
    except ModuleNotFoundError as error:
        needed = "figures need the extra 'figures': pip install 'jurat[figures]'"
        raise input_error(needed) from error
    module: ModuleType = vl_convert
    return module
