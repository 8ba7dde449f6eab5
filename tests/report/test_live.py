"""A reader's filter gives the numbers that Jurat computes from the same judgments."""

import json
import random
from collections.abc import Iterator

import polars as pl
import pytest
from playwright.sync_api import Browser, Page, expect

from jurat.report.compute import compute
from jurat.report.page import to_html
from jurat.report.settings import ReportSettings
from jurat.stats import Evaluation, analyse
from jurat.tables import Intake, Judgments
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
            "adequacy": str(round(50 + 6 * s + 2 * j + 4 * (d % 3) + rng.gauss(0, 9), 1)),
            "genre": "news" if d % 2 else "talk",
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


def computed(frame: pl.DataFrame) -> dict[str, dict[str, float | None]]:
    """What `jurat systems` says of each system."""
    names = ["system-score", "system-rank", "system-cluster"]
    found = analyse("systems", evaluation(frame), SETTINGS.of("systems"), only=names)
    by = {result.name: {str(e.by["system"]): e for e in result.estimates} for result in found}
    scores, tops, ranks = by["system-score"], by["system-top"], by["system-rank"]
    return {
        system: {
            "value": score.value,
            "low": score.low,
            "high": score.high,
            "top": tops[system].value,
            "rank": ranks[system].value,
            "rankLow": ranks[system].low,
            "rankHigh": ranks[system].high,
            "cluster": by["system-cluster"][system].value,
            "n": score.n,
        }
        for system, score in scores.items()
    }


def compared(frame: pl.DataFrame) -> dict[tuple[str, str], dict[str, float | None]]:
    """What `jurat systems` says of every two systems."""
    names = ["system-difference", "pairwise-p"]
    found = analyse("systems", evaluation(frame), SETTINGS.of("systems"), only=names)
    by = {
        result.name: {(str(e.by["system_a"]), str(e.by["system_b"])): e for e in result.estimates}
        for result in found
    }
    return {
        pair: {"value": e.value, "low": e.low, "high": e.high, "p": by["pairwise-p"][pair].value}
        for pair, e in by["system-difference"].items()
    }


def near(numbers: dict[str, float | None]) -> dict[str, object]:
    """The numbers as they may come out in another language: to 1e-9."""
    return {
        name: None if number is None else pytest.approx(number, rel=0, abs=1e-9)
        for name, number in numbers.items()
    }


def filters() -> list[dict[str, tuple[str, ...]]]:
    """What is left out: one judge, one system, a kind of text, and 17 mixtures by chance."""
    rng = random.Random(20)

    def some(names: tuple[str, ...], left: int) -> tuple[str, ...]:
        return tuple(rng.sample(names, rng.randint(0, len(names) - left)))

    mixed = [
        {"Judge": some(JUDGES, 1), "System": some(SYSTEMS, 2), "Document": some(DOCUMENTS, 3)}
        for _ in range(17)
    ]
    return [{"Judge": JUDGES[:1]}, {"System": SYSTEMS[:1]}, {"genre": ("news",)}, *mixed]


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
        yield frame, page
        assert told == []


LEAVE_OUT = """without => {
  const boxes = [...document.querySelectorAll("#filter input")];
  for (const box of boxes) box.checked = !without[box.name]?.includes(box.value);
  boxes[0].dispatchEvent(new Event("change", { bubbles: true }));
  const read = (name) => [...document.querySelectorAll(`.tab[data-split] tr[data-${name}]`)].map(
    (row) => JSON.parse(row.dataset[name]));
  return [read("numbers"), read("pair")];
}"""


@pytest.mark.parametrize("opened", DESIGNS, indirect=True)
def test_twenty_filters_give_jurats_own_numbers(opened: tuple[pl.DataFrame, Page]):
    frame, page = opened
    for without in filters():
        left = frame
        for column, names in without.items():
            left = left.filter(~pl.col(column.lower()).is_in(names))
        rows, pairs = page.evaluate(
            LEAVE_OUT, {name: list(names) for name, names in without.items()}
        )
        want = computed(left)
        assert {row["system"] for row in rows} == set(want), without
        for row in rows:
            assert row == {**row, **near(want[row["system"]])}, without
        differences = compared(left)
        assert len(pairs) * 2 == len(differences)
        for pair in pairs:
            assert pair == {**pair, **near(differences[pair["first"], pair["second"]])}, without


@pytest.mark.parametrize("opened", ["two"], indirect=True)
def test_what_is_not_computed_anew_says_so(opened: tuple[pl.DataFrame, Page]):
    _, page = opened
    page.locator("#filter button[type=reset]").click()
    expect(page.locator(".all-data")).to_have_count(0)
    before = page.locator(".tab").inner_text()
    page.locator("#filter").get_by_label("judge0").uncheck()
    expect(page.locator("#agreement .all-data")).to_be_visible()
    expect(page.locator("#agreement .whole").first).to_be_visible()
    expect(page.locator(".tab.whole")).to_have_count(0)
    assert "Computed in this page from" in page.locator(".tab").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("#filter button[type=reset]").click()
    expect(page.locator(".all-data")).to_have_count(0)
    assert page.locator(".tab").inner_text() == before


@pytest.mark.parametrize("opened", ["two"], indirect=True)
def test_no_judgment_may_be_left(opened: tuple[pl.DataFrame, Page]):
    _, page = opened
    page.evaluate(LEAVE_OUT, {"Judge": list(JUDGES)})
    expect(page.locator(".tab")).to_contain_text("No judgment is left.")
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


def test_a_report_without_scores_of_systems_has_no_filter():
    frame = judgments("two").drop("system")
    made = to_html(compute(evaluation(frame), ReportSettings(bootstrap=20))).decode()
    assert 'id="filter"' not in made
