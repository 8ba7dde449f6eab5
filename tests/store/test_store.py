"""Operations of a store: functions on a session that are declared as methods."""

import asyncio
import inspect
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from jurat.store import NoSuchCampaign, NoSuchJudge, Store, accounts, decisions
from jurat.store.database import Session
from jurat.store.store import LookUp, Operation, Read, Stream, Write, WriteSoon
from tests.store.empty_store import empty_store
from tests.store.samples import NOW, launch, make_campaign


def test_an_operation_is_bound_once_and_documented_by_its_function(store: Store) -> None:
    assert isinstance(Store.judge, LookUp)
    assert Store.judge.__doc__ == accounts.by_id.__doc__
    assert store.judge.__doc__ == accounts.by_id.__doc__
    assert store.judge is store.judge
    with pytest.raises(NoSuchCampaign):
        store.judge("news", "nobody")
    launch(store, make_campaign())
    with pytest.raises(NoSuchJudge):
        store.judge("news", judge="nobody")


def test_every_operation_takes_a_session_first_and_is_documented() -> None:
    operations = {n: o for n, o in vars(Store).items() if isinstance(o, Operation)}
    assert len(operations) > 60
    for name, operation in operations.items():
        first_argument = next(iter(inspect.signature(operation._function).parameters))
        assert first_argument == "session", name
        assert operation.__doc__, name


def test_two_stores_have_operations_of_their_own(store: Store, tmp_path: Path) -> None:
    with empty_store(tmp_path / "other.db") as other:
        other.create(make_campaign("other"), author="boss", now=NOW)
        assert [one.name for one in other.campaigns()] == ["other"]
        assert store.campaigns() == ()


def test_kinds_of_operations(store: Store) -> None:
    def count(_: Session, most: int, *, step: int = 1) -> list[int]:
        return list(range(0, most, step))

    def numbers(_: Session, most: int) -> Iterator[int]:
        yield from range(most)

    class Counting(Store):
        read = Read(count)
        stream = Stream(numbers)
        write = Write(count, repeatable=True)
        write_soon = WriteSoon(count)

    async def soon() -> list[int]:
        return await counting.write_soon(6, step=3)

    counting = Counting(store._database)
    assert counting.read(4, step=2) == counting.write(4, step=2) == [0, 2]
    assert list(counting.stream(3)) == [0, 1, 2]
    with ThreadPoolExecutor(1) as thread:  # tests in a browser leave an event loop in this one
        assert thread.submit(asyncio.run, soon()).result() == [0, 3]


def test_a_decision_is_stored_by_the_same_function_in_threads_and_event_loops() -> None:
    assert Store.submit._function is Store.submit_soon._function is decisions.submit
