"""Fields of coordinators' forms: how each is shown, and which setting of `campaign.yaml` it is.

Values need not be valid: they are saved as they were entered, and the problem is shown beside them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import msgspec
from starlette.datastructures import FormData

from jurat.campaigns import nested_values
from jurat.errors import Problem

# Characters of a text on one line, and of one with several.
MAX_LINE = 1000
MAX_PARAGRAPHS = 6000
# At most 18 digits, which fit into 64 bits.
INTEGER = re.compile(r"-?\d{1,18}")


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One field; its name is its path in `campaign.yaml`, such as `kits.repeats`."""

    kind: ClassVar[str]
    name: str
    words: str
    hint: str = ""
    usual: object = None
    """The default."""

    def read(self, form: FormData) -> object:
        """The value in a form; None if it is the default."""
        said = self._said(form)
        return None if said in ("", self.usual) else said

    def shown(self, value: object) -> object:
        """A value as the input shows it."""
        return self.usual if value is None else value

    def entered(self, value: object) -> object:
        """A stored value as `read` would give it; None if it is the default."""
        shown = self.shown(value)
        return None if shown in ("", self.usual) else shown

    def describe(self, value: object) -> tuple[object, bool]:
        """A value as text; or the key of its text, and True."""
        return self.shown(value), False

    def _said(self, form: FormData) -> object:
        return read_line(form, self.name)


class TextField(Field, frozen=True, kw_only=True):
    """A line of text."""

    kind = "text"
    usual: object = ""


class ListField(Field, frozen=True, kw_only=True):
    """Several names on one line, with commas between them."""

    kind = "list"
    usual: object = ""

    def shown(self, value: object) -> object:
        """The names on one line."""
        return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value or ""

    def entered(self, value: object) -> object:
        """The names as a list; None without any."""
        return _listed(str(self.shown(value)))

    def _said(self, form: FormData) -> object:
        return _listed(read_line(form, self.name)) or ""


def _listed(said: str) -> list[str] | None:
    return [one for part in said.split(",") if (one := part.strip())] or None


class ParagraphsField(Field, frozen=True, kw_only=True):
    """A text of several lines."""

    kind = "paragraphs"
    usual: object = ""

    def shown(self, value: object) -> object:
        """The text without the blank lines around it, which YAML may have put there."""
        return super().shown(value.strip() if isinstance(value, str) else value)

    def _said(self, form: FormData) -> object:
        return read_paragraphs(form, self.name)


class DateField(Field, frozen=True, kw_only=True):
    """A day."""

    kind = "date"
    usual: object = ""


class NumberField(Field, frozen=True, kw_only=True):
    """A whole number; `empty` is the value that an empty input stands for."""

    kind = "number"
    least: int = 1
    empty: object = None

    def shown(self, value: object) -> object:
        """The number, or an empty string."""
        number = super().shown(value)
        return "" if number in (None, self.empty) else number

    def describe(self, value: object) -> tuple[object, bool]:
        """The number, or that it is all."""
        return ("desk-all", True) if value == self.empty == "all" else super().describe(value)

    def _said(self, form: FormData) -> object:
        said = read_line(form, self.name)
        # what is no number is saved as typed, and shown again with the problem
        return int(said) if INTEGER.fullmatch(said) else said


class SwitchField(Field, frozen=True, kw_only=True):
    """Yes or no."""

    kind = "switch"
    usual: object = False

    def _said(self, form: FormData) -> object:
        # browsers send nothing for a box that is not ticked
        return self.name in form


class FieldOption(NamedTuple):
    """One of several things to choose from."""

    value: object
    label: str
    """The key of its text, or its name if that is the same in all languages."""

    @property
    def token(self) -> str:
        """The value in the form."""
        return "" if self.value is None else str(self.value).lower()


class ChoiceField(Field, frozen=True, kw_only=True):
    """One value out of several, as a list to choose from."""

    kind = "choice"
    options: Sequence[FieldOption] = ()
    spoken: bool = True
    """Whether labels are keys of texts."""

    def offered(self, value: object) -> list[FieldOption]:
        """The options, and the current value if it is none of them."""
        shown = self.shown(value)
        # a value from an uploaded campaign.yaml: without an option of its own it would be lost when
        # the form is saved
        known = any(option.value == shown for option in self.options)
        return [*self.options] if known else [*self.options, FieldOption(shown, str(shown))]

    def is_chosen(self, option: FieldOption, value: object) -> bool:
        """Whether this option is the current value."""
        return bool(option.value == self.shown(value))

    def describe(self, value: object) -> tuple[object, bool]:
        """The label of the value's option."""
        labels = [one.label for one in self.options if self.is_chosen(one, value)]
        return (labels[0], self.spoken) if labels else (value, False)

    def _said(self, form: FormData) -> object:
        said = read_line(form, self.name)
        tokens = {option.token: option.value for option in self.options}
        return tokens.get(said.lower(), said)


class NamesField(Field, frozen=True, kw_only=True):
    """Some of several names; all if none is chosen."""

    kind = "names"
    known: Sequence[str] = ()
    all_when_none: bool = True

    def offered(self, value: object) -> list[str]:
        """All known names, and unknown ones of the current value."""
        return list(dict.fromkeys((*self.known, *self.shown(value))))

    def shown(self, value: object) -> list[str]:
        """The chosen names."""
        return [str(one) for one in value] if isinstance(value, list | tuple) else []

    def describe(self, value: object) -> tuple[object, bool]:
        """The names, one after the other."""
        return ", ".join(self.shown(value)), False

    def entered(self, value: object) -> object:
        """The chosen names; None for none or all of them."""
        return self._chosen(self.shown(value))

    def _said(self, form: FormData) -> object:
        return self._chosen([str(one) for one in form.getlist(self.name)]) or ""

    def _chosen(self, said: list[str]) -> list[str] | None:
        # ticking all means the same as ticking none, which also holds for names that are added
        # later
        every = self.all_when_none and set(said) == set(self.known)
        return None if every or not said else said


