"""The texts that `jurat score` reads: outputs and references from files, tables or test sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from jurat.errors import InputError, Problem, counted, input_error, raise_problems, unknown_name
from jurat.model import TestSet

if TYPE_CHECKING:
    from jurat.stats.metric_scores.counts import ReferenceSet
from jurat.library.text_locations import (
    ROW_IDS,
    RowIds,
    SetTexts,
    TextColumn,
    TextLocation,
    distinct,
    read_set,
    set_references,
    text_location,
)

# Bytes of systems' files whose texts are in memory at once.
AT_ONCE = 1 << 26
# Segments that a message lists.
MOST_NAMED = 5


@dataclass(frozen=True)
class SystemTexts:
    """The systems of one file, whose texts are read together."""

    names: tuple[str, ...]
    read: Callable[[], tuple[Sequence[TextColumn], RowIds]]
    label: str
    size: int = 0
    """Bytes of the file."""


@dataclass(frozen=True, kw_only=True)
class ScoringTexts:
    """What is to be scored; systems' texts are read when needed, and not kept in memory."""

    sources: Sequence[SystemTexts]
    references: Mapping[str, TextColumn]
    measure: str
    """The file of the first reference: all others must have as many segments."""
    documents: TextColumn = ()
    segments: TextColumn = ()
    """The ids of the segments, where they have any."""
    about: RowIds = field(default_factory=dict)
    """What else is known of each segment: item, domain, language."""
    ids: RowIds = field(default_factory=dict)
    """The ids in the first table that has any, with which the other tables must agree."""
    ids_file: str = ""
    own: Mapping[str, str] = field(default_factory=dict)
    """The reference that is a human system's own text, by system."""

    @property
    def size(self) -> int:
        """The number of segments."""
        return len(next(iter(self.references.values())))

    @property
    def systems(self) -> list[str]:
        """The names of all systems."""
        return [name for source in self.sources for name in source.names]

    def groups(self) -> Iterator[dict[str, TextColumn]]:
        """The systems' texts by name, in groups of files of up to `AT_ONCE` bytes."""
        groups = list(_by_size(self.sources))
        if len(groups) > 1:
            for group in groups:
                self._read(group)  # problems are reported before the long computation
        for group in groups:
            yield self._read(group)

    def _read(self, sources: Sequence[SystemTexts]) -> dict[str, TextColumn]:
        found: dict[str, TextColumn] = {}
        problems: list[Problem] = []
        for source in sources:
            try:
                columns, ids = source.read()
            except InputError as error:
                problems += error.problems
                continue
            found |= dict(zip(source.names, columns, strict=True))
            wrong = _wrong_size(source.label, len(columns[0]), self.measure, self.size)
            problems += wrong or _other_rows(source.label, ids, self.ids_file, self.ids)
        raise_problems(problems)
        return found


def read_texts(
    systems: Sequence[str], references: Sequence[str], documents: str | None = None
) -> ScoringTexts:
    """The texts that SYS, `--reference` and `--documents` name; systems' files are read later."""
    places = [text_location(given) for given in systems]
    reference_places = [text_location(given) for given in references]
    whole = read_set(places, reference_places)
    found, measure, (ids_file, ids) = _references(references, reference_places, whole)
    texts = ScoringTexts(sources=_sources(places, whole), references=found, measure=measure)
    if whole:
        if documents:
            raise input_error("a test set has documents of its own", field="documents")
        return _with_set_ids(texts, whole.test_set)
    if not ids:
        ids_file, ids = _system_ids(places)
    texts = _with_own_ids(texts, ids_file, ids)
    return _with_documents(texts, text_location(documents)) if documents else texts


def check_segment_ids(texts: ScoringTexts) -> None:
    """Raise `InputError` if two segments have the same document and id.

    Their scores could not be told apart in a table, nor matched with judgments.
    """
    seen: dict[tuple[str, str], int] = {}
    documents = texts.documents or [""] * len(texts.segments)
    for row, place in enumerate(zip(documents, texts.segments, strict=True), 1):
        if (first := seen.setdefault(place, row)) != row:
            where = f" of document '{place[0]}'" if place[0] else ""
            remedy = "" if where else "; if it belongs to several documents, give --documents"
            message = f"segment '{place[1]}'{where} stands in rows {first:,} and {row:,}{remedy}"
            raise input_error(message, file=texts.ids_file or texts.measure)


