"""Lines with their points and intervals, each named at its right end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jurat.report.html import element, paragraph, words
from jurat.report.svg.canvas import (
    Palette,
    Row,
    Scale,
    drawing,
    label,
    legend,
    line,
    margin,
    percent,
    shortened,
    tick_labels,
    turned,
    upright_axis,
    width,
)
from jurat.report.svg.dots import ordered
from jurat.results import spoken

Channel = Mapping[str, Any]
HEIGHT = 230.0
# Names at the ends of lines, in pixels from each other.
APART = 15.0
MOST_NAMED = 8
# The class of lines that are there for comparison alone.
FAINT = "faint"
# Names of steps below a plot in half of a page.
MOST_STEPS = 6
# Lines that mark limits have no points of their own; what they are called beside the plot.
LIMITS = {"mean": "mean", "mean − k SD": "lower limit", "mean + k SD": "upper limit"}
# Pixels of a plot in which the names of judges have to fit below it.
NAMES_FIT = 560
# The same of systems, where all are named: so many are there on a phone.
SYSTEMS_FIT = 240
# The same of other names on a phone, where direct labels stand beside the plot.
PHONE_FITS = 150
# Letters of a turned name below a plot.
TURNED = 22
# By how much of the plot lines stand beside each other, at most.
ASIDE = 0.012
LIMITS_TOLD = "Dashed: the mean of all judges, and the limits beyond which a judge stands out."


def curves(
    rows: Sequence[Row],
    y: Channel,
    x: Channel,
    colour: Channel | None,
    *,
    palette: Palette,
    level: float | None = None,
) -> str:
    """A line for each colour over numbers, or over steps in their order; one at a level, if any."""
    over, field = x["field"], y["field"]
    known = _from_left([row for row in rows if row.get(field) is not None], x)
    places, axis, below = _across(known if x.get("type") == "quantitative" else rows, x)
    series = _by_colour(known, colour)
    own = [name for name in series if name not in LIMITS]
    classes = _classes(own, series, (over, field), palette)
    up = _upright_scale(known, y)
    drawn = _drawn(series, places, up, (over, field), classes=classes, own=own)
    if level is not None:
        drawn = _curve([{field: level}] * 2, [0.0, 1.0], up, field, None) + drawn
    direct = 1 < len(series) <= MOST_NAMED
    names = _names(series, own)
    if direct:
        last = {names[n]: up.share(float(some[-1][field])) for n, some in series.items()}
        drawn += _named_ends(last, {names[name]: class_ for name, class_ in classes.items()})
    upright, left = upright_axis(up, HEIGHT)
    grey = [name for name in own if classes[name] == FAINT]
    return (
        ("" if direct else legend({n: c for n, c in classes.items() if c != FAINT}))
        + element("p", words(y.get("title") or ""), class_="axis")
        + drawing(
            upright + axis + drawn,
            height=HEIGHT + below,
            left=left,
            right=margin(shortened(name, 24) for name in names.values()) if direct else 20,
            alternative=_alternative(series, x, y),
        )
        + (paragraph(LIMITS_TOLD, "axis") if {*series} & {*LIMITS} else "")
        + (_grey(grey, str((colour or {}).get("title"))) if grey else "")
    )


def _from_left(rows: list[Row], x: Channel) -> list[Row]:
    """Rows in the order in which a line goes through them, where x has one."""
    if x.get("type") == "quantitative":
        return sorted(rows, key=lambda row: float(row[x["field"]]))
    if isinstance(x.get("sort"), list | tuple):
        place = {name: n for n, name in enumerate(ordered(rows, x))}
        return sorted(rows, key=lambda row: place[row.get(x["field"])])
    return rows


def _by_colour(rows: Sequence[Row], colour: Channel | None) -> dict[object, list[Row]]:
    """The rows of each line."""
    key = colour["field"] if colour else ""
    series: dict[object, list[Row]] = {}
    for row in rows:
        series.setdefault(row.get(key, ""), []).append(row)
    return series


def _classes(
    own: Sequence[object],
    series: Mapping[object, Sequence[Row]],
    fields: tuple[str, str],
    palette: Palette,
) -> dict[object, str]:
    """The colour of each line."""
    # More lines than colours: the first and the last stand out, those between are grey.
    if len(own) > MOST_NAMED:
        return dict.fromkeys(own, FAINT) | Palette().of([own[0], own[-1]])
    classes = palette.of(own)
    return classes | _as_the_first_alike(own, series, *fields, classes) if own else classes


def _upright_scale(rows: Sequence[Row], y: Channel) -> Scale:
    told = y.get("scale", {})
    ends = _ends(rows, y["field"]) if rows else []
    return Scale.of(ends, told.get("domain"), zero=told.get("zero", True))


def _drawn(
    series: Mapping[object, Sequence[Row]],
    places: Mapping[object, float],
    up: Scale,
    fields: tuple[str, str],
    *,
    classes: Mapping[object, str],
    own: Sequence[object],
) -> str:
    """All lines; grey ones lie below the others."""
    over, field = fields
    # intervals of several lines stand beside each other
    several = any(_have_intervals(some) for some in series.values())
    near = min(ASIDE, 0.5 / max(len(places) * len(own), 1)) if several else 0.0
    aside = {name: (n - (len(own) - 1) / 2) * near for n, name in enumerate(own)}
    below = sorted(series, key=lambda name: classes.get(name) != FAINT)
    return "".join(
        _curve(
            series[name],
            [places[row.get(over)] + aside.get(name, 0.0) for row in series[name]],
            up,
            field,
            classes.get(name),
        )
        for name in below
    )


def _names(series: Mapping[object, Sequence[Row]], own: Sequence[object]) -> dict[object, object]:
    """What each line is called beside the plot."""
    # a line alone among limits needs no name but that of whom it is about: its axis has the other
    alone = {own[0]: "judges"} if len(own) == 1 and len(series) > 1 else {}
    return {name: alone.get(name, LIMITS.get(str(name), name)) for name in series}


def _have_intervals(rows: Sequence[Row]) -> bool:
    return any(row.get("low") is not None and row.get("high") is not None for row in rows)


def _as_the_first_alike(
    own: Sequence[object],
    series: Mapping[object, Sequence[Row]],
    x: str,
    y: str,
    classes: Mapping[object, str],
) -> dict[object, str]:
    """The colour of each line, that of the first where several are the same."""
    first: dict[tuple[object, ...], str] = {}
    found = {}
    for name in own:
        points = tuple((row.get(x), row.get(y)) for row in series[name])
        found[name] = first.setdefault(points, classes[name])
    return found


def _grey(names: Sequence[object], title: str) -> str:
    """What grey lines stand for."""
    return paragraph(f"Grey, {title}: {', '.join(map(str, names))}.", "axis")


def _ends(rows: Sequence[Row], field: str) -> list[float]:
    """Where an axis has to reach: values and intervals, except the far ends of very wide ones.

    A single interval from two documents would flatten all that the others say.
    """
    values = [float(row[field]) for row in rows]
    reaches = [
        (float(low), float(high))
        for row in rows
        if (low := row.get("low")) is not None and (high := row.get("high")) is not None
    ]
    if not reaches:
        return values
    typical = sorted(high - low for low, high in reaches)[len(reaches) // 2]
    room = 1.5 * max(typical, max(values) - min(values))
    least, most = min(values) - room, max(values) + room
    return [*values, *(min(max(end, least), most) for reach in reaches for end in reach)]


def _across(rows: Sequence[Row], x: Channel) -> tuple[dict[object, float], str, int]:
    """Where each value of x stands, as a share of the width; the axis below, and its height."""
    values = list(dict.fromkeys(row.get(x["field"]) for row in rows))
    if x.get("type") == "quantitative":
        numbers = [float(value) for value in values if value is not None]
        low, high = min(numbers, default=0.0), max(numbers, default=1.0)
        scale = Scale(low, high) if high > low else Scale(low - 0.5, high + 0.5)
        places = {value: scale.share(float(value)) for value in values if value is not None}
        ticks = scale.ticks(6)
        if all(number.is_integer() for number in numbers):
            ticks = [tick for tick in ticks if float(tick).is_integer()]
        marked = list(zip([scale.share(t) for t in ticks], tick_labels(ticks), strict=True))
        # judges stand in an order of their own: their names say more than their numbers
        judges = {row[x["field"]]: str(row["judge"]) for row in rows if "judge" in row}
        if x["field"] == "rank" and sum(width(name) + 4 for name in judges.values()) <= NAMES_FIT:
            marked = [(places[at], name) for at, name in judges.items()]
    else:
        step = 1 / max(len(values), 1)
        if isinstance(x.get("sort"), list | tuple):
            values = ordered(rows, x)
        places = {value: (n + 0.5) * step for n, value in enumerate(values)}
        if x["field"] == "system" and sum(width(str(name)) + 8 for name in values) > SYSTEMS_FIT:
            axis, deep = _turned_names(values, places, str(x.get("title") or ""))
            return places, axis, deep
        # Every step has its name where there is room, else some of them.
        some = values[:: max(1, -(-len(values) // MOST_STEPS))]
        marked = [(places[value], str(value)) for value in some]
    # the style sheet hides every second name on a phone
    long = x["field"] != "system" and sum(width(text) + 8 for _, text in marked) > PHONE_FITS
    parts = [
        label(
            text, percent(at), HEIGHT + 16, anchor="middle", class_="mid" if long and n % 2 else ""
        )
        for n, (at, text) in enumerate(marked)
    ]
    parts.append(label(x.get("title") or "", "50%", HEIGHT + 33, anchor="middle"))
    return places, "".join(parts), 40


def _turned_names(
    names: Sequence[object], places: Mapping[object, float], title: str
) -> tuple[str, int]:
    """All names below a plot, turned; and the height that they need with the title."""
    parts = [
        turned(name, percent(places[name]), HEIGHT + 14, angle=-45, most=TURNED, end=True)
        for name in names
    ]
    deep = round(0.75 * max(width(shortened(name, TURNED)) for name in names)) + 16
    parts.append(label(title, "50%", HEIGHT + deep + 10, anchor="middle"))
    return "".join(parts), deep + 18


def _curve(
    rows: Sequence[Row], places: Sequence[float], up: Scale, field: str, class_: str | None
) -> str:
    heights = [HEIGHT * (1 - up.share(float(row[field]))) for row in rows]
    points = " ".join(f"{100 * at:.2f},{y:.1f}" for at, y in zip(places, heights, strict=True))
    # Stretched to the width of the plot; the style sheet keeps the stroke as wide as it is.
    stretched = element(
        "svg",
        element("polyline", points=points, class_=class_ or "limit"),
        width="100%",
        height=HEIGHT,
        viewBox=f"0 0 100 {HEIGHT:g}",
        preserveAspectRatio="none",
        overflow="visible",
    )
    if class_ in (None, FAINT):
        return stretched
    dots = []
    for row, at, y in zip(rows, places, heights, strict=True):
        low, high = row.get("low"), row.get("high")
        if low is not None and high is not None:
            ends = [round(HEIGHT * (1 - up.share(float(end))), 1) for end in (low, high)]
            dots.append(line(percent(at), ends[0], percent(at), ends[1], f"e {class_}"))
        # Hundreds of points in a line would only make it thick.
        if len(rows) <= 60:
            dots.append(element("circle", cx=percent(at), cy=round(y, 1), r=3, class_=class_))
    return stretched + "".join(dots)


def _named_ends(last: Mapping[object, float], classes: Mapping[object, str]) -> str:
    """The names of the lines at their right ends, moved apart where they would overlap."""
    order = sorted(last, key=lambda name: -last[name])
    heights: list[float] = []
    for name in order:
        wanted = HEIGHT * (1 - last[name])
        heights.append(max(wanted, heights[-1] + APART) if heights else wanted)
    # What was pushed below the plot moves up again, and the others with it.
    for n in range(len(heights) - 1, -1, -1):
        below = HEIGHT if n == len(heights) - 1 else heights[n + 1] - APART
        heights[n] = min(heights[n], below)
    texts = [
        label(shortened(name, 24), 8, round(y, 1) + 4, class_=f"own {classes.get(name, 'limit')}")
        for name, y in zip(order, heights, strict=True)
    ]
    return element("svg", "".join(texts), x="100%", overflow="visible")


def _alternative(series: Mapping[object, Sequence[Row]], x: Channel, y: Channel) -> str:
    told = [
        f"{name or y.get('title') or 'values'}: from {spoken(float(own[0][y['field']]))} at "
        f"{own[0].get(x['field'])} to {spoken(float(own[-1][y['field']]))} at "
        f"{own[-1].get(x['field'])}"
        for name, own in list(series.items())[:MOST_NAMED]
    ]
    return "; ".join(told)
