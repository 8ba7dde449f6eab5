"""A campaign is deleted with all that belongs to it, and nothing else."""

import pytest
from sqlalchemy import func, select

from jurat.store import NoSuchCampaign, Store
from jurat.store.schema import metadata
from tests.campaigns.sample_campaigns import NAME, Setting, plan, task


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
    assert after | {"site_log": 0} == before | {"site_log": 0}
    assert [(one.action, one.author) for one in store.site_log()][-1] == ("delete campaign", "Ada")
    with pytest.raises(NoSuchCampaign):
        setting.service.campaigns.plan(NAME)
