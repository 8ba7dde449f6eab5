"""Deletes what is stored about one judge; an empty account without a name remains."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    bindparam,
    delete,
    false,
    func,
    literal_column,
    null,
    select,
    true,
    update,
)

from jurat.store import accounts
from jurat.store.assignments import free
from jurat.store.campaigns import find, log
from jurat.store.database import Session
from jurat.store.encoding import from_json, to_json
from jurat.store.schema import (
    ONE,
    ZERO,
    adjudications,
    assignments,
    audit,
    decisions,
    dismissals,
    drafts,
    judges,
    messages,
    questionnaires,
)

# What stands in the place of a judge's PIN, and why their kits were returned.
DELETED = "data deleted"

JUDGE = select(judges.c.id).where(
    judges.c.campaign_id == bindparam("campaign_id"), judges.c.key == bindparam("judge")
)
KITS = (
    select(assignments.c.id, assignments.c.kit_id, assignments.c.state)
    .where(assignments.c.judge_id == bindparam("judge_id"))
    .order_by(assignments.c.kit_id)
    .with_for_update()
)
_OWN = select(assignments.c.id).where(assignments.c.judge_id == bindparam("judge_id"))
_TO_JUDGE = select(messages.c.id).where(messages.c.judge_id == bindparam("judge_id"))
# In this order: rows that refer to others go first.
REMOVALS = (
    delete(decisions).where(decisions.c.assignment_id.in_(_OWN)),
    delete(drafts).where(drafts.c.assignment_id.in_(_OWN)),
    delete(questionnaires).where(questionnaires.c.judge_id == bindparam("judge_id")),
    delete(dismissals).where(dismissals.c.judge_id == bindparam("judge_id")),
    delete(dismissals).where(dismissals.c.message_id.in_(_TO_JUDGE)),
    delete(messages).where(messages.c.judge_id == bindparam("judge_id")),
)
# The kits stay as given and returned: otherwise their row numbers could be given again, and
# servers that have read them would take other kits for them.
EMPTY_KITS = (
    update(assignments)
    .where(assignments.c.judge_id == bindparam("of"))
    .values(
        state=literal_column("'returned'"),
        position=ONE,
        shown_at=null(),
        lease_until=null(),
        finished=null(),
        decided_at=null(),
        timed=ZERO,
        timed_seconds=ZERO,
        author=bindparam("why"),
        reason=bindparam("why"),
        changes=assignments.c.changes + ONE,
    )
)
NAMELESS = select(func.count(judges.c.id)).where(
    judges.c.campaign_id == bindparam("campaign_id"), judges.c.pin.like(bindparam("nameless"))
)
_NOTHING: ColumnElement[str] = literal_column("''")
EMPTY_ACCOUNT = (
    update(judges)
    .where(judges.c.id == bindparam("of"))
    .values(
        {
            **dict.fromkeys(
                ("password_hash", "token_hash", "group", "site", "address", "note"), _NOTHING
            ),
            "pin": bindparam("nameless"),
            "tags": literal_column("'{}'"),
            "disabled": true(),
            "pending": false(),
            "seen_at": null(),
            "failures": ZERO,
            "locked_until": null(),
        }
    )
)
ADJUDICATED = (
    update(adjudications)
    .where(
        adjudications.c.campaign_id == bindparam("of"), adjudications.c.author == bindparam("pin")
    )
    .values(author=bindparam("by"))
)
ENTRIES = select(audit.c.id, audit.c.author, audit.c.action, audit.c.details).where(
    audit.c.campaign_id == bindparam("campaign_id")
)
ENTRY = (
    update(audit)
    .where(audit.c.id == bindparam("of"))
    .values(author=bindparam("by"), details=bindparam("told"))
)


def delete_data(
    session: Session, campaign: str, judge: str, *, author: str, now: datetime
) -> dict[str, int]:
    """Delete answers, times, questionnaires, messages and login of a judge, for good.

    Their kits are free for others. What remains is an account that is closed and called
    `deleted-1`, with the kits that it once had, and an entry in the audit log that names nobody.
    Returns how many answers and questionnaires were deleted, and how many kits were returned.
    Raises `NoSuchJudge`.
    """
    campaign_id = find(session, campaign)
    pin = accounts.by_id(session, campaign, judge).pin
    row = session.one(JUDGE, campaign_id=campaign_id, judge=judge)
    assert row is not None
    number = row[0]
    given = session.all(KITS, judge_id=number)
    for _, kit_id, state in given:
        # one that was returned before, or is to be done again, is held no more
        if state in ("open", "done"):
            free(session, kit_id)
    counts = [session.run(statement, judge_id=number) for statement in REMOVALS]
    session.run(EMPTY_KITS, of=number, why=DELETED)
    nameless = _nameless(session, campaign_id)
    session.run(EMPTY_ACCOUNT, of=number, nameless=nameless)
    session.run(ADJUDICATED, of=campaign_id, pin=pin, by=nameless)
    _scrub_log(session, campaign_id, pin, nameless)
    found = {"answers": counts[0], "questionnaires": counts[2], "kits": len(given)}
    log(session, campaign, "delete data", author=author, now=now, details=found)
    return found


def _nameless(session: Session, campaign_id: int) -> str:
    row = session.one(NAMELESS, campaign_id=campaign_id, nameless="deleted-%")
    assert row is not None
    return f"deleted-{int(row[0]) + 1}"


def _scrub_log(session: Session, campaign_id: int, pin: str, nameless: str) -> None:
    """Take the PIN, and whatever was said by or of the judge, from the audit log."""
    for number, author, action, stored in session.all(ENTRIES, campaign_id=campaign_id):
        details = from_json(stored)
        of_judge = isinstance(details, dict) and details.get("pin") == pin
        told: Any = _without(details, pin, nameless)
        # what a judge wrote, and the name or address that was noted for them
        if author == pin or (of_judge and action == "change judge"):
            told = {"pin": nameless}
        if (author, details) != (by := nameless if author == pin else author, told):
            session.run(ENTRY, of=number, by=by, told=to_json(told))


def _without(told: Any, pin: str, nameless: str) -> Any:
    """Plain data with another name in the place of a PIN."""
    if isinstance(told, dict):
        return {key: _without(value, pin, nameless) for key, value in told.items()}
    if isinstance(told, list):
        return [_without(value, pin, nameless) for value in told]
    return nameless if told == pin else told
