"""A process of its own with judges at work: `python -m tests.store.worker URL PIN…`.

Writes a line for every decision after it was acknowledged, and stops when nothing is left. What the
store could not do is tried again, as browsers do.
"""

import sys
from collections.abc import Callable
from functools import partial
from threading import Lock, Thread
from typing import TypeVar

from jurat.store import Store, StoreFault
from tests.store.samples import LEASE, NOW, decide_and_turn, first

WRITING = Lock()
TRIES = 20
T = TypeVar("T")


def acknowledge(assignment: str, position: int) -> None:
    with WRITING:
        sys.stdout.write(f"{assignment} {position}\n")
        sys.stdout.flush()


def insist(call: Callable[[], T]) -> T:
    """What the call returns, at the latest at its twentieth try."""
    for _ in range(TRIES - 1):
        try:
            return call()
        except StoreFault:
            continue
    return call()


def judge(store: Store, pin: str) -> None:
    account = insist(lambda: store.judge_by_pin("news", pin))
    assert account is not None
    own = account.id
    turn = insist(lambda: store.next_step("news", own, first, now=NOW, lease=LEASE))
    while turn:
        answers = {"by": f"{turn.assignment} {turn.position}"}
        sent = (turn.assignment, turn.position)
        decide = partial(
            decide_and_turn, store, "news", own, *sent, answers, choose=first, now=NOW, lease=LEASE
        )
        _, turn = insist(decide)
        acknowledge(*sent)


def main(url: str, *pins: str) -> None:
    with Store.open(url) as store:
        threads = [Thread(target=judge, args=(store, pin)) for pin in pins]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
