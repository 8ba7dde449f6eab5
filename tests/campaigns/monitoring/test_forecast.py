"""The forecast: exact where nothing varies, and right about its own uncertainty where it does."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from jurat.campaigns.monitoring.forecast import DAY, HOUR, INTERVAL, forecast

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def test_a_steady_pace_ends_when_it_must():
    found = forecast(1000, [100] * 7, span=DAY, now=NOW)
    assert found.per_day == 100
    assert found.when == found.earliest == found.latest == NOW + timedelta(days=10)
    assert (found.left, found.spans, found.width, found.reason) == (1000, 7, DAY, "")


def test_hours_are_told_by_the_day():
    found = forecast(60, [10, 20, 30], span=HOUR, now=NOW)
    assert found.per_day == 480
    assert not found.whole_day
    assert forecast(60, [10] * 24, span=HOUR, now=NOW).whole_day
    assert found.when == NOW + timedelta(hours=3)
    assert found.earliest is not None
    assert found.latest is not None
    assert found.earliest < found.when < found.latest


def test_what_is_done_is_done_now():
    assert forecast(0, [5, 5], span=DAY, now=NOW).when == NOW


@pytest.mark.parametrize("counts", [[], [0, 0, 0]])
def test_without_a_pace_there_is_no_end(counts):
    found = forecast(10, counts, span=DAY, now=NOW)
    assert (found.when, found.earliest, found.latest, found.per_day) == (None,) * 4
    assert found.reason == "nothing was decided lately"


def test_the_end_may_be_out_of_sight():
    found = forecast(10_000_000, [1] * 14, span=DAY, now=NOW)
    assert found.when is None
    assert found.reason == "it would take more than ten years"
    # a past in which nearly nothing happened may, drawn again, hold nothing at all
    seldom = forecast(10, [0] * 13 + [10], span=DAY, now=NOW)
    assert seldom.when == NOW + timedelta(days=14)
    assert seldom.latest is None
    assert seldom.earliest is not None


def test_the_same_seed_gives_the_same_interval():
    one, two = (forecast(500, [10, 40, 0, 70], span=DAY, now=NOW) for _ in range(2))
    assert one == two


def test_the_interval_holds_the_end_as_often_as_it_says():
    """Campaigns are simulated on: how often does the true end lie in the interval?"""
    random = np.random.default_rng(3)
    left, hits, times = 2000, 0, 400
    for _ in range(times):
        days = random.negative_binomial(4, 4 / 104, size=1014)  # mean 100, SD 51
        end = int(np.searchsorted(np.cumsum(days[14:]), left)) + 1
        found = forecast(left, days[:14].tolist(), span=DAY, now=NOW)
        assert found.earliest is not None
        assert found.latest is not None
        hits += found.earliest <= NOW + timedelta(days=end) <= found.latest + DAY
    # fourteen days tell the pace only roughly: bootstrap intervals are a little short
    assert hits / times == pytest.approx(INTERVAL, abs=0.06)
