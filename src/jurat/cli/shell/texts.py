"""Texts to be scored: every system's, and the references that they are scored against."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from jurat.cli.shell.places import Place, distinct, place
from jurat.cli.shell.printing import counted
from jurat.cli.shell.set_texts import SetTexts, held_references, read_set
from jurat.faults import Fault, FaultyInput, complain, refuse, unknown

AT_ONCE = 1 << 26
"""Bytes of systems' files whose texts are held at once."""
MOST_NAMED = 5
"""Segments that a message names."""

Column = Sequence[str]
"""A text for each segment."""


@dataclass(frozen=True)
class Source:
    """Systems whose texts are read together, because they stand in one file."""

    names: tuple[str, ...]
    read: Callable[[], Sequence[Column]]
    label: str
    size: int = 0
    """Bytes."""


@dataclass(frozen=True, kw_only=True)
class Texts:
    """What is to be scored. Systems' texts are read when they are needed, and not kept."""

    sources: Sequence[Source]
    references: Mapping[str, Column]
    measure: str
    """The file by which the others are measured."""
    documents: Column = ()
    segments: Column = ()
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

    def groups(self) -> Iterator[dict[str, Column]]:
        """The systems' texts, as many at once as memory should hold."""
        groups = list(_by_size(self.sources))
        if len(groups) > 1:
            for group in groups:
                self._read(group)  # so that whatever is wrong is told before the long work
        for group in groups:
            yield self._read(group)

    def _read(self, sources: Sequence[Source]) -> dict[str, Column]:
        found: dict[str, Column] = {}
        faults: list[Fault] = []
        for source in sources:
            try:
                columns = source.read()
            except FaultyInput as error:
                faults += error.faults
                continue
            found |= dict(zip(source.names, columns, strict=True))
            faults += _wrong_size(source.label, len(columns[0]), self.measure, self.size)
        refuse(faults)
        return found


def read_texts(
    systems: Sequence[str], references: Sequence[str], documents: str | None = None
) -> Texts:
    """What the command line names; the systems' own files are read later."""
    places, beside = [place(given) for given in systems], [place(given) for given in references]
    whole = read_set(places, beside)
    found, measure = _references(references, beside, whole)
    texts = Texts(sources=_sources(places, whole), references=found, measure=measure)
    if whole:
        if documents:
            raise complain("the test set tells its documents itself", field="documents")
        ids = whole.segments()
        return replace(texts, documents=whole.documents(), segments=ids, own=whole.own())
    return _with_documents(texts, place(documents)) if documents else texts


def together(references: Sequence[Column]) -> list[tuple[str, ...]]:
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


def _by_size(sources: Sequence[Source]) -> Iterator[list[Source]]:
    group: list[Source] = []
    for source in sources:
        if group and sum(one.size for one in group) + source.size > AT_ONCE:
            yield group
            group = []
        group.append(source)
    if group:
        yield group


def _wrong_size(label: str, size: int, measure: str, wanted: int) -> list[Fault]:
    """What is wrong with a file that has another number of segments than the measure."""
    if size == wanted:
        return []
    message = f"{counted(size, 'segment')}, but {measure} has {wanted:,}"
    return [Fault(message=message, file=label)]


def _sources(places: Sequence[Place], whole: SetTexts | None) -> list[Source]:
    files = [at for at in places if not at.is_set]
    ways = [list(at.names()) for at in files]
    names = iter(distinct([each for own in ways for each in own], whole.systems if whole else ()))
    sources = [Source(whole.systems, whole.translations, whole.label)] if whole else []
    for at, own in zip(files, ways, strict=True):
        size = at.path.stat().st_size if at.path.is_file() else 0
        sources.append(Source(tuple(next(names) for _ in own), at.read, str(at), size))
    return sources


class _Reference(NamedTuple):
    ways: tuple[str, ...]
    """What it may be called."""
    texts: Column
    label: str


def _references(
    given: Sequence[str], places: Sequence[Place], whole: SetTexts | None
) -> tuple[dict[str, Column], str]:
    """Those that were named, or else the test set's own; and where the first of them stands."""
    own = whole.references() if whole else {}
    if not given and not (whole and own):
        raise complain("name a reference with --reference")
    words = zip(given, places, strict=True) if given else ()
    found = [one for word, at in words for one in _found(word, at, own)]
    if whole and not given:
        found = [_Reference((name,), texts, whole.label) for name, texts in own.items()]
    names = distinct([one.ways for one in found])
    first = found[0]
    if not first.texts:
        raise complain("the file is empty", file=first.label)
    size = len(first.texts)
    refuse([f for one in found for f in _wrong_size(one.label, len(one.texts), first.label, size)])
    return {name: one.texts for name, one in zip(names, found, strict=True)}, first.label


def _found(word: str, at: Place, own: Mapping[str, Column]) -> Iterator[_Reference]:
    """The references that one word names: of the test set, or in a file."""
    if not at.path.is_file() and own:
        if word not in own:
            raise unknown("reference", word, own)
        yield _Reference((word,), own[word], word)
    elif at.is_set:
        for name, texts in held_references(at).items():
            yield _Reference((name,), own.get(name, texts), str(at))
    else:
        yield from (
            _Reference(ways, texts, str(at))
            for ways, texts in zip(at.names(), at.read(), strict=True)
        )


def _with_documents(texts: Texts, at: Place) -> Texts:
    """Documents from a file with a line a segment: its document and, after a tab, its id."""
    documents, *more = at.read()
    segments = more[0] if more else []
    if not at.columns:
        cut = [line.partition("\t") for line in documents]
        documents, segments = [name for name, _, _ in cut], [segment for _, _, segment in cut]
    refuse(_wrong_size(str(at), len(documents), texts.measure, texts.size))
    nameless = [n for n, name in enumerate(documents, 1) if not name.strip()]
    refuse([Fault(message="this line names no document", file=str(at), line=n) for n in nameless])
    known = bool(segments) and all(segments)
    return replace(texts, documents=documents, segments=segments if known else ())
