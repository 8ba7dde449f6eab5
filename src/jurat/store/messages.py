"""Messages of coordinators to one judge or to all, and who has dismissed them."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

import msgspec
from sqlalchemy import Select, and_, bindparam, or_, select, update

from jurat.store.campaigns import find, log
from jurat.store.database import Row, Session
from jurat.store.encoding import from_time, new_key, to_time
from jurat.store.errors import NoSuchJudge, NoSuchMessage
from jurat.store.schema import columns, dismissals, insert_into, judges, messages


class JudgeMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A coordinator's message to one judge or to all."""

    id: str
    judge: str
    """The PIN of the judge; empty: all judges."""
    text: str
    author: str
    sent_at: datetime
    withdrawn_at: datetime | None = None
    dismissed: tuple[str, ...] = ()
    """The PINs of those who have read it and see it no more."""


_MESSAGES = (
    select(*columns(messages, "id", "key", "text", "author", "sent_at", "withdrawn_at"))
    .add_columns(judges.c.pin)
    .select_from(messages)
    .outerjoin(judges, judges.c.id == messages.c.judge_id)
    .where(messages.c.campaign_id == bindparam("campaign_id"))
    .order_by(messages.c.id)
)
EVERY = _MESSAGES
# To the judge with the row number `reader` or to all, and not yet dismissed by them.
UNREAD = _MESSAGES.where(
    messages.c.withdrawn_at.is_(None),
    or_(messages.c.judge_id.is_(None), messages.c.judge_id == bindparam("reader")),
    ~select(dismissals.c.message_id)
    .where(
        dismissals.c.message_id == messages.c.id,
        dismissals.c.judge_id == bindparam("reader"),
    )
    .exists(),
)
DISMISSED = (
    select(dismissals.c.message_id, judges.c.pin)
    .join(judges, judges.c.id == dismissals.c.judge_id)
    .join(messages, messages.c.id == dismissals.c.message_id)
    .where(messages.c.campaign_id == bindparam("campaign_id"))
    .order_by(dismissals.c.message_id, judges.c.id)
)
READER = select(judges.c.id).where(
    judges.c.campaign_id == bindparam("campaign_id"), judges.c.key == bindparam("judge")
)
# Locked until the transaction ends: a second click finds the message dismissed.
LOCKED_READER = READER.with_for_update()
BY_KEY = select(messages.c.id, messages.c.judge_id).where(
    messages.c.campaign_id == bindparam("campaign_id"), messages.c.key == bindparam("message")
)
SEND = insert_into(messages)
DISMISS = insert_into(dismissals)
WITHDRAW = (
    update(messages)
    .where(and_(messages.c.id == bindparam("number"), messages.c.withdrawn_at.is_(None)))
    .values(withdrawn_at=bindparam("now"))
)


def send(
    session: Session, campaign: str, text: str, *, judge: str = "", author: str, now: datetime
) -> str:
    """Store a message to a judge, by the account's id, or to all judges; the message's id.

    Raises `NoSuchJudge`.
    """
    campaign_id, key = find(session, campaign), new_key()
    session.run(
        SEND,
        campaign_id=campaign_id,
        key=key,
        judge_id=_reader(session, campaign_id, judge) if judge else None,
        text=text,
        author=author,
        sent_at=to_time(now),
        withdrawn_at=None,
    )
    log(session, campaign, "send message", author=author, now=now, details={"message": key})
    return key


def every(session: Session, campaign: str) -> tuple[JudgeMessage, ...]:
    """All messages of a campaign, in order, withdrawn ones too."""
    campaign_id = find(session, campaign)
    seen: defaultdict[int, list[str]] = defaultdict(list)
    for number, pin in session.all(DISMISSED, campaign_id=campaign_id):
        seen[number].append(pin)
    rows = session.all(EVERY, campaign_id=campaign_id)
    return tuple(_message(row, tuple(seen[row[0]])) for row in rows)


def unread(session: Session, campaign: str, judge: str) -> tuple[JudgeMessage, ...]:
    """The messages that a judge has not dismissed, in order. Raises `NoSuchJudge`."""
    campaign_id = find(session, campaign)
    reader = _reader(session, campaign_id, judge)
    return tuple(
        _message(row) for row in session.all(UNREAD, campaign_id=campaign_id, reader=reader)
    )


def dismiss(session: Session, campaign: str, judge: str, message: str, *, now: datetime) -> None:
    """Show a message no more to a judge; one that is dismissed stays so.

    Raises `NoSuchMessage` for one that is not for them.
    """
    campaign_id = find(session, campaign)
    reader = _reader(session, campaign_id, judge, LOCKED_READER)
    number, to = _found(session, campaign_id, message)
    if to not in (None, reader):
        raise NoSuchMessage("this message is for another judge")
    unread_now = session.all(UNREAD, campaign_id=campaign_id, reader=reader)
    if number in {row[0] for row in unread_now}:
        session.run(DISMISS, message_id=number, judge_id=reader, dismissed_at=to_time(now))


def withdraw(session: Session, campaign: str, message: str, *, author: str, now: datetime) -> None:
    """Show a message to nobody any more; it stays in the list. Raises `NoSuchMessage`."""
    number, _ = _found(session, find(session, campaign), message)
    if session.run(WITHDRAW, number=number, now=to_time(now)):
        details = {"message": message}
        log(session, campaign, "withdraw message", author=author, now=now, details=details)


def _message(row: Row, dismissed: tuple[str, ...] = ()) -> JudgeMessage:
    _, key, text, author, sent_at, withdrawn_at, pin = row
    return JudgeMessage(
        id=key,
        judge=pin or "",
        text=text,
        author=author,
        sent_at=from_time(sent_at),
        withdrawn_at=from_time(withdrawn_at),
        dismissed=dismissed,
    )


def _reader(
    session: Session, campaign_id: int, judge: str, statement: Select[tuple[int]] = READER
) -> int:
    row = session.one(statement, campaign_id=campaign_id, judge=judge)
    if row is None:
        raise NoSuchJudge("there is no such account in this campaign")
    number: int = row[0]
    return number


def _found(session: Session, campaign_id: int, message: str) -> tuple[int, int | None]:
    """The row numbers of a message and of the judge it is for; None for all."""
    row = session.one(BY_KEY, campaign_id=campaign_id, message=message)
    if row is None:
        raise NoSuchMessage("there is no such message in this campaign")
    return row[0], row[1]
