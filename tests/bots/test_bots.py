"""Simulated judges: legal answers to every protocol, and the faults that they are said to have."""

from collections.abc import Iterator
from math import log
from statistics import fmean, stdev

import pytest

from jurat import protocols
from jurat.bots import DEGRADED, EASY, Bot, Truth, ladder, panel
from jurat.errors import InputError
from jurat.model import Item, ReadingQuestion, Shown

TRUTH = ladder(("cedar", "birch", "willow"), seed=7)
COUNT = {"one": 1, "two": 2, "all": 3}


def items(number: int, systems: tuple[str, ...] = ("birch",), control: str = "") -> Iterator[Item]:
    for n in range(number):
        yield Item(
            id=f"item-{n}",
            document="d",
            segment=str(n),
            translations=tuple(Shown(system=s, text=f"the text of {n} here") for s in systems),
            source="la fuente",
            references={"A": "the reference text of it"},
            concepts=("who", "when"),
            comprehension=(ReadingQuestion(ask="Who?", options=("he", "she"), answer=2),),
            control=control,  # type: ignore[arg-type]
        )


def scores(bot: Bot, number: int = 200, truth: Truth = TRUTH, **of: object) -> list[float]:
    da = protocols.load("da")
    given = enumerate(items(number, **of), 1)  # type: ignore[arg-type]
    return [float(bot.answers(da, i, position=n, truth=truth)["adequacy"]) for n, i in given]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", protocols.names())
def test_they_can_play_every_protocol(name):
    protocol = protocols.load(name)
    systems = ("cedar", "birch", "willow")[: COUNT[protocol.systems]]
    bot = Bot(name="b", noise=0.3)
    for n, item in enumerate(items(30, systems), 1):
        whole = bot.answers(protocol, item, position=n, truth=TRUTH)
        assert protocol.check(whole, item).keys() == whole.keys()
        parts = [
            bot.answers(protocol, item, position=n, truth=TRUTH, stage=stage)
            for stage in range(len(protocol.stages))
        ]
        assert {name: answer for part in parts for name, answer in part.items()} == whole


def test_the_same_seed_gives_the_same_answers_and_another_others():
    assert scores(Bot(name="b", seed=1)) == scores(Bot(name="b", seed=1))
    assert scores(Bot(name="b", seed=1)) != scores(Bot(name="b", seed=2))
    assert scores(Bot(name="b", seed=1)) != scores(Bot(name="c", seed=1))


def test_a_severe_judge_gives_less_by_their_severity():
    kind, strict = scores(Bot(name="b", noise=0.0)), scores(Bot(name="b", severity=0.2, noise=0.0))
    assert fmean(kind) - fmean(strict) == pytest.approx(20, abs=1)


def test_noise_is_their_own_and_as_large_as_said():
    exact, noisy = scores(Bot(name="b", noise=0.0), 400), scores(Bot(name="b", noise=0.1), 400)
    slips = [a - b for a, b in zip(noisy, exact, strict=True)]
    assert stdev(slips) == pytest.approx(10, rel=0.15)


def test_drift_grows_with_the_decisions_made():
    steady = scores(Bot(name="b", noise=0.0), 100)
    drifting = scores(Bot(name="b", noise=0.0, drift=0.3), 100)
    lost = [a - b for a, b in zip(steady, drifting, strict=True)]
    assert fmean(lost[:10]) == pytest.approx(1.65, abs=1)
    assert fmean(lost[-10:]) == pytest.approx(28.65, abs=1)


def test_a_careless_judge_does_not_see_the_difference():
    careless = Bot(name="b", careless=1.0)
    best, worst = scores(careless, systems=("cedar",)), scores(careless, systems=("willow",))
    assert abs(fmean(best) - fmean(worst)) < 5
    careful = Bot(name="b")
    gap = fmean(scores(careful, systems=("cedar",))) - fmean(scores(careful, systems=("willow",)))
    assert gap == pytest.approx(60, abs=5)


def test_controls_are_seen_for_what_they_are():
    bot = Bot(name="b", noise=0.0)
    assert set(scores(bot, 5, control="easy")) == {100 * EASY}
    assert set(scores(bot, 5, control="degraded")) == {100 * DEGRADED}


def test_truth_is_the_same_for_every_judge():
    item = next(items(1, ("cedar", "willow")))
    assert TRUTH.of(item) == TRUTH.of(item)
    with pytest.raises(InputError, match="oak"):
        TRUTH.of(next(items(1, ("oak",))))


def test_a_panel_has_the_share_of_careless_judges_asked_for():
    bots = panel([f"j{n}" for n in range(12)], severity=0.1, careless=0.25, seed=3)
    assert sum(bot.careless for bot in bots) == 3
    assert stdev(bot.severity for bot in bots) == pytest.approx(0.1, rel=0.5)
    assert bots == panel([f"j{n}" for n in range(12)], severity=0.1, careless=0.25, seed=3)


def test_times_are_log_normal_around_what_is_expected():
    bot = Bot(name="b")
    item = Item(id="a", document="d", segment="1", translations=(Shown(system="x", text="one"),))
    times = [bot.seconds(item, position=n, expected=40) for n in range(1, 2001)]
    assert fmean(times) == pytest.approx(40, rel=0.03)
    assert stdev(map(log, times)) == pytest.approx(0.4, rel=0.05)
    assert bot.seconds(item, position=1, expected=0.1) == 1


def test_a_later_stage_follows_what_was_answered_before():
    """Also where they would answer otherwise by now."""
    protocol = protocols.read(
        b"""
name: two-steps
title: Two steps
about: A yes is asked about again.
citation: none
guidelines: none
stages:
  - {show: [translation], questions: [{id: first, kind: choice, ask: Good?}]}
  - show: [translation]
    questions:
      - {id: why, kind: text, ask: Why?, when: first == 'no'}
      - {id: score, kind: slider, ask: How good?}
""",
        file="two.yaml",
    )
    item = next(items(1, ("cedar",)))
    bot = Bot(name="b", noise=0.0)
    assert bot.answers(protocol, item, position=1, truth=TRUTH, stage=0) == {"first": "yes"}
    for first, asked in (("yes", {"score"}), ("no", {"why", "score"})):
        earlier = {"first": first}
        given = bot.answers(protocol, item, position=9, truth=TRUTH, stage=1, earlier=earlier)
        assert given.keys() == asked
        assert protocol.check({**earlier, **given}, item, stage=1) == given
