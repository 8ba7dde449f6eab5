"""Drafts of campaigns: kept, changed, made whole or given up."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from jurat.store import (
    CampaignDraftChanged,
    CampaignExists,
    NoSuchCampaignDraft,
    NoSuchFile,
    Store,
)
from tests.store.samples import NOW, later, make_campaign

FILES = {"set.jsonl": bytes(range(256)), "refs/ö.txt": b""}


def test_what_is_prepared_comes_back_as_it_was(store: Store) -> None:
    declared = {"title": "Spring", "tasks": [{"wanted": None}], "z": 1, "a": 2.5}
    made = store.add_campaign_draft(declared, author="Ada", now=NOW, files=FILES)
    other = store.add_campaign_draft({}, author="Grace", now=later(days=1))
    assert store.campaign_drafts() == (made, other)
    assert store.campaign_draft(made.id) == made
    assert (made.owner, made.title, made.edition) == ("Ada", "Spring", 1)
    assert (made.created, made.updated) == (NOW, NOW)
    assert list(made.declaration.items()) == list(declared.items())
    assert {file.name: file.size for file in made.files} == {"set.jsonl": 256, "refs/ö.txt": 0}
    assert len({file.digest for file in made.files}) == 2
    assert all(store.campaign_draft_file(made.id, name) == data for name, data in FILES.items())
    assert (other.title, other.files) == ("", ())


def test_declaration_and_files_change_together(store: Store) -> None:
    made = store.add_campaign_draft({"name": "a"}, author="Ada", now=NOW, files=FILES)
    other = store.add_campaign_draft({"name": "b"}, author="Ada", now=NOW, files=FILES)
    changed = store.change_campaign_draft(
        made.id,
        lambda declared: {**declared, "seed": 2},
        now=later(hours=1),
        put={"set.jsonl": b"new", "more": b"m"},
        drop=["refs/ö.txt", "never there"],
    )
    assert changed == store.campaign_draft(made.id)
    assert changed.declaration == {"name": "a", "seed": 2}
    assert (changed.edition, changed.created, changed.updated) == (2, NOW, later(hours=1))
    assert [file.name for file in changed.files] == ["more", "set.jsonl"]
    assert store.campaign_draft_file(made.id, "set.jsonl") == b"new"
    assert store.campaign_draft(other.id) == other
    with pytest.raises(NoSuchFile, match=r"no file 'refs/ö.txt'.*more, set.jsonl"):
        store.campaign_draft_file(made.id, "refs/ö.txt")


def test_nothing_is_changed_by_a_change_that_fails(store: Store) -> None:
    made = store.add_campaign_draft({"name": "a"}, author="Ada", now=NOW, files=FILES)

    def refuse(_: object) -> dict[str, object]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.change_campaign_draft(made.id, refuse, now=NOW, put={"x": b""}, drop=["set.jsonl"])
    assert store.campaign_draft(made.id) == made


def test_many_who_change_it_at_once_lose_nothing(store: Store) -> None:
    made = store.add_campaign_draft({}, author="Ada", now=NOW)

    def change(n: int) -> None:
        store.change_campaign_draft(made.id, lambda old: {**old, f"f{n}": n}, now=NOW)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(change, range(16)))
    changed = store.campaign_draft(made.id)
    assert changed.declaration == {f"f{n}": n for n in range(16)}
    assert changed.edition == 17


def test_one_that_is_given_up_is_gone(store: Store) -> None:
    made = store.add_campaign_draft({"title": "Spring"}, author="Ada", now=NOW, files=FILES)
    store.drop_campaign_draft(made.id, author="Grace", now=NOW)
    assert store.campaign_drafts() == ()
    asking = (
        lambda: store.campaign_draft(made.id),
        lambda: store.campaign_draft_file(made.id, "set.jsonl"),
        lambda: store.drop_campaign_draft(made.id, author="Grace", now=NOW),
        lambda: store.change_campaign_draft(made.id, lambda old: old, now=NOW),
    )
    for ask in asking:
        with pytest.raises(NoSuchCampaignDraft, match="it was deleted, or became a campaign"):
            ask()
    told = [(entry.author, entry.action, entry.details) for entry in store.site_log()]
    assert told == [
        ("Ada", "prepare", {"title": "Spring"}),
        ("Grace", "give up", {"title": "Spring"}),
    ]


def test_a_campaign_takes_the_place_of_its_draft(store: Store) -> None:
    made = store.add_campaign_draft({}, author="Ada", now=NOW, files=FILES)
    store.create(make_campaign(), author="Ada", now=NOW, draft=made)
    assert store.campaign_drafts() == ()
    assert store.campaign("news").name == "news"
    with pytest.raises(NoSuchCampaignDraft):
        store.create(make_campaign("again"), author="Ada", now=NOW, draft=made)
    assert [one.name for one in store.campaigns()] == ["news"]


def test_neither_is_there_by_halves(store: Store) -> None:
    store.create(make_campaign(), author="Ada", now=NOW)
    made = store.add_campaign_draft({}, author="Ada", now=NOW, files=FILES)
    with pytest.raises(CampaignExists):
        store.create(make_campaign(), author="Ada", now=NOW, draft=made)
    assert store.campaign_drafts() == (made,)
    assert store.campaign_draft_file(made.id, "set.jsonl") == FILES["set.jsonl"]
    store.change_campaign_draft(made.id, lambda _: {"name": "other"}, now=NOW)
    with pytest.raises(CampaignDraftChanged, match="in the meantime"):
        store.create(make_campaign("other"), author="Ada", now=NOW, draft=made)
    assert [one.name for one in store.campaigns()] == ["news"]
    assert len(store.campaign_drafts()) == 1
