"""Many judges at once, in threads and processes: nothing doubled, nothing lost, never too many."""

import subprocess
import sys
from collections import Counter
from collections.abc import Sequence

from jurat.store import AlreadyDecided, Decision, NewJudge, Store
from tests import ROOT
from tests.store.samples import (
    LEASE,
    NOW,
    decide,
    decide_and_turn,
    first,
    launch,
    make_campaign,
    make_kit,
    together,
)


def check(store: Store, *, kits: int, wanted: int, steps: int) -> None:
    """All is done, once each, without gaps, and no kit by more judges than wanted."""
    rows = list(store.decisions("news"))
    keys = Counter((row.assignment, row.position) for row in rows)
    assert set(keys.values()) == {1}
    of = {row.assignment: (row.kit, row.judge) for row in rows}
    assert Counter(kit for kit, _ in of.values()) == dict.fromkeys(range(1, kits + 1), wanted)
    assert len(set(of.values())) == len(of)
    assert Counter(assignment for assignment, _ in keys) == dict.fromkeys(of, steps)
    assert len(rows) == kits * wanted * steps
    (phase,) = store.progress("news").phases
    assert (phase.open, phase.done) == (0, kits * wanted)


def test_threads(store: Store) -> None:
    judges = launch(store, make_campaign(count=20, wanted=3, size=4), judges=16)

    def judge(n: int) -> None:
        turn = store.next_step("news", judges[n].id, first, now=NOW, lease=LEASE)
        while turn:
            _, turn = decide_and_turn(
                store,
                "news",
                judges[n].id,
                turn.assignment,
                turn.position,
                {},
                choose=first,
                now=NOW,
                lease=LEASE,
            )

    assert together(16, judge) == []
    check(store, kits=20, wanted=3, steps=4)


def test_processes(url: str) -> None:
    with Store.open(url) as store:
        judges = launch(store, make_campaign(count=20, wanted=2, size=5), judges=9)
        pins = [judge.pin for judge in judges]
        workers = [start(url, pins[n::3]) for n in range(3)]
        acknowledged = [line for worker in workers for line in worker.communicate()[0].split("\n")]
        assert [worker.returncode for worker in workers] == [0, 0, 0]
        check(store, kits=20, wanted=2, steps=5)
        stored = {f"{row.assignment} {row.position}" for row in store.decisions("news")}
        assert stored == set(filter(None, acknowledged))


def start(url: str, pins: Sequence[str]) -> subprocess.Popen[str]:
    command = (sys.executable, "-m", "tests.store.worker", url, *pins)
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_one_place_and_many_who_want_it(store: Store) -> None:
    judges = launch(store, make_campaign(count=1, wanted=1), judges=24)
    given: list[str] = []

    def ask(n: int) -> None:
        if turn := store.next_step("news", judges[n].id, first, now=NOW, lease=LEASE):
            given.append(turn.assignment)

    assert together(24, ask) == []
    assert len(given) == 1


def test_one_judge_on_many_pages_has_one_kit(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    given: set[str] = set()

    def ask(_: int) -> None:
        turn = store.next_step("news", judge.id, first, now=NOW, lease=LEASE)
        assert turn is not None
        given.add(turn.assignment)

    assert together(16, ask) == []
    assert len(given) == 1


def test_the_same_decision_from_many_pages_is_stored_once(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    turn = store.next_step("news", judge.id, first, now=NOW, lease=LEASE)
    assert turn is not None
    acknowledged: list[Decision] = []

    def send(_: int) -> None:
        acknowledged.append(
            decide(store, "news", judge.id, turn.assignment, 1, {"q": 1}, now=NOW, lease=LEASE)
        )

    assert together(16, send) == []
    assert sum(decided.new for decided in acknowledged) == 1
    assert len({decided.number for decided in acknowledged}) == 1
    assert len(list(store.decisions("news"))) == 1


def test_of_different_decisions_from_many_pages_one_is_stored(store: Store) -> None:
    """Whoever is acknowledged finds their own answers stored, and the others are told."""
    judge = launch(store, make_campaign())[0]
    turn = store.next_step("news", judge.id, first, now=NOW, lease=LEASE)
    assert turn is not None
    acknowledged: list[int] = []

    def send(n: int) -> None:
        decide(store, "news", judge.id, turn.assignment, 1, {"n": n}, now=NOW, lease=LEASE)
        acknowledged.append(n)

    refused = together(16, send)
    assert {type(error) for error in refused} == {AlreadyDecided}
    assert len(refused) == 15
    assert [row.answers for row in store.decisions("news")] == [{"n": acknowledged[0]}]


def test_abandoned_kits_are_given_back_once(store: Store) -> None:
    judges = launch(store, make_campaign(count=3, wanted=1), judges=20)
    for judge in judges[:3]:
        assert store.next_step("news", judge.id, first, now=NOW, lease=LEASE)
    given: list[int] = []

    def ask(n: int) -> None:
        turn = store.next_step("news", judges[n + 3].id, first, now=NOW + 2 * LEASE, lease=LEASE)
        if turn:
            given.append(turn.kit)

    assert together(17, ask) == []
    assert sorted(given) == [1, 2, 3]


def test_coordinators_and_judges_at_once(store: Store) -> None:
    """Kits are taken away while they are judged: the count of places stays right."""
    judges = launch(store, make_campaign(kits=[make_kit(n, size=2) for n in range(1, 9)]), judges=6)

    def act(n: int) -> None:
        judge = judges[n % 6].id
        for _ in range(6):
            if n < 6:
                turn = store.next_step("news", judge, first, now=NOW, lease=LEASE)
                sent = turn and (turn.assignment, turn.position)
                if sent:
                    decide_and_turn(
                        store, "news", judge, *sent, {}, choose=first, now=NOW, lease=LEASE
                    )
            else:
                store.give_back("news", judge, author="boss", reason="", now=NOW)

    errors = together(8, act)
    assert {type(error).__name__ for error in errors} <= {"KitGone"}
    for judge in judges:
        store.give_back("news", judge.id, author="boss", reason="", now=NOW)
    pins = [f"x{n}" for n in range(2)]
    fresh = store.add_judges("news", [NewJudge(pin=pin) for pin in pins], author="b", now=NOW)
    for judge in fresh:
        kits = set()
        while turn := store.next_step("news", judge.id, first, now=NOW, lease=LEASE):
            kits.add(turn.kit)
            for position in (1, 2):
                decide(store, "news", judge.id, turn.assignment, position, {}, now=NOW, lease=LEASE)
        assert kits == set(range(1, 9))
    assert store.progress("news").phases[0].done == 16
