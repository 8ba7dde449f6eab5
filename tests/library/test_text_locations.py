"""Where texts stand, as the command line names them."""

from pathlib import Path

import pytest

from jurat.errors import InputError
from jurat.library.text_locations import TextLocation, distinct, text_location


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.txt", "b.tsv", "c:d.txt", "x=y.txt"):
        (tmp_path / name).write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("a.txt", TextLocation(Path("a.txt"))),
        ("b.tsv:mt", TextLocation(Path("b.tsv"), ("mt",))),
        ("b.tsv:mt,pe", TextLocation(Path("b.tsv"), ("mt", "pe"))),
        ("b.tsv:system:A", TextLocation(Path("b.tsv"), ("system:A",))),
        ("c:d.txt", TextLocation(Path("c:d.txt"))),
        ("c:d.txt:mt", TextLocation(Path("c:d.txt"), ("mt",))),
        ("x=y.txt", TextLocation(Path("x=y.txt"))),
        ("cedar=a.txt", TextLocation(Path("a.txt"), (), "cedar")),
        ("cedar=b.tsv:mt", TextLocation(Path("b.tsv"), ("mt",), "cedar")),
        ("cedar=x=y.txt", TextLocation(Path("x=y.txt"), (), "cedar")),
        ("nowhere.txt", TextLocation(Path("nowhere.txt"))),
        ("cedar=nowhere.txt", TextLocation(Path("cedar=nowhere.txt"))),
    ],
)
def test_what_is_named(given, found):
    assert text_location(given) == found


def test_one_name_for_several_columns():
    with pytest.raises(InputError, match="several columns"):
        text_location("cedar=b.tsv:mt,pe")


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (["out/cedar.txt", "out/birch.txt"], ["cedar", "birch"]),
        (["out.cedar", "out.birch"], ["out.cedar", "out.birch"]),
        (["1/out.txt", "2/out.txt", "elm.txt"], ["1/out.txt", "2/out.txt", "elm"]),
        (["b.tsv:mt", "a.txt"], ["mt", "a"]),
        (["b.tsv:mt", "b.tsv:pe"], ["mt", "pe"]),
        (["mt=a.txt", "b.tsv:mt"], ["mt", "b:mt"]),
    ],
)
def test_names_are_as_short_as_can_be(given, names, folder):
    for name in given:
        path = folder / name.split(":")[0].split("=")[-1]
        path.parent.mkdir(exist_ok=True)
        path.touch()
    assert distinct([ways for word in given for ways in text_location(word).names()]) == names


def test_the_same_thing_twice():
    ways = [next(text_location(word).names()) for word in ("a.txt", "a.txt")]
    with pytest.raises(InputError, match=r"'a.txt' is given twice; NAME=FILE gives another name"):
        distinct(ways)


def test_names_that_others_have():
    assert distinct([("cedar", "cedar.txt")], ["cedar"]) == ["cedar.txt"]


@pytest.mark.parametrize(
    ("name", "text", "is_set"),
    [
        ("set.sgm", "<refset>", True),
        ("set.xml", "<dataset>", True),
        ("set.tsv", "segment\tsource\tsystem:A\n", True),
        ("set.csv", '"segment","reference:A"\n', True),
        ("set.jsonl", '{"test_set": "x"}\n{"segment": 1, "translations": {"A": "b"}}\n', True),
        ("some.tsv", "segment\tsource\tmt\n", False),
        ("some.jsonl", '{"mt": "system: on"}\n', False),
        ("some.txt", "system:A\n", False),
        ("some.de", "<b>fett</b>\n", False),
    ],
)
def test_what_is_a_test_set(name, text, is_set):
    Path(name).write_text(text)
    assert text_location(name).is_set == is_set
    assert not text_location(f"{name}:column").is_set


def test_a_table_needs_a_column():
    with pytest.raises(InputError, match=r"b.tsv: name the column .* b.tsv:COLUMN"):
        text_location("b.tsv").read()
