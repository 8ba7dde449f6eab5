import pytest

from jurat.stats.metaeval.difference_scales import shares


def test_suns_pairs():
    """Sun 2010, the second Table 2: 61.02 % of the pairs differ by less than 0.1 in GTM."""
    assert shares((4, 12, 73, 232, 627, 1484))[-1] == pytest.approx(0.6102, abs=5e-5)


def test_by_name():
    assert shares({"0.0-0.1": 3, "0.1-0.2": 1}) == [0.75, 0.25]


def test_no_pairs():
    assert shares([0, 0]) == [None, None]
    assert shares([]) == []
