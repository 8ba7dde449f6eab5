"""Decisions: stored once, refused, revised and read."""

import pytest

from jurat.store import (
    AccountChange,
    AlreadyDecided,
    Decision,
    JudgeDisabled,
    KitGone,
    NoSuchCampaign,
    NoSuchDecision,
    NoSuchJudge,
    NotYours,
    OutOfTurn,
    PhaseNotStarted,
    Step,
    Store,
    StoreFault,
)
from jurat.store.records import PhaseState
from tests.store.samples import (
    LEASE,
    NOW,
    decide,
    decide_and_turn,
    do_kit,
    finish,
    first,
    given,
    last,
    later,
    launch,
    make_campaign,
    revise,
    turn_of,
)


def test_decisions_after_a_number(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    do_kit(store, judge.id)
    rows = list(store.decisions("news"))
    assert list(store.decisions("news", after=rows[0].number)) == rows[1:]
    assert list(store.decisions("news", after=rows[-1].number)) == []


def test_decisions_are_read_from_one_snapshot(store: Store) -> None:
    judge = launch(store, make_campaign(count=40))[0]
    for _ in range(35):
        do_kit(store, judge.id)
    reading = store.decisions("news")
    next(reading)
    assignment = do_kit(store, judge.id)
    revise(store, "news", judge.id, assignment, 1, {}, revision=2, now=NOW)
    rows = list(reading)
    assert len(rows) == 35 * 3 - 1
    assert {row.status for row in rows} == {"valid"}
    unfinished = store.decisions("news")
    next(unfinished)
    unfinished.close()  # type: ignore[attr-defined]
    assert len(list(store.decisions("news"))) == 36 * 3 + 1


def test_submit_and_next(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    turn: Step | None = given(store, judge.id)
    seen: list[Decision] = []
    while turn:
        moment = later(seconds=len(seen))
        decided, turn = decide_and_turn(
            store,
            "news",
            judge.id,
            turn.assignment,
            turn.position,
            {},
            choose=first,
            now=moment,
            lease=LEASE,
        )
        seen.append(decided)
        assert turn is None or turn.shown_at == moment
    assert len(seen) == 12
    assert sum(decided.finished for decided in seen) == 4
    assert [row.seconds for row in store.decisions("news")][1:] == [1.0] * 11


def test_the_same_decision_again_changes_nothing(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    turn = given(store, judge.id)
    send = lambda answers, **delta: decide(  # noqa: E731
        store,
        "news",
        judge.id,
        turn.assignment,
        1,
        answers,
        now=later(**delta),
        lease=LEASE,
    )
    once = send({"q": 1})
    again = send({"q": 1}, days=3)
    assert (once.new, again.new) == (True, False)
    assert (once.number, once.decided_at) == (again.number, again.decided_at)
    assert [row.answers for row in store.decisions("news")] == [{"q": 1}]
    store.set_phase("news", "adequacy", "evaluation", "closed", author="boss", now=NOW)
    assert not send({"q": 1}).new
    _, turn2 = decide_and_turn(
        store, "news", judge.id, turn.assignment, 1, {"q": 1}, choose=first, now=NOW, lease=LEASE
    )
    assert turn2 is None


def test_another_answer_to_what_was_decided_is_refused(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    turn = given(store, judge.id)
    key = ("news", judge.id, turn.assignment, 1)
    decide(store, *key, {"q": 1, "why": ["a"]}, now=NOW, lease=LEASE)
    for other in ({"q": 2, "why": ["a"]}, {"q": 1}, {}):
        with pytest.raises(AlreadyDecided, match="step 1 was decided before, with other answers"):
            decide(store, *key, other, now=NOW, lease=LEASE)
        with pytest.raises(AlreadyDecided):
            decide_and_turn(store, *key, other, choose=first, now=NOW, lease=LEASE)
    # the order of the answers says nothing, nor whether a list is a tuple
    assert not decide(store, *key, {"why": ("a",), "q": 1}, now=NOW, lease=LEASE).new
    assert [row.answers for row in store.decisions("news")] == [{"q": 1, "why": ["a"]}]


def test_the_last_decision_again_is_still_the_last(store: Store) -> None:
    judge = launch(store, make_campaign(size=1))[0]
    turn = given(store, judge.id)
    finished = [
        decide(store, "news", judge.id, turn.assignment, 1, {}, now=NOW, lease=LEASE).finished
        for _ in range(2)
    ]
    assert finished == [True, True]


@pytest.mark.parametrize("position", [2, 3, 4, 0, -1, 2**40, 2**70])
def test_a_position_that_is_not_next_is_refused(store: Store, position: int) -> None:
    judge = launch(store, make_campaign())[0]
    turn = given(store, judge.id)
    with pytest.raises(OutOfTurn, match=rf"step 1, not {position}") as caught:
        decide(store, "news", judge.id, turn.assignment, position, {}, now=NOW, lease=LEASE)
    assert caught.value.expected == 1
    finish(store, judge.id, turn)
    if position > 3:
        with pytest.raises(OutOfTurn, match="the kit is done: it has 3 steps"):
            decide(store, "news", judge.id, turn.assignment, position, {}, now=NOW, lease=LEASE)


def test_strangers_are_refused(store: Store) -> None:
    one, other = launch(store, make_campaign(), judges=2)
    turn = given(store, one.id)
    sent = {"position": 1, "answers": {}, "now": NOW, "lease": LEASE}
    with pytest.raises(NotYours, match="not one of yours") as others:
        decide(store, "news", other.id, turn.assignment, **sent)  # type: ignore[arg-type]
    with pytest.raises(NotYours) as nobodys:
        decide(store, "news", other.id, "no-such", **sent)  # type: ignore[arg-type]
    assert str(others.value) == str(nobodys.value)
    with pytest.raises(NoSuchJudge, match="'news' has no such judge"):
        decide(store, "news", "nobody", turn.assignment, **sent)  # type: ignore[arg-type]
    with pytest.raises(NoSuchCampaign, match="no campaign 'noise'"):
        decide(store, "noise", one.id, turn.assignment, **sent)  # type: ignore[arg-type]
    with pytest.raises(NoSuchCampaign):
        store.next_step("noise", one.id, first, now=NOW, lease=LEASE)
    with pytest.raises(NoSuchJudge):
        turn_of(store, "nobody")
    with pytest.raises(StoreFault):
        store.judge_by_pin("news", "\ud800")
    assert not list(store.decisions("news"))


def test_text_that_no_database_can_hold(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    turn = given(store, judge.id)
    with pytest.raises(StoreFault, match="cannot be stored"):
        decide(store, "news", judge.id, turn.assignment, 1, {"why": "\ud800"}, now=NOW, lease=LEASE)
    assert given(store, judge.id).position == 1


@pytest.mark.parametrize(
    ("state", "words"),
    [("ready", "has not started yet"), ("stopped", "is stopped: lunch"), ("closed", "is closed")],
)
def test_a_phase_that_is_not_started_takes_nothing(
    store: Store, state: PhaseState, words: str
) -> None:
    judge = launch(store, make_campaign())[0]
    turn = given(store, judge.id)
    reason = "lunch" if state == "stopped" else ""
    store.set_phase(
        "news",
        "adequacy",
        "evaluation",
        state,
        reason=reason,
        author="boss",
        now=NOW,
    )
    with pytest.raises(PhaseNotStarted, match=f"task 'adequacy' {words}") as caught:
        decide(store, "news", judge.id, turn.assignment, 1, {}, now=NOW, lease=LEASE)
    assert caught.value.reason == reason
    assert turn_of(store, judge.id) is None
    store.set_phase("news", "adequacy", "evaluation", "started", author="boss", now=NOW)
    assert given(store, judge.id) == turn


def test_a_disabled_judge_is_refused(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    turn = given(store, judge.id)
    store.change_judge("news", judge.id, AccountChange(disabled=True), author="boss", now=NOW)
    with pytest.raises(JudgeDisabled):
        turn_of(store, judge.id)
    with pytest.raises(JudgeDisabled):
        decide(store, "news", judge.id, turn.assignment, 1, {}, now=NOW, lease=LEASE)


def test_what_a_disabled_judge_sends_again_changes_nothing(store: Store) -> None:
    judge = launch(store, make_campaign(size=1))[0]
    turn = given(store, judge.id)
    finish(store, judge.id, turn)
    store.change_judge("news", judge.id, AccountChange(disabled=True), author="boss", now=NOW)
    again = decide(store, "news", judge.id, turn.assignment, 1, {"q": 1}, now=NOW, lease=LEASE)
    assert not again.new


def test_a_late_decision_is_taken_while_nobody_else_has_the_kit(store: Store) -> None:
    one, other = launch(store, make_campaign(count=2, wanted=1), judges=2)
    turn = given(store, one.id)
    store.next_step("news", other.id, last, now=later(hours=2), lease=LEASE)
    decided = decide(store, "news", one.id, turn.assignment, 1, {}, now=later(hours=2), lease=LEASE)
    assert decided.new
    assert given(store, one.id, hours=2).position == 2


def test_a_correction_is_a_new_row(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    turn = given(store, judge.id)
    finish(store, judge.id, turn)
    assert given(store, judge.id).kit == 2

    def is_new(revision: int, value: int) -> bool:
        return revise(
            store,
            "news",
            judge.id,
            turn.assignment,
            2,
            {"q": value},
            revision=revision,
            now=later(minutes=revision),
            reason="slip",
            author="001",
        ).new

    assert is_new(2, 20)
    assert not is_new(2, 20)
    with pytest.raises(AlreadyDecided, match="with other answers"):
        is_new(2, 99)
    assert is_new(3, 30)
    rows = [row for row in store.decisions("news") if row.position == 2]
    assert [(row.revision, row.answers["q"], row.status) for row in rows] == [
        (1, 2, "superseded"),
        (2, 20, "superseded"),
        (3, 30, "valid"),
    ]
    assert (rows[2].author, rows[2].reason, rows[2].seconds) == ("001", "slip", None)
    assert store.step("news", judge.id, turn.assignment, 2).revision == 3
    with pytest.raises(OutOfTurn, match="next revision is 4, not 6") as caught:
        is_new(6, 0)
    assert caught.value.expected == 4
    with pytest.raises(OutOfTurn):
        is_new(1, 0)
    later_turn = given(store, judge.id)
    with pytest.raises(NoSuchDecision, match="nothing has been decided at position 1"):
        revise(store, "news", judge.id, later_turn.assignment, 1, {}, revision=2, now=NOW)
    store.give_back("news", judge.id, author="boss", reason="why not", now=NOW)
    with pytest.raises(KitGone, match="given back: why not"):
        is_new(4, 0)


def test_recent_decisions(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    turn: Step | None = given(store, judge.id)
    for minute in range(5):
        assert turn
        _, turn = decide_and_turn(
            store,
            "news",
            judge.id,
            turn.assignment,
            turn.position,
            {},
            choose=first,
            now=later(minutes=minute),
            lease=LEASE,
        )
    times = store.recent("news", judge.id, since=later(minutes=2))
    assert times == tuple(later(minutes=n) for n in (2, 3, 4))
    with pytest.raises(NoSuchJudge):
        store.recent("news", "nobody", since=NOW)
