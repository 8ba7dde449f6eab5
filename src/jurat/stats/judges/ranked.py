"""The picture of Hamon et al.'s figures 2 to 5: judges ranked by a value, lowest first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isnan

from jurat.results import Estimate, Figure
from jurat.stats import figures

Lines = Mapping[str, tuple[float, float, float]]
"""By question: a mean, and the lower and upper limit of the rule."""


def ranked(
    title: str,
    estimates: Sequence[Estimate],
    *,
    value: str,
    lines: Lines | None = None,
    beside: Sequence[Estimate] = (),
    beside_is: str = "",
    along: str = "",
) -> Figure:
    """A point a judge with its interval, in the order of the values, each question apart.

    `beside` are other values of the same judges, drawn in the same order; `lines` the mean and the
    limits of each question, as straight lines; `along` is what the axis of the values is called,
    if not like the values themselves.
    """
    rank = _ranks(estimates)
    data = [*_rows(estimates, rank, value), *_rows(beside, rank, beside_is)]
    data += _straight(lines or {}, rank)
    x = figures.axis("rank", "judges, lowest first", axis={"tickMinStep": 1})
    y = figures.axis("value", along or value, scale={"zero": False})
    colour = figures.axis("series", "", "nominal")
    drawn = {
        "layer": [
            {
                "mark": {"type": "line", "point": True, "tooltip": {"content": "data"}},
                "encoding": {"x": x, "y": y, "color": colour},
            },
            {
                "mark": {"type": "rule", "opacity": 0.4},
                "encoding": {
                    "x": x,
                    "y": figures.axis("low", along or value, scale={"zero": False}),
                    "y2": {"field": "high"},
                    "color": colour,
                },
            },
        ]
    }
    if len({row["question"] for row in data}) > 1:
        facet = figures.axis("question", "question", "nominal")
        own = {"scale": {"y": "independent"}}  # questions are answered in different points
        return figures.figure(title, data, facet=facet, spec=drawn, columns=1, resolve=own)
    return figures.figure(title, data, **drawn)


Place = tuple[object, ...]


def _place(estimate: Estimate) -> Place:
    tags = tuple(sorted((k, str(v)) for k, v in estimate.tags.items()))
    return (estimate.by.get("question", ""), estimate.by.get("judge", ""), tags)


def _ranks(estimates: Iterable[Estimate]) -> dict[Place, int]:
    """The rank of every judge in his question and split."""
    seen: dict[object, int] = {}
    ranks: dict[Place, int] = {}
    told = [e for e in estimates if e.value is not None]
    for estimate in sorted(told, key=lambda e: e.value or 0.0):
        question, _, tags = place = _place(estimate)
        ranks[place] = seen[question, tags] = seen.get((question, tags), 0) + 1
    return ranks


def _rows(
    estimates: Iterable[Estimate], rank: Mapping[Place, int], series: str
) -> list[dict[str, object]]:
    told = [e for e in estimates if e.value is not None and _place(e) in rank]
    return [
        {**row, "rank": rank[_place(e)], "series": _series(e, series)}
        for e, row in zip(told, figures.rows(told), strict=True)
    ]


def _series(estimate: Estimate, name: str) -> str:
    return ", ".join([name, *map(str, estimate.tags.values())])


def _straight(lines: Lines, rank: Mapping[Place, int]) -> list[dict[str, object]]:
    last = max(rank.values(), default=1)
    return [
        {"question": question, "series": name, "rank": at, "value": height}
        for question, heights in lines.items()
        for name, height in zip(("mean", "mean − k SD", "mean + k SD"), heights, strict=True)
        if not isnan(height)
        for at in (1, last)
    ]
