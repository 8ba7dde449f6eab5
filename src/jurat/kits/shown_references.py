"""Which references stand beside a translation: never one that tells whose translation it is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import msgspec

from jurat.kits.task_plan import BuildRequest
from jurat.model import Segment

# What a stage shows where it shows references.
REFERENCES = frozenset({"reference", "references"})


class ShownReferences(msgspec.Struct, frozen=True, dict=True):
    """The references that a group of judges is shown; none where no stage shows any."""

    request: BuildRequest
    shows: frozenset[str]
    """What at least one stage shows to the group."""
    only: str | None = None
    """The only reference that the group sees; None: as the protocol has it."""

    @cached_property
    def _judged(self) -> frozenset[str]:
        """The references that are judged as systems."""
        # those of the whole test set: the judge may get them in another task
        own = {system.reference for system in self.request.test_set.systems}
        return frozenset(name for name in own if name is not None)

    @cached_property
    def _of_system(self) -> dict[str, str | None]:
        return {system.name: system.reference for system in self.request.test_set.systems}

    def of(self, segment: Segment, systems: Sequence[str]) -> dict[str, str]:
        """The references on the screen, the same for all systems.

        One that is judged as a system is not shown to anybody who may judge it: shown with all
        translations but its own, it would be recognised by its absence. Where all references are
        judged, and each segment from one system only, a random other one is shown.
        """
        if not self.shows & REFERENCES:
            return {}
        names, texts = self.request.test_set.references, segment.references
        own = {self._of_system[system] for system in systems}
        if self.only is not None:
            # a group does not judge the system that is its reference, except in a control
            fit = [self.only] if self.only in texts.keys() - own else []
        else:
            fit = [name for name in names if name in texts.keys() - self._judged]
        others = [name for name in names if name in texts.keys() - own]
        if not fit and others and self.only is None and self.request.apart:
            # by the translation, so that a repeat has the reference of its original
            fit = [self.request.random("reference", texts, *systems).choice(others)]
        return {name: texts[name] for name in (fit if "references" in self.shows else fit[:1])}

    def why_none(self, segment: Segment, systems: Sequence[str]) -> str:
        """Why no reference can be shown with these systems."""
        if not self.request.apart and self._judged & segment.references.keys():
            return (
                "every reference is judged as a system, so that none can be shown: keep one out"
                " (human_references), or let each group of judges see another one (groups)"
            )
        names = " and ".join(f"'{system}'" for system in systems)
        return f"there is no reference that {names} can be compared with"
