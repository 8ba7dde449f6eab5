"""The texts that `jurat score` reads: outputs and references from files, tables or test sets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jurat.decoding import decode, lines
from jurat.errors import InputError, Problem, counted, input_error, raise_problems, unknown_name
from jurat.files import read_file, reading
from jurat.model import File, TestSet

if TYPE_CHECKING:
    from jurat.stats.metric_scores.counts import ReferenceSet

# Endings of tables, which may be test sets, or hold texts in columns.
TABLES = ("tsv", "csv", "jsonl", "ndjson", "parquet")
# Columns of a table that say which segment a row is, and what kind of segment.
ROW_IDS = ("document", "segment", "item", "domain", "language")
# Bytes at the top of a table by which a test set is recognised: by its headings, or by the keys
# of its first JSON lines.
_TOP = 1 << 16
_HEADING = re.compile(rb'(^|[\t,;"])(system|reference):')
_KEY = re.compile(rb'"(translations|references)"\s*:\s*\{')


@cache
def _set_endings() -> frozenset[str]:
    """The endings of all test set formats, also of those from outside packages."""
    from jurat.testsets import FORMATS

    return frozenset(ending for kind in FORMATS for ending in kind.endings)


@dataclass(frozen=True)
class TextLocation:
    """A file, or columns of a file, with the name that the user gave it, if any."""

    path: Path
    columns: tuple[str, ...] = ()
    name: str = ""

    def __str__(self) -> str:
        """As the user wrote it."""
        return f"{self.path}:{','.join(self.columns)}" if self.columns else str(self.path)

    @property
    def is_set(self) -> bool:
        """Whether the file is a test set, which names the texts in it."""
        if self.columns or not self.path.is_file():
            return False
        ending = File(str(self.path), b"").ending
        if ending in TABLES:
            return self._names_texts(ending)
        # parallel text has this ending too, but does not name its texts
        return ending != "txt" and ending in _set_endings()

    def _names_texts(self, ending: str) -> bool:
        with reading(self.path) as file:
            # the first line may describe the set, the second is then the first segment
            top = file.read(_TOP).split(b"\n", 2)
        if ending == "jsonl":
            return any(_KEY.search(line) for line in top[:2])
        return _HEADING.search(top[0]) is not None

    def names(self) -> Iterator[tuple[str, ...]]:
        """Candidates for the name of each of its texts, the shortest first."""
        stem, path = self.path.stem, str(self.path)
        if self.name:
            yield (self.name,)
        elif not self.columns:
            yield stem, self.path.name, path
        else:
            yield from ((c, f"{stem}:{c}", f"{path}:{c}") for c in self.columns)

    def read(self) -> list[list[str]]:
        """The texts of the file, or of each of its columns."""
        return self.read_rows()[0]

    def read_rows(self) -> tuple[list[list[str]], RowIds]:
        """The same, and what the file's own columns say of each row; lines of text say nothing."""
        file = read_file(self.path)
        if self.columns:
            from jurat.tables.scores import column_texts

            others = [name for name in ROW_IDS if name not in self.columns]
            found = column_texts(file, self.columns, others)
            texts = [found[column] for column in self.columns]
            return texts, {n: found[n] for n in others if any(found.get(n, ()))}
        if file.ending in TABLES:
            message = f"name the column that holds the texts: {self.path}:COLUMN"
            raise input_error(message, file=file.name)
        return [lines(decode(file))], {}


def text_location(given: str) -> TextLocation:
    """The location that `FILE`, `FILE:column,column` or `NAME=…` stands for.

    A file whose name is the whole text comes first: it may contain `:` or `=`.
    """
    if Path(given).is_file():
        return TextLocation(Path(given))
    # any colon may be the one before the columns, since paths may contain colons
    for at in (n for n, sign in enumerate(given) if sign == ":"):
        if Path(given[:at]).is_file() and given[at + 1 :]:
            return TextLocation(Path(given[:at]), tuple(given[at + 1 :].split(",")))
    name, equals, rest = given.partition("=")
    if equals and name and (found := text_location(rest)).path.is_file():
        if len(found.columns) > 1:
            raise input_error(f"several columns cannot have one name: {given}")
        return replace(found, name=name)
    return TextLocation(Path(given))


def distinct(candidates: Sequence[tuple[str, ...]], taken: Sequence[str] = ()) -> list[str]:
    """A name for each text: the shortest candidate that no other text has.

    Raises `InputError` where a text is given twice.
    """
    # how far each text has moved along its candidates; depths only grow, so the loop ends
    depth = [0] * len(candidates)
    while True:
        names = [ways[min(at, len(ways) - 1)] for ways, at in zip(candidates, depth, strict=True)]
        counts = Counter([*names, *taken])
        twice = [n for n, name in enumerate(names) if counts[name] > 1]
        if not twice:
            return names
        # none of them has a longer name left
        if all(depth[n] + 1 >= len(candidates[n]) for n in twice):
            name = names[twice[0]]
            raise input_error(f"'{name}' is given twice; NAME=FILE gives another name", value=name)
        # all texts with a doubled name get a longer one, not only the later ones
        for n in twice:
            depth[n] += 1


@dataclass(frozen=True)
class SetTexts:
    """The texts of a test set, in columns with a text for each segment."""

    test_set: TestSet
    label: str

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(system.name for system in self.test_set.systems)

    def read(self) -> tuple[list[list[str]], RowIds]:
        """The texts of each system, in the order of `systems`; ids are the test set's own."""
        texts = [
            [segment.translations[name].text for _, segment in self.test_set.segments()]
            for name in self.systems
        ]
        return texts, {}

    def references(self) -> dict[str, list[str]]:
        """The texts of each reference, by name."""
        return {
            name: [segment.references[name] for _, segment in self.test_set.segments()]
            for name in self.test_set.references
        }


def read_set(
    systems: Sequence[TextLocation], references: Sequence[TextLocation]
) -> SetTexts | None:
    """The test set that the files make, if any; other files of references are matched by ids."""
    from jurat.testsets import Role, SetFile, read_test_set

    given = [(at, Role("system", at.name) if at.name else None) for at in systems if at.is_set]
    if not given:
        return None
    # files of references are read together with the set, so that ids are matched
    given += [(at, Role("reference", at.name)) for at in references if at.is_set]
    files = [(read_file(at.path), role) for at, role in given]
    test_set = read_test_set([SetFile(file.name, file.data, role) for file, role in files])
    return SetTexts(test_set, files[0][0].name)


def set_references(at: TextLocation) -> dict[str, list[str]]:
    """The references in a file of a test set, in its own order."""
    from jurat.testsets import Role, SetFile, recognise
    from jurat.testsets.base import TextEntry, clean, in_role, tidy

    file = read_file(at.path)
    # the steps of `read_test_set` without `assemble`, which needs systems
    whole = clean(SetFile(file.name, file.data, Role("reference", at.name)))
    rows = in_role(list(recognise(whole)().read(whole)), whole)
    raise_problems([row for row in rows if isinstance(row, Problem)])
    found: dict[str, list[str]] = {}
    for row in rows:
        if isinstance(row, TextEntry) and row.kind == "reference":
            found.setdefault(row.name, []).append(tidy(row.text))
    return found


# Bytes of systems' files whose texts are in memory at once.
AT_ONCE = 1 << 26
# Segments that a message lists.
MOST_NAMED = 5

# A text for each segment.
TextColumn = Sequence[str]
# The columns of `ROW_IDS` that a table has.
RowIds = Mapping[str, TextColumn]


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
