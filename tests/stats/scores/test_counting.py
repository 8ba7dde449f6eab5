"""Counts of every metric and system, and what metrics are called."""

import weakref

import numpy as np
import pytest

from jurat.stats.scores.counting import Against, count, labels
from tests.stats.scores.small import BIRCH, CEDAR, REFERENCE, Missing, Overlap

ONE = Against(names=("ref",), references=[(text,) for text in REFERENCE])
TWO = Against(names=("ref", "birch"), references=list(zip(REFERENCE, BIRCH, strict=True)))


def test_a_metric_and_a_reference_each():
    found = count([{"cedar": CEDAR, "birch": BIRCH}], [Overlap(), Missing()], [ONE, TWO])
    assert [(one.label, one.reference) for one in found] == [
        ("overlap", "ref"),
        ("overlap", "ref+birch"),
        ("missing", "ref"),
        ("missing", "ref+birch"),
    ]
    assert all(one.systems == ("cedar", "birch") for one in found)
    assert found[0].size == 5


def test_systems_in_groups_are_the_same_systems():
    whole = count([{"cedar": CEDAR, "birch": BIRCH}], [Overlap()], [ONE])[0]
    parts = count([{"cedar": CEDAR}, {"birch": BIRCH}], [Overlap()], [ONE])[0]
    assert whole.systems == parts.systems
    assert all(np.array_equal(whole.counts[name], parts.counts[name]) for name in whole.systems)


def test_a_reference_has_no_score_against_itself():
    found = count([{"cedar": CEDAR, "human": BIRCH}], [Overlap()], [ONE, TWO], own={"human": "ref"})
    assert [one.systems for one in found] == [("cedar",), ("cedar",)]
    assert found[0].left_out == {"human": "it is ref itself"}
    other = count([{"human": BIRCH}], [Overlap()], [ONE], own={"human": "refB"})[0]
    assert other.systems == ("human",)


def test_texts_are_let_go_before_the_next_are_read():
    class Lines(list[str]):
        """A list that can be watched."""

    seen: list[weakref.ref[Lines]] = []
    alive: list[int] = []

    def groups():
        for n in range(4):
            alive.append(sum(one() is not None for one in seen))
            lines = Lines(CEDAR)
            seen.append(weakref.ref(lines))
            group = {f"system {n}": lines}
            del lines
            yield group
            del group

    (scored,) = count(groups(), [Overlap()], [ONE])
    assert len(scored.systems) == 4
    assert alive == [0, 0, 0, 0]


def test_progress_adds_up():
    steps: list[int] = []
    systems = {"cedar": CEDAR, "birch": BIRCH}
    count([systems], [Overlap(), Missing()], [ONE], progress=steps.append, jobs=2)
    assert sum(steps) == 2 * 2 * 5


@pytest.mark.parametrize(
    ("metrics", "names"),
    [
        ([Overlap()], ["overlap"]),
        ([Overlap(lowercase=True)], ["overlap"]),
        ([Overlap(), Overlap(lowercase=True)], ["overlap", "overlap:lowercase=true"]),
        (
            [Overlap(order=2), Overlap(order=2, lowercase=True), Missing()],
            ["overlap:order=2", "overlap:lowercase=true,order=2", "missing"],
        ),
        (
            [Overlap(), Overlap(synonyms={"a": "b"}), Overlap(synonyms={"a": "c"})],
            ["overlap", "overlap:synonyms=given", "overlap:synonyms=given (2)"],
        ),
    ],
)
def test_options_name_metrics_that_occur_twice(metrics, names):
    assert list(labels(metrics)) == names
