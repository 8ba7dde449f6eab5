"""Live results over HTTP: findings, filters side by side, charts, files, and the report."""

import re
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import get_args

import pytest
from httpx2 import Response

from jurat.campaigns.monitoring.cached_results import CachedValue
from jurat.campaigns.monitoring.sections import DataVersion, Results, Section
from jurat.results import Estimate, Result
from jurat.web.coordinator.result_groups import first_chart
from jurat.web.coordinator.results import score_tables
from tests.campaigns.sample_campaigns import NAME, plan, task
from tests.web.website import Visitor, Website, website, words

PATIENCE = 120
"""Seconds, on a machine that has other things to do."""


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Website]:
    """Six judges have rated everything, two of each item."""
    with website(tmp_path_factory.mktemp("judged")) as site:
        site.setting.launch(plan(task("tapet-adequacy", wanted=2)), judges=6)
        site.setting.play(noise=0.1)
        yield site


@pytest.fixture(scope="module")
def ada(judged: Website) -> Visitor:
    (slip,) = judged.slips(1, role="coordinator")
    return judged.visitor().follow(slip)


def status(boss: Visitor, path: str) -> dict[str, object]:
    """What the page's script is told while it waits."""
    reply = boss.get(f"desk/{path}", headers={"Accept": "application/json"})
    assert reply.headers["content-type"] == "application/json"
    assert len(reply.content) < 200
    told: dict[str, object] = reply.json()
    return told


def ready(boss: Visitor, path: str) -> Response:
    """A page, looked at until its numbers are there."""
    end = monotonic() + PATIENCE
    while "data-computing" in (page := boss.get(f"desk/{path}")).text:
        assert monotonic() < end, "it takes too long"
        assert page.status_code == 200
        sleep(0.1)
    return page


def test_systems_come_first_then_every_part(ada: Visitor, judged: Website):
    page = ready(ada, "results")
    assert page.status_code == 200
    said = words(page.text)
    assert f"As of {len(judged.setting.decisions())} judgments" in said
    (best, score) = re.findall(r"(\w+) has the highest adjusted score, (\S+)", said)[0]
    # the table and the chart show the number that the headline names
    assert "Rank Adjusted score Interval Mean score Judgments" in said
    assert re.search(rf"\b{best} 1 {score} ", said)
    assert "Adjusted scores of systems" in said
    ids = ("systems", "agreement", "judges", "more-systems", "more-time")
    parts = [page.text.index(f'id="{name}"') for name in ids]
    assert parts == sorted(parts)
    # one sentence on who is best and one on the scores, then the table
    before = page.text[parts[0] : page.text.index("<table")]
    assert len(re.findall("<p ", before)) == 2
    # whether the meaning is the same was not asked of all
    assert "” was asked in only" in said
    assert f"/c/{NAME}/desk/system/cedar" in page.text


def test_orders_that_scores_imply_are_said_to_count_as_preferences(tmp_path: Path):
    with website(tmp_path) as site:
        tasks = (task("contrastive-esa", wanted=2), task("da", name="meaning"))
        site.setting.launch(plan(*tasks), judges=4)
        site.setting.play(noise=0.1)
        (slip,) = site.slips(1, role="coordinator")
        boss = site.visitor().follow(slip)
        for path in ("results", "results/preferences"):
            said = words(ready(boss, path).text)
            assert "their scores imply where several were judged at once (“translations”)" in said
        # the score is what counts by the protocol, and what the number of errors means is said
        said = words(boss.get("desk/results").text)
        assert said.index("Score: ") < said.index("“errors”: every marked error takes off")
        assert said.index("score Cluster") < said.index("errors Cluster")


def test_a_ranking_by_one_judge_has_results(tmp_path: Path):
    with website(tmp_path) as site:
        site.setting.launch(plan(task("ranking")), judges=1)
        site.setting.play()
        (slip,) = site.slips(1, role="coordinator")
        boss = site.visitor().follow(slip)
        page = ready(boss, "results")
        assert page.status_code == 200
        assert 'id="systems"' in page.text
        # a ranking counts once, however many translations are in it
        (judge,) = {one.judge for one in site.setting.decisions()}
        times = words(ready(boss, f"judge/{judge}").text.partition('id="times"')[2])
        assert f" 0 {len(site.setting.decisions())} " in times


