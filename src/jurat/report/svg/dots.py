"""A point a name with its interval: systems, judges, coefficients; and points among names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jurat.report.html import element, words
from jurat.report.svg.canvas import (
    COUNTED,
    MOST_LETTERS,
    Palette,
    Row,
    Scale,
    across_axis,
    drawing,
    label,
    legend,
    line,
    margin,
    percent,
    shortened,
)
from jurat.results import spoken

Channel = Mapping[str, Any]
ROW = 22
# Between the names of two systems that are compared.
PAIRED = " − "


def intervals(
    rows: Sequence[Row], y: Channel, x: Channel, colour: Channel | None, *, palette: Palette
) -> str:
    """Names under each other, each with its values, their intervals, and the number in words."""
    over, series = y["field"], colour["field"] if colour else y["field"]
    names = ordered(rows, y)
    kinds = list(dict.fromkeys(row.get(series) for row in rows))
    several = colour is not None and len(kinds) > 1
    classes = palette.of(kinds if several or over == "system" else [])
    ends = [row.get(end) for row in rows for end in ("value", "low", "high")]
    counted = x.get("title") in COUNTED
    numbers = in_words([float(row["value"]) for row in rows], counted=counted)
    said = {id(row): number for row, number in zip(rows, numbers, strict=True)}
    domain = _around(ends) if counted else x.get("scale", {}).get("domain")
    scale = Scale.of(ends, domain, zero=False)
    named = {name: name_lines(name) for name in names}
    # names of two lines need more room
    height = ROW if all(len(lines) == 1 for lines in named.values()) else 2 * ROW - 10
    parts, at = [], 0
    for name in names:
        own = [row for row in rows if row.get(over) == name]
        parts.append(_name(named[name], at + height / 2))
        for row in own:
            parts.append(_interval(row, scale, at + height / 2, classes.get(row.get(series), "c0")))
            at += height if several else 0
        if not several and len(own) == 1:
            parts.append(_beside(said[id(own[0])], at + height / 2 + 4))
        at += 4 if several else height
    axis = across_axis(scale, 0, at, x.get("title") or "")
    return (legend(classes) if several else "") + drawing(
        axis + "".join(parts),
        height=at + 40,
        left=margin(line for lines in named.values() for line in lines),
        right=margin(numbers),
        alternative=_alternative(rows, over),
        class_="named",
    )


def name_lines(name: object) -> list[str]:
    """A name that fits beside a plot; one of a pair that does not in two lines."""
    first, minus, second = str(name).partition(PAIRED)
    if not minus or len(str(name)) <= MOST_LETTERS:
        return [shortened(name)]
    return [f"{shortened(first, MOST_LETTERS - 2)}{minus.rstrip()}", shortened(second)]


def _name(lines: Sequence[str], middle: float) -> str:
    top = middle + 4 - 7 * (len(lines) - 1)
    return "".join(
        label(line, -10, top + 14 * n, anchor="end", class_=f"l name n{len(lines)}")
        for n, line in enumerate(lines)
    )


def _around(values: Sequence[object]) -> tuple[float, float]:
    """The ends of an axis of whole numbers: half a step beyond the first and the last."""
    known = [float(value) for value in values if isinstance(value, int | float)]
    return min(known) - 0.5, max(known) + 0.5


def in_words(values: Sequence[float], *, counted: bool = False) -> list[str]:
    """Values in words; ranks and counts without decimals."""
    whole = all(value.is_integer() for value in values)
    if whole and (counted or any(abs(value) > 1 for value in values)):
        return [spoken(int(value)) for value in values]
    return [_small(value) or spoken(value) for value in values]


def _small(value: float) -> str:
    """A number beside a plot that three decimals would not tell from nought."""
    return ("<0.001" if value > 0 else ">−0.001") if 0 < abs(value) < 0.0005 else ""


def ordered(rows: Sequence[Row], channel: Channel) -> list[object]:
    """The names of an axis, as the specification sorts them, else in the order of the rows."""
    there = list(dict.fromkeys(row.get(channel["field"]) for row in rows))
    sort = channel.get("sort")
    # Steps of a scale in their order, which need not be that of the rows.
    if channel.get("type") == "ordinal" and all(isinstance(one, int | float) for one in there):
        return sorted(there, key=lambda one: float(str(one)), reverse=sort == "descending")
    if not isinstance(sort, list | tuple):
        return there
    place = {name: n for n, name in enumerate(sort)}
    return sorted(there, key=lambda name: place.get(name, len(place)))


def _interval(row: Row, scale: Scale, y: float, class_: str) -> str:
    ends = [row.get("low"), row.get("high")]
    drawn = ""
    if all(isinstance(end, int | float) for end in ends):
        low, high = (percent(scale.share(float(end))) for end in ends if end is not None)
        drawn = line(low, y, high, y, f"e {class_}")
    at = percent(scale.share(float(row["value"])))
    return drawn + element("circle", cx=at, cy=y, r=4, class_=class_)


def _beside(text: str, y: float) -> str:
    """A number at the right of the plot; a drawing inside lets it start behind 100 %."""
    inner = label(text, 10, y, class_="l")
    return element("svg", inner, x="100%", overflow="visible")


def _alternative(rows: Sequence[Row], over: str) -> str:
    """The first values in words; the table has all."""
    told = []
    for row in rows[:12]:
        low, high = row.get("low"), row.get("high")
        reach = f" [{spoken(low)}, {spoken(high)}]" if low is not None and high is not None else ""
        told.append(f"{row.get(over)} {spoken(float(row['value']))}{reach}")
    more = f"; and {len(rows) - 12} more in the table" if len(rows) > 12 else ""
    return "; ".join(told) + more


def among_names(
    rows: Sequence[Row], y: Channel, x: Channel, colour: Channel | None, *, palette: Palette
) -> str:
    """Several points for each name, coloured by what they belong to."""
    names, key = ordered(rows, y), colour["field"] if colour else ""
    classes = palette.of(sorted({row.get(key) for row in rows}, key=str)) if key else {}
    scale = Scale.of((row.get(x["field"]) for row in rows), zero=False)
    place = {name: n * ROW + ROW / 2 for n, name in enumerate(names)}
    parts = [
        label(shortened(name), -10, y_at + 4, anchor="end", class_="l")
        + line(0, y_at, "100%", y_at, "g")
        for name, y_at in place.items()
    ]
    parts += [
        element(
            "circle",
            cx=percent(scale.share(float(row[x["field"]]))),
            cy=place[row.get(y["field"])],
            r=4,
            class_=classes.get(row.get(key), "c1"),
        )
        for row in rows
        if row.get(x["field"]) is not None
    ]
    bottom = len(names) * ROW
    return legend(classes) + drawing(
        across_axis(scale, 0, bottom, x.get("title") or "") + "".join(parts),
        height=bottom + 40,
        left=margin(shortened(name) for name in names),
        right=20,
        alternative=f"{len(rows)} points for {len(names)} names; the table has their values",
    )


def scattered(
    rows: Sequence[Row],
    y: Channel,
    x: Channel,
    colour: Channel | None,
    names: Sequence[str],
    *,
    palette: Palette,
) -> str:
    """Points of two numbers; a few of them have their names beside them."""
    from jurat.report.svg.canvas import upright_axis

    across = Scale.of((row.get(x["field"]) for row in rows), zero=False)
    up = Scale.of((row.get(y["field"]) for row in rows), zero=False)
    height = 260.0
    axis, left = upright_axis(up, height)
    key = colour["field"] if colour else ""
    classes = palette.of(sorted({row.get(key) for row in rows}, key=str)) if key else {}
    parts = []
    for row in rows:
        if row.get(x["field"]) is None or row.get(y["field"]) is None:
            continue
        share = across.share(float(row[x["field"]]))
        at = height * (1 - up.share(float(row[y["field"]])))
        kind = classes.get(row.get(key), "c1")
        parts.append(element("circle", cx=percent(share), cy=round(at, 1), r=4, class_=kind))
        # More names than these would lie upon each other.
        if names and len(rows) <= 20:
            inner = label(shortened(row.get(names[0], ""), 20), 7, 4)
            parts.append(
                element("svg", inner, x=percent(share), y=round(at, 1), overflow="visible")
            )
    frame = across_axis(across, 0, height, x.get("title") or "") + axis
    above = element("p", words(y.get("title") or ""), class_="axis")
    return (
        (legend(classes) if len(classes) <= 12 else "")
        + above
        + drawing(
            frame + "".join(parts),
            height=height + 40,
            left=left,
            right=100 if names else 20,
            alternative=f"{len(rows)} points; the table has their values",
        )
    )
