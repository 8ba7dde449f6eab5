"""Texts to be scored: systems' outputs and references, from plain files, tables or test sets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from jurat.cli._common.files import read_file, reading
from jurat.cli._common.printing import counted, tracker
from jurat.decoding import decode, lines
from jurat.errors import InputError, Problem, input_error, raise_problems, unknown_name
from jurat.metrics.metric import Metric
from jurat.model import File, TestSet
from jurat.testsets.selection import ReferenceScore

# Endings of files that may hold anything: a test set, a table, or one text.
PLAIN = ("txt",)
TABLES = ("tsv", "csv", "jsonl", "ndjson", "parquet")
_TOP = 1 << 16
_HEADING = re.compile(rb'(^|[\t,;"])(system|reference):')
# Headings of a table, and keys of a JSON line, that say which text is whose.
_KEY = re.compile(rb'"(translations|references)"\s*:\s*\{')


@cache
def _set_endings() -> frozenset[str]:
    """Endings of every format of test sets, also of those that outside packages bring."""
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
        """Whether the file is a test set, which says itself which text is whose."""
        if self.columns or not self.path.is_file():
            return False
        ending = File(str(self.path), b"").ending
        if ending in TABLES:
            return self._tells_roles(ending)
        return ending not in PLAIN and ending in _set_endings()

    def _tells_roles(self, ending: str) -> bool:
        with reading(self.path) as file:
            top = file.read(_TOP).split(b"\n", 2)
        if ending == "jsonl":
            return any(_KEY.search(line) for line in top[:2])
        return _HEADING.search(top[0]) is not None

    def names(self) -> Iterator[tuple[str, ...]]:
        """For each of its texts the names it may have, the shortest first."""
        stem, path = self.path.stem, str(self.path)
        if self.name:
            yield (self.name,)
        elif not self.columns:
            yield stem, self.path.name, path
        else:
            yield from ((c, f"{stem}:{c}", f"{path}:{c}") for c in self.columns)

    def read(self) -> list[list[str]]:
        """The texts of the file, or of each of its columns."""
        file = read_file(self.path)
        if self.columns:
            from jurat.tables.scores import column_texts

            found = column_texts(file, self.columns)
            return [found[column] for column in self.columns]
        if file.ending in TABLES:
            message = f"name the column that holds the texts: {self.path}:COLUMN"
            raise input_error(message, file=file.name)
        return [lines(decode(file))]


def text_location(given: str) -> TextLocation:
    """The location that `FILE`, `FILE:column,column` or `NAME=…` names.

    A file whose name is the whole text is taken first.
    """
    if Path(given).is_file():
        return TextLocation(Path(given))
    for at in (n for n, sign in enumerate(given) if sign == ":"):
        if Path(given[:at]).is_file() and given[at + 1 :]:
            return TextLocation(Path(given[:at]), tuple(given[at + 1 :].split(",")))
    name, equals, rest = given.partition("=")
    if equals and name and (found := text_location(rest)).path.is_file():
        if len(found.columns) > 1:
            raise input_error(f"one name cannot be given to several columns: {given}")
        return replace(found, name=name)
    return TextLocation(Path(given))


def distinct(candidates: Sequence[tuple[str, ...]], taken: Sequence[str] = ()) -> list[str]:
    """A name for each text: the shortest of its candidates that no other has.

    Raises `InputError` where the same text is given twice.
    """
    depth = [0] * len(candidates)
    while True:
        names = [ways[min(at, len(ways) - 1)] for ways, at in zip(candidates, depth, strict=True)]
        counts = Counter([*names, *taken])
        twice = [n for n, name in enumerate(names) if counts[name] > 1]
        if not twice:
            return names
        if all(depth[n] + 1 >= len(candidates[n]) for n in twice):
            name = names[twice[0]]
            raise input_error(f"'{name}' is given twice; NAME=FILE gives another name", value=name)
        for n in twice:
            depth[n] += 1


@dataclass(frozen=True)
class SetTexts:
    """A test set as lists with a text for each segment."""

    test_set: TestSet
    label: str

    @property
    def systems(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(system.name for system in self.test_set.systems)

    def translations(self) -> list[list[str]]:
        """The texts of every system."""
        return [
            [segment.translations[name].text for _, segment in self.test_set.segments()]
            for name in self.systems
        ]

    def references(self) -> dict[str, list[str]]:
        """The texts of every reference by name."""
        return {
            name: [segment.references[name] for _, segment in self.test_set.segments()]
            for name in self.test_set.references
        }

    def documents(self) -> list[str]:
        """The document of every segment."""
        return [document.id for document, _ in self.test_set.segments()]

    def segments(self) -> list[str]:
        """The id of every segment."""
        return [segment.id for _, segment in self.test_set.segments()]

    def own(self) -> dict[str, str]:
        """Systems that are a person's, whose reference entered beside the machines."""
        return {s.name: s.reference for s in self.test_set.systems if s.reference}


