"""Before the door: who tries too often from one address waits, and nobody is locked out."""

from datetime import timedelta

import pytest

from jurat.campaigns import rate_limit
from jurat.campaigns.auth import LOCK, Locked
from jurat.campaigns.rate_limit import FREE, LONGEST, PACE, RateLimit, network
from jurat.campaigns.simulate import Stopwatch
from tests.campaigns.sample_campaigns import NOW

HERE, THERE = "192.0.2.7", "192.0.2.8"
AT_ONCE = timedelta()


@pytest.fixture
def watch() -> Stopwatch:
    return Stopwatch(NOW)


@pytest.fixture
def step(watch: Stopwatch) -> RateLimit:
    return RateLimit(watch)


def note(step: RateLimit, address: str, times: int) -> None:
    for _ in range(times):
        step.count(address)


def test_a_class_of_judges_who_mistype_does_not_wait(step: RateLimit):
    note(step, HERE, FREE - 1)
    assert [step.delay(HERE) for _ in range(30)] == [AT_ONCE] * 30


def test_an_address_with_many_wrong_tries_gets_one_a_second(step: RateLimit, watch: Stopwatch):
    note(step, HERE, FREE)
    assert [step.delay(HERE) for _ in range(3)] == [AT_ONCE, PACE, 2 * PACE]
    watch.pass_by(2)
    assert step.delay(HERE) == PACE
    watch.pass_by(60)
    assert step.delay(HERE) == AT_ONCE, "whoever comes alone need not wait"


def test_others_do_not_wait_for_it(step: RateLimit):
    note(step, HERE, FREE + 5)
    assert [step.delay(THERE) for _ in range(30)] == [AT_ONCE] * 30


def test_where_too_many_wait_one_is_told_to_come_back(step: RateLimit, watch: Stopwatch):
    note(step, HERE, FREE)
    waits = [step.delay(HERE) for _ in range(int(LONGEST / PACE) + 1)]
    assert waits[-1] == LONGEST
    with pytest.raises(Locked, match="try again in a minute"):
        step.delay(HERE)
    watch.pass_by(1)
    assert step.delay(HERE) == LONGEST, "who was sent away has taken nobody's turn"


def test_it_is_forgotten_after_a_while_without_a_wrong_try(step: RateLimit, watch: Stopwatch):
    note(step, HERE, FREE)
    watch.pass_by(LOCK.total_seconds())
    step.count(HERE)
    step.delay(HERE)
    assert step.delay(HERE) == PACE, "somebody has gone on trying"
    watch.pass_by(LOCK.total_seconds() + 1)
    assert [step.delay(HERE), step.delay(HERE)] == [AT_ONCE, AT_ONCE]
    step.count(HERE)
    assert [step.delay(HERE), step.delay(HERE)] == [AT_ONCE, AT_ONCE]


def test_only_so_many_addresses_are_remembered(step: RateLimit, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rate_limit, "ADDRESSES", 2)
    for address in (HERE, THERE):
        note(step, address, FREE)
    step.count(HERE)  # so that the other is the one of which nothing was heard for longest
    step.count("198.51.100.1")
    assert [step.delay(HERE), step.delay(HERE)] == [AT_ONCE, PACE]
    assert [step.delay(THERE), step.delay(THERE)] == [AT_ONCE, AT_ONCE]


@pytest.mark.parametrize(
    ("address", "whose"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::9", "2001:db8:1:2::"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_whose_an_address_is(address: str, whose: str):
    assert network(address) == whose
