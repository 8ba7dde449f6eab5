"""The style sheet that figures need, in whichever page they stand."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from jurat.report.svg.canvas import STEP, WIDEST


@cache
def figure_style() -> str:
    """The rules of figures, with a class for each width of the margins beside plots."""
    # A strict policy allows no style attribute, so that every width needs a class.
    widths = range(0, WIDEST + STEP, STEP)
    margins = (f".l{n}{{--l:{n}px}}.r{n}{{--r:{n}px}}" for n in widths)
    own = files("jurat.report.svg").joinpath("figures.css").read_text("utf-8")
    return own + "".join(margins)
