"""One segment, one judge, one system: all that there is about them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from jurat.i18n import languages
from jurat.stats import statistics
from jurat.stats.judges.judge_statistic import signals
from jurat.stats.judges.outlier_tests import DERIVED
from tests.campaigns.sample_campaigns import SYSTEMS, head, jsonl, make_set, plan, segment, task
from tests.web.coordinator.test_results import ready
from tests.web.website import Visitor, Website, website, words


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Website]:
    """Ratings, comparisons and marked errors."""
    with website(tmp_path_factory.mktemp("inspected")) as site:
        tasks = (
            task("tapet-adequacy", wanted=2, kits={"repeats": 1, "controls": {"degraded": 1}}),
            task("preference") | {"name": "pairs"},
            task("esa") | {"name": "errors"},
        )
        site.setting.launch(plan(*tasks), judges=6, set=make_set(2, 3))
        site.setting.play(noise=0.1)
        yield site


@pytest.fixture(scope="module")
def ada(judged: Website) -> Visitor:
    (slip,) = judged.slips(1, role="coordinator")
    return judged.visitor().follow(slip)


def test_segments_are_found_by_their_words(ada: Visitor):
    every = words(ada.get("desk/segments").text)
    assert "6 segments" in every
    page = ada.get("desk/segments?words=FUENTE+586-2")
    assert "One segment" in words(page.text)
    assert "desk/segments/paper2/2" in page.text
    assert "3 segments" in words(ada.get("desk/segments?document=paper1").text)
    assert "0 segments" in words(ada.get("desk/segments?words=nowhere").text)
    assert ada.get("desk/segments?page=9999999999").status_code == 200


def listed(page: str) -> list[str]:
    """The segments of the list, in order."""
    return re.findall(r'<th scope="row"><a href="[^"]+/segments/([^"]+)">', page)


def test_segments_have_scores_and_can_be_sorted_by_them(ada: Visitor):
    page = ready(ada, "segments").text
    for word in ("Score", "Range of systems", "Disagreement", *SYSTEMS):
        assert word in words(page)
    assert 'name="question"' in page
    places = listed(page)
    assert places == sorted(places)
    for column in ("disagreement", "system%3Acedar"):
        assert {*listed(ready(ada, f"segments?sort=-{column}").text)} == {*places}
    page = ready(ada, "segments?question=adequacy&sort=-mean").text
    # the first number after each text
    means = [float(one) for one in re.findall(r'dir="auto">[^<]+</td>\s+<td[^>]+>([^<]+)', page)]
    assert len(means) == 6
    assert means == sorted(means, reverse=True)
    assert ada.get("desk/segments?question=beauty").status_code == 404


def test_judges_and_systems_side_by_side(ada: Visitor):
    page = ready(ada, "results/heat-map").text
    assert "Judges and systems" in words(page)
    assert page.count('<th scope="row"><a href=') == 6
    assert {"heat-0", "heat-8"} <= {*re.findall(r"heat-\d", page)}
    first = ready(ada, "results/heat-map?question=preference&sort=pin").text
    assert "p0" in words(first).partition("All judges")[0]


def test_the_timeline_counts_what_judges_did(ada: Visitor, judged: Website):
    page = words(ada.get("desk/progress/timeline").text)
    total = len([one for one in judged.setting.decisions() if one.revision == 1])
    assert f"Total All judges {total} {total}" in page
    assert "2 Mar" in page
    assert "09:00" in words(ada.get("desk/progress/timeline?per=hour&page=1").text)


def test_a_segment_with_every_judgment(ada: Visitor):
    said = words(ready(ada, "segments/paper1/2").text)
    for word in ("fuente 585-2", "first wording 585-2", "some-585-2-0", " / ", "chrF"):
        assert word in said
    for table in ("judgments", "preferences", "spans"):
        assert table in said
    assert "Previous" in said
    assert "Next" in said


def test_a_whole_document(ada: Visitor):
    said = words(ready(ada, "segments/paper1/").text)
    assert "fuente 585-1 fuente 585-2" in said
    assert "All judgments" not in said, "no question was about a document"


def test_all_that_is_measured_of_a_judge_has_words():
    given = {name for kind in statistics("judges") for name in kind.gives}
    measures = {name for name in given if name.startswith("judge-")} - {"judge-outlier", "judge-p"}
    ways = {signal.way for signal in signals()} | set(DERIVED)
    wanted = {f"desk-measure-{name}" for name in measures} | {f"desk-way-{name}" for name in ways}
    assert wanted <= languages()["en"].keys
    made = ("desk-measure-", "desk-way-")
    assert {key for key in languages()["en"].keys if key.startswith(made)} == wanted


def test_a_judge_beside_the_others(ada: Visitor):
    page = ready(ada, "judge/p1")
    said = words(page.text)
    for word in ("Judge p1", "Compared with other judges", "Use of the scale", "Repeated items"):
        assert word in said
    assert "results?without=p1" in page.text


def test_a_system_with_its_best_and_worst(ada: Visitor):
    page = ready(ada, "system/willow")
    said = words(page.text)
    for word in ("Scores", "Best segments", "Worst segments", "Marked errors"):
        assert word in said
    assert "desk/segments/paper" in page.text
    assert ada.get("desk/files/system-1.csv/willow").text.startswith("name,")


def test_a_system_of_any_name(tmp_path: Path):
    systems = ("plain", "own/figures")
    lines = [head(["paper1"], systems), *(segment("paper1", n, systems) for n in (1, 2))]
    with website(tmp_path) as site:
        site.setting.launch(plan(task()), judges=2, set=jsonl(lines))
        site.setting.play()
        (slip,) = site.slips(1, role="coordinator")
        boss = site.visitor().follow(slip)
        assert "Scores" in words(ready(boss, "system/own/figures").text)
        assert boss.get("desk/files/system-1.csv/own/figures").text.startswith("name,")


@pytest.mark.parametrize("path", ["segments/paper1/99", "segments/x/1", "judge/x", "system/x"])
def test_what_there_is_not(ada: Visitor, path: str):
    assert ready(ada, path).status_code == 404
