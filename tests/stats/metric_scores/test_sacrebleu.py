"""The tests beside sacreBLEU's, on three systems of WMT 2023, English to German."""

from dataclasses import replace

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest, Result

from jurat.metrics import metrics
from jurat.stats.hypothesis_tests import sacrebleu_bootstrap, shifted_bootstrap
from jurat.stats.metric_scores.counts import MetricCounts
from jurat.stats.settings import ScoreSettings
from tests.stats.metric_scores.small import chances

SEED = 12345
"""SacreBLEU's own."""
NAMES = ("GPT4-5shot", "ONLINE-B", "NLLB_Greedy")


@pytest.fixture(scope="module")
def texts(shared):
    lines = (shared / "wmt23_metrics_ende/texts_en-de.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    return {name: [row[n] for row in rows[1:]] for n, name in enumerate(rows[0])}


@pytest.fixture(scope="module")
def ours(texts):
    bleu = metrics()["bleu"]()
    references = [(text,) for text in texts["refA"]]
    counts = bleu.count_all({name: texts[name] for name in NAMES}, references)
    return MetricCounts(
        metric=bleu, label="bleu", reference="refA", references=references, counts=counts
    )


def theirs(texts, test, trials):
    """The p-values of the first system against the others."""
    systems = [(name, texts[name]) for name in NAMES]
    paired = PairedTest(systems, {"BLEU": BLEU()}, [texts["refA"]], test, n_samples=trials)
    found = paired()[1]["BLEU"][1:]
    return [result.p_value for result in found if isinstance(result, Result)]


def test_the_same_draws_give_the_same_p(texts, ours):
    trials, size = 400, ours.size
    drawn = np.random.default_rng(SEED).choice(size, size=(trials, size), replace=True)
    weights = np.array([np.bincount(row, minlength=size) for row in drawn], dtype=float)
    totals = np.stack([weights @ rows for rows in ours.counts.values()], axis=1)
    p = sacrebleu_bootstrap(ours.of_sums(totals), ours.corpus)
    assert p[0, 1:].tolist() == theirs(texts, "bs", trials)
    assert 0.01 < p[0, 1] < 0.99


def test_other_draws_give_nearly_the_same_p(texts, ours):
    p = chances(ours, test="sacrebleu-bootstrap", bootstrap=20_000)[0, 1:]
    other = np.array(theirs(texts, "bs", 1000))
    assert (np.abs(other - p) < 4 * np.sqrt(p * (1 - p) / 1000) + 1 / 1001).all()


def test_randomisation_is_theirs(texts, ours):
    p = chances(ours, test="randomisation", trials=20_000)[0, 1:]
    other = np.array(theirs(texts, "ar", 1000))
    assert (np.abs(other - p) < 4 * np.sqrt(p * (1 - p) / 1000) + 1 / 1001).all()


def test_where_there_is_no_difference_few_are_found(ours):
    """Segments of two systems are swapped at random: whoever finds a difference errs.

    Of 300 such pairs a test at 5 % finds more than 25 with p < 0.01. A thousand pairs and more, by
    `benchmarks/significance.py`, give 4 to 5 % for Jurat's tests and 10 to 11 % for sacreBLEU's.
    """
    rng, found = (
        np.random.default_rng(2),
        dict.fromkeys((shifted_bootstrap, sacrebleu_bootstrap, "swaps"), 0),
    )
    first, second = (ours.counts[name] for name in NAMES[:2])
    for seed in range(300):
        chosen, swapped = rng.integers(0, ours.size, 200), rng.random((200, 1)) < 0.5
        a, b = first[chosen], second[chosen]
        pair = replace(ours, counts={"a": np.where(swapped, b, a), "b": np.where(swapped, a, b)})
        drawn = pair.resampled(ScoreSettings(seed=seed, bootstrap=400))
        for test in (shifted_bootstrap, sacrebleu_bootstrap):
            found[test] += test(drawn.replicates, pair.corpus)[0, 1] <= 0.05
        found["swaps"] += chances(pair, test="randomisation", bootstrap=0, trials=400)[0, 1] <= 0.05
    assert found[shifted_bootstrap] <= 25
    assert found["swaps"] <= 25
    assert found[sacrebleu_bootstrap] > 25
