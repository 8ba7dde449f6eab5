"""A small campaign to store, and how its judges ask for kits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from threading import Barrier, Thread
from typing import Any, NamedTuple

from jurat.model import Document, Item, Kit, Phase, Segment, Shown, System, TestSet, Translation
from jurat.store import (
    Account,
    Choose,
    Decision,
    NewCampaign,
    NewJudge,
    NewPhase,
    Offer,
    OpenKit,
    Step,
    Store,
)
from tests.event_loop import awaited

NOW = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


LEASE = timedelta(hours=1)


SYSTEMS = ("alpha", "beta")


def later(**delta: float) -> datetime:
    return NOW + timedelta(**delta)


class Chosen(NamedTuple):
    kit: OpenKit
    probability: float = 1.0


def first(offer: Offer) -> Chosen:
    return Chosen(offer.kits[0])


def last(offer: Offer) -> Chosen:
    return Chosen(offer.kits[-1])


def make_test_set(segments: int) -> TestSet:
    return TestSet(
        name="set",
        documents=(
            Document(
                id="d1",
                segments=tuple(
                    Segment(
                        id=str(n),
                        references={"r": f"reference {n} 中文"},
                        translations={s: Translation(f"{s} {n}") for s in SYSTEMS},
                    )
                    for n in range(segments)
                ),
            ),
        ),
        systems=tuple(System(name=name) for name in SYSTEMS),
        references=("r",),
    )


def make_kit(
    number: int,
    *,
    size: int = 3,
    task: str = "adequacy",
    phase: Phase = "evaluation",
    block: str | None = None,
    group: str = "",
) -> Kit:
    system = SYSTEMS[number % 2]
    return Kit(
        task=task,
        phase=phase,
        number=number,
        block=block or f"b{number}",
        group=group,
        items=tuple(
            Item(
                id=f"{task}-{phase}-{number}-{n}",
                document="d1",
                segment=str(n),
                translations=(Shown(system=system, text=f"text “{n}”\n日本"),),
                references={"r": f"reference {n}"},
                expected={"adequacy": 7} if n == 0 else {},
            )
            for n in range(size)
        ),
    )


def make_campaign(
    name: str = "news",
    *,
    kits: Sequence[Kit] | None = None,
    count: int = 4,
    size: int = 3,
    wanted: int | None = 2,
    **phase: object,
) -> NewCampaign:
    made = [make_kit(n, size=size) for n in range(1, count + 1)] if kits is None else kits
    places = dict.fromkeys((kit.task, kit.phase) for kit in made)
    return NewCampaign(
        name=name,
        title="News",
        declaration={"name": name, "tasks": [1, 2.5, None]},
        protocols={"tapet-adequacy": {"name": "tapet-adequacy"}},
        test_set=make_test_set(size),
        seed=7,
        phases=tuple(
            NewPhase(task=task, phase=of, wanted=wanted, **phase)  # type: ignore[arg-type]
            for task, of in places
        ),
        kits=made,
    )


def launch(store: Store, new: NewCampaign, judges: int = 4) -> tuple[Account, ...]:
    """Create the campaign, start all its phases and make accounts."""
    store.create(new, author="boss", now=NOW)
    for phase in new.phases:
        store.set_phase(new.name, phase.task, phase.phase, "started", author="boss", now=NOW)
    pins = [NewJudge(pin=f"{n:03}") for n in range(1, judges + 1)]
    return store.add_judges(new.name, pins, author="boss", now=NOW)


def decide(  # noqa: PLR0917
    store: Store,
    campaign: str,
    judge: str,
    assignment: str,
    position: int,
    answers: Mapping[str, object],
    *,
    now: datetime,
    lease: timedelta,
    decided_at: datetime | None = None,
    **more: Any,
) -> Decision:
    """Store a decision, and show nothing after it."""
    decision = Decision(answers=answers, decided_at=decided_at or now, **more)
    place = (campaign, judge, assignment, position)
    return store.submit(*place, check=lambda *_: (decision, False), now=now, lease=lease)[0]


def decide_and_turn(  # noqa: PLR0917
    store: Store,
    campaign: str,
    judge: str,
    assignment: str,
    position: int,
    answers: Mapping[str, object],
    *,
    choose: Choose,
    now: datetime,
    lease: timedelta,
    **more: Any,
) -> tuple[Decision, Step | None]:
    """Store a decision, and give the step that comes next, in this kit or another."""
    decision = Decision(answers=answers, decided_at=now, **more)
    place = (campaign, judge, assignment, position)
    stored, step = store.submit(*place, check=lambda *_: (decision, True), now=now, lease=lease)
    return stored, step or store.next_step(campaign, judge, choose, now=now, lease=lease)


def revise(  # noqa: PLR0917
    store: Store,
    campaign: str,
    judge: str,
    assignment: str,
    position: int,
    answers: Mapping[str, object],
    *,
    revision: int,
    now: datetime,
    **more: Any,
) -> Decision:
    """Replace a decision."""
    decision = Decision(answers=answers, decided_at=now, **more)
    place = (campaign, judge, assignment, position)

    async def replaced() -> Decision:
        return await store.revise_soon(*place, check=lambda *_: decision, revision=revision)

    return awaited(replaced())


def do_kit(store: Store, judge: str, *, steps: int = 3, campaign: str = "news") -> str:
    turn = store.next_step(campaign, judge, first, now=NOW, lease=LEASE)
    assert turn is not None
    for position in range(1, steps + 1):
        decide(
            store,
            campaign,
            judge,
            turn.assignment,
            position,
            {"q": position},
            now=later(seconds=10 * position),
            lease=LEASE,
            seconds=[10, 10, 500][position - 1],
        )
    return turn.assignment


def turn_of(store: Store, judge: str, **delta: float) -> Step | None:
    return store.next_step("news", judge, first, now=later(**delta), lease=LEASE)


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


def finish_kit(store: Store, judge: str) -> int:
    turn = given(store, judge)
    finish(store, judge, turn)
    return turn.kit


def together(count: int, work: Callable[[int], object]) -> list[Exception]:
    """Do something in so many threads at once; what went wrong."""
    ready = Barrier(count)
    errors: list[Exception] = []

    def run(n: int) -> None:
        try:
            ready.wait()
            work(n)
        except Exception as error:  # noqa: BLE001
            errors.append(error)

    threads = [Thread(target=run, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors
