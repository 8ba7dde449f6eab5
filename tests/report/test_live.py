"""A reader's filter gives the numbers that Jurat computes from the same judgments."""

import itertools
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from playwright.sync_api import Browser, Page, expect

from jurat.protocols import load
from jurat.report.compute import compute
from jurat.report.heval_tables import level_results, with_compared
from jurat.report.live.data import live_data
from jurat.report.page import to_html
from jurat.report.pseudonyms import Pseudonyms
from jurat.report.settings import ReportSettings
from jurat.results import Estimate, Result
from jurat.stats import Evaluation, analyse, statistics
from jurat.stats.metaeval.input_tables import MetricScores, read_scores
from jurat.stats.settings import Settings
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
        for segment in range(2 if design == "all" else 4)
        for s, system in enumerate(SYSTEMS)
        if design != "adjusted" or d % len(SYSTEMS) != s
        for j in (range(len(JUDGES)) if design == "all" else rng.sample(range(len(JUDGES)), 2))
    ]
    if design != "two":
        # macro-averages are over domains
        return pl.DataFrame(rows).with_columns(domain=pl.col("genre"))
    # a judge meets some translations again, and everybody has an order of their own
    more = [
        {**row, "adequacy": str(int(row["adequacy"]) + rng.randint(-2, 2))} for row in rows[::7]
    ]
    both = pl.DataFrame([*rows, *more])
    order = pl.Series(rng.sample(range(both.height), both.height))
    return both.with_columns(position=order.cast(pl.String))


def evaluation(frame: pl.DataFrame) -> Evaluation:
    return Evaluation(judgments=Judgments(frame, Intake(columns="value=adequacy")))


# What the page computes, by folder, of the designs.
COMPUTED = {
    "systems": {
        "system-score",
        "system-top",
        "system-median",
        "system-rank",
        "system-cluster",
        "system-difference",
        "pairwise-p",
        "pairwise-p-these-judges",
        "adjusted-score",
        "system-z",
        "system-best",
        "system-best-count",
        "system-wins",
        "pairwise-wins",
        "best-agreement",
        "rank-agreement",
        "bradley-terry",
        "davidson",
        "davidson-ties",
        "document-score",
    },
    "agreement": {
        "n-agreement",
        "kway-agreement",
        "fleiss-kappa",
        "fleiss-observed",
        "fleiss-expected",
        "krippendorff-alpha",
        "cohen-kappa",
        "cohen-kappa-pairs",
        "scott-pi",
        "gwet-ac",
        "brennan-prediger",
        "left-out-kappa",
        "answer-share",
        "pearson-mean",
        "spearman-mean",
        "kendall-mean",
        "agreement-minimum",
        "agreement-mean",
        "agreement-maximum",
        "item-spread",
        "spread-correlation",
        "intra-agreement",
        "intra-distance",
        "intra-kappa",
        "intra-pearson",
    },
    "judges": {
        "judge-mean",
        "overall-mean",
        "judge-difference",
        "judge-others-mean",
        "judge-distance",
        "judge-influence",
        "judge-influence-ranks",
        "judge-entropy",
        "judge-middle-share",
        "judge-longest-run",
        "judge-seconds",
        "judge-pace",
        "judge-self-distance",
        "judge-drift",
    },
    "fatigue": {
        "slice-agreement",
        "slice-sd",
        "slice-mean",
        "slice-seconds",
        "slice-trend",
        "slice-trend-p",
    },
    "time": {
        "seconds-mean",
        "seconds-median",
        "seconds-capped",
        "seconds-over",
        "seconds-of-system",
        "seconds-of-judge",
        "seconds-of-document",
        "hours-worked",
    },
    "preferences": {
        "preference-count",
        "preference-share",
        "preference-wins",
        "preference-p",
        "preference-p-adjusted",
        "preference-p-these-judges",
        "sign-test",
        "sign-test-adjusted",
        "preference-agreement",
        "preference-kappa",
        "preference-observed",
        "preference-expected",
        "preference-pairs",
        "preference-agree",
        "preference-ties",
        "preference-total",
        "cohen-kappa",
        "side-bias",
        "side-bias-p",
    },
}
# Of judges who judged all the items.
COMPLETE = {"icc", "kendall-w", "conger-kappa"}
# Of comparisons; the others need scores.
OF_COMPARISONS = {
    "system-rank",
    "system-cluster",
    "pairwise-p",
    "pairwise-p-these-judges",
    "system-best",
    "system-best-count",
    "system-wins",
    "pairwise-wins",
    "best-agreement",
    "rank-agreement",
    "bradley-terry",
    "davidson",
    "davidson-ties",
    "side-effect",
}
Known = dict[tuple[str, frozenset[tuple[str, str]]], Estimate]


def computed(whole: Evaluation, settings: Settings, folder: str, names: set[str]) -> Known:
    """What Jurat's commands say, by the result and what an estimate is of."""
    asked = {plain_name(name) for name in names}
    only = [one.name for one in statistics(folder) if asked & {*one.gives}]
    return known_of(analyse(folder, whole, settings, only=only))


