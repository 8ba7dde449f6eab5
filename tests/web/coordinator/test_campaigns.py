"""All campaigns side by side: each with its state and how far it is.

A campaign is begun with files, with a declaration and its files, or as a copy.
"""

import re

import pytest

from jurat.files import zipped
from tests.campaigns.sample_campaigns import NAME, SAMPLE, make_set, plan, task
from tests.web.coordinator.preparing import begin, new
from tests.web.website import Visitor, Website, words


def rows(ada: Visitor, query: str = "") -> list[str]:
    page = ada.get(query).text
    table = page.partition("<tbody>")[2].partition("</tbody>")[0]
    return [words(row) for row in re.split("</tr>", table) if row.strip()]


def test_every_campaign_with_how_far_it_is(site: Website, ada: Visitor):
    site.setting.create(plan(task("da")) | {"name": "second", "title": "Another"})
    judges = site.setting.judges(3)
    site.setting.start()
    done = site.setting.all_kits(judges[0].id)
    evaluated = sum(step.phase == "evaluation" for step in done)
    by_name = rows(ada, "?sort=name")
    assert by_name[0].startswith("Another Not started 0 / 12")
    assert by_name[1].startswith(f"Rating in spring Running {evaluated} / 12")
    assert "02/03/2026" in by_name[1]
    assert rows(ada, "?sort=-done") == by_name[::-1]
    site.service.campaigns.change_phases("try", "stop", author="boss")
    assert "Rating in spring Stopped" in rows(ada, "?sort=-name")[0]


def sample(*names: str) -> list[tuple[str, bytes]]:
    return [(name, (SAMPLE / name).read_bytes()) for name in names]


def test_with_nothing(town: Website, grace: Visitor):
    work = begin(town, grace)
    assert work.declared == {}
    assert work.draft.owner == "Grace"
    assert f"/desk/draft/{work.key}/set" in grace.get().text


def test_with_a_test_set(town: Website, grace: Visitor):
    work = begin(town, grace, ("set.jsonl", make_set()))
    assert work.declared == {"test_set": "set.jsonl"}


def test_with_a_declaration_and_its_files(town: Website, grace: Visitor):
    files = sample("tutorial.jsonl", "testset.jsonl", "campaign.yaml")
    work = begin(town, grace, *files)
    assert not town.service.drafts.preview(work.key).problems
    assert {file.name for file in work.draft.files} == {"tutorial.jsonl", "testset.jsonl"}
    told = work.fill("rules", "seed", create="yes")
    assert told.url.path == "/c/sample/desk/"


def test_a_declaration_by_another_name_with_a_protocol_of_its_own(town: Website, grace: Visitor):
    text = b"name: mine\ntest_set: set.jsonl\ntasks:\n- {name: a, protocol: own.yaml}\n"
    own = b"name: own\ntitle: Own\nstages: []\n"
    files = [("own.yaml", own), ("my.yaml", text), ("set.jsonl", make_set())]
    work = begin(town, grace, *files)
    assert work.declared["tasks"] == [{"name": "a", "protocol": "own.yaml"}]
    assert {file.name for file in work.draft.files} == {"own.yaml", "set.jsonl"}


@pytest.mark.parametrize("text", [b"", b"- 1", b"name: [", b"\xff\xfe"])
def test_a_declaration_that_is_none_leaves_nothing_behind(town: Website, grace: Visitor, text):
    before = town.service.drafts.all()
    told = new(grace, ("campaign.yaml", text))
    assert told.status_code == 422
    assert "campaign.yaml" in words(told.text)
    assert town.service.drafts.all() == before


def test_as_a_copy(town: Website, grace: Visitor):
    work = begin(town, grace, campaign=NAME)
    assert work.declared["name"] == f"{NAME}-2"
    assert not town.service.drafts.preview(work.key).problems
    assert new(grace, campaign="nothing").status_code in (404, 422)


def test_with_a_zip_that_jurat_exported(site: Website, ada: Visitor):
    packed = ada.client.get(f"/c/{NAME}/desk/export/files").content
    work = begin(site, ada, ("files.zip", packed))
    assert work.declared["tasks"][0]["protocol"] == "da"
    assert {file.name for file in work.draft.files} == {"testset.jsonl", "tutorial.jsonl"}
    archive = ada.client.get(f"/c/{NAME}/desk/export/archive").content
    told = new(ada, ("archive.zip", archive))
    assert told.status_code == 422
    assert "already exists" in words(told.text) or "already" in words(told.text)
    told = work.upload(("archive.zip", archive))
    assert "Open it under “New campaign”" in words(told.text)


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"judgments.csv": b"a"}, "contains judgments"),
        (None, "cannot be read"),
        (
            {"[Content_Types].xml": b"<x/>", "xl/workbook.xml": b"<x/>"},
            "This is not a text file but ZIP.",
        ),
    ],
)
def test_zips_that_are_no_test_set(grace: Visitor, files, told):
    data = zipped(files) if files else b"PK\x03\x04 nothing"
    assert told in words(new(grace, ("some.zip", data)).text)


def test_strangers_are_not_told_of_campaigns(site: Website):
    stranger = site.visitor()
    site.setting.create(plan(task("da")) | {"name": "second", "title": "Secret"})
    # guests are let in where there is a tutorial for them
    lesson = plan(task("da", required={"tutorial": 1}), tutorial="tutorial.jsonl", guest=True)
    site.setting.create(
        lesson | {"name": "third", "title": "Open to all"}, tutorial=make_set(1, 1, kind="lesson")
    )
    page = words(stranger.client.get("/").text)
    assert "Open to all" in page
    assert "Secret" not in page
    assert "Rating in spring" not in page
    assert "login slip" in page
