"""Media of a test set: the tags that name their files, and what judges are shown of them.

A segment or document names a file in the tag `media`, which is shown with the source, or in
`context_media`, which every stage shows; `media_text` and `context_media_text` say the same in
words. What a segment names comes before what its document names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from jurat.model import MEDIA, Document, Media, MediaKind, Segment, Tags, TestSet

SOURCE_TAG, CONTEXT_TAG = MEDIA, "context_media"
# Tags that are shown and not exported with every answer, as instructions are.
MEDIA_TAGS = tuple(f"{tag}{end}" for tag in (SOURCE_TAG, CONTEXT_TAG) for end in ("", "_text"))

# The types of files by their endings. SVG is not among them: it can contain scripts.
TYPES: Mapping[str, str] = {
    "webm": "video/webm",
    "mp4": "video/mp4",
    "ogv": "video/ogg",
    "mp3": "audio/mpeg",
    "wav": "audio/wav",
    "ogg": "audio/ogg",
    "opus": "audio/ogg",
    "m4a": "audio/mp4",
    "flac": "audio/flac",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "avif": "image/avif",
}
KINDS: Mapping[str, MediaKind] = {"video": "video", "audio": "audio", "image": "image"}


class MediaName(NamedTuple):
    """A file that a test set names, and its text alternative."""

    file: str
    text: str = ""
    context: bool = False


def media_type(file: str) -> str:
    """The content type of a file by its ending; empty if it is not a media file."""
    return TYPES.get(PurePosixPath(file).suffix.lower().removeprefix("."), "")


def media_names(document: Document, segments: Iterable[Segment]) -> Iterator[MediaName]:
    """The media of segments of a document, each file once: first the source, then the context."""
    found = dict.fromkeys(
        name
        for tag in (SOURCE_TAG, CONTEXT_TAG)
        for segment in segments
        if (name := _named(tag, segment.tags) or _named(tag, document.tags))
    )
    yield from found


def named_files(test_sets: Iterable[TestSet]) -> list[str]:
    """All media files that test sets name, in order, each once."""
    return list(
        dict.fromkeys(
            name.file
            for test_set in test_sets
            for document in test_set.documents
            for name in media_names(document, document.segments)
        )
    )


def shown_media(names: Iterable[MediaName], keys: Mapping[str, str]) -> Iterator[Media]:
    """What a judge is shown of these files; `keys` are the hashes of their contents by name."""
    for name in names:
        if name.file in keys:
            kind = KINDS[media_type(name.file).partition("/")[0]]
            yield Media(key=keys[name.file], kind=kind, text=name.text, context=name.context)


def _named(tag: str, tags: Tags) -> MediaName | None:
    file = tags.get(tag, "")
    if not file:
        return None
    return MediaName(file, tags.get(f"{tag}_text", ""), tag == CONTEXT_TAG)
