"""Archives from anywhere: what a judge could not have answered is refused."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jurat.errors import InputError
from jurat.store import Store
from tests.campaigns.sample_campaigns import NAME, Setting
from tests.store.empty_store import empty_store
from tests.store.test_archive import rewritten


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
        {"campaigns": lambda rows: rows[0].update(declaration={"name": NAME})},
    ],
    ids=["text", "number", "question", "protocol", "declaration"],
)
def test_what_nobody_could_have_answered(
    changes: dict[str, Any], archived: bytes, tmp_path: Path
) -> None:
    with pytest.raises(InputError):
        opened(rewritten(archived, **changes), tmp_path / "other.db")
