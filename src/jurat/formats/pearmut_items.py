"""How the items of a Pearmut document are called, in its log and in its campaign alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

# Seconds of a pause that count as work at most, as in Pearmut's own active time.
LONGEST_PAUSE = 61.0


class ItemTexts(NamedTuple):
    """What an item can be known by."""

    item_id: str | int | None
    src: str | None
    tgt: Mapping[str, str]


def item_names(items: Iterable[ItemTexts]) -> list[str]:
    """The ids of a document's items; one without an id is known by its source, or a translation.

    Where a document has a name again, such as a sentence that it repeats, the name is numbered.
    """
    names: list[str] = []
    times: Counter[str] = Counter()
    for item in items:
        name = _name(item)
        times[name] += 1
        names.append(f"{name} ({times[name]})" if times[name] > 1 else name)
    return names


def _name(item: ItemTexts) -> str:
    if item.item_id not in (None, ""):
        return str(item.item_id)
    # the order of the translations may be another for every judge
    return item.src or (item.tgt[min(item.tgt)] if item.tgt else "")
