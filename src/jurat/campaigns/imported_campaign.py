"""A campaign that was running in another tool: its kits, judges and what they have judged.

Every document is a kit (with one translation on the screen, every system's), in the order in which
judges had the documents, so that they go on after the last one that they have judged.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace as replaced
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec.structs import replace

from jurat.campaigns.accounts import Slip
from jurat.campaigns.auth import hash_password, hash_token, new_pins
from jurat.campaigns.config import read_plan
from jurat.campaigns.create import CampaignDefinition, definition_of, written
from jurat.deserialize import convert
from jurat.errors import InputError
from jurat.formats import ImportedCampaign
from jurat.formats.appraise_layouts import DOCUMENT_QUESTION
from jurat.formats.imported_protocol import (
    marking_questions,
    plain,
    protocol_file,
    question_name,
    unweighted,
    with_kinds_of_errors,
)
from jurat.formats.long_rows import ITEM_PARTS
from jurat.formats.span_weights import MQM_QUESTION
from jurat.model import File, Item, Kit, Suggestion
from jurat.protocols import Protocol, load, read
from jurat.protocols.questions import Question, Rating
from jurat.protocols.questions.each import Each
from jurat.protocols.questions.spans import Span, Spans
from jurat.store import Flag, NewCampaign, NewJudge
from jurat.store.imported_campaign import PastDecision, PastKit
from jurat.testsets.base import tidy_offset
from jurat.yamlfile import dump

if TYPE_CHECKING:
    import polars as pl

TEST_SET = "testset.jsonl"
# A name of another tool that can be a PIN: it is part of addresses, and typed in lower case.
AS_PIN = re.compile(r"[a-z0-9][a-z0-9_.-]{0,59}")
# Of rows that were given again there, or reset.
VOID = "reset, or judged again, before the campaign was moved"
# How Pearmut calls what is missing, for which Jurat has no category but a mark of its own.
MISSING = "[missing]"
# For how long the kit that a judge has begun is kept for them.
RESERVED = timedelta(days=7)
# What errors are called that have no category, where others have one.
UNSPECIFIED = "unspecified"
# Questions of tables that no protocol asks: what follows from errors, and Appraise's documents.
FROM_ERRORS, WHOLE_DOCUMENT = MQM_QUESTION, DOCUMENT_QUESTION
# What a translation without an answer is stored as.
SKIPPED: Flag = "cannot-judge"

Answered = tuple[str, str, str, str]
"""Judge, document, segment and system."""


class Answer(NamedTuple):
    """What a judge said about a translation, at one time."""

    position: int
    answers: dict[str, Any]
    shown_at: datetime | None
    decided_at: datetime
    active_seconds: float | None
    void: bool
    comment: str


class ScreenAnswer(NamedTuple):
    """What a judge said about everything on a screen, at one time."""

    answers: Sequence[dict[str, Any] | None]
    """For each translation, in order; None where one has no answer."""
    shown_at: datetime | None
    decided_at: datetime
    active_seconds: float | None
    void: bool
    comment: str


class MovedCampaign(msgspec.Struct, frozen=True, kw_only=True):
    """All that the store needs, and what the coordinator is told."""

    new: NewCampaign
    judges: tuple[NewJudge, ...]
    slips: Mapping[str, Slip]
    """By the user's name in the other tool."""
    past: tuple[PastKit, ...]
    notes: tuple[str, ...]


def move(
    found: ImportedCampaign, tables: Mapping[str, pl.DataFrame], *, now: datetime
) -> MovedCampaign:
    """The campaign of another tool, with the judgments in its tables; raises `InputError`."""
    lost: Counter[str] = Counter()
    empty = "translations that nobody was to judge, which are empty in the test set and in no kit"
    lost[empty] = len(found.absent)
    found = _with_kinds_of_errors(found, tables.get("spans"))
    judged = _judged(tables, lost, now)
    # those who have so far done the tutorial alone go on, too
    told = tables["judgments"]["judge"].drop_nulls()
    users = list(dict.fromkeys((*found.users, *(key[0] for key in judged), *told)))
    groups = _groups(found)
    declared = read_plan(File("campaign.yaml", dump(_declaration(found, own=groups)).encode()))
    definition = definition_of(declared, lambda name: _file(found, name))
    kits = _kits(definition, found, groups)
    slips = _slips(users, groups)
    pins = {user: slip.pin for user, slip in slips.items()}
    (protocol,) = definition.protocols.values()
    past = tuple(_past(kits, judged, pins, protocol, lost=lost, now=now))
    return MovedCampaign(
        new=definition.new_campaign(kits, declared.declaration.content),
        judges=tuple(_judge(user, slip) for user, slip in slips.items()),
        slips=slips,
        past=past,
        notes=(*found.notes, *unweighted(protocol), *_counted(lost)),
    )


