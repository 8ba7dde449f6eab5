"""z-scores of judgments, and the means of systems and segments that come of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import zscore

from jurat.stats.systems.z_scores import SystemZ, segment_scores, z_scores
from tests.stats.systems.finding import only, results
from tests.stats.tables import evaluation, ratings

TABLE = """judge,item,system,type,value
    x,1,a,real,2
    x,2,b,real,4
    x,3,a,real,9
    y,1,b,real,5
    y,2,a,real,7
    z,1,a,real,3
    z,2,b,real,3
    x,4,r,control,1"""


def test_z_is_scipy_s_with_one_degree_of_freedom_less():
    rated = ratings(TABLE)
    of_x = rated.frame["judge"].to_numpy() == "x"
    np.testing.assert_allclose(
        z_scores(rated)[of_x], zscore(rated.values[of_x], ddof=1), atol=1e-12
    )


def test_means_and_deviations_come_from_the_baseline():
    table = evaluation(TABLE, where="type == 'real'")
    (rated,) = table.ratings
    z = z_scores(rated, table.baseline)
    expected = zscore([2, 4, 9, 1], ddof=1)[:3]
    np.testing.assert_allclose(z[:3], expected, atol=1e-12)


def test_judges_without_deviation_are_left_out_and_counted():
    found = results(SystemZ, evaluation(TABLE))["system-z"]
    assert "2 judgments left out" in found.method
    assert only(found, system="a").n == 3  # of x twice and y once
    single = results(SystemZ, evaluation("judge,item,system,value\nx,1,a,3\nx,2,a,3"))["system-z"]
    assert only(single, system="a").value is None
    assert "one point of the scale" in only(single, system="a").reason


@given(st.floats(0.1, 50), st.floats(-100, 100))
def test_no_change_of_a_judge_s_scale_moves_z(scale, shift):
    values = np.array([1.0, 4, 2, 8])
    rows = [f"x,{n},a,{v!r}" for n, v in enumerate((values * scale + shift).tolist())]
    rated = ratings("\n".join(["judge,item,system,value", *rows]))
    np.testing.assert_allclose(z_scores(rated), zscore(values, ddof=1), atol=1e-6)


def test_constant_answers_with_a_fraction_have_no_z():
    rows = [f"x,{n},a,0.1" for n in range(7)]
    assert np.isnan(z_scores(ratings("\n".join(["judge,item,system,value", *rows])))).all()


def test_a_judge_outside_the_baseline_has_no_z():
    table = evaluation(TABLE, standardise_where="judge == 'x'")
    (rated,) = table.ratings
    z = z_scores(rated, table.baseline)
    assert np.isnan(z[3:7]).all()
    assert z[0] == pytest.approx(zscore([2, 4, 9, 1], ddof=1)[0])


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
