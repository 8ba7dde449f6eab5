"""The accounts of a campaign: its judges, adjudicators, coordinators and guests.

Coordinators of the whole store have the same columns for logging in, which are converted here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import (
    Select,
    Update,
    bindparam,
    func,
    literal_column,
    select,
    update,
)

from jurat.errors import quoted
from jurat.store.account_records import Account, AccountChange, Login, NewJudge
from jurat.store.assignments import LOCK
from jurat.store.campaigns import find, log
from jurat.store.database import Conflict, Row, Session
from jurat.store.encoding import from_json, from_time, key_of, new_key, to_json, to_time
from jurat.store.errors import AccountsMade, NoSuchJudge, PinTaken
from jurat.store.schema import campaigns, insert_into, judges

_TIMES = ("created", "seen_at", "locked_until")
_SECRET = ("password_hash", "token_hash", "address", "note")

# The fields that every new account starts with.
NEW: Mapping[str, Any] = {
    "disabled": False,
    "seen_at": None,
    "failures": 0,
    "locked_until": None,
}


def columns(login: Login) -> dict[str, object]:
    """The columns of an account or a coordinator."""
    row = msgspec.structs.asdict(login)
    for name in _TIMES:
        row[name] = None if row[name] is None else to_time(row[name])
    if "tags" in row:
        row["tags"] = to_json(row["tags"])
    return {"key": row.pop("id"), **row}


def fields(row: dict[str, Any]) -> dict[str, Any]:
    """The fields of an account or a coordinator from its columns; changes `row` in place."""
    row["id"] = row.pop("key")
    for name in _TIMES:
        row[name] = from_time(row[name])
    # SQLite has no Booleans, only 0 and 1.
    row["disabled"] = bool(row["disabled"])
    if "tags" in row:
        row["tags"], row["pending"] = from_json(row["tags"]), bool(row["pending"])
    return row


def changed_fields(change: msgspec.Struct) -> dict[str, Any]:
    """The fields that a change sets; a new password also unlocks the account."""
    values = {n: v for n, v in msgspec.structs.asdict(change).items() if v is not msgspec.UNSET}
    return values | ({"failures": 0, "locked_until": None} if values.get("password_hash") else {})


def log_details(values: Mapping[str, Any]) -> dict[str, Any]:
    """Changed fields for a log, which is told of secrets only that they changed."""
    return {
        name: "changed" if name in _SECRET else value
        for name, value in values.items()
        if name not in ("failures", "locked_until")
    }


COLUMNS = [column.name for column in judges.c if column.name not in ("id", "campaign_id")]

_SELECT = select(*(judges.c[name] for name in COLUMNS)).where(
    judges.c.campaign_id == bindparam("campaign_id")
)
EVERY = _SELECT.order_by(judges.c.id)
BY_KEY = _SELECT.where(judges.c.key == bindparam("judge"))
BY_PIN = _SELECT.where(judges.c.pin == bindparam("judge"))
# Without a token the column is empty, and an empty hash must find nobody. The condition is also
# that of the partial index.
BY_TOKEN = _SELECT.where(
    judges.c.token_hash == bindparam("judge"), judges.c.token_hash != literal_column("''")
)
_own = judges.alias("own")
# Accounts are never deleted, so the number of an account never changes.
NUMBER = select(func.count(judges.c.id)).where(
    judges.c.campaign_id == bindparam("campaign_id"),
    judges.c.id
    <= select(_own.c.id)
    .where(_own.c.campaign_id == bindparam("campaign_id"), _own.c.key == bindparam("judge"))
    .scalar_subquery(),
)
ADD = insert_into(judges)
_CHANGED = (*AccountChange.__struct_fields__, "seen_at", "failures", "locked_until")
CHANGE: Update = (
    update(judges)
    .where(judges.c.campaign_id == bindparam("of"), judges.c.key == bindparam("judge"))
    .values({name: bindparam(name) for name in _CHANGED})
)
# One statement with the campaign's name: nearly every request of a judge begins with it.
OF_CAMPAIGN = (
    select(*(judges.c[name] for name in COLUMNS))
    .join(campaigns, campaigns.c.id == judges.c.campaign_id)
    .where(campaigns.c.name == bindparam("campaign"), judges.c.key == bindparam("judge"))
)
# Locked until the transaction ends: what is written depends on what was read.
LOCKED = BY_KEY.with_for_update()


def add(
    session: Session,
    campaign: str,
    new: Sequence[NewJudge],
    *,
    author: str,
    now: datetime,
    once: str = "",
    check: Callable[[Sequence[Account]], None] | None = None,
) -> tuple[Account, ...]:
    """Make accounts, all of them or none; with the same secret word `once` only the first time.

    `check` is called with the accounts that there are, one call after the other, and may raise an
    error. Raises `PinTaken`, or `AccountsMade` where `once` was used before.
    """
    campaign_id = find(session, campaign)
    if check:
        # or two who come at the same moment would both get the last place
        session.all(LOCK, campaign_id=campaign_id)
        check(every(session, campaign))
    made = tuple(
        Account(id=key, created=now, **NEW, **msgspec.structs.asdict(judge))
        for key, judge in zip(_keys(len(new), once), new, strict=True)
    )
    for account in made:
        try:
            session.run(ADD, campaign_id=campaign_id, **columns(account))
        except Conflict as error:
            # Keys are made from `once`: if the first exists, the same request came before.
            if once and account is made[0]:
                raise AccountsMade("these accounts have been made already") from error
            message = f"the PIN {quoted(account.pin)} is taken in the campaign {quoted(campaign)}"
            raise PinTaken(message) from error
    details = {"pins": [judge.pin for judge in new]}
    log(session, campaign, "add judges", author=author, now=now, details=details)
    return made


def _keys(number: int, once: str) -> list[str]:
    """Keys for so many accounts. The same word gives the same keys, which exist only once."""
    return [key_of(f"{once}\0{n}") if once else new_key() for n in range(number)]


# The accounts of judges at work are read with every decision; the cache is by the whole row, so a
# changed account is another entry.
@lru_cache(4096)
def account_of(row: Row) -> Account:
    """An account from its columns, in the order of `COLUMNS`."""
    return Account(**fields(dict(zip(COLUMNS, row, strict=True))))


def every(session: Session, campaign: str) -> tuple[Account, ...]:
    """All accounts of a campaign, in the order in which they were made."""
    return tuple(map(account_of, session.all(EVERY, campaign_id=find(session, campaign))))


def by_id(session: Session, campaign: str, judge: str) -> Account:
    """An account by its opaque id. Raises `NoSuchJudge`."""
    row = session.one(OF_CAMPAIGN, campaign=campaign, judge=judge)
    return account_of(row) if row else _account(session, campaign, judge, BY_KEY)[1]


def number(session: Session, campaign: str, judge: str) -> int:
    """An account's place among those of its campaign, from 1; the same after a restore."""
    campaign_id, account = _account(session, campaign, judge, BY_KEY)
    row = session.one(NUMBER, campaign_id=campaign_id, judge=account.id)
    assert row is not None
    return int(row[0])


