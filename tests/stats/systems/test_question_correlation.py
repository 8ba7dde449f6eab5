import numpy as np
import pytest
from scipy import stats

from jurat.resampling import jackknife_t
from jurat.stats.correlation import moments, pearson_from_sums
from jurat.stats.systems.question_correlation import ScoreCorrelation, same_order
from tests.stats.systems.finding import only, results
from tests.stats.tables import evaluation


def test_pairs_ordered_alike():
    # of six pairs four alike, one turned round, one tied on one side only
    assert same_order(np.array([1.0, 2, 3, 4]), np.array([1.0, 1, 4, 3])) == pytest.approx(4 / 6)


def table(**options):
    rng = np.random.default_rng(8)
    rows = []
    for n in range(40):
        for s, quality in enumerate((1, 3, 2, 5)):
            ade, flu = (quality + noise for noise in rng.normal(size=2))
            rows.append(f"d{n // 5},{n},s{s},{'nt'[n % 2]},{ade:.3f},{flu:.3f}")
    head = "document,segment,system,genre,ade,flu"
    return evaluation("\n".join([head, *rows]), questions=("ade", "flu"), **options)


def test_two_questions_over_systems_and_segments():
    evaluated = table()
    found = results(ScoreCorrelation, evaluated, bootstrap=200)["score-correlation"]
    ade, flu = (r.frame["value"].to_numpy().reshape(40, 4) for r in evaluated.ratings)
    x, y = ade.mean(axis=0), flu.mean(axis=0)
    for name, theirs in (
        ("pearson", stats.pearsonr(x, y)[0]),
        ("spearman", stats.spearmanr(x, y)[0]),
        ("kendall", stats.kendalltau(x, y)[0]),
    ):
        estimate = only(found, level="system", coefficient=name)
        assert estimate.value == pytest.approx(theirs)
        assert estimate.n == 4
    accuracy = only(found, level="system", coefficient="accuracy")
    assert accuracy.n == 6
    for name, score in (("pearson", stats.pearsonr), ("spearman", stats.spearmanr)):
        estimate = only(found, level="segment", coefficient=name)
        assert estimate.value == pytest.approx(score(ade.ravel(), flu.ravel())[0])
        assert estimate.n == 160
        assert estimate.low < estimate.value < estimate.high
    assert found.headline.startswith("ade and flu order 4 systems with ρ = ")


def test_a_long_document_counts_by_its_sentences():
    rng = np.random.default_rng(4)
    document = np.repeat(np.arange(25), [100] + [5] * 24)
    x = rng.normal(size=len(document))
    y = x + rng.normal(size=len(document))
    lines = [f"d{d},{n},s{s},{x[n]},{y[n]}" for n, d in enumerate(document) for s in "ab"]
    evaluated = evaluation(
        "\n".join(["document,segment,system,ade,flu", *lines]), questions=("ade", "flu")
    )
    found = results(ScoreCorrelation, evaluated, bootstrap=20)["score-correlation"]
    estimate = only(found, level="segment", coefficient="pearson")
    both = moments(*(np.repeat(one - one.mean(), 2) for one in (x, y)))
    whole = jackknife_t(both, pearson_from_sums, clusters=np.repeat(document, 2))
    assert whole.df[0] < 4
    assert (estimate.low, estimate.high) == pytest.approx((whole.low[0], whole.high[0]))


def test_only_systems_that_have_both_count():
    csv = "segment,system,ade,flu\n1,a,1,2\n1,b,2,3\n1,c,3,4\n1,d,9,"
    found = results(ScoreCorrelation, evaluation(csv, questions=("ade", "flu")))
    assert only(found["score-correlation"], level="system", coefficient="pearson").n == 3


def test_two_systems_have_no_correlation_but_an_order():
    csv = "segment,system,ade,flu\n1,a,1,2\n1,b,2,3"
    found = results(ScoreCorrelation, evaluation(csv, questions=("ade", "flu")))
    made = found["score-correlation"]
    assert only(made, level="system", coefficient="pearson").reason.startswith("fewer than three")
    assert only(made, level="system", coefficient="accuracy").value == 1


def test_constant_scores_have_no_correlation():
    csv = "segment,system,ade,flu\n1,a,1,2\n1,b,1,3\n1,c,1,4"
    made = results(ScoreCorrelation, evaluation(csv, questions=("ade", "flu")))
    for level in ("system", "segment"):
        estimate = only(made["score-correlation"], level=level, coefficient="pearson")
        assert estimate.value is None
        assert "same" in estimate.reason


def test_one_question_says_what_is_needed():
    (estimate,) = results(ScoreCorrelation, evaluation("segment,system,value\n1,a,1"))[
        "score-correlation"
    ].estimates
    assert "needs two questions" in estimate.reason


def test_the_figure_is_coloured_by_the_tag():
    found = results(ScoreCorrelation, table(by=("genre",)))["score-correlation"]
    figure = found.figure()
    assert figure is not None
    assert figure["encoding"]["color"]["field"] == "genre"
    assert len(figure["data"]["values"]) == 8
