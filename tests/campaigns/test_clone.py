"""A copy of a campaign: the same could be made of it again, and everything changed first."""

import pytest
from msgspec.structs import replace

from jurat import protocols
from jurat.campaigns.clone import free_name
from jurat.campaigns.context import ServiceContext
from jurat.store import NoSuchCampaign
from tests.campaigns.setting import NAME, Setting, head, jsonl, make_set, plan, segment, task


def remade(setting: Setting, campaign: str, **changes: object):
    desk = setting.service.drafts
    made = desk.copy(campaign, author="Ada")
    assert desk.preview(made.id).problems == ()
    desk.set_fields(made.id, changes)
    return desk.create(made.id, author="Ada")


def assert_same(setting: Setting, one: str, other: str) -> None:
    store = setting.store
    assert list(store.kits(other)) == list(store.kits(one))
    assert store.test_set(other) == store.test_set(one)
    assert store.tutorial(other) == store.tutorial(one)
    assert setting.service.campaigns.plan(other).tasks == setting.service.campaigns.plan(one).tasks
    context = ServiceContext(store)
    assert context.definition(other).protocols == context.definition(one).protocols


def test_the_sample_again(setting: Setting):
    setting.sample()
    copy = remade(setting, "sample")
    assert copy.name == "sample-2"
    assert_same(setting, "sample", "sample-2")
    assert setting.store.campaign("sample-2").declaration == {
        **setting.store.campaign("sample").declaration,  # type: ignore[dict-item]
        "name": "sample-2",
    }


def test_all_that_a_test_set_can_have(quick: Setting):
    lines = [
        segment("a", 1, tags={"genre": "news"}, source="zwei\tTabs\nund Zeilen"),
        segment("b", 1, translations={"x": {"text": "t", "tags": {"easy": "yes"}}, "y": "u"}),
    ]
    lines[0]["translations"] = {"x": "v", "y": "w"}
    about = head(["a", "b"], ["x", "y"]) | {"test_set": "s", "source_language": "es"}
    lesson = jsonl([head(["l"]), segment("l", 1, references={"A": "only this"})])
    quick.create(
        plan(task("da", required={"tutorial": 1}), tutorial="lesson.jsonl", human_references=["B"]),
        set=jsonl([about, *lines]),
        lesson=lesson,
    )
    remade(quick, NAME)
    assert_same(quick, NAME, "try-2")
    assert [one.name for one in quick.store.test_set("try-2").systems] == ["x", "y", "human-B"]
    assert quick.service.campaigns.plan("try-2").human_references == ("B",)


def test_protocols_come_along_as_they_were(quick: Setting, monkeypatch):
    own = protocols.load("esa")
    desk = quick.service.drafts
    quick.create(plan(task("da"), task("esa") | {"name": "second"}))
    older = replace(own, title="As it was")
    definition = ServiceContext(quick.store).definition(NAME)
    changed = replace(definition, protocols={**definition.protocols, "second": older})
    monkeypatch.setattr(ServiceContext, "definition", lambda *_: changed)
    made = desk.copy(NAME, author="Ada")
    assert [file.name for file in made.files] == ["esa.yaml", "testset.jsonl"]
    tasks = made.declaration["tasks"]
    assert [one["protocol"] for one in tasks] == ["da", "esa.yaml"]  # type: ignore[attr-defined]
    monkeypatch.undo()
    desk.create(made.id, author="Ada")
    assert quick.service.campaigns.protocol("try-2", "second") == older


def test_names_that_arefree_name(quick: Setting):
    assert free_name("spring", []) == "spring-2"
    assert free_name("spring", ["spring-2", "spring-3"]) == "spring-4"
    assert free_name("spring-2", []) == "spring-3"
    assert free_name("wmt-2008", []) == "wmt-2008-2"
    quick.create()
    desk = quick.service.drafts
    names = [desk.copy(NAME, author="Ada").declaration["name"] for _ in range(2)]
    assert names == ["try-2", "try-3"]
    with pytest.raises(NoSuchCampaign):
        desk.copy("old", author="Ada")


def test_a_copy_changes_and_the_campaign_does_not(quick: Setting):
    judges = quick.launch(plan(task("da"), seed=3), judges=3, set=make_set(1, 2))
    quick.kit(judges[0])
    before = [quick.store.campaign(NAME), list(quick.store.kits(NAME)), quick.decisions()]
    copy = remade(quick, NAME, **{"seed": 4, "tasks.1.wanted": 2, "tasks.1.kits": {"segments": 1}})
    assert copy.seed == 4
    assert [quick.store.campaign(NAME), list(quick.store.kits(NAME)), quick.decisions()] == before
    assert {phase.state for phase in copy.phases} == {"ready"}
    assert not quick.store.judges("try-2")
