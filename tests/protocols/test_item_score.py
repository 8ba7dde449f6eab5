"""An item's score: HEval's of the paper, means and shares, and how far apart two may be."""

import csv
from pathlib import Path

import pytest

from jurat import protocols
from jurat.protocols.protocol import Score
from jurat.protocols.questions import NA
from jurat.protocols.questions.scale import Point, Scale
from tests.protocols.items import item


def scale(name: str, top: int) -> Scale:
    points = tuple(Point(value=value) for value in range(top, 0, -1))
    return Scale(id=name, ask="?", points=points)


def features() -> list[str]:
    return list(protocols.load("heval").questions)


def table13(shared: Path) -> list[dict[str, str]]:
    with (shared / "heval_tables" / "table13_features.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_heval_scores_are_those_of_the_paper(shared: Path) -> None:
    """Joshi et al. (2013), table 13; the paper rounds half up (.725 is printed as 0.73)."""
    heval, rows = protocols.load("heval"), table13(shared)
    assert len(rows) == 10
    for row in rows:
        values = [row[f"f{n}"] for n in range(1, 12)]
        answers = {
            name: NA if value == "NA" else int(value)
            for name, value in zip(features(), values, strict=True)
        }
        score = heval.score_of(heval.check(answers, item()), item())
        assert score is not None
        assert int(score * 100 + 0.5 + 1e-9) / 100 == float(row["overall_published"]), row


def test_heval_recomputed(shared: Path) -> None:
    with (shared / "heval_tables" / "golden.csv").open(encoding="utf-8") as file:
        golden = {row["id"]: float(row["recomputed"]) for row in csv.DictReader(file)}
    heval = protocols.load("heval")
    for row in table13(shared):
        values = [row[f"f{n}"] for n in range(1, 12)]
        given = zip(features(), values, strict=True)
        answers = {name: NA if value == "NA" else int(value) for name, value in given}
        expected = golden[f"T13-{row['engine']}-{row['judge']}"]
        assert heval.score_of(answers, item()) == pytest.approx(expected)


def test_what_is_not_applicable_is_neither_zero_nor_missing() -> None:
    heval = protocols.load("heval")
    names = features()
    assert heval.score_of(dict.fromkeys(names, NA), item()) is None
    assert heval.score_of({**dict.fromkeys(names, NA), names[0]: 0}, item()) == 0
    assert heval.score_of({**dict.fromkeys(names, NA), names[0]: 3}, item()) == 0.75


def test_mean_and_share() -> None:
    scales = {"a": scale("a", 3), "b": scale("b", 5)}
    mean, share = (Score(rule=rule, questions=("a", "b")) for rule in ("mean", "share"))
    for answers, expected in (
        ({"a": 3, "b": 1}, (2.0, 0.5)),
        ({"b": 1}, (1.0, 0.2)),
        ({}, (None, None)),
    ):
        assert tuple(rule.of(answers, item(), scales) for rule in (mean, share)) == expected


@pytest.mark.parametrize(
    ("name", "tolerance"),
    [
        ("tapet-adequacy", 1),  # a point
        ("tcstar", 1),
        ("da", 25),  # a quarter of the slider
        ("esa", 25),
        ("heval", 0.25),  # a quarter of a share
        ("comprehension", 0.25),
        ("application", 0),  # yes or no
        ("mqm", 1),  # a minor error
        ("preference", 0),
        ("ranking", 0),
    ],
)
def test_how_far_apart_two_scores_may_lie(name: str, tolerance: float) -> None:
    assert protocols.load(name).tolerance == tolerance
