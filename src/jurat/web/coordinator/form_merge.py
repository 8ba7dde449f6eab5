"""Two people on one form: what each of them changed is saved, and neither overwrites the other.

A form carries the values that it was loaded with. A field counts as changed where its value differs
from these; it is a conflict where somebody else has changed it meanwhile, to another value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec
from starlette.datastructures import FormData

from jurat.campaigns import nested_values
from jurat.web.coordinator.form_fields import Field, FieldGroup, read_form, stored_value

Value = TypeVar("Value")
# The hidden input with the values that a form was loaded with.
BEFORE = "before"


class Conflict(NamedTuple):
    """A field that two people have changed."""

    field: Field
    yours: object
    theirs: object
    label: str = ""
    """What the field is about, if that is a name, the same in all languages."""


class FormChanges(NamedTuple):
    """What a form changes of the stored settings."""

    values: dict[str, object]
    """The new values by field; None removes one."""
    conflicts: list[Conflict]
    """None of these is in `values`."""

    def over(self, content: Any) -> Any:
        """The stored settings with everything that was entered, also where it is a conflict."""
        entered = {one.field.name: one.yours for one in self.conflicts}
        return changed(content, {**self.values, **entered})


def form_changes(form: FormData, groups: Sequence[FieldGroup], content: object) -> FormChanges:
    """The changes that a form makes to stored settings, field by field."""
    said = read_form(form, groups)
    fields = {field.name: field for group in groups for field in group.fields}
    yours = {name: nested_values.value_at(said, tuple(name.split("."))) for name in fields}
    theirs = {name: f.entered(stored_value(content, f)) for name, f in fields.items()}
    values, both = changed_by_both(yours, loaded_values(form), theirs)
    return FormChanges(values, [Conflict(fields[n], yours[n], theirs[n]) for n in both])


def changed_by_both(
    yours: Mapping[str, Value], loaded: Mapping[str, object] | None, theirs: Mapping[str, Value]
) -> tuple[dict[str, Value], list[str]]:
    """The values that are to be saved, and the names of those that somebody else changed, too.

    `yours` was entered, `loaded` is what the page showed before, `theirs` is stored now. Without
    `loaded`, as from a script, all that is sent is meant.
    """
    values: dict[str, Value] = {}
    both: list[str] = []
    for name, value in yours.items():
        # what the page did not have yet, or nobody has any more, cannot have been changed there
        if name not in theirs or (loaded is not None and name not in loaded):
            continue
        before = theirs[name] if loaded is None else loaded[name]
        if value == before:
            continue
        if theirs[name] in (before, value):
            values[name] = value
        else:
            both.append(name)
    return values, both


def entered_values(form: FormData, groups: Sequence[FieldGroup]) -> list[Conflict]:
    """What a form changes of settings that are no longer stored."""
    changes = form_changes(form, groups, {})
    fields = {field.name: field for group in groups for field in group.fields}
    kept = [Conflict(fields[name], value, None) for name, value in changes.values.items()]
    return [*kept, *(one._replace(theirs=None) for one in changes.conflicts)]


def changed(content: Any, values: Mapping[str, object]) -> Any:
    """Settings with other values by field, without groups that have become empty."""
    return _pruned(nested_values.with_values(content, values))


def loaded_values(form: FormData) -> dict[str, object] | None:
    """The values that a form was loaded with; None if it does not say."""
    try:
        return msgspec.json.decode(str(form.get(BEFORE, "")), type=dict[str, object])
    except msgspec.MsgspecError:
        return None


def _pruned(content: Any) -> Any:
    if not isinstance(content, Mapping):
        return content
    inside = {name: _pruned(value) for name, value in content.items()}
    return {name: value for name, value in inside.items() if value != {}}
