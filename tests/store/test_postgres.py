"""Servers of PostgreSQL: connections, and what goes wrong with them."""

from time import sleep

import psycopg
import pytest

from jurat.store import (
    Store,
    StoreBusy,
    StoreFault,
    StoreUnreachable,
    postgres,
)
from jurat.store.database import Session
from jurat.store.postgres import AT_WORK
from tests.store.samples import together


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(StoreUnreachable, match=r"jurat at 127\.0\.0\.1 does not answer") as told:
        Store.open("postgresql://user:geheim@127.0.0.1:1/jurat")
    assert "geheim" not in str(told.value)


def test_a_wrong_password(database: str) -> None:
    parts = psycopg.conninfo.conninfo_to_dict(database)
    wrong = database.replace(str(parts["password"]), "geheim")
    with pytest.raises(StoreUnreachable, match="password authentication failed"):
        Store.open(wrong)


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
