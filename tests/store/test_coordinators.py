"""Coordinators of the whole store, and the log of what they did to it."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial

import pytest
from msgspec.structs import replace

from jurat.store import (
    CoordinatorChange,
    CoordinatorExists,
    NewCoordinator,
    NoSuchCoordinator,
    Store,
)
from tests.store.samples import NOW, later

ADA = NewCoordinator(name="Ada", login="ada", password_hash="h", token_hash="t")


def test_the_first_one_begins_with_a_token_that_is_good_once(store: Store) -> None:
    assert store.keep_setup("old")
    assert store.keep_setup("hash")
    assert store.is_setup("hash")
    assert not store.is_setup("old")
    with pytest.raises(NoSuchCoordinator, match="not valid"):
        store.add_first_coordinator(ADA, setup_hash="old", now=NOW)
    made = store.add_first_coordinator(ADA, setup_hash="hash", now=NOW)
    assert store.coordinators() == (made,)
    assert (made.name, made.created, made.seen_at, made.disabled) == ("Ada", NOW, None, False)
    assert not store.is_setup("hash")
    assert not store.keep_setup("again")
    with pytest.raises(NoSuchCoordinator):
        store.add_first_coordinator(
            replace(ADA, name="Eve", login="eve"), setup_hash="again", now=NOW
        )
    (entry,) = store.site_log()
    assert (entry.author, entry.action, entry.details) == (
        "Ada",
        "add coordinator",
        {"name": "Ada"},
    )


def test_of_many_who_follow_the_link_at_once_one_begins(store: Store) -> None:
    store.keep_setup("hash")

    def begin(n: int) -> bool:
        new = NewCoordinator(name=f"c{n}", login=f"c{n}")
        try:
            store.add_first_coordinator(new, setup_hash="hash", now=NOW)
        except NoSuchCoordinator:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(begin, range(16))) == 1
    assert len(store.coordinators()) == 1


def test_coordinators_are_found(store: Store) -> None:
    ada = store.add_coordinator(ADA, author="boss", now=NOW)
    grace = NewCoordinator(name="Grace", login="grace")
    other = store.add_coordinator(grace, author="Ada", now=later(days=1))
    assert store.coordinators() == (ada, other)
    assert store.coordinator(ada.id) == ada
    assert store.coordinator_by_login("ada") == ada
    assert store.coordinator_by_login("Ada") is None
    assert store.coordinator_by_token("t") == ada
    assert store.coordinator_by_token("") is None
    with pytest.raises(NoSuchCoordinator):
        store.coordinator("nobody")


def test_no_two_have_the_same_name(store: Store) -> None:
    store.add_coordinator(ADA, author="boss", now=NOW)
    with pytest.raises(CoordinatorExists, match="a coordinator 'ADA' already"):
        store.add_coordinator(replace(ADA, name="ADA", token_hash=""), author="boss", now=NOW)
    assert len(store.coordinators()) == len(store.site_log()) == 1


def test_coordinators_change_and_the_log_learns_no_secret(store: Store) -> None:
    ada = store.add_coordinator(ADA, author="boss", now=NOW)
    lock = timedelta(minutes=5)
    attempt = partial(store.coordinator_attempted, ada.id, most=2, lock=lock, now=NOW)
    assert [attempt() for _ in range(3)] == [True, True, False]
    change = CoordinatorChange(password_hash="new", token_hash="", disabled=True)
    changed = store.change_coordinator(ada.id, change, author="Grace", now=NOW)
    assert changed == replace(ada, password_hash="new", token_hash="", disabled=True)
    assert store.coordinator(ada.id) == changed
    assert store.site_log()[-1].details == {
        "name": "Ada",
        "password_hash": "changed",
        "token_hash": "changed",
        "disabled": True,
    }
    assert attempt()
    seen = store.coordinator_succeeded(ada.id, now=later(hours=1))
    assert (seen.failures, seen.locked_until, seen.seen_at) == (0, None, later(hours=1))
    assert store.coordinator(ada.id) == seen
    with pytest.raises(NoSuchCoordinator):
        store.change_coordinator("nobody", change, author="Grace", now=NOW)
