"""Consistency by pair of systems."""

import pytest

from tests.stats.metaeval.asking import asked, figure, results, values


def test_every_two_systems():
    evaluation, settings = figure()
    found = values(
        results("metric-consistency-pair", evaluation, settings)["metric-consistency-pair"]
    )
    assert len(found) == 3 * 6
    # outputs 1 and 4 have the same BLEU in the first segment, and are ordered in the second
    assert found["BLEU", "1", "4"].value == 0.5
    assert found["BLEU", "1", "4"].n == 4
    assert found["BLEU", "1", "2"].value == 1


def test_the_whole_is_the_mean_of_its_pairs():
    rows = [f"{n},{s},{(n * 7 + 3 * k) % 5},{(n * 3 + k) % 4}" for n in range(12)
            for k, s in enumerate("abc")]  # fmt: skip
    evaluation, settings = asked("segment,system,value,m\n" + "\n".join(rows))
    result = results("metric-consistency-pair", evaluation, settings)["metric-consistency-pair"]
    whole = results("metric-consistency", evaluation, settings)["metric-consistency"].estimates[0]
    right = sum((e.value or 0.0) * e.n for e in result.estimates)
    assert sum(e.n for e in result.estimates) == whole.n
    assert right / whole.n == pytest.approx(whole.value)


def test_two_that_were_never_compared():
    people = "segment,better,worse\n" + "\n".join(f"{n},a,b\n{n},c,b" for n in range(12))
    scores = "segment,system,m\n" + "\n".join(f"{n},a,2\n{n},b,1\n{n},c,0" for n in range(12))
    evaluation, settings = asked(people, scores, bootstrap=50)
    result = results("metric-consistency-pair", evaluation, settings)["metric-consistency-pair"]
    found = values(result)
    assert found["m", "a", "c"].value is None
    assert found["m", "a", "b"].value == 1
    assert found["m", "b", "c"].value == 0
    assert "between b and c: 0.0 % [0.0, 24.2] of 12 decisions" in result.headline


def test_a_single_system_has_no_other():
    evaluation, settings = asked("segment,system,value,m\n1,a,1,2\n")
    result = results("metric-consistency-pair", evaluation, settings)["metric-consistency-pair"]
    assert [e.value for e in result.estimates] == [None]
    assert "compared no two systems" in result.estimates[0].reason
