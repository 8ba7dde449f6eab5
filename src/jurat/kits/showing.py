"""A draft as an item: what its judges see of it, and nothing that they do not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial

import msgspec

from jurat.faults import Fault, refuse, unknown
from jurat.kits.brief import Brief
from jurat.kits.passages import Draft
from jurat.kits.plan import SOURCE
from jurat.model import Item, Segment, Shown, System, Tags
from jurat.protocols.questions.concepts import Concepts
from jurat.protocols.questions.reading import Reading

REFERENCES = frozenset({"reference", "references"})


class Showing(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """How a group of judges is shown the passages."""

    brief: Brief
    group: str = ""
    reference: str | None = None
    """The only reference that this group sees, or `source`; None: as the protocol has it."""

    def __post_init__(self) -> None:
        refuse(list(self._faults()))

    @cached_property
    def stages(self) -> list[frozenset[str]]:
        """What each stage shows to this group."""
        stages = [frozenset[str](stage.show) for stage in self.brief.protocol.stages]
        if self.reference != SOURCE:
            return stages
        return [(s - REFERENCES) | {SOURCE} if s & REFERENCES else s for s in stages]

    @cached_property
    def shows(self) -> frozenset[str]:
        """What any stage shows."""
        return frozenset[str]().union(*self.stages)

    @cached_property
    def by_name(self) -> Mapping[str, System]:
        """The systems of the test set."""
        return {system.name: system for system in self.brief.test_set.systems}

    def systems(self, systems: Sequence[System]) -> list[str]:
        """The systems that this group can be shown: not the one that its reference is."""
        return [s.name for s in systems if s.reference is None or s.reference != self.reference]

    def check(self, draft: Draft) -> Iterator[Fault]:
        """Complaints that something to be shown beside a draft's translations is missing."""
        segment = draft.passage.segment
        fault = partial(Fault, document=draft.passage.document.id, segment=segment.id)
        for system in draft.systems:
            if system not in segment.translations:
                yield fault(message=f"there is no translation by '{system}'")
        if SOURCE in self.shows and segment.source is None:
            yield fault(message="there is no source, which the judges are to see")
        needed = self.shows & REFERENCES and SOURCE not in self.shows
        if needed and not self._references(segment, draft.systems):
            names = " and ".join(f"'{system}'" for system in draft.systems)
            yield fault(message=f"there is no reference that {names} can be held against")

    def item(self, draft: Draft, *, name: str, seen: Collection[tuple[str, str, str]]) -> Item:
        """The item; `seen` are the document, segment and system of all translations in its kit."""
        passage = draft.passage
        segment, questions = passage.segment, self.brief.protocol.questions.values()
        texts = {s: segment.translations[s].text for s in draft.systems} | draft.damaged
        return Item(
            id=name,
            document=passage.document.id,
            segment=segment.id,
            translations=tuple(Shown(system=s, text=texts[s]) for s in draft.systems),
            source=segment.source if SOURCE in self.shows else None,
            source_language=passage.document.source_language,
            references=self._references(segment, draft.systems),
            concepts=segment.concepts if any(isinstance(q, Concepts) for q in questions) else (),
            comprehension=passage.document.comprehension
            if any(isinstance(q, Reading) for q in questions)
            else (),
            context=tuple(self._context(draft, seen)) if "context" in self.shows else (),
            control=draft.control,
            expected=draft.expected,
            tags=_tags(draft),
        )

    def _references(self, segment: Segment, systems: Sequence[str]) -> dict[str, str]:
        """The references on the screen; never one that is a translation beside it."""
        if not self.shows & REFERENCES:
            return {}
        own = {self.by_name[system].reference for system in systems}
        names = self.brief.test_set.references if self.reference is None else (self.reference,)
        texts = segment.references
        fit = [name for name in names if name not in own and name in texts]
        return {name: texts[name] for name in (fit if "references" in self.shows else fit[:1])}

    def _context(self, draft: Draft, seen: Collection[tuple[str, str, str]]) -> Iterator[str]:
        """The earlier segments, each as a text: what is translated, then the translation.

        A stage that shows context must not give away what is shown only later.
        """
        stages = [stage for stage in self.stages if "context" in stage]
        with_source = all(SOURCE in stage for stage in stages)
        with_reference = all(stage & REFERENCES for stage in stages)
        for segment in draft.passage.earlier:
            lines = []
            if with_source and segment.source is not None:
                lines.append(segment.source)
            elif with_reference:
                lines += [*self._references(segment, draft.systems).values()][:1]
            lines += self._earlier_translation(draft, segment, seen)
            if lines:
                yield "\n".join(lines)

    def _earlier_translation(
        self, draft: Draft, segment: Segment, seen: Collection[tuple[str, str, str]]
    ) -> list[str]:
        """The same system's, unless the judge may be given that segment from another system."""
        key = (draft.passage.document.id, segment.id, draft.systems[0])
        if len(draft.systems) > 1 or (self.brief.apart and key not in seen):
            return []
        made = segment.translations.get(draft.systems[0])
        return [] if made is None else [made.text]

    def _faults(self) -> Iterator[Fault]:
        known = (*self.brief.test_set.references, SOURCE)
        place = f"groups.{self.group}"
        if self.reference is not None and self.reference not in known:
            yield from unknown("reference", self.reference, known, field=place).faults
        protocol = self.brief.protocol
        if self.reference is not None and not any(REFERENCES & {*s.show} for s in protocol.stages):
            message = f"{protocol.name} shows no reference that groups could differ in"
            yield Fault(message=message, field="groups")


def showings(brief: Brief) -> list[Showing]:
    """A showing for each group of the plan, or one for everybody."""
    if not brief.plan.groups:
        return [Showing(brief=brief)]
    return [
        Showing(brief=brief, group=group, reference=reference)
        for group, reference in brief.plan.groups.items()
    ]


def check_shown(showing: Showing, drafts: Sequence[Draft]) -> None:
    """Refuse drafts that cannot be shown, with the first place of each kind of fault."""
    first: dict[str, tuple[Fault, int]] = {}
    for draft in drafts:
        for fault in showing.check(draft):
            known, count = first.get(fault.message, (fault, 0))
            first[fault.message] = (known, count + 1)
    refuse([_counted(fault, count) for fault, count in first.values()])


def _counted(fault: Fault, count: int) -> Fault:
    more = f" (and in {count - 1} more places)" if count > 1 else ""
    return msgspec.structs.replace(fault, message=fault.message + more)


def _tags(draft: Draft) -> Tags:
    """The passage's tags, and those of a translation that is alone on the screen."""
    if draft.damaged:
        return {**draft.passage.tags, "degraded": next(iter(draft.damaged))}
    if len(draft.systems) > 1:
        return draft.passage.tags
    return {**draft.passage.tags, **draft.passage.segment.translations[draft.systems[0]].tags}
