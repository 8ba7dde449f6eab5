"""Accounts of a campaign: created in bulk, printed once, used with a password or a link."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Self

import msgspec

from jurat.campaigns import auth
from jurat.campaigns.auth import FAILURES, LOCK, Closed, Refused, verify_login
from jurat.campaigns.service_context import NotOffered, ServiceContext
from jurat.csv_cells import defuse
from jurat.errors import input_error, unknown_name
from jurat.model import Tags
from jurat.store import Account, AccountChange, NewJudge, NoSuchJudge, Store
from jurat.store.account_records import Role


class Slip(msgspec.Struct, frozen=True, kw_only=True):
    """The credentials of a new account, shown once: only hashes of them are stored."""

    pin: str
    password: str
    token: str
    role: Role = "judge"
    group: str = ""
    site: str = ""

    @classmethod
    def new(cls, pin: str, *, role: Role, group: str, site: str) -> Self:
        """A slip with a random password and link."""
        password, token = auth.new_password(), auth.new_token()
        return cls(pin=pin, password=password, token=token, role=role, group=group, site=site)


class Accounts:
    """The accounts of judges and adjudicators, campaign by campaign."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._store = context.store
        self._now = context.now

    def all(self, campaign: str) -> list[Account]:
        """All accounts of a campaign, whatever their role."""
        return list(self._store.judges(campaign))

    def by_id(self, campaign: str, account: str) -> Account | None:
        """The account with an id, as sessions hold it; None where there is none."""
        try:
            return self._store.judge(campaign, account) if account else None
        except NoSuchJudge:
            return None

    def by_pin(self, campaign: str, pin: str) -> Account:
        """The account with a PIN; raises `InputError`."""
        return account_by_pin(self._store, campaign, pin)

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
        """Create accounts with random PINs and passwords; the slips are the only copy of these.

        An account that is `pending` waits for a coordinator to accept it. The random word `once`
        names the request: sent again, it raises `AccountsMade` and creates nothing. `progress`
        wraps the PINs to show how far the slow hashing is.
        """
        # The store refuses a PIN that another process has taken meanwhile.
        taken = {account.pin for account in self._store.judges(campaign)}
        pins = auth.new_pins(count, taken)
        slips = [Slip.new(pin, role=role, group=group, site=site) for pin in pins]
        new = [
            _new(slip, tags or {}, pending=pending)
            for slip, _ in zip(slips, progress(pins), strict=True)
        ]
        self._store.add_judges(campaign, new, author=author, now=self._now(), once=once)
        return slips

    def register(self, campaign: str) -> Slip:
        """An account for a volunteer; raises `NotOffered` where the campaign takes none."""
        how = self._context.plan(campaign).registration
        if not how:
            why = "registration is closed for this campaign; ask the coordinator"
            raise NotOffered(input_error(why).problems)
        (slip,) = self.add(campaign, 1, author="registration", pending=how == "ask")
        return slip

    def log_in(self, campaign: str, pin: str, password: str) -> Account:
        """The account, if PIN and password are right; raises `Refused`."""
        account = verify_login(
            _find(self._store, campaign, pin),
            password,
            now=self._now(),
            attempt=partial(self._count_attempt, campaign),
            wrong=input_error("PIN or password is wrong"),
        )
        return self._admitted(campaign, account)

    def follow_link(self, campaign: str, token: str) -> Account:
        """The account of a personal link; raises `Refused`."""
        account = self._store.judge_by_token(campaign, auth.hash_token(token))
        if account is None:
            raise Refused(input_error("this link is not valid, or no longer valid").problems)
        return self._admitted(campaign, account)

    def log_out(self, campaign: str, judge: str, session: str) -> None:
        """End the session with this id, also for somebody who has copied its cookie."""
        self._store.end_session(campaign, judge, session)

    def change_password(self, campaign: str, judge: str, old: str, new: str) -> Account:
        """Change one's own password, and end the personal link, which others may have seen.

        Raises `Refused`, and counts, where the old password is wrong.
        """
        account = verify_login(
            self._store.judge(campaign, judge),
            old,
            now=self._now(),
            attempt=partial(self._count_attempt, campaign),
            wrong=auth.wrong_old_password(),
        )
        change = AccountChange(password_hash=auth.hash_password(new), token_hash="")
        return self._change(campaign, account, change, author=account.pin)

    def reset(self, campaign: str, pin: str, *, author: str) -> Slip:
        """Give an account a new password and a new link; the old ones no longer work."""
        account = self.by_pin(campaign, pin)
        slip = Slip.new(account.pin, role=account.role, group=account.group, site=account.site)
        change = AccountChange(
            password_hash=auth.hash_password(slip.password),
            token_hash=auth.hash_token(slip.token),
        )
        self._change(campaign, account, change, author)
        return slip

    def disable(self, campaign: str, pin: str, *, author: str, disabled: bool = True) -> None:
        """Close an account, or open it again; its judgments stay."""
        self._change(campaign, self.by_pin(campaign, pin), AccountChange(disabled=disabled), author)

    def delete_data(self, campaign: str, pin: str, *, author: str) -> dict[str, int]:
        """Delete what is stored about a judge, for good; how much of what that was.

        Their kits are given to others; a closed account without a name remains.
        """
        account = self.by_pin(campaign, pin)
        return self._store.delete_judge_data(campaign, account.id, author=author, now=self._now())

    def waiting(self, campaign: str) -> list[Account]:
        """Registered volunteers whom a coordinator has yet to accept."""
        accounts = self._store.judges(campaign)
        return [account for account in accounts if account.pending and not account.disabled]

    def accept(self, campaign: str, pin: str, *, author: str) -> Account:
        """Accept a registered volunteer as a judge; to refuse one, use `disable`."""
        account = self.by_pin(campaign, pin)
        # Two coordinators may press the button.
        if not account.pending:
            return account
        return self._change(campaign, account, AccountChange(pending=False), author)

    def update(
        self,
        campaign: str,
        pin: str,
        *,
        author: str,
        group: str | msgspec.UnsetType = msgspec.UNSET,
        site: str | msgspec.UnsetType = msgspec.UNSET,
        tags: Tags | msgspec.UnsetType = msgspec.UNSET,
        note: str | msgspec.UnsetType = msgspec.UNSET,
    ) -> Account:
        """Change the group, site, tags or note of an account; what is not given stays."""
        change = AccountChange(group=group, site=site, tags=tags, note=note)
        return self._change(campaign, self.by_pin(campaign, pin), change, author)

    def set_address(self, campaign: str, pin: str, address: str, *, author: str) -> None:
        """Set the email address of an account; an empty one removes it. Raises `InputError`."""
        from jurat.campaigns.monitoring.mail import is_address

        if address and not is_address(address):
            message = "this is not an email address"
            raise input_error(message, field="address", value=address, code="no-mail-address")
        change = AccountChange(address=address)
        self._change(campaign, self.by_pin(campaign, pin), change, author)

    def _admitted(self, campaign: str, account: Account) -> Account:
        # Only after the password was right: nobody else learns that the account exists.
        if account.disabled:
            raise Closed
        return self._store.login_succeeded(campaign, account.id, now=self._now())

    def _count_attempt(self, campaign: str, account: Account) -> bool:
        now = self._now()
        return self._store.login_attempted(campaign, account.id, most=FAILURES, lock=LOCK, now=now)

    def _change(
        self, campaign: str, account: Account, change: AccountChange, author: str
    ) -> Account:
        now = self._now()
        return self._store.change_judge(campaign, account.id, change, author=author, now=now)


