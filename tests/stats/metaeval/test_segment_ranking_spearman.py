"""Rank correlation over the systems of a segment, as in Sun's Table 1."""

import pytest
from scipy import stats

from tests.stats.metaeval.asking import FIGURE, JUDGES, asked, figure, results, values


def spearman(*arguments, name="metric-spearman"):
    return values(results("metric-spearman", *arguments)[name])


def test_suns_sheet_beside_scipy():
    found = spearman(*figure())
    rows = [line.split(",") for line in FIGURE.strip().splitlines()[1:]]
    for at, judge in enumerate(JUDGES[:2]):
        for metric, sign in (("BLEU", 1), ("GTM", 1), ("TER", -1)):
            column = 6 + ("BLEU", "GTM", "TER").index(metric)
            of_segments = [
                stats.spearmanr(
                    [-float(r[2 + at]) for r in rows if r[0] == segment],
                    [sign * float(r[column]) for r in rows if r[0] == segment],
                )[0]
                for segment in ("1", "2")
            ]
            assert found[metric, judge].value == pytest.approx(sum(of_segments) / 2)
            assert found[metric, judge].n == 2


def test_the_mean_of_the_judges_is_suns_average():
    found = spearman(*figure())
    each = [found["BLEU", judge].value for judge in JUDGES]
    assert found["BLEU",].value == pytest.approx(sum(each) / 4)
    assert found["BLEU",].n == 4


def test_a_judge_who_ties_all_counts_as_zero_or_not_at_all():
    """L3 gives every output the same rank."""
    assert spearman(*figure())["GTM", "L3"].value == 0
    skipped = spearman(*figure(undefined="skip"))
    assert skipped["GTM", "L3"].value is None
    each = [skipped["GTM", judge].value for judge in ("L1", "L2", "L4")]
    assert skipped["GTM",].value == pytest.approx(sum(each) / 3)
    assert skipped["GTM",].n == 3


def test_how_often_that_was_is_told():
    found = spearman(*figure(), name="metric-spearman-undefined")
    assert (found["GTM", "L3"].value, found["GTM", "L3"].n) == (2, 2)
    assert (found["GTM",].value, found["GTM",].n) == (2, 8)
    method = results("metric-spearman", *figure())["metric-spearman"].method
    assert "counts as 0" in method
    assert "undefined:zero" in results("metric-spearman", *figure())["metric-spearman"].signature


def test_ranks_may_come_as_a_ranking():
    rows = [line.split(",") for line in FIGURE.strip().splitlines()[1:]]
    csv = "judge,segment,system,rank\n" + "\n".join(
        f"{judge},{r[0]},{r[1]},{r[2 + at]}" for at, judge in enumerate(JUDGES) for r in rows
    )
    ranked = spearman(*asked(csv, FIGURE, metrics=("BLEU", "GTM", "TER")))
    for key, wanted in spearman(*figure()).items():
        assert ranked[key].value == pytest.approx(wanted.value)


def test_without_judges_there_is_one_number():
    csv = "segment,system,value,m\n1,a,1,1\n1,b,2,3\n1,c,3,2\n2,a,1,9\n"
    found = spearman(*asked(csv))
    assert list(found) == [("m",)]
    assert found["m",].value == pytest.approx(0.5)
    assert found["m",].n == 1  # the second segment has a single system


def test_intervals_and_p():
    rows = [f"{n},{s},{v},{v + (n % 7 == 0) * 3 * (s == 'a')}" for n in range(40)
            for s, v in (("a", 1), ("b", 2), ("c", 3))]  # fmt: skip
    evaluation, settings = asked("segment,system,value,m\n" + "\n".join(rows), bootstrap=200)
    found = results("metric-spearman", evaluation, settings)
    (mean,) = found["metric-spearman"].estimates
    assert mean.low < mean.value < mean.high
    (p,) = found["metric-spearman-p"].estimates
    assert p.value == pytest.approx(1 / 10_001)
    assert p.n == 40
    assert "jackknife on Fisher's scale" in found["metric-spearman"].method


def test_few_segments_are_tested_exactly():
    """Two segments with ρ above 0: of four patterns of signs two reach as much, either way."""
    found = spearman(*figure(), name="metric-spearman-p")
    assert found["BLEU", "L1"].value == 0.5
    assert found["BLEU", "L3"].value is None
    assert "tied" in found["BLEU", "L3"].reason