def test_an_interval_beyond_the_scale_is_said_and_drawn_to_its_end():
    rows = [{"question": "adequacy", "system": "a", "value": 6.8, "low": 6.2, "high": 7.4}]
    figure = {"data": {"values": rows}}
    by = {"question": "adequacy", "system": "a"}
    estimate = Estimate(value=6.8, n=9, low=6.2, high=7.4, by=by)
    score = Result(
        name="system-score", method="", signature="", estimates=(estimate,), draw=lambda: figure
    )
    found = Results(DataVersion(version="", judgments=9, last=None), {"systems": (score,)})
    (table,) = score_tables(found)
    assert table.reaches_beyond((1, 7))
    assert not table.reaches_beyond((0, 100))
    assert not table.reaches_beyond(None)
    drawn = first_chart(found, ["adequacy"], {"adequacy": (1, 7)})
    assert drawn is not None
    assert drawn.result.figure() == {"data": {"values": [{**rows[0], "high": 7}]}}


def test_a_chart_has_its_questions_in_the_order_of_the_tables():
    rows = [{"question": name, "value": 1.0} for name in ("errors", "score", "errors", "other")]
    estimates = (Estimate(value=1.0, n=9, by={"question": "errors", "system": "a"}),)
    score = Result(
        name="system-score",
        method="",
        signature="",
        estimates=estimates,
        draw=lambda: {"data": {"values": rows}},
    )
    found = Results(DataVersion(version="", judgments=9, last=None), {"systems": (score,)})
    drawn = first_chart(found, ["score", "errors"], {})
    assert drawn is not None
    assert drawn.result.figure() == {"data": {"values": [rows[1], rows[0], rows[2]]}}


@pytest.mark.parametrize("code", ["es", "hi", "zh"])
def test_the_main_findings_are_in_the_language_of_the_page(ada: Visitor, code: str):
    ready(ada, "results")
    page = ada.get("desk/results", headers={"Accept-Language": code}).text
    before = page[: page.index('class="folds"')]
    assert f'class="finding" lang="{code}"' in before
    assert re.findall(r'<p[^>]* lang="en"[^>]*>.*?</p>', before) == []


INTERNAL = re.compile(r"\b(?:system|judge|pairwise|fleiss|krippendorff|removal|seconds|n)-[a-z]+\b")


def test_no_internal_name_is_shown(ada: Visitor):
    page = ready(ada, "results").text
    # but for methods and signatures, below the numbers
    shown = re.sub(r'<p class="note[^"]*" lang="en">.*?</p>', "", page, flags=re.DOTALL)
    assert INTERNAL.findall(words(shown)) == []


@pytest.mark.parametrize("part", ["", *(f"/{part}" for part in get_args(Section))])
def test_nobody_is_told_of_a_command_line(ada: Visitor, part: str):
    said = words(ready(ada, f"results{part}").text)
    assert re.findall(r".{40}(?:--[a-z]|`?jurat [a-z]).{20}", said) == []


def test_a_filter_stands_beside_everything(ada: Visitor):
    query = "without=p0&systems=cedar&systems=birch"
    page = ready(ada, f"results?{query}")
    said = words(page.text)
    assert "Effect of the filter" in said
    assert "willow (adequacy): no judgments left." in said
    checked = re.findall(r'name="(\w+)" value="(\w+)" checked', page.text)
    assert checked == [("without", "p0"), ("systems", "cedar"), ("systems", "birch")]
    assert f"results/systems?{query.replace('&', '&amp;')}" in page.text


def test_a_filter_that_changes_no_place_says_so(ada: Visitor):
    said = words(ready(ada, "results?where=seconds%20%3E%3D%200").text)
    assert "No system changes rank or cluster." in said


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("where=genr%20%3D%3D%20'news'", "genr"),
        ("where=((", "never closed"),
        ("k=much", "a number instead of “much”"),
        ("ways=luck", "Unknown: “luck”"),
        ("judges=p0&judges=nobody", "judges: Unknown: “nobody”"),
        ("without=p99", "without: Unknown: “p99”"),
        ("systems=oak", "systems: Unknown: “oak”"),
        ("documents=none", "documents: Unknown: “none”"),
        ("task=fluency", "task: Unknown: “fluency”"),
    ],
)
def test_faults_of_a_filter_are_told(ada: Visitor, query: str, told: str):
    page = ready(ada, f"results?{query}")
    assert page.status_code == 422
    assert 'role="alert"' in page.text
    assert told in words(page.text)
    assert 'id="filter" open' in page.text
    whole = ready(ada, f"results/judges?{query}")
    assert whole.url.path.endswith("/desk/results"), "where filters are"
    assert told in words(ready(ada, f"results?{query}").text)


