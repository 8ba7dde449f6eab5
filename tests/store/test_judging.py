"""What a judge is given, and what becomes of what he sends."""

from collections.abc import Sequence

import pytest

from jurat.store import (
    AccountChange,
    AlreadyDecided,
    Decision,
    Had,
    JudgeDisabled,
    KitGone,
    NewJudge,
    NoSuchCampaign,
    NoSuchDecision,
    NoSuchJudge,
    NotYours,
    OpenKit,
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
    Chosen,
    decide,
    decide_and_turn,
    first,
    later,
    launch,
    make_campaign,
    make_kit,
    revise,
)


def turn_of(store: Store, judge: str, **delta: float) -> Step | None:
    return store.turn("news", judge, first, now=later(**delta), lease=LEASE)


def given(store: Store, judge: str, **delta: float) -> Step:
    turn = turn_of(store, judge, **delta)
    assert turn is not None
    return turn


def finish(store: Store, judge: str, turn: Step, **delta: float) -> None:
    for position in range(turn.position, turn.steps + 1):
        decide(
            store,
            "news",
            judge,
            turn.assignment,
            position,
            {"q": position},
            now=later(**delta),
            lease=LEASE,
        )


def test_a_kit_from_the_first_step_to_the_last(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    turn = given(store, judge.id)
    assert (turn.task, turn.phase, turn.kit) == ("adequacy", "evaluation", 1)
    assert (turn.position, turn.steps, turn.index, turn.stage) == (1, 3, 0, 0)
    assert turn.item == make_campaign().kits[0].items[0]
    assert (turn.shown_at, turn.earlier, turn.draft) == (NOW, {}, None)
    for position in (1, 2, 3):
        decided = decide(
            store,
            "news",
            judge.id,
            turn.assignment,
            position,
            {"q": position, "why": "日本 \0"},
            now=later(seconds=2 * position),
            lease=LEASE,
            active_seconds=1.5,
            language="es",
        )
        assert decided.new
        assert (decided.position, decided.revision) == (position, 1)
        assert decided.decided_at == later(seconds=2 * position)
        assert decided.finished == (position == 3)
    rows = list(store.decisions("news"))
    assert [row.answers for row in rows] == [{"q": n, "why": "日本 \0"} for n in (1, 2, 3)]
    assert [row.item for row in rows] == list(make_campaign().kits[0].items)
    one = rows[0]
    assert (one.judge, one.kit, one.block, one.status) == ("001", 1, "b1", "valid")
    assert (one.seconds, one.active_seconds, one.language) == (2.0, 1.5, "es")
    assert (one.shown_at, one.decided_at) == (NOW, later(seconds=2))
    assert [row.number for row in rows] == sorted({row.number for row in rows})
    assert given(store, judge.id).kit == 2


def test_the_step_is_the_same_until_it_is_decided(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    assert given(store, judge.id) == given(store, judge.id, minutes=5)
    assert given(store, judge.id, minutes=9).shown_at == NOW


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
        store.turn("noise", one.id, first, now=NOW, lease=LEASE)
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


def test_a_disabled_judge_gets_nothing_for_sending_again(store: Store) -> None:
    judge = launch(store, make_campaign(size=1))[0]
    turn = given(store, judge.id)
    finish(store, judge.id, turn)
    store.change_judge("news", judge.id, AccountChange(disabled=True), author="boss", now=NOW)
    decided, after = decide_and_turn(
        store, "news", judge.id, turn.assignment, 1, {"q": 1}, choose=first, now=NOW, lease=LEASE
    )
    assert (decided.new, after) == (False, None)


@pytest.mark.parametrize("probability", [0.0, 1.5, float("nan")])
def test_a_choice_has_a_probability(store: Store, probability: float) -> None:
    judge = launch(store, make_campaign())[0]
    with pytest.raises(ValueError, match="no probability"):
        store.turn(
            "news", judge.id, lambda kits, _: Chosen(kits[0], probability), now=NOW, lease=LEASE
        )


def test_never_more_judges_than_wanted_nor_the_same_kit_twice(store: Store) -> None:
    judges = launch(store, make_campaign(count=2, size=1, wanted=2), judges=3)
    had = []
    for judge in judges:
        while turn := turn_of(store, judge.id):
            had.append((judge.pin, turn.kit))
            finish(store, judge.id, turn)
    assert had == [("001", 1), ("001", 2), ("002", 1), ("002", 2)]


def test_kits_of_no_limit(store: Store) -> None:
    judges = launch(store, make_campaign(count=1, size=1, wanted=None), judges=5)
    for judge in judges:
        finish(store, judge.id, given(store, judge.id))
        assert turn_of(store, judge.id) is None


def test_blocks_are_kept_apart_where_the_phase_says_so(store: Store) -> None:
    kits = [make_kit(n, block="ab"[n > 2]) for n in (1, 2, 3)]
    judge = launch(store, make_campaign(kits=kits, apart=True))[0]
    had = []
    while turn := turn_of(store, judge.id):
        had.append(turn.kit)
        finish(store, judge.id, turn)
    assert had == [1, 3]


def test_groups_get_their_own_kits(store: Store) -> None:
    kits = [make_kit(1, group="g1"), make_kit(2, group="g2"), make_kit(3)]
    judge = launch(store, make_campaign(kits=kits))[0]
    store.change_judge("news", judge.id, AccountChange(group="g2"), author="boss", now=NOW)
    had = []
    while turn := turn_of(store, judge.id):
        had.append(turn.kit)
        finish(store, judge.id, turn)
    assert had == [2, 3]


def test_the_choice_sees_what_there_is_and_what_was(store: Store) -> None:
    judges = launch(store, make_campaign(count=3, size=1, wanted=2))
    finish(store, judges[0].id, given(store, judges[0].id))
    given(store, judges[0].id)
    seen: list[tuple[Sequence[OpenKit], Sequence[Had]]] = []

    def last(kits: Sequence[OpenKit], had: Sequence[Had]) -> Chosen:
        seen.append((list(kits), had))
        return Chosen(kits[-1], 0.25)

    turn = store.turn("news", judges[1].id, last, now=NOW, lease=LEASE)
    assert turn is not None
    assert turn.kit == 3
    ((kits, had),) = seen
    assert [(kit.number, kit.taken, kit.wanted) for kit in kits] == [
        (1, 1, 2),
        (2, 1, 2),
        (3, 0, 2),
    ]
    assert kits[0].systems == ("beta",)
    assert had == []
    finish(store, judges[1].id, turn)
    assert [row.probability for row in store.decisions("news")][-1] == 0.25
    store.turn("news", judges[1].id, last, now=NOW, lease=LEASE)
    assert [(kit.number, kit.state, kit.block) for kit in seen[1][1]] == [(3, "done", "b3")]


def test_nothing_is_given_that_the_choice_does_not_want(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    assert store.turn("news", judge.id, lambda *_: None, now=NOW, lease=LEASE) is None
    assert given(store, judge.id).kit == 1


def test_more_kits_are_offered_if_the_first_do_not_suit(store: Store) -> None:
    judge = launch(store, make_campaign(count=30, size=1))[0]

    def picky(kits: Sequence[OpenKit], _: Sequence[Had]) -> Chosen | None:
        return next((Chosen(kit) for kit in kits if kit.number == 23), None)

    turn = store.turn("news", judge.id, picky, now=NOW, lease=LEASE, most=2)
    assert turn is not None
    assert turn.kit == 23
    finish(store, judge.id, turn)
    assert store.turn("news", judge.id, picky, now=NOW, lease=LEASE, most=2) is None


def test_a_choice_that_fails_leaves_nothing_behind(store: Store) -> None:
    judge = launch(store, make_campaign())[0]

    def broken(*_: object) -> Chosen:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.turn("news", judge.id, broken, now=NOW, lease=LEASE)
    assert given(store, judge.id).kit == 1


# Leases


def test_an_abandoned_kit_goes_to_another_judge(store: Store) -> None:
    one, other = launch(store, make_campaign(count=1, wanted=1), judges=2)
    turn = given(store, one.id)
    decide(store, "news", one.id, turn.assignment, 1, {"q": 1}, now=NOW, lease=LEASE)
    assert turn_of(store, other.id, minutes=50) is None
    taken = given(store, other.id, minutes=61)
    assert (taken.kit, taken.position) == (1, 1)
    with pytest.raises(KitGone, match="gone to another judge"):
        decide(store, "news", one.id, turn.assignment, 2, {}, now=later(minutes=62), lease=LEASE)
    assert turn_of(store, one.id, minutes=62) is None
    (left,) = store.decisions("news")
    assert (left.status, left.reason) == ("excluded", "the lease was over")


def test_a_judge_who_comes_back_goes_on_where_he_was(store: Store) -> None:
    one, other = launch(store, make_campaign(count=2, wanted=1), judges=2)
    turn = given(store, one.id)
    decide(store, "news", one.id, turn.assignment, 1, {}, now=NOW, lease=LEASE)
    # The other judge's turn returns the abandoned kit, but he is given another one.
    store.turn("news", other.id, lambda kits, _: Chosen(kits[-1]), now=later(hours=2), lease=LEASE)
    assert [row.status for row in store.decisions("news")] == ["excluded"]
    back = given(store, one.id, hours=2)
    assert (back.assignment, back.position) == (turn.assignment, 2)
    assert back.shown_at == later(hours=2)
    assert [row.status for row in store.decisions("news")] == ["valid"]
    finish(store, one.id, back, hours=2)
    assert turn_of(store, one.id, hours=2) is None


def test_a_late_decision_is_taken_while_nobody_else_has_the_kit(store: Store) -> None:
    one, other = launch(store, make_campaign(count=2, wanted=1), judges=2)
    turn = given(store, one.id)
    store.turn("news", other.id, lambda kits, _: Chosen(kits[-1]), now=later(hours=2), lease=LEASE)
    decided = decide(store, "news", one.id, turn.assignment, 1, {}, now=later(hours=2), lease=LEASE)
    assert decided.new
    assert given(store, one.id, hours=2).position == 2


def test_the_lease_is_renewed_by_working(store: Store) -> None:
    one, other = launch(store, make_campaign(count=1, wanted=1), judges=2)
    turn = given(store, one.id)
    decide(store, "news", one.id, turn.assignment, 1, {}, now=later(minutes=40), lease=LEASE)
    assert turn_of(store, other.id, minutes=80) is None
    assert given(store, one.id, minutes=90).position == 2
    store.save_answers(
        "news", one.id, turn.assignment, 2, content="so far", now=later(minutes=140), lease=LEASE
    )
    assert turn_of(store, other.id, minutes=190) is None
    assert store.judge("news", one.id).seen_at == later(minutes=140)
    assert given(store, other.id, minutes=210).kit == 1


def test_what_a_coordinator_took_away_is_not_taken_up_again(store: Store) -> None:
    one, other = launch(store, make_campaign(count=2, wanted=1), judges=2)
    turn = given(store, one.id)
    store.turn("news", other.id, lambda kits, _: Chosen(kits[-1]), now=later(hours=2), lease=LEASE)
    assert store.redo("news", one.id, author="boss", reason="", now=NOW) == 0
    assert store.give_back("news", one.id, author="boss", reason="no", now=NOW) == 1
    assert turn_of(store, one.id, hours=2) is None
    with pytest.raises(KitGone, match="given back: no"):
        decide(store, "news", one.id, turn.assignment, 1, {}, now=later(hours=2), lease=LEASE)
    store.give_back("news", other.id, author="boss", reason="", now=NOW)
    third = store.add_judges("news", [NewJudge(pin="x")], author="boss", now=NOW)[0]
    assert {finish_kit(store, third.id), finish_kit(store, third.id)} == {1, 2}
    assert turn_of(store, third.id) is None


def finish_kit(store: Store, judge: str) -> int:
    turn = given(store, judge)
    finish(store, judge, turn)
    return turn.kit


# Stages


@pytest.mark.parametrize(
    ("advance", "places"),
    [
        ("item", [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]),
        ("kit", [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]),
    ],
)
def test_stages(store: Store, advance: str, places: list[tuple[int, int]]) -> None:
    new = make_campaign(stages=2, advance=advance)
    judge = launch(store, new)[0]
    turn: Step | None = given(store, judge.id)
    seen = []
    while turn and turn.kit == 1:
        seen.append((turn.index, turn.stage))
        assert turn.steps == 6
        assert turn.item == new.kits[0].items[turn.index]
        assert turn.earlier == ({"s0": turn.index} if turn.stage else {})
        answers = {f"s{turn.stage}": turn.index}
        _, turn = decide_and_turn(
            store,
            "news",
            judge.id,
            turn.assignment,
            turn.position,
            answers,
            choose=first,
            now=NOW,
            lease=LEASE,
        )
    assert seen == places
    rows = list(store.decisions("news"))
    assert [(row.index, row.stage) for row in rows] == places
    assert [row.item.segment for row in rows] == [str(index) for index, _ in places]


# Going back


def test_a_step_that_was_reached_can_be_looked_at(store: Store) -> None:
    one, other = launch(store, make_campaign(), judges=2)
    turn = given(store, one.id)
    assert store.step("news", one.id, turn.assignment, 1) == turn
    decide(store, "news", one.id, turn.assignment, 1, {"q": 4}, now=NOW, lease=LEASE)
    back = store.step("news", one.id, turn.assignment, 1)
    assert (back.answered, back.revision, back.item) == ({"q": 4}, 1, turn.item)
    assert store.step("news", one.id, turn.assignment, 2).answered is None
    for position in (0, 3, 4):
        with pytest.raises(OutOfTurn):
            store.step("news", one.id, turn.assignment, position)
    with pytest.raises(NotYours):
        store.step("news", other.id, turn.assignment, 1)


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


def test_drafts_are_overwritten_and_no_judgments(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    turn = given(store, judge.id)
    for draft in ({"q": 1}, ["half", None]):
        store.save_answers(
            "news", judge.id, turn.assignment, 1, content=draft, now=NOW, lease=LEASE
        )
        assert given(store, judge.id).draft == draft
    assert not list(store.decisions("news"))
    with pytest.raises(OutOfTurn):
        store.save_answers("news", judge.id, turn.assignment, 2, content=1, now=NOW, lease=LEASE)
    decide(store, "news", judge.id, turn.assignment, 1, {}, now=NOW, lease=LEASE)
    assert given(store, judge.id).draft is None
    store.save_answers("news", judge.id, turn.assignment, 2, content="new", now=NOW, lease=LEASE)
    assert given(store, judge.id).draft == "new"


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


def test_ids_tell_nothing(store: Store) -> None:
    judges = launch(store, make_campaign())
    keys = [judge.id for judge in judges] + [given(store, judge.id).assignment for judge in judges]
    assert len(set(keys)) == len(keys)
    assert all(len(key) == 20 for key in keys)
