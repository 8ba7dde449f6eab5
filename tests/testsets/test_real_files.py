"""Published tables, read as test sets."""

from pathlib import Path

import pytest

from jurat.testsets import Role, SetFile, read_test_set

SYSTEM = Role("system")

CASES = [
    (
        "multiref_eten/et-en.tsv",
        {"mt": SYSTEM, "da_z": Role("ignore")},
        (1000, ("ref1", "ref2"), 1, True),
    ),
    (
        "tradopad/segments.tsv",
        {"mt": SYSTEM, "item_position": Role("segment")},
        (100, ("ref1", "ref2", "ref3", "ref4"), 1, True),
    ),
    (
        "wmt14_hien/hi-en.outputs.tsv",
        {f"sys{number}": SYSTEM for number in range(1, 10)},
        (1180, ("ref",), 9, False),
    ),
    (
        "wmt23_metrics_ende/texts_en-de.tsv",
        dict.fromkeys(("GPT4-5shot", "ONLINE-B", "NLLB_Greedy"), SYSTEM),
        (557, ("refA",), 3, True),
    ),
]


@pytest.mark.parametrize(("path", "columns", "expected"), CASES, ids=[case[0] for case in CASES])
def test_real_tables(
    shared: Path,
    path: str,
    columns: dict[str, Role],
    expected: tuple[int, tuple[str, ...], int, bool],
) -> None:
    segments, references, systems, has_source = expected
    test_set = read_test_set([SetFile(path, (shared / path).read_bytes(), None, columns)])
    assert len(list(test_set.segments())) == segments
    assert test_set.references == references
    assert len(test_set.systems) == systems
    assert all((segment.source is not None) == has_source for _, segment in test_set.segments())


def test_marks_left_by_joining_files_are_gone(shared: Path) -> None:
    data = (shared / "multiref_eten/et-en.tsv").read_bytes()
    assert data.count(b"\xef\xbb\xbf") > 0
    columns = {"mt": SYSTEM, "da_z": Role("ignore")}
    test_set = read_test_set([SetFile("a.tsv", data, None, columns)])
    assert not any("\ufeff" in (segment.source or "") for _, segment in test_set.segments())
