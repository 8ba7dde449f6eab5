"""Bars: under each other where names are on an axis, upright over numbers and points of a scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from jurat.report.html import element, words
from jurat.report.svg.canvas import (
    Palette,
    Row,
    Scale,
    across_axis,
    drawing,
    in_order,
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
# Steps of a scale beyond which they are numbers on an axis rather than names below bars; and bars
# beyond which they would be too thin to be seen.
MANY_STEPS, MOST_BARS = 12, 150


def lying(
    rows: Sequence[Row], names: Channel, value: Channel, colour: Channel | None, *, palette: Palette
) -> str:
    """A bar a name; parts of other colours stand one after the other."""
    key = colour["field"] if colour else ""
    kinds = in_order(dict.fromkeys(row.get(key, "") for row in rows))
    field, over = value["field"], names["field"]
    classes = palette.kinds(kinds)
    order = ordered(rows, names)
    place = {kind: n for n, kind in enumerate(kinds)}
    groups = {
        name: sorted(
            (row for row in rows if row.get(over) == name), key=lambda row: place[row.get(key, "")]
        )
        for name in order
    }
    if colour and all(len(own) == 1 for own in groups.values()):
        # names of a kind stand together
        order = sorted(order, key=lambda name: place[groups[name][0].get(key, "")])
        groups = {name: groups[name] for name in order}
    stacked = any(len({row.get(key) for row in own}) > 1 for own in groups.values())
    totals = [sum((float(row[field] or 0) for row in own), 0.0) for own in groups.values()]
    ends = [row.get(end) for row in rows for end in ("low", "high")] if not stacked else []
    scale = Scale.of([*totals, *ends], value.get("scale", {}).get("domain"), zero=True)
    parts = []
    for n, (name, own) in enumerate(groups.items()):
        parts.append(label(shortened(name), -10, n * ROW + 16, anchor="end", class_="l"))
        parts.append(_row(own, (key, field), scale, n * ROW + 4, classes, stacked=stacked))
    # of parts of a whole, how many cases it is
    cases = [own[0].get("n") for own in groups.values()]
    told_n = stacked and all(isinstance(n, int) for n in cases)
    numbers = [f"n = {n:,}" for n in cases] if told_n else in_words(totals, counted=True)
    if not stacked or told_n:
        texts = [label(text, 10, n * ROW + 16, class_="l") for n, text in enumerate(numbers)]
        parts.append(element("svg", "".join(texts), x="100%", overflow="visible"))
    bottom = len(order) * ROW + 2
    told = "; ".join(f"{name} {text}" for name, text in list(zip(order, numbers, strict=True))[:12])
    return legend(classes) + drawing(
        across_axis(scale, 0, bottom, value.get("title") or "") + "".join(parts),
        height=bottom + 40,
        left=margin(shortened(name) for name in order),
        right=20 if stacked and not told_n else margin(numbers),
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
    # of parts of a whole, the interval of the first one
    if own and own[0].get("low") is not None and own[0].get("high") is not None:
        low, high = (percent(scale.share(float(own[0][end]))) for end in ("low", "high"))
        drawn += [line(low, y + THICK / 2, high, y + THICK / 2, kind) for kind in ("halo", "er")]
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
    numeric = all(isinstance(step, int | float) for step in steps)
    if numeric and len(steps) > MANY_STEPS:
        return _histogram(rows, steps, over, field, value=value, places=places)
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
        own = [row for row in rows if row.get(over) == step]
        parts.append(_column(own, (key, field), scale, (n * wide, wide), classes, single=single))
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


def _column(
    own: Sequence[Row],
    fields: tuple[str, str],
    scale: Scale,
    place: tuple[float, float],
    classes: Mapping[object, str],
    *,
    single: bool,
) -> str:
    """The bar of a step, at its left end and as wide as said; a part of it for each row."""
    key, field = fields
    left, wide = place
    drawn, base = [], 0.0
    for row in own:
        top = base + float(row[field] or 0)
        y = HEIGHT * (1 - scale.share(top))
        drawn.append(
            element(
                "rect",
                x=percent(left + 0.1 * wide),
                y=round(y, 1),
                width=percent(0.8 * wide),
                height=round(HEIGHT * (1 - scale.share(base)) - y, 1),
                class_=classes.get(row.get(key, ""), "c1"),
            )
        )
        base = top
        if single and row.get("low") is not None and row.get("high") is not None:
            low, high = (HEIGHT * (1 - scale.share(float(row[e]))) for e in ("low", "high"))
            middle = percent(left + 0.5 * wide)
            ends = (middle, round(low, 1), middle, round(high, 1))
            drawn += [line(*ends, kind) for kind in ("halo", "er")]
    return "".join(drawn)


def _histogram(
    rows: Sequence[Row],
    steps: Sequence[Any],
    over: str,
    field: str,
    *,
    value: Channel,
    places: Channel,
) -> str:
    """Bars at their places on an axis of numbers: steps that do not occur leave gaps."""
    totals = {
        step: sum(float(row[field] or 0) for row in rows if row[over] == step) for step in steps
    }
    apart = min(b - a for a, b in pairwise(steps))
    # narrower bars than these are not seen, and wider ones would lie upon their neighbours
    thick = max(apart, (steps[-1] - steps[0]) / MOST_BARS)
    across = Scale(steps[0] - thick, steps[-1] + thick)
    up = Scale.of(totals.values(), value.get("scale", {}).get("domain"), zero=True)
    axis, left = upright_axis(up, HEIGHT)
    wide = 0.8 * thick / (across.high - across.low)
    parts = []
    for step, total in totals.items():
        y = round(HEIGHT * (1 - up.share(total)), 1)
        parts.append(
            element(
                "rect",
                x=percent(across.share(step) - wide / 2),
                y=y,
                width=percent(wide),
                height=round(HEIGHT * (1 - up.share(0.0)) - y, 1),
                class_="c1",
            )
        )
    ticks = across.ticks(8)
    for tick, text in zip(ticks, tick_labels(ticks), strict=True):
        parts.append(label(text, percent(across.share(tick)), HEIGHT + 16, anchor="middle"))
    parts.append(label(places.get("title") or "", "50%", HEIGHT + 33, anchor="middle"))
    most = sorted(totals.items(), key=lambda one: -one[1])[:12]
    return element("p", words(value.get("title") or ""), class_="axis") + drawing(
        axis + "".join(parts),
        height=HEIGHT + 40,
        left=left,
        right=20,
        alternative="; ".join(f"{spoken(step)} {spoken(total)}" for step, total in most),
    )
