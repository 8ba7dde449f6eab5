"""Names and sizes of what is uploaded."""

import pytest

from jurat.campaigns import uploads
from jurat.campaigns.uploads import check_sizes, kept_as, named
from jurat.errors import InputError


@pytest.mark.parametrize(
    ("name", "tidy"),
    [
        ("a.txt", "a.txt"),
        ("C:\\texts\\a.txt", "C:/texts/a.txt"),
        ("/etc/passwd", "etc/passwd"),
        ("../../x/./y.txt", "x/y.txt"),
        ("दस्तावेज़ 1.txt", "दस्तावेज़ 1.txt"),
    ],
)
def test_no_name_leads_anywhere(name, tidy):
    assert named(name) == tidy


@pytest.mark.parametrize("name", ["", "/", "..", "a\0b", "a\nb", "\ud800", "x" * 201])
def test_what_is_no_name_is_refused(name):
    with pytest.raises(InputError, match="cannot be the name"):
        named(name)


def test_a_file_takes_the_place_of_its_namesake_in_the_same_set_only():
    own, other = ["set.jsonl"], ["set.jsonl", "lesson.jsonl"]
    assert kept_as("set.jsonl", own=own, missing=(), taken=other) == "set.jsonl"
    assert kept_as("lesson.jsonl", own=own, missing=(), taken=other) == "lesson-2.jsonl"
    taken = [*other, "lesson-2.jsonl"]
    assert kept_as("lesson.jsonl", own=own, missing=(), taken=taken) == "lesson-3.jsonl"


def test_a_file_that_is_asked_for_gets_the_name_that_it_is_asked_by():
    missing = ["refs/a.txt", "b.txt", "refs/c.txt", "systems/c.txt"]
    keep = lambda name: kept_as(name, own=missing, missing=missing, taken=missing)  # noqa: E731
    assert keep("a.txt") == "refs/a.txt"
    assert keep("mine/b.txt") == "b.txt"
    assert keep("systems/c.txt") == "systems/c.txt"
    assert keep("c.txt") == "c.txt"  # either could be meant
    assert keep("efs/a.txt") == "efs/a.txt"


def test_too_much_is_refused(monkeypatch):
    for name, value in (("LARGEST", 10), ("MOST", 2), ("IN_ALL", 15)):
        monkeypatch.setattr(uploads, name, value)
    check_sizes({"a": 10, "b": 5}, ["a", "b"])
    with pytest.raises(InputError, match=r"a: the file has 11 bytes; at most 10"):
        check_sizes({"a": 11}, ["a"])
    with pytest.raises(InputError, match="3 files; at most 2"):
        check_sizes({"a": 1, "b": 1, "c": 1}, ["c"])
    with pytest.raises(InputError, match="more than 15 bytes"):
        check_sizes({"a": 10, "b": 6}, ["b"])
