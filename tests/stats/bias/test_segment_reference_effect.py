import json

import numpy as np
import polars as pl
import pytest

from jurat.stats import analyse
from jurat.stats.bias.segment_reference_effect import mean_spreads, mean_table, ranges
from jurat.stats.settings import BiasSettings
from tests.cli.run_command import jurat
from tests.stats.tables import evaluation

# Fomicheva & Specia's example: mean scores 3.4 and 2.0 for one translation under two references.
CSV = """
    judge,item,saw,value
    a,2,ref1,3
    b,2,ref1,4
    c,2,ref2,2
    d,2,ref2,2
    e,2,source,5
    a,7,ref1,2
    b,7,ref1,2
    c,7,ref2,3
    d,7,ref2,2
    a,9,ref1,1
"""


def results(csv=CSV, **options):
    settings = BiasSettings(group="saw", bootstrap=0, **options)
    return {r.name: r for r in analyse("bias", evaluation(csv), settings)}


def test_segments_by_their_spread():
    spread = results()["segment-spread"]
    assert [(e.by["item"], e.value, e.n) for e in spread.estimates] == [
        ("2", 1.5, 4),
        ("7", 0.5, 4),
        ("9", None, 1),
    ]
    assert (spread.estimates[0].by["highest"], spread.estimates[0].by["lowest"]) == ("ref1", "ref2")
    assert "fewer than two groups" in spread.estimates[2].reason
    assert "Segment 2 differs most" in spread.headline


def test_means_of_each_group_and_of_the_source():
    found = results()["segment-mean"].estimates
    means = {(e.by["item"], e.by["group"]): (e.value, e.n) for e in found}
    assert means["2", "ref1"] == (3.5, 2)
    assert means["2", "source"] == (5.0, 1)
    assert ("7", "source") not in means


def test_ranges_leave_out_what_is_missing():
    nan = np.nan
    found = ranges(np.array([[1, 3, nan], [nan, 2, nan], [nan, nan, nan]]))
    np.testing.assert_equal(found, [2, nan, nan])
    assert ranges(np.zeros((2, 0))).shape == (2,)


def test_the_mean_spread_under_other_labels():
    item, judge = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    values = np.array([1.0, 4.0, 2.0, 3.0])
    found = mean_spreads(np.array([[0, 1], [0, 0]]), item, judge, values, np.array(2))
    np.testing.assert_equal(found, [2, np.nan])
    means, counts = mean_table(item, np.array([0, 1, 0, 1]), values, (2, 3))
    np.testing.assert_equal(means, [[1, 4, np.nan], [2, 3, np.nan]])
    assert counts.tolist() == [[1, 1, 0], [1, 1, 0]]


def test_chance_explains_a_spread_without_bias_and_not_a_planted_one():
    rng = np.random.default_rng(1)
    for bias, expected in ((0.0, False), (2.0, True)):
        lean = rng.normal(0, bias, (2, 80))
        lines = [
            f"j{j},{i},{'AB'[j % 2]},{3 + lean[j % 2, i] + rng.normal():.2f}"
            for j in range(10)
            for i in range(80)
        ]
        (p,) = results("\n".join(["judge,item,saw,value", *lines]))["segment-spread-p"].estimates
        assert (p.value < 0.02) is expected
        assert p.n == 80


def test_long_lists_are_cut(monkeypatch):
    monkeypatch.setattr("jurat.stats.bias.segment_reference_effect.LISTED", 1)
    found = results()
    assert [e.by["item"] for e in found["segment-spread"].estimates] == ["2"]
    assert {e.by["item"] for e in found["segment-mean"].estimates} == {"2"}
    assert "with the largest spread" in found["segment-mean"].method


@pytest.mark.parametrize("most", [3, 100])
def test_only_some_segments_are_shuffled(monkeypatch, most):
    monkeypatch.setattr("jurat.stats.bias.segment_reference_effect.TESTED", most)
    (p,) = results()["segment-spread-p"].estimates
    assert p.n == {3: 1, 100: 2}[most]


TEXTS = "item,mt,ref1,ref2\n2,beyond the control of you,beyond your control,you cannot choose\n"


def test_texts_stand_side_by_side(tmp_path):
    (tmp_path / "r.csv").write_text("\n".join(line.strip() for line in CSV.strip().splitlines()))
    (tmp_path / "t.csv").write_text(TEXTS)
    done = jurat("bias", "r.csv", "--group", "saw", "--texts", "t.csv", "--json", cwd=tmp_path)
    rows = [r for r in json.loads(done.stdout)["results"] if r["name"] == "segment-spread"]
    assert rows[0]["tags"] == {
        "translation": "beyond the control of you",
        "highest_saw": "beyond your control",
        "lowest_saw": "you cannot choose",
    }
    assert "tags" not in rows[1]


def test_texts_are_found_by_the_files_own_column():
    csv = "judge,nr,saw,value\na,1,x,1\nb,1,y,3"
    texts = pl.DataFrame({"nr": [1], "x": ["left"], "y": ["right"]})
    settings = BiasSettings(group="saw", bootstrap=0, texts=texts)
    found = analyse("bias", evaluation(csv, columns="item=nr"), settings)
    (spread,) = next(r for r in found if r.name == "segment-spread").estimates
    assert spread.tags == {"highest_saw": "right", "lowest_saw": "left"}


def test_texts_that_judges_saw_stand_beside_their_judgments():
    csv = "judge,item,saw,shown,value\na,1,x,left,1\nb,1,y,right,3"
    (spread,) = results(csv, references=("shown",))["segment-spread"].estimates
    assert spread.tags == {"highest_saw": "right", "lowest_saw": "left"}
    assert results(csv, references=("shown",))["reference-similarity"].estimates[0].value == 0
