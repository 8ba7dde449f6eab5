"""A campaign is deleted with all that belongs to it, and nothing else."""

import pytest
from sqlalchemy import func, select

from jurat.store import NoSuchCampaign, Store
from jurat.store.schema import metadata
from tests.campaigns.sample_campaigns import NAME, Setting, make_set, plan, task


def counts(store: Store) -> dict[str, int]:
    def count(session):
        tables = metadata.sorted_tables
        return {t.name: session.one(select(func.count()).select_from(t))[0] for t in tables}

    return store._database.read(count)


def test_everything_of_it_goes_and_nothing_else(store: Store):
    setting = Setting(store)
    setting.create(plan(task("da")) | {"name": "other"})
    before = counts(store)
    setting.create(plan(task("da")))
    judge = setting.judges(3)[0]
    setting.start()
    setting.kit(judge.id)
    assert counts(store)["decisions"] > before["decisions"]
    setting.service.campaigns.delete(NAME, author="Ada")
    after = counts(store)
    own = {"site_log": 0, "settings": 0}
    assert after | own == before | own
    assert [(one.action, one.author) for one in store.site_log()][-1] == ("delete campaign", "Ada")
    with pytest.raises(NoSuchCampaign):
        setting.service.campaigns.plan(NAME)


def test_a_campaign_made_afterwards_shows_its_own_texts(store: Store):
    """Kits are in memory by their ids, which databases may give again."""
    setting = Setting(store)
    judge, *_ = setting.launch()
    before = setting.next(judge).translations
    setting.service.campaigns.delete(NAME, author="Ada")
    setting.watch.pass_by(1)
    judge, *_ = setting.launch(set=make_set(kind="book"))
    assert setting.next(judge).translations != before
