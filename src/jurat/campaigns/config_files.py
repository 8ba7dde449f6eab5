"""The files of a test set and what each of them holds, as a declaration says it and back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import msgspec

from jurat.campaigns.config import Sources, roles_of
from jurat.deserialize import convert
from jurat.errors import input_error
from jurat.testsets import Role

# What each file holds, by its name; None where it says so itself.
Roles = dict[str, Role | None]

KINDS = ("source", "reference", "system", "documents")


def roles_in(declared: object) -> Roles:
    """The files of a test set as they are declared; none where that is no sound declaration."""
    try:
        sources: Sources | None = convert(declared, Sources | None)
    except msgspec.ValidationError:
        return {}
    return dict(roles_of(sources)) if sources else {}


def arranged(roles: Mapping[str, Role | None]) -> object:
    """Files with their roles as a declaration has them; None where there are no files."""
    if not any(roles.values()):
        names = list(roles)
        return names[0] if len(names) == 1 else names or None
    named: dict[str, dict[str, str]] = {
        "reference": {},
        "system": {},
        "source": {},
        "documents": {},
    }
    for file, role in roles.items():
        if role is None:
            continue
        if role.kind not in KINDS:
            raise input_error(f"a file cannot be a {role.kind}", value=role.kind, allowed=KINDS)
        name = _name(file, role)
        if name in named[role.kind]:
            said = f"{role.kind} '{name}'" if name else role.kind
            message = f"two files cannot both be the {said}"
            raise input_error(message, file=file, value=name, code="same-role")
        named[role.kind][name] = file
    declared = {
        "source": named["source"].get(""),
        "references": named["reference"],
        "systems": named["system"],
        "documents": named["documents"].get(""),
        "files": [file for file, role in roles.items() if role is None],
    }
    return {name: value for name, value in declared.items() if value}


def _name(file: str, role: Role) -> str:
    """Of a reference or a system: as it was given, or like its file."""
    if role.kind in ("source", "documents"):
        return ""
    return role.name or PurePosixPath(file).stem
