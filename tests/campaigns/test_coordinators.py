"""Site coordinators: the first sets the store up, others are added, let in, kept out."""

import pytest

from jurat.campaigns.auth import FAILURES, LOCK, Closed, Locked, Refused
from jurat.campaigns.coordinators import Pass
from jurat.errors import InputError
from tests.campaigns.sample_campaigns import Setting

WRONG = "name or password is wrong"
OWN = "a password of my own"


@pytest.fixture
def ada(setting: Setting) -> Pass:
    return setting.service.coordinators.add("Ada Lovelace", author="boss")


def test_the_first_one_sets_the_store_up(setting: Setting):
    coordinators = setting.service.coordinators
    old, token = coordinators.set_up(), coordinators.set_up()
    assert token
    assert old != token
    assert coordinators.invitation(token).name == ""
    with pytest.raises(Refused, match="link is not valid"):
        coordinators.invitation(str(old))
    with pytest.raises(InputError, match="1 to 100 characters"):
        coordinators.accept_invitation(token, OWN, name="  ")
    with pytest.raises(InputError, match="8 characters"):
        coordinators.accept_invitation(token, "short", name="Ada")
    first = coordinators.accept_invitation(token, OWN, name="  Ada \t Lovelace ")
    assert (first.name, first.seen_at) == ("Ada Lovelace", setting.watch())
    assert coordinators.log_in("ADA lovelace", OWN).id == first.id
    assert coordinators.set_up() is None
    with pytest.raises(Refused, match="link is not valid"):
        coordinators.accept_invitation(token, OWN, name="Eve")
    assert [one.name for one in coordinators.all()] == ["Ada Lovelace"]


def test_others_come_with_a_password_or_by_a_link(setting: Setting, ada: Pass):
    coordinators = setting.service.coordinators
    assert coordinators.log_in(" ada LOVELACE ", ada.password).name == "Ada Lovelace"
    grace = coordinators.add("Grace", author="Ada Lovelace")
    assert coordinators.invitation(grace.token).name == "Grace"
    assert coordinators.accept_invitation(grace.token, OWN).name == "Grace"
    with pytest.raises(Refused, match="link"):  # it was good for one time
        coordinators.accept_invitation(grace.token, OWN)
    with pytest.raises(Refused, match=WRONG):
        coordinators.log_in("Grace", grace.password)
    assert coordinators.log_in("Grace", OWN)
    kept = str([setting.store.coordinators(), setting.store.site_log()])
    assert not any(secret in kept for secret in (ada.password, ada.token, grace.token, OWN))


@pytest.mark.parametrize("name", ["", "nobody", "a\0b", "\ud800", "p" * 5000])
def test_wrong_names_and_wrong_passwords_sound_alike(setting: Setting, ada: Pass, name):
    coordinators = setting.service.coordinators
    with pytest.raises(Refused, match=WRONG):
        coordinators.log_in(name, ada.password)
    with pytest.raises(Refused, match=WRONG):
        coordinators.log_in(ada.name, "wrong")


def test_repeated_failures_lock_for_a_while(setting: Setting, ada: Pass):
    coordinators = setting.service.coordinators
    for _ in range(FAILURES):
        with pytest.raises(Refused, match=WRONG):
            coordinators.log_in(ada.name, "wrong")
    with pytest.raises(Locked, match="try again in 15 minutes"):
        coordinators.log_in(ada.name, ada.password)
    setting.watch.pass_by(LOCK.total_seconds() + 1)
    assert coordinators.log_in(ada.name, ada.password).failures == 0


def test_passwords_are_changed_and_reset(setting: Setting, ada: Pass):
    coordinators = setting.service.coordinators
    found = coordinators.log_in(ada.name, ada.password)
    with pytest.raises(Refused, match="old password"):
        coordinators.change_password(found.id, "wrong", OWN)
    coordinators.change_password(found.id, ada.password, OWN)
    assert coordinators.log_in(ada.name, OWN)
    new = coordinators.reset("ada lovelace", author="boss")
    assert new.name == "Ada Lovelace"
    with pytest.raises(Refused):
        coordinators.log_in(ada.name, OWN)
    with pytest.raises(Refused):
        coordinators.accept_invitation(ada.token, OWN)
    assert coordinators.log_in(ada.name, new.password)


def test_somebody_can_always_come_in(setting: Setting, ada: Pass):
    coordinators = setting.service.coordinators
    with pytest.raises(InputError, match="'Ada Lovelace' is the only coordinator"):
        coordinators.disable(ada.name, author="boss")
    grace = coordinators.add("Grace", author="boss")
    coordinators.disable("ADA LOVELACE", author="boss")
    with pytest.raises(Closed):
        coordinators.log_in(ada.name, ada.password)
    with pytest.raises(Closed):
        coordinators.accept_invitation(ada.token, OWN)
    with pytest.raises(InputError, match="the only coordinator"):
        coordinators.disable(grace.name, author="boss")
    coordinators.disable(ada.name, author="boss", disabled=False)
    assert coordinators.log_in(ada.name, ada.password)


def test_names(quick: Setting):
    coordinators = quick.service.coordinators
    coordinators.add("Ada", author="boss")
    with pytest.raises(InputError, match="a coordinator 'ADA' already"):
        coordinators.add(" ADA", author="boss")
    with pytest.raises(InputError, match="did you mean 'Ada'"):
        coordinators.reset("Adda", author="boss")
    for name in ("", " \t", "x" * 101, "a\0b", "\ud800"):
        with pytest.raises(InputError, match="1 to 100 characters"):
            coordinators.add(name, author="boss")
    told = [(e.author, e.action, e.details) for e in quick.store.site_log()]
    assert told == [("boss", "add coordinator", {"name": "Ada"})]
