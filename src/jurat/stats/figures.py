"""Figures as Vega-Lite specifications: the few shapes that all statistics draw with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isnan
from typing import Any

from jurat.results import Estimate, Figure
from jurat.stats.phrases import subject

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
# A field of the data with its title and scale, or a mark, as plain data.
Channel = Mapping[str, object]
Rows = Sequence[Mapping[str, object]]
# By question: a mean, and the lower and upper limit of a rule.
LimitLines = Mapping[str, tuple[float, float, float]]
# Question, judge and split of an estimate, by which it is found again.
EstimateKey = tuple[object, ...]
# Estimates in a figure: more cannot be told apart.
MOST_ROWS = 300
# Names on an axis in the order of the data, which each facet may have in its own.
AS_GIVEN = "as given"


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


def figure(title: str, data: Rows, **parts: object) -> Figure:
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
    one_scale: bool = False,
) -> Figure:
    """A point a name with its interval, best first: the common picture of judges and systems.

    `sort` is that of Vega-Lite, or `AS_GIVEN`; by default the highest value comes first.

    Each facet has its own scale, as questions are answered in different points, unless all share
    `one_scale`.
    """
    data = rows(estimates)
    # A single facet would only repeat the title.
    faceted = bool(facet) and len({row.get(facet) for row in data}) > 1
    # Best first by default, as in a table of results.
    order: object = _highest_first(data, over) if sort is None else sort
    if sort == AS_GIVEN:
        order = None if faceted else list(dict.fromkeys(row.get(over) for row in data))
    y = axis(over, over, "nominal", sort=order)
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
    if faceted:
        by = axis(facet, facet, "nominal")
        own = {"scale": {"x": "shared" if one_scale else "independent"}}
        return figure(title, data, facet=by, spec=layers, columns=2, resolve=own)
    return figure(title, data, **layers)


def _highest_first(data: Sequence[Mapping[str, Any]], over: str) -> list[object]:
    """The names of an axis by their values; a figure of several layers cannot sort by itself."""
    found: dict[object, list[float]] = {}
    for row in data:
        found.setdefault(row.get(over), []).append(float(row["value"]))
    return sorted(found, key=lambda name: -sum(found[name]) / len(found[name]))


def bars(
    title: str, data: Rows, *, x: Channel, y: Channel, colour: Channel | None = None
) -> Figure:
    """Bars, stacked by colour where there is one."""
    return _marked({"type": "bar", "tooltip": True}, title, data, x=x, y=y, color=colour)


def lines(
    title: str, data: Rows, *, x: Channel, y: Channel, colour: Channel | None = None
) -> Figure:
    """Lines with their points, one of each colour."""
    mark = {"type": "line", "point": True, "tooltip": True}
    return _marked(mark, title, data, x=x, y=y, color=colour)


def scatter(
    title: str,
    data: Rows,
    *,
    x: Channel,
    y: Channel,
    colour: Channel | None = None,
    tooltip: Sequence[str] = (),
) -> Figure:
    """A point a row, whose `tooltip` fields are shown with it."""
    shown = [{"field": name} for name in tooltip]
    mark = {"type": "point", "filled": True}
    return _marked(mark, title, data, x=x, y=y, color=colour, tooltip=shown)


def heat(title: str, data: Rows, *, x: Channel, y: Channel, colour: Channel) -> Figure:
    """A cell a pair, darker for more."""
    return _marked({"type": "rect", "tooltip": True}, title, data, x=x, y=y, color=colour)


def _marked(mark: Channel, title: str, data: Rows, **channels: object) -> Figure:
    """A figure of one mark; channels without anything are left out."""
    encoding = {name: channel for name, channel in channels.items() if channel}
    return figure(title, data, mark=mark, encoding=encoding)


def coefficient_figure(
    title: str, estimates: Sequence[Estimate], *, over: str = "question"
) -> Figure:
    """A point a coefficient with its interval, split as asked."""
    tags = {name for e in estimates for name in e.tags}
    # One facet at most: the first of the tags, else the question if it is not on the axis.
    facet = min(tags) if tags else "question" if over != "question" else ""
    # Groups are compared, and so they are on one axis, or on one scale.
    if tags and over == "question":
        over, facet = facet, over
    alone = len({e.by.get("question") for e in estimates}) == 1
    return points_with_intervals(
        title,
        tuple(estimates)[:MOST_ROWS],
        over=over,
        value=title,
        facet=facet,
        one_scale=facet in tags and alone,
    )


def within_n_figure(title: str, estimates: Sequence[Estimate]) -> Figure:
    """The share of pairs within each distance, a curve a question or split."""
    known = [e for e in estimates if e.value is not None]
    return lines(
        title,
        [
            # in a row, n is how many pairs there are
            {**row, "of": subject(e), "points": e.by["n"]}
            for row, e in zip(rows(known), known, strict=True)
        ],
        x=axis("points", "n, points of the scale", axis={"tickMinStep": 1}),
        y=axis("value", "share of pairs", scale={"domain": [0, 1]}),
        colour=axis("of", "question", "nominal"),
    )


def ranked_judges_figure(
    title: str,
    estimates: Sequence[Estimate],
    *,
    value: str,
    lines: LimitLines | None = None,
    other: Sequence[Estimate] = (),
    other_name: str = "",
    title_y: str = "",
) -> Figure:
    """Judges ranked by a value with its interval, as in Hamon et al.'s figures 2 to 5.

    `other` are further values of the same judges, drawn in the same order; `lines` the mean and
    the limits of each question. `title_y` is the title of the axis, else `value`, which names the
    series.
    """
    rank = _ranks(estimates)
    data = [*_series(estimates, rank, value), *_series(other, rank, other_name)]
    data += _straight_lines(lines or {}, rank)
    x = axis("rank", "judges, lowest first", axis={"tickMinStep": 1})
    y, low = (axis(end, title_y or value, scale={"zero": False}) for end in ("value", "low"))
    colour = axis("series", "", "nominal")
    line = {"type": "line", "point": True, "tooltip": {"content": "data"}}
    reach = {"x": x, "y": low, "y2": {"field": "high"}, "color": colour}
    layers = {
        "layer": [
            {"mark": line, "encoding": {"x": x, "y": y, "color": colour}},
            {"mark": {"type": "rule", "opacity": 0.4}, "encoding": reach},
        ]
    }
    if len({row["question"] for row in data}) > 1:
        facet = axis("question", "question", "nominal")
        own = {"scale": {"y": "independent"}}  # questions are answered in different points
        return figure(title, data, facet=facet, spec=layers, columns=1, resolve=own)
    return figure(title, data, **layers)


def _estimate_key(estimate: Estimate) -> EstimateKey:
    tags = tuple(sorted((k, str(v)) for k, v in estimate.tags.items()))
    return (estimate.by.get("question", ""), estimate.by.get("judge", ""), tags)


def _ranks(estimates: Iterable[Estimate]) -> dict[EstimateKey, int]:
    """The rank of every judge in their question and split."""
    last: dict[object, int] = {}
    ranks: dict[EstimateKey, int] = {}
    known = [e for e in estimates if e.value is not None]
    for estimate in sorted(known, key=lambda e: e.value or 0.0):
        question, _, tags = key = _estimate_key(estimate)
        ranks[key] = last[question, tags] = last.get((question, tags), 0) + 1
    return ranks


def _series(
    estimates: Iterable[Estimate], rank: Mapping[EstimateKey, int], series: str
) -> list[dict[str, object]]:
    known = [e for e in estimates if e.value is not None and _estimate_key(e) in rank]
    names = (", ".join([series, *map(str, e.tags.values())]) for e in known)
    return [
        {**row, "rank": rank[_estimate_key(e)], "series": name}
        for e, row, name in zip(known, rows(known), names, strict=True)
    ]


def _straight_lines(lines: LimitLines, rank: Mapping[EstimateKey, int]) -> list[dict[str, object]]:
    last = max(rank.values(), default=1)
    return [
        {"question": question, "series": name, "rank": at, "value": height}
        for question, heights in lines.items()
        for name, height in zip(("mean", "mean − k SD", "mean + k SD"), heights, strict=True)
        if not isnan(height)
        for at in (1, last)
    ]
