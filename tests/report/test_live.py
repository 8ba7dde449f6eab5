"""A reader's filter gives the numbers that Jurat computes from the same judgments."""

import itertools
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from playwright.sync_api import Browser, Page, expect

from jurat.report.compute import compute
from jurat.report.page import to_html
from jurat.report.settings import ReportSettings
from jurat.results import Estimate
from jurat.stats import Evaluation, analyse
from jurat.stats.metaeval.input_tables import MetricScores, read_scores
from jurat.tables import Intake, Judgments
from jurat.tables.preferences import Preferences
from tests.browser.axe import violations

JUDGES = tuple(f"judge{n}" for n in range(8))
SYSTEMS = tuple(f"plant{n}" for n in range(4))
DOCUMENTS = tuple(f"d{n}" for n in range(10))
SETTINGS = ReportSettings(bootstrap=20, judge_names=True)
# Of a table in which every judge scores everything, one in which two of them score each
# translation, and one in which each document lacks a system, so that scores are adjusted.
DESIGNS = ("all", "two", "adjusted")


def judgments(design: str) -> pl.DataFrame:
    """Scores with judges who are strict, hard documents and noise."""
    rng = random.Random(design)
    rows = [
        {
            "judge": JUDGES[j],
            "document": document,
            "segment": str(segment),
            "system": system,
            "adequacy": str(round(50 + 6 * s + 2 * j + 4 * (d % 3) + rng.gauss(0, 9))),
            "genre": "news" if d % 2 else "talk",
            "seconds": f"{rng.lognormvariate(3.8, 0.7):.3f}",
        }
        for d, document in enumerate(DOCUMENTS)
        for segment in range(4)
        for s, system in enumerate(SYSTEMS)
        if design != "adjusted" or d % len(SYSTEMS) != s
        for j in (range(len(JUDGES)) if design == "all" else rng.sample(range(len(JUDGES)), 2))
    ]
    return pl.DataFrame(rows)


def evaluation(frame: pl.DataFrame) -> Evaluation:
    return Evaluation(judgments=Judgments(frame, Intake(columns="value=adequacy")))


def top_shares(frame: pl.DataFrame) -> dict[str, float | None]:
    """The share of top answers of each system, as `jurat systems` says it."""
    found = analyse("systems", evaluation(frame), SETTINGS.of("systems"), only=["system-score"])
    (tops,) = (result for result in found if result.name == "system-top")
    return {str(e.by["system"]): e.value for e in tops.estimates}


# What the page computes, by folder: the statistics that give it.
COMPUTED = {
    "systems": [
        "system-score",
        "system-median",
        "system-rank",
        "system-cluster",
        "system-difference",
        "pairwise-p",
    ],
    "agreement": [
        "n-agreement",
        "kway-agreement",
        "fleiss-kappa",
        "krippendorff-alpha",
        "cohen-kappa",
        "scott-pi",
        "gwet-ac",
        "brennan-prediger",
        "left-out-kappa",
        "answer-share",
        "icc",
        "kendall-w",
        "conger-kappa",
        "pearson-mean",
    ],
    "judges": ["judge-mean", "judge-difference", "judge-distance", "judge-influence"],
    "time": [
        "seconds-mean",
        "seconds-of-system",
        "seconds-of-judge",
        "seconds-of-document",
        "hours-worked",
    ],
    "preferences": [
        "preference-count",
        "preference-wins",
        "preference-p",
        "sign-test",
        "preference-agreement",
        "preference-kappa",
        "cohen-kappa",
        "side-bias",
    ],
}
Key = tuple[str, frozenset[tuple[str, str]]]


# Of judges who judged all the items.
COMPLETE = ["icc", "kendall-w", "conger-kappa"]


