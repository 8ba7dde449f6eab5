"""What a process knows of a campaign: read once, and seen anew when a parameter has changed."""

from jurat.campaigns import Service
from jurat.campaigns.service_context import AGING, FRESH
from tests.campaigns.sample_campaigns import NAME, Setting


def test_every_process_sees_it_soon(setting: Setting):
    setting.create()
    here, there = setting.service, Service(setting.store, clock=setting.watch)
    assert there.campaigns.plan(NAME).guest is False
    here.campaigns.update(NAME, {"guest": True}, author="Ada")
    assert here.campaigns.plan(NAME).guest is True
    setting.watch.pass_by(FRESH.total_seconds() - 0.1)
    assert there.campaigns.plan(NAME).guest is False
    setting.watch.pass_by(0.1)
    assert there.campaigns.plan(NAME).guest is True


def test_one_cheap_look_in_two_seconds(quick: Setting, monkeypatch):
    quick.create()
    quick.service.campaigns.plan(NAME)
    asked: list[str] = []
    edition = quick.store.edition

    def counted(name: str) -> int:
        asked.append(name)
        return edition(name)

    monkeypatch.setattr(quick.store, "edition", counted)
    monkeypatch.setattr(quick.store, "campaign", None)  # which reads more than is needed
    for _ in range(100):
        quick.watch.pass_by(0.1)
        quick.service.campaigns.plan(NAME)
    assert len(asked) == 5
    assert quick.service.campaigns.age(NAME) < AGING
    quick.watch.pass_by(1)
    assert quick.service.campaigns.age(NAME) >= AGING
    quick.service.campaigns.refreshed_plan(NAME)
    assert len(asked) == 6
    assert quick.service.campaigns.age(NAME) < AGING
    quick.watch.pass_by(-3600)  # a clock that was put back
    assert quick.service.campaigns.age(NAME) >= AGING


def test_a_store_in_trouble_keeps_nobody_from_the_plan(quick: Setting):
    quick.create()
    before = quick.service.campaigns.plan(NAME)
    quick.store.close()
    quick.watch.pass_by(10)
    assert quick.service.campaigns.plan(NAME) == before
