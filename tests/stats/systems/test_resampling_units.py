import numpy as np
import pytest
from scipy import stats

from jurat.resampling import bootstrap
from jurat.stats.settings import SystemSettings
from jurat.stats.systems.resampling_units import ResamplingUnits, in_groups

SETTINGS = SystemSettings(bootstrap=400)


def mean(totals):
    return totals[:, :1] / totals[:, 1:2]


def test_sums_by_cell_and_added_rows_are_the_same():
    rng = np.random.default_rng(3)
    place, judge, column = rng.integers(0, [[5], [3], [2]], (3, 60))
    units = ResamplingUnits.of(place, "document", judge)
    values = rng.normal(size=60)
    rows = np.zeros((60, 2))
    rows[np.arange(60), column] = values
    np.testing.assert_allclose(units.sums(column, 2, values), units.sum_rows(rows))
    assert units.sums(column, 2).sum() == 60


def test_documents_and_judges_are_drawn_as_resampling_draws_them():
    rng = np.random.default_rng(4)
    place, judge = rng.integers(0, [[8], [6]], (2, 200))
    values = rng.normal(size=200)
    units = ResamplingUnits.of(place, "document", judge)
    cells = np.hstack([units.sums(np.zeros(200, int), 1, w) for w in (values, np.ones(200))])
    made = units.bootstrap(cells, mean, SETTINGS)
    statistics = np.column_stack([values, np.ones(200)])
    direct = bootstrap(statistics, mean, clusters=(place, judge), replicates=400, seed=1)
    assert direct.interval is not None
    np.testing.assert_allclose([made.low, made.high], direct.interval)
    assert units.method(made).endswith("documents and judges")


def test_one_judge_or_one_document_leaves_the_other_to_draw():
    place = np.arange(6) // 2
    assert ResamplingUnits.of(place, "document", np.zeros(6, int)).words == "documents"
    assert ResamplingUnits.of(np.zeros(6, int), "document", place).words == "judges"


def test_many_sentences_are_drawn_in_groups_with_the_same_spread():
    rng = np.random.default_rng(5)
    values = rng.normal(size=20_000)
    units = ResamplingUnits.of(np.arange(20_000), "sentence")
    assert units.cells == 2_000
    assert units.words == "20,000 sentences in 2,000 random groups"
    rows = units.sum_rows(np.column_stack([values, np.ones(20_000)]))
    made = units.bootstrap(rows, mean, SystemSettings(bootstrap=2000))
    width = float(made.high[0] - made.low[0])
    assert width == pytest.approx(2 * 1.96 / np.sqrt(20_000), rel=0.1)
    assert made.values[0] == pytest.approx(values.mean())


def test_groups_are_of_equal_size():
    sizes = np.bincount(in_groups(np.arange(1000), 1000, 30))
    assert len(sizes) == 30
    assert np.ptp(sizes) <= 1


def test_nothing_to_draw_is_undefined_and_no_error():
    nothing = np.zeros(0, dtype=np.int64)
    units = ResamplingUnits.of(nothing, "sentence")
    assert np.isnan(units.bootstrap(np.zeros((0, 2)), mean, SETTINGS).values).all()


def test_too_few_clusters_say_why_there_is_no_interval():
    units = ResamplingUnits.of(np.zeros(4, int), "sentence")
    made = units.bootstrap(units.sum_rows(np.ones((4, 2))), mean, SETTINGS)
    assert made.values[0] == 1
    assert np.isnan(made.low[0])
    assert units.method(made) == "no intervals: too few sentences to draw from"


def test_columns_of_zeros_change_nothing():
    units = ResamplingUnits.of(np.arange(10), "sentence")
    rows = np.column_stack([np.arange(10.0), np.ones(10)])
    padded = np.column_stack([np.zeros(10), rows, np.zeros(10)])
    made = units.bootstrap(padded, lambda totals: mean(totals[:, 1:3]), SETTINGS)
    same = units.bootstrap(rows, mean, SETTINGS)
    assert (made.low[0], made.high[0]) == (same.low[0], same.high[0])


def test_few_clusters_are_warned_of():
    units = ResamplingUnits.of(np.arange(4), "document")
    made = units.bootstrap(np.column_stack([np.arange(4.0), np.ones(4)]), mean, SETTINGS)
    assert units.method(made).endswith("documents; 4 of a kind are few, it may be too narrow")


def test_clusters_of_unequal_size_are_left_out_as_busing_has_it():
    """Delete-m jackknife: pseudo-values written out from its definition."""
    rng = np.random.default_rng(8)
    place = np.repeat(np.arange(6), [1, 2, 3, 5, 8, 21])
    values = rng.normal(size=len(place)) + rng.normal(size=6)[place]
    units = ResamplingUnits.of(place, "document")
    cells = np.hstack([units.sums(np.zeros(40, int), 1, w) for w in (values, np.ones(40))])
    made = units.intervals(cells, mean, SETTINGS)
    theta, sizes = values.mean(), np.bincount(place)
    left = np.array([values[place != at].mean() for at in range(6)])
    h = 40 / sizes
    pseudo = h * theta - (h - 1) * left
    centre = 6 * theta - ((1 - sizes / 40) * left).sum()
    variance = ((pseudo - centre) ** 2 / (h - 1)).mean()
    quantile = stats.t.ppf(0.975, 40**2 / (sizes**2).sum() - 1)
    assert made.high[0] - theta == pytest.approx(quantile * np.sqrt(variance))


def test_what_is_said_of_other_judges():
    place, judge = np.arange(12) // 2, np.zeros(12, int)
    cells = np.random.default_rng(9).normal(size=(6, 1))
    for units in (
        ResamplingUnits.of(place, "document", judge),
        ResamplingUnits.of(place, "document", averaged=True),
    ):
        made = units.intervals(cells, lambda totals: totals, SETTINGS)
        assert units.method(made).endswith("documents, for these judges only")
