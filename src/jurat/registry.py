"""Finds what a folder offers: one file adds a kind, outside packages join by entry points.

A folder is a package whose modules define subclasses of one base class. A subclass that has the
attribute `name` is offered under that name. An outside package offers the same through an entry
point in the group named like the folder (`jurat.testsets`), pointing at a class or a module.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from types import ModuleType
from typing import TYPE_CHECKING, ClassVar, Generic, Protocol, TypeGuard, TypeVar

from jurat.errors import input_error, unknown_name

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class Named(Protocol):
    """What can be offered: something with a name."""

    name: ClassVar[str]


Kind = TypeVar("Kind", bound=Named)
Loaded = TypeVar("Loaded")


class Registry(Generic[Kind]):
    """The kinds (subclasses of `base` with a `name`) that a package and outside packages offer.

    Modules are imported when the registry is first asked for something. `word` is what messages
    call a kind: "format", "metric".
    """

    def __init__(self, package: str, base: type[Kind], *, word: str) -> None:
        self.package = package
        self.base = base
        self.word = word

    def __getitem__(self, name: str) -> type[Kind]:
        """The kind of that name; an `InputError` lists the names that exist."""
        try:
            return self.kinds[name]
        except KeyError:
            raise unknown_name(self.word, name, self.kinds) from None

    def __iter__(self) -> Iterator[type[Kind]]:
        """Every kind, sorted by name."""
        return iter(self.kinds.values())

    @cached_property
    def kinds(self) -> dict[str, type[Kind]]:
        """All kinds by name; where two have the same name, Jurat's own is taken."""
        found: dict[str, type[Kind]] = {}
        for kind in (*self._own(), *self._outside()):
            # outside packages cannot replace Jurat's own kinds, or results would not be comparable
            found.setdefault(kind.name, kind)
        return dict(sorted(found.items()))

    def _own(self) -> Iterator[type[Kind]]:
        import pkgutil

        package = importlib.import_module(self.package)
        yield from self._offered(package)
        for module in pkgutil.iter_modules(getattr(package, "__path__", ()), f"{self.package}."):
            source = f"the module '{module.name}'"
            yield from self._offered(guarded(partial(importlib.import_module, module.name), source))

    def _outside(self) -> Iterator[type[Kind]]:
        for entry in entry_points(self.package):
            source = f"the entry point '{entry.name}' ({entry.value})"
            offered = list(self._offered(guarded(entry.load, source)))
            if not offered:
                raise input_error(f"{source} offers no {self.word}")
            yield from offered

    def _offered(self, target: object) -> Iterator[type[Kind]]:
        """The target itself, or those of its classes that a module defines rather than imports."""
        if isinstance(target, ModuleType):
            values = [v for v in vars(target).values() if isinstance(v, type)]
            yield from filter(self._is_kind, (v for v in values if v.__module__ == target.__name__))
        elif self._is_kind(target):
            yield target

    def _is_kind(self, value: object) -> TypeGuard[type[Kind]]:
        named = isinstance(getattr(value, "name", None), str)
        return named and isinstance(value, type) and issubclass(value, self.base)


def entry_points(group: str) -> list[EntryPoint]:
    """The entry points that installed packages declare in a group."""
    if not _may_declare(group):
        return []
    from importlib.metadata import entry_points

    return list(entry_points(group=group))


def _may_declare(group: str) -> bool:
    """Whether any installed package has entry points of that group.

    Nearly always the answer is no. To find that out, importlib.metadata would load Python's email
    package, which takes longer than all the rest of `jurat --help`.
    """
    heading = f"[{group}]".encode()
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")  # noqa: PTH208 - pathlib is slow to import
        except NotADirectoryError:
            return True  # a zip file: only importlib.metadata can look into it
        except OSError:
            continue  # Python lists folders that need not exist
        for name in names:
            if name.endswith((".dist-info", ".egg-info")) and heading in _declared(folder, name):
                return True
    return False


def _declared(folder: str, name: str) -> bytes:
    try:
        with open(f"{folder or '.'}/{name}/entry_points.txt", "rb") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return b""


def guarded(load: Callable[[], Loaded], source: str) -> Loaded:
    """What `load` returns; any error in it becomes an `InputError` that names the source.

    Code of outside packages may raise anything, so every exception is caught here.
    """
    try:
        return load()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise input_error(f"{source} cannot be loaded: {reason}") from error