def known_of(results: Iterable[Result]) -> Known:
    """The estimates of results, by the result and what each is of."""
    known: Known = {}
    for result in results:
        for estimate in result.estimates:
            by = {name: str(key) for name, key in estimate.by.items()}
            known[result.name, key_of(result.name, by, estimate.side)] = estimate
    return known


def plain_name(name: str) -> str:
    """The name of a result that a page tells from another of the same name."""
    return {
        "cohen-kappa-pairs": "cohen-kappa",
        "metric-pearson-metric-spearman": "metric-spearman",
    }.get(name, name)


def key_of(name: str, by: dict[str, str], side: str) -> frozenset[tuple[str, str]]:
    """What an estimate is of; two judges in either order, and of two systems a by its name."""
    own = dict(by)
    if "judge_a" in own:
        own["judge_a"], own["judge_b"] = sorted((own["judge_a"], own["judge_b"]))
    # which of two systems is a depends on the first row of a table
    symmetric = name.startswith(("preference-p", "sign-test"))
    if symmetric and "system_a" in own:
        own["system_a"], own["system_b"] = sorted((own["system_a"], own["system_b"]))
    if side and name in ("preference-count", "preference-share"):
        own["outcome"] = side
    return frozenset(own.items())


def check(rows: list[dict[str, Any]], known: Known, without: object) -> None:
    """Compare what the page shows with what Jurat computes: to 1e-9."""
    for row in rows:
        by = {name: str(value) for name, value in row["by"].items()}
        name = plain_name(row["name"])
        want = known.get((name, key_of(name, by, row.get("side") or "")))
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


