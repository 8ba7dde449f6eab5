"""Archives from anywhere: what a judge could not have answered is refused."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jurat.campaigns import Submission
from jurat.errors import InputError
from jurat.store import Store
from tests.campaigns.sample_campaigns import NAME, Setting, plan, task
from tests.store.empty_store import empty_store
from tests.store.test_backup_archive import rewritten


@pytest.fixture
def archived(quick: Setting) -> bytes:
    judge, *_ = quick.launch(judges=6)
    quick.kit(judge)
    file = io.BytesIO()
    quick.service.campaigns.archive(NAME, file)
    return file.getvalue()


def opened(data: bytes, place: Path) -> Store:
    store = empty_store(place)
    Setting(store).service.campaigns.open_archive(io.BytesIO(data))
    return store


def test_an_archive_as_jurat_writes_it(archived: bytes, tmp_path: Path) -> None:
    with opened(archived, tmp_path / "other.db") as store:
        assert list(store.decisions(NAME))


def test_a_skipped_item_has_no_answers_and_is_no_fault(quick: Setting, tmp_path: Path) -> None:
    judge, *_ = quick.launch(plan(task("informativeness"), skip=True), judges=6)
    step = quick.next(judge)
    sent = Submission(
        assignment=step.assignment, position=step.position, answers={}, skip=True, comment="empty"
    )
    quick.service.judging.submit(NAME, judge, sent)
    quick.kit(judge)
    file = io.BytesIO()
    quick.service.campaigns.archive(NAME, file)
    with opened(file.getvalue(), tmp_path / "other.db") as store:
        assert sum(one.skipped for one in store.decisions(NAME)) == 1

    def answered(rows: list[Any]) -> None:
        next(row for row in rows if row["skipped"])["answers"] = {"meaning": "something"}

    with pytest.raises(InputError, match="skipped"):
        opened(rewritten(file.getvalue(), decisions=answered), tmp_path / "third.db")


def answer(value: object) -> Callable[[list[Any]], object]:
    def change(rows: list[Any]) -> None:
        for name in rows[0]["answers"]:
            rows[0]["answers"][name] = value

    return change


def protocols(rows: list[Any]) -> None:
    rows[0]["protocols"] = json.loads('{"da": {"questions": 3}}')


@pytest.mark.parametrize(
    "changes",
    [
        {"decisions": answer("=cmd()")},
        {"decisions": answer(10**9)},
        {"decisions": lambda rows: rows[0].update(answers={"unasked": 1})},
        {"campaigns": protocols},
        {"campaigns": lambda rows: rows[0].update(protocols={})},
        {"campaigns": lambda rows: rows[0].update(declaration={"name": NAME})},
    ],
    ids=["text", "number", "question", "protocol", "no protocol", "declaration"],
)
def test_what_nobody_could_have_answered(
    changes: dict[str, Any], archived: bytes, tmp_path: Path
) -> None:
    with pytest.raises(InputError):
        opened(rewritten(archived, **changes), tmp_path / "other.db")
