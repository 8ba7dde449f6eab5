"""A process of its own with judges at work: `python -m tests.store.worker URL PIN…`.

Writes a line for every decision after it was acknowledged, and stops when nothing is left.
"""

import sys
from threading import Lock, Thread

from jurat.store import Store
from tests.store.samples import LEASE, NOW, decide_and_turn, first

WRITING = Lock()


def acknowledge(assignment: str, position: int) -> None:
    with WRITING:
        sys.stdout.write(f"{assignment} {position}\n")
        sys.stdout.flush()


def judge(store: Store, pin: str) -> None:
    account = store.judge_by_pin("news", pin)
    assert account is not None
    turn = store.next_step("news", account.id, first, now=NOW, lease=LEASE)
    while turn:
        answers = {"by": f"{turn.assignment} {turn.position}"}
        sent = (turn.assignment, turn.position)
        _, turn = decide_and_turn(
            store, "news", account.id, *sent, answers, choose=first, now=NOW, lease=LEASE
        )
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
