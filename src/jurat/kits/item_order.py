"""The order of items in a kit: repeats and controls are spread, far from their originals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from math import ceil
from random import Random
from typing import Literal, TypeAlias

from msgspec.structs import replace

from jurat.errors import InputError, input_error
from jurat.kits.controls import ControlPool, degraded_copy, easy_controls, is_easy
from jurat.kits.experimental_design import Row
from jurat.kits.items import PlannedItem
from jurat.kits.task_plan import KitPlan

# What is at a position: the n-th own item, its repeat, or the n-th control.
Mark: TypeAlias = "tuple[Literal['item', 'repeat', 'control'], int]"


def layout(
    rows: Sequence[int], *, repeats: int, controls: int, random: Random
) -> list[Mark] | None:
    """The order of a kit whose own items are in rows of these lengths; None if there is no room.

    Rows are not interrupted. Repeats and controls are in the gaps between rows, before the first
    and after the last one, and do not follow each other if there are enough rows to separate them.
    At least a third of the kit is between a repeat and its original, so no repeat can be in the
    first third; beyond it every place is as likely as any other, and an item's place tells no more.
    """
    if repeats > sum(rows):
        return None
    for gaps in _gaps(rows, repeats + controls):
        for zone in _zones(len(gaps), repeats):
            # the zone for repeats shrinks until their originals are far enough away
            late = spread(range(len(gaps) - zone, len(gaps)), repeats, random)
            free = sorted(set(range(len(gaps))) - set(late))
            rest = spread(free, controls, random)
            marks = _sequence(rows, [gaps[n] for n in late], [gaps[n] for n in rest])
            if (done := _with_originals(marks, random)) is not None:
                return done
    return None


def most_repeats(rows: Sequence[int], *, asked: int, controls: int, random: Random) -> int:
    """The largest number of repeats, up to `asked`, that fits into a kit of these rows."""
    for number in range(min(asked, sum(rows)), 0, -1):
        if layout(rows, repeats=number, controls=controls, random=random) is not None:
            return number
    return 0


def spread(places: Sequence[int], number: int, random: Random) -> list[int]:
    """A random place from each of `number` stretches of equal length, in order.

    The first stretch begins at a random place, and the last one ends before it: with fixed borders
    some positions of a kit would never hold an extra item.
    """
    if not number:
        return []
    first = random.randrange(len(places))
    turned = [*places[first:], *places[:first]]
    cuts = [len(places) * n // number for n in range(number + 1)]
    return sorted(turned[random.randrange(start, end)] for start, end in pairwise(cuts))


def _gaps(rows: Sequence[int], extra: int) -> Iterator[list[int]]:
    """The gaps, each as often as it may hold extra items; gap n is before the n-th row, from 0.

    With few long rows, all extra items may have to go to the end, far from their originals.
    """
    # a kit may begin with a control, or its first item would be known to be none
    gaps = range(len(rows) + 1)
    fewest = ceil(extra / len(gaps))
    for crowd in dict.fromkeys((fewest, extra if max(rows) > 1 else fewest)):
        yield [gap for gap in gaps for _ in range(crowd)]


def _zones(gaps: int, repeats: int) -> Iterator[int]:
    """The number of last gaps for repeats: two thirds of all, then ever fewer."""
    zone = max(gaps - ceil(gaps / 3) - 1, repeats)
    while zone > repeats:
        yield zone
        zone = (zone + repeats) // 2
    yield repeats


def _sequence(rows: Sequence[int], repeats: Sequence[int], controls: Sequence[int]) -> list[Mark]:
    """The marks in order; repeats do not have an original yet."""
    again = Counter(repeats)
    others: dict[int, list[Mark]] = {}
    for n, gap in enumerate(controls):
        others.setdefault(gap, []).append(("control", n))
    marks: list[Mark] = []
    start = 0
    # a row of no items after the last gap
    for gap, length in enumerate((*rows, 0)):
        # controls before repeats, which have to be as far from their originals as possible
        marks += others.get(gap, [])
        marks += [("repeat", -1)] * again[gap]
        marks += [("item", n) for n in range(start, start + length)]
        start += length
    return marks


def _with_originals(marks: Sequence[Mark], random: Random) -> list[Mark] | None:
    """The marks with a random original for each repeat; None if too few are far enough away.

    Candidates only accumulate along the kit, so no choice blocks a later one.
    """
    between = ceil(len(marks) / 3)
    free: list[int] = []
    done = list(marks)
    for place, (kind, _) in enumerate(marks):
        far = place - between - 1
        if far >= 0 and marks[far][0] == "item":
            free.append(marks[far][1])
        if kind == "repeat":
            if not free:
                return None
            done[place] = ("repeat", free.pop(random.randrange(len(free))))
    return done


# Makes a control from one of the kit's items; None if that is not possible.
Copy: TypeAlias = "Callable[[PlannedItem], PlannedItem | None]"

EASY_FOUND = "can be given (leave easy segments out of the task with 'where' to have more)"


def fill_kit(
    rows: Sequence[Row], plan: KitPlan, pool: ControlPool, random: Random
) -> list[PlannedItem]:
    """All items of a kit in order, with repeats and controls.

    Raises `InputError` if there are too few controls, or no room for all repeats.
    """
    own = [planned for row in rows for planned in row]
    controls = _controls(own, plan, pool, random)
    lengths = [len(row) for row in rows]
    marks = layout(lengths, repeats=plan.repeats, controls=len(controls), random=random)
    if marks is None:
        most = most_repeats(lengths, asked=plan.repeats, controls=len(controls), random=random)
        raise _shortage("repeats", plan.repeats, most, f"has {len(own)} items, with room for")
    return list(_planned_items(marks, own, controls, random))


def _controls(
    own: Sequence[PlannedItem], plan: KitPlan, pool: ControlPool, random: Random
) -> list[PlannedItem | Copy]:
    """The controls in random order; those that are copies of the kit's items as functions.

    Which item is copied depends on the position of the control.
    """
    wanted = plan.controls
    if wanted.gold > len(pool.gold):
        raise _shortage("controls.gold", wanted.gold, len(pool.gold), "can be given")
    easy = easy_controls(pool, wanted.easy, own, random)
    copied = wanted.easy - len(easy)
    if copied > (there := sum(map(is_easy, own)) if copied else 0):
        raise _shortage("controls.easy", wanted.easy, len(easy) + there, EASY_FOUND)

    def copy_easy(planned: PlannedItem) -> PlannedItem | None:
        return replace(planned, control="easy") if is_easy(planned) else None

    def degrade(planned: PlannedItem) -> PlannedItem | None:
        return degraded_copy(planned, pool, random)

    gold = islice(pool.mixed(pool.gold, own, random), wanted.gold)
    chosen: list[PlannedItem | Copy] = [*gold, *easy]
    chosen += [copy_easy] * copied + [degrade] * wanted.degraded
    random.shuffle(chosen)
    return chosen


def _planned_items(
    marks: Sequence[Mark],
    own: Sequence[PlannedItem],
    controls: Sequence[PlannedItem | Copy],
    random: Random,
) -> Iterator[PlannedItem]:
    places = {n: place for place, (kind, n) in enumerate(marks) if kind == "item"}
    # by function: all controls of a kind share one, so that no item is copied twice for this kind
    used: dict[Copy, set[int]] = {control: set() for control in controls if callable(control)}
    for place, (kind, n) in enumerate(marks):
        if kind == "item":
            yield own[n]
        elif kind == "repeat":
            yield replace(own[n], control="repeat")
        elif isinstance(control := controls[n], PlannedItem):
            yield control
        else:
            left = [n for n in places if n not in used[control]]
            yield _copied(control, own, used[control], _by_distance(place, left, places, random))


def _copied(
    copy: Copy, own: Sequence[PlannedItem], used: set[int], order: Iterable[int]
) -> PlannedItem:
    """A copy of the first item, in this order, that can be made into the control."""
    for n in order:
        used.add(n)
        if (planned := copy(own[n])) is not None:
            return planned
    # only degraded copies can fail here: easy items were counted beforehand
    raise input_error("too few translations can be degraded", field="kits.controls.degraded")


def _by_distance(
    place: int, items: Sequence[int], places: Mapping[int, int], random: Random
) -> list[int]:
    """Items at least a third of the kit away in random order, then the others, farthest first."""
    # beyond a third of the kit distances count the same, and the random order decides
    away = {n: min(abs(place - places[n]), len(places) / 3) for n in items}
    return sorted(random.sample(items, len(items)), key=lambda n: -away[n])


def _shortage(what: str, asked: int, there: int, words: str) -> InputError:
    message = f"{asked} {what.rpartition('.')[2]} are asked for, but {there} {words}"
    if what == "repeats":
        message = f"{asked} repeats are asked for, but it {words} {there}"
    return input_error(message, field=f"kits.{what}", value=asked)