def _counted(lost: Mapping[str, int]) -> Iterator[str]:
    return (f"{what}: {count:,}" for what, count in lost.items() if count)


def campaign_protocol(found: ImportedCampaign) -> Protocol:
    """The protocol: that of its file, or else one of Jurat's."""
    own = found.protocol_file
    return read(own.data, file=own.name) if own else load(found.protocol)


def _with_kinds_of_errors(found: ImportedCampaign, spans: pl.DataFrame | None) -> ImportedCampaign:
    """The campaign with a protocol that has the severities and categories of all marked errors."""
    if spans is None:
        return found
    own = campaign_protocol(found)
    special = {mark.value for one in marking_questions(own) for mark in one.marks}
    names = ("severity", "category", "missing")
    rows = spans.select(pick for pick in names if pick in spans.columns)
    told = rows.unique(maintain_order=True).rows(named=True)
    severities = [row["severity"] for row in told if row["severity"]]
    categories = [name for name in map(_category, told) if name not in special]
    made = with_kinds_of_errors(own, severities, categories)
    return found if made == own else replaced(found, protocol_file=protocol_file(made).file)


def _file(found: ImportedCampaign, name: str) -> File:
    """A file that the declaration names: the protocol, or else the test set."""
    own = found.protocol_file
    return own if own and own.name == name else File(name, written(found.test_set))


def _groups(found: ImportedCampaign) -> list[str]:
    """The users who have documents of their own; none where all have the same in the same order."""
    return list(found.documents_of) if len({*found.documents_of.values()}) > 1 else []


def _declaration(found: ImportedCampaign, *, own: Sequence[str]) -> dict[str, Any]:
    lists = found.documents_of.values()
    most = max(map(len, lists)) if lists else len(found.test_set.documents)
    alone = campaign_protocol(found).systems == "one"
    task: dict[str, Any] = {
        "name": found.protocol,
        "protocol": found.declared_protocol,
        "wanted": 1 if own else max(found.wanted, 1),
        "kits": {"documents": 1, **({"systems": 1} if alone else {})},
        "one_system_per_segment": False,
        "required": {"evaluation": most * (len(found.test_set.systems) if alone else 1)},
    }
    return {**found.declaration(TEST_SET), "skip": True, "tasks": [task]}


def _kits(
    definition: CampaignDefinition, found: ImportedCampaign, groups: Sequence[str]
) -> list[Kit]:
    """The kits in the order of the documents; a user with documents of their own is a group."""
    systems = [one.name for one in found.test_set.systems]
    built: defaultdict[str, list[Kit]] = defaultdict(list)
    for kit in definition.build():
        # what nobody was to judge is judged here by nobody either
        if present := tuple(_present(kit.items, found.absent)):
            built[present[0].document].append(replace(kit, items=present))
    everybody = next(iter(found.documents_of.values()), ())
    shared = everybody or tuple(document.id for document in found.test_set.documents)
    lists = {user: found.documents_of[user] for user in groups} or {"": shared}
    in_order = [
        replace(kit, group=user)
        for user, documents in lists.items()
        for document in documents
        for kit in sorted(built[document], key=lambda kit: systems.index(_first_system(kit)))
    ]
    return [replace(kit, number=number) for number, kit in enumerate(in_order, 1)]


def _present(items: Sequence[Item], absent: Collection[tuple[str, str, str]]) -> Iterator[Item]:
    """The items with those translations that somebody was to judge.

    Where one of several is left, there is nothing to compare.
    """
    for item in items:
        shown = item.translations
        left = tuple(
            one for one in shown if (item.document, item.segment, one.system) not in absent
        )
        if len(left) == len(shown) or len(left) > 1:
            yield replace(item, translations=left)


def _first_system(kit: Kit) -> str:
    return kit.items[0].translations[0].system


