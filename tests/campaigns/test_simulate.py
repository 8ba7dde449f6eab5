"""Simulated judges at work: whole campaigns, through the same door as people."""

from collections import Counter, defaultdict
from datetime import timedelta
from itertools import pairwise

import polars as pl
import pytest

from jurat import protocols
from jurat.bots import Bot, Truth
from jurat.campaigns.simulate import Driver, Stopwatch, expected_duration
from jurat.tables import TABLES, conform
from tests.campaigns.sample_campaigns import NAME, NOW, SYSTEMS, Setting, make_set, plan, task


def evaluated(tables, name):
    return tables[name].filter(pl.col("phase") == "evaluation")


def test_twelve_bots_finish_the_sample_campaign(setting: Setting):
    setting.sample()
    setting.judges(12, "sample")
    setting.start("sample")
    rests = setting.play("sample", careless=0.1)
    assert {rest.kind for rest in rests.values()} == {"finished"}
    for phase in setting.service.monitoring.progress("sample").phases:
        if phase.phase == "evaluation":
            assert phase.done == phase.wanted > 0
            assert phase.decisions == phase.wanted_decisions
        else:
            assert phase.done == 12
        assert phase.open == 0

    decisions = setting.decisions("sample")
    by_item = defaultdict(list)
    for one in decisions:
        if one.phase == "evaluation":
            by_item[one.task, one.kit, one.index].append(one.judge)
    assert {len(judges) for judges in by_item.values()} == {2}
    assert all(len(set(judges)) == 2 for judges in by_item.values())

    order = ["adequacy tutorial", "adequacy evaluation", "preference tutorial"]
    order.append("preference evaluation")
    required = {order[0]: 1, order[1]: 2, order[2]: 1, order[3]: 2}
    for judge in {one.judge for one in decisions}:
        own = [one for one in decisions if one.judge == judge]
        asked, kits = [], Counter[str]()
        for one in own:
            place = f"{one.task} {one.phase}"
            kits[place] += one.position == 1
            if kits[place] <= required[place]:  # beyond that they go on, wherever there is work
                asked.append(order.index(place))
        assert asked == sorted(asked)
        assert kits["adequacy tutorial"] == kits["preference tutorial"] == 1
        assert all(a.decided_at <= b.decided_at for a, b in pairwise(own))

    tables = setting.service.campaigns.tables("sample")
    adequacy = evaluated(tables, "judgments").filter(pl.col("question") == "adequacy")
    means = adequacy.group_by("system").agg(pl.col("value").mean()).sort("value", descending=True)
    assert means["system"].to_list() == ["cedar", "birch", "willow", "bramble"]
    counts = adequacy.filter(pl.col("control").is_null()).group_by("item").len()["len"]
    assert set(counts) == {2}
    assert adequacy.filter(pl.col("control") == "repeat").height == 2 * 32


def test_the_same_seed_gives_the_same_answers(quick: Setting):
    given = []
    for name in ("one", "two", "three"):
        quick.create(plan(task(wanted=2, kits={"segments": 2}), name=name))
        quick.judges(6, name)
        quick.start(name)
        quick.play(name, seed=4 if name == "three" else 3)
        given.append([(one.judge, one.item.id, one.answers) for one in quick.decisions(name)])
    assert given[0] == given[1]
    assert given[0] != given[2]


@pytest.mark.parametrize("name", protocols.names())
def test_every_protocol_is_played(quick: Setting, name: str):
    protocol = protocols.load(name)
    declared = plan(
        task(name, wanted=2, required={"tutorial": 1}), tutorial="tutorial.jsonl", guest=True
    )
    quick.create(declared, set=make_set(2, 2), tutorial=make_set(1, 1, kind="lesson"))
    quick.judges(7)
    quick.start()
    rests = quick.play()
    assert {rest.kind for rest in rests.values()} == {"finished"}
    (done,) = [p for p in quick.service.monitoring.progress(NAME).phases if p.phase == "evaluation"]
    assert done.done == done.wanted
    assert done.decisions == done.wanted_decisions

    decisions = quick.decisions()
    assert {one.stage for one in decisions} == set(range(len(protocol.stages)))
    tables = quick.service.campaigns.tables(NAME)
    recorded = {table for q in protocol.questions.values() for table in q.records}
    assert set(tables) <= recorded
    assert all(conform(frame, TABLES[table]).equals(frame) for table, frame in tables.items())
    _check_counts(protocol, tables)


