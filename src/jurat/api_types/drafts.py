"""What the HTTP API takes and gives of drafts: campaigns in preparation."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from jurat.api_types import Line, ProblemItem, Struct

Ids = tuple[Annotated[str, Meta(max_length=1000, pattern=r"^[^\x00]*$")], ...]


class NewDraft(Struct, frozen=True, kw_only=True):
    """A draft to be made: an empty one, or a copy of a campaign."""

    copy_of: Line = ""
    """The name of a campaign that is to be created again under another name."""


class DraftFile(msgspec.Struct, frozen=True, kw_only=True):
    """An uploaded file."""

    name: str
    size: int


class DraftSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A draft in the list of all."""

    id: str
    title: str
    owner: str
    edition: int
    """One higher after every change."""
    created: datetime
    updated: datetime


class DraftDetails(DraftSummary, frozen=True, kw_only=True):
    """A draft, as far as it is declared, with everything that is wrong or missing."""

    declaration: dict[str, Any]
    files: tuple[DraftFile, ...]
    kits: int
    """As many as can be built now."""
    items: int
    ready: bool
    """Whether a campaign can be created from it."""
    problems: tuple[ProblemItem, ...]


class TutorialChoice(Struct, frozen=True, kw_only=True):
    """Documents of the test set that are to be the tutorial."""

    documents: Annotated[Ids, Meta(min_length=1)]


class TestSetChoice(Struct, frozen=True, kw_only=True):
    """What is kept of a test set: whatever meets all conditions."""

    # not a test, whatever its name begins with
    __test__ = False

    systems: Ids | None = None
    documents: Ids | None = None
    first: Annotated[int, Meta(ge=1, le=10**9)] | None = None
    """So many documents."""
    where: Annotated[str, Meta(max_length=500)] | None = None
    """A condition over tags."""
