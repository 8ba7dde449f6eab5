"""Accounts: made in bulk, printed once, and let in with PIN and password or by a personal link."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import msgspec

from jurat.campaigns import secrets
from jurat.campaigns.auth import FAILURES, LOCK, Closed, Locked, Refused, old_password_wrong, proven
from jurat.campaigns.context import Clock
from jurat.errors import input_error, unknown_name
from jurat.model import Tags
from jurat.store import Account, AccountChange, NewJudge, Store
from jurat.store.records import Role

__all__ = ["FAILURES", "LOCK", "Accounts", "Closed", "Locked", "Refused", "Slip", "slips_csv"]


class Slip(msgspec.Struct, frozen=True, kw_only=True):
    """What is handed to a judge, once: secrets are kept as hashes only."""

    pin: str
    password: str
    token: str
    role: Role = "judge"
    group: str = ""
    site: str = ""


class Accounts:
    """The accounts of a store's campaigns."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def add(
        self,
        campaign: str,
        count: int,
        *,
        author: str,
        role: Role = "judge",
        group: str = "",
        site: str = "",
        tags: Tags | None = None,
        pending: bool = False,
        once: str = "",
        progress: Callable[[Iterable[str]], Iterable[str]] = iter,
    ) -> list[Slip]:
        """New accounts with random PINs and passwords; the slips are the only copy of these.

        Who is `pending` waits for a coordinator to accept him. For the same word `once`, which
        nobody can guess, accounts are made the first time only.
        """
        taken = {account.pin for account in self._store.judges(campaign)}
        pins = secrets.new_pins(count, taken)
        slips = [
            Slip(
                pin=pin,
                password=secrets.new_password(),
                token=secrets.new_token(),
                role=role,
                group=group,
                site=site,
            )
            for pin in pins
        ]
        new = [
            _new(slip, tags or {}, pending=pending)
            for slip, _ in zip(slips, progress(pins), strict=True)
        ]
        self._store.add_judges(campaign, new, author=author, now=self._clock(), once=once)
        return slips

    def log_in(self, campaign: str, pin: str, password: str) -> Account:
        """The account, if PIN and password are right; repeated failures lock it for a while."""
        account = proven(
            self._found(campaign, pin),
            password,
            now=self._clock(),
            failed=partial(self._note_failure, campaign),
            wrong=input_error("this PIN and this password do not belong together"),
        )
        return self._admitted(campaign, account)

    def follow_link(self, campaign: str, token: str) -> Account:
        """The account of a personal link."""
        account = self._store.judge_by_token(campaign, secrets.hash_token(token))
        if account is None:
            raise Refused(input_error("this link is not valid, or no longer").problems)
        return self._admitted(campaign, account)

    def change_password(self, campaign: str, judge: str, old: str, new: str) -> Account:
        """A judge's own change; the old password must be right, and is tried no more often."""
        account = proven(
            self._store.judge(campaign, judge),
            old,
            now=self._clock(),
            failed=partial(self._note_failure, campaign),
            wrong=old_password_wrong(),
        )
        change = AccountChange(password_hash=secrets.hash_password(new))
        return self._change(campaign, account, change, author=account.pin)

    def reset(self, campaign: str, pin: str, *, author: str) -> Slip:
        """A new password and a new link; the old ones no longer work."""
        account = self.by_pin(campaign, pin)
        slip = Slip(
            pin=account.pin,
            password=secrets.new_password(),
            token=secrets.new_token(),
            role=account.role,
            group=account.group,
            site=account.site,
        )
        change = AccountChange(
            password_hash=secrets.hash_password(slip.password),
            token_hash=secrets.hash_token(slip.token),
        )
        self._change(campaign, account, change, author)
        return slip

    def disable(self, campaign: str, pin: str, *, author: str, disabled: bool = True) -> None:
        """Keep a judge out, or let him in again; what he judged stays."""
        self._change(campaign, self.by_pin(campaign, pin), AccountChange(disabled=disabled), author)

    def waiting(self, campaign: str) -> list[Account]:
        """Volunteers who have registered, and wait for a coordinator to accept them."""
        accounts = self._store.judges(campaign)
        return [account for account in accounts if account.pending and not account.disabled]

    def accept(self, campaign: str, pin: str, *, author: str) -> Account:
        """Let somebody judge who has registered; whom nobody wants is disabled instead."""
        account = self.by_pin(campaign, pin)
        if not account.pending:
            return account
        return self._change(campaign, account, AccountChange(pending=False), author)

    def place(
        self,
        campaign: str,
        pin: str,
        *,
        author: str,
        group: str | msgspec.UnsetType = msgspec.UNSET,
        site: str | msgspec.UnsetType = msgspec.UNSET,
        tags: Tags | msgspec.UnsetType = msgspec.UNSET,
    ) -> Account:
        """Give a judge another group, another site or other tags; what is left out stays."""
        change = AccountChange(group=group, site=site, tags=tags)
        return self._change(campaign, self.by_pin(campaign, pin), change, author)

    def by_pin(self, campaign: str, pin: str) -> Account:
        """The account of a PIN, or a fault that suggests one."""
        account = self._found(campaign, pin)
        if account is None:
            raise unknown_name("judge", pin, [one.pin for one in self._store.judges(campaign)])
        return account

    def _found(self, campaign: str, pin: str) -> Account | None:
        """The account of a PIN as people type it; not every sign can be asked of a database."""
        typed = pin.strip().lower()
        return self._store.judge_by_pin(campaign, typed) if typed.isprintable() else None

    def _admitted(self, campaign: str, account: Account) -> Account:
        if account.disabled:
            raise Closed
        return self._store.login_succeeded(campaign, account.id, now=self._clock())

    def _note_failure(self, campaign: str, account: Account) -> None:
        now = self._clock()
        self._store.login_failed(campaign, account.id, most=FAILURES, lock=LOCK, now=now)

    def _change(
        self, campaign: str, account: Account, change: AccountChange, author: str
    ) -> Account:
        now = self._clock()
        return self._store.change_judge(campaign, account.id, change, author=author, now=now)


def _new(slip: Slip, tags: Tags, *, pending: bool) -> NewJudge:
    return NewJudge(
        pin=slip.pin,
        role=slip.role,
        password_hash=secrets.hash_password(slip.password),
        token_hash=secrets.hash_token(slip.token),
        group=slip.group,
        site=slip.site,
        tags=tags,
        pending=pending,
    )


def slips_csv(slips: Sequence[Slip], *, address: str = "") -> bytes:
    """Slips as CSV: the one time that passwords are written down.

    With the campaign's address each has its personal link, too.
    """
    text = io.StringIO()
    names = ["pin", "password", "role", "group", "site", "token", *(["link"] if address else [])]
    writer = csv.DictWriter(text, names, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    for slip in slips:
        link = f"{address}link/{slip.token}"
        writer.writerow({**msgspec.structs.asdict(slip), "link": link})
    return text.getvalue().encode()
