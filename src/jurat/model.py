"""The data types of an evaluation: test sets, systems, items, kits and judges; all immutable."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import BinaryIO, Literal, NamedTuple

import msgspec

from jurat.errors import input_error

# Names and values by which documents, segments, systems, translations and judges are described.
Tags = Mapping[str, str]

Phase = Literal["tutorial", "evaluation"]
# What an item is for: empty where it is to be judged, else the kind of control it is.
Control = Literal["", "repeat", "easy", "degraded", "gold"]

# What a judge does first: all stages of an item, or one stage of the whole kit.
Advance = Literal["item", "kit"]

# The tag of a segment or document with a file that belongs to its source, or is all of it.
MEDIA = "media"

# What joins the names of systems with the same output in the tables, as in WMT's rankings.
JOIN = "+"

# The tag of a translation for which the top score is expected.
EASY: Tags = {"easy": "yes"}


class ReadingQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A multiple-choice question about a document; `answer` counts the options from 1."""

    ask: str
    options: tuple[str, ...]
    answer: int

    def __post_init__(self) -> None:
        # msgspec turns a ValueError into an error of its own, which has the place in the data
        if not 1 <= self.answer <= len(self.options):
            raise ValueError(f"the answer must be an option from 1 to {len(self.options)}")


class Translation(msgspec.Struct, frozen=True):
    """One system's translation of one segment."""

    text: str
    tags: Tags = {}


