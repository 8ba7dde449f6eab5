"""Kits come back as they were stored."""

import pytest

from jurat.store import (
    NoSuchCampaign,
    Store,
)
from tests.store.samples import (
    NOW,
    make_campaign,
    make_kit,
)


def test_kits_come_back_as_they_were(store: Store) -> None:
    lesson = make_kit(1, task="adequacy", phase="tutorial", size=12, group="left")
    kits = [lesson, *(make_kit(n) for n in range(1, 13)), make_kit(1, task="preference")]
    store.create(make_campaign(kits=kits), author="boss", now=NOW)
    store.create(make_campaign("other"), author="boss", now=NOW)
    assert list(store.kits("news")) == kits
    assert list(store.kits("news", phase="tutorial")) == [lesson]
    assert list(store.kits("news", task="adequacy")) == kits[:-1]
    assert list(store.kits("news", task="adequacy", phase="evaluation")) == kits[1:-1]
    assert next(store.kits("news", phase="tutorial")) == lesson
    assert not list(store.kits("news", task="nothing"))
    with pytest.raises(NoSuchCampaign):
        list(store.kits("old"))
