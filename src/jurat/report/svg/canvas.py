"""What all shapes share: scales, ticks, labels, colours, and the frame of a drawing.

Horizontal places are percents of the plot, vertical ones are pixels: so letters keep their size
while the plot follows the width of the page.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from unicodedata import east_asian_width

from jurat.report.html import element, words
from jurat.results import spoken

Row = Mapping[str, Any]
# Colours of the style sheet; more than this many things cannot be told apart by colour.
COLOURS = 8
# The widest label, and the step in which the style sheet has margins.
WIDEST, STEP = 240, 20
MOST_LETTERS = 30
# Kinds whose colour means something: the same wherever they are, whichever comes first.
KINDS = {
    "agree": "c1",
    "tie": "faint",
    "disagree": "c2",
    "differ": "c4",
    "strict": "c1",
    "lenient": "c2",
    "stands out": "c8",
}
# Titles of axes on which there is nothing between whole numbers.
COUNTED = ("cluster", "rank")


@dataclass(frozen=True)
class Palette:
    """The colour of each system, the same in every figure of a report."""

    systems: tuple[str, ...] = ()
    classes: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        few = self.systems if len(self.systems) <= COLOURS else ()
        own = {name: f"c{n}" for n, name in enumerate(few, 1)}
        object.__setattr__(self, "classes", own)

    def of(self, names: Sequence[object]) -> dict[object, str]:
        """The class of each name: a system's own, or one by its place among these names."""
        if names and all(str(name) in self.systems for name in names):
            return {name: self.classes.get(str(name), "c1") for name in names}
        return {name: f"c{n % COLOURS + 1}" for n, name in enumerate(names)}

    def kinds(self, names: Sequence[object]) -> dict[object, str]:
        """The same, where names may be kinds with a colour of their own."""
        if names and all(str(name) in KINDS for name in names):
            return {name: KINDS[str(name)] for name in names}
        return self.of(names)


def in_order(names: Iterable[object]) -> list[object]:
    """Names in the order of their kinds, where all are such; others as they come."""
    found = list(names)
    if not all(str(name) in KINDS for name in found):
        return found
    order = list(KINDS)
    return sorted(found, key=lambda name: order.index(str(name)))


class Scale(NamedTuple):
    """Numbers between two ends, as a share of the way."""

    low: float
    high: float

    @classmethod
    def of(
        cls, values: Iterable[object], domain: Sequence[float] | None = None, *, zero: bool
    ) -> Scale:
        """The scale that holds all values, with a little room, or the domain that is given."""
        if domain:
            return cls(float(domain[0]), float(domain[-1]))
        known = [float(v) for v in values if isinstance(v, int | float) and math.isfinite(v)]
        low, high = min(known, default=0.0), max(known, default=1.0)
        if zero:
            low, high = min(low, 0.0), max(high, 0.0)
        # A single value, or several that rounding tells apart, stand in the middle of a scale.
        flat = high - low <= 1e-9 * max(abs(low), abs(high))
        room = (abs(high) * 0.1 or 0.5) if flat else (high - low) * 0.04
        return cls(low if zero and low == 0 else low - room, high + room)

    def share(self, value: float) -> float:
        """How far along a value lies, between 0 and 1."""
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)

    def ticks(self, most: int = 5) -> list[float]:
        """Round numbers between the ends, at most so many."""
        rough = (self.high - self.low) / most
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * f for f in (1, 2, 2.5, 5, 10) if power * f >= rough * (1 - 1e-9))
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [n * step for n in range(first, last + 1)]


def tick_labels(ticks: Sequence[float]) -> list[str]:
    """Ticks with as many decimals as tell them apart."""
    for digits in range(7):
        texts = [f"{tick + 0.0:,.{digits}f}" for tick in ticks]
        if all(math.isclose(float(t.replace(",", "")), v) for t, v in zip(texts, ticks)):  # noqa: B905
            return [text.replace("-", "−") for text in texts]
    return [spoken(float(tick)) for tick in ticks]