def _slips(users: Sequence[str], groups: Sequence[str]) -> dict[str, Slip]:
    """Credentials for every user; the PIN is their name there, where it can be."""
    own = {user: user.lower() for user in users if AS_PIN.fullmatch(user.lower())}
    single = {user: pin for user, pin in own.items() if [*own.values()].count(pin) == 1}
    others = [user for user in users if user not in single]
    pins = {**single, **dict(zip(others, new_pins(len(others), single.values()), strict=True))}
    return {
        user: Slip.new(pins[user], role="judge", group=user if user in groups else "", site="")
        for user in users
    }


def _judge(user: str, slip: Slip) -> NewJudge:
    return NewJudge(
        pin=slip.pin,
        password_hash=hash_password(slip.password),
        token_hash=hash_token(slip.token),
        group=slip.group,
        note=user if user != slip.pin else "",
    )


def _judged(
    tables: Mapping[str, pl.DataFrame], lost: Counter[str], now: datetime
) -> dict[Answered, list[Answer]]:
    """The answers in the tables, by judge and translation, in the order of their giving."""
    marks = _marks(tables.get("spans"), tables.get("translations"))
    said = _said(tables.get("texts"))
    rows = list(tables["judgments"].sort("position", maintain_order=True).iter_rows(named=True))
    numbers = _numbers(rows)
    found: defaultdict[Answered, list[Answer]] = defaultdict(list)
    times = Counter((key[0], key[-1]) for key in numbers)
    at: Counter[tuple[str, int]] = Counter()
    for row in rows:
        key, line = (row["judge"], *_place(row)), (row["judge"], row["position"])
        # one row of each translation stands for all questions about it
        if (own := numbers.pop((*key, row["position"]), None)) is None:
            continue
        shown, decided = _time(row, at[line], times[line], now)
        at[line] += 1
        if row.get("control") or row.get("phase") == "tutorial":
            lost["answers to attention checks and tutorials"] += 1
            continue
        if own.pop(WHOLE_DOCUMENT, None) is not None:
            lost["scores of whole documents"] += 1
            if not own:
                continue
        active = row.get("active_seconds")
        # what was said of the whole screen is told with its first translation
        words = [*said.pop((*key, row["position"]), ()), *said.pop(line, ())]
        found[key].append(
            Answer(
                row["position"],
                {"numbers": own, "errors": marks.get((*key, row["position"]), [])},
                shown,
                decided,
                None if active is None else active / times[line],
                row.get("status") == "superseded",
                "\n".join(words),
            )
        )
    lost["comments on attention checks, tutorials and what has no score"] += len(said)
    return found


def _numbers(rows: Sequence[Mapping[str, Any]]) -> dict[tuple[Any, ...], dict[str, Any]]:
    """What was answered to each question, by judge, translation and position."""
    found: defaultdict[tuple[Any, ...], dict[str, Any]] = defaultdict(dict)
    for row in rows:
        name = row["question"]
        key = name if name == WHOLE_DOCUMENT else question_name(name)
        found[row["judge"], *_place(row), row["position"]][key] = row["value"]
    return found


def _place(row: Mapping[str, Any]) -> tuple[str, str, str]:
    """Document, segment and system; where files have no documents, every segment is one."""
    document, segment, system = (row.get(name) or "" for name in ITEM_PARTS)
    return (document, segment, system) if document else (segment, "1", system)


def _said(texts: pl.DataFrame | None) -> dict[tuple[Any, ...], list[str]]:
    """What was written about a translation, by judge, translation and position; about a screen.

    What was written about a whole screen is found by judge and position.
    """
    found: defaultdict[tuple[Any, ...], list[str]] = defaultdict(list)
    for row in texts.iter_rows(named=True) if texts is not None else ():
        line = (row["judge"], row["position"])
        whole = row.get("system") is None
        key = line if whole else (row["judge"], *_place(row), row["position"])
        found[key].append(row["text"])
    return found


def _time(
    row: Mapping[str, Any], number: int, count: int, now: datetime
) -> tuple[datetime | None, datetime]:
    """When one of the answers of a screen was given: its time is divided equally among them."""
    shown, decided = row.get("shown_at"), row.get("decided_at")
    if shown is None or decided is None or decided < shown:
        return None, decided or now
    each: timedelta = (decided - shown) / count
    return shown + number * each, shown + (number + 1) * each