def read_set(
    systems: Sequence[TextLocation], references: Sequence[TextLocation]
) -> SetTexts | None:
    """The test set among the files, if any; references in other files are matched by their ids."""
    from jurat.testsets import Role, SetFile, read_test_set

    given = [(at, Role("system", at.name) if at.name else None) for at in systems if at.is_set]
    if not given:
        return None
    given += [(at, Role("reference", at.name)) for at in references if at.is_set]
    files = [(read_file(at.path), role) for at, role in given]
    test_set = read_test_set([SetFile(file.name, file.data, role) for file, role in files])
    return SetTexts(test_set, files[0][0].name)


def held_references(at: TextLocation) -> dict[str, list[str]]:
    """The references that a file holds, in its own order."""
    from jurat.testsets import Role, SetFile, recognise
    from jurat.testsets.base import TextEntry, clean, in_role, tidy

    file = read_file(at.path)
    whole = clean(SetFile(file.name, file.data, Role("reference", at.name)))
    rows = in_role(list(recognise(whole)().read(whole)), whole)
    raise_problems([row for row in rows if isinstance(row, Problem)])
    found: dict[str, list[str]] = {}
    for row in rows:
        if isinstance(row, TextEntry) and row.kind == "reference":
            found.setdefault(row.name, []).append(tidy(row.text))
    return found


# Bytes of systems' files whose texts are held at once.
AT_ONCE = 1 << 26
# Segments that a message names.
MOST_NAMED = 5

# A text for each segment.
TextColumn = Sequence[str]


@dataclass(frozen=True)
class SystemTexts:
    """Systems whose texts are read together, because they are in one file."""

    names: tuple[str, ...]
    read: Callable[[], Sequence[TextColumn]]
    label: str
    size: int = 0
    """Bytes."""


@dataclass(frozen=True, kw_only=True)
class ScoringTexts:
    """What is to be scored. Systems' texts are read when needed, and not kept in memory."""

    sources: Sequence[SystemTexts]
    references: Mapping[str, TextColumn]
    measure: str
    """The file whose number of segments all others must have."""
    documents: TextColumn = ()
    segments: TextColumn = ()
    """Ids, where the segments have any."""
    own: Mapping[str, str] = field(default_factory=dict)
    """Systems whose texts are a reference."""

    @property
    def size(self) -> int:
        """The number of segments."""
        return len(next(iter(self.references.values())))

    @property
    def systems(self) -> list[str]:
        """Every system's name."""
        return [name for source in self.sources for name in source.names]

    def groups(self) -> Iterator[dict[str, TextColumn]]:
        """The systems' texts, as many at once as memory should hold."""
        # a hundred systems of a large test set would not fit into memory
        groups = list(_by_size(self.sources))
        if len(groups) > 1:
            for group in groups:
                self._read(group)  # so that problems are reported before the long computation
        for group in groups:
            yield self._read(group)

    def _read(self, sources: Sequence[SystemTexts]) -> dict[str, TextColumn]:
        found: dict[str, TextColumn] = {}
        problems: list[Problem] = []
        for source in sources:
            try:
                columns = source.read()
            except InputError as error:
                problems += error.problems
                continue
            found |= dict(zip(source.names, columns, strict=True))
            problems += _wrong_size(source.label, len(columns[0]), self.measure, self.size)
        raise_problems(problems)
        return found


def read_texts(
    systems: Sequence[str], references: Sequence[str], documents: str | None = None
) -> ScoringTexts:
    """The texts that the command line names; systems' files are read later."""
    places, beside = (
        [text_location(given) for given in systems],
        [text_location(given) for given in references],
    )
    whole = read_set(places, beside)
    found, measure = _references(references, beside, whole)
    texts = ScoringTexts(sources=_sources(places, whole), references=found, measure=measure)
    if whole:
        if documents:
            raise input_error("the test set tells its documents itself", field="documents")
        ids = whole.segments()
        return replace(texts, documents=whole.documents(), segments=ids, own=whole.own())
    return _with_documents(texts, text_location(documents)) if documents else texts


def together(references: Sequence[TextColumn]) -> list[tuple[str, ...]]:
    """The references of each segment; of several, an empty one is none."""
    if len(references) == 1:
        return [(text,) for text in references[0]]
    rows = zip(*references, strict=True)
    return [tuple(text for text in row if text.strip()) or ("",) for row in rows]


