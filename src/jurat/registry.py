"""Finds what a folder offers: one file adds a kind, outside packages join by entry points.

A folder is a package whose modules define subclasses of one base class. A subclass that has the
attribute `name` is offered under that name. An outside package offers the same through an entry
point in the group named like the folder (`jurat.formats`), pointing at a class or a module.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from importlib.metadata import entry_points
from types import ModuleType
from typing import ClassVar, Generic, Protocol, TypeGuard, TypeVar

from jurat.faults import complain, unknown


class Named(Protocol):
    """What can be offered: something with a name."""

    name: ClassVar[str]


Kind = TypeVar("Kind", bound=Named)
Loaded = TypeVar("Loaded")


class Registry(Generic[Kind]):
    """The kinds that a package offers, by name."""

    def __init__(self, package: str, base: type[Kind], *, word: str) -> None:
        self.package = package
        self.base = base
        self.word = word

    def __getitem__(self, name: str) -> type[Kind]:
        """The kind of that name, or a fault that lists the names there are."""
        try:
            return self.kinds[name]
        except KeyError:
            raise unknown(self.word, name, self.kinds) from None

    def __iter__(self) -> Iterator[type[Kind]]:
        """Every kind, by name."""
        return iter(self.kinds.values())

    @cached_property
    def kinds(self) -> dict[str, type[Kind]]:
        """Everything on offer, Jurat's own first when two have the same name."""
        found: dict[str, type[Kind]] = {}
        for kind in (*self._own(), *self._outside()):
            found.setdefault(kind.name, kind)
        return dict(sorted(found.items()))

    def _own(self) -> Iterator[type[Kind]]:
        folder = importlib.import_module(self.package)
        for module in pkgutil.iter_modules(folder.__path__, f"{self.package}."):
            source = f"the module '{module.name}'"
            yield from self._offered(guarded(partial(importlib.import_module, module.name), source))

    def _outside(self) -> Iterator[type[Kind]]:
        for entry in entry_points(group=self.package):
            source = f"the entry point '{entry.name}' ({entry.value})"
            offered = list(self._offered(guarded(entry.load, source)))
            if not offered:
                raise complain(f"{source} offers no {self.word}")
            yield from offered

    def _offered(self, target: object) -> Iterator[type[Kind]]:
        """The target itself, or those of its classes that a module defines rather than imports."""
        if isinstance(target, ModuleType):
            values = [v for v in vars(target).values() if inspect.isclass(v)]
            yield from filter(self._is_kind, (v for v in values if v.__module__ == target.__name__))
        elif self._is_kind(target):
            yield target

    def _is_kind(self, value: object) -> TypeGuard[type[Kind]]:
        named = isinstance(getattr(value, "name", None), str)
        return named and inspect.isclass(value) and issubclass(value, self.base)


def guarded(load: Callable[[], Loaded], source: str) -> Loaded:
    """What a stranger's file defines; whatever is wrong with it, the error names its source."""
    try:
        return load()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise complain(f"{source} cannot be loaded: {reason}") from error
