"""Figures as Vega-Lite specifications: the few shapes that all statistics draw with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jurat.results import Estimate, Figure

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
Encoding = Mapping[str, Mapping[str, Any]]


def rows(estimates: Sequence[Estimate]) -> list[dict[str, object]]:
    """The estimates as the data of a figure: keys, value, low, high, n."""
    return [
        {**e.by, **e.tags, "value": e.value, "low": e.low, "high": e.high, "n": e.n}
        for e in estimates
        if e.value is not None
    ]


def labelled(estimates: Sequence[Estimate]) -> list[Estimate]:
    """The same estimates, with their question and split in one key `of`, for an axis or facets."""
    return [
        e._replace(
            by={**e.by, "of": ", ".join(map(str, (e.by.get("question", ""), *e.tags.values())))}
        )
        for e in estimates
    ]


def figure(title: str, data: Sequence[Mapping[str, object]], **parts: object) -> Figure:
    """A whole specification: title and data, and the marks, encodings or layers given."""
    return {"$schema": SCHEMA, "title": title, "data": {"values": list(data)}, **parts}


def axis(name: str, title: str, kind: str = "quantitative", **more: object) -> dict[str, object]:
    """A field on an axis, under a title."""
    return {"field": name, "type": kind, "title": title, **more}


def points_with_intervals(
    title: str,
    estimates: Sequence[Estimate],
    *,
    over: str,
    value: str,
    facet: str = "",
    colour: str = "",
    sort: str | Sequence[str] | None = None,
) -> Figure:
    """A point a name with its interval, best first: the common picture of judges and systems.

    Each facet has its own scale: questions are answered in different points.
    """
    data = rows(estimates)
    # Best first by default, as in a table of results.
    y = axis(over, over, "nominal", sort=_highest_first(data, over) if sort is None else sort)
    shared: dict[str, object] = {"y": y}
    if colour:
        shared["color"] = axis(colour, colour, "nominal")
    along: dict[str, object] = {"scale": {"zero": False}}
    if all(float(e.value).is_integer() for e in estimates if e.value is not None):
        along["axis"] = {"tickMinStep": 1}  # of ranks and counts there are no halves
    point = {
        "mark": {"type": "point", "filled": True},
        "encoding": {"x": axis("value", value) | along},
    }
    rule = {
        "mark": "rule",
        "encoding": {"x": axis("low", value) | along, "x2": {"field": "high"}},
    }
    # The interval is drawn first, so that the point lies on top of it.
    layers = {"layer": [rule, point], "encoding": shared}
    # A single facet would only repeat the title.
    if facet and len({row.get(facet) for row in data}) > 1:
        by = axis(facet, facet, "nominal")
        own = {"scale": {"x": "independent"}}
        return figure(title, data, facet=by, spec=layers, columns=2, resolve=own)
    return figure(title, data, **layers)


def _highest_first(data: Sequence[Mapping[str, Any]], over: str) -> list[object]:
    """The names of an axis by their values; a figure of several layers cannot sort by itself."""
    found: dict[object, list[float]] = {}
    for row in data:
        found.setdefault(row.get(over), []).append(float(row["value"]))
    return sorted(found, key=lambda name: -sum(found[name]) / len(found[name]))


def bars(
    title: str,
    data: Sequence[Mapping[str, object]],
    *,
    x: Mapping[str, object],
    y: Mapping[str, object],
    colour: Mapping[str, object] | None = None,
) -> Figure:
    """Bars, stacked by colour where there is one."""
    encoding = {"x": x, "y": y} | ({"color": colour} if colour else {})
    return figure(title, data, mark={"type": "bar", "tooltip": True}, encoding=encoding)


def lines(
    title: str,
    data: Sequence[Mapping[str, object]],
    *,
    x: Mapping[str, object],
    y: Mapping[str, object],
    colour: Mapping[str, object] | None = None,
) -> Figure:
    """Lines with their points, one of each colour."""
    encoding = {"x": x, "y": y} | ({"color": colour} if colour else {})
    return figure(
        title, data, mark={"type": "line", "point": True, "tooltip": True}, encoding=encoding
    )


def scatter(
    title: str,
    data: Sequence[Mapping[str, object]],
    *,
    x: Mapping[str, object],
    y: Mapping[str, object],
    colour: Mapping[str, object] | None = None,
    tooltip: Sequence[str] = (),
) -> Figure:
    """A point a thing, with what it is in the tooltip."""
    encoding: dict[str, object] = {"x": x, "y": y}
    if colour:
        encoding["color"] = colour
    if tooltip:
        encoding["tooltip"] = [{"field": name} for name in tooltip]
    return figure(title, data, mark={"type": "point", "filled": True}, encoding=encoding)


def heat(
    title: str,
    data: Sequence[Mapping[str, object]],
    *,
    x: Mapping[str, object],
    y: Mapping[str, object],
    colour: Mapping[str, object],
) -> Figure:
    """A cell a pair, darker for more."""
    encoding = {"x": x, "y": y, "color": colour}
    return figure(title, data, mark={"type": "rect", "tooltip": True}, encoding=encoding)
