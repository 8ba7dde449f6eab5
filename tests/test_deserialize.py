"""Kinds are learnt by one thread at a time."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock

import msgspec
import pytest

from jurat.deserialize import convert, decode, struct_fields


class Point(msgspec.Struct, frozen=True):
    x: int


def test_plain_data_and_json():
    assert convert({"x": 1}, Point) == decode(b'{"x": 1}', Point) == Point(1)
    assert convert("1", int, strict=False) == 1
    assert convert([{"x": 2}], list[Point]) == [Point(2)]
    with pytest.raises(msgspec.ValidationError):
        convert({"x": "one"}, Point)
    with pytest.raises(msgspec.DecodeError):
        decode(b"{", Point)


def test_fields_have_the_names_that_data_give_them():
    class Renamed(msgspec.Struct, rename="camel"):
        the_place: Point

    found = struct_fields(Renamed)
    assert {name: (field.name, field.type) for name, field in found.items()} == {
        "thePlace": ("the_place", Point)
    }


def test_one_learns_at_a_time(monkeypatch: pytest.MonkeyPatch):
    alone, pause = Lock(), Event()

    class Slow:
        """A decoder that takes its time, and does not want to be disturbed."""

        def __init__(self, _: object) -> None:
            assert alone.acquire(blocking=False)
            pause.wait(0.01)
            alone.release()

    kinds = [msgspec.defstruct(f"Kind{n}", [("x", int)]) for n in range(8)]
    monkeypatch.setattr(msgspec.json, "Decoder", Slow)
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda kind: convert({"x": 3}, kind), kinds))
    assert [one.x for one in made] == [3] * 8