def by_pin(session: Session, campaign: str, pin: str) -> Account | None:
    """An account by its PIN, if there is one."""
    row = session.one(BY_PIN, campaign_id=find(session, campaign), judge=pin)
    return None if row is None else account_of(row)


def by_token(session: Session, campaign: str, token_hash: str) -> Account | None:
    """An account by the hash of its personal link's token, if there is one."""
    row = session.one(BY_TOKEN, campaign_id=find(session, campaign), judge=token_hash)
    return None if row is None else account_of(row)


def change(
    session: Session,
    campaign: str,
    judge: str,
    change: AccountChange,
    *,
    author: str,
    now: datetime,
) -> Account:
    """Change an account, and give it as it is then. Raises `NoSuchJudge`."""
    values = changed_fields(change)
    campaign_id, account = _account(session, campaign, judge, LOCKED)
    changed = _write(session, campaign_id, msgspec.structs.replace(account, **values))
    details = {"pin": account.pin, **log_details(values)}
    log(session, campaign, "change judge", author=author, now=now, details=details)
    return changed


def login_attempted(
    session: Session, campaign: str, judge: str, *, most: int, lock: timedelta, now: datetime
) -> bool:
    """Count an attempt before its password is checked; false where the account is locked.

    Every `most` attempts in a row lock it for the time `lock`, whether they come one after the
    other or all at once.
    """
    campaign_id, account = _account(session, campaign, judge, LOCKED)
    if account.is_locked(lock, now):
        return False
    _write(session, campaign_id, account.attempted(most, now + lock))
    return True


def login_succeeded(session: Session, campaign: str, judge: str, *, now: datetime) -> Account:
    """Reset the count of attempts, and note when the judge was seen."""
    campaign_id, account = _account(session, campaign, judge, LOCKED)
    return _write(session, campaign_id, account.succeeded(now))


def end_session(session: Session, campaign: str, judge: str, ended: str) -> Account:
    """End the session with this id, for whoever has its cookie."""
    campaign_id, account = _account(session, campaign, judge, LOCKED)
    return _write(session, campaign_id, account.without_session(ended))


def _account(
    session: Session, campaign: str, judge: str, statement: Select[tuple[object, ...]]
) -> tuple[int, Account]:
    campaign_id = find(session, campaign)
    row = session.one(statement, campaign_id=campaign_id, judge=judge)
    if row is None:
        raise NoSuchJudge(f"the campaign {quoted(campaign)} has no such judge")
    return campaign_id, account_of(row)


def _write(session: Session, campaign_id: int, account: Account) -> Account:
    row = columns(account)
    values = {name: row[name] for name in _CHANGED}
    session.run(CHANGE, of=campaign_id, judge=account.id, **values)
    return account