def blank(references: Sequence[tuple[str, ...]]) -> str:
    """In words, the segments that have no reference; empty where all have one."""
    empty = [n for n, row in enumerate(references, 1) if not any(text.strip() for text in row)]
    if not empty:
        return ""
    named = ", ".join(map(str, empty[:MOST_NAMED])) + ", …" * (len(empty) > MOST_NAMED)
    has = "has" if len(empty) == 1 else "have"
    return f"{counted(len(empty), 'segment')} {has} an empty reference: {named}"


def _by_size(sources: Sequence[SystemTexts]) -> Iterator[list[SystemTexts]]:
    group: list[SystemTexts] = []
    for source in sources:
        if group and sum(one.size for one in group) + source.size > AT_ONCE:
            yield group
            group = []
        group.append(source)
    if group:
        yield group


def _wrong_size(label: str, size: int, measure: str, wanted: int) -> list[Problem]:
    """What is wrong with a file that has another number of segments than the measure."""
    if size == wanted:
        return []
    message = f"{counted(size, 'segment')}, but {measure} has {wanted:,}"
    return [Problem(message=message, file=label)]


def _sources(places: Sequence[TextLocation], whole: SetTexts | None) -> list[SystemTexts]:
    files = [at for at in places if not at.is_set]
    ways = [list(at.names()) for at in files]
    names = iter(distinct([each for own in ways for each in own], whole.systems if whole else ()))
    sources = [SystemTexts(whole.systems, whole.translations, whole.label)] if whole else []
    for at, own in zip(files, ways, strict=True):
        size = at.path.stat().st_size if at.path.is_file() else 0
        sources.append(SystemTexts(tuple(next(names) for _ in own), at.read, str(at), size))
    return sources


class _Reference(NamedTuple):
    ways: tuple[str, ...]
    """What it may be called."""
    texts: TextColumn
    label: str


def _references(
    given: Sequence[str], places: Sequence[TextLocation], whole: SetTexts | None
) -> tuple[dict[str, TextColumn], str]:
    """The references named, or else the test set's own, and the file of the first of them."""
    own = whole.references() if whole else {}
    if not given and not (whole and own):
        raise input_error("name a reference with --reference")
    words = zip(given, places, strict=True) if given else ()
    found = [one for word, at in words for one in _found(word, at, own)]
    if whole and not given:
        found = [_Reference((name,), texts, whole.label) for name, texts in own.items()]
    names = distinct([one.ways for one in found])
    first = found[0]
    if not first.texts:
        raise input_error("the file is empty", file=first.label)
    size = len(first.texts)
    raise_problems(
        [f for one in found for f in _wrong_size(one.label, len(one.texts), first.label, size)]
    )
    return {name: one.texts for name, one in zip(names, found, strict=True)}, first.label


def _found(word: str, at: TextLocation, own: Mapping[str, TextColumn]) -> Iterator[_Reference]:
    """The references that one word names: of the test set, or in a file."""
    if not at.path.is_file() and own:
        if word not in own:
            raise unknown_name("reference", word, own)
        yield _Reference((word,), own[word], word)
    elif at.is_set:
        for name, texts in held_references(at).items():
            yield _Reference((name,), own.get(name, texts), str(at))
    else:
        yield from (
            _Reference(ways, texts, str(at))
            for ways, texts in zip(at.names(), at.read(), strict=True)
        )


def _with_documents(texts: ScoringTexts, at: TextLocation) -> ScoringTexts:
    """Documents from a file with a line a segment: its document and, after a tab, its id."""
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
    known = bool(segments) and all(segments)
    return replace(texts, documents=documents, segments=segments if known else ())


def reference_scores(test_set: TestSet, metric: Metric) -> list[ReferenceScore]:
    """A score for every translation and reference; a reference is not scored against itself."""
    own = {system.name: system.reference for system in test_set.systems}
    places: list[tuple[str, str, str, str]] = []
    hypotheses: list[str] = []
    references: list[list[str]] = []
    for document, segment in test_set.segments():
        for system, made in segment.translations.items():
            for name, text in segment.references.items():
                if own.get(system) != name:
                    places.append((document.id, segment.id, system, name))
                    hypotheses.append(made.text)
                    references.append([text])
    with tracker("scoring", len(hypotheses)) as advance:
        counts = metric.count_all({"": hypotheses}, references, progress=advance)[""]
    values = metric.score(counts, single=True).tolist()
    return [
        ReferenceScore(
            document=document, segment=segment, system=system, reference=name, value=value
        )
        for (document, segment, system, name), value in zip(places, values, strict=True)
    ]
