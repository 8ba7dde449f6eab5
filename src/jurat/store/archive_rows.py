"""The rows of an archive: what each may contain, and how they must fit together.

An archive may come from anywhere. One that passes can be stored, and judging can continue.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
from sqlalchemy import Boolean, Column, Double, Integer, LargeBinary

from jurat.model import Advance, Item, Phase, TestSet
from jurat.store.account_records import Role
from jurat.store.media import CHUNK_BYTES
from jurat.store.records import AssignmentState, Flag, PhaseState, Status
from jurat.store.schema import TIME, Bytes, Json, metadata

# Up to where every JSON reader keeps integers exact.
Id = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
Whole = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
Positive = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
Number = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
# Microseconds since 1970, of the years 1 to 9999, as `datetime` allows.
Moment = Annotated[int, msgspec.Meta(ge=-62_135_596_800_000_000, le=253_402_300_799_999_999)]
# PostgreSQL cannot store a NUL character.
Line = Annotated[str, msgspec.Meta(max_length=100_000, pattern=r"^[^\x00]*$")]
Key = Annotated[str, msgspec.Meta(min_length=8, max_length=100, pattern=r"^[A-Za-z0-9_-]+$")]


# Settings are secret, and tokens of the HTTP API belong to one server.
SECRET = ("settings", "api_tokens")
# In the order of the schema, where rows come after those that they refer to.
TABLES = [name for name in metadata.tables if name not in SECRET]
# Columns that are not in archives: row numbers to which nothing refers, and what is computed.
LEFT_OUT = (
    *("decisions.id", "adjudications.id", "audit.id", "site_log.id", "kits.places"),
    *("model_answers.id", "questionnaires.id"),
)

# The types of columns, by name or by table and name, where the database's type says too little.
TYPES: Mapping[str, Any] = {
    "key": Key,
    # As in a declaration: it is part of addresses, and of the names of exported files.
    "campaigns.name": Annotated[str, msgspec.Meta(max_length=200, pattern=r"^[^\W\d_][\w-]*\Z")],
    "phase": Phase,
    "advance": Advance,
    "role": Role,
    "phases.state": PhaseState,
    "assignments.state": AssignmentState,
    "decisions.status": Status,
    "decisions.flag": Flag,
    "campaigns.seed": Number,
    "editions.number": Annotated[int, msgspec.Meta(ge=2, le=2**31 - 1)],
    "stages": Positive,
    "kits.size": Positive,
    "position": Positive,
    "revision": Positive,
    "edition": Positive,
    "kits.systems": list[str],
    # Served as it stands: nothing that a browser would take for a page.
    "media_files.type": Annotated[str, msgspec.Meta(pattern=r"^(video|audio|image)/[a-z0-9]+\Z")],
    "items.content": Item,
    "judges.tags": dict[str, str],
    "answers": dict[str, Any],
    "campaigns.protocols": dict[str, Any],
    "preparations.declaration": dict[str, Any],
}
# Columns that older archives do not have.
DEFAULTS: Mapping[str, object] = {
    "judges.pending": False,
    "judges.address": "",
    "decisions.played_seconds": None,
    "decisions.flag": "",
    "decisions.comment": "",
    "decisions.skipped": False,
    "judges.note": "",
}


def _type_of(column: Column[Any]) -> Any:
    """What a row may have in a column."""
    if column.name == "id" or column.name.endswith("_id"):
        return Id
    if (own := TYPES.get(str(column), TYPES.get(column.name))) is not None:
        return own
    if column.type is TIME:
        return Moment
    for kind, read in (
        (Json, Any),
        (Bytes, bytes),
        (LargeBinary, TestSet),
        (Boolean, bool),
        (Double, float),
        (Integer, Whole),
    ):
        if isinstance(column.type, kind):
            return read
    return Line


def _fields(table: str) -> Iterator[tuple[str, Any] | tuple[str, Any, object]]:
    for column in metadata.tables[table].c:
        if (name := str(column)) not in LEFT_OUT:
            kind = _type_of(column) | None if column.nullable else _type_of(column)
            default = (DEFAULTS[name],) if name in DEFAULTS else ()
            yield (str(column.name), kind, *default)


# The kind of row of each table. Unknown fields are refused: they would silently be lost.
KINDS: dict[str, type[msgspec.Struct]] = {
    table: msgspec.defstruct(table, _fields(table), kw_only=True, forbid_unknown_fields=True)
    for table in TABLES
}


class Misfit(ValueError):
    """A row that contradicts others."""


T = TypeVar("T")


class _Kit(NamedTuple):
    campaign: int
    phase: int
    block: str
    size: int
    steps: int
    wanted: int | None


class _Assignment(NamedTuple):
    campaign: int
    position: int


class _MediaContent:
    """What has been read of a media file, beside what it should be."""

    def __init__(self, size: int, digest: str) -> None:
        self.size, self.digest = size, digest
        self.read = 0
        self.hash = hashlib.sha256()

    def add(self, content: bytes) -> None:
        """Count the next part."""
        self.read += len(content)
        self.hash.update(content)


class ConsistencyCheck:
    """Is given every row once, in the order of the tables, and refuses rows that do not fit."""

    def __init__(self) -> None:
        self.campaigns: dict[int, str] = {}
        self.taken: Counter[int] = Counter()
        """How many judges have each kit, or have finished it."""
        self._phases: dict[int, Any] = {}
        self._kits: dict[int, _Kit] = {}
        self._judges: dict[int, int] = {}
        self._assignments: dict[int, _Assignment] = {}
        self._messages: dict[int, int] = {}
        self._items: Counter[int] = Counter()
        self._campaign_drafts: dict[int, str] = {}
        self._media: dict[int, _MediaContent] = {}
        self._decided: Counter[int] = Counter()

    def see(self, table: str, row: Any) -> None:
        """Check a row of a table against those before it. Raises `Misfit`."""
        match table:
            case "campaigns":
                _put(self.campaigns, row.id, row.name)
            # A row that refers to another one must come after it, as `TABLES` are ordered.
            case "editions" | "audit":
                _get(self.campaigns, row.campaign_id)
            case "phases":
                _get(self.campaigns, row.campaign_id)
                _put(self._phases, row.id, row)
            case "kits":
                self._see_kit(row)
            case "items":
                _require(row.index < _get(self._kits, row.kit_id).size, "an item beyond its kit")
                self._items[row.kit_id] += 1
            case "judges":
                _get(self.campaigns, row.campaign_id)
                _put(self._judges, row.id, row.campaign_id)
            case "assignments":
                self._see_assignment(row)
            case "decisions":
                self._see_decision(row)
            case "drafts":
                _get(self._assignments, row.assignment_id)
            case "adjudications" | "model_answers":
                kit = _get(self._kits, row.kit_id)
                _require(kit.campaign == row.campaign_id, "a kit of another campaign")
                _require(row.index < kit.size, "an item beyond its kit")
            case "messages" | "dismissals" | "questionnaires":
                self._see_personal(table, row)
            case "media_files" | "media_chunks" | "preparations" | "preparation_files":
                self._see_file(table, row)

    def finish(self) -> None:
        """Check what is known only after the last row. Raises `Misfit`."""
        for number, kit in self._kits.items():
            _require(self._items[number] == kit.size, f"kit {number} lacks items")
            wanted = kit.wanted is None or self.taken[number] <= kit.wanted
            _require(wanted, f"kit {number} has more judges than are wanted")
        for number, file in self._media.items():
            whole = (file.size, file.digest) == (file.read, file.hash.hexdigest())
            _require(whole, f"media file {number} lacks a part of its content")
        for number, assignment in self._assignments.items():
            whole = self._decided[number] == assignment.position - 1
            _require(whole, f"assignment {number} lacks decisions")

    def _see_kit(self, row: Any) -> None:
        phase = _get(self._phases, row.phase_id)
        _require(phase.campaign_id == row.campaign_id, "a phase of another campaign")
        steps = row.size * phase.stages
        kit = _Kit(row.campaign_id, row.phase_id, row.block, row.size, steps, row.wanted)
        _put(self._kits, row.id, kit)

    def _see_assignment(self, row: Any) -> None:
        kit = _get(self._kits, row.kit_id)
        campaigns = {row.campaign_id, kit.campaign, _get(self._judges, row.judge_id)}
        _require(len(campaigns) == 1, "a kit or a judge of another campaign")
        same = (row.phase_id, row.block) == (kit.phase, kit.block)
        _require(same, "not the phase and block of its kit")
        # The position after the last step means that the kit is done, and only that.
        over = row.position > kit.steps
        _require(row.position <= kit.steps + 1, "a position beyond its kit")
        _require(row.state != ("open" if over else "done"), f"a {row.state} kit at this position")
        self.taken[row.kit_id] += row.state in ("open", "done")
        _put(self._assignments, row.id, _Assignment(row.campaign_id, row.position))

    def _see_personal(self, table: str, row: Any) -> None:
        if table == "questionnaires":
            own = _get(self._judges, row.judge_id) == row.campaign_id
            _require(own, "a judge of another campaign")
            return
        if table == "dismissals":
            own = _get(self._messages, row.message_id) == _get(self._judges, row.judge_id)
            _require(own, "a message of another campaign")
            return
        _get(self.campaigns, row.campaign_id)
        own = row.judge_id is None or _get(self._judges, row.judge_id) == row.campaign_id
        _require(own, "a judge of another campaign")
        _put(self._messages, row.id, row.campaign_id)

    def _see_file(self, table: str, row: Any) -> None:
        see = self._see_media if table.startswith("media") else self._see_campaign_draft
        see(table, row)

    def _see_media(self, table: str, row: Any) -> None:
        if table == "media_files":
            _get(self.campaigns, row.campaign_id)
            _put(self._media, row.id, _MediaContent(row.size, row.digest))
            return
        file = _get(self._media, row.media_file_id)
        # parts are found by their numbers, so all but the last have to be full
        full = len(row.content) <= CHUNK_BYTES and file.read == row.number * CHUNK_BYTES
        _require(full, "a part of a media file that does not follow the one before it")
        file.add(row.content)

    def _see_campaign_draft(self, table: str, row: Any) -> None:
        if table == "preparations":
            _put(self._campaign_drafts, row.id, row.key)
            return
        _get(self._campaign_drafts, row.preparation_id)
        whole = (len(row.content), hashlib.sha256(row.content).hexdigest())
        _require((row.size, row.digest) == whole, "not the size and digest of its content")

    def _see_decision(self, row: Any) -> None:
        assignment = _get(self._assignments, row.assignment_id)
        _require(row.campaign_id == assignment.campaign, "an assignment of another campaign")
        _require(row.position < assignment.position, "a decision that is not made yet")
        # Later revisions are at positions that have been counted.
        self._decided[row.assignment_id] += row.revision == 1


def _put(known: dict[int, T], number: int, row: T) -> None:
    _require(number not in known, f"a second row {number}")
    known[number] = row


def _get(known: dict[int, T], number: int) -> T:
    if number not in known:
        raise Misfit(f"refers to row {number}, which does not exist")
    return known[number]


def _require(condition: bool, otherwise: str) -> None:
    if not condition:
        raise Misfit(otherwise)
