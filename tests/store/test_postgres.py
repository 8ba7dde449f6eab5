"""Servers of PostgreSQL: connections, and what goes wrong with them."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from time import sleep
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from psycopg import pq
from sqlalchemy import Select, column, select

from jurat.store import (
    Store,
    StoreBusy,
    StoreFault,
    StoreUnreachable,
    postgres,
    postgres_groups,
)
from jurat.store.database import Conflict, Database, Session
from jurat.store.group_commit import Job
from jurat.store.postgres import AT_WORK
from jurat.store.schema import settings
from jurat.store.store_settings import KEEP
from tests.event_loop import awaited
from tests.machine.postgres import fresh_database
from tests.store.samples import launch, make_campaign, together


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(StoreUnreachable, match=r"jurat at 127\.0\.0\.1 does not answer") as told:
        Store.open("postgresql://user:geheim@127.0.0.1:1/jurat")
    assert "geheim" not in str(told.value)


def test_a_server_that_is_starting_is_waited_for(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that recovers from a crash, while Jurat is started again beside it."""
    pings = [pq.Ping.OK, pq.Ping.REJECT, pq.Ping.REJECT]
    connection = SimpleNamespace(ping=lambda _: pings.pop())
    monkeypatch.setattr(postgres, "pq", SimpleNamespace(PGconn=connection, Ping=pq.Ping))
    with Store.open(database):
        assert not pings


def test_a_wrong_password(database: str) -> None:
    parts = psycopg.conninfo.conninfo_to_dict(database)
    wrong = database.replace(str(parts["password"]), "geheim")
    with pytest.raises(StoreUnreachable, match="password authentication failed"):
        Store.open(wrong)


def test_a_database_without_an_encoding(postgres: str) -> None:
    """As `initdb` makes it where no language is set, for example in a bare container."""
    plain = "ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
    with fresh_database(postgres, plain) as address, Store.open(address) as store:
        launch(store, make_campaign("नमूना"), judges=1)
        assert [one.name for one in store.campaigns()] == ["नमूना"]


def test_an_address_that_is_none() -> None:
    with pytest.raises(StoreFault, match="not a database address"):
        Store.open("postgresql://localhost/jurat?nonsense=1")


