"""What a process knows of a campaign: read once, and seen anew when a parameter has changed."""

import pytest

from jurat.campaigns import Service
from jurat.campaigns.monitoring.worker import WorkerState
from jurat.campaigns.service_context import AGING, FRESH
from jurat.store import NoSuchCampaign
from jurat.store.campaigns import CampaignVersion
from tests.campaigns.sample_campaigns import NAME, Setting, make_set, plan, task


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
    version = quick.store.version

    def counted(name: str) -> CampaignVersion:
        asked.append(name)
        return version(name)

    monkeypatch.setattr(quick.store, "version", counted)
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


def test_what_was_deleted_elsewhere_is_forgotten(setting: Setting):
    setting.create()
    there = Service(setting.store, clock=setting.watch)
    assert there.campaigns.plan(NAME).name == NAME
    setting.service.campaigns.delete(NAME, author="Ada")
    setting.watch.pass_by(FRESH.total_seconds())
    for _ in range(2):
        with pytest.raises(NoSuchCampaign):
            there.campaigns.plan(NAME)


def test_another_campaign_of_the_same_name_is_not_taken_for_the_deleted_one(quick: Setting):
    judge, *_ = quick.launch()
    there, worker = Service(quick.store, clock=quick.watch), WorkerState(quick.store.address)
    quick.kit(judge)
    assert there.campaigns.protocol(NAME, "rating").name == "da"
    before = worker.tables(NAME)
    assert before.named["judgments"].height
    quick.service.campaigns.delete(NAME, author="Ada")
    quick.watch.pass_by(FRESH.total_seconds())
    quick.create(plan(task("sqm")), set=make_set(documents=1))
    assert there.campaigns.protocol(NAME, "rating").name == "sqm"
    after = worker.tables(NAME)
    assert after.named == {}
    assert after.as_of.version != before.as_of.version
    assert len(worker.definition(NAME).test_set.documents) == 1
