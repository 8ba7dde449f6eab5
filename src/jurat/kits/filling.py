"""A kit's own items with its repeats and controls among them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import TypeAlias

from msgspec.structs import replace

from jurat.faults import FaultyInput, complain
from jurat.kits.arranging import Row
from jurat.kits.controls import Pool, degraded, fresh, is_easy
from jurat.kits.passages import Draft
from jurat.kits.placing import Mark, layout, most_repeats
from jurat.kits.plan import KitPlan

Copy: TypeAlias = "Callable[[Draft], Draft | None]"
"""What makes a control of one of the kit's own items, where it can."""

EASY_FOUND = "can be given (leave easy segments out of the task with 'where' to have more)"


def filled(rows: Sequence[Row], plan: KitPlan, pool: Pool, random: Random) -> list[Draft]:
    """All drafts of a kit, in order; a `FaultyInput` says what there is not enough of."""
    own = [draft for row in rows for draft in row]
    controls = _controls(own, plan, pool, random)
    lengths = [len(row) for row in rows]
    marks = layout(lengths, repeats=plan.repeats, controls=len(controls), random=random)
    if marks is None:
        most = most_repeats(lengths, asked=plan.repeats, controls=len(controls), random=random)
        raise _shortage("repeats", plan.repeats, most, f"has {len(own)} items, with room for")
    return list(_drafts(marks, own, controls, random))


def _controls(
    own: Sequence[Draft], plan: KitPlan, pool: Pool, random: Random
) -> list[Draft | Copy]:
    """The controls, or how to make them once it is clear where they stand; in random order."""
    wanted = plan.controls
    if wanted.gold > len(pool.gold):
        raise _shortage("controls.gold", wanted.gold, len(pool.gold), "can be given")
    easy = fresh(pool, wanted.easy, {draft.passage.key for draft in own}, random)
    copied = wanted.easy - len(easy)
    if copied > (there := sum(map(is_easy, own)) if copied else 0):
        raise _shortage("controls.easy", wanted.easy, len(easy) + there, EASY_FOUND)

    def copy_easy(draft: Draft) -> Draft | None:
        return replace(draft, control="easy") if is_easy(draft) else None

    def damage(draft: Draft) -> Draft | None:
        return degraded(draft, pool, random)

    chosen: list[Draft | Copy] = [*random.sample(pool.gold, wanted.gold), *easy]
    chosen += [copy_easy] * copied + [damage] * wanted.degraded
    random.shuffle(chosen)
    return chosen


def _drafts(
    marks: Sequence[Mark],
    own: Sequence[Draft],
    controls: Sequence[Draft | Copy],
    random: Random,
) -> Iterator[Draft]:
    places = {n: place for place, (kind, n) in enumerate(marks) if kind == "item"}
    used: dict[Copy, set[int]] = {control: set() for control in controls if callable(control)}
    for place, (kind, n) in enumerate(marks):
        if kind == "item":
            yield own[n]
        elif kind == "repeat":
            yield replace(own[n], control="repeat")
        elif isinstance(control := controls[n], Draft):
            yield control
        else:
            left = [n for n in places if n not in used[control]]
            yield _copied(control, own, used[control], _by_distance(place, left, places, random))


def _copied(copy: Copy, own: Sequence[Draft], used: set[int], order: Iterable[int]) -> Draft:
    """A copy of the first item that can be copied so, and was not before."""
    for n in order:
        used.add(n)
        if (draft := copy(own[n])) is not None:
            return draft
    # easy ones were counted beforehand
    raise complain("too few translations can be damaged", field="kits.controls.degraded")


def _by_distance(
    place: int, items: Sequence[int], places: Mapping[int, int], random: Random
) -> list[int]:
    """Items at least a third of the kit away in random order, then the others, farthest first."""
    away = {n: min(abs(place - places[n]), len(places) / 3) for n in items}
    return sorted(random.sample(items, len(items)), key=lambda n: -away[n])


def _shortage(what: str, asked: int, there: int, words: str) -> FaultyInput:
    message = f"{asked} {what.rpartition('.')[2]} are asked for, but {there} {words}"
    if what == "repeats":
        message = f"{asked} repeats are asked for, but it {words} {there}"
    return complain(message, field=f"kits.{what}", value=asked)
