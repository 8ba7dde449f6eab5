import numpy as np
import pytest

from jurat.resampling import jackknife_t
from jurat.stats import Settings, analyse, statistics
from jurat.stats.agreement import item_statistic, krippendorff_alpha
from jurat.stats.agreement.answer_counts import AnswerCounts
from jurat.stats.agreement.fleiss_kappa import FleissKappa
from jurat.stats.agreement.gwet_ac import GwetAC
from jurat.stats.agreement.item_statistic import ItemStatistic, with_intervals
from jurat.stats.agreement.krippendorff_alpha import KrippendorffAlpha
from jurat.stats.estimates import jackknife_estimates
from tests.stats.agreement.asking import long
from tests.stats.agreement.drawn import rows, table
from tests.stats.tables import evaluation, matrix

KINDS = tuple(kind for kind in statistics("agreement") if issubclass(kind, ItemStatistic))


def alone(kind, ratings, **settings):
    return with_intervals((kind,), ratings, Settings(**settings))[kind.name].values


def plain_bootstrap(answers, value, times=400):
    """Items drawn one by one and the value computed anew: slow, and beyond doubt."""
    rng = np.random.default_rng(3)
    items = answers.shape[1]
    return np.std([value(answers[:, rng.integers(0, items, items)]) for _ in range(times)])


@pytest.mark.parametrize("linear", [False, True])
def test_errors_are_those_of_items_drawn_one_by_one(monkeypatch, linear):
    import krippendorff

    answers = table(5, items=150)
    if linear:
        for module, name in ((item_statistic, "FEW_CELLS"), (item_statistic, "FEW_POINTS")):
            monkeypatch.setattr(module, name, 0)
        monkeypatch.setattr(krippendorff_alpha, "FEW_CELLS", 0)
    found = alone(KrippendorffAlpha, matrix(rows(answers)), bootstrap=2000)
    for at, scale in enumerate(("nominal", "ordinal", "interval", "ratio")):
        error = plain_bootstrap(
            answers,
            lambda a, scale=scale: krippendorff.alpha(a, level_of_measurement=scale),
        )
        assert (found.high[at] - found.low[at]) / 3.92 == pytest.approx(error, rel=0.15)


def test_a_long_document_counts_by_its_items():
    """Items of a document that were answered alike are one row, but not one item."""
    rng = np.random.default_rng(3)
    document = np.repeat(np.arange(25), [100] + [5] * 24)
    usual = rng.integers(1, 3, len(document))
    lines = ["judge,item,document,value"]
    for judge in "ab":
        own = np.where(rng.random(len(document)) < 0.7, usual, rng.integers(1, 3, len(document)))
        lines += [f"{judge},{n:03},d{document[n]:02},{own[n]}" for n in range(len(document))]
    (ratings,) = evaluation("\n".join(lines)).ratings
    counts = AnswerCounts.of(ratings)
    sums = FleissKappa().item_sums(counts)
    whole = jackknife_t(sums.columns, sums.score, clusters=document)
    found = alone(FleissKappa, ratings)
    assert whole.df[0] < 4
    np.testing.assert_allclose([found.low[0], found.high[0]], [whole.low[0], whole.high[0]])


def test_estimates_lose_nothing_by_rounded_columns():
    answers = table(6, points=7)
    ratings = matrix(rows(answers))
    part = GwetAC().item_sums(AnswerCounts.of(ratings))
    exact = np.asarray(part.score(part.columns.sum(axis=0)[None]))[0]
    found = alone(GwetAC, ratings, bootstrap=0).values
    np.testing.assert_allclose(found, exact, rtol=1e-13)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_statistic_has_the_same_numbers_alone_and_together(kind):
    ratings = matrix(rows(table(8, points=5)))
    together = with_intervals(KINDS, ratings, Settings())[kind.name].values
    found = alone(kind, ratings)
    for one, other in ((found.values, together.values), (found.low, together.low)):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(found.high, together.high)


def test_asking_for_one_statistic_computes_one(monkeypatch):
    def refuse(self, *_):
        raise AssertionError(f"{self.name} was not asked for")

    for kind in statistics("agreement"):
        if kind is not FleissKappa:
            monkeypatch.setattr(kind, "results", refuse)
            monkeypatch.setattr(kind, "item_sums", refuse, raising=False)
    asked = evaluation(long([[1, 2, 1], [1, 2, 2]]))
    found = analyse("agreement", asked, Settings(bootstrap=20), only=["fleiss-kappa"])
    assert [result.name for result in found] == list(FleissKappa.gives)


def test_statistics_asked_for_together_are_computed_once(monkeypatch):
    calls = []

    def counted(*args, **more):
        calls.append(1)
        return jackknife_estimates(*args, **more)

    monkeypatch.setattr(item_statistic, "jackknife_estimates", counted)
    # Seven of twenty items are unequal, and both answers are common: no pseudo-items.
    answers = [[1, 2] * 20, [1, 2] * 10 + [2, 1] * 10]
    asked = evaluation(long(answers))
    names = [kind.name for kind in KINDS]
    list(analyse("agreement", asked, Settings(), only=names))
    assert len(calls) == 1
