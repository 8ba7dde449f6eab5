"""Accounts: judges, adjudicators, coordinators and guests of a campaign.

Those who can be let in, as columns and back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import (
    Insert,
    Select,
    Update,
    bindparam,
    func,
    insert,
    literal_column,
    select,
    update,
)

from jurat.errors import quoted
from jurat.store.campaigns import Signed, find, log
from jurat.store.database import Conflict, Row, Session
from jurat.store.encoding import from_json, from_time, key_of, new_key, to_json, to_time
from jurat.store.errors import AccountsMade, NoSuchJudge, PinTaken
from jurat.store.records import Account, AccountChange, Login, NewJudge
from jurat.store.schema import judges

_TIMES = ("created", "seen_at", "locked_until")
_SECRET = ("password_hash", "token_hash", "address")

# What is so with everybody who is new.
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
    """The fields of an account or a coordinator, made of its columns; judges need it often."""
    row["id"] = row.pop("key")
    for name in _TIMES:
        row[name] = from_time(row[name])
    row["disabled"] = bool(row["disabled"])
    if "tags" in row:
        row["tags"], row["pending"] = from_json(row["tags"]), bool(row["pending"])
    return row


def given(change: msgspec.Struct) -> dict[str, Any]:
    """What a change says; with a new password the wrong ones are forgotten."""
    said = {n: v for n, v in msgspec.structs.asdict(change).items() if v is not msgspec.UNSET}
    return said | ({"failures": 0, "locked_until": None} if said.get("password_hash") else {})


def told(said: Mapping[str, Any]) -> dict[str, Any]:
    """The same for a log, which learns of secrets only that they changed."""
    return {
        name: "changed" if name in _SECRET else value
        for name, value in said.items()
        if name not in ("failures", "locked_until")
    }


COLUMNS = [column.name for column in judges.c if column.name not in ("id", "campaign_id")]

_SELECT = select(*(judges.c[name] for name in COLUMNS)).where(
    judges.c.campaign_id == bindparam("campaign_id")
)
EVERY = _SELECT.order_by(judges.c.id)
BY_KEY = _SELECT.where(judges.c.key == bindparam("judge"))
BY_PIN = _SELECT.where(judges.c.pin == bindparam("judge"))
BY_TOKEN = _SELECT.where(
    judges.c.token_hash == bindparam("judge"), judges.c.token_hash != literal_column("''")
)
_himself = judges.alias("himself")
# Accounts are never deleted: once counted, a number is for ever.
NUMBER = select(func.count(judges.c.id)).where(
    judges.c.campaign_id == bindparam("campaign_id"),
    judges.c.id
    <= select(_himself.c.id)
    .where(_himself.c.campaign_id == bindparam("campaign_id"), _himself.c.key == bindparam("judge"))
    .scalar_subquery(),
)
ADD: Insert = (
    insert(judges).values({name: bindparam(name) for name in ("campaign_id", *COLUMNS)}).inline()
)
_CHANGED = tuple(AccountChange.__struct_fields__)
# Writes what was read in the same transaction, under a lock.
CHANGE: Update = (
    update(judges)
    .where(judges.c.campaign_id == bindparam("of"), judges.c.key == bindparam("judge"))
    .values({name: bindparam(name) for name in (*_CHANGED, "seen_at", "failures", "locked_until")})
)
HELD = BY_KEY.with_for_update()


def add(
    session: Session, campaign: str, new: Sequence[NewJudge], signed: Signed, once: str = ""
) -> tuple[Account, ...]:
    """Make accounts; none where some were made for the same word `once` before."""
    campaign_id = find(session, campaign)
    made = tuple(
        Account(id=key, created=signed.now, **NEW, **msgspec.structs.asdict(judge))
        for key, judge in zip(_keys(len(new), once), new, strict=True)
    )
    for account in made:
        try:
            session.run(ADD, campaign_id=campaign_id, **columns(account))
        except Conflict as error:
            if once and account is made[0]:
                raise AccountsMade("these accounts have been made already") from error
            message = f"the PIN {quoted(account.pin)} is taken in the campaign {quoted(campaign)}"
            raise PinTaken(message) from error
    log(session, campaign, "add judges", signed, {"pins": [judge.pin for judge in new]})
    return made


def _keys(number: int, once: str) -> list[str]:
    """Of so many accounts: the same keys for the same word, so that only the first are stored."""
    return [key_of(f"{once}\0{n}") if once else new_key() for n in range(number)]


@lru_cache(4096)
def account_of(row: Row) -> Account:
    """An account from its columns; those of judges at work are read all the time."""
    return Account(**fields(dict(zip(COLUMNS, row, strict=True))))


def every(session: Session, campaign: str) -> tuple[Account, ...]:
    """All accounts of a campaign."""
    return tuple(map(account_of, session.all(EVERY, campaign_id=find(session, campaign))))


def by_id(session: Session, campaign: str, judge: str) -> Account:
    """An account by its key."""
    return _held(session, campaign, judge, BY_KEY)[1]


def number(session: Session, campaign: str, judge: str) -> int:
    """The how-manieth account of its campaign."""
    campaign_id, account = _held(session, campaign, judge, BY_KEY)
    row = session.one(NUMBER, campaign_id=campaign_id, judge=account.id)
    assert row is not None
    return int(row[0])


def by_pin(session: Session, campaign: str, pin: str) -> Account | None:
    """An account by its PIN."""
    row = session.one(BY_PIN, campaign_id=find(session, campaign), judge=pin)
    return None if row is None else account_of(row)


def by_token(session: Session, campaign: str, token_hash: str) -> Account | None:
    """An account by the hash of a token."""
    row = session.one(BY_TOKEN, campaign_id=find(session, campaign), judge=token_hash)
    return None if row is None else account_of(row)


def change(
    session: Session,
    campaign: str,
    judge: str,
    change: AccountChange,
    signed: Signed,
) -> Account:
    """Change an account."""
    said = given(change)
    campaign_id, account = _held(session, campaign, judge, HELD)
    changed = _written(session, campaign_id, msgspec.structs.replace(account, **said))
    details = {"pin": account.pin, **told(said)}
    log(session, campaign, "change judge", signed, details)
    return changed


def login_failed(
    session: Session, campaign: str, judge: str, most: int, until: datetime
) -> Account:
    """Count a wrong password."""
    campaign_id, account = _held(session, campaign, judge, HELD)
    return _written(session, campaign_id, account.failed(most, until))


def login_succeeded(session: Session, campaign: str, judge: str, now: datetime) -> Account:
    """Forget the wrong passwords."""
    campaign_id, account = _held(session, campaign, judge, HELD)
    return _written(session, campaign_id, account.succeeded(now))


def _held(
    session: Session, campaign: str, judge: str, statement: Select[tuple[object, ...]]
) -> tuple[int, Account]:
    campaign_id = find(session, campaign)
    row = session.one(statement, campaign_id=campaign_id, judge=judge)
    if row is None:
        raise NoSuchJudge(f"the campaign {quoted(campaign)} has no such judge")
    return campaign_id, account_of(row)


def _written(session: Session, campaign_id: int, account: Account) -> Account:
    row = columns(account)
    values = {name: row[name] for name in (*_CHANGED, "seen_at", "failures", "locked_until")}
    session.run(CHANGE, of=campaign_id, judge=account.id, **values)
    return account
