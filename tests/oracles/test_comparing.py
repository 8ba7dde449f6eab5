"""The comparison with golden rows can fail, in each of the ways in which rows tell numbers."""

import pytest

from tests.oracles.golden import Row, difference


def row(published: str, recomputed: str, tolerance: str, source: str = "") -> Row:
    return Row("set", "id", "", published, recomputed, tolerance, "published", source)


@pytest.mark.parametrize(
    ("golden", "right", "wrong"),
    [
        (row(".163±.01", "0.1641", "0.01 (vs published); 0.0005 vs recomputed"), 0.1643, 0.166),
        (row("0.0296", "0.0296", "1% relative (ties)"), 0.0298, 0.0300),
        (row("2.0e-12", "2.0e-12", "1% relative"), 2.01e-12, 2.1e-12),
        (row("0.73", "0.725", "0.005"), 0.725, 0.731),
        (row("-", "0.44 / 0.51", "1e-5"), (0.44, 0.51), (0.44, 0.52)),
        (row("-", "0.44 / 0.51", "1e-5"), (0.44, 0.51), 0.44),
        (row("-", "j1 j2", "exact"), ("j2", "j1"), ("j1", "j3")),
        (row("-", "j1 j2", "exact"), ("j2", "j1"), ("j1",)),
        (row("-", "5.1; J1 3.5", "1e-3"), (5.1, "J1", 3.5), (5.1, "J2", 3.5)),
        (row("x=106, n=172", "66 / 106 (n=172)", "0"), (66, 106, 172), (66, 107, 172)),
        (row("p<.01", "0.0028", "1e-4"), 0.0028, 0.0031),
        (row("412/1031", "412/1031", "0"), (412, 1031), (412, 1030)),
        (row("-", "max |diff| 1.9e-06", "1e-5"), 2e-6, 3e-5),
        (row(".190±.02", "0.2472", "DOES NOT reproduce"), 0.24722, 0.190),
        (row(".149", "0.2538", "0.0005", "poster misprint"), 0.2538, 0.149),
    ],
)
def test_right_and_wrong(golden: Row, right, wrong) -> None:
    assert difference(golden, right) == ""
    assert difference(golden, wrong) != ""


def test_a_number_that_follows_after_all_is_told() -> None:
    assert "after all" in difference(row("0.25", "0.25", "DOES NOT reproduce"), 0.25)
