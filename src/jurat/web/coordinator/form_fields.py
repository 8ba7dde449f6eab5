"""Fields of a coordinator's forms: how each is shown, and what is declared by it.

What is said need not be right: it is declared as it was written, and the complaint stands beside.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import msgspec
from starlette.datastructures import FormData

from jurat.campaigns import field_paths
from jurat.errors import Problem

# Characters of a text.
MAX_LINE = 1000
INTEGER = re.compile(r"-?\d{1,18}")


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One field: its name is its place in the declaration, such as `kits.repeats`."""

    kind: ClassVar[str]
    name: str
    words: str
    hint: str = ""
    usual: object = None
    """What holds when nothing is declared."""

    def read(self, form: FormData) -> object:
        """What the form declares; None where it is what holds anyway."""
        said = self._said(form)
        return None if said in ("", self.usual) else said

    def shown(self, value: object) -> object:
        """A declared value as the form has it."""
        return self.usual if value is None else value

    def _said(self, form: FormData) -> object:
        return read_line(form, self.name)


class Text(Field, frozen=True, kw_only=True):
    """A line of text."""

    kind = "text"
    usual: object = ""


class Number(Field, frozen=True, kw_only=True):
    """A whole number; a word for which an empty field stands is not shown."""

    kind = "number"
    least: int = 1
    empty: object = None

    def shown(self, value: object) -> object:
        """The number, or nothing."""
        number = super().shown(value)
        return "" if number in (None, self.empty) else number

    def _said(self, form: FormData) -> object:
        said = read_line(form, self.name)
        return int(said) if INTEGER.fullmatch(said) else said


class Switch(Field, frozen=True, kw_only=True):
    """Yes or no."""

    kind = "switch"
    usual: object = False

    def _said(self, form: FormData) -> object:
        return self.name in form


class Option(NamedTuple):
    """One of several things to choose from."""

    value: object
    label: str
    """The key of its words, or its name where that is the same in all languages."""

    @property
    def token(self) -> str:
        """As the form says it."""
        return "" if self.value is None else str(self.value).lower()


class Choice(Field, frozen=True, kw_only=True):
    """One of several."""

    kind = "choice"
    options: Sequence[Option]
    spoken: bool = True
    """Whether labels are keys of words."""

    def offered(self, value: object) -> list[Option]:
        """The options, and what is declared where it is none of them."""
        shown = self.shown(value)
        known = any(option.value == shown for option in self.options)
        return [*self.options] if known else [*self.options, Option(shown, str(shown))]

    def is_chosen(self, option: Option, value: object) -> bool:
        """Whether it is this one."""
        return bool(option.value == self.shown(value))

    def _said(self, form: FormData) -> object:
        said = read_line(form, self.name)
        tokens = {option.token: option.value for option in self.options}
        return tokens.get(said.lower(), said)


class Names(Field, frozen=True, kw_only=True):
    """Some of several; all when none is named."""

    kind = "names"
    known: Sequence[str]
    all_when_none: bool = True

    def offered(self, value: object) -> list[str]:
        """All that there are, and those that are declared although there are none such."""
        return list(dict.fromkeys((*self.known, *self.shown(value))))

    def shown(self, value: object) -> list[str]:
        """The names that are declared."""
        return [str(one) for one in value] if isinstance(value, list | tuple) else []

    def _said(self, form: FormData) -> object:
        said = [str(one) for one in form.getlist(self.name)]
        every = self.all_when_none and set(said) == set(self.known)
        return "" if every or not said else said


class Pairs(Field, frozen=True, kw_only=True):
    """Names with a value for each, which is one of those known."""

    kind = "pairs"
    known: Sequence[str]
    name_words: str
    value_words: str

    def shown(self, value: object) -> list[tuple[str, str]]:
        """The pairs, and two places for more."""
        pairs = value.items() if isinstance(value, Mapping) else ()
        return [*((str(name), str(one)) for name, one in pairs), ("", ""), ("", "")]

    def _said(self, form: FormData) -> object:
        names = [clean_line(one) for one in form.getlist(f"{self.name}.name")]
        values = [clean_line(one) for one in form.getlist(f"{self.name}.value")]
        return {name: one for name, one in zip(names, values, strict=False) if name} or ""


class FieldGroup(NamedTuple):
    """Fields that belong together."""

    words: str
    fields: Sequence[Field]
    open: bool = True
    """Whether they are seen at once; others are for whoever looks for them."""
    label: str = ""
    """What stands above them where that is a name, and the same in all languages."""


def read_form(form: FormData, parts: Iterable[FieldGroup]) -> dict[str, Any]:
    """All that a form declares; what holds anyway is left out."""
    content: dict[str, Any] = {}
    for field in (field for part in parts for field in part.fields):
        value = field.read(form)
        if value is not None:
            content = field_paths.put(content, tuple(field.name.split(".")), value)
    return content


def read_line(form: FormData, name: str) -> str:
    """What stands in a line of a form."""
    return clean_line(form.get(name, ""))


def clean_line(said: object) -> str:
    """A line without what cannot be meant."""
    return " ".join(str(said).replace("\0", "").split())[:MAX_LINE] if isinstance(said, str) else ""


class FilledForm:
    """A form as it is shown: parts of fields, with what is declared and what is wrong with it."""

    def __init__(
        self,
        parts: Sequence[FieldGroup],
        content: object,
        faults: Iterable[Problem] = (),
        *,
        prefix: str = "",
    ) -> None:
        """`prefix`: of all names, as faults tell them, such as `tasks.1.`."""
        self.parts = parts
        self._content = content
        self.problems: dict[str, list[Problem]] = {}
        self.others: list[Problem] = []
        """Faults that no field of the form is about."""
        names = [field.name for part in parts for field in part.fields]
        for fault in faults:
            name = _about((fault.field or "").removeprefix(prefix), names)
            if name and (fault.field or "").startswith(prefix):
                self.problems.setdefault(name, []).append(fault)
            else:
                self.others.append(fault)

    def value(self, field: Field) -> object:
        """What is declared in a field; None where nothing is."""
        return field_paths.value_at(self._content, field_paths.resolve(self._content, field.name))

    def is_open(self, part: FieldGroup) -> bool:
        """Whether something is to be seen in a part at once."""
        return part.open or any(
            field.name in self.problems or self.value(field) is not None for field in part.fields
        )


def _about(field: str, names: Sequence[str]) -> str:
    """The name of the form's field that a fault is about, if there is one."""
    found = [name for name in names if field == name or field.startswith(f"{name}.")]
    return max(found, key=len, default="")
