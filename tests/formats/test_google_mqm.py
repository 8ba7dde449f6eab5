"""Google's MQM files: published scores recomputed, spans, weights, and systems side by side."""

from pathlib import Path

import polars as pl
import pytest

from jurat.errors import InputError
from jurat.formats import ReadTables, load, read_judgments
from jurat.formats.google_mqm import error_weight, marked_part
from jurat.model import File

HEADING = "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata"


def read(*rows: tuple[str, ...], heading: str = HEADING) -> ReadTables:
    text = "\n".join([heading, *("\t".join(row) for row in rows)]).strip("\n")
    return read_judgments([File("mqm.tsv", text.encode())])


def row(
    target: str, category: str, severity: str, *more: str, system: str = "A", source: str = "That."
) -> tuple[str, ...]:
    return (system, "d1", "1", "7", "r1", source, target, category, severity, *(more or ("",)))


def published(path: Path) -> pl.DataFrame:
    rows = [line.replace("\t", " ").split(" ") for line in path.read_text().splitlines()[1:]]
    return pl.DataFrame(
        [(system, segment, float(score)) for system, score, segment in rows if score != "None"],
        schema={"system": pl.String, "segment": pl.String, "published": pl.Float64},
        orient="row",
    )


def test_scores_equal_the_published_means(shared: Path) -> None:
    folder = shared / "foreign" / "mqm"
    judgments = read_judgments(load(folder / "mqm_ted_ende.tsv")).tables["judgments"]
    means = judgments.group_by("system", "segment").agg(pl.col("value").mean())
    # the published file calls the reference ref-A, the annotations ref
    named = means.with_columns(pl.col("system").replace("ref", "ref-A"))
    both = published(folder / "mqm_ted_ende.avg_seg_scores.tsv").join(
        named, on=["system", "segment"], how="full", coalesce=True
    )
    assert both.null_count().sum_horizontal().item() == 0
    assert both.filter(pl.col("system") != "ref-A").height == 6877
    assert (both["published"] - both["value"]).abs().max() == pytest.approx(0, abs=1e-6)


def test_spans_texts_and_times() -> None:
    metadata = '{"timestamp": 1725127377765, "note": "odd"}'
    found = read(
        row("Das 😀 <v>ist</v> gut.", "Accuracy/Mistranslation", "Major", metadata),
        row("Das 😀 ist <v>gut</v>.", "Fluency/Punctuation", "minor"),
    )
    assert found.tables["judgments"].select("segment", "value").rows() == [("7", -5.1)]
    assert found.tables["judgments"]["decided_at"][0].year == 2024
    spans = found.tables["spans"].select("start", "end", "weight", "severity")
    assert spans.rows() == [(6, 9, 5.0, "major"), (10, 13, 0.1, "minor")]
    assert found.tables["translations"]["translation"].to_list() == ["Das 😀 ist gut."]
    assert found.tables["texts"].select("question", "text").rows() == [("note", "odd")]


def test_mark_in_the_source_is_something_missing() -> None:
    found = read(row("Das.", "Accuracy/Omission", "Major", source="That <v>there</v>."))
    names = ("missing", "start", "end", "source_start", "source_end")
    assert found.tables["spans"].select(names).rows() == [(True, 0, 0, 5, 10)]


def test_no_error_counts_as_judged() -> None:
    found = read(row("Das.", "No-error", "No-error"), row("Da.", "", "", system="B"))
    assert found.tables["judgments"]["value"].to_list() == [0.0, 0.0]
    assert "spans" not in found.tables


@pytest.mark.parametrize(
    ("category", "severity", "weight"),
    [
        ("Non-translation!", "major", 25.0),
        ("Fluency/Punctuation", "minor", 0.1),
        ("fluency/punctuation", "major", 5.0),
        ("Style/Awkward", "neutral", 0.0),
        ("Source issue", "major", 0.0),
        ("Reinterpretation", "minor", 0.0),
        ("Accuracy/Addition", "critical", 5.0),
        ("No-error", "no-error", 0.0),
    ],
)
def test_weights_are_those_of_mt_metrics_eval(category: str, severity: str, weight: float) -> None:
    assert error_weight(category, severity) == weight


@pytest.mark.parametrize(
    ("text", "place"),
    [("a <v>b</v> c", (2, 3)), ("<v>a</v>", (0, 1)), ("abc", None), ("a <v>b c", (2, 5))],
)
def test_marked_part(text: str, place: tuple[int, int] | None) -> None:
    assert marked_part(text) == place


def test_systems_side_by_side_are_also_preferences() -> None:
    found = read(
        row("<v>Das</v>.", "Style", "Minor", system="A_with_B"),
        row("Das.", "No-error", "No-error", system="B_with_A"),
    )
    assert found.tables["judgments"].select("system", "beside").rows() == [("A", "B"), ("B", "A")]
    preferences = found.tables["preferences"].select("system_a", "system_b", "outcome")
    assert preferences.rows() == [("A", "B", "b")]


def test_file_without_heading_and_rows_without_rater() -> None:
    first = row("Das.", "No-error", "No-error")
    unnamed = (*first[:4], "", *first[5:])
    found = read(unnamed, first, heading="")
    assert found.tables["judgments"].height == 1
    assert found.notes == ("MQM: left out, rows without a rater: 1",)


def test_unknown_severities_and_short_rows_are_named() -> None:
    with pytest.raises(InputError) as caught:
        read(row("Das.", "Style", "Majr"), ("A", "d1"))
    assert [problem.line for problem in caught.value.problems] == [2, 3]
    assert "did you mean 'major'?" in str(caught.value)