def _check_counts(protocol, tables):
    """As many rows as the small set has translations, pairs or documents, twice each."""
    segments = 2 if protocol.unit == "document" else 4
    units = segments * (1 if protocol.systems == "all" else 3)
    of_segments = {
        inner.id
        for question in protocol.questions.values()
        if question.name == "segments"
        for inner in question.questions
    }
    for question in protocol.questions.values():
        if question.when or not question.records:
            continue  # of segments, each question has rows of its own
        (table, *_) = question.records
        frame = evaluated(tables, table)
        if table == "spans":
            assert frame.height > 0
            continue
        asked = frame.filter(pl.col("question").str.split(".").list.first() == question.id)
        each = 2 if question.name in ("reading", "concepts") else 1
        each *= 3 if protocol.systems == "all" else 1
        each *= 2 if question.id in of_segments else 1
        assert asked.height == 2 * units * each, question.id
        if "system" in asked.columns:
            assert set(asked["system"]) == set(SYSTEMS)


def test_bots_that_must_rest_wait_until_they_may_go_on(quick: Setting):
    sitting = {"items": 3, "items_a_day": 5, "pause_minutes": 30}
    quick.launch(plan(task(kits={"documents": 1}), sitting=sitting), set=make_set(3, 2))
    rests = quick.play()
    assert {rest.kind for rest in rests.values()} == {"finished"}
    (phase,) = quick.service.monitoring.progress(NAME).phases
    assert phase.done == phase.wanted


def test_drift_goes_on_from_kit_to_kit(quick: Setting):
    (judge,) = quick.launch(
        plan(task(kits={"segments": 1}, one_system_per_segment=False)),
        judges=1,
        set=make_set(4, 10),
    )
    truth = Truth(qualities=dict.fromkeys(SYSTEMS, 0.95), spread=0.0)
    bot = Bot(name="b", noise=0.0, drift=0.5)
    Driver(quick.service, NAME, {judge: bot}, truth, quick.watch).run()
    scores = [float(str(one.answers["adequacy"])) for one in quick.decisions()]
    assert len(scores) == 120
    assert scores[0] - scores[-1] == pytest.approx(60, abs=3)


def test_judges_work_at_the_same_time_and_no_time_is_lost_between_kits(quick: Setting):
    quick.launch(plan(task(wanted=2, kits={"segments": 2})), set=make_set(4, 4))
    start, judges = quick.watch.now, len(quick.service.accounts.all(NAME))
    expected = expected_duration(quick.service, NAME, judges)
    quick.play()
    assert 0.5 < (quick.watch.now - start) / expected < 1
    for one in quick.decisions():
        assert one.seconds == pytest.approx(one.active_seconds, abs=0.01)
        assert 1 <= (one.seconds or 0) < 200


def test_a_clock_with_an_end_stays_there():
    watch = Stopwatch(NOW, end=NOW + timedelta(seconds=10))
    watch.pass_by(6)
    watch.pass_by(6)
    assert watch() == NOW + timedelta(seconds=10)


def test_a_choice_is_not_always_the_nearest(quick: Setting):
    """Of translations with nearly all of the meaning, some do not mean the same."""
    quick.launch(plan(task("tapet-adequacy", wanted=2)), set=make_set(6, 6))
    quick.play()
    said = Counter(one.answers["same-meaning"] for one in quick.decisions() if len(one.answers) > 1)
    assert said["yes"] > said["no"] > 0
