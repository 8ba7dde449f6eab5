"""What can be wrong with a whole test set: each check goes through its versions and gives faults.

Faults of one kind in one document are said once, with the segments they concern.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from jurat.faults import Fault
from jurat.formats.rows import Entry
from jurat.formats.text import LONGEST_TEXT, wrong_character
from jurat.formats.versions import Key, Version

FEW = 5
"""Segments that are named before the others are only counted."""

Check = Callable[[Sequence[Version]], Iterator[Fault]]


def nothing_to_judge(versions: Sequence[Version]) -> Iterator[Fault]:
    """Without systems, or without anything to hold them against, nothing can be judged."""
    kinds = {version.kind for version in versions}
    if "system" not in kinds:
        yield Fault(message="there is no system's translation")
    if not kinds & {"source", "reference"}:
        yield Fault(message="there is neither a source nor a reference")


def bad_names(versions: Sequence[Version]) -> Iterator[Fault]:
    """Systems and references need names, and no two the same."""
    references = {version.name for version in versions if version.kind == "reference"}
    for version in versions:
        if not version.name and version.kind != "source":
            yield version.spot.fault(f"this file holds a {version.kind} without a name")
        elif version.kind == "system" and version.name in references:
            message = f"the name '{version.name}' is used for a system and for a reference"
            yield version.spot.fault(message)
        if reason := _bad_name(version.name):
            yield version.spot.fault(f"the name of {version} {reason}")


def bad_ids(versions: Sequence[Version]) -> Iterator[Fault]:
    """Documents and segments need names of clean characters."""
    seen: set[str] = set()
    for version in versions:
        for (document, segment), entry in version.entries.items():
            for word, name in (("document", document), ("segment", segment)):
                if name not in seen and (reason := _bad_name(name) if name else "is empty"):
                    yield _at(entry, f"the id of this {word} {reason}")
                seen.add(name)


def doubled(versions: Sequence[Version]) -> Iterator[Fault]:
    """The same segment twice in one version."""
    for version in versions:
        for entries in _by_document(version.doubles):
            first = version.entries[entries[0].document, entries[0].segment]
            before = f"first at {first.spot}"
            if first.kind != "system" and first.spot.file != entries[0].spot.file:
                message = f"{version} is another text here than at {first.spot}"
                yield _folded(entries, message, message + " in {n} segments: {ids}")
            else:
                yield _folded(
                    entries,
                    f"this segment stands twice in {version}, {before}",
                    f"{{n}} segments stand twice in {version}: {{ids}}; the {before}",
                )


def empty(versions: Sequence[Version]) -> Iterator[Fault]:
    """Texts in which nothing can be read."""
    for version in versions:
        what = str(version) if version.kind != "system" else f"the translation of {version}"
        blank = (entry for entry in version.entries.values() if not entry.text)
        for entries in _by_document(blank):
            many = f"{what} is empty in {{n}} segments: {{ids}}"
            yield _folded(entries, f"{what} is empty", many)


def bad_texts(versions: Sequence[Version]) -> Iterator[Fault]:
    """Characters that came in by escapes, and texts that no judge could read."""
    for version in versions:
        for entry in version.entries.values():
            tags = (part for pair in entry.tags.items() for part in pair)
            if wrong := next(filter(None, map(wrong_character, (entry.text, *tags))), None):
                yield _at(entry, f"there is {wrong} in {version}")
            elif len(entry.text) > LONGEST_TEXT:
                size = f"{len(entry.text):,} characters; at most {LONGEST_TEXT:,} are allowed"
                yield _at(entry, f"the text of {version} has {size}")


def missing(versions: Sequence[Version]) -> Iterator[Fault]:
    """Documents and segments that a version lacks."""
    keys = frame(versions)
    for version in versions:
        absent = [key for key in keys if key not in version.entries]
        for document, segments in _grouped(absent):
            if document in version.starts:
                yield _absent_segments(version, document, segments)
            else:
                message = f"this document is missing from {version} ({_segments(len(segments))})"
                yield version.spot.fault(message, document=document)


def extra(versions: Sequence[Version]) -> Iterator[Fault]:
    """Documents and segments that a version has and the source or first reference has not."""
    keys = frame(versions)
    known = {document for document, _ in keys}
    base = _base(versions)
    for version in versions:
        found = [entry for key, entry in version.entries.items() if key not in keys]
        for entries in _by_document(found):
            where = f"in {version}, but not in {base}"
            if entries[0].document in known:
                one, many = f"this segment is {where}", f"{{n}} segments are {where}: {{ids}}"
                yield _folded(entries, one, many)
            else:
                message = f"this document is {where} ({_segments(len(entries))})"
                yield entries[0].spot.fault(message, document=entries[0].document)


def disordered(versions: Sequence[Version]) -> Iterator[Fault]:
    """References that tell the same segments in another order than the source."""
    base = _base(versions)
    for version in versions:
        same = base and version.entries.keys() == base.entries.keys()
        if version.kind != "reference" or not same or not base:
            continue
        for key, wanted in zip(version.entries, base.entries, strict=True):
            if key != wanted:
                there = f"{wanted[0]}:{wanted[1]}"
                message = f"{version} has another order than {base}, which has {there} here"
                yield _at(version.entries[key], message)
                break


CHECKS: tuple[Check, ...] = (
    bad_names,
    bad_ids,
    doubled,
    empty,
    bad_texts,
    missing,
    extra,
    disordered,
)


def frame(versions: Sequence[Version]) -> dict[Key, None]:
    """The segments that every version should have, in order.

    These are the source's, or the first reference's where there is no source. What all others
    have and it has not is its own fault, and belongs to the frame as well.
    """
    base = _base(versions)
    if base is None:
        return {}
    others = [version for version in versions if version is not base]
    keys = dict.fromkeys(base.entries)
    if len(others) > 1:
        keys |= {key: None for key in others[0].entries if all(key in o.entries for o in others)}
    return keys


def _base(versions: Sequence[Version]) -> Version | None:
    for kind in ("source", "reference", "system"):
        for version in versions:
            if version.kind == kind:
                return version
    return None


def _absent_segments(version: Version, document: str, segments: list[str]) -> Fault:
    spot = version.starts[document]
    if len(segments) == 1:
        message = f"this segment is missing from {version}"
        return spot.fault(message, document=document, segment=segments[0])
    message = f"{len(segments):,} segments are missing from {version}: {_listed(segments)}"
    return spot.fault(message, document=document)


def _bad_name(name: str) -> str:
    if wrong := wrong_character(name):
        return f"holds {wrong}"
    if "\t" in name or "\n" in name:
        return "holds a tab or a line end"
    return "is too long" if len(name) > LONGEST_TEXT else ""


def _at(entry: Entry, message: str) -> Fault:
    return entry.spot.fault(message, document=entry.document, segment=entry.segment)


def _folded(entries: Sequence[Entry], one: str, many: str) -> Fault:
    """One fault for all entries of a document, at the place of the first."""
    if len(entries) == 1:
        return _at(entries[0], one)
    ids = _listed([entry.segment for entry in entries])
    message = many.replace("{n}", f"{len(entries):,}").replace("{ids}", ids)
    return entries[0].spot.fault(message, document=entries[0].document)


def _by_document(entries: Iterable[Entry]) -> Collection[list[Entry]]:
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.document, []).append(entry)
    return groups.values()


def _grouped(keys: Iterable[Key]) -> Iterable[tuple[str, list[str]]]:
    groups: dict[str, list[str]] = {}
    for document, segment in keys:
        groups.setdefault(document, []).append(segment)
    return groups.items()


def _listed(ids: Sequence[str]) -> str:
    shown = ", ".join(ids[:FEW])
    return shown if len(ids) <= FEW else f"{shown} and {len(ids) - FEW:,} more"


def _segments(number: int) -> str:
    return f"{number:,} segment{'s' * (number != 1)}"
