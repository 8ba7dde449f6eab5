"""Registries of kinds: metrics, formats, questions, statistics and others.

A kind is a subclass of a base class with an attribute `name`. A registry finds the kinds in the
modules of a package (or in a single module), so that one file adds a kind, and in outside packages,
which declare an entry point in the group of that name (`jurat.testsets`) for a class or a module.
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
    """A class with a name."""

    name: ClassVar[str]


Kind = TypeVar("Kind", bound=Named)
Loaded = TypeVar("Loaded")


class Registry(Generic[Kind]):
    """The kinds (subclasses of `base` with a `name`) of a package and of outside packages.

    Modules are imported when the registry is first used. `word` is what messages call a kind:
    "format", "metric".
    """

    def __init__(self, package: str, base: type[Kind], *, word: str) -> None:
        self.package = package
        self.base = base
        self.word = word

    def __getitem__(self, name: str) -> type[Kind]:
        """The kind of that name; raises `InputError` if there is none."""
        try:
            return self.kinds[name]
        except KeyError:
            raise unknown_name(self.word, name, self.kinds) from None

    def __iter__(self) -> Iterator[type[Kind]]:
        """All kinds, sorted by name."""
        return iter(self.kinds.values())

    @cached_property
    def kinds(self) -> dict[str, type[Kind]]:
        """All kinds by name; where two have the same name, Jurat's own."""
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
            # an entry point that yields nothing is a mistake in that package; silence would hide it
            if not offered:
                raise input_error(f"{source} has no {self.word}")
            yield from offered

    def _offered(self, target: object) -> Iterator[type[Kind]]:
        """The target itself, or the kinds that a module defines (not those it imports)."""
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
    """Whether any installed package may have entry points in that group.

    Usually none has. importlib.metadata would import Python's email package to find that out, which
    takes longer than all the rest of `jurat --help`.
    """
    # entry_points.txt is an INI file with the group as the heading of a section
    heading = f"[{group}]".encode()
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")  # noqa: PTH208 - pathlib is slow to import
        except NotADirectoryError:
            return True  # a zip file, which only importlib.metadata can read
        except OSError:
            continue  # folders in sys.path need not exist
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
    """The result of `load()`; raises `InputError` with the source if it fails in any way.

    Every exception is caught, because an outside package may raise anything.
    """
    try:
        return load()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise input_error(f"{source} cannot be loaded: {reason}") from error