def _with_set_ids(texts: ScoringTexts, test_set: TestSet) -> ScoringTexts:
    """The texts with the documents, ids and tags of a test set."""
    pairs = list(test_set.segments())
    about = {
        "domain": [s.tags.get("domain") or d.tags.get("domain", "") for d, s in pairs],
        "language": [d.source_language or test_set.source_language for d, _ in pairs],
    }
    return replace(
        texts,
        documents=[document.id for document, _ in pairs],
        segments=[segment.id for _, segment in pairs],
        about={name: column for name, column in about.items() if any(column)},
        own={s.name: s.reference for s in test_set.systems if s.reference},
    )


def _system_ids(places: Sequence[TextLocation]) -> tuple[str, RowIds]:
    """The ids of the first table of systems that has any, and its name."""
    # a missing file is reported when the texts are read
    tables = (at for at in places if at.columns and at.path.is_file())
    return next(((str(at.path), ids) for at in tables if (ids := at.read_rows()[1])), ("", {}))


def _with_own_ids(texts: ScoringTexts, file: str, ids: RowIds) -> ScoringTexts:
    """The texts with the ids in a table's own columns; raises `InputError` where some are empty."""
    named = {name: ids.get(name, ()) for name in ROW_IDS}
    raise_problems(
        [
            Problem(message=f"row {row:,} has no {name}; fill in or rename the column", file=file)
            for name in ("document", "segment")
            for row, value in enumerate(named[name], 1)
            if not value.strip()
        ]
    )
    # an item is the segment's own id where there is no other
    segment = "segment" if named["segment"] else "item"
    about = {n: c for n, c in ids.items() if n not in ("document", segment)}
    return replace(
        texts,
        documents=named["document"],
        segments=named[segment] if all(named[segment]) else (),
        about=about,
        ids=ids,
        ids_file=file,
    )


def _other_rows(label: str, ids: RowIds, measure: str, wanted: RowIds) -> list[Problem]:
    """A problem if a row of a table has another id than the same row of the file `measure`."""
    for name in ("document", "segment", "item"):
        both = zip(ids.get(name, ()), wanted.get(name, ()), strict=False)
        for row, (one, other) in enumerate(both, 1):
            if one != other:
                there = f"but {measure} has '{other}' there; put both into the same order"
                return [Problem(message=f"row {row:,} has {name} '{one}', {there}", file=label)]
    return []


def reference_sets(texts: ScoringTexts, *, each: bool) -> list[tuple[ReferenceSet, str]]:
    """All references together, or each separately; and a warning where some are empty."""
    from jurat.stats.metric_scores.counts import ReferenceSet

    names = tuple(texts.references)
    found: list[tuple[ReferenceSet, str]] = []
    for chosen in [(name,) for name in names] if each else [names]:
        rows = references_by_segment([texts.references[name] for name in chosen])
        told = empty_references(rows)
        warning = f"{'+'.join(chosen)}: {told}" if told else ""
        found.append((ReferenceSet(names=chosen, references=rows), warning))
    return found


def references_by_segment(references: Sequence[TextColumn]) -> list[tuple[str, ...]]:
    """The references of each segment; where there are several, without empty ones."""
    if len(references) == 1:
        return [(text,) for text in references[0]]
    rows = zip(*references, strict=True)
    # an empty reference would distort lengths and matches; one is left where all are empty
    return [tuple(text for text in row if text.strip()) or ("",) for row in rows]


def empty_references(references: Sequence[tuple[str, ...]]) -> str:
    """A message that lists segments without a reference; empty where all have one."""
    empty = [n for n, row in enumerate(references, 1) if not any(text.strip() for text in row)]
    if not empty:
        return ""
    named = ", ".join(map(str, empty[:MOST_NAMED])) + ", …" * (len(empty) > MOST_NAMED)
    has = "has" if len(empty) == 1 else "have"
    return f"{counted(len(empty), 'segment')} {has} an empty reference: {named}"


