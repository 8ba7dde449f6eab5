"""Counts of every metric and system, and what metrics are called.

Counts of systems, and what is drawn from them.
"""

import weakref
from dataclasses import replace

import numpy as np
import pytest

from jurat.stats.metric_scores.counts import ReferenceSet, count_metrics, metric_labels, threads
from jurat.stats.settings import ScoreSettings
from tests.stats.metric_scores.small import BIRCH, CEDAR, REFERENCE, Missing, Overlap, drawn, scored

ONE = ReferenceSet(names=("ref",), references=[(text,) for text in REFERENCE])
TWO = ReferenceSet(names=("ref", "birch"), references=list(zip(REFERENCE, BIRCH, strict=True)))


def test_a_metric_and_a_reference_each():
    found = count_metrics([{"cedar": CEDAR, "birch": BIRCH}], [Overlap(), Missing()], [ONE, TWO])
    assert [(one.label, one.reference) for one in found] == [
        ("overlap", "ref"),
        ("overlap", "ref+birch"),
        ("missing", "ref"),
        ("missing", "ref+birch"),
    ]
    assert all(one.systems == ("cedar", "birch") for one in found)
    assert found[0].size == 5


def test_systems_in_groups_are_the_same_systems():
    whole = count_metrics([{"cedar": CEDAR, "birch": BIRCH}], [Overlap()], [ONE])[0]
    parts = count_metrics([{"cedar": CEDAR}, {"birch": BIRCH}], [Overlap()], [ONE])[0]
    assert whole.systems == parts.systems
    assert all(np.array_equal(whole.counts[name], parts.counts[name]) for name in whole.systems)


def test_a_reference_has_no_score_against_itself():
    found = count_metrics(
        [{"cedar": CEDAR, "human": BIRCH}], [Overlap()], [ONE, TWO], own={"human": "ref"}
    )
    assert [one.systems for one in found] == [("cedar",), ("cedar",)]
    assert found[0].left_out == {"human": "it is ref itself"}
    other = count_metrics([{"human": BIRCH}], [Overlap()], [ONE], own={"human": "refB"})[0]
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

    (scored,) = count_metrics(groups(), [Overlap()], [ONE])
    assert len(scored.systems) == 4
    assert alive == [0, 0, 0, 0]


def test_progress_adds_up():
    steps: list[int] = []
    systems = {"cedar": CEDAR, "birch": BIRCH}
    count_metrics([systems], [Overlap(), Missing()], [ONE], progress=steps.append, jobs=2)
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
    assert list(metric_labels(metrics)) == names


def test_the_score_of_all_segments_comes_from_sums():
    """Of 29 words 26 are in common, and of 27 words 14."""
    one = scored({"cedar": CEDAR, "birch": BIRCH})
    assert one.corpus.tolist() == pytest.approx([100 * 26 / 29, 100 * 14 / 27])
    assert one.goodness.tolist() == one.corpus.tolist()
    less = scored({"cedar": CEDAR}, Missing())
    assert less.goodness == -less.corpus


def test_documents_in_order_of_appearance():
    one = scored({"cedar": CEDAR}, documents=["b", "b", "a", "a", "b"])
    assert one.document_names == ("b", "a")
    sums = one.by_document(one.counts["cedar"])
    assert sums.tolist() == [[20.0, 21.0], [6.0, 8.0]]


def test_resamples_are_the_same_for_every_system():
    one = drawn(50, 0.5, 0.6)
    twice = replace(one, counts={**one.counts, "again": one.counts["system 1"]})
    found = twice.resampled(ScoreSettings(bootstrap=50))
    assert found is not None
    assert found.replicates[:, 0].tolist() == found.replicates[:, 2].tolist()
    assert found.replicates[:, 0].tolist() != found.replicates[:, 1].tolist()


def test_further_resamples_follow_the_first():
    one, settings = drawn(50, 0.5, 0.6), ScoreSettings(bootstrap=50)
    first = one.resampled(settings)
    assert first is not None
    more = one.replicates(settings, first, 2100)
    assert more.shape == (2100, 2)
    assert more[:50].tolist() == first.replicates.tolist()
    assert len(np.unique(more[:, 0])) > 1500
    assert one.replicates(settings, first, 50).tolist() == first.replicates.tolist()
    assert one.replicates(settings, first, 2100).tolist() == more.tolist()


def test_no_resamples_where_none_are_asked_for():
    assert drawn(50, 0.5).resampled(ScoreSettings(bootstrap=0)) is None


def test_threads_change_no_number(monkeypatch):
    one = drawn(3000, 0.5, 0.6)
    alone = one.resampled(ScoreSettings(bootstrap=40))
    monkeypatch.setattr("jurat.stats.metric_scores.counts.WORTH", 0)
    both = one.resampled(ScoreSettings(bootstrap=40, jobs=2))
    assert alone is not None
    assert both is not None
    assert np.array_equal(alone.replicates, both.replicates)


def test_a_second_thread_is_for_much_work():
    with threads(ScoreSettings(jobs=4), 1000) as few:
        assert few == 1
    with threads(ScoreSettings(jobs=4), 2**30) as many:
        assert many == 4
