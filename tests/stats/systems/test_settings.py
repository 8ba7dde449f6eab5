import pytest

from jurat.errors import InputError
from jurat.stats import Settings
from jurat.stats.systems.settings import SystemSettings


def test_several_methods_each_of_its_kind():
    chosen = SystemSettings(method="wmt-rank-sum, segment-means")
    assert (chosen.test, chosen.average, chosen.rating) == (
        "wmt-rank-sum",
        "segment-means",
        "trueskill",
    )


def test_an_unknown_method_is_refused_with_what_is_allowed():
    with pytest.raises(InputError, match="wmt-rank-sum"):
        SystemSettings(method="wmt-ranksum")


@pytest.mark.parametrize(
    ("method", "correction", "corrected"),
    [
        ("", "", "holm"),
        ("wilcoxon", "", "holm"),
        ("wmt-rank-sum", "", "none"),
        ("wmt-signed-rank", "", "none"),
        ("wmt-rank-sum", "bh", "bh"),
        ("", "none", "none"),
    ],
)
def test_wmt_did_not_correct(method, correction, corrected):
    assert SystemSettings(method=method, correction=correction).corrected == corrected


def test_common_settings_are_enough():
    chosen = SystemSettings.of(Settings(seed=7, bootstrap=5))
    assert (chosen.seed, chosen.bootstrap, chosen.ties) == (7, 5, "share")
