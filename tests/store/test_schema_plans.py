"""The judges' path asks a fixed small number of indexed statements, whatever is stored."""

from pathlib import Path
from typing import Any

import psycopg
import pytest

from benchmarks.store import fill
from jurat.store import Store
from jurat.store.database import Session, Statement, Texts
from jurat.store.decisions import ALL_FLAGGED, FLAG_COUNT, OF_JUDGE
from jurat.store.postgres import PostgreSQLSession
from jurat.store.progress import ALL_SKIPPED, SKIPPED
from jurat.store.sqlite import SQLiteSession
from tests.store.empty_store import empty_store
from tests.store.samples import (
    LEASE,
    NOW,
    decide,
    decide_and_turn,
    first,
    later,
    launch,
    make_campaign,
    revise,
)

LARGE = ("kits", "items", "judges", "assignments", "decisions", "drafts")
"""Tables that grow; PostgreSQL is right to read the few rows of others whole."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Statement]:
    """Every statement that is run, in order."""
    seen: list[Statement] = []
    make = Texts.of

    def noted(texts: Texts, statement: Statement) -> str:
        seen.append(statement)
        return make(texts, statement)

    monkeypatch.setattr(Texts, "of", noted)
    return seen


def walk(store: Store) -> None:
    """Everything that a judge can do, with abandoned kits of others to be found."""
    judges = launch(store, make_campaign(count=30, wanted=2, stages=2), judges=8)
    for judge in judges[1:]:
        store.next_step("news", judge.id, first, now=NOW, lease=LEASE)
    me = judges[0].id
    now = later(hours=3)
    turn = store.next_step("news", me, first, now=now, lease=LEASE)
    assert turn is not None
    store.save_answers("news", me, turn.assignment, 1, content={}, now=now, lease=LEASE)
    store.save_answers("news", me, turn.assignment, 1, content={}, now=now, lease=LEASE)
    decide(store, "news", me, turn.assignment, 1, {}, now=now, lease=LEASE)
    decide(store, "news", me, turn.assignment, 1, {}, now=now, lease=LEASE)
    revise(store, "news", me, turn.assignment, 1, {}, revision=2, now=now)
    store.step("news", me, turn.assignment, 1)
    store.states("news")
    for position in range(2, 7):
        decide_and_turn(
            store,
            "news",
            me,
            turn.assignment,
            position,
            {},
            choose=first,
            now=later(hours=4),
            lease=LEASE,
        )
    left = store.next_step("news", judges[3].id, first, now=later(hours=9), lease=LEASE)
    assert left is not None


def explained(session: Session, statement: Statement) -> list[str]:
    """The steps of a plan that look at all rows of a table, or of an index."""
    names = list(statement.compile().params)
    if isinstance(session, SQLiteSession):
        text = f"EXPLAIN QUERY PLAN {session._text(statement)}"
        plan = session._execute(text, dict.fromkeys(names)).fetchall()
        return [row[3] for row in plan if row[3].startswith("SCAN")]
    assert isinstance(session, PostgreSQLSession)
    text = session._text(statement).replace("%%", "%")
    for n, name in enumerate(names, 1):
        text = text.replace(f"%({name})s", f"${n}")
    nothing = ", ".join(["NULL"] * len(names))
    for command in (
        "SET LOCAL plan_cache_mode = force_generic_plan",
        # All of these are right where there is little, as here.
        "SET LOCAL enable_seqscan = off",
        "SET LOCAL enable_mergejoin = off",
        "SET LOCAL enable_hashjoin = off",
        f"PREPARE plan AS {text}",
        f"EXPLAIN (FORMAT JSON) EXECUTE plan({nothing})",
    ):
        cursor = session._connection.execute(command.encode())
    found = cursor.fetchone()
    session._connection.execute("DEALLOCATE plan")
    assert found is not None
    return whole(found[0][0]["Plan"])


def whole(node: dict[str, Any]) -> list[str]:
    """Scans of large tables without a condition, in a plan of PostgreSQL's."""
    table = node.get("Relation Name")
    scanned = table in LARGE and "Index Cond" not in node and "Plans" not in node
    mine = [f"{node['Node Type']} {table}"] if scanned else []
    return mine + [line for part in node.get("Plans", ()) for line in whole(part)]


def test_no_statement_looks_at_a_whole_table(asked: list[Statement], url: str) -> None:
    with Store.open(url) as store:
        for judge in fill(store, 40_000, 400, 150):
            store.next_step("c", judge, first, now=NOW, lease=LEASE)
        if url.startswith("postgresql"):
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("ANALYZE")
        asked.clear()
        walk(store)
        known = judges_path()
        judging = [one for one in dict.fromkeys(asked) if any(one is other for other in known)]
        assert len(judging) > 20

        def explain(session: Session) -> dict[str, list[str]]:
            return {str(one): found for one in judging if (found := explained(session, one))}

        assert store._database.write(explain) == {}


@pytest.mark.parametrize("statement", [OF_JUDGE, ALL_FLAGGED, FLAG_COUNT, SKIPPED, ALL_SKIPPED])
def test_few_decisions_are_found_without_reading_all(statement: Statement, tmp_path: Path) -> None:
    def plan(session: Session) -> list[str]:
        text = f"EXPLAIN QUERY PLAN {session._text(statement)}"
        assert isinstance(session, SQLiteSession)
        names = dict.fromkeys(statement.compile().params)
        return [row[3] for row in session._execute(text, names).fetchall()]

    with empty_store(tmp_path / "jurat.db") as store:
        (found,) = [step for step in store._database.write(plan) if " decisions" in step]
    flagged = found.startswith("SCAN decisions USING INDEX decisions_flagged")
    assert flagged or "(assignment_id=?)" in found


def judges_path() -> list[Statement]:
    """The statements of the modules that a judge's request goes through."""
    from jurat.store import assignments, decisions, kits, steps

    modules = (assignments, decisions, kits, steps)
    constants = [value for module in modules for value in vars(module).values()]
    return [value for value in constants if isinstance(value, Statement)]


def test_the_number_of_statements_does_not_grow(asked: list[Statement], store: Store) -> None:
    judges = launch(store, make_campaign(count=60, wanted=2, size=2), judges=40)
    counts = []
    for judge in judges:
        asked.clear()
        turn = store.next_step("news", judge.id, first, now=NOW, lease=LEASE)
        assert turn is not None
        for position in (1, 2):
            decide_and_turn(
                store,
                "news",
                judge.id,
                turn.assignment,
                position,
                {},
                choose=first,
                now=NOW,
                lease=LEASE,
            )
        counts.append(len(asked))
    # of every two judges the second finds the kit's items known
    assert counts == counts[:2] * 20
    assert max(counts) <= 40
    asked.clear()
    turn = store.next_step("news", judges[0].id, first, now=NOW, lease=LEASE)
    assert len(asked) == 2
    assert turn is not None
    asked.clear()
    decide_and_turn(
        store, "news", judges[0].id, turn.assignment, 1, {}, choose=first, now=NOW, lease=LEASE
    )
    assert len(asked) == 3