def computed(whole: Evaluation, folder: str, only: Sequence[str] = ()) -> dict[Key, Estimate]:
    """What Jurat's commands say, by the result and what an estimate is of."""
    found = analyse(folder, whole, SETTINGS.of(folder), only=only or COMPUTED[folder])
    known: dict[Key, Estimate] = {}
    for result in found:
        for estimate in result.estimates:
            by = {name: str(key) for name, key in estimate.by.items()}
            pairs = folder == "agreement" and "judge_a" in by
            name = f"{result.name}{'-pairs' if pairs else ''}"
            known[name, key_of(name, by, estimate.side)] = estimate
    return known


def key_of(name: str, by: dict[str, str], side: str) -> frozenset[tuple[str, str]]:
    """What an estimate is of; two judges in either order, and of two systems a by its name."""
    own = {part: value for part, value in by.items() if part != "question"}
    if "judge_a" in own:
        own["judge_a"], own["judge_b"] = sorted((own["judge_a"], own["judge_b"]))
    # which of two systems is a depends on the first row of a table
    symmetric = name.startswith(("preference-p", "sign-test"))
    if symmetric and "system_a" in own:
        own["system_a"], own["system_b"] = sorted((own["system_a"], own["system_b"]))
    if side and name in ("preference-count", "preference-share"):
        own["outcome"] = side
    return frozenset(own.items())


def check(rows: list[dict[str, Any]], known: dict[Key, Estimate], without: object) -> int:
    """Compare what the page shows with what Jurat computes: to 1e-9."""
    for row in rows:
        by = {name: str(value) for name, value in row["by"].items()}
        want = known.get((row["name"], key_of(row["name"], by, row.get("side") or "")))
        assert want is not None, (row, without)
        assert row["n"] == want.n, (row, want, without)
        ends = [(row[end], getattr(want, end)) for end in ("value", "low", "high")]
        if row["low"] is None and want.low is not None and want.low == pytest.approx(want.high):
            # of values that are all alike rounding may leave an interval without any width
            ends = ends[:1]
        for got, own in ends:
            assert got == (None if own is None else pytest.approx(own, rel=0, abs=1e-9)), (
                row,
                want,
                without,
            )
    return len(rows)


def filters(
    judges: tuple[str, ...] = JUDGES, systems: tuple[str, ...] = SYSTEMS
) -> list[dict[str, tuple[str, ...]]]:
    """What is left out: one judge, one system, a kind of text, and 7 mixtures by chance."""
    rng = random.Random(20)

    def some(names: tuple[str, ...], left: int) -> tuple[str, ...]:
        return tuple(rng.sample(names, rng.randint(0, len(names) - left)))

    mixed = [
        {"Judge": some(judges, 1), "System": some(systems, 2), "Document": some(DOCUMENTS, 3)}
        for _ in range(7)
    ]
    return [{"Judge": judges[:1]}, {"System": systems[:1]}, {"genre": ("news",)}, *mixed]


@pytest.fixture(scope="module")
def opened(
    request: pytest.FixtureRequest, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[pl.DataFrame, Page]]:
    """A report, opened from its file, in which nothing may go wrong."""
    frame = judgments(request.param)
    file = tmp_path_factory.mktemp("live") / "report.html"
    file.write_bytes(to_html(compute(evaluation(frame), SETTINGS)))
    with browser.new_context(viewport={"width": 390, "height": 800}) as context:
        page = context.new_page()
        told: list[str] = []
        page.on("console", lambda message: told.append(message.text))
        page.on("pageerror", lambda error: told.append(str(error)))
        page.goto(file.as_uri())
        page.locator("#filter summary").click()
        yield frame, page
        assert told == []


LEAVE_OUT = """async without => {
  const section = document.getElementById("filter");
  const boxes = [...section.querySelectorAll("input")];
  for (const box of boxes) box.checked = !without[box.name]?.includes(box.value);
  const computed = new Promise((done) => {
    section.addEventListener("computed", done, { once: true });
  });
  boxes[0].dispatchEvent(new Event("change", { bubbles: true }));
  await computed;
  const read = (part, name) => [...document.querySelectorAll(`${part} tr[data-${name}]`)].map(
    (row) => JSON.parse(row.dataset[name]));
  const found = {};
  for (const folder of ["systems", "agreement", "judges", "preferences", "time", "metaeval"]) {
    found[folder] = read(`#${folder}`, "estimate");
  }
  return { ...found, tops: read(".tab", "numbers") };
}"""


