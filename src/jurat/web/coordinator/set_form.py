"""The form of a draft's test sets: what each file and column holds, languages, human references.

All of it is one mapping of names to texts, such as `role:test_set:alder.txt` to `system:alder`, so
that what two people change can be merged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec
from starlette.datastructures import FormData

from jurat.campaigns.config import (
    COLUMN_KINDS,
    KINDS,
    Roles,
    SetFiles,
    role_of,
    role_text,
    roles_in,
    sources_in,
)
from jurat.campaigns.declared_suggestions import declared_suggestions
from jurat.campaigns.drafts import PARTS, Drafts, Part
from jurat.errors import input_error
from jurat.store import CampaignDraft
from jurat.testsets import Role
from jurat.web.coordinator.form_fields import TextField, clean_line, read_line
from jurat.web.coordinator.form_merge import Conflict, changed_by_both, loaded_values

HUMANS = "human_references"
LANGUAGES = ("source_language", "target_language")
# The input for whose errors are suggested.
SUGGESTION_JUDGE = "suggestion-judge"

Values = dict[str, str]


class SetChanges(NamedTuple):
    """What a form changes of the test sets."""

    values: Values
    conflicts: list[Conflict]
    entered: Values
    """Everything that the form says, to be shown again."""


def set_values(draft: CampaignDraft) -> Values:
    """What is stored of a draft's test sets."""
    values: Values = {}
    for part in PARTS:
        declared = draft.declaration.get(part)
        for file, role in roles_in(declared).items():
            values[f"role:{part}:{file}"] = role_text(role) if role else ""
        sources = sources_in(declared)
        said = sources if isinstance(sources, SetFiles) else SetFiles()
        for file, columns in said.columns.items():
            values |= {f"column:{part}:{file}:{heading}": r for heading, r in columns.items()}
        values |= {f"{name}:{part}": getattr(said, name) for name in LANGUAGES}
    humans = draft.declaration.get(HUMANS)
    values[HUMANS] = _lines(humans if isinstance(humans, list | tuple) else ())
    values[SUGGESTION_JUDGE] = declared_suggestions(draft.declaration).judge
    return values


def set_changes(form: FormData, draft: CampaignDraft) -> SetChanges:
    """The changes that a form makes to the stored test sets."""
    stored, loaded = set_values(draft), loaded_values(form)
    entered = {name: _entered(form, name) for name in (loaded if loaded is not None else ())}
    values, both = changed_by_both(entered, loaded, stored)
    conflicts = [_conflict(name, entered[name], stored[name]) for name in both]
    return SetChanges(values, conflicts, {**stored, **values, **{n: entered[n] for n in both}})


def save_set_changes(drafts: Drafts, draft: CampaignDraft, values: Mapping[str, str]) -> None:
    """Store changes; raises `InputError`, or `CampaignDraftChanged` if the draft is newer."""
    after = draft.edition
    merged = {**set_values(draft), **values}
    for part in PARTS:
        if not any(_part(name) == part for name in values):
            continue
        roles, columns = _roles(merged, part), _columns(merged, part)
        source, target = (merged[f"{name}:{part}"] for name in LANGUAGES)
        drafts.set_roles(
            draft.id, part, roles, columns=columns, languages=(source, target), after=after
        )
        after += 1
    if HUMANS in values:
        humans = values[HUMANS].split("\n") if values[HUMANS] else None
        drafts.set_fields(draft.id, {HUMANS: humans}, after=after)
        after += 1
    if SUGGESTION_JUDGE in values:
        drafts.set_suggestion_judge(draft.id, values[SUGGESTION_JUDGE], after=after)


def _entered(form: FormData, name: str) -> str:
    kind = name.partition(":")[0]
    said = read_line(form, name)
    if kind == HUMANS:
        return _lines(form.getlist(name))
    if kind not in ("role", "column"):
        return said
    allowed = KINDS if kind == "role" else COLUMN_KINDS
    if said not in ("", *allowed):
        raise input_error("this is nothing that can be held", value=said, allowed=allowed)
    # a name that was entered for something without a name is not kept
    called = clean_line(form.get(f"name:{name}", ""))
    return f"{said}:{called}" if called and said in ("reference", "system") else said


def _lines(names: object) -> str:
    return "\n".join(str(one) for one in names) if isinstance(names, list | tuple) else ""


def _part(name: str) -> str:
    return name.split(":")[1] if ":" in name else ""


def _roles(values: Mapping[str, str], part: Part) -> Roles:
    start = f"role:{part}:"
    return {
        name.removeprefix(start): role_of(said) if said else None
        for name, said in values.items()
        if name.startswith(start)
    }


def _columns(values: Mapping[str, str], part: Part) -> dict[str, dict[str, Role]]:
    found: dict[str, dict[str, Role]] = {}
    for file in (name.removeprefix(f"role:{part}:") for name in values):
        start = f"column:{part}:{file}:"
        own = {
            n.removeprefix(start): role_of(r)
            for n, r in values.items()
            if n.startswith(start) and r
        }
        if own:
            found[file] = own
    return found


def _conflict(name: str, yours: str, theirs: str) -> Conflict:
    kind, _, rest = name.partition(":")
    words = {HUMANS: "desk-humans", SUGGESTION_JUDGE: "desk-suggestion-judge"}.get(
        kind, "desk-languages"
    )
    label = rest.partition(":")[2] if kind in ("role", "column") else ""
    return Conflict(TextField(name=name, words=words), yours, theirs, label)


def before(values: Mapping[str, str]) -> str:
    """The stored values for the hidden input that the form is sent back with."""
    return msgspec.json.encode(dict(values)).decode()
