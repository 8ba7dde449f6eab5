"""Errors from a file or an earlier campaign, joined to the translations that they are in."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from jurat.errors import Problem, input_error, raise_problems
from jurat.kits.suggestions import TAG, as_tag
from jurat.model import File, Segment, Suggestion, TestSet, Translation
from jurat.tables.schema import FILE, LINE, shortened

if TYPE_CHECKING:
    import polars as pl

# Names of judges that an error lists.
LISTED = 10


Place = tuple[str, str, str]
"""Document, segment and system."""


class Joined(NamedTuple):
    """Test sets with suggestions, and what is to be said about them."""

    sets: dict[str, TestSet]
    notes: tuple[str, ...]


def with_suggestions(
    sets: Mapping[str, TestSet], files: Sequence[File], *, judge: str = ""
) -> Joined:
    """Test sets whose translations have the errors in these files as their suggestions.

    Raises `InputError` with the lines of errors that do not fit their texts, where most of the
    translations and of the errors belong to nothing, and where it is not clear whose are meant.
    """
    # readers of tables are imported where they are needed: a server starts without them
    from jurat.formats.marked_errors import read_marked_errors

    read = read_marked_errors(files)
    places = _Places(sets.values())
    texts = _rows(read.texts)
    marked = [(places.of(row), row) for row in _rows(read.spans)]
    found = [(place, row) for place, row in marked if place is not None]
    looked_at = _looked_at(places, _rows(read.judged), [place for place, _ in found])
    _refuse_few(len(found), len(marked), looked_at, places, files)
    chosen = [(place, row) for place, row in found if _is_by(row, judge)]
    _refuse_several(chosen, judge)
    raise_problems([*places.other_texts(texts), *places.outside(chosen)])
    by_place: defaultdict[Place, list[Suggestion]] = defaultdict(list)
    for place, row in chosen:
        by_place[place].append(_suggestion(row, places.texts[place]))
    tags = {place: as_tag(by_place[place]) for place in looked_at}
    return Joined(
        {name: _tagged(one, tags) for name, one in sets.items()},
        (*read.notes, _counts(len(chosen), len(marked), len(tags), len(places.texts))),
    )


class Texts(NamedTuple):
    """A translation and its source."""

    translation: str
    source: str | None


class _Places:
    """The translations of test sets, as rows of other files name them."""

    def __init__(self, sets: Iterable[TestSet]) -> None:
        self.texts: dict[Place, Texts] = {}
        self._alone: defaultdict[tuple[str, str], list[Place]] = defaultdict(list)
        for test_set in sets:
            for document, segment in test_set.segments():
                for system, made in segment.translations.items():
                    place = (document.id, segment.id, system)
                    self.texts[place] = Texts(made.text, segment.source)
                    self._alone[segment.id, system].append(place)

    def of(self, row: Mapping[str, Any]) -> Place | None:
        """The translation that a row is about; by its segment alone where it has no document."""
        segment, system = row.get("segment"), row.get("system")
        if segment is None or system is None:
            return None
        if row.get("document") is not None:
            place = (row["document"], segment, system)
            return place if place in self.texts else None
        alone = self._alone.get((segment, system), [])
        return alone[0] if len(alone) == 1 else None

    def outside(self, marked: Iterable[tuple[Place, Mapping[str, Any]]]) -> list[Problem]:
        """A problem for each error that is not within its text."""
        found = [one for place, row in marked for one in self._outside(place, row)]
        return shortened(found, len(found))

    def _outside(self, place: Place, row: Mapping[str, Any]) -> Iterator[Problem]:
        one, texts = _suggestion(row, self.texts[place]), self.texts[place]
        text = (texts.source or "") if one.side == "source" else texts.translation
        empty_allowed = one.missing or bool(one.mark)
        if 0 <= one.start <= one.end <= len(text) and (one.start < one.end or empty_allowed):
            return
        message = (
            f"{one.start} to {one.end} is no part of the {one.side}, which has {len(text)} "
            "characters; count code points from 0, and give the place after the last as the end"
        )
        yield _problem(message, place, row)

    def other_texts(self, texts: Iterable[Mapping[str, Any]]) -> list[Problem]:
        """A problem for each translation in the files that the test set has in other words."""
        found = []
        for row in texts:
            place = self.of(row)
            given = row.get("translation")
            if place and given is not None and given != self.texts[place].translation:
                message = (
                    f"the errors were marked in another text: '{given[:40]}'; give the file of "
                    "errors that belongs to these translations"
                )
                found.append(_problem(message, place, row))
        return shortened(found, len(found))


def _problem(message: str, place: Place, row: Mapping[str, Any]) -> Problem:
    document, segment, system = place
    return Problem(
        message=f"{message} (system {system})",
        file=row.get(FILE),
        line=row.get(LINE),
        document=document,
        segment=segment,
        code="suggestion-outside",
    )


def _rows(table: pl.DataFrame | None) -> list[dict[str, Any]]:
    return [] if table is None else table.to_dicts()


def _looked_at(
    places: _Places, judged: Sequence[Mapping[str, Any]], marked: Sequence[Place]
) -> list[Place]:
    """The translations in which somebody looked for errors.

    Where files hold judgments, those; else all by a system with an error in a document with one.
    """
    if judged:
        found = {place for row in judged if (place := places.of(row)) is not None} | {*marked}
        return [place for place in places.texts if place in found]
    documents, systems = {place[0] for place in marked}, {place[2] for place in marked}
    return [place for place in places.texts if place[0] in documents and place[2] in systems]


def _refuse_few(
    found: int, rows: int, looked_at: Sequence[Place], places: _Places, files: Sequence[File]
) -> None:
    """Raise `InputError` where neither half of the errors nor of the translations have partners."""
    if found and (2 * found >= rows or 2 * len(looked_at) >= len(places.texts)):
        return
    document, segment, system = next(iter(places.texts), ("", "", ""))
    message = (
        f"{found:,} of {rows:,} marked errors belong to a translation of the test set; document, "
        f"segment and system have to be those of the test set, such as '{document}', '{segment}' "
        f"and '{system}'"
    )
    raise input_error(message, file=files[0].name, code="suggestions-unmatched")


def _is_by(row: Mapping[str, Any], judge: str) -> bool:
    return not judge or row.get("judge") == judge


def _refuse_several(marked: Sequence[tuple[Place, Mapping[str, Any]]], judge: str) -> None:
    """Raise `InputError` where it is not clear whose errors of a translation are meant."""
    by_place: defaultdict[Place, set[str]] = defaultdict(set)
    for place, row in marked:
        by_place[place].add(str(row.get("judge") or ""))
    several = [judges for judges in by_place.values() if len(judges) > 1]
    names = Counter(name for judges in by_place.values() for name in judges)
    if several:
        message = (
            f"{len(several):,} translations were marked by several judges; say whose errors are "
            "shown: suggestions: {files: […], judge: …}"
        )
        # those who have marked most first, by name where it is as much
        allowed = tuple(sorted(names, key=lambda name: (-names[name], name))[:LISTED])
        raise input_error(message, allowed=allowed, code="suggestions-several")
    if judge and not marked:
        message = f"'{judge}' has marked no error in these files"
        raise input_error(message, value=judge, code="suggestions-nobody")


def _suggestion(row: Mapping[str, Any], texts: Texts) -> Suggestion:
    """A row of the table of spans as a suggestion."""
    by = row.get("judge") or PurePosixPath(row.get(FILE) or "").stem
    common = {"severity": row["severity"], "category": row.get("category"), "by": by}
    if row.get("source_start") is not None and (row.get("missing") or texts.source is None):
        place = {"start": row["source_start"], "end": row["source_end"], "side": "source"}
        return Suggestion(**common, **place)
    missing = bool(row.get("missing"))
    end = row["start"] if missing else row["end"]
    return Suggestion(**common, start=row["start"], end=end, missing=missing)


def _tagged(test_set: TestSet, tags: Mapping[Place, str]) -> TestSet:
    documents = tuple(
        replace(
            document,
            segments=tuple(_with_tags(document.id, segment, tags) for segment in document.segments),
        )
        for document in test_set.documents
    )
    return replace(test_set, documents=documents)


def _with_tags(document: str, segment: Segment, tags: Mapping[Place, str]) -> Segment:
    made = {
        system: Translation(one.text, {**one.tags, TAG: tags[place]})
        if (place := (document, segment.id, system)) in tags
        else one
        for system, one in segment.translations.items()
    }
    return replace(segment, translations=made)


def _counts(used: int, rows: int, translations: int, every: int) -> str:
    return (
        f"suggestions: {used:,} of {rows:,} marked errors are shown; {translations:,} of {every:,} "
        "translations were looked at before"
    )
