from jurat.stats.systems.segments import segment_scores
from tests.stats.tables import evaluation, ratings

SCORES = """judge,document,segment,system,value
    x,d,1,a,1
    y,d,1,a,2
    y,d,1,b,4
    x,d,2,b,3"""


def test_a_row_a_segment_and_system():
    table = evaluation(SCORES)
    (rated,) = table.ratings
    found = segment_scores(rated, table.baseline)
    assert found.columns == ["document", "segment", "system", "score", "z", "n"]
    assert found.select("segment", "system", "score", "n").rows() == [
        ("1", "a", 1.5, 2),
        ("1", "b", 4.0, 1),
        ("2", "b", 3.0, 1),
    ]
    # x: mean 2, SD √2; y: mean 3, SD √2
    assert found["z"].round(6).to_list() == [-0.707107, 0.707107, 0.707107]


def test_items_stand_for_segments_where_there_are_none():
    found = segment_scores(ratings("item,system,value\n1,a,3\n1,a,5"))
    assert found.rows() == [("1", "a", 4.0, 2)]
