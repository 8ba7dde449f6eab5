"""Whether these judges can give every kit the judgments it wants, under the rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from random import Random

import msgspec

from jurat.kits.cards import Card, KitId
from jurat.kits.eligibility import Rules, eligible
from jurat.model import Judge


class Shortage(msgspec.Struct, frozen=True, kw_only=True):
    """Kits that together want more judges than may have them."""

    kits: tuple[int, ...]
    """Their numbers."""
    group: str
    wanted: int
    """Different judges that these kits need together."""
    judges: int
    """Judges who may have any of them."""
    missing: int
    """Judgments that cannot be given in the whole block."""


def once_a_block(cards: Iterable[Card], rules: Rules) -> bool:
    """Whether a judge gets no more than one kit of a block."""
    return rules.apart or (rules.unaided and any(card.references for card in cards))


def shortages(
    cards: Sequence[Card], judges: Sequence[Judge], rules: Rules, *, wanted: int
) -> list[Shortage]:
    """Where the wanted judgments cannot be reached, even if every judge does all that he may.

    Kits compete for judges only within a block, of which a judge gets one kit: what a block can
    reach is a maximum flow from its judges (one kit each) to its kits (so many judges each).
    Without that rule every kit stands alone.
    """
    found: list[Shortage] = []
    known: dict[tuple[frozenset[str], ...], tuple[list[int], int]] = {}
    for kits in _competing(cards, rules):
        fit = tuple(frozenset(j.id for j in judges if eligible(k, j, (), rules)) for k in kits)
        if fit not in known:
            known[fit] = _bottleneck(fit, wanted)
        tight, missing = known[fit]
        if missing:
            chosen = [(kits[n], fit[n]) for n in tight]
            found.append(_shortage(chosen, wanted, missing))
    return found


def judges_needed(cards: Sequence[Card], rules: Rules, *, wanted: int) -> dict[str, int]:
    """The fewest judges of each group with whom the task can be finished."""
    needed: dict[str, int] = {}
    for kits in _competing(cards, rules):
        for group in {kit.group for kit in kits}:
            number = wanted * sum(kit.group == group for kit in kits)
            needed[group] = max(needed.get(group, 0), number)
    return dict(sorted(needed.items()))


def deal(
    cards: Sequence[Card], judges: Sequence[Judge], rules: Rules, *, wanted: int
) -> dict[str, list[Card]]:
    """The kits of each judge if all take turns, each the first that he may get, to the end.

    The order of the judges changes from round to round, always in the same way.
    """
    single = once_a_block(cards, rules)
    ordered = sorted(cards, key=lambda card: card.number)
    left: dict[KitId, int] = {card.id: wanted for card in ordered}
    dealt: dict[str, list[Card]] = {judge.id: [] for judge in judges}
    blocks: dict[str, set[str]] = defaultdict(set)
    # a kit that a judge passes by is one that he can never get: his place only moves on
    waiting = {
        judge.id: iter([card for card in ordered if eligible(card, judge, (), rules)])
        for judge in judges
    }
    for turn in count():
        # in another order each time: in life, too, the same two do not always meet
        for judge in Random(turn).sample(list(waiting), len(waiting)):
            queue = waiting[judge]
            fit = (c for c in queue if left[c.id] and not (single and c.block in blocks[judge]))
            if (card := next(fit, None)) is None:
                del waiting[judge]
                continue
            left[card.id] -= 1
            blocks[judge].add(card.block)
            dealt[judge].append(card)
        if not waiting:
            return dealt
    raise AssertionError  # a queue ends


def most_kits(cards: Sequence[Card], judge: Judge, rules: Rules) -> int:
    """The most kits that a judge could ever get."""
    fit = [card for card in cards if eligible(card, judge, (), rules)]
    return len({card.block for card in fit}) if once_a_block(cards, rules) else len(fit)


def _competing(cards: Sequence[Card], rules: Rules) -> list[list[Card]]:
    """Kits that compete for judges: those of a block, or each for itself."""
    if not once_a_block(cards, rules):
        return [[card] for card in cards]
    blocks: dict[str, list[Card]] = defaultdict(list)
    for card in cards:
        blocks[card.block].append(card)
    return list(blocks.values())


def _bottleneck(fit: Sequence[frozenset[str]], wanted: int) -> tuple[list[int], int]:
    """Kits that together have too few judges, and how many judgments are out of reach."""
    given: dict[str, int] = {}
    missing = 0
    tight: set[int] = set()
    for kit in range(len(fit)):
        for _ in range(wanted):
            tried = {kit}
            if not _give(kit, fit, given, tried):
                missing += 1
                tight = tight or tried
    return sorted(tight), missing


def _give(kit: int, fit: Sequence[frozenset[str]], given: dict[str, int], tried: set[int]) -> bool:
    """Find a judge for a kit, moving others to other kits of theirs where that helps."""
    for judge in sorted(fit[kit]):
        if judge not in given:
            given[judge] = kit
            return True
    for judge in sorted(fit[kit]):
        other = given[judge]
        if other not in tried:
            tried.add(other)
            if _give(other, fit, given, tried):
                given[judge] = kit
                return True
    return False


def _shortage(kits: Sequence[tuple[Card, frozenset[str]]], wanted: int, missing: int) -> Shortage:
    groups = {kit.group for kit, _ in kits}
    return Shortage(
        kits=tuple(kit.number for kit, _ in kits),
        group=groups.pop() if len(groups) == 1 else "",
        wanted=wanted * len(kits),
        judges=len(frozenset[str]().union(*(fit for _, fit in kits))),
        missing=missing,
    )


def undealt(cards: Sequence[Card], dealt: Mapping[str, Sequence[Card]], *, wanted: int) -> int:
    """The judgments of kits that a deal leaves open."""
    return wanted * len(cards) - sum(map(len, dealt.values()))
