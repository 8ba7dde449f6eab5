"""Mean, median and capped seconds."""

from typing import Any

import numpy as np
import pytest

from jurat.stats import analyse
from jurat.stats.settings import TimeSettings
from tests.stats.tables import evaluation
from tests.stats.time.asking import found

TIMES = [5.0, 10.0, 15.0, 120.0, 121.0, 3600.0]


def table(times=TIMES, judges="ab"):
    rows = [f"{j},{n},3,{s}" for j in judges for n, s in enumerate(times)]
    return evaluation("\n".join(["judge,item,value,seconds", *rows]))


def test_by_hand():
    assert found(table(), "seconds-mean")[0].value == pytest.approx(np.mean(TIMES))
    assert found(table(), "seconds-median")[0].value == 67.5
    (capped,) = found(table(), "seconds-capped")
    assert (capped.value, capped.n) == (37.5, 8)
    (over,) = found(table(), "seconds-over")
    assert (over.value, over.n) == (4, 12)


def test_another_cap():
    (capped,) = found(table(), "seconds-capped", cap=15)
    assert (capped.value, capped.n) == (10, 6)


def test_intervals_of_medians_hold_with_few_judges():
    """Percentiles of six resampled judges held in 78 %."""
    random = np.random.default_rng(6)
    held = 0
    for _ in range(70):
        pace = random.normal(3, 0.3, (6, 1)) + random.normal(0, 0.3, 20)
        seconds = np.exp(pace + random.normal(0, 0.4, (6, 20)))
        rows = [f"{j},{i},3,{s}" for (j, i), s in np.ndenumerate(seconds)]
        timed = evaluation("\n".join(["judge,item,value,seconds", *rows]))
        (median,) = found(timed, "seconds-median", bootstrap=1)
        held += median.low <= np.exp(3) <= median.high
    assert held >= 62


@pytest.mark.parametrize("judges", ["", "a", "abcdefgh"])
def test_intervals_over_judges_or_decisions(judges):
    random = np.random.default_rng(1)
    rows = [
        f"{judge},{n},3,{20 + 5 * k + random.exponential(10):.3f}"
        for k, judge in enumerate(judges or [""])
        for n in range(60)
    ]
    timed = evaluation("\n".join(["judge,item,value,seconds", *rows]))
    for name in ("seconds-mean", "seconds-median", "seconds-capped"):
        (estimate,) = found(timed, name, bootstrap=200)
        assert estimate.low < estimate.value < estimate.high
        assert found(timed, name)[0].low is None


def test_the_same_time_everywhere_has_no_interval():
    (median,) = found(table([9.0] * 6, judges="abc"), "seconds-median", bootstrap=1)
    assert (median.low, median.note) == (None, "every judgment is the same, for these judges only")


def test_documents_that_judges_share_count_as_judges_do():
    """Six judges of one pace, eight documents of 10 to 80 s: other documents take other times."""
    rows = [
        f"{judge},d{d},d{d}-{n},3,{10 * (d + 1) * (1 + k / 100) + n}"
        for k, judge in enumerate("abcdef")
        for d in range(8)
        for n in range(3)
    ]
    timed = evaluation("\n".join(["judge,document,item,value,seconds", *rows]))
    for name in ("seconds-mean", "seconds-median", "seconds-capped"):
        (estimate,) = found(timed, name, bootstrap=1)
        # ± t(7) SD of the documents / √8; over judges alone it would be a second
        assert estimate.high - estimate.low > 30
    results = analyse("time", timed, TimeSettings(bootstrap=1), only=["seconds-mean"])
    assert "documents and judges vary" in next(iter(results)).method


def test_the_times_of_two_judges_are_theirs_only():
    (capped,) = found(table(), "seconds-capped", bootstrap=1)
    assert capped.note == "for these judges only (fewer than 3)"
    results = analyse("time", table(), TimeSettings(bootstrap=1), only=["seconds-mean"])
    assert "] (for these judges only), of 8 made within" in next(iter(results)).headline


@pytest.mark.parametrize("rows", ["a,1,3,", "a,1,3,-1"])
def test_no_times(rows):
    timed = evaluation(f"judge,item,value,seconds\n{rows}")
    for result in analyse("time", timed, TimeSettings()):
        assert all(e.value is None and e.reason for e in result.estimates)
    assert found(timed, "seconds-mean")[0].reason == "no decision has a time"


def test_what_is_left_out_is_counted():
    timed = evaluation("judge,item,value,seconds\na,1,3,\nb,1,3,9")
    first = next(iter(analyse("time", timed, TimeSettings())))
    assert "1 have none" in first.method
    assert first.headline == (
        "A decision takes 9.0 s on average, of 1 made within 120 s; the median is 9.0 s."
    )


def test_the_figure_is_small_however_many_there_are():
    first = next(iter(analyse("time", table(range(1, 3000)), TimeSettings(bootstrap=0))))
    figure: Any = first.figure()
    bars = figure["data"]["values"]
    assert len(bars) == 40
    assert sum(bar["decisions"] for bar in bars) == 2 * 120