def _marks(
    spans: pl.DataFrame | None, translations: pl.DataFrame | None
) -> dict[tuple[Any, ...], list[dict[str, Any]]]:
    """Marked errors by judge, translation and position, with places as in the test set."""
    found: defaultdict[tuple[Any, ...], list[dict[str, Any]]] = defaultdict(list)
    known = translations.iter_rows(named=True) if translations is not None else ()
    texts = {_place(row): row["translation"] for row in known}
    for row in spans.iter_rows(named=True) if spans is not None else ():
        key = (row["judge"], *_place(row), row["position"])
        told = {name: row[name] for name in ("severity", "category", "missing") if row.get(name)}
        text = texts.get(key[1:4])
        places = {name: row[name] for name in ("start", "end")}
        if text is not None:
            places = {name: tidy_offset(text, at) for name, at in places.items()}
        found[key].append({**places, **told})
    return found


def _past(
    kits: Sequence[Kit],
    judged: Mapping[Answered, Sequence[Answer]],
    pins: Mapping[str, str],
    protocol: Protocol,
    *,
    lost: Counter[str],
    now: datetime,
) -> Iterator[PastKit]:
    """What each judge has done of each kit."""
    for user in pins:
        done: list[tuple[Kit, list[Told]]] = []
        for kit in kits:
            screens = [_screens(user, item, judged) for item in kit.items]
            if any(screens) and kit.group in ("", user):
                told: list[Told] = [
                    [(one, _fitting(protocol, item, one.answers, lost)) for one in own]
                    for item, own in zip(kit.items, screens, strict=True)
                ]
                done.append((kit, told))
        latest = max((_last(told) for _, told in done), default=now)
        for kit, told in done:
            # they are in the middle of the kit in which they have judged last
            until = now + RESERVED if _last(told) == latest and not told[-1] else None
            yield _past_kit(kit, pins[user], told, lost, until=until)


def _last(told: Sequence[Told]) -> datetime:
    return max(one.decided_at for own in told for one, _ in own)


def _screens(
    user: str, item: Item, judged: Mapping[Answered, Sequence[Answer]]
) -> list[ScreenAnswer]:
    """What a judge said about the translations of an item, as often as they judged it."""
    names = [shown.system for shown in item.translations]
    by_time: defaultdict[int, dict[str, Answer]] = defaultdict(dict)
    for system in names:
        for one in judged.get((user, item.document, item.segment, system), ()):
            by_time[one.position][system] = one
    return [
        ScreenAnswer(
            [own[system].answers if system in own else None for system in names],
            min((one.shown_at for one in own.values() if one.shown_at), default=None),
            max(one.decided_at for one in own.values()),
            _sum([one.active_seconds for one in own.values()]),
            all(one.void for one in own.values()),
            "\n".join(one.comment for one in own.values() if one.comment),
        )
        for _, own in sorted(by_time.items())
    ]


def _sum(seconds: Sequence[float | None]) -> float | None:
    known = [one for one in seconds if one is not None]
    return sum(known) if known else None


Told = Sequence[tuple[ScreenAnswer, dict[str, Any] | None]]


def _past_kit(
    kit: Kit, pin: str, told: Sequence[Told], lost: Counter[str], *, until: datetime | None
) -> PastKit:
    """What a judge has done of a kit; it stays theirs `until` then if they are within it."""
    every = [one for own in told for one, _ in own]
    void = all(one.void for one in every)
    last = max(one.decided_at for one in every)
    decisions: list[PastDecision] = []
    answered = max(number for number, own in enumerate(told, 1) if own)
    for position, own in enumerate(told[:answered] if until and not void else told, 1):
        if not own:
            lost["segments without an answer, which are skipped"] += 1
            decisions.append(_skipped(position, last))
        for revision, (one, answers) in enumerate(own, 1):
            superseded = revision < len(own)
            decisions.append(_decision(position, revision, one, answers, superseded=superseded))
    reason = VOID if void else ""
    return PastKit(
        task=kit.task,
        phase=kit.phase,
        number=kit.number,
        pin=pin,
        decisions=tuple(decisions),
        void=reason,
        until=None if void else until,
    )


def _skipped(position: int, when: datetime) -> PastDecision:
    return PastDecision(position=position, answers={}, decided_at=when, skipped=True, flag=SKIPPED)


