"""Judgments day by day and hour by hour, on both databases."""

from datetime import timedelta

from tests.campaigns.sample_campaigns import NAME, NOW, Setting


def test_days_and_hours_hold_what_each_judge_did(setting: Setting):
    first, second, *_ = setting.launch()
    assert setting.service.monitoring.timeline(NAME, "day") is None
    early = len(setting.kit(first))
    setting.watch.now = NOW + timedelta(days=2, hours=3)
    late = len(setting.kit(second))
    days = setting.service.monitoring.timeline(NAME, "day")
    assert days is not None
    midnight = NOW.replace(hour=0)
    assert days.starts == tuple(midnight + timedelta(days=n) for n in range(3))
    assert days.totals == (early, 0, late)
    counts = {one.account.id: one.counts for one in days.judges}
    assert (counts[first], counts[second]) == ((early, 0, 0), (0, 0, late))
    assert len(counts) == 6, "those who did nothing, too"
    hours = setting.service.monitoring.timeline(NAME, "hour")
    assert hours is not None
    assert (len(hours.starts), hours.starts[-1]) == (24, NOW + timedelta(days=2, hours=3))
    assert (sum(hours.totals), hours.earlier, days.earlier) == (late, True, False)
    before = setting.service.monitoring.timeline(NAME, "hour", page=3)
    assert before is not None
    assert (before.starts[0], before.totals, before.earlier) == (NOW, (early, 0, 0, 0), False)
