"""Selects the part of a test set to be judged, and suggests translations that are easy to judge.

Segments are selected by name, at random, stratified by a tag, or by how much a metric's score
depends on the reference. A translation is easy if every careful judge should give it the top score
(Hamon et al.: short sentences, or frequent ones).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from jurat import testset_filter
from jurat.deserialize import convert
from jurat.errors import InputError, Problem, input_error, raise_problems, unknown_name
from jurat.model import EASY, Document, File, Segment, System, TestSet, Translation
from jurat.testset_filter import (
    Key,
    map_segments,
    tags_of,
    unknown_names,
    with_segments,
)

# A document, a segment in it, and a system.
Output: TypeAlias = "tuple[str, str, str]"


class ReferenceScore(msgspec.Struct, frozen=True, kw_only=True):
    """A metric's score of one translation against one reference."""

    segment: str
    system: str
    reference: str
    value: float
    document: str | None = None


def read_scores(file: File, metric: str | None = None) -> list[ReferenceScore]:
    """The scores of segments by one metric, from a table."""
    # imported here, because polars is slow to import and only this function needs it
    from jurat.tables import SCORES, conform, need, read_table

    frame = read_table(file)
    need(frame, ("segment", "reference"), "scores of segments")
    needed = ("segment", "reference", "value")
    rows = [
        row
        for row in conform(frame, SCORES).iter_rows(named=True)
        if all(row[name] is not None for name in needed)
    ]
    known = list(dict.fromkeys(row["metric"] for row in rows))
    if metric is None and len(known) > 1:
        message = "the table has several metrics; choose one"
        raise input_error(message, file=file.name, allowed=tuple(known))
    if metric is not None and metric not in known:
        raise unknown_name("metric", metric, known, file=file.name)
    return [convert(row, ReferenceScore) for row in rows if metric in (None, row["metric"])]


def scores_of_part(
    scores: Iterable[ReferenceScore], whole: TestSet, part: TestSet
) -> list[ReferenceScore]:
    """The scores of translations in `part`, a selection of `whole`; unknown ones are kept."""
    # subtracted, so that scores of unknown outputs stay and are reported later
    left_out = _outputs(whole) - _outputs(part)
    return [each for each in scores if (each.document, each.segment, each.system) not in left_out]


def spreads(test_set: TestSet, scores: Iterable[ReferenceScore]) -> dict[Output, float]:
    """The standard deviation of each output's scores across references, if it has two or more."""
    found: dict[Output, dict[str, float]] = {}
    problems: list[Problem] = []
    places = _Places(test_set)
    for score in scores:
        key = places.find(score)
        if isinstance(key, Problem):
            problems.append(key)
        elif score.reference in found.setdefault(key, {}):
            message = f"system {score.system} has two scores against reference {score.reference}"
            problems.append(Problem(message=message, document=key[0], segment=key[1]))
        elif not math.isnan(score.value):
            found[key][score.reference] = score.value
    raise_problems(list(dict.fromkeys(problems)))
    return {key: _deviation([*values.values()]) for key, values in found.items() if len(values) > 1}


class _Places:
    """Finds the output that a score belongs to."""

    def __init__(self, test_set: TestSet) -> None:
        self.systems = tuple(system.name for system in test_set.systems)
        self.documents: dict[str, list[str]] = {}
        for document, segment in test_set.segments():
            self.documents.setdefault(segment.id, []).append(document.id)

    def find(self, score: ReferenceScore) -> Output | Problem:
        """Document, segment and system; without a document, the segment's id must be unique."""
        if score.system not in self.systems:
            message = f"unknown system '{score.system}'"
            return Problem(message=message, value=score.system, allowed=self.systems)
        documents = self.documents.get(score.segment, [])
        if score.document is not None:
            documents = [score.document] if score.document in documents else []
        if len(documents) == 1:
            return documents[0], score.segment, score.system
        message = "there is a score of a segment that is not in the test set"
        if documents:
            message = f"a score names no document, and {len(documents)} have this segment"
        return Problem(message=message, document=score.document, segment=score.segment)


def _deviation(values: Sequence[float]) -> float:
    mean = math.fsum(values) / len(values)
    # fsum, because rounding errors would break ties between equally variable outputs
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))


