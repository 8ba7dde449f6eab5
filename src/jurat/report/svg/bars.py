"""Bars: under each other where names are on an axis, upright over numbers and points of a scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jurat.report.html import element, words
from jurat.report.svg.canvas import (
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
    tick_labels,
    upright_axis,
)
from jurat.report.svg.dots import in_words, ordered
from jurat.results import spoken

Channel = Mapping[str, Any]
ROW, THICK = 24, 16
HEIGHT = 220.0


def lying(
    rows: Sequence[Row], names: Channel, value: Channel, colour: Channel | None, *, palette: Palette
) -> str:
    """A bar a name; parts of other colours stand one after the other."""
    key = colour["field"] if colour else ""
    kinds = list(dict.fromkeys(row.get(key, "") for row in rows))
    field, over = value["field"], names["field"]
    classes = palette.of(kinds)
    order = ordered(rows, names)
    groups = {name: [row for row in rows if row.get(over) == name] for name in order}
    stacked = any(len({row.get(key) for row in own}) > 1 for own in groups.values())
    totals = [sum((float(row[field] or 0) for row in own), 0.0) for own in groups.values()]
    ends = [row.get(end) for row in rows for end in ("low", "high")] if not stacked else []
    scale = Scale.of([*totals, *ends], value.get("scale", {}).get("domain"), zero=True)
    parts = []
    for n, (name, own) in enumerate(groups.items()):
        parts.append(label(shortened(name), -10, n * ROW + 16, anchor="end", class_="l"))
        parts.append(_row(own, (key, field), scale, n * ROW + 4, classes, stacked=stacked))
    numbers = in_words(totals)
    if not stacked:
        texts = [label(text, 10, n * ROW + 16, class_="l") for n, text in enumerate(numbers)]
        parts.append(element("svg", "".join(texts), x="100%", overflow="visible"))
    bottom = len(order) * ROW + 2
    told = "; ".join(f"{name} {text}" for name, text in list(zip(order, numbers, strict=True))[:12])
    return legend(classes) + drawing(
        across_axis(scale, 0, bottom, value.get("title") or "") + "".join(parts),
        height=bottom + 40,
        left=margin(shortened(name) for name in order),
        right=20 if stacked else margin(numbers),
        alternative=told,
    )


def _row(
    own: Sequence[Row],
    fields: tuple[str, str],
    scale: Scale,
    y: float,
    classes: Mapping[object, str],
    *,
    stacked: bool,
) -> str:
    drawn, start = [], 0.0
    key, field = fields
    for row in own:
        end = start + float(row[field] or 0)
        left, right = sorted((scale.share(start), scale.share(end)))
        drawn.append(
            element(
                "rect",
                x=percent(left),
                y=y,
                width=percent(right - left),
                height=THICK,
                class_=classes.get(row.get(key, ""), "c1"),
            )
        )
        start = end if stacked else 0.0
    if not stacked and own and own[0].get("low") is not None and own[0].get("high") is not None:
        low, high = (percent(scale.share(float(own[0][end]))) for end in ("low", "high"))
        drawn.append(line(low, y + THICK / 2, high, y + THICK / 2, "er"))
    return "".join(drawn)


def upright(
    rows: Sequence[Row],
    places: Channel,
    value: Channel,
    colour: Channel | None,
    *,
    palette: Palette,
) -> str:
    """A bar for each step of a scale, stacked by colour where there are several."""
    key, over, field = colour["field"] if colour else "", places["field"], value["field"]
    steps = ordered(rows, places)
    if places.get("type") == "quantitative":
        steps = sorted(steps, key=lambda step: float(str(step)))
    classes = palette.of(list(dict.fromkeys(row.get(key, "") for row in rows)))
    totals = {
        step: sum(float(row[field] or 0) for row in rows if row.get(over) == step) for step in steps
    }
    # an interval belongs to a bar of its own, not to a part of one
    single = len(rows) == len(steps)
    ends = [row.get("high") for row in rows] if single else []
    scale = Scale.of([*totals.values(), *ends], value.get("scale", {}).get("domain"), zero=True)
    axis, left = upright_axis(scale, HEIGHT)
    wide = 1 / max(len(steps), 1)
    numbers = [float(str(step)) for step in steps if isinstance(step, float)]
    named = tick_labels(numbers) if len(numbers) == len(steps) else [str(step) for step in steps]
    parts = []
    for n, step in enumerate(steps):
        base = 0.0
        for row in rows:
            if row.get(over) != step:
                continue
            top = base + float(row[field] or 0)
            y = HEIGHT * (1 - scale.share(top))
            parts.append(
                element(
                    "rect",
                    x=percent((n + 0.1) * wide),
                    y=round(y, 1),
                    width=percent(0.8 * wide),
                    height=round(HEIGHT * (1 - scale.share(base)) - y, 1),
                    class_=classes.get(row.get(key, ""), "c1"),
                )
            )
            base = top
            if single and row.get("low") is not None and row.get("high") is not None:
                low, high = (HEIGHT * (1 - scale.share(float(row[e]))) for e in ("low", "high"))
                middle = percent((n + 0.5) * wide)
                parts.append(line(middle, round(low, 1), middle, round(high, 1), "er"))
        # Every step has its name where there is room, else some of them.
        if n % max(1, -(-len(steps) // 12)) == 0:
            parts.append(label(named[n], percent((n + 0.5) * wide), HEIGHT + 16, anchor="middle"))
    parts.append(label(places.get("title") or "", "50%", HEIGHT + 33, anchor="middle"))
    told = "; ".join(f"{step} {spoken(total)}" for step, total in list(totals.items())[:12])
    return (
        legend(classes)
        + element("p", words(value.get("title") or ""), class_="axis")
        + drawing(axis + "".join(parts), height=HEIGHT + 40, left=left, right=20, alternative=told)
    )
