"""Items that stand with several systems: item + system is what was judged."""

import polars as pl
import pytest

from jurat.stats import Evaluation
from jurat.stats.agreement.span_agreement import _spans_of
from jurat.stats.systems.score_table import sentences_of
from jurat.tables import Intake, Judgments, OwnJudgments
from jurat.tables.item_names import SHARED_NOTE
from tests.cli.run_command import jurat

SHARED = pl.DataFrame(
    {
        "judge": ["j1", "j2"] * 4,
        "item": ["s1"] * 4 + ["s2"] * 4,
        "system": ["A", "A", "B", "B"] * 2,
        "value": ["1", "1", "5", "5", "2", "2", "4", "4"],
    }
)


def test_item_and_system_are_judged() -> None:
    judgments = Judgments(SHARED)
    assert judgments.frame["item"].unique().sort().to_list() == ["s1|A", "s1|B", "s2|A", "s2|B"]
    assert judgments.frame["segment"].unique().sort().to_list() == ["s1", "s2"]
    assert judgments.notes == (SHARED_NOTE,)
    assert judgments.signature()["judged"] == "item+system"


def test_an_item_of_one_system_stays() -> None:
    own = SHARED.with_columns(pl.concat_str("item", "system").alias("item"))
    judgments = Judgments(own)
    assert judgments.frame["item"].unique().sort().to_list() == ["s1A", "s1B", "s2A", "s2B"]
    assert "segment" not in judgments.frame.columns
    assert (judgments.notes, "judged" in judgments.signature()) == ((), False)


def test_a_late_row_is_enough() -> None:
    rows = pl.concat([SHARED.filter(pl.col("system") == "A")] * 3000)
    late = pl.concat([rows, SHARED.filter(pl.col("system") == "B").head(1)])
    assert SHARED_NOTE not in Judgments(rows).notes
    assert SHARED_NOTE in Judgments(late).notes


def test_systems_are_still_compared_on_the_segment() -> None:
    frame = Judgments(SHARED).frame
    codes, unit = sentences_of(frame)
    assert unit == "sentence"
    assert codes.tolist() == [0] * 4 + [1] * 4


def test_a_segment_of_the_file_stays() -> None:
    named = SHARED.with_columns(segment=pl.lit("7"))
    assert Judgments(named).frame["segment"].unique().to_list() == ["7"]


def test_options_mean_the_items_of_the_file() -> None:
    mapped = SHARED.rename({"item": "line"})
    intake = Intake(columns="item=line", where="item == 's1'")
    listed = pl.DataFrame({"item": ["s1"]})
    for judgments in (Judgments(mapped, intake), Judgments(SHARED, items=listed)):
        assert judgments.frame["item"].unique().sort().to_list() == ["s1|A", "s1|B"]


def test_columns_of_systems() -> None:
    wide = pl.DataFrame({"judge": ["j", "k"], "item": ["s", "s"], "A": ["1", "2"], "B": ["3", "4"]})
    judgments = Judgments(wide, Intake(systems=("A", "B")))
    assert judgments.frame["item"].to_list() == ["s|A", "s|A", "s|B", "s|B"]


def test_a_campaign_whose_screens_show_several_systems() -> None:
    own = Judgments(SHARED.with_columns(item=pl.concat_str("item", "system"))).frame
    shown = own.with_columns(item=pl.col("item").str.slice(0, 2))
    assert OwnJudgments(shown).frame["item"].to_list()[:3] == ["s1|A", "s1|A", "s1|B"]
    assert OwnJudgments(own).frame["item"].to_list()[:3] == ["s1A", "s1A", "s1B"]


def test_spans_are_found_by_the_screens_item() -> None:
    (ratings,) = Evaluation(judgments=Judgments(SHARED)).ratings
    spans = SHARED.select("judge", "item", "system", question=pl.lit("value"), start=0, end=1)
    assert _spans_of(ratings, spans).height == SHARED.height


@pytest.mark.parametrize("form", ["--json", "--csv", "--latex", ""])
def test_the_output_says_so(tmp_path, form: str) -> None:
    (tmp_path / "ratings.csv").write_bytes(SHARED.write_csv().encode())
    asked = ("agreement", "ratings.csv", "--bootstrap", "0", *([form] if form else []))
    ran = jurat(*asked, cwd=tmp_path)
    assert ran.returncode == 0
    assert ran.stderr == f"note: {SHARED_NOTE}\n"
    assert (SHARED_NOTE in ran.stdout) == (form == "--json")