def check_folders(
    shown: dict[str, Any],
    left: Evaluation,
    without: object,
    folders: Sequence[str],
    settings: ReportSettings = SETTINGS,
) -> set[tuple[str, str]]:
    """Compare everything in some folders; give the results that were shown."""
    found = set()
    for folder in folders:
        names = {row["name"] for row in shown[folder]}
        known = computed(left, settings.of(folder), folder, names)
        check(shown[folder], known, without)
        found |= {(folder, name) for name in names}
    return found


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
  for (const { id } of document.querySelectorAll("main > section[id]")) {
    found[id] = read(`#${id}`, "estimate");
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
def test_filters_give_jurats_own_numbers(
    opened: tuple[pl.DataFrame, Page], request: pytest.FixtureRequest
):
    frame, page = opened
    design = request.node.callspec.params["opened"]
    # how judges agree does not depend on how systems are compared
    every = ("systems", "agreement", "judges", "time", "fatigue")
    folders = every if design == "two" else ("systems",)
    found = set()
    # of the other designs, which are there for the systems, a few filters will do
    for without in filters() if design == "two" else filters()[:5]:
        left = evaluation(left_of(frame, without))
        shown = page.evaluate(LEAVE_OUT, {name: list(names) for name, names in without.items()})
        own = [row for row in shown["systems"] if row["name"] == "system-top"]
        tops = {row["by"]["system"]: row["value"] for row in own}
        assert {row["system"]: row["top"] for row in shown["tops"]} == tops
        if design == "all":
            complete = [row for row in shown["agreement"] if row["name"] in COMPLETE]
            found |= check_folders({"agreement": complete}, left, without, ["agreement"])
        found |= check_folders(shown, left, without, folders)
    expected = {(folder, name) for folder in folders for name in COMPUTED[folder]}
    alone = {("systems", "best-agreement"), ("systems", "rank-agreement")}
    missing = expected - found - (alone if design == "adjusted" else set())
    assert not missing
    assert design == "two" or ("systems", "macro-score") in found
    assert design != "all" or found >= {("agreement", name) for name in COMPLETE}


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


def test_filters_of_comparisons_give_jurats_own_numbers(browser: Browser, tmp_path: Path):
    frame = compared()
    file = tmp_path / "report.html"
    whole, found = Evaluation(preferences=Preferences(frame)), set()
    file.write_bytes(to_html(compute(whole, SETTINGS)))
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(file.as_uri())
        for without in filters(JUDGES[:5], SYSTEMS[:3])[:1] + filters(JUDGES[:5], SYSTEMS[:3])[3:]:
            left = Evaluation(preferences=Preferences(left_of(frame, without)))
            given = {name: list(names) for name, names in without.items()}
            shown = page.evaluate(LEAVE_OUT, given)
            found |= check_folders(shown, left, without, ["preferences", "systems", "time"])
    names = {("preferences", name) for name in COMPUTED["preferences"]}
    assert not (names | {("systems", name) for name in OF_COMPARISONS}) - found


def profile() -> tuple[pl.DataFrame, Intake]:
    """Answers of three judges to HEval's questions and another one, and how they are read."""
    rng = random.Random(15)
    questions = (*load("heval").questions, "adequacy")
    rows = [
        {
            "judge": judge,
            "document": document,
            "segment": str(segment),
            "system": system,
            "construct": ("gerund", "passive")[segment],
            **{name: str(min(4, max(0, round(rng.gauss(2 + s / 2, 1))))) for name in questions},
        }
        for judge in JUDGES[:3]
        for document in DOCUMENTS[:7]
        for segment in range(2)
        for s, system in enumerate(SYSTEMS[:2])
    ]
    return pl.DataFrame(rows), Intake(questions=questions)


HEVAL_RESULTS = {
    "heval-score",
    "heval-feature",
    "heval-construct",
    "heval-construct-feature",
    "heval-score-document",
    "heval-score-segment",
    "heval-correlation",
    "heval-spearman",
    "heval-correlation-p",
    "system-best",
    "system-best-count",
    "best-agreement",
    "rank-agreement",
}


def test_filters_of_heval_give_jurats_own_numbers(browser: Browser, tmp_path: Path):
    frame, intake = profile()
    file = tmp_path / "report.html"
    file.write_bytes(to_html(compute(Evaluation(judgments=Judgments(frame, intake)), SETTINGS)))
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(file.as_uri())
        without = {"Judge": JUDGES[:1], "Document": DOCUMENTS[2:3]}
        left = Evaluation(judgments=Judgments(left_of(frame, without), intake))
        given = {name: list(names) for name, names in without.items()}
        shown = page.evaluate(LEAVE_OUT, given)["heval"]
        asked = with_compared(left, SETTINGS.of("heval"))
        results = [*analyse("heval", left, asked), *(r for _, r in level_results(left, asked))]
        assert {row["name"] for row in shown} == HEVAL_RESULTS
        check(shown, known_of(results), without)


METRIC_RESULTS = {
    "metric-pearson",
    "metric-pearson-metric-spearman",
    "metric-kendall",
    "metric-consistency",
    "metric-verdicts",
    "metric-consistency-pair",
    "metric-spearman",
    "metric-spearman-undefined",
    "metric-scale",
    "metric-pairs",
    "metric-pairs-share",
    "metric-undifferentiated",
    "metric-pdp",
    "metric-coverage",
}


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


BIAS_RESULTS = {
    "group-mean",
    "group-difference",
    "group-difference-p",
    "cohen-kappa",
    "segment-spread",
    "segment-mean",
}


@pytest.mark.parametrize("judges", [True, False])
def test_filters_of_metrics_and_groups_give_jurats_own_numbers(
    browser: Browser, tmp_path: Path, judges: bool
):
    frame = judgments("two")
    # a judge sees one reference, another one, or the source
    seen = [("A", "B", "source")[JUDGES.index(judge) % 3] for judge in frame["judge"]]
    frame = frame.with_columns(seen=pl.Series(seen))
    frame = frame if judges else frame.drop("judge").unique(["document", "segment", "system"])
    settings = replace(SETTINGS, scores=metric_scores(frame), group="seen" if judges else "")
    file = tmp_path / "report.html"
    file.write_bytes(to_html(compute(evaluation(frame), settings)))
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(file.as_uri())
        for without in filters()[:4] if judges else filters()[1:3]:
            left = evaluation(left_of(frame, without))
            given = {name: list(names) for name, names in without.items()}
            shown = page.evaluate(LEAVE_OUT, given)
            folders = ["metaeval", "bias"] if judges else ["metaeval"]
            found = check_folders(shown, left, without, folders, settings)
            expected = {("metaeval", name) for name in METRIC_RESULTS}
            if judges:
                expected |= {("bias", name) for name in BIAS_RESULTS}
                expected.add(("metaeval", "metric-baseline"))
            assert not expected - found


@pytest.mark.parametrize("opened", ["two"], indirect=True)
def test_what_is_not_computed_anew_says_so(opened: tuple[pl.DataFrame, Page]):
    _, page = opened
    page.locator("#filter button[type=reset]").click()
    expect(page.locator(".all-data")).to_have_count(0)
    before = page.locator("main").inner_text()
    page.locator("#filter").get_by_label("judge0").uncheck()
    expect(page.locator("#filter [role=status]")).to_contain_text("answers are kept")
    expect(page.locator("#judges .all-data").first).to_be_visible()
    # of fatigue everything is computed anew
    expect(page.locator("#fatigue .all-data")).to_have_count(0)
    expect(page.locator("#judges .block.whole").first).to_be_visible()
    live = page.locator("#agreement-krippendorff-alpha")
    expect(live).to_contain_text("Computed in this page from")
    assert "whole" not in (live.get_attribute("class") or "")
    # what a headline said of all data is gone
    summaries = page.locator("#agreement details:not(.whole) > summary .said")
    assert not any(one.is_visible() for one in summaries.all())
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
        ["agreement", "judges", "time", "fatigue"]
    ]


def test_a_question_asked_of_one_kind_of_text_follows_its_filter():
    scores = judgments("adjusted").rename({"adequacy": "value"})
    news = scores.filter(pl.col("genre") == "news")
    frame = pl.concat(
        [one.with_columns(question=pl.lit(q)) for q, one in (("a", scores), ("b", news))]
    )
    whole = Evaluation(judgments=Judgments(frame))
    data = live_data(whole, whole, SETTINGS, Pseudonyms())
    assert data is not None
    tags = {table["by"]["question"]: table["tags"]["genre"]["names"] for table in data["tables"]}
    assert tags == {"a": ["news", "talk"], "b": ["news"]}