class Segment(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of a document, usually a sentence, with references and translations by name."""

    id: str
    source: str | None = None
    references: Mapping[str, str] = {}
    translations: Mapping[str, Translation] = {}
    tags: Tags = {}
    concepts: tuple[str, ...] = ()


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """Segments that belong together, in reading order."""

    id: str
    segments: tuple[Segment, ...]
    source_language: str = ""
    tags: Tags = {}
    comprehension: tuple[ReadingQuestion, ...] = ()


class System(msgspec.Struct, frozen=True, kw_only=True):
    """A machine, or a person whose `reference` is judged as if it were a system's output."""

    name: str
    kind: Literal["machine", "human"] = "machine"
    site: str = ""
    reference: str | None = None
    tags: Tags = {}


class TestSet(msgspec.Struct, frozen=True, kw_only=True):
    """Documents with their references and every system's translation of them."""

    __test__ = False  # pytest would take the name for a test class

    name: str = ""
    source_language: str = ""
    target_language: str = ""
    documents: tuple[Document, ...]
    systems: tuple[System, ...]
    references: tuple[str, ...]

    def segments(self) -> Iterator[tuple[Document, Segment]]:
        """All segments with their documents, in order."""
        for document in self.documents:
            for segment in document.segments:
                yield document, segment

    def references_for(self, segment: Segment, system: System) -> Mapping[str, str]:
        """The references that may be shown with a system's output: never its own text."""
        return {n: text for n, text in segment.references.items() if n != system.reference}


Side = Literal["translation", "source"]


class Suggestion(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An error that somebody marked before the judge, who sees it but not by whom."""

    severity: str
    start: int = 0
    end: int = 0
    side: Side = "translation"
    """The text in which it is marked, from `start` to `end` in code points."""
    category: str | None = None
    missing: bool = False
    mark: str = ""
    """The special mark that it is instead of a piece of a text."""
    by: str = ""
    """Who marked it: a judge, a metric or a model."""


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """One translation on the screen; a judge sees its text, never its system."""

    system: str
    text: str
    suggestions: tuple[Suggestion, ...] = ()
    """Errors marked beforehand, for questions that show them."""
    also: tuple[str, ...] = ()
    """Other systems with the same output, to which the judgment counts as well."""

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems whose translation this is, by name."""
        return tuple(sorted((self.system, *self.also)))

    @property
    def name(self) -> str:
        """What the tables call it: the system, or several joined by `+`."""
        return JOIN.join(self.systems)


MediaKind = Literal["video", "audio", "image"]


class Media(msgspec.Struct, frozen=True, kw_only=True):
    """A video, a recording or an image on the screen."""

    key: str
    """The hash of its content, under which it is served: it tells neither file nor system."""
    kind: MediaKind
    text: str = ""
    """What it says or shows, for those who cannot see or hear it."""
    context: bool = False
    """Whether it is shown in every stage, not only where the source is."""


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown for one decision, and what only the server knows about it."""

    id: str
    document: str
    segment: str
    translations: tuple[Shown, ...]
    source: str | None = None
    segments: tuple[str, ...] = ()
    """The segments of a whole document, a line of its texts for each; empty for a segment."""
    source_language: str = ""
    """The document's language; empty where it is that of the test set."""
    references: Mapping[str, str] = {}
    concepts: tuple[str, ...] = ()
    comprehension: tuple[ReadingQuestion, ...] = ()
    context: tuple[str, ...] = ()
    """Earlier segments of the document, as this judge sees them."""
    media: tuple[Media, ...] = ()
    instructions: str = ""
    """What the judge reads above it, whatever the system."""
    # judges must not be able to tell controls from other items
    control: Control = ""
    expected: Mapping[str, object] = {}
    """The right answers of a gold or practice item, by question."""
    because: str = ""
    """Why they are right, for judges who practise."""
    suggested: bool | None = None
    """Whether prepared suggestions are shown; None where there are none for it."""
    tags: Tags = {}

    @property
    def has_source(self) -> bool:
        """Whether there is a source to be shown: a text, or media."""
        return self.source is not None or any(not one.context for one in self.media)


class Judge(msgspec.Struct, frozen=True, kw_only=True):
    """A judge; their tags (native, bilingual, expertise) decide which tasks they are given."""

    id: str
    group: str = ""
    site: str = ""
    tags: Tags = {}


class Kit(msgspec.Struct, frozen=True, kw_only=True):
    """A packet of items that one judge does in one sitting.

    Kits of one block share segments. A kit with a group is only for judges of that group.
    """

    task: str
    phase: Phase
    number: int
    block: str
    group: str = ""
    items: tuple[Item, ...]

    @property
    def systems(self) -> frozenset[str]:
        """The systems whose translations are in the kit."""
        shown = (shown for item in self.items for shown in item.translations)
        return frozenset(system for one in shown for system in one.systems)


class ItemStage(NamedTuple):
    """A step of a kit: an item at a stage, both counted from 0."""

    item: int
    stage: int


class KitSteps(msgspec.Struct, frozen=True):
    """The order of the decisions in a kit: which item at which stage has which position.

    Positions are counted from 1 and never change; items and stages are counted from 0. Nothing
    else computes positions. `advance` says what comes first: all stages of an item, or one stage
    of the whole kit.
    """

    items: int
    stages: int
    advance: Advance

    def __len__(self) -> int:
        return self.items * self.stages

    def __iter__(self) -> Iterator[ItemStage]:
        return (self.step(position) for position in range(1, len(self) + 1))

    def step(self, position: int) -> ItemStage:
        """The item and stage at a position; raises `InputError` if the kit has no such position."""
        if not 1 <= position <= self.items * self.stages:
            message = f"there is no position {position}; this kit has 1 to {len(self)}"
            raise input_error(message, field="position", value=position)
        if self.advance == "item":
            item, stage = divmod(position - 1, self.stages)
        else:
            stage, item = divmod(position - 1, self.items)
        return ItemStage(item, stage)

    def position(self, item: int, stage: int = 0) -> int:
        """The position of an item at a stage; raises `InputError` if the kit has none."""
        if not (0 <= item < self.items and 0 <= stage < self.stages):
            message = f"there is no item {item} with a stage {stage} in this kit"
            raise input_error(message, field="position")
        if self.advance == "item":
            return item * self.stages + stage + 1
        return stage * self.items + item + 1

    def earlier_stages(self, position: int) -> list[int]:
        """The positions at which the same item is decided at earlier stages, in order."""
        item, stage = self.step(position)
        return [self.position(item, earlier) for earlier in range(stage)]

    def steps_ahead(self, position: int) -> int:
        """How many of the steps right after this one may be shown before it is decided.

        Only steps of the same stage may, since a later stage of an item reveals what its earlier
        one hides; they follow each other only where a stage goes through the whole kit.
        """
        if self.stages > 1 and self.advance == "item":
            return 0
        return self.items - self.step(position).item - 1

    def is_changeable(self, position: int, reached: int) -> bool:
        """Whether a decision may still change when the judge has come to the position `reached`.

        It may not once the item's next stage was shown, which reveals what this one hides.
        """
        item, stage = self.step(position)
        return stage + 1 == self.stages or self.position(item, stage + 1) > reached


class File(msgspec.Struct, frozen=True):
    """A file's name and content; only the command line, the library and the web open files."""

    name: str
    data: bytes

    @property
    def size(self) -> int:
        """The number of bytes."""
        return len(self.data)

    def open(self) -> BinaryIO:
        """The content as a stream, which is read without a copy of it."""
        return io.BytesIO(self.data)

    @property
    def ending(self) -> str:
        """The extension of the name, in lower case and without the dot: `csv`; empty if none."""
        stem, dot, ending = self.name.rpartition(".")
        # `.bashrc` has no extension, and neither has `v1.2/notes`
        return ending.lower() if dot and stem and "/" not in ending else ""
