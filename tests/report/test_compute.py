"""A report says what the statistics say, of judges whose names it does not tell."""

import re
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from jurat.errors import InputError
from jurat.report.compute import Report, compute
from jurat.report.contents import HUGE, LARGE, SECTIONS, SectionKind
from jurat.report.corpus import judgment_count
from jurat.report.findings import findings, limits
from jurat.report.pseudonyms import Pseudonyms, hidden
from jurat.report.settings import ReportSettings
from jurat.report.svg.canvas import Palette
from jurat.report.svg.figure import draw
from jurat.report.systems_table import systems_tables
from jurat.results import Estimate, Result, spoken
from jurat.stats import Evaluation, analyse, statistics
from jurat.tables import Intake, Judgments
from tests.report import judged_table
from tests.report.judged_table import JUDGES, SYSTEMS, evaluation

SETTINGS = ReportSettings(bootstrap=50, group="seen")


@pytest.fixture(scope="module", name="report")
def made() -> Report:
    return compute(evaluation(), SETTINGS)


@pytest.mark.parametrize("folder", ["agreement", "systems", "bias"])
def test_numbers_and_signatures_are_the_commands_own(report: Report, folder: str) -> None:
    section = report.section(folder)
    assert section is not None
    shown = [r for answer in section.answers for r in answer.known]
    named = list(analyse(folder, evaluation(), SETTINGS.of(folder)))
    numbers = {(r.signature, *_numbers(r)) for r in named if any(e.value for e in r.estimates)}
    assert numbers <= {(r.signature, *_numbers(r)) for r in shown}


def _numbers(result: Result) -> list[tuple[float, ...]]:
    return sorted(
        (e.value, e.low or 0.0, e.high or 0.0) for e in result.estimates if e.value is not None
    )


@pytest.mark.parametrize("kind", SECTIONS, ids=lambda kind: kind.name)
def test_what_takes_long_is_left_out_of_reports_on_many_judgments(kind: SectionKind) -> None:
    known = {statistic.name for statistic in statistics(kind.name)}
    assert {*kind.first, *kind.left_out(HUGE + 1)} <= known
    assert kind.left_out(LARGE) == ()
    assert kind.left_out(HUGE) == kind.slow


def test_pseudonyms_are_the_same_for_the_same_data_and_not_in_the_order_of_names() -> None:
    first, second = (Pseudonyms.of(evaluation(), judges=True, systems=True) for _ in "ab")
    assert first == second
    assert {*first.judges.values()} == {"J1", "J2", "J3", "J4"}
    assert list(first.judges.values()) != ["J1", "J2", "J3", "J4"]
    assert {*first.systems.values()} == {"System A", "System B", "System C"}


def test_figures_that_call_judges_by_another_key_do_not_tell_the_order_of_names(
    report: Report,
) -> None:
    section = report.section("agreement")
    assert section is not None
    found = section.result("agreement-mean")
    assert found is not None
    figure: Any = found.figure()
    names = [row["name"] for row in figure["data"]["values"] if row["over"] == "judges"]
    assert names == ["J1", "J2", "J3", "J4"]


def test_figures_have_no_internal_names(report: Report) -> None:
    results = [r for section in report.sections for a in section.answers for r in a.known]
    drawn = [draw(figure, Palette(report.systems)) for r in results if (figure := r.figure())]
    shown = {text for one in drawn for text in re.findall(r">([^<>]+)<", one)}
    names = {name for kind in SECTIONS for one in statistics(kind.name) for name in one.gives}
    assert not shown & {name for name in names if "-" in name}


@pytest.mark.parametrize("title", ["p", "p (Holm)"])
def test_strong_cells_are_small_p_values_in_every_figure(title: str) -> None:
    rows = [
        {"system_a": a, "system_b": b, "value": p}
        for a, b, p in (("x", "y", 0.001), ("x", "z", 0.09))
    ]
    channels = {
        "x": {"field": "system_b", "type": "nominal"},
        "y": {"field": "system_a", "type": "nominal"},
        "color": {"field": "value", "type": "quantitative", "title": title},
    }
    figure: Any = {"data": {"values": rows}, "mark": "rect", "encoding": channels}
    small, large = map(float, re.findall(r'fill-opacity="([\d.]+)"', draw(figure, Palette())))
    assert small > large


def test_hidden_tables_hold_no_name() -> None:
    names = Pseudonyms.of(evaluation(), judges=True, systems=True)
    shown = hidden(evaluation(), names).judged.write_csv()
    assert not [name for name in (*JUDGES, *SYSTEMS) if name in shown]


def test_pairs_of_judges_do_not_tell_the_order_of_names() -> None:
    names = Pseudonyms(judges={"a": "J2", "b": "J1"})
    pair = {"judge_a": "\ue000j0000000\ue001", "judge_b": "\ue000j0000001\ue001"}
    result = Result(name="x", estimates=(Estimate(1.0, 1, by=pair),), method="", signature="")
    (estimate,) = names.reveal(result).estimates
    assert estimate.by == {"judge_a": "J1", "judge_b": "J2"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("where judge != 'Ann'", "where judge != 'J2'"),
        ("Annex by Ann", "Annex by J2"),
        ("7 rows of judge '7'", "7 rows of judge J1"),
    ],
)
def test_names_in_notes_and_conditions_are_masked(text: str, shown: str) -> None:
    assert Pseudonyms(judges={"7": "J1", "Ann": "J2"}).masked(text) == shown


