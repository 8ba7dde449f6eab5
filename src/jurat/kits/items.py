"""Items: passages of the test set, what is planned of them, and what a group of judges sees.

A passage is a segment with its context, or a document as one text. A `PlannedItem` adds the systems
to be shown; a `GroupView` turns it into an `Item` with what its judges see and nothing else.

What is shown with a translation (how many references, what kind of context) depends neither on
whose translation it is nor on whether the item is a control.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import pairwise
from math import ceil
from typing import Literal, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from jurat.condition_language import Condition, holds, parse
from jurat.errors import InputError, Problem, raise_problems, unknown_name
from jurat.kits.media import MEDIA_TAGS, MediaName, media_names, shown_media
from jurat.kits.shown_references import REFERENCES, ShownReferences
from jurat.kits.suggestions import (
    TAG,
    as_tag,
    joined_suggestions,
    shown_suggestions,
    suggesting_questions,
)
from jurat.kits.task_plan import SOURCE, BuildRequest
from jurat.model import (
    Control,
    Document,
    Item,
    Media,
    Segment,
    Shown,
    Suggestion,
    System,
    Tags,
    TestSet,
    Translation,
)
from jurat.protocols.questions import replaced
from jurat.protocols.questions.concepts import Concepts
from jurat.protocols.questions.reading import Reading
from jurat.protocols.questions.segments import Segments
from jurat.testset_filter import segment_condition, segment_values

Thing = TypeVar("Thing")

# Earlier segments that a judge is shown where a protocol shows context.
CONTEXT = 3
# The tag of a segment whose right answers are known; its value holds them.
GOLD = "gold"
# The tag of a segment or document with what judges read above it.
INSTRUCTIONS = "instructions"
# Tags that are no facts about what was judged.
NOT_EXPORTED = frozenset({GOLD, INSTRUCTIONS, TAG, *MEDIA_TAGS})


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """A segment of a document, or a whole document as if it were one (its id is empty)."""

    document: Document
    segment: Segment
    earlier: tuple[Segment, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """The ids of document and segment."""
        return self.document.id, self.segment.id

    @property
    def gold(self) -> str | None:
        """The right answers as the test set has them (JSON); None if they are not known."""
        return self.segment.tags.get(GOLD)

    @property
    def tags(self) -> Tags:
        """The tags of the document and of the segment."""
        both = {**self.document.tags, **self.segment.tags}
        # tags are exported with every answer, where right answers, instructions and names of files
        # do not belong
        return {name: value for name, value in both.items() if name not in NOT_EXPORTED}

    @property
    def media(self) -> list[MediaName]:
        """The media of the segment, or of all segments where it is a whole document."""
        segments = (self.segment,) if self.segment.id else self.document.segments
        return list(media_names(self.document, segments))

    @property
    def instructions(self) -> str:
        """What the test set says that judges read above it; the segment's before the document's."""
        own = self.segment.tags.get(INSTRUCTIONS)
        return own or self.document.tags.get(INSTRUCTIONS, "")


Key: TypeAlias = "tuple[str, str]"


class PlannedItem(msgspec.Struct, frozen=True, kw_only=True):
    """An item before it is rendered: a passage, and the systems whose translations are shown."""

    passage: Passage
    systems: tuple[str, ...]
    also: dict[str, tuple[str, ...]] = {}
    """The other systems with the same output, by the system that is shown."""
    control: Control = ""
    degraded_texts: dict[str, str] = {}
    """Texts that are shown instead of systems' translations, in degraded controls."""
    expected: dict[str, object] = {}
    because: str = ""
    suggested: bool | None = None
    """Whether it is shown with suggestions; None where there are none for it."""

    @property
    def credited(self) -> tuple[str, ...]:
        """All systems to which the judgment counts."""
        return (*self.systems, *(name for others in self.also.values() for name in others))

    def earlier_keys(self) -> list[Key]:
        """The ids of document and segment of the context."""
        return [(self.passage.document.id, segment.id) for segment in self.passage.earlier]


class ContextPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What the context of the items of a kit shows: the same for all of them, controls included."""

    translated: bool = False
    """Whether the earlier segments are shown with a translation."""
    systems: Mapping[Key, str] = {}
    """The system from which the judge has a segment, where only one is allowed.

    The translation of any other segment is by the system of the item.
    """


NO_TRANSLATIONS = ContextPlan()


def plan_context(
    request: BuildRequest,
    planned_items: Sequence[PlannedItem],
    *,
    systems: Mapping[Key, str],
    judged: Collection[Key],
) -> ContextPlan:
    """The context of a kit with these items.

    Args:
        request: the task.
        planned_items: all items of the kit, with its controls.
        systems: the system of each segment that judges of the kit get, controls included.
        judged: all segments that are judged in the task, in whichever kit.
    """
    if request.protocol.systems != "one":
        return NO_TRANSLATIONS
    if not request.apart:
        return ContextPlan(translated=True)
    # in a shuffled kit, neighbours come from different systems
    if request.kits.order == "shuffled":
        return NO_TRANSLATIONS
    # A judge may get a segment of another kit from another system, and sees no translation of it
    # before. If that applies to one item, it applies to all: otherwise items that are shown with
    # less context than others, such as controls from another document, could be told by that.
    safe = all(
        _has_safe_context(planned, systems=systems, judged=judged) for planned in planned_items
    )
    return ContextPlan(translated=safe, systems=systems)


def _has_safe_context(
    planned: PlannedItem, *, systems: Mapping[Key, str], judged: Collection[Key]
) -> bool:
    """Whether translations in an item's context show no segment from a second system.

    Args:
        planned: the item.
        systems: the system of each segment that judges of the kit get, controls included.
        judged: all segments that are judged in the task, in whichever kit.
    """
    return all(
        (key in systems or key not in judged)
        and systems.get(key, planned.systems[0]) in segment.translations
        for key, segment in zip(planned.earlier_keys(), planned.passage.earlier, strict=True)
    )


def passages(test_set: TestSet, unit: Literal["segment", "document"]) -> list[Passage]:
    """The passages of a test set, in order: a segment each, or a document each."""
    if unit == "document":
        return [Passage(document=d, segment=joined(d)) for d in test_set.documents]
    return [
        Passage(document=d, segment=segment, earlier=d.segments[max(0, n - CONTEXT) : n])
        for d in test_set.documents
        for n, segment in enumerate(d.segments)
    ]


def joined(document: Document) -> Segment:
    """A document as one segment, a line for each of its own."""
    parts = document.segments
    sources = [part.source for part in parts if part.source is not None]
    return Segment(
        id="",
        # all or none: with gaps, the lines of source and translation would no longer correspond
        source="\n".join(sources) if len(sources) == len(parts) else None,
        references={
            name: "\n".join(part.references[name] for part in parts)
            for name in _shared(part.references for part in parts)
        },
        translations={
            name: _joined([part.translations[name] for part in parts], [p.source for p in parts])
            for name in _shared(part.translations for part in parts)
        },
        tags=document.tags,
        concepts=tuple(concept for part in parts for concept in part.concepts),
    )


def _joined(translations: Sequence[Translation], sources: Sequence[str | None]) -> Translation:
    """One translation, with the tags that all parts have: easy only if every part is."""
    shared = set.intersection(*(set(each.tags.items()) for each in translations))
    tags = {name: value for name, value in sorted(shared) if name != TAG}
    suggested = joined_suggestions(translations, sources)
    if suggested is not None:
        tags[TAG] = as_tag(suggested)
    return Translation("\n".join(each.text for each in translations), tags)


def _shared(names: Iterable[Iterable[str]]) -> list[str]:
    """The names that occur in every list, in the order of the first list."""
    first, *others = [list(each) for each in names]
    return [name for name in first if all(name in other for other in others)]


def even_runs(things: Sequence[Thing], most: int, *, least: int = 1) -> list[Sequence[Thing]]:
    """The things in the fewest runs of at most `most`, all about equally long.

    Runs are longer than `most` where they would otherwise be shorter than `least`.
    """
    # equal lengths rather than full runs and a short rest
    runs = max(1, min(ceil(len(things) / most), len(things) // least))
    cuts = [len(things) * n // runs for n in range(runs + 1)]
    return [things[start:end] for start, end in pairwise(cuts)]


class GroupView(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """What a group of judges is shown of the passages."""

    request: BuildRequest
    group: str = ""
    reference: str | None = None
    """The only reference that this group sees, or `source`; None: as the protocol has it."""

    def __post_init__(self) -> None:
        raise_problems(list(self._problems()))

    @cached_property
    def stages(self) -> list[frozenset[str]]:
        """What each stage shows to this group."""
        stages = [frozenset[str](stage.show) for stage in self.request.protocol.stages]
        if self.reference != SOURCE:
            return stages
        # only stages that show a reference show the source in its place
        return [(s - REFERENCES) | {SOURCE} if s & REFERENCES else s for s in stages]

    @cached_property
    def shows(self) -> frozenset[str]:
        """What at least one stage shows to this group."""
        return frozenset[str]().union(*self.stages)

    @cached_property
    def by_name(self) -> Mapping[str, System]:
        """The systems of the test set by name."""
        return {system.name: system for system in self.request.test_set.systems}

    def systems(self, systems: Sequence[System]) -> list[str]:
        """The systems that this group can judge: not the one whose text is its reference."""
        return [s.name for s in systems if s.reference is None or s.reference != self.reference]

    def check(self, planned: PlannedItem) -> Iterator[Problem]:
        """A problem for each translation, source or reference to be shown that is missing."""
        segment = planned.passage.segment
        problem = partial(Problem, document=planned.passage.document.id, segment=segment.id)
        for system in planned.systems:
            if system not in segment.translations:
                yield problem(message=f"there is no translation by '{system}'")
        in_media = any(not one.context for one in planned.passage.media)
        if SOURCE in self.shows and segment.source is None and not in_media:
            yield problem(message="there is no source, which the judges are to see")
        if any(isinstance(q, Segments) for q in self.request.protocol.questions.values()):
            yield from (problem(message=told) for told in _uneven_lines(planned))
        needed = self.shows & REFERENCES and SOURCE not in self.shows
        if needed and not self.references.of(segment, planned.credited):
            yield problem(message=self.references.why_none(segment, planned.credited))

    def item(
        self, planned: PlannedItem, *, name: str, context: ContextPlan = NO_TRANSLATIONS
    ) -> Item:
        """The item with this id; `context` is that of its kit."""
        passage = planned.passage
        segment, questions = passage.segment, self.request.protocol.questions.values()
        texts = {s: segment.translations[s].text for s in planned.systems} | planned.degraded_texts
        item = Item(
            id=name,
            document=passage.document.id,
            segment=segment.id,
            segments=() if segment.id else tuple(one.id for one in passage.document.segments),
            translations=tuple(
                Shown(system=s, text=texts[s], also=planned.also.get(s, ()))
                for s in planned.systems
            ),
            source=segment.source if SOURCE in self.shows else None,
            source_language=passage.document.source_language,
            references=self.references.of(segment, planned.credited),
            concepts=segment.concepts if any(isinstance(q, Concepts) for q in questions) else (),
            comprehension=passage.document.comprehension
            if any(isinstance(q, Reading) for q in questions)
            else (),
            context=tuple(self._context(planned, context)) if "context" in self.shows else (),
            media=tuple(self._media(passage)),
            instructions=passage.instructions or self._instructions(passage),
            control=planned.control,
            expected=planned.expected,
            because=planned.because,
            suggested=planned.suggested,
            tags=_tags(planned),
        )
        return self._with_suggestions(item, planned) if planned.suggested else item

    def _with_suggestions(self, item: Item, planned: PlannedItem) -> Item:
        """The item with what is suggested of each translation; raises `InputError`."""
        asked = suggesting_questions(self.request.protocol)
        shown = []
        try:
            suggested = shown_suggestions(planned)
            for one in item.translations:
                alone = replace(item, translations=(one,))
                fitting: Sequence[Suggestion] = suggested.get(one.system, ())
                for question in asked:
                    fitting = question.fitting(fitting, alone)
                shown.append(replace(one, suggestions=tuple(fitting)))
        except InputError as error:
            place = {"document": item.document, "segment": item.segment}
            raise InputError(
                problem.changed(**place) for problem in replaced(error, field="suggestions")
            ) from None
        return replace(item, translations=tuple(shown))

    def _media(self, passage: Passage) -> Iterator[Media]:
        """The media of a passage; those of the source only where this group sees the source."""
        names = [one for one in passage.media if one.context or SOURCE in self.shows]
        yield from shown_media(names, self.request.media)

    @cached_property
    def _conditions(self) -> list[tuple[Condition | None, str]]:
        """The conditions of the plan's instructions, with their texts."""
        request = self.request
        # a tutorial has a test set of its own, which need not have all tags
        if request.phase == "evaluation":
            for n, one in enumerate(request.plan.instructions, 1):
                try:
                    _ = segment_condition(request.test_set, one.where) if one.where else None
                except InputError as error:
                    raise InputError(replaced(error, field=f"instructions.{n}.where")) from None
        return [
            (parse(one.where) if one.where else None, one.text) for one in request.plan.instructions
        ]

    def _instructions(self, passage: Passage) -> str:
        values = segment_values(self.request.test_set, passage.document, passage.segment)
        fits = (text for when, text in self._conditions if when is None or holds(when, values))
        return next(fits, "")

    @cached_property
    def references(self) -> ShownReferences:
        """The references that stand beside translations."""
        return ShownReferences(self.request, self.shows, self.reference)

    def _context(self, planned: PlannedItem, context: ContextPlan) -> Iterator[str]:
        """The earlier segments, each as a text: what is translated, then the translation.

        A stage that shows context must not give away what is shown only later.
        """
        stages = [stage for stage in self.stages if "context" in stage]
        with_source = all(SOURCE in stage for stage in stages)
        with_reference = all(stage & REFERENCES for stage in stages)
        for key, segment in zip(planned.earlier_keys(), planned.passage.earlier, strict=True):
            lines = []
            if with_source and segment.source is not None:
                lines.append(segment.source)
            elif with_reference:
                lines += [*self.references.of(segment, planned.credited).values()][:1]
            made = segment.translations.get(context.systems.get(key, planned.systems[0]))
            if context.translated and made is not None:
                lines.append(made.text)
            if lines:
                yield "\n".join(lines)

    def _problems(self) -> Iterator[Problem]:
        known = (*self.request.test_set.references, SOURCE)
        place = f"groups.{self.group}"
        if self.reference is not None and self.reference not in known:
            yield from unknown_name("reference", self.reference, known, field=place).problems
        protocol = self.request.protocol
        if self.reference is not None and not any(REFERENCES & {*s.show} for s in protocol.stages):
            message = f"{protocol.name} shows no reference that groups could differ in"
            yield Problem(message=message, field="groups")


