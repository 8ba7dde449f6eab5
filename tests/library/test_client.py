"""`jurat.connect`: a script against a real server."""

from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
import uvicorn

import jurat
from jurat.library.client import Server
from jurat.yamlfile import dump
from tests.campaigns.sample_campaigns import NAME, make_set, plan, task
from tests.web.website import Website, website


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Website]:
    with website(tmp_path_factory.mktemp("client")) as found:
        found.setting.create(plan(task("da")))
        found.service.coordinators.add("Ada", author="test")
        found.slips(3)
        found.setting.start()
        found.setting.play()
        yield found


@pytest.fixture(scope="module")
def server(site: Website) -> Iterator[Server]:
    config = uvicorn.Config(site.app, port=0, log_level="error", lifespan="off")
    running = uvicorn.Server(config)
    thread = Thread(target=running.run)
    thread.start()
    while not running.started:
        thread.join(0.01)
    port = running.servers[0].sockets[0].getsockname()[1]
    made = site.service.api_tokens.add("Ada", "t", ["read", "judges", "manage"], author="test")
    yield jurat.connect(f"http://127.0.0.1:{port}/", made.secret)
    running.should_exit = True
    thread.join()


def test_judgments_are_read_like_a_file(
    server: Server, site: Website, monkeypatch: pytest.MonkeyPatch
):
    assert server.token().coordinator == "Ada"
    (listed,) = server.campaigns()
    assert (listed.name, listed.decisions) == (NAME, 12)
    campaign = server.campaign(NAME)
    table = site.service.campaigns.tables(NAME)["judgments"]
    data = campaign.judgments()
    assert data.frame()["value"].to_list() == table["value"].to_list()
    assert jurat.systems(data, statistics="system-score").frame().height == 3
    assert [row["value"] for row in campaign.follow()] == table["value"].to_list()
    assert list(campaign.follow(after=max(row["number"] for row in campaign.follow()))) == []
    # however quick the worker is, nobody waits for it
    monkeypatch.setattr("jurat.campaigns.monitoring.cached_results.FIRST_WAIT", 0)
    with pytest.raises(TimeoutError):
        campaign.results(wait=0)


def test_a_campaign_is_made_run_and_deleted(server: Server, tmp_path: Path):
    declared = tmp_path / "campaign.yaml"
    declared.write_text(dump({**plan(task()), "name": "remote"}), encoding="utf-8")
    texts = tmp_path / "set.jsonl"
    texts.write_bytes(make_set())
    campaign = server.create(declared, texts)
    assert campaign.update(title="By script").title == "By script"
    with pytest.raises(jurat.ApiError, match="there are no judges") as refused:
        campaign.start()
    assert refused.value.status == 422
    slips = campaign.add_judges(3, group="left")
    assert {one.group for one in campaign.judges()} == {"left"}
    assert campaign.start()[0].state == "started"
    assert campaign.stop(reason="Back on Monday")[0].state == "stopped"
    assert campaign.change_judge(slips[0].pin, disabled=True).disabled
    assert campaign.reset_judge(slips[1].pin).password != slips[1].password
    campaign.send_message("Hello")
    assert [one.text for one in campaign.messages()] == ["Hello"]
    assert campaign.progress().done == 0
    archive = tmp_path / "remote.zip"
    campaign.delete(archive)
    assert archive.read_bytes().startswith(b"PK")
    with pytest.raises(jurat.ApiError, match="there is nothing here"):
        campaign.details()


def test_a_campaign_is_prepared_as_a_draft(server: Server, tmp_path: Path):
    texts = tmp_path / "set.jsonl"
    texts.write_bytes(make_set())
    draft = server.new_draft()
    assert draft.id in {one.id for one in server.drafts()}
    draft.upload(texts)
    draft.update(title="Drafted by script", name="by-script", tasks=plan(task())["tasks"])
    told = draft.select(systems=["cedar", "birch"])
    assert told.ready, told.problems
    assert b"by-script" in draft.declaration()
    assert draft.make_tutorial("paper1").declaration["tutorial"]
    campaign = draft.create()
    assert campaign.details().name == "by-script"
    copy = server.new_draft(copy_of="by-script")
    copy.remove(copy.details().files[0].name)
    copy.discard()
    with pytest.raises(jurat.ApiError, match="there is nothing here"):
        copy.details()


def test_segments_cases_reminders_and_the_report(server: Server):
    campaign = server.campaign(NAME)
    page = campaign.segments()
    first = page.segments[0]
    assert campaign.segment(first.document, first.segment).source == first.text
    (queue,) = campaign.adjudication(more_than=0)
    assert queue.settled == 0
    assert campaign.adjudicated_agreement() == []
    assert campaign.reminders() == []
    assert campaign.remind("nobody", by="hand").reminded == ()
    assert campaign.questionnaires() == []
    assert campaign.report().startswith(b"<!doctype html>")


def test_faults_of_a_file_come_with_their_place(server: Server, tmp_path: Path):
    bad = tmp_path / "campaign.yaml"
    bad.write_text("name: bad\ntasks: [{name: a, protocol: nothing}]\ntest_set: x.jsonl\n")
    with pytest.raises(jurat.ApiError) as refused:
        server.create(bad)
    assert any("x.jsonl" in (one.file or "") for one in refused.value.problems)


def test_a_server_that_is_not_there():
    with pytest.raises(jurat.ApiError, match="cannot be reached"):
        jurat.connect("http://127.0.0.1:9", "jurat_x", timeout=2).campaigns()
    with pytest.raises(ValueError, match="expected the address of a server"):
        jurat.connect("jurat.example.org", "jurat_x")