def _outputs(test_set: TestSet) -> set[tuple[str | None, str, str]]:
    """The outputs that a score may name, with their document and without it."""
    return {
        (document, segment.id, system.name)
        for each, segment in test_set.segments()
        for document in (each.id, None)
        for system in test_set.systems
    }


# The tag of the translation whose spread a segment was chosen for.
SPREAD = "spread"


def keep(
    test_set: TestSet,
    *,
    systems: Collection[str] | None = None,
    documents: Collection[str] | None = None,
    segments: Collection[str] | None = None,
    first: int | None = None,
    where: str | None = None,
) -> TestSet:
    """The systems and the segments that meet all conditions; see `jurat.testset_filter.keep`.

    `segments` are named `document:segment`, or by their id alone if it is unique.
    """
    wanted = None if segments is None else find_segments(test_set, segments)
    try:
        return testset_filter.keep(
            test_set,
            systems=systems,
            documents=documents,
            segments=wanted,
            first=first,
            where=where,
        )
    except InputError as error:
        # the names come from options, not from a field of a file
        raise InputError(problem.changed(field=None) for problem in error.problems) from None


def choose_random(test_set: TestSet, n: int, *, seed: int) -> TestSet:
    """N random segments, in document order."""
    keys = _keys(test_set)
    _check_number(n, len(keys))
    return _only(test_set, Random(seed).sample(keys, n))


def choose_stratified(test_set: TestSet, n: int, tag: str, *, seed: int) -> TestSet:
    """N random segments, in proportion to the values of a tag, and one of each if possible.

    Proportions are rounded by largest remainders; segments without the tag are a stratum, too.
    """
    strata: dict[str | None, list[Key]] = {}
    for document, segment in test_set.segments():
        value = {**document.tags, **segment.tags}.get(tag)
        strata.setdefault(value, []).append((document.id, segment.id))
    _check_number(n, sum(map(len, strata.values())))
    if not set(strata) - {None}:
        raise_problems(unknown_names("tag", [tag], sorted(tags_of(test_set))))
    seats = apportion([len(keys) for keys in strata.values()], n)
    random = Random(seed)
    drawn = (random.sample(keys, k) for keys, k in zip(strata.values(), seats, strict=True))
    return _only(test_set, [key for keys in drawn for key in keys])


