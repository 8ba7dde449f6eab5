"""Accounts: made in bulk, let in, kept out, changed."""

import csv
import io

import pytest

from jurat.campaigns.accounts import Slip, slips_csv
from jurat.campaigns.auth import FAILURES, LOCK, Refused
from jurat.errors import InputError
from tests.campaigns.sample_campaigns import NAME, Setting

WRONG = "PIN or password is wrong"


@pytest.fixture
def slip(setting: Setting) -> Slip:
    setting.create()
    (slip,) = setting.service.accounts.add(NAME, 1, author="boss")
    return slip


def stored(setting: Setting):
    return str([setting.store.judges(NAME), setting.store.audit_log(NAME)])


def test_accounts_are_made_in_bulk(setting: Setting):
    setting.create()
    slips = setting.service.accounts.add(
        NAME, 5, author="boss", group="g", site="north", tags={"native": "yes"}
    )
    accounts = setting.store.judges(NAME)
    assert [one.pin for one in accounts] == [slip.pin for slip in slips]
    assert len({slip.pin for slip in slips}) == len({slip.password for slip in slips}) == 5
    assert {(a.role, a.group, a.site, a.tags["native"]) for a in accounts} == {
        ("judge", "g", "north", "yes")
    }
    assert all(a.password_hash.startswith("$argon2id$") for a in accounts)
    kept = stored(setting)
    assert not any(slip.password in kept or slip.token in kept for slip in slips)


def test_logging_in(setting: Setting, slip: Slip):
    accounts = setting.service.accounts
    account = accounts.log_in(NAME, f" {slip.pin.upper()} ", slip.password)
    assert account.pin == slip.pin
    assert account.seen_at == setting.watch()


@pytest.mark.parametrize("pin", ["", "nobody", "a\0b", "\ud800", "p" * 5000])
def test_wrong_pin_and_wrong_password_sound_alike(setting: Setting, slip: Slip, pin):
    accounts = setting.service.accounts
    with pytest.raises(Refused) as of_pin:
        accounts.log_in(NAME, pin, slip.password)
    with pytest.raises(Refused) as of_password:
        accounts.log_in(NAME, slip.pin, "wrong")
    assert str(of_pin.value) == str(of_password.value) == WRONG


def test_repeated_failures_lock_for_a_while(setting: Setting, slip: Slip):
    accounts = setting.service.accounts
    for _ in range(FAILURES):
        with pytest.raises(Refused, match=WRONG):
            accounts.log_in(NAME, slip.pin, "wrong")
    with pytest.raises(Refused, match="try again in 15 minutes"):
        accounts.log_in(NAME, slip.pin, slip.password)
    setting.watch.pass_by(LOCK.total_seconds() - 30)
    with pytest.raises(Refused, match="try again in a minute"):
        accounts.log_in(NAME, slip.pin, slip.password)
    setting.watch.pass_by(31)
    assert accounts.log_in(NAME, slip.pin, slip.password).failures == 0
    for _ in range(FAILURES - 1):  # the right password has wiped the slate
        with pytest.raises(Refused, match=WRONG):
            accounts.log_in(NAME, slip.pin, "wrong")
    assert accounts.log_in(NAME, slip.pin, slip.password)


def test_a_reset_makes_the_old_secrets_useless(setting: Setting, slip: Slip):
    accounts = setting.service.accounts
    new = accounts.reset(NAME, slip.pin, author="boss")
    assert new.pin == slip.pin
    with pytest.raises(Refused):
        accounts.log_in(NAME, slip.pin, slip.password)
    with pytest.raises(Refused, match="link"):
        accounts.follow_link(NAME, slip.token)
    assert accounts.log_in(NAME, slip.pin, new.password).pin == slip.pin
    assert accounts.follow_link(NAME, new.token).pin == slip.pin
    assert new.password not in stored(setting)


def test_a_disabled_judge_stays_out(setting: Setting, slip: Slip):
    accounts = setting.service.accounts
    accounts.disable(NAME, slip.pin, author="boss")
    with pytest.raises(Refused, match="account is closed"):
        accounts.log_in(NAME, slip.pin, slip.password)
    with pytest.raises(Refused, match="account is closed"):
        accounts.follow_link(NAME, slip.token)
    with pytest.raises(Refused, match=WRONG):  # who guesses learns nothing
        accounts.log_in(NAME, slip.pin, "wrong")
    accounts.disable(NAME, slip.pin, author="boss", disabled=False)
    assert accounts.log_in(NAME, slip.pin, slip.password)


def test_judges_change_their_password(setting: Setting, slip: Slip):
    accounts = setting.service.accounts
    account = accounts.log_in(NAME, slip.pin, slip.password)
    with pytest.raises(Refused, match="old password"):
        accounts.change_password(NAME, account.id, "wrong", "a better one")
    with pytest.raises(InputError, match="8 characters"):
        accounts.change_password(NAME, account.id, slip.password, "short")
    accounts.change_password(NAME, account.id, slip.password, "a better one")
    with pytest.raises(Refused):
        accounts.log_in(NAME, slip.pin, slip.password)
    assert accounts.log_in(NAME, slip.pin, "a better one")


def test_a_personal_link(setting: Setting, slip: Slip):
    accounts = setting.service.accounts
    assert accounts.follow_link(NAME, slip.token).pin == slip.pin
    for token in ("", "x", slip.token[:-1], "\0", "\ud800"):
        with pytest.raises(Refused, match="not valid"):
            accounts.follow_link(NAME, token)


def test_judges_are_placed(setting: Setting, slip: Slip):
    accounts = setting.service.accounts
    accounts.update(NAME, slip.pin, author="boss", group="g", tags={"native": "no"})
    placed = accounts.update(NAME, slip.pin, author="boss", site="south")
    assert (placed.group, placed.site, placed.tags) == ("g", "south", {"native": "no"})


def test_who_has_registered_is_accepted(setting: Setting, slip: Slip):
    accounts = setting.service.accounts
    (waiting, other) = accounts.add(NAME, 2, author="registration", pending=True)
    assert [one.pin for one in accounts.waiting(NAME)] == [waiting.pin, other.pin]
    assert accounts.log_in(NAME, waiting.pin, waiting.password).pending
    assert not accounts.accept(NAME, waiting.pin.upper(), author="boss").pending
    accounts.disable(NAME, other.pin, author="boss")
    assert accounts.waiting(NAME) == []
    entry = setting.store.audit_log(NAME)[-2]
    assert (entry.author, entry.details) == ("boss", {"pin": waiting.pin, "pending": False})
    before = len(setting.store.audit_log(NAME))
    assert accounts.accept(NAME, slip.pin, author="boss").pin == slip.pin  # who never waited
    assert len(setting.store.audit_log(NAME)) == before


def test_an_unknown_pin_is_said(setting: Setting, slip: Slip):
    near = slip.pin[:-1] + ("2" if slip.pin[-1] != "2" else "3")
    with pytest.raises(InputError, match=f"did you mean '{slip.pin}'"):
        setting.service.accounts.reset(NAME, near, author="boss")
    assert setting.service.accounts.by_pin(NAME, slip.pin.upper()).pin == slip.pin


def test_slips_can_be_read_back():
    slips = [
        Slip(pin="a", password="b", token="c", group='the "best", they say', site="x\ny"),
        Slip(pin="d", password="e", token="f", role="adjudicator"),
    ]
    rows = list(csv.DictReader(io.StringIO(slips_csv(slips).decode(), newline="")))
    assert [Slip(**row) for row in rows] == slips  # type: ignore[arg-type]