def test_charts_are_drawn_in_the_page(ada: Visitor):
    page = ready(ada, "results")
    drawn = page.text.partition('class="beside-chart"')[2].partition("</section>")[0]
    assert all(name in drawn.partition("<svg")[2] for name in ("cedar", "birch", "willow"))


@pytest.mark.parametrize(
    ("page", "ending", "begins"),
    [
        ("results", "csv", b"name,"),
        ("results", "svg", b"<svg"),
        ("results", "png", b"\x89PNG"),
        ("results/time", "csv", b"name,"),
        ("system/cedar", "svg", b"<svg"),
    ],
)
def test_charts_and_tables_are_files(ada: Visitor, page: str, ending: str, begins: bytes):
    address = re.findall(rf'href="[^"]*/desk/([^"]+{ending}[^"]*)" download', ready(ada, page).text)
    told = ada.get(f"desk/{address[0]}")
    assert told.content.startswith(begins)
    assert "attachment" in told.headers["content-disposition"]


@pytest.mark.parametrize(
    "path",
    ["results/files/systems-1.exe", "results/files/systems-99.csv", "results/files/luck-1.csv"],
)
def test_files_that_are_none(ada: Visitor, path: str):
    ready(ada, "results")
    assert ada.get(f"desk/{path}").status_code == 404


def test_all_numbers_of_a_part(ada: Visitor):
    page = ready(ada, "results/time")
    assert "How long does a judgment take?" in words(page.text)
    assert ada.get("desk/results/luck").status_code == 404


def test_the_report_is_made_and_downloaded(ada: Visitor):
    page = ready(ada, "results/report?without=p0")
    assert "report on" in words(page.text)
    told = ada.get("desk/results/report/file?without=p0")
    assert f'filename="{NAME}-report.html"' in told.headers["content-disposition"]
    assert "Filter: without" in told.text
    assert status(ada, "results/report?without=p0")["ready"]
    assert ada.get("desk/results/report?without=nobody").url.path.endswith("/desk/results")


def test_a_report_tells_how_far_it_is(judged: Website):
    """The worker tells while it computes, so that the page can show it."""
    from jurat.campaigns.monitoring.filters import Filter
    from jurat.campaigns.monitoring.report_file import make_report
    from jurat.campaigns.monitoring.worker import WorkerState

    told: list[float] = []
    state = WorkerState(judged.setting.store.address, told.append)
    made = make_report(state, NAME, Filter(systems=("cedar", "birch")))
    assert made.content.startswith(b"<!doctype html>")
    assert told == sorted(told)
    assert 0 < told[0] < told[-1] <= 1
    # the page says of how many judgments the report is: as many as the report itself says
    assert f"{made.judgments} judgments ·".encode() in made.content
    assert make_report(state, NAME, Filter(where="seconds < 0")).content == b""


@pytest.mark.parametrize(
    "path", ["results", "results/time", "system/cedar", "judge/p0", "segments/paper1/1"]
)
def test_scripts_ask_for_a_small_status(ada: Visitor, judged: Website, path: str):
    ready(ada, path)
    version = judged.setting.store.stamp(NAME)
    want = {"ready": True, "computing": False, "failed": False, "version": version}
    assert status(ada, path) == want


def test_the_status_of_new_results(ada: Visitor):
    path = "results?k=1.75&ways=score"
    told = status(ada, path)
    assert (told["ready"], told["computing"], told["version"]) == (False, True, None)
    ready(ada, path)
    assert status(ada, path)["ready"]


def test_newer_judgments_make_the_status_computing(tmp_path: Path):
    """The older results are shown meanwhile."""
    with website(tmp_path) as site:
        judges = site.setting.launch(plan(task("sqm", wanted=2)), judges=6)
        (slip,) = site.slips(1, role="coordinator")
        boss = site.visitor().follow(slip)
        ready(boss, "results")
        site.setting.kit(judges[0])
        told = status(boss, "results")
        assert (told["ready"], told["computing"]) == (True, True)
        assert "As of 2 judgments" in words(ready(boss, "results").text)


def test_results_that_cannot_be_computed_say_so(ada: Visitor, judged: Website, monkeypatch):
    cache = judged.service.monitoring.results
    monkeypatch.setattr(cache, "_lookup", lambda *_, **__: CachedValue(None, False, True))
    page = ada.get("desk/results?k=1.9")
    assert page.status_code == 200
    assert "could not be computed" in words(page.text)
    assert "data-computing" not in page.text
    assert status(ada, "results?k=1.9")["failed"]


def test_nobody_has_judged_yet(boss: Visitor):
    assert "No judgments yet" in words(ready(boss, "results").text)