class PairsField(Field, frozen=True, kw_only=True):
    """Names with a value for each, out of `known`."""

    kind = "pairs"
    known: Sequence[str] = ()
    name_words: str
    value_words: str

    def shown(self, value: object) -> list[tuple[str, str]]:
        """The pairs, and two empty rows."""
        # the empty rows are for new pairs, so that no script is needed to add one
        pairs = value.items() if isinstance(value, Mapping) else ()
        return [*((str(name), str(one)) for name, one in pairs), ("", ""), ("", "")]

    def describe(self, value: object) -> tuple[object, bool]:
        """The pairs, one after the other."""
        return ", ".join(f"{name}: {one}" for name, one in self.shown(value) if name), False

    def entered(self, value: object) -> object:
        """The pairs; None without any."""
        return {name: one for name, one in self.shown(value) if name} or None

    def _said(self, form: FormData) -> object:
        names = [clean_line(one) for one in form.getlist(f"{self.name}.name")]
        values = [clean_line(one) for one in form.getlist(f"{self.name}.value")]
        # a row is removed by emptying its name
        return {name: one for name, one in zip(names, values, strict=False) if name} or ""


# Every kind of field by its name.
FIELDS = {kind.kind: kind for kind in Field.__subclasses__()}


class FieldGroup(msgspec.Struct, frozen=True):
    """Fields that belong together."""

    words: str
    fields: tuple[Field, ...] | list[Field]
    open: bool = True
    """Whether the group is expanded."""
    label: str = ""
    """The heading if it is a name, the same in all languages."""
    note: str = ""
    """The key of a text under the heading."""


def read_form(form: FormData, parts: Iterable[FieldGroup]) -> dict[str, Any]:
    """The settings of a form as nested mappings, without defaults."""
    content: dict[str, Any] = {}
    for field in (field for part in parts for field in part.fields):
        value = field.read(form)
        if value is not None:
            content = nested_values.put(content, tuple(field.name.split(".")), value)
    return content


def stored_value(content: object, field: Field) -> object:
    """The value of a field in stored settings; None if it has none."""
    return nested_values.value_at(content, nested_values.resolve(content, field.name))


def read_line(form: FormData, name: str) -> str:
    """The text of an input, on one line."""
    return clean_line(form.get(name, ""))


def read_paragraphs(form: FormData, name: str, most: int = MAX_PARAGRAPHS) -> str:
    """The text of a larger input, with its line breaks but without zero bytes."""
    said = form.get(name, "")
    if not isinstance(said, str):
        return ""
    # browsers send CR and LF; PostgreSQL accepts no zero bytes
    return said.replace("\r\n", "\n").replace("\0", "").strip()[:most]


def clean_line(said: object) -> str:
    """A text without zero bytes and repeated spaces, shortened to `MAX_LINE`; empty for a file."""
    # PostgreSQL accepts no zero bytes
    return " ".join(str(said).replace("\0", "").split())[:MAX_LINE] if isinstance(said, str) else ""


class FilledForm:
    """A form for the template: groups of fields, with current values and problems."""

    def __init__(
        self,
        parts: Sequence[FieldGroup],
        content: object,
        faults: Iterable[Problem] = (),
        *,
        prefix: str = "",
        stored: object = None,
        idle: Collection[str] = (),
    ) -> None:
        """`prefix` precedes the names in problems, such as `tasks.1.`.

        `stored` is what is stored, where the form shows something else that was entered; `idle` are
        the fields that do not apply and are hidden.
        """
        self._idle = frozenset(idle)
        self.parts = parts
        self._content = content
        self._stored = content if stored is None else stored
        self.problems: dict[str, list[Problem]] = {}
        self.others: list[Problem] = []
        """Problems that belong to no field of the form."""
        names = [field.name for part in parts for field in part.fields]
        for fault in faults:
            name = _about((fault.field or "").removeprefix(prefix), names)
            if name and (fault.field or "").startswith(prefix):
                self.problems.setdefault(name, []).append(fault)
            else:
                self.others.append(fault)

    def value(self, field: Field) -> object:
        """The current value of a field; None if it has none."""
        return stored_value(self._content, field)

    @property
    def before(self) -> str:
        """The stored values of all fields as JSON, for the hidden input that `form_merge` reads."""
        fields = (field for part in self.parts for field in part.fields)
        values = {field.name: field.entered(stored_value(self._stored, field)) for field in fields}
        return msgspec.json.encode(values).decode()

    def is_hidden(self, field: Field) -> bool:
        """Whether a field does not apply, and has neither a value nor a problem."""
        empty = self.value(field) is None and field.name not in self.problems
        return field.name in self._idle and empty

    def is_open(self, part: FieldGroup) -> bool:
        """Whether a group is expanded: by default, or because it has a value or a problem."""
        return part.open or any(
            field.name in self.problems or self.value(field) is not None for field in part.fields
        )


def _about(field: str, names: Sequence[str]) -> str:
    """The name of the field that a problem is about; empty if there is none."""
    # the longest match: a problem of `kits.repeats` belongs to that field, not to `kits`
    found = [name for name in names if field == name or field.startswith(f"{name}.")]
    return max(found, key=len, default="")
