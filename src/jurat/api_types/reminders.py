"""What the HTTP API takes and gives of reminders to judges."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from jurat.api_types import Line, Struct


class DueReminder(msgspec.Struct, frozen=True, kw_only=True):
    """A judge who needs a reminder, with the text of an email."""

    pin: str
    address: str
    subject: str
    body: str
    last: datetime | None
    """When they were last reminded."""


class RemindJudges(Struct, frozen=True, kw_only=True):
    """Whom to remind, of those who are due."""

    pins: Annotated[tuple[Line, ...], Meta(min_length=1, max_length=500)]
    by: Literal["mail", "hand"] = "mail"
    """`hand`: the script has sent them itself, and they are only logged."""


class RemindedJudges(msgspec.Struct, frozen=True, kw_only=True):
    """Who was reminded, and why an email could not be sent."""

    reminded: tuple[str, ...]
    failed: dict[str, str]
