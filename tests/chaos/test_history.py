"""The check finds every way in which a store can be wrong."""

from collections.abc import Callable, Iterator

import msgspec
import pytest

from jurat.store import StoredDecision
from tests.campaigns.sample_campaigns import NAME, Setting
from tests.chaos.history import History, Key
from tests.store.empty_store import empty_store

Rows = list[StoredDecision]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rows]:
    """The decisions of two judges on one kit each, as a store has them."""
    with empty_store(tmp_path_factory.mktemp("history") / "jurat.db") as store:
        setting = Setting(store)
        for judge in setting.launch()[:2]:
            setting.kit(judge)
        yield list(store.decisions(NAME))


def history_of(rows: Rows) -> History:
    """A history in which exactly these were sent and acknowledged."""
    history = History()
    for row in rows:
        key = Key(row.assignment, row.position, row.revision)
        history.send(key, row.judge, dict(row.answers))
        history.acknowledge(key)
    return history


def test_what_was_sent_is_stored(rows: Rows) -> None:
    assert history_of(rows).check(rows, wanted=2) == []


def change(row: StoredDecision, **changed: object) -> StoredDecision:
    return msgspec.structs.replace(row, **changed)


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda rows: rows[:-1], "is lost"),
        (lambda rows: [*rows, rows[0]], "is stored 2 times"),
        (lambda rows: [change(rows[0], answers={}), *rows[1:]], "is not what was sent"),
        (lambda rows: [change(rows[0], judge="another"), *rows[1:]], "is not what was sent"),
        (lambda rows: [change(rows[0], revision=2), *rows[1:]], "is not what was sent"),
        (lambda rows: rows[1:], "has only the steps"),
        (lambda rows: [change(row, kit=1) for row in rows], "instead of 1"),
        (lambda rows: [change(row, kit=1, judge="one") for row in rows], "to a judge twice"),
    ],
)
def test_whatever_is_wrong_is_found(rows: Rows, spoil: Callable[[Rows], Rows], told: str) -> None:
    found = history_of(rows).check(spoil(rows), wanted=1)
    assert any(told in one for one in found), found


def test_a_step_that_was_acknowledged_is_not_asked_again(rows: Rows) -> None:
    history = history_of(rows)
    history.ask("one", rows[0].assignment, 1)
    history.receive(500, "broken")
    assert len(history.check(rows, wanted=2)) == 2
