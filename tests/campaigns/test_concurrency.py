"""Many judges at once through one service: never more than wanted, nothing doubled or lost."""

from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor

import pytest

from jurat.campaigns import Screen, Service
from jurat.campaigns.service_context import utc_now
from jurat.store import postgres
from tests.campaigns.sample_campaigns import NAME, Setting, make_set, plan, task

THREADS = 16


@pytest.fixture(autouse=True)
def _patient_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixteen threads that wait for a connection on a busy machine are slow, not wrong."""
    monkeypatch.setattr(postgres, "PATIENCE", 300)


@pytest.mark.parametrize("policy", ["first-available", "adaptive"])
def test_sixteen_judges_at_once(setting: Setting, policy):
    declared = task(wanted=3, policy=policy, kits={"documents": 1})
    judges = setting.launch(plan(declared), judges=THREADS, set=make_set(6, 2))
    setting.service = Service(setting.store, clock=utc_now)

    def work(judge: str) -> list[int]:
        numbers = []
        step = setting.service.judging.next(NAME, judge, go_on=True)
        while isinstance(step, Screen):
            sent = setting.sent(judge, step)
            decided, step = setting.service.judging.submit(NAME, judge, sent, go_on=True)
            again, _ = setting.service.judging.submit(NAME, judge, sent, go_on=True)
            assert decided.new
            assert not again.new
            assert again.number == decided.number
            numbers.append(decided.number)
        return numbers

    with ThreadPoolExecutor(THREADS) as pool:
        acknowledged = [number for numbers in pool.map(work, judges) for number in numbers]
    decisions = setting.decisions()
    assert sorted(acknowledged) == [one.number for one in decisions]
    by_item = defaultdict(list)
    for one in decisions:
        by_item[one.kit, one.index].append(one.judge)
    assert Counter(len(group) for group in by_item.values()) == {3: 36}
    assert all(len(set(group)) == 3 for group in by_item.values())
    (phase,) = setting.service.monitoring.progress(NAME).phases
    assert (phase.done, phase.open) == (phase.wanted, 0) == (54, 0)


def test_one_judge_with_many_pages(setting: Setting):
    """However often they click, they have one kit, and one decision is stored."""
    judge, *_ = setting.launch()
    with ThreadPoolExecutor(THREADS) as pool:
        steps = list(pool.map(lambda _: setting.next(judge), range(THREADS)))
        assert len({step.assignment for step in steps}) == 1
        sent = setting.sent(judge, steps[0])
        results = list(
            pool.map(lambda _: setting.service.judging.submit(NAME, judge, sent), range(THREADS))
        )
    assert sum(decided.new for decided, _ in results) == 1
    assert len(setting.decisions()) == 1
    (tally,) = setting.service.monitoring.progress(NAME).judges
    assert (tally.open, tally.done) == (1, 0)