def shortened(name: object, most: int = MOST_LETTERS) -> str:
    """A name that fits beside a plot."""
    text = str(name)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def width(text: str) -> int:
    """About how many pixels a label takes."""
    wide = sum(east_asian_width(letter) in "WF" for letter in text)
    # in short labels such as "mean" the thin letters do not make up for the broad ones
    broad = sum(letter in "mwMW" for letter in text)
    return round(7.1 * (len(text) - wide) + 13.5 * wide + 4 * broad)


def margin(texts: Iterable[str]) -> int:
    """The margin of the style sheet in which the longest of these labels fits."""
    return margin_of(max((width(text) for text in texts), default=0))


def margin_of(pixels: float) -> int:
    """The margin of the style sheet in which a label of so many pixels fits."""
    return min(-(-math.ceil(pixels + 12) // STEP) * STEP, WIDEST)


def percent(share: float) -> str:
    """A share of the plot's width."""
    return f"{100 * share:.2f}%"


def line(x: object, y: object, x2: object, y2: object, class_: str) -> str:
    """A straight line."""
    return element("line", x1=x, y1=y, x2=x2, y2=y2, class_=class_)


def label(text: object, x: object, y: object, *, anchor: str = "", class_: str = "") -> str:
    """A text on the drawing; `dx` cannot be given in percent, so shifts are in `x` already."""
    return element("text", words(text), x=x, y=y, text_anchor=anchor or None, class_=class_ or None)


def drawing(
    content: str, *, height: float, left: int, right: int, alternative: str, class_: str = ""
) -> str:
    """A drawing with room for labels at both sides; readers who do not see it get words."""
    return element(
        "svg",
        content,
        class_=f"plot l{left} r{right} {class_}".rstrip(),
        height=round(height),
        role="img",
        aria_label=alternative,
    )


def across_axis(scale: Scale, top: float, bottom: float, title: str) -> str:
    """The horizontal axis: faint lines from top to bottom, numbers and a title below."""
    ticks = scale.ticks()
    if title in COUNTED:
        ticks = [tick for tick in ticks if float(tick).is_integer()]
    parts = []
    for tick, text in zip(ticks, tick_labels(ticks), strict=True):
        at = percent(scale.share(tick))
        # what lies on either side of nothing differs in kind
        kind = "g zero" if abs(tick) < 1e-12 and scale.low < 0 else "g"
        parts += [line(at, top, at, bottom, kind), label(text, at, bottom + 16, anchor="middle")]
    if title:
        parts.append(label(title, "50%", bottom + 33, anchor="middle"))
    return "".join(parts)


def upright_axis(scale: Scale, height: float) -> tuple[str, int]:
    """The vertical axis of a plot so high: faint lines and numbers; and the margin they need."""
    ticks = scale.ticks()
    texts = tick_labels(ticks)
    parts = []
    for tick, text in zip(ticks, texts, strict=True):
        y = round(height * (1 - scale.share(tick)), 1)
        parts += [line(0, y, "100%", y, "g"), label(text, -8, y + 4, anchor="end")]
    return "".join(parts), margin(texts)


def turned(name: object, x: object, y: float, *, angle: int, most: int, end: bool = False) -> str:
    """A name that is turned, so that neighbours do not overlap; it starts or ends at the place."""
    inner = element(
        "text",
        words(shortened(name, most)),
        transform=f"rotate({angle})",
        text_anchor="end" if end else None,
        class_="l",
    )
    return element("svg", inner, x=x, y=round(y, 1), overflow="visible")


def legend(classes: Mapping[object, str]) -> str:
    """Which colour stands for what, in words beside a patch of it; nothing for a single one."""
    if len(classes) < 2:
        return ""
    items = "".join(
        element("li", element("i", class_=f"patch {class_}") + words(shortened(name)))
        for name, class_ in classes.items()
    )
    return element("ul", items, class_="legend")