def _decision(
    position: int,
    revision: int,
    one: ScreenAnswer,
    answers: dict[str, Any] | None,
    *,
    superseded: bool,
) -> PastDecision:
    seconds = (one.decided_at - one.shown_at).total_seconds() if one.shown_at else None
    return PastDecision(
        position=position,
        answers=answers or {},
        decided_at=one.decided_at,
        shown_at=one.shown_at,
        seconds=seconds if revision == 1 else None,
        active_seconds=one.active_seconds,
        revision=revision,
        superseded=superseded,
        skipped=answers is None,
        flag=SKIPPED if answers is None else "comment" if one.comment else "",
        comment=one.comment,
    )


def _fitting(
    protocol: Protocol, item: Item, told: Sequence[dict[str, Any] | None], lost: Counter[str]
) -> dict[str, Any] | None:
    """The answers as the protocol takes them; None where it does not allow them."""
    questions = [question for stage in protocol.stages for question in stage.questions]
    _count_unasked(protocol, told, lost)
    made: dict[str, Any] = {}
    try:
        for question in questions:
            if isinstance(question, Each):
                made[question.id] = [
                    {own.id: _answer(own, one, alone, lost) for own in question.questions}
                    for one, alone in zip(told, question.alone(item), strict=True)
                ]
            else:
                made[question.id] = _answer(question, told[0], item, lost)
        protocol.check(made, item, stage=0)
    except (InputError, Unanswered):
        lost["screens without an answer that the protocol allows, which are skipped"] += 1
        return None
    return made


def _count_unasked(
    protocol: Protocol, told: Sequence[dict[str, Any] | None], lost: Counter[str]
) -> None:
    """Count the numbers to which the protocol has no question."""
    rated = [one.id for one in protocol.questions.values() if isinstance(one, Rating)]
    for one in told:
        # what follows from marked errors is computed again
        names = [name for name in (one or {}).get("numbers", {}) if name != FROM_ERRORS]
        if not (len(rated) == 1 == len(names)):
            lost["numbers that the campaign does not ask for"] += len({*names} - {*rated})


class Unanswered(Exception):
    """A translation on the screen has no answer."""


def _answer(question: Question, told: dict[str, Any] | None, item: Item, lost: Counter[str]) -> Any:
    """The answer to a question about one translation; raises `Unanswered`."""
    if told is None:
        raise Unanswered
    if isinstance(question, Spans):
        return list(_fitting_marks(question, told["errors"], item, lost))
    numbers = {name: one for name, one in told["numbers"].items() if name != FROM_ERRORS}
    # one number is the answer to the one question for a number, whatever it is called
    value = numbers.get(question.id, next(iter(numbers.values())) if len(numbers) == 1 else None)
    return int(value) if value is not None and value == int(value) else value


def _fitting_marks(
    question: Spans, marks: Sequence[dict[str, Any]], item: Item, lost: Counter[str]
) -> Iterator[dict[str, Any]]:
    """The marked errors as a question takes them; one that was suggested says so."""
    known = {one.value.lower(): one.value for one in question.severities}
    kinds = {plain(one.value): one.value for one in question.categories}
    special = {one.value for one in question.marks}
    left = [(_at(one), number) for number, one in enumerate(question.shown_suggestions(item), 1)]
    for mark in marks:
        # the protocol has all severities and categories of marked errors, however they are written
        own = {**mark, "severity": known[mark["severity"].lower()]}
        if mark.get("missing") and mark.get("category") in special:
            own = {"severity": own["severity"], "mark": mark["category"]}
        elif kinds:
            own["category"] = kinds[plain(_category(mark))]
        same = next((one for one in left if one[0] == _at(convert(own, Span))), None)
        if same:
            left.remove(same)
            own["suggestion"] = same[1]
        if not question.categories and own.pop("category", MISSING) != MISSING:
            lost["categories of errors, which the protocol does not ask for"] += 1
        yield own


def _category(mark: Mapping[str, Any]) -> str:
    """The category of a marked error; one without is named, where others have categories."""
    return str(mark.get("category") or (MISSING if mark.get("missing") else UNSPECIFIED))


def _at(one: Span | Suggestion) -> tuple[object, ...]:
    """The place of an error, by which it is known whether it was suggested."""
    return (one.mark,) if one.mark else (one.start, one.end, one.missing)


def slips_of(moved: MovedCampaign) -> Iterator[tuple[str, Slip, int]]:
    """The judges with their credentials, and how many kits each has done."""
    done = Counter(kit.pin for kit in moved.past if not kit.void and not kit.until)
    for user, slip in moved.slips.items():
        yield user, slip, done[slip.pin]