def test_acknowledged_means_on_disk(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        name = psycopg.conninfo.conninfo_to_dict(database)["dbname"]
        connection.execute(f"ALTER DATABASE {name} SET synchronous_commit = off".encode())
    from jurat.store import postgres

    with postgres.connect(database) as connection:
        assert connection.execute("SHOW synchronous_commit").fetchone() == ("on",)


def test_many_at_once_take_turns(database: str) -> None:
    """However many threads ask, a server is asked for few connections; none waits for itself."""
    counting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    with Store.open(database) as store:
        within: list[int] = []

        def ask(_: Session) -> None:
            within.append(len(store.campaigns()))
            sleep(0.01)

        assert together(4 * AT_WORK, lambda _: store._database.write(ask)) == []
        assert within == [0] * 4 * AT_WORK
        with psycopg.connect(database) as connection:
            (count,) = connection.execute(counting).fetchone() or (0,)
        # this one, and no more than were at work, each with a question of its own
        assert AT_WORK < count <= 1 + 2 * AT_WORK


def test_whoever_waits_for_too_long_is_told(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "PATIENCE", 0.1)
    with Store.open(database) as store:
        streams = [store._database.stream(lambda _: iter([1, 2])) for _ in range(AT_WORK)]
        assert [next(one) for one in streams] == [1] * AT_WORK
        with pytest.raises(StoreBusy, match="too busy; nothing was changed"):
            store.campaigns()
        assert [list(one) for one in streams] == [[2]] * AT_WORK
        assert store.campaigns() == ()


async def _together(database: Database, *works: Callable[[Session], object]) -> list[object]:
    return await asyncio.gather(
        *(database.write_soon(work) for work in works), return_exceptions=True
    )


def test_what_arrives_together_shares_transactions_and_fails_alone(database: str) -> None:
    def note(name: str, *, error: Exception | None = None, late: bool = False) -> Any:
        def work(session: Session) -> str:
            if error and not late:
                raise error
            session.send(KEEP, name=name, value="x")
            if error:
                raise error
            return name

        return work

    transactions: Select[Any] = (
        select(column("xmin")).select_from(settings).order_by(settings.c.name)
    )
    with Store.open(database) as store:
        own = store._database
        works = [note(f"n{n}") for n in range(8)]
        assert awaited(_together(own, *works)) == [f"n{n}" for n in range(8)]
        assert len({*own.read(lambda session: session.all(transactions))}) < 8
        early, late = ValueError("early"), ValueError("late")
        found = awaited(
            _together(
                own,
                note("a"),
                note("b", error=early),
                note("n3"),  # is there already
                note("c", error=late, late=True),
            )
        )
        assert found[0] == "a"
        assert found[1] is early
        assert isinstance(found[2], Conflict)
        assert found[3] is late
        names = {name for (name,) in own.read(lambda s: s.all(select(settings.c.name)))}
        assert {"a", "n3"} <= names
        assert not {"b", "c"} & names


def test_who_waits_too_long_is_told(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jurat.store.postgres_groups.PATIENCE", 0.05)
    go_on = Event()
    with Store.open(database) as store:
        (found,) = awaited(_together(store._database, lambda _: go_on.wait(0.5)))
        go_on.set()
    assert isinstance(found, StoreBusy)


def test_threads_share_transactions(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one is under way others gather, and whoever waits for too long is told."""
    under_way, go_on = Event(), Event()

    def first(_: Session) -> None:
        under_way.set()
        assert go_on.wait(10)

    def late(session: Session) -> None:
        session.send(KEEP, name="late", value="x")
        raise ValueError("late")

    transactions: Select[Any] = select(column("xmin")).select_from(settings)
    with Store.open(database) as store, ThreadPoolExecutor(12) as threads:
        own = store._database
        assert isinstance(own, postgres.PostgreSQL)

        def write(work: Callable[[Session], None]) -> Future[None]:
            return threads.submit(own.write, work, repeatable=True)

        blocking = write(first)
        assert under_way.wait(10)
        with monkeypatch.context() as patch:
            patch.setattr(postgres_groups, "PATIENCE", 0.05)
            with pytest.raises(StoreBusy):
                write(late).result()
        groups = own._thread_groups
        waiting = [
            write(lambda session, n=n: session.send(KEEP, name=f"n{n}", value="x"))  # type: ignore[misc]
            for n in range(5)
        ]
        failing = write(late)
        while len(groups._waiting) < 6:
            sleep(0.001)
        go_on.set()
        assert [one.result() for one in (blocking, *waiting)] == [None] * 6
        with pytest.raises(ValueError, match="late"):
            failing.result()
        assert len({*own.read(lambda session: session.all(transactions))}) < 5
        assert (groups._waiting, groups._under_way) == ([], False)


def test_works_that_share_a_transaction_exclude_each_other(database: str) -> None:
    """By a key, or from everything; what waits for a key's holder does not keep it waiting."""
    order: list[str] = []

    def work(
        name: str, *, key: str, alone: bool = False, admits: bool = False
    ) -> Callable[[Session], None]:
        def steps(session: Session) -> None:
            session.exclude(key)
            order.append(f"{name} begins")
            if alone:
                session.exclude_all()
                order.append(f"{name} is alone")
            session.one(select(settings.c.name))
            if admits:
                order.append(f"{name} admits all")
                session.admit_all()
            session.one(select(settings.c.name))
            order.append(f"{name} ends")

        return steps

    works = (
        work("a", key="x"),
        work("b", key="x", alone=True),
        work("c", key="y", alone=True),
        work("d", key="y"),
        work("e", key="z"),
        work("f", key="u", alone=True, admits=True),
        work("g", key="v", alone=True),
    )
    with Store.open(database) as store:
        assert awaited(_together(store._database, *works)) == [None] * len(works)
    assert order.index("a ends") < order.index("b begins")
    assert order.index("c ends") < order.index("d begins")
    assert order.index("e begins") < order.index("a ends")
    for name, until in (("b", "ends"), ("c", "ends"), ("f", "admits all")):
        at = order.index(f"{name} is alone")
        assert order[at + 1] == f"{name} {until}"
    assert order.index("g is alone") < order.index("f ends")


def test_work_that_ends_with_its_group_has_no_error_yet(database: str) -> None:
    """It runs again by itself, and nobody must be told before."""

    def waits(session: Session) -> None:
        session.send(KEEP, name="waits", value="x")
        session.one(select(settings.c.name))

    def fails(session: Session) -> None:
        session.send(KEEP, name="fails", value="x")
        raise ValueError

    with Store.open(database) as store:
        jobs = [Job(waits), Job(fails)]
        own = store._database
        assert isinstance(own, postgres.PostgreSQL)
        assert not own._is_run_together(jobs)
        assert jobs[0].error is None
