"""Values as columns hold them, and back."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from jurat.model import TestSet
from jurat.store import StoreFault
from jurat.store.encoding import (
    from_blob,
    from_json,
    from_time,
    key_of,
    new_key,
    to_blob,
    to_json,
    to_microseconds,
    to_time,
)
from tests.store.samples import make_test_set


@pytest.mark.parametrize("year", [1, 1969, 2026, 9999])
def test_times_are_exact(year: int) -> None:
    moment = datetime(year, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)
    assert from_time(to_time(moment)) == moment
    assert to_time(moment) - to_time(moment - timedelta(microseconds=1)) == 1
    assert from_time(None) is None


def test_times_of_other_zones_are_the_same_moment() -> None:
    here = datetime(2026, 1, 1, 2, tzinfo=timezone(timedelta(hours=2)))
    assert to_time(here) == to_time(datetime(2026, 1, 1, tzinfo=UTC))
    assert to_microseconds(timedelta(seconds=1.5)) == 1_500_000


def test_data_come_back() -> None:
    assert from_json(to_json({"a": [1, 2.5, None, "中"]})) == {"a": [1, 2.5, None, "中"]}
    assert from_blob(to_blob(make_test_set(2)), TestSet) == make_test_set(2)


@pytest.mark.parametrize("data", ["\ud800", object()])
def test_what_json_cannot_hold_is_refused(data: object) -> None:
    with pytest.raises(StoreFault, match="cannot be stored"):
        to_json(data)


def test_keys() -> None:
    assert new_key() != new_key()
    assert key_of("word") == key_of("word") != key_of("other")
    assert len(new_key()) == len(key_of("word")) == 20
