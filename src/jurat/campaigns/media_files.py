"""Media files that a campaign names: found beside its test set, and checked."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

from jurat.campaigns.config import Fetch
from jurat.errors import InputError, Problem, input_error
from jurat.kits.media import TYPES, media_type, named_files
from jurat.model import TestSet
from jurat.store import MediaFile, Store
from jurat.store.media import CHUNK_BYTES

# Bytes of a media file, and of all media of a campaign, at most.
MAX_FILE_BYTES = 64 << 20
MAX_BYTES = 256 << 20

# Gives the digest and the size of a file that a campaign names; raises `InputError`.
Describe = Callable[[str], tuple[str, int]]


def described(fetch: Fetch) -> Describe:
    """Digests and sizes of files that have to be read for them."""

    def describe(name: str) -> tuple[str, int]:
        data = fetch(name).data
        return hashlib.sha256(data).hexdigest(), len(data)

    return describe


def in_folder(folder: str, name: str) -> str:
    """The file that a test set names, as the campaign names it."""
    return f"{folder.rstrip('/')}/{name}" if folder else name


def find_media(
    test_sets: Iterable[TestSet], folder: str, describe: Describe
) -> tuple[list[MediaFile], list[Problem]]:
    """The media that test sets name, and the problems of those that cannot be shown."""
    found: list[MediaFile] = []
    problems: list[Problem] = []
    for name in named_files(test_sets):
        try:
            found.append(_checked(name, in_folder(folder, name), describe))
        except InputError as error:
            problems += error.problems
    if sum(file.size for file in found) > MAX_BYTES:
        message = f"all media together have more than {MAX_BYTES:,} bytes"
        problems.append(
            Problem(message=message, field="media", value=MAX_BYTES, code="files-too-large")
        )
    return found, problems


def _checked(name: str, path: str, describe: Describe) -> MediaFile:
    kind = media_type(name)
    if not kind:
        endings = tuple(TYPES)
        message = f"'{name}' is no media file that browsers play"
        raise input_error(message, field="media", value=name, allowed=endings, code="no-media")
    if ".." in name.split("/") or name.startswith("/"):
        message = f"'{name}' leads out of the folder of media"
        raise input_error(message, field="media", value=name, code="media-outside")
    digest, size = describe(path)
    if not 0 < size <= MAX_FILE_BYTES:
        message = f"'{name}' has {size:,} bytes; a media file has 1 to {MAX_FILE_BYTES:,}"
        raise input_error(message, field="media", value=name, code="media-size")
    return MediaFile(name=name, digest=digest, type=kind, size=size)


def media_contents(store: Store, campaign: str, folder: str) -> dict[str, bytes]:
    """The media of a campaign, by the names of their files below the folder of media."""
    return {
        in_folder(folder, file.name): b"".join(
            store.media_chunk(campaign, file.digest, n) for n in range(-(-file.size // CHUNK_BYTES))
        )
        for file in store.media(campaign)
    }