def left_of(frame: pl.DataFrame, without: dict[str, tuple[str, ...]]) -> pl.DataFrame:
    """The rows that a filter keeps; of comparisons those of which both systems are kept."""
    for column, names in without.items():
        own = [c for c in frame.columns if c.startswith(column.lower())]
        frame = frame.filter(~pl.any_horizontal(pl.col(own).is_in(names)))
    return frame


@pytest.mark.parametrize("opened", DESIGNS, indirect=True)
def test_ten_filters_give_jurats_own_numbers(
    opened: tuple[pl.DataFrame, Page], request: pytest.FixtureRequest
):
    frame, page = opened
    # how judges agree does not depend on how systems are compared
    everything = request.node.callspec.params["opened"] == "two"
    for without in filters():
        left = left_of(frame, without)
        shown = page.evaluate(LEAVE_OUT, {name: list(names) for name, names in without.items()})
        tops = top_shares(left)
        assert {row["system"]: row["top"] for row in shown["tops"]} == pytest.approx(tops)
        for folder in ("systems", "agreement", "judges", "time") if everything else ("systems",):
            assert check(shown[folder], computed(evaluation(left), folder), without)
        if request.node.callspec.params["opened"] == "all":
            rows = [row for row in shown["agreement"] if row["name"] in COMPLETE]
            assert {row["name"] for row in rows} == {*COMPLETE}
            assert check(rows, computed(evaluation(left), "agreement", COMPLETE), without)


def compared() -> pl.DataFrame:
    """Comparisons of three systems on either side, with ties, repeats and several judges."""
    rng = random.Random(7)
    rows = []
    for d, document in enumerate(DOCUMENTS):
        for segment, judge, (a, b) in itertools.product(
            range(3), JUDGES[:5], itertools.combinations(SYSTEMS[:3], 2)
        ):
            for _ in range(rng.choice((0, 1, 1, 2))):
                sides = (a, b) if rng.random() < 0.5 else (b, a)
                better = "a" if sides[0] == b else "b"
                outcome = rng.choice((better, better, "a", "b", "tie"))
                seconds = f"{rng.lognormvariate(3.8, 0.7):.3f}"
                place = (judge, document, str(segment), f"{d}-{segment}")
                rows.append((*place, *sides, outcome, seconds))
    columns = ("judge", "document", "segment", "item", "system_a", "system_b", "outcome", "seconds")
    return pl.DataFrame(rows, schema=columns, orient="row")


def test_ten_filters_of_comparisons_give_jurats_own_numbers(browser: Browser, tmp_path: Path):
    frame = compared()
    file = tmp_path / "report.html"
    whole = Evaluation(preferences=Preferences(frame))
    file.write_bytes(to_html(compute(whole, SETTINGS)))
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(file.as_uri())
        for without in filters(JUDGES[:5], SYSTEMS[:3])[:1] + filters(JUDGES[:5], SYSTEMS[:3])[3:]:
            left = Evaluation(preferences=Preferences(left_of(frame, without)))
            given = {name: list(names) for name, names in without.items()}
            shown = page.evaluate(LEAVE_OUT, given)
            for folder in ("preferences", "time"):
                assert check(shown[folder], computed(left, folder), without)


METRIC_RESULTS = ("metric-pearson", "metric-consistency")


def metric_scores(frame: pl.DataFrame) -> MetricScores:
    """Scores that go with the systems, of which one metric lacks some and another is reversed."""
    rng = random.Random(5)
    places = frame.select("document", "segment", "system").unique(maintain_order=True)
    good = [SYSTEMS.index(system) + rng.gauss(0, 1) for system in places["system"]]
    scores = places.with_columns(
        chrf=pl.Series([g if n % 9 else None for n, g in enumerate(good)]),
        ter=pl.Series([-g + rng.gauss(0, 2) for g in good]),
    )
    return read_scores(scores, lower=("ter",))


