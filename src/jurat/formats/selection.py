"""Which part of a test set is judged: filters, chance, and the segments that tell most."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from random import Random

from msgspec.structs import replace

from jurat import parts
from jurat.faults import Fault, FaultyInput, complain, refuse
from jurat.formats.scores import Score, spreads
from jurat.model import Document, Segment, System, TestSet, Translation
from jurat.parts import Key, changed, tags_of, unknown_names, with_segments

SPREAD = "spread"
"""The tag of the translation for whose spread a segment was chosen."""


def keep(
    test_set: TestSet,
    *,
    systems: Collection[str] | None = None,
    documents: Collection[str] | None = None,
    segments: Collection[str] | None = None,
    first: int | None = None,
    where: str | None = None,
) -> TestSet:
    """The systems named, and the segments that meet every condition given: see `jurat.parts`.

    `segments` are named `document:segment`, or by their bare id where it is the only one.
    """
    wanted = None if segments is None else find_segments(test_set, segments)
    try:
        return parts.keep(
            test_set,
            systems=systems,
            documents=documents,
            segments=wanted,
            first=first,
            where=where,
        )
    except FaultyInput as error:
        # here they are asked for by options: there is no file that has the field
        raise FaultyInput(replace(fault, field=None) for fault in error.faults) from None


def choose_random(test_set: TestSet, n: int, *, seed: int) -> TestSet:
    """N segments by chance, in document order."""
    keys = _keys(test_set)
    _check_number(n, len(keys))
    return _only(test_set, Random(seed).sample(keys, n))


def choose_stratified(test_set: TestSet, n: int, tag: str, *, seed: int) -> TestSet:
    """N segments by chance, each value of a tag in proportion and none left out if N allows it.

    Seats go by largest remainders; segments without the tag are a stratum of their own.
    """
    strata: dict[str | None, list[Key]] = {}
    for document, segment in test_set.segments():
        value = {**document.tags, **segment.tags}.get(tag)
        strata.setdefault(value, []).append((document.id, segment.id))
    _check_number(n, sum(map(len, strata.values())))
    if not set(strata) - {None}:
        refuse(unknown_names("tag", [tag], sorted(tags_of(test_set))))
    seats = apportion([len(keys) for keys in strata.values()], n)
    random = Random(seed)
    drawn = (random.sample(keys, k) for keys, k in zip(strata.values(), seats, strict=True))
    return _only(test_set, [key for keys in drawn for key in keys])


def apportion(sizes: Sequence[int], n: int) -> list[int]:
    """N seats in proportion to sizes, by largest remainders, at least one each if N allows it."""
    total = sum(sizes)
    seats = [n * size // total for size in sizes]
    by_remainder = sorted(range(len(sizes)), key=lambda i: -(n * sizes[i] % total))
    for i in by_remainder[: n - sum(seats)]:
        seats[i] += 1
    while n >= len(sizes) and 0 in seats:
        # from whoever is furthest above his share and can spare a seat
        several = (i for i, seat in enumerate(seats) if seat > 1)
        seats[max(several, key=lambda i: seats[i] * total - n * sizes[i])] -= 1
        seats[seats.index(0)] += 1
    return seats


def choose_by_spread(test_set: TestSet, n: int, scores: Iterable[Score]) -> TestSet:
    """The N segments with an output whose score depends most on the reference.

    For each output the standard deviation (n − 1) of its scores across references is taken; a
    segment stands by its most variable output, which gets the tag `spread`. Ties go by document
    order. Fomicheva & Specia (2016), Reference Bias in Monolingual Machine Translation Evaluation.
    """
    best: dict[Key, tuple[float, str]] = {}
    for (*key, system), spread in spreads(test_set, scores).items():
        document, segment = key
        if spread > best.get((document, segment), (-1.0, ""))[0]:
            best[document, segment] = (spread, system)
    _check_number(n, len(best), "segments with scores against two references or more")
    ranked = sorted((key for key in _keys(test_set) if key in best), key=lambda key: -best[key][0])
    chosen = {key: best[key] for key in ranked[:n]}
    marks = {(*key, system): {SPREAD: f"{sd:.6g}"} for key, (sd, system) in chosen.items()}
    return tag_translations(_only(test_set, chosen), marks)


def as_human_system(test_set: TestSet, reference: str, name: str | None = None) -> TestSet:
    """A reference as one of the systems; it is never shown as its own reference."""
    refuse(unknown_names("reference", [reference], test_set.references))
    name = name or f"human-{reference}"
    if name in {*test_set.references, *(system.name for system in test_set.systems)}:
        raise complain(f"the name '{name}' is taken", value=name)
    system = System(name=name, kind="human", reference=reference)

    def with_human(_: Document, segment: Segment) -> Segment:
        human = {name: Translation(segment.references[reference])}
        return replace(segment, translations={**segment.translations, **human})

    return replace(changed(test_set, with_human), systems=(*test_set.systems, system))


def tag_translations(
    test_set: TestSet, tags: Mapping[tuple[str, str, str], Mapping[str, str]]
) -> TestSet:
    """Give tags to translations, which are named by document, segment and system."""

    def tagged(document: Document, segment: Segment) -> Segment:
        made = {
            name: replace(made, tags={**made.tags, **tags.get((document.id, segment.id, name), {})})
            for name, made in segment.translations.items()
        }
        return replace(segment, translations=made)

    return changed(test_set, tagged)


def find_segments(test_set: TestSet, names: Iterable[str]) -> set[Key]:
    """The segments of these names: `document:segment`, or the id alone where it is the only one."""
    full = {f"{document}:{segment}": (document, segment) for document, segment in _keys(test_set)}
    bare: dict[str, list[Key]] = {}
    for key in _keys(test_set):
        bare.setdefault(key[1], []).append(key)
    options = {name: [full[name]] if name in full else bare.get(name, []) for name in names}
    ambiguous = {name: len(keys) for name, keys in options.items() if len(keys) > 1}
    refuse(
        [
            *unknown_names(
                "segment", [name for name, keys in options.items() if not keys], [*full]
            ),
            *(
                Fault(message=f"segment {name} is in {n} documents; name it document:segment")
                for name, n in ambiguous.items()
            ),
        ]
    )
    return {keys[0] for keys in options.values()}


def _keys(test_set: TestSet) -> list[Key]:
    return [(document.id, segment.id) for document, segment in test_set.segments()]


def _only(test_set: TestSet, keys: Collection[Key]) -> TestSet:
    chosen = set(keys)
    return with_segments(test_set, lambda document, segment: (document.id, segment.id) in chosen)


def _check_number(n: int, available: int, what: str = "segments") -> None:
    if not 1 <= n <= available:
        raise complain(f"{n} cannot be chosen of {available:,} {what}", value=n)