def _by_size(sources: Sequence[SystemTexts]) -> Iterator[list[SystemTexts]]:
    group: list[SystemTexts] = []
    for source in sources:
        # a file that is larger by itself makes a group alone
        if group and sum(one.size for one in group) + source.size > AT_ONCE:
            yield group
            group = []
        group.append(source)
    if group:
        yield group


def _wrong_size(label: str, size: int, measure: str, wanted: int) -> list[Problem]:
    """A problem if a file has another number of segments than the file `measure`."""
    if size == wanted:
        return []
    message = f"{counted(size, 'segment')}, but {measure} has {wanted:,}"
    return [Problem(message=message, file=label)]


def _sources(places: Sequence[TextLocation], whole: SetTexts | None) -> list[SystemTexts]:
    files = [at for at in places if not at.is_set]
    ways = [list(at.names()) for at in files]
    names = iter(distinct([each for own in ways for each in own], whole.systems if whole else ()))
    sources = [SystemTexts(whole.systems, whole.read, whole.label)] if whole else []
    for at, own in zip(files, ways, strict=True):
        # a missing file is reported when it is read
        size = at.path.stat().st_size if at.path.is_file() else 0
        sources.append(SystemTexts(tuple(next(names) for _ in own), at.read_rows, str(at), size))
    return sources


class _Reference(NamedTuple):
    names: tuple[str, ...]
    """Candidates for its name."""
    texts: TextColumn
    label: str
    file: str = ""
    ids: RowIds | None = None


def _references(
    given: Sequence[str], places: Sequence[TextLocation], whole: SetTexts | None
) -> tuple[dict[str, TextColumn], str, tuple[str, RowIds]]:
    """The references by name: those given, or else the test set's; and the first one's file.

    Also the file with the first ids, and these.
    """
    own = whole.references() if whole else {}
    if not given and not (whole and own):
        raise input_error("no reference is given; use --reference")
    words = zip(given, places, strict=True) if given else ()
    found = [one for word, at in words for one in _found(word, at, own)]
    if whole and not given:
        found = [_Reference((name,), texts, whole.label) for name, texts in own.items()]
    names = distinct([one.names for one in found])
    first = found[0]
    if not first.texts:
        raise input_error("the file is empty", file=first.label)
    size = len(first.texts)
    raise_problems(
        [f for one in found for f in _wrong_size(one.label, len(one.texts), first.label, size)]
    )
    known: list[tuple[str, RowIds]] = [(one.file, one.ids) for one in found if one.ids]
    ids = next(iter(known), ("", {}))
    raise_problems([f for file, own in known for f in _other_rows(file, own, *ids)])
    return {name: one.texts for name, one in zip(names, found, strict=True)}, first.label, ids


def _found(word: str, at: TextLocation, own: Mapping[str, TextColumn]) -> Iterator[_Reference]:
    """The references that one word names: in the test set, or in a file."""
    if not at.path.is_file() and own:
        if word not in own:
            raise unknown_name("reference", word, own)
        yield _Reference((word,), own[word], word)
    elif at.is_set:
        for name, texts in set_references(at).items():
            # the set's own column where it has one: it is in the order of the set's segments
            yield _Reference((name,), own.get(name, texts), str(at))
    else:
        columns, ids = at.read_rows()
        yield from (
            _Reference(names, texts, str(at), str(at.path), ids)
            for names, texts in zip(at.names(), columns, strict=True)
        )


def _with_documents(texts: ScoringTexts, at: TextLocation) -> ScoringTexts:
    """The texts with documents from a file: a line per segment, with the id after a tab."""
    documents, *more = at.read()
    segments = more[0] if more else []
    if not at.columns:
        cut = [line.partition("\t") for line in documents]
        documents, segments = [name for name, _, _ in cut], [segment for _, _, segment in cut]
    raise_problems(_wrong_size(str(at), len(documents), texts.measure, texts.size))
    nameless = [n for n, name in enumerate(documents, 1) if not name.strip()]
    raise_problems(
        [Problem(message="this line names no document", file=str(at), line=n) for n in nameless]
    )
    # ids for some segments only would mix with numbers
    known = bool(segments) and all(segments)
    return replace(texts, documents=documents, segments=segments if known else texts.segments)