@pytest.mark.parametrize("judges", [True, False])
def test_filters_of_metrics_give_jurats_own_numbers(browser: Browser, tmp_path: Path, judges: bool):
    frame = judgments("two")
    frame = frame if judges else frame.drop("judge").unique(["document", "segment", "system"])
    settings = replace(SETTINGS, scores=metric_scores(frame))
    file = tmp_path / "report.html"
    file.write_bytes(to_html(compute(evaluation(frame), settings)))
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(file.as_uri())
        for without in filters()[:4] if judges else filters()[1:3]:
            left = evaluation(left_of(frame, without))
            found = analyse("metaeval", left, settings.of("metaeval"), only=METRIC_RESULTS)
            known = {
                (result.name, key_of(result.name, {k: str(v) for k, v in e.by.items()}, "")): e
                for result in found
                for e in result.estimates
            }
            given = {name: list(names) for name, names in without.items()}
            shown = page.evaluate(LEAVE_OUT, given)["metaeval"]
            assert {row["name"] for row in shown} == {*METRIC_RESULTS}
            assert check(shown, known, without)


@pytest.mark.parametrize("opened", ["two"], indirect=True)
def test_what_is_not_computed_anew_says_so(opened: tuple[pl.DataFrame, Page]):
    _, page = opened
    page.locator("#filter button[type=reset]").click()
    expect(page.locator(".all-data")).to_have_count(0)
    before = page.locator("main").inner_text()
    page.locator("#filter").get_by_label("judge0").uncheck()
    expect(page.locator("#filter [role=status]")).to_contain_text("answers are kept")
    expect(page.locator("#judges .all-data").first).to_be_visible()
    expect(page.locator("#judges .block.whole").first).to_be_visible()
    live = page.locator("#agreement-krippendorff-alpha")
    expect(live).to_contain_text("Computed in this page from")
    assert "whole" not in (live.get_attribute("class") or "")
    expect(page.locator(".tab.whole")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("#filter button[type=reset]").click()
    expect(page.locator(".all-data")).to_have_count(0)
    assert page.locator("main").inner_text() == before


@pytest.mark.parametrize("opened", ["two"], indirect=True)
def test_no_judgment_may_be_left(opened: tuple[pl.DataFrame, Page]):
    _, page = opened
    page.evaluate(LEAVE_OUT, {"Judge": list(JUDGES)})
    expect(page.locator(".tab")).to_contain_text("No answer is left.")
    page.get_by_role("button", name="All: Judge").click()
    expect(page.locator(".all-data")).to_have_count(0)
    page.get_by_role("button", name="None: genre").click()
    expect(page.locator("#filter [role=status]")).to_contain_text("0 of ")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("opened", ["two"], indirect=True)
def test_a_filtered_page_is_accessible(opened: tuple[pl.DataFrame, Page], scheme: str):
    _, page = opened
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.evaluate(LEAVE_OUT, {"Judge": ["judge0"]})
    assert violations(page) == []


def test_data_do_not_tell_who_has_which_pseudonym():
    """Neither their names nor their order stand in the file."""
    made = to_html(compute(evaluation(judgments("two")), ReportSettings(bootstrap=20))).decode()
    inner = made.partition('id="live-data">')[2].partition("</script>")[0]
    (table,) = json.loads(inner)["tables"]
    assert table["judges"] == sorted(table["judges"])
    assert not [name for name in JUDGES if name in made]


def test_a_report_without_systems_has_a_filter_for_agreement():
    frame = judgments("two").drop("system")
    made = to_html(compute(evaluation(frame), ReportSettings(bootstrap=20))).decode()
    inner = made.partition('id="live-data">')[2].partition("</script>")[0]
    assert [table["sections"] for table in json.loads(inner)["tables"]] == [
        ["agreement", "judges", "time"]
    ]
