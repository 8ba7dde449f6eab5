"""What a campaign declares of errors that were marked before: the files, and whose errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from jurat.deserialize import convert
from jurat.errors import InputError

FIELD = "suggestions"


class SuggestionFiles(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Files with marked errors, and whose errors of them are shown."""

    files: tuple[str, ...]
    judge: str = ""
    """The judge, metric or model; needed where several have marked the same translation."""


# One file, several that belong together, or files and whose errors are meant.
SuggestionSources = str | tuple[str, ...] | SuggestionFiles


def suggestion_files(sources: SuggestionSources) -> SuggestionFiles:
    """What is declared, with its files as a list."""
    if isinstance(sources, SuggestionFiles):
        return sources
    return SuggestionFiles(files=(sources,) if isinstance(sources, str) else sources)


def declared_suggestions(content: Mapping[str, object]) -> SuggestionFiles:
    """The files of suggestions that a declaration names; none where it is not valid."""
    try:
        found = convert(content.get(FIELD), SuggestionSources | None)
    except (msgspec.ValidationError, InputError):
        found = None
    return SuggestionFiles(files=()) if found is None else suggestion_files(found)


def redeclared_suggestions(
    content: Mapping[str, Any], files: Sequence[str], judge: str
) -> dict[str, Any]:
    """A declaration that names these files of suggestions, and whose they are."""
    left = {name: value for name, value in content.items() if name != FIELD}
    if not files:
        return left
    return {**left, FIELD: {"files": [*files], "judge": judge} if judge else [*files]}
