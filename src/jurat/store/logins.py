"""Those who can be let in, as columns and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from jurat.store.encoding import from_json, from_time, to_json, to_time
from jurat.store.records import Login

_TIMES = ("created", "seen_at", "locked_until")
_SECRET = ("password_hash", "token_hash", "address")

NEW: Mapping[str, Any] = {
    "disabled": False,
    "seen_at": None,
    "failures": 0,
    "locked_until": None,
}
"""What is so with everybody who is new."""


def columns(login: Login) -> dict[str, object]:
    """The columns of an account or a coordinator."""
    row = msgspec.structs.asdict(login)
    for name in _TIMES:
        row[name] = None if row[name] is None else to_time(row[name])
    if "tags" in row:
        row["tags"] = to_json(row["tags"])
    return {"key": row.pop("id"), **row}


def fields(row: dict[str, Any]) -> dict[str, Any]:
    """The fields of an account or a coordinator, made of its columns; judges need it often."""
    row["id"] = row.pop("key")
    for name in _TIMES:
        row[name] = from_time(row[name])
    row["disabled"] = bool(row["disabled"])
    if "tags" in row:
        row["tags"], row["pending"] = from_json(row["tags"]), bool(row["pending"])
    return row


def given(change: msgspec.Struct) -> dict[str, Any]:
    """What a change says; with a new password the wrong ones are forgotten."""
    said = {n: v for n, v in msgspec.structs.asdict(change).items() if v is not msgspec.UNSET}
    return said | ({"failures": 0, "locked_until": None} if said.get("password_hash") else {})


def told(said: Mapping[str, Any]) -> dict[str, Any]:
    """The same for a log, which learns of secrets only that they changed."""
    return {
        name: "changed" if name in _SECRET else value
        for name, value in said.items()
        if name not in ("failures", "locked_until")
    }