def account_by_pin(store: Store, campaign: str, pin: str) -> Account:
    """The account with a PIN as people type it; raises `InputError` that suggests a similar one."""
    account = _find(store, campaign, pin)
    if account is None:
        raise unknown_name("judge", pin, [one.pin for one in store.judges(campaign)])
    return account


def _find(store: Store, campaign: str, pin: str) -> Account | None:
    typed = pin.strip().lower()
    # PostgreSQL refuses text with a NUL; no PIN has unprintable characters
    return store.judge_by_pin(campaign, typed) if typed.isprintable() else None


def _new(slip: Slip, tags: Tags, *, pending: bool) -> NewJudge:
    return NewJudge(
        pin=slip.pin,
        role=slip.role,
        password_hash=auth.hash_password(slip.password),
        token_hash=auth.hash_token(slip.token),
        group=slip.group,
        site=slip.site,
        tags=tags,
        pending=pending,
    )


def slips_csv(slips: Sequence[Slip], *, address: str = "") -> bytes:
    """Slips as a CSV file; with the campaign's `address` also with personal links."""
    text = io.StringIO()
    names = ["pin", "password", "role", "group", "site", "token", *(["link"] if address else [])]
    writer = csv.DictWriter(text, names, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    for slip in slips:
        link = f"{address}link/{slip.token}"
        cells = {**msgspec.structs.asdict(slip), "link": link}
        writer.writerow({name: defuse(cell) for name, cell in cells.items()})
    return text.getvalue().encode()
