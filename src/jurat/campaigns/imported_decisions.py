"""What judges of another tool have done of each kit: their answers as its protocol takes them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from jurat.campaigns.imported_answers import Answer, Answered
from jurat.deserialize import convert
from jurat.errors import InputError
from jurat.formats.imported_protocol import plain
from jurat.formats.span_weights import MQM_QUESTION
from jurat.model import Item, Kit, Suggestion
from jurat.protocols import Protocol
from jurat.protocols.questions import Question, Rating
from jurat.protocols.questions.each import Each
from jurat.protocols.questions.spans import Span, Spans
from jurat.store import Flag
from jurat.store.imported_campaign import PastDecision, PastKit

# Of rows that were given again there, or reset.
VOID = "reset, or judged again, before the campaign was moved"
# How Pearmut calls what is missing, for which Jurat has no category but a mark of its own.
MISSING = "[missing]"
# For how long the kit that a judge has begun is kept for them.
RESERVED = timedelta(days=7)
# What errors are called that have no category, where others have one.
UNSPECIFIED = "unspecified"
# The question of tables that no protocol asks: it follows from marked errors.
FROM_ERRORS = MQM_QUESTION
# What a translation without an answer is stored as.
SKIPPED: Flag = "cannot-judge"


class ScreenAnswer(NamedTuple):
    """What a judge said about everything on a screen, at one time."""

    answers: Sequence[dict[str, Any] | None]
    """For each translation, in order; None where one has no answer."""
    shown_at: datetime | None
    decided_at: datetime
    active_seconds: float | None
    void: bool
    comment: str


def past_kits(
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
            own["category"] = kinds[plain(category_of(mark))]
        same = next((one for one in left if one[0] == _at(convert(own, Span))), None)
        if same:
            left.remove(same)
            own["suggestion"] = same[1]
        if not question.categories and own.pop("category", MISSING) != MISSING:
            lost["categories of errors, which the protocol does not ask for"] += 1
        yield own


def category_of(mark: Mapping[str, Any]) -> str:
    """The category of a marked error; one without is named, where others have categories."""
    return str(mark.get("category") or (MISSING if mark.get("missing") else UNSPECIFIED))


def _at(one: Span | Suggestion) -> tuple[object, ...]:
    """The place of an error, by which it is known whether it was suggested."""
    return (one.mark,) if one.mark else (one.start, one.end, one.missing)
