"""A Vega-Lite specification of one of the shapes of `jurat.stats.figures` as SVG in HTML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jurat.report.html import element, words
from jurat.report.labels import MEASURES, RANGES, VALUES, WAYS, heading, value_words
from jurat.report.svg import bars, dots, heat, lines
from jurat.report.svg.canvas import Palette, Row
from jurat.results import Figure

NOMINAL = "nominal"
# What tells several questions, or splits of them, apart.
OF_QUESTIONS = ("question", "of")
# Plots up to which those of all questions are shown; beyond, the first question's alone.
MOST_PLOTS = 6


def draw(figure: Figure, palette: Palette) -> str:
    """The figure without its title; nothing for a shape that is not known, or without data."""
    spec: Any = figure
    rows: Sequence[Row] = spec.get("data", {}).get("values", ())
    # a single point is no figure, and bars of no height say less than a table
    if len(rows) < 2 or _is_empty(spec, rows):
        return ""
    spec = _worded(spec, str(spec.get("title", "")))
    rows = [{key: _value(key, one) for key, one in row.items()} for row in rows]
    apart = _apart(spec, rows)
    names = list(dict.fromkeys(row[apart] for row in rows if apart in row))
    if "layer" in spec and 1 < len(names) == len(rows):
        # plots of a single point say less than one plot of them
        y = {"field": apart, "type": NOMINAL, "sort": None}
        return _of_question({**spec, "encoding": {**spec["encoding"], "y": y}}, rows, palette)
    if len(names) < 2:
        return _of_question(spec, rows, palette)
    plots = [
        (name, _of_question(spec, [row for row in rows if row.get(apart) == name], palette))
        for name in names
    ]
    shown = [element("p", words(name), class_="facet") + plot for name, plot in plots]
    if "facet" in spec and sum(plot.count('class="plot') for _, plot in plots) > MOST_PLOTS:
        rest = [
            element("details", element("summary", words(name)) + plot) for name, plot in plots[1:]
        ]
        return shown[0] + "".join(rest)
    if "facet" in spec:
        return "".join(shown)
    return element("div", "".join(element("div", one) for one in shown), class_="figs")


def _is_empty(spec: Mapping[str, Any], rows: Sequence[Row]) -> bool:
    return _mark(spec) == "bar" and not any(
        row.get(channel.get("field"))
        for channel in spec.get("encoding", {}).values()
        if channel.get("type") == "quantitative"
        for row in rows
    )


def _value(key: str, value: object) -> object:
    worded = key in VALUES or key in WAYS or key in RANGES or key == "series"
    return value_words(key, value) if worded else value


def _apart(spec: Mapping[str, Any], rows: Sequence[Row]) -> str:
    """The key by which a figure is drawn once for each of its values; empty where in one plot.

    Answers to several questions would lie upon each other where no axis tells them apart, and bars
    of several questions do not add up.
    """
    channels = spec.get("encoding", {})
    colour = channels.get("color", {}).get("field")
    if _mark(spec) == "bar" and colour in OF_QUESTIONS:
        names = channels["x" if channels["y"].get("type") == "quantitative" else "y"]["field"]
        places = {(row.get(names), row.get(colour)) for row in rows}
        return str(colour) if len({place for place, _ in places}) < len(places) else ""
    if {*_fields(spec)} & {"question", "of", "series"}:
        return ""
    return next((key for key in OF_QUESTIONS if any(key in row for row in rows)), "question")


def _fields(part: Any) -> Iterator[str]:
    """The fields that the channels of a specification show."""
    if isinstance(part, Mapping):
        if isinstance(part.get("field"), str):
            yield part["field"]
        for key, one in part.items():
            if key != "data":
                yield from _fields(one)
    elif isinstance(part, list):
        for one in part:
            yield from _fields(one)


def _of_question(spec: Mapping[str, Any], rows: Sequence[Row], palette: Palette) -> str:
    if "facet" not in spec:
        return _drawn(spec, rows, palette)
    field = spec["facet"].get("field")
    values = list(dict.fromkeys(row.get(field) for row in rows))
    palette = _shared(spec["spec"], rows, palette)
    parts = [
        element("p", words(value), class_="facet")
        + _drawn(spec["spec"], [row for row in rows if row.get(field) == value], palette)
        for value in values
    ]
    if spec.get("columns") == 1:
        return "".join(parts)
    return element("div", "".join(element("div", part) for part in parts), class_="figs")


def _shared(spec: Mapping[str, Any], rows: Sequence[Row], palette: Palette) -> Palette:
    """The palette in which a kind has the same colour in every facet."""
    colour = spec.get("encoding", {}).get("color", {}).get("field")
    kinds = tuple(dict.fromkeys(str(row[colour]) for row in rows if colour in row))
    return palette if not kinds or {*kinds} <= {*palette.systems} else Palette(kinds)


def _drawn(spec: Mapping[str, Any], rows: Sequence[Row], palette: Palette) -> str:
    """One plot. A layer adds its own channels to those that all layers share."""
    shared = spec.get("encoding", {})
    layers = spec.get("layer") or [spec]
    marks = {
        _mark(layer): {**shared, **layer.get("encoding", {})}
        for layer in layers
        if not any("datum" in channel for channel in layer.get("encoding", {}).values())
    }
    if "line" in marks:
        it = marks["line"]
        level = rows[0].get("half") if rows else None
        return lines.curves(rows, it["y"], it["x"], it.get("color"), palette=palette, level=level)
    if "bar" in marks:
        return _bars(marks["bar"], rows, palette)
    if "rect" in marks:
        it = marks["rect"]
        return heat.cells(rows, it["y"], it["x"], it["color"], palette=palette)
    if "point" in marks:
        return _points(marks["point"], rows, palette, with_rules="rule" in marks)
    return ""


def _worded(part: Any, name: str) -> Any:
    """The specification with the internal name of a result as words, where it titles an axis."""
    if isinstance(part, Mapping):
        made = {key: one if key == "data" else _worded(one, name) for key, one in part.items()}
        key = str(part.get("field", ""))
        if (key in WAYS or key in VALUES or key in RANGES) and isinstance(part.get("sort"), list):
            made["sort"] = [value_words(key, one) for one in part["sort"]]
        if key and part.get("title") == key:
            made["title"] = heading(key)
        if part.get("title") in MEASURES:
            made["title"] = MEASURES[part["title"]]
        elif part.get("title") == name and "-" in name and " " not in name:
            made["title"] = name.replace("-", " ")
        return made
    return [_worded(one, name) for one in part] if isinstance(part, list) else part


def _mark(layer: Mapping[str, Any]) -> str:
    mark = layer.get("mark", "")
    return str(mark if isinstance(mark, str) else mark["type"])


def _bars(it: Mapping[str, Any], rows: Sequence[Row], palette: Palette) -> str:
    x, y, colour = it["x"], it["y"], it.get("color")
    # Names below upright bars would overlap: they are written beside lying ones.
    lying = y.get("type") != "quantitative" or x.get("type") == NOMINAL
    if lying:
        names, value = (y, x) if y.get("type") != "quantitative" else (x, y)
        if colour and not _adds_up(rows, names, value):
            return _faceted(rows, colour["field"], names, value, palette)
        if not colour and all(row.get("low") is not None for row in rows):
            # what has an interval is a point with it, which a bar would hide
            return dots.intervals(rows, names, value, None, palette=palette)
        return bars.lying(rows, names, value, colour, palette=palette)
    return bars.upright(rows, x, y, colour, palette=palette)


def _adds_up(rows: Sequence[Row], names: Mapping[str, Any], value: Mapping[str, Any]) -> bool:
    """Whether bars may stand on each other: shares of different things are more than a whole."""
    if "share" not in str(value.get("title", "")):
        return True
    totals: dict[object, float] = {}
    for row in rows:
        name = row.get(names["field"])
        totals[name] = totals.get(name, 0.0) + float(row.get(value["field"]) or 0)
    return max(totals.values(), default=0.0) <= 1 + 1e-9


def _faceted(
    rows: Sequence[Row],
    key: str,
    names: Mapping[str, Any],
    value: Mapping[str, Any],
    palette: Palette,
) -> str:
    """A plot for each colour, under its name."""
    parts = [
        element("p", words(kind), class_="facet")
        + bars.lying(
            [row for row in rows if row.get(key) == kind], names, value, None, palette=palette
        )
        for kind in dict.fromkeys(row.get(key) for row in rows)
    ]
    return element("div", "".join(element("div", part) for part in parts), class_="figs")


def _told_apart(rows: Sequence[Row], y: Mapping[str, Any]) -> Mapping[str, Any]:
    """The axis of names; where all rows have one name, the key by which they differ."""
    if len(rows) < 2 or len({row.get(y["field"]) for row in rows}) > 1:
        return y
    keys = [key for key in rows[0] if key in VALUES and len({r.get(key) for r in rows}) > 1]
    return {"field": keys[0]} if keys else y


def _points(
    it: Mapping[str, Any], rows: Sequence[Row], palette: Palette, *, with_rules: bool
) -> str:
    x, y, colour = it["x"], it["y"], it.get("color")
    if with_rules:
        return dots.intervals(rows, _told_apart(rows, y), x, colour, palette=palette)
    if y.get("type") == "quantitative":
        names = [channel["field"] for channel in it.get("tooltip", ())]
        return dots.scattered(rows, y, x, colour, names, palette=palette)
    return dots.among_names(rows, y, x, colour, palette=palette)