def apportion(sizes: Sequence[int], n: int) -> list[int]:
    """N seats in proportion to sizes, by largest remainders, at least one each if possible."""
    total = sum(sizes)
    # integers only: with floats, ties would depend on rounding
    seats = [n * size // total for size in sizes]
    # stable: equal remainders go by the order in which values first occur
    by_remainder = sorted(range(len(sizes)), key=lambda i: -(n * sizes[i] % total))
    for i in by_remainder[: n - sum(seats)]:
        seats[i] += 1
    while n >= len(sizes) and 0 in seats:
        # taken from the stratum furthest above its share that keeps at least one
        several = (i for i, seat in enumerate(seats) if seat > 1)
        seats[max(several, key=lambda i: seats[i] * total - n * sizes[i])] -= 1
        seats[seats.index(0)] += 1
    return seats


def choose_by_spread(test_set: TestSet, n: int, scores: Iterable[ReferenceScore]) -> TestSet:
    """The N segments with an output whose score depends most on the reference.

    The spread of an output is the standard deviation (n − 1) of its scores across references. A
    segment counts by its most variable output, which gets the tag `spread`; ties go by document
    order. Fomicheva & Specia (2016), Reference Bias in Monolingual Machine Translation Evaluation.
    """
    best: dict[Key, tuple[float, str]] = {}
    for (*key, system), spread in spreads(test_set, scores).items():
        document, segment = key
        # below any spread, so that a spread of 0 counts, too
        if spread > best.get((document, segment), (-1.0, ""))[0]:
            best[document, segment] = (spread, system)
    _check_number(n, len(best), "segments with scores against two references or more")
    ranked = sorted((key for key in _keys(test_set) if key in best), key=lambda key: -best[key][0])
    chosen = {key: best[key] for key in ranked[:n]}
    marks = {(*key, system): {SPREAD: f"{sd:.6g}"} for key, (sd, system) in chosen.items()}
    return tag_translations(_only(test_set, chosen), marks)


def as_human_system(test_set: TestSet, reference: str, name: str | None = None) -> TestSet:
    """The test set with a reference as a further, human system, which is not its own reference."""
    raise_problems(unknown_names("reference", [reference], test_set.references))
    name = name or f"human-{reference}"
    if name in {*test_set.references, *(system.name for system in test_set.systems)}:
        raise input_error(f"the name '{name}' is taken", value=name)
    system = System(name=name, kind="human", reference=reference)

    def with_human(_: Document, segment: Segment) -> Segment:
        human = {name: Translation(segment.references[reference])}
        return replace(segment, translations={**segment.translations, **human})

    return replace(map_segments(test_set, with_human), systems=(*test_set.systems, system))


def tag_translations(
    test_set: TestSet, tags: Mapping[tuple[str, str, str], Mapping[str, str]]
) -> TestSet:
    """The test set with more tags of translations, by document, segment and system."""

    def tagged(document: Document, segment: Segment) -> Segment:
        made = {
            name: replace(made, tags={**made.tags, **tags.get((document.id, segment.id, name), {})})
            for name, made in segment.translations.items()
        }
        return replace(segment, translations=made)

    return map_segments(test_set, tagged)


def find_segments(test_set: TestSet, names: Iterable[str]) -> set[Key]:
    """The segments of these names: `document:segment`, or the id alone if it is unique."""
    full = {f"{document}:{segment}": (document, segment) for document, segment in _keys(test_set)}
    bare: dict[str, list[Key]] = {}
    for key in _keys(test_set):
        bare.setdefault(key[1], []).append(key)
    # a full name wins, since an id may contain a colon as well
    options = {name: [full[name]] if name in full else bare.get(name, []) for name in names}
    ambiguous = {name: len(keys) for name, keys in options.items() if len(keys) > 1}
    raise_problems(
        [
            *unknown_names(
                "segment", [name for name, keys in options.items() if not keys], [*full]
            ),
            *(
                Problem(message=f"segment {name} is in {n} documents; name it document:segment")
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
        raise input_error(f"cannot choose {n} of {available:,} {what}", value=n)


Reason = Literal["identical", "short", "frequent"]
REASONS: tuple[Reason, ...] = ("identical", "short", "frequent")

FEW_WORDS = 5
# For scripts written without spaces.
FEW_CHARACTERS = 10

_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_MARKS = re.compile(r"[^\w\s]|_")


class EasyCandidate(msgspec.Struct, frozen=True):
    """A translation that may be easy to judge, and why."""

    document: str
    segment: str
    system: str
    text: str
    reasons: tuple[Reason, ...]


def easy_candidates(
    test_set: TestSet, *, reasons: Sequence[Reason] = REASONS, words: int = FEW_WORDS
) -> list[EasyCandidate]:
    """Translations that are probably easy.

    They are identical to a reference (except for case, punctuation and spaces), short, or of a
    sentence that occurs more than once in the set.
    """
    # sentences are identified by the source, or by a reference without a source
    often = Counter(_plain(_original(segment)) for _, segment in test_set.segments())
    found: list[EasyCandidate] = []
    for document, segment in test_set.segments():
        for system in test_set.systems:
            text = segment.translations[system.name].text
            right = test_set.references_for(segment, system).values()
            frequent = often[_plain(_original(segment))] > 1
            why = tuple(_reasons(text, right, frequent=frequent, words=words))
            # all reasons are listed, even those that were not asked for
            if set(why) & set(reasons):
                place = (document.id, segment.id, system.name)
                found.append(EasyCandidate(*place, text, why))
    return found


def mark_easy(test_set: TestSet, candidates: Iterable[EasyCandidate]) -> TestSet:
    """The test set with the tag `easy` for these translations."""
    return tag_translations(
        test_set, {(each.document, each.segment, each.system): EASY for each in candidates}
    )


def _reasons(
    text: str, references: Iterable[str], *, frequent: bool, words: int
) -> Iterator[Reason]:
    if _plain(text) in map(_plain, references):
        yield "identical"
    if _is_short(text, words):
        yield "short"
    if frequent:
        yield "frequent"


def _original(segment: Segment) -> str:
    return segment.source or next(iter(segment.references.values()), "")


def _is_short(text: str, words: int) -> bool:
    if _UNSPACED.search(text):
        # the limit of characters grows with the limit of words
        return len(_plain(text).replace(" ", "")) <= FEW_CHARACTERS * words / FEW_WORDS
    return len(text.split()) <= words


def _plain(text: str) -> str:
    return " ".join(_MARKS.sub(" ", text.casefold()).split())
