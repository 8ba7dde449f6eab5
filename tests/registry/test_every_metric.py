"""Every metric: identity, empty texts, any script, threads, sums, and what it says of itself."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurat import __version__
from jurat.errors import InputError
from jurat.metrics import metrics
from jurat.metrics.metric import BATCH, Metric
from tests import ROOT
from tests.metrics import corpora

KINDS = [kind() for kind in metrics()]
EVERY = pytest.mark.parametrize("metric", KINDS, ids=lambda metric: metric.name)
SENTENCES = [
    "The old bridge was closed for repairs on Monday.",
    "पुराना पुल सोमवार को मरम्मत के लिए बंद था।",
    "旧桥周一关闭维修了。",
    "أُغلق الجسر القديم يوم الاثنين للإصلاح.",
    "Den gamla bron stängdes i måndags – för reparation!",
    "สะพานเก่าปิดซ่อมในวันจันทร์",
    "😀 𝒳² = 3.14 & <b>x</b>",
]


@EVERY
@pytest.mark.parametrize("text", SENTENCES)
def test_a_reference_is_a_perfect_translation_of_itself(metric: Metric, text: str) -> None:
    assert metric.sentence(text, [text]) == pytest.approx(metric.perfect, abs=1e-9)
    assert metric.sentence(text, [text, text]) == pytest.approx(metric.perfect, abs=1e-9)


@EVERY
@pytest.mark.parametrize("text", SENTENCES)
def test_another_text_is_worse(metric: Metric, text: str) -> None:
    sign = 1 if metric.higher_better else -1
    assert sign * metric.sentence("zzz", [text]) < sign * metric.perfect


@EVERY
@pytest.mark.parametrize(
    ("hypothesis", "references"),
    [
        ("", ["a b"]),
        ("a b", [""]),
        ("", [""]),
        (" \n", ["\u3000"]),
        ("", ["", "a"]),
        ("a", ["", ""]),
    ],
)
def test_empty_texts_have_scores(metric: Metric, hypothesis: str, references: list[str]) -> None:
    assert np.isfinite(metric.sentence(hypothesis, references))


@EVERY
def test_an_empty_text_is_not_good(metric: Metric) -> None:
    empty, right = metric.sentence("", ["a b c d"]), metric.sentence("a b c d", ["a b c d"])
    assert (empty < right) == metric.higher_better
    assert empty != right


@EVERY
def test_no_segments(metric: Metric) -> None:
    width = metric.counts(["a"], [["a"]]).shape[1]
    assert metric.counts([], []).shape == (0, width)


@EVERY
def test_no_references_are_refused(metric: Metric) -> None:
    with pytest.raises(InputError, match="segment 1: there is no reference"):
        metric.sentence("a", [])


@EVERY
@given(pairs=corpora.pairs)
@settings(max_examples=40, deadline=None)
def test_any_texts(metric: Metric, pairs: list[tuple[str, list[str]]]) -> None:
    hypotheses, references = corpora.made(pairs)
    counts = metric.counts(hypotheses, references)
    assert counts.dtype == np.float64
    assert len(counts) == len(pairs)
    single = metric.score(counts, single=True)
    assert np.isfinite(single).all()
    # Each alone is what it is among the others.
    alone = [metric.counts([text], [texts]) for text, texts in pairs]
    np.testing.assert_array_equal(np.concatenate(alone), counts)
    if metric.higher_better:
        assert (single <= metric.perfect + 1e-9).all()
        assert (single >= 0).all()


@EVERY
@given(pairs=corpora.pairs, data=st.data())
@settings(max_examples=25, deadline=None)
def test_the_order_of_segments_does_not_matter(
    metric: Metric, pairs: list[tuple[str, list[str]]], data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(pairs))))
    hypotheses, references = corpora.made(pairs)
    counts = metric.counts(hypotheses, references)
    shuffled = metric.counts([hypotheses[n] for n in order], [references[n] for n in order])
    np.testing.assert_array_equal(shuffled, counts[order])


def many(size: int = 3 * BATCH + 5) -> tuple[list[str], list[list[str]]]:
    """Segments of several batches, with one to three references."""
    words = " ".join(SENTENCES).split()
    hypotheses = [
        " ".join(words[(n + k * k) % len(words)] for k in range(n % 9)) for n in range(size)
    ]
    references = [
        [
            " ".join(words[(n + r * k) % len(words)] for k in range(n % 7))
            for r in range(1, 2 + n % 3)
        ]
        for n in range(size)
    ]
    return hypotheses, references


@EVERY
def test_batches_and_threads_change_nothing(metric: Metric) -> None:
    hypotheses, references = many()
    counts = metric.counts(hypotheses, references)
    np.testing.assert_array_equal(metric.counts(hypotheses, references, jobs=3), counts)
    part = slice(BATCH - 10, BATCH + 10)
    np.testing.assert_array_equal(metric.counts(hypotheses[part], references[part]), counts[part])


@EVERY
def test_threads_of_a_server_do_not_disturb_each_other(metric: Metric) -> None:
    hypotheses, references = many(300)
    counts = metric.counts(hypotheses, references)
    with ThreadPoolExecutor(4) as threads:
        runs = [threads.submit(metric.counts, hypotheses, references) for _ in range(12)]
        for run in runs:
            np.testing.assert_array_equal(run.result(), counts)


@EVERY
def test_scores_of_many_sums_at_once(metric: Metric) -> None:
    """A bootstrap gives a table of sums: each of its rows is scored as if it were alone."""
    counts = metric.counts(*many(200))
    weights = np.random.default_rng(1).multinomial(200, np.full(200, 1 / 200), size=(2, 3))
    sums = weights @ counts
    scores = metric.score(sums)
    assert scores.shape == (2, 3)
    each = [[float(metric.score(row)) for row in table] for table in sums]
    np.testing.assert_allclose(scores, each, rtol=1e-12)
    single = metric.score(counts, single=True)
    one = [float(metric.score(row, single=True)) for row in counts]
    np.testing.assert_allclose(single, one, rtol=1e-12)


@EVERY
def test_the_corpus_is_the_score_of_the_sum(metric: Metric) -> None:
    hypotheses, references = many(50)
    counts = metric.counts(hypotheses, references)
    whole = metric.corpus(hypotheses, references)
    assert whole == pytest.approx(float(metric.score(counts.sum(axis=0))), rel=1e-12)


@EVERY
def test_signature(metric: Metric) -> None:
    for references, number in (([["a"]], "1"), ([["a", "b"]], "2"), ([["a"], ["a", "b"]], "var")):
        for single in (False, True):
            signature = metric.signature(references, single=single)
            assert signature.startswith(f"nrefs:{number}|")
            assert signature.endswith(f"|version:jurat:{__version__}")
            assert re.fullmatch(r"[^|:]+:[^|]+(\|[^|:]+:[^|]+)*", signature)


@EVERY
def test_it_says_what_it_is(metric: Metric) -> None:
    kind = type(metric)
    assert kind.title
    assert re.search(r"\b(19|20)\d\d\b", kind.source), "the paper has a year"
    assert kind.__doc__
    page = (ROOT / "docs" / "metrics.md").read_text("utf-8")
    for name in (kind.name, *kind.__struct_fields__):
        assert f"`{name}`" in page


@EVERY
def test_other_options_are_another_metric(metric: Metric) -> None:
    """Options are values: equal ones are equal, and none can be changed."""
    assert metric == type(metric)()
    assert hash(metric) == hash(type(metric)())
    change: Callable[[], None] = lambda: setattr(metric, "name", "x")  # noqa: E731
    with pytest.raises(AttributeError):
        change()
