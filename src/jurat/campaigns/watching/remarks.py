"""Short words on what a coordinator should know, with a code for those who say it otherwise."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """Something worth saying about a judge or a campaign."""

    code: str
    """What is said, for pages that say it in another language."""
    message: str
    """The same in English."""
    values: Mapping[str, str | int] = {}
    """Of the words in braces there; a `count` chooses the plural."""


def some(count: int, word: str) -> str:
    """`1 kit`, `2 kits`."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"