def needs_fitting_context(view: GroupView) -> bool:
    """Whether only some controls can be shown with the context that other items have.

    That is so where context shows the translations that the judge of a kit gets.
    """
    request = view.request
    return request.apart and request.kits.order == "document" and "context" in view.shows


def group_views(request: BuildRequest) -> list[GroupView]:
    """A view for each group of the plan, or one for everybody."""
    if not request.plan.groups:
        return [GroupView(request=request)]
    return [
        GroupView(request=request, group=group, reference=reference)
        for group, reference in request.plan.groups.items()
    ]


def check_shown(view: GroupView, planned_items: Sequence[PlannedItem]) -> None:
    """Raise `InputError` if items cannot be shown: one problem of each kind, with their number."""
    first: dict[str, tuple[Problem, int]] = {}
    for planned in planned_items:
        for problem in view.check(planned):
            known, count = first.get(problem.message, (problem, 0))
            first[problem.message] = (known, count + 1)
    raise_problems([_counted(problem, count) for problem, count in first.values()])


def _counted(problem: Problem, count: int) -> Problem:
    more = f" (and in {count - 1} more places)" if count > 1 else ""
    return problem.changed(message=problem.message + more)


def _uneven_lines(planned: PlannedItem) -> Iterator[str]:
    """Texts of a document that have not a line for each of its segments."""
    segment, count = planned.passage.segment, len(planned.passage.document.segments)
    texts = {"the source": segment.source}
    for system in planned.systems:
        made = segment.translations.get(system)
        texts[f"the translation by '{system}'"] = made.text if made else None
    for name, text in texts.items():
        if text is not None and len(text.split("\n")) != count:
            yield f"{name} has line breaks within segments, which are shown line by line here"


def _tags(planned: PlannedItem) -> Tags:
    """The passage's tags, and those of a translation that is alone on the screen."""
    # which system's copy it is, for the analysis; judges do not see tags
    if planned.degraded_texts:
        return {**planned.passage.tags, "degraded": next(iter(planned.degraded_texts))}
    if len(planned.systems) > 1:
        return planned.passage.tags
    made = [planned.passage.segment.translations[name].tags for name in planned.credited]
    # of several systems with the same output, only what is true of all of them
    own = dict(tag for tag in made[0].items() if all(tag in tags.items() for tags in made))
    return {**planned.passage.tags, **{n: own[n] for n in own if n not in (GOLD, TAG)}}