def test_findings_are_headlines_of_statistics(report: Report) -> None:
    headlines = {r.headline for s in report.sections for a in s.answers for r in a.known}
    told = [finding.text for finding in findings(report)]
    assert len(told) >= 5
    assert {*told} <= headlines


def test_limits_that_differ_in_a_number_are_one(report: Report) -> None:
    texts = [limit.text for limit in limits(report)]
    assert len(texts) == len({*texts})


def test_sections_without_their_data_stay_empty(report: Report) -> None:
    empty = {section.kind.name for section in report.sections if not section.answers}
    assert empty == {"preferences", "heval", "metaeval", "model_judges"}


def test_rows_of_a_file_are_no_order_of_work() -> None:
    frame = judged_table.table().drop("position")
    made = compute(
        Evaluation(judgments=Judgments(frame, Intake(columns="value=adequacy"))), SETTINGS
    )
    assert made.section("fatigue") is None
    assert made.section("judges") is not None


def test_every_figure_of_the_statistics_can_be_drawn(report: Report) -> None:
    results = [r for s in report.sections for a in s.answers for r in a.known]
    figures = [figure for result in results if (figure := result.figure())]
    assert len(figures) > 30
    drawn = [draw(figure, Palette(report.systems)) for figure in figures]
    assert all("<svg" in picture and 'aria-label="' in picture for picture in drawn if picture)
    # a single point is no figure, nor are bars of no height
    left_out = [figure for figure, picture in zip(figures, drawn, strict=True) if not picture]
    for figure in left_out:
        rows: Any = figure["data"]
        values = [row["value"] for row in rows["values"]]
        assert len(values) < 2 or not any(values)
    assert len(drawn) - len(left_out) > 30


def test_a_group_that_no_column_tells_is_refused() -> None:
    with pytest.raises(InputError, match="no column 'colour'"):
        compute(evaluation(), ReportSettings(group="colour"))


def test_colours_stay_with_their_systems() -> None:
    palette = Palette(("a", "b", "c"))
    assert palette.of(["c", "a"]) == {"c": "c3", "a": "c1"}
    many = Palette(tuple("abcdefghijk"))
    assert many.of(["k", "a"]) == {"k": "c1", "a": "c1"}


def test_model_judges_have_a_section_of_their_own() -> None:
    people = evaluation().judged
    model = people.filter(judge=JUDGES[0]).with_columns(
        judge=pl.lit("tiny"), judge_kind=pl.lit("model")
    )
    both = pl.concat([people.with_columns(judge_kind=pl.lit("person")), model])
    alone = Evaluation(judgments=Judgments(both))
    every = Evaluation(judgments=Judgments(both, Intake(include_models=True)))
    without = compute(alone, SETTINGS)
    assert without.section("model_judges") is None
    report = compute(alone, replace(SETTINGS, models=every))
    section = report.section("model_judges")
    assert section is not None
    found = section.result("model-pearson")
    assert found is not None
    # a model keeps its name, and counts in no other section
    assert {e.by.get("model") for e in found.estimates} == {"tiny"}
    assert report.judgments == people.height
    counted = [one.section("agreement").result("n-agreement") for one in (without, report)]  # type: ignore[union-attr]
    assert counted[0].estimates == counted[1].estimates  # type: ignore[union-attr]


def test_answers_given_at_once_are_one_judgment():
    ratings = pl.DataFrame(
        {
            "judge": ["x", "x", "x", "y"],
            "decided_at": [1, 1, 2, None],
            "question": ["adequacy", "fluency", "adequacy", "adequacy"],
            "system": ["a", "a", "b", "a"],
        }
    )
    # a comparison that came with the ratings, and one of its own
    compared = pl.DataFrame({"judge": ["x", "y"], "decided_at": [1, 3]})
    assert judgment_count([ratings, compared]) == 4
    assert judgment_count([ratings.drop("decided_at")]) == 4
    assert judgment_count([]) == 0
    settled = ratings.with_columns(status=pl.Series(["valid", "valid", "adjudicated", None]))
    assert judgment_count([settled]) == 2


def test_the_adjusted_scores_of_the_headline_are_in_the_table():
    # larkspur was not judged by the last judge, nor nightshade by the first
    missing = ((SYSTEMS[0], JUDGES[3]), (SYSTEMS[2], JUDGES[0]))
    apart = [~((pl.col("system") == s) & (pl.col("judge") == j)) for s, j in missing]
    rows = judged_table.table().filter(*apart)
    read = Evaluation(judgments=Judgments(rows, Intake(columns="value=adequacy")))
    section = compute(read, SETTINGS).section("systems")
    assert section is not None
    score, adjusted = section.result("system-score"), section.result("adjusted-score")
    assert score is not None
    assert adjusted is not None
    assert "the highest adjusted score" in score.headline
    shown = systems_tables(section, Palette(SYSTEMS), 0.95)
    heads = re.findall(r"<th scope=\"col\"[^>]*>([^<]*)", shown)
    assert heads[2:6] == ["Rank", "Adjusted score", "Mean", "95 % interval of the mean"]
    for one in adjusted.estimates:
        (row,) = re.findall(rf"<tr[^>]*>(?:(?!</tr>).)*{one.by['system']}.*?</tr>", shown)
        assert f">{spoken(one.value)}</td>" in row
    balanced = compute(evaluation(), SETTINGS).section("systems")
    assert balanced is not None
    assert "Adjusted score" not in systems_tables(balanced, Palette(SYSTEMS), 0.95)
