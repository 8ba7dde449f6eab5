"""The table of scores that others read."""

from jurat.model import File
from jurat.stats.metric_scores.counts import score_table
from jurat.tables import read_table, write_table
from jurat.tables.scores import scores
from tests.stats.metric_scores.small import BIRCH, CEDAR, scored


def test_a_row_a_segment_and_one_for_the_system():
    table = score_table([scored({"cedar": CEDAR, "birch": BIRCH})])
    assert table.columns == ["segment", "system", "reference", "metric", "value"]
    assert table.height == 2 * 5 + 2
    whole = table.filter(table["segment"].is_null())
    assert whole["system"].to_list() == ["cedar", "birch"]
    assert table["segment"][:5].to_list() == ["1", "2", "3", "4", "5"]


def test_own_ids_where_there_are_any():
    one = scored({"cedar": CEDAR}, documents=list("xxyyy"), segments=list("12123"))
    table = score_table([one])
    assert table.columns[:2] == ["document", "segment"]
    assert table.row(4)[:2] == ("y", "3")


def test_it_is_read_back_whole():
    table = score_table([scored({"cedar": CEDAR, "birch": BIRCH})])
    for ending in ("tsv", "csv", "jsonl", "parquet"):
        again = scores(read_table(File(f"scores.{ending}", write_table(table, ending))))
        assert again.rows() == table.rows(), ending


def test_nothing_was_scored():
    assert score_table([scored({"birch": BIRCH}, own={"birch": "ref"})]).height == 0
