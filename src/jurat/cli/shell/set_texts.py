"""The texts of a test set, as far as they are to be scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jurat.cli.shell.files import read_file
from jurat.cli.shell.places import Place
from jurat.faults import Fault, refuse
from jurat.model import TestSet


@dataclass(frozen=True)
class SetTexts:
    """A test set line by line: a text for each segment."""

    test_set: TestSet
    label: str

    @property
    def systems(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(system.name for system in self.test_set.systems)

    def translations(self) -> list[list[str]]:
        """The texts of every system."""
        return [
            [segment.translations[name].text for _, segment in self.test_set.segments()]
            for name in self.systems
        ]

    def references(self) -> dict[str, list[str]]:
        """The texts of every reference by name."""
        return {
            name: [segment.references[name] for _, segment in self.test_set.segments()]
            for name in self.test_set.references
        }

    def documents(self) -> list[str]:
        """The document of every segment."""
        return [document.id for document, _ in self.test_set.segments()]

    def segments(self) -> list[str]:
        """The id of every segment."""
        return [segment.id for _, segment in self.test_set.segments()]

    def own(self) -> dict[str, str]:
        """Systems that are a person's, whose reference entered beside the machines."""
        return {s.name: s.reference for s in self.test_set.systems if s.reference}


def read_set(systems: Sequence[Place], references: Sequence[Place]) -> SetTexts | None:
    """The test set among what was named; references in other files join it by their ids."""
    from jurat.formats import Role, SetFile, read_test_set

    given = [(at, Role("system", at.name) if at.name else None) for at in systems if at.is_set]
    if not given:
        return None
    given += [(at, Role("reference", at.name)) for at in references if at.is_set]
    files = [(read_file(at.path), role) for at, role in given]
    test_set = read_test_set([SetFile(file.name, file.data, role) for file, role in files])
    return SetTexts(test_set, files[0][0].name)


def held_references(at: Place) -> dict[str, list[str]]:
    """The references that a file holds, in its own order."""
    from jurat.formats import Role, SetFile, recognise
    from jurat.formats.rows import Entry, in_role
    from jurat.formats.text import clean, tidy

    file = read_file(at.path)
    whole = clean(SetFile(file.name, file.data, Role("reference", at.name)))
    rows = in_role(list(recognise(whole)().read(whole)), whole)
    refuse([row for row in rows if isinstance(row, Fault)])
    found: dict[str, list[str]] = {}
    for row in rows:
        if isinstance(row, Entry) and row.kind == "reference":
            found.setdefault(row.name, []).append(tidy(row.text))
    return found
