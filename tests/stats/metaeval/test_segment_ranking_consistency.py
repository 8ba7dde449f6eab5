"""How often a metric orders two translations as a judge does, as in Sun's Table 2."""

import re

import pytest

from tests.stats.metaeval.asking import asked, figure, results, values


def consistency(*arguments, name="metric-consistency"):
    return values(results("metric-consistency", *arguments)[name])


def test_suns_sheet_by_hand():
    """L1 orders all 12 pairs; BLEU ties one of them and turns 2 and 3 of the first segment."""
    found = consistency(*figure())
    assert found["BLEU", "L1"].value == pytest.approx(10 / 12)
    assert found["BLEU", "L4"].value == 1  # who ties two pairs of each segment
    assert found["BLEU", "L4"].n == 8
    assert found["BLEU", "L3"].value is None
    assert "all are ties" in found["BLEU", "L3"].reason
    assert found["BLEU",].value == pytest.approx((10 / 12 + 10 / 12 + 1) / 3)
    assert found["BLEU",].n == 3


def test_an_error_rate_is_turned():
    """TER: by hand 5 of 6 pairs in each segment, one tied each."""
    assert consistency(*figure())["TER", "L1"].value == pytest.approx(10 / 12)


@pytest.mark.parametrize(
    ("ties", "share", "n"),
    [("inconsistent", 10 / 12, 12), ("half", 10.5 / 12, 12), ("skip", 10 / 11, 11)],
)
def test_ties_of_the_metric(ties, share, n):
    found = consistency(*figure(metric_ties=ties))["BLEU", "L1"]
    assert found.value == pytest.approx(share)
    assert found.n == n
    assert (
        f"ties:{ties}"
        in results("metric-consistency", *figure(metric_ties=ties))["metric-consistency"].signature
    )


def test_counts():
    found = consistency(*figure(), name="metric-verdicts")
    row = [found["BLEU", "L1", v].value for v in ("agree", "disagree", "metric-tie", "human-tie")]
    assert row == [10, 1, 1, 0]
    assert found["BLEU", "L3", "human-tie"].value == 12
    assert found["BLEU", "agree"].value == 28
    assert found["BLEU", "agree"].n == 48


def test_preferences_without_judges_count_every_row():
    """Callison-Burch et al. 2008: repeated rows are several judges."""
    people = "segment,better,worse\n1,a,b\n1,a,b\n1,b,a\n2,b,c\n"
    scores = "segment,system,m\n1,a,2\n1,b,1\n2,b,1\n2,c,1\n"
    found = consistency(*asked(people, scores))
    assert list(found) == [("m",)]
    assert found["m",].value == 0.5
    assert found["m",].n == 4


def test_what_has_no_scores_is_left_out():
    people = "segment,better,worse\n1,a,b\n2,a,b\n"
    found = consistency(*asked(people, "segment,system,m,k\n1,a,2,1\n1,b,1,\n"))
    assert (found["m",].value, found["m",].n) == (1, 1)
    assert found["k",].value is None


def test_chance():
    """Ten segments of which nine are ordered alike."""
    rows = [f"{n},a,1,{int(n == 0)}\n{n},b,2,{int(n > 0)}" for n in range(10)]
    evaluation, settings = asked("segment,system,value,m\n" + "\n".join(rows), bootstrap=100)
    found = results("metric-consistency", evaluation, settings)
    (share,) = found["metric-consistency"].estimates
    assert (share.value, share.n) == (0.9, 10)
    assert share.low < 0.9 <= share.high
    (p,) = found["metric-consistency-p"].estimates
    assert p.value == pytest.approx(22 / 1024)  # two-sided sign test of 9 : 1
    assert re.search(r"90.0 % \[.*\] of the pairs", found["metric-consistency"].headline)
