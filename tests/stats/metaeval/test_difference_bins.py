"""Difference scales, on Sun's counts and her sheet."""

import pytest

from jurat.stats.metaeval.difference_bins import shares
from tests.stats.metaeval.asking import asked, figure, results, values


def test_suns_pairs():
    """Sun 2010, the second Table 2: 61.02 % of the pairs differ by less than 0.1 in GTM."""
    assert shares((4, 12, 73, 232, 627, 1484))[-1] == pytest.approx(0.6102, abs=5e-5)


def test_by_name():
    assert shares({"0.0-0.1": 3, "0.1-0.2": 1}) == [0.75, 0.25]


def test_no_pairs():
    assert shares([0, 0]) == [None, None]
    assert shares([]) == []


def scale(name, *arguments):
    return values(results("metric-scale", *arguments)[name])


def test_suns_sheet_by_hand():
    """BLEU's differences in the first segment: 0, 0.0093, and two each of 0.3352 and 0.3259."""
    found = scale("metric-scale", *figure())
    assert found["BLEU", "L1", "0.3-0.4", "agree"].value == 1
    assert found["BLEU", "L1", "0.3-0.4", "agree"].n == 4
    assert found["BLEU", "L1", "0.0-0.1", "disagree"].value == pytest.approx(1 / 3)
    assert found["BLEU", "L3", "0.3-0.4", "tie"].value == 1
    # all judges: 16 decisions, of which L3 ties four
    assert found["BLEU", "0.3-0.4", "agree"].value == pytest.approx(12 / 16)
    assert found["BLEU", "0.3-0.4", "tie"].value == pytest.approx(4 / 16)


def test_where_there_is_no_difference_nobody_can_agree_with_it():
    found = scale("metric-scale", *figure())
    assert {key[-1] for key in found if "0" in key} == {"differ", "tie"}
    assert found["BLEU", "L1", "0", "differ"].value == 1
    assert found["BLEU", "L4", "0", "tie"].value == 1


def test_verdicts_of_a_step_are_all_of_it():
    found = scale("metric-scale", *figure())
    sums: dict[tuple[object, ...], float] = {}
    for key, estimate in found.items():
        sums[key[:-1]] = sums.get(key[:-1], 0.0) + estimate.value
    assert list(sums.values()) == pytest.approx([1.0] * len(sums))


def test_pairs_are_counted_once_whoever_judged_them():
    found = scale("metric-pairs", *figure())
    assert [found["BLEU", name].value for name in ("0", "0.0-0.1", "0.1-0.2", "0.3-0.4")] == [
        1,
        3,
        3,
        4,
    ]
    assert found["BLEU", "0"].n == 12


def test_shares_are_of_the_pairs_that_differ():
    found = scale("metric-pairs-share", *figure())
    assert found["BLEU", "0.3-0.4"].value == pytest.approx(4 / 11)
    assert found["BLEU", "0.3-0.4"].n == 11
    assert ("BLEU", "0") not in found


def test_a_metric_of_hundred_points_has_steps_of_ten():
    csv = "segment,system,value,m\n" + "\n".join(
        f"{n},a,1,{9 * n}\n{n},b,{n % 2},{5 * n}" for n in range(11)
    )
    result = results("metric-scale", *asked(csv, bootstrap=50))
    assert {"0-10", "10-20"} <= {e.by["bin"] for e in result["metric-scale"].estimates}
    assert "steps of 10" in result["metric-scale"].method
    assert all(e.low is not None for e in result["metric-scale"].estimates)
    other = results("metric-scale", *asked(csv, step="4"))["metric-scale"]
    assert "4-8" in {e.by["bin"] for e in other.estimates}
    assert "step:4" in other.signature


def test_nothing_was_compared():
    result = results("metric-scale", *asked("segment,system,value,m\n1,a,1,2\n"))
    for name in ("metric-scale", "metric-pairs", "metric-pairs-share"):
        (estimate,) = result[name].estimates
        assert estimate.value is None
        assert "compared no two systems" in estimate.reason
    alike = results("metric-scale", *asked("segment,system,value,m\n1,a,1,2\n1,b,2,2\n"))
    assert "sets no two translations apart" in alike["metric-pairs-share"].estimates[0].reason
