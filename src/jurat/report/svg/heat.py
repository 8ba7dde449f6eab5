"""A cell a pair: darker for more, or coloured by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from jurat.report.html import element, paragraph
from jurat.report.svg.canvas import (
    Palette,
    Row,
    Scale,
    drawing,
    in_order,
    label,
    legend,
    margin,
    margin_of,
    percent,
    shortened,
    turned,
    width,
)
from jurat.report.svg.dots import ordered
from jurat.results import spoken

Channel = Mapping[str, Any]
ROW = 24
# Pixels of a column at least, and those of the style sheet's classes few, and wide2 to wide5.
NARROWEST, FEW_WIDE, WIDTHS = 40, 350, (448, 608, 736, 896)
# Letters of a turned name above a column.
TURNED = 26
# p-values between which cells become lighter: all above are no sign of a difference.
P_VALUES = (0.0, 0.1)
P_TITLES = ("p", "p (Holm)")
# Columns up to which names may stand level above them, and the pixels that they have together.
FEW = 3
LEVEL = 320
# Columns up to which cells have room for their numbers.
MOST_NUMBERED = 16
# Names above which those with few cells are left to the table.
MANY_NAMES = 20


def cells(rows: Sequence[Row], y: Channel, x: Channel, colour: Channel, *, palette: Palette) -> str:
    """A table of coloured cells with names at the left and, turned, at the top."""
    shown = _frequent(rows, x["field"], y["field"])
    across, down = ordered(shown, x), ordered(shown, y)
    shading = _Shading.of(shown, colour, palette)
    above = _ColumnNames.of(across)
    names = [
        label(shortened(name), -10, above.height + n * ROW + 16, anchor="end", class_="l")
        for n, name in enumerate(down)
    ]
    column = {name: n for n, name in enumerate(across)}
    line_of = {name: n for n, name in enumerate(down)}
    drawn_cells = [
        shading.cell(
            row.get(colour["field"]),
            column[row.get(x["field"])],
            len(across),
            above.height + line_of[row.get(y["field"])] * ROW,
        )
        for row in shown
    ]
    left = margin(shortened(name) for name in down)
    drawn = drawing(
        "".join([*above.labels, *names, *drawn_cells]),
        height=above.height + len(down) * ROW + 6,
        left=left,
        right=above.right,
        alternative=f"{len(shown)} cells of {len(down)} rows and {len(across)} columns; "
        "the table has their values",
    )
    inner = element("div", drawn, class_=_width_class(len(across), left + above.right))
    named = str(colour.get("title") or "Figure")
    frame = element("div", inner, class_="scroll", tabindex=0, role="group", aria_label=named)
    told = "" if shading.nominal else _shades(shown, colour["field"], named, shading.reverse)
    if left_out := len({row.get(x["field"]) for row in rows}) - len(across):
        told += (
            f" Not drawn: {left_out} columns that few rows were compared with; the table has them."
        )
    kinds = legend(shading.classes) if shading.nominal else ""
    return kinds + frame + (paragraph(told, "rem") if told else "")


class _ColumnNames(NamedTuple):
    """The names above the columns, and the pixels that they need above and at the right."""

    labels: Sequence[str]
    height: float
    right: int

    @classmethod
    def of(cls, names: Sequence[object]) -> _ColumnNames:
        """Level where they have room, else turned."""
        wide = 1 / max(len(names), 1)
        widths = [width(shortened(name, TURNED)) for name in names]
        # a few columns are far enough apart for short names, which need not be turned
        if len(names) <= FEW and max(widths, default=0) <= LEVEL // max(len(names), 1):
            level = [
                label(shortened(name), percent((n + 0.5) * wide), 16.0, anchor="middle", class_="l")
                for n, name in enumerate(names)
            ]
            return cls(level, 24.0, 20)
        height = 0.75 * max(widths, default=0) + 16
        labels = [
            turned(name, percent((n + 0.5) * wide), height - 6, angle=-45, most=TURNED)
            for n, name in enumerate(names)
        ]
        return cls(labels, height, margin_of(0.72 * max(widths[-2:], default=0)))


class _Shading(NamedTuple):
    """How the value of a cell is shown: by a colour for each kind, or the darker for more."""

    nominal: bool
    classes: Mapping[object, str]
    scale: Scale
    reverse: bool
    whole: bool
    is_p: bool

    @classmethod
    def of(cls, rows: Sequence[Row], colour: Channel, palette: Palette) -> _Shading:
        """By what the figure says of its colours."""
        field, told = colour["field"], colour.get("scale", {})
        nominal = colour.get("type") == "nominal"
        kinds = in_order(dict.fromkeys(row.get(field) for row in rows)) if nominal else []
        # strong cells are systems that are told apart, in every figure of p-values
        is_p = colour.get("title") in P_TITLES
        domain = P_VALUES if is_p else told.get("domain")
        return cls(
            nominal,
            palette.kinds(kinds),
            Scale.of((row.get(field) for row in rows), domain, zero=False),
            is_p or bool(told.get("reverse")),
            not nominal and all(float(row.get(field) or 0).is_integer() for row in rows),
            is_p,
        )

    def cell(self, value: object, column: int, columns: int, top: float) -> str:
        """A cell, with its number where there is room; nothing for a value that is missing."""
        wide = 1 / columns
        left = column * wide
        if self.nominal:
            return _cell(left, top, wide, self.classes[value], 1.0)
        if not isinstance(value, int | float):
            return ""
        share = self.scale.share(float(value))
        dark = 0.08 + 0.82 * (1 - share if self.reverse else share)
        drawn = _cell(left, top, wide, "shade", dark)
        if columns > MOST_NUMBERED:
            return drawn
        kind, at = "on" if dark > 0.62 else "l", percent(left + wide / 2)
        return drawn + _number(float(value), at, top + 16, kind, whole=self.whole, p=self.is_p)


def _width_class(columns: int, beside: int) -> str:
    """How wide a table of cells has to be at least, as the style sheet says it."""
    needed = beside + max(columns, 3) * NARROWEST
    if columns <= 4 and needed <= FEW_WIDE:
        return "few"
    by_columns = min(-(-columns // 6), 5)
    enough = next((n for n, pixels in enumerate(WIDTHS, 2) if pixels >= needed), 5)
    return f"wide{max(by_columns, min(enough, 3))}"


def _shades(rows: Sequence[Row], field: str, named: str, reverse: bool) -> str:
    """What strong and faint cells stand for; which are darker depends on the reader's theme."""
    if named in P_TITLES:
        return f"Strong: p near 0. Faint: p of {P_VALUES[1]:g} or more, which chance often gives."
    known = [float(v) for row in rows if isinstance(v := row.get(field), int | float)]
    # where all are equal no cell is fainter than another
    if not known or min(known) == max(known):
        return ""
    whole = all(float(value).is_integer() for value in known)
    first, last = sorted((min(known), max(known)), reverse=reverse)
    ends = [spoken(int(end) if whole else end) for end in (first, last)]
    return f"Faint to strong: {named} of {ends[0]} to {ends[1]}."


def _frequent(rows: Sequence[Row], x: str, y: str) -> list[Row]:
    """The rows, without names that have few cells where there are many names.

    Systems with the same output are joined to competitors that few judges met.
    """
    # a pair may stand once, on either axis
    counts = Counter(row.get(axis) for row in rows for axis in (x, y))
    if len(counts) <= MANY_NAMES:
        return list(rows)
    least = max(counts.values()) / 2
    return [row for row in rows if counts[row.get(x)] >= least and counts[row.get(y)] >= least]


def _cell(left: float, top: float, wide: float, class_: str, dark: float) -> str:
    return element(
        "rect",
        x=percent(left),
        y=round(top, 1),
        width=percent(wide),
        height=ROW,
        class_=class_,
        fill_opacity=f"{dark:.2f}" if dark < 1 else None,
    )


def _number(value: float, x: str, y: float, class_: str, *, whole: bool, p: bool) -> str:
    # + 0.0, since a negative zero would have a sign
    text = spoken(int(value)) if whole else f"{round(value, 2) + 0.0:.2f}"
    # A p-value is never nought.
    text = "<0.01" if p and text == "0.00" and value > 0 else text
    return label(text, x, round(y, 1), anchor="middle", class_=class_)
