"""Live results over HTTP: headlines, filters side by side, figures, and the library that draws."""

import re
from collections.abc import Iterator
from time import monotonic, sleep
from typing import get_args

import pytest
from httpx2 import Response

from jurat.campaigns.watching.parts import Part
from jurat.web.coordinator import charts
from tests.campaigns.setting import NAME, plan, task
from tests.web.visiting import Visitor, Website, website, words

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


def ready(boss: Visitor, path: str) -> Response:
    """A page, looked at until its numbers are there."""
    end = monotonic() + PATIENCE
    while "data-computing" in (page := boss.get(f"desk/{path}")).text:
        assert monotonic() < end, "it takes too long"
        assert page.status_code == 200
        sleep(0.1)
    return page


def test_headlines_come_first_then_every_part(ada: Visitor, judged: Website):
    page = ready(ada, "results")
    assert page.status_code == 200
    said = words(page.text)
    assert f"As of {len(judged.setting.decisions())} judgments" in said
    assert "has the highest mean score" in said
    parts = [page.text.index(f'id="{name}"') for name in ("headlines", "agreement", "judges")]
    assert parts == sorted(parts)
    for asked in ("Do the judges agree?", "Which system is better?", "How long does a decision"):
        assert asked in said
    # three systems were rated, and two of them asked whether the meaning is the same
    assert page.text.count('class="interval"') == 5
    assert f"/c/{NAME}/desk/system/cedar" in page.text


@pytest.mark.parametrize("part", ["", *(f"/{part}" for part in get_args(Part))])
def test_nobody_is_told_of_a_command_line(ada: Visitor, part: str):
    said = words(ready(ada, f"results{part}").text)
    assert re.findall(r".{40}(?:--[a-z]|`?jurat [a-z]).{20}", said) == []


def test_a_filter_stands_beside_everything(ada: Visitor):
    query = "without=p0&systems=cedar&systems=birch"
    page = ready(ada, f"results?{query}")
    said = words(page.text)
    assert "What the filter changes" in said
    assert "willow (adequacy): no judgment is left." in said
    checked = re.findall(r'name="(\w+)" value="(\w+)" checked', page.text)
    assert checked == [("without", "p0"), ("systems", "cedar"), ("systems", "birch")]
    assert f"results/systems?{query.replace('&', '&amp;')}" in page.text


def test_a_filter_that_changes_no_place_says_so(ada: Visitor):
    said = words(ready(ada, "results?where=seconds%20%3E%3D%200").text)
    assert "No system changes its place." in said


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("where=genr%20%3D%3D%20'news'", "genr"),
        ("where=((", "never closed"),
        ("k=much", "a number instead of “much”"),
        ("ways=luck", "“luck” is not known here"),
        ("judges=p0&judges=nobody", "judges: “nobody” is not known here"),
        ("without=p99", "without: “p99” is not known here"),
        ("systems=oak", "systems: “oak” is not known here"),
        ("documents=none", "documents: “none” is not known here"),
        ("task=fluency", "task: “fluency” is not known here"),
    ],
)
def test_faults_of_a_filter_are_told(ada: Visitor, query: str, told: str):
    page = ready(ada, f"results?{query}")
    assert page.status_code == 422
    assert 'role="alert"' in page.text
    assert told in words(page.text)
    assert 'id="filter" open' in page.text
    whole = ada.get(f"desk/results/judges?{query}")
    assert whole.url.path.endswith("/desk/results"), "where filters are"
    assert told in words(ready(ada, f"results?{query}").text)


def test_figures_are_those_of_the_page(ada: Visitor):
    page = ready(ada, "results")
    named = re.findall(r'data-figure="([^"]+)"', page.text)
    told = ada.get("desk/results/figures").json()
    assert not told["computing"]
    assert list(told["figures"]) == named
    values = told["figures"]["systems-1"]["data"]["values"]
    assert {row["system"] for row in values} == {"cedar", "birch", "willow"}


def test_all_numbers_of_a_part(ada: Visitor):
    page = ready(ada, "results/time")
    assert "seconds-mean" in words(page.text)
    assert ada.get("desk/results/time/figures").json()["figures"]
    assert ada.get("desk/results/luck").status_code == 404


def test_the_library_is_made_once_and_kept(ada: Visitor, tmp_path, monkeypatch):
    made: list[str] = []

    def bundle(snippet: str) -> str:
        made.append(snippet)
        return "draw()"

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("vl_convert.javascript_bundle", bundle)
    path = f"desk/charts/{charts.edition()}/vega.js"
    for _ in range(2):
        charts._bundle.cache_clear()
        told = ada.get(path)
        assert told.text == "draw()"
        assert "immutable" in told.headers["cache-control"]
        assert told.headers["content-type"].startswith("text/javascript")
    assert len(made) == 1
    assert ada.get("desk/charts/0/vega.js").status_code == 404
    charts._bundle.cache_clear()


def test_nobody_has_judged_yet(boss: Visitor):
    assert "There are no judgments yet" in words(ready(boss, "results").text)
