"""The direction of metrics, and the steps that a user may ask for."""

import polars as pl
import pytest

from jurat.errors import InputError
from jurat.stats.metaeval.input_tables import MetricScores, parse_widths


def scores(lower: tuple[str, ...] = (), **columns: list[float]) -> MetricScores:
    rows = [
        {"segment": str(n), "system": "a", "metric": name, "value": float(value)}
        for name, values in columns.items()
        for n, value in enumerate(values)
    ]
    return MetricScores(frame=pl.DataFrame(rows), lower=lower)


@pytest.mark.parametrize(
    ("metric", "values", "turned"),
    [
        ("TER", [0.2, 1.1], True),
        ("ter-refA", [0.2, 1.1], True),
        ("WER_src", [0.2], True),
        ("hTER", [0.2], True),
        ("TER", [-0.2, -1.1], False),  # as WMT's submissions have it
        ("TER", [0.0, 0.0], True),
        ("BLEU", [0.2], False),
        ("TERRIFIC", [0.2], False),
        ("chrF++", [0.2], False),
        ("ter:no_punct=true", [20.0], True),
        ("CER", [0.1], True),
        ("MetricX-23", [-3.0], False),
    ],
)
def test_error_rates_are_known_by_name_and_by_their_sign(metric, values, turned):
    found = scores(**{metric: values})
    assert found.counts_errors(metric) is turned
    assert found.signs.tolist() == [-1.0 if turned else 1.0]
    assert (metric in found.direction) is turned


def test_a_user_may_say_so():
    found = scores(("MetricX",), MetricX=[3, 4], BLEU=[1, 2])
    assert found.signs.tolist() == [-1, 1]
    assert found.direction == "lower is better: MetricX"
    with pytest.raises(InputError, match="did you mean 'MetricX'"):
        scores(("MetricY",), MetricX=[3, 4])


def test_steps():
    assert parse_widths("", ("a",)) == {}
    assert parse_widths("0.05", ("a", "b")) == {"a": 0.05, "b": 0.05}
    assert parse_widths("a=5, b=0.1", ("a", "b")) == {"a": 5, "b": 0.1}


@pytest.mark.parametrize("wrong", ["0", "-1", "x", "a=x", "inf", "c=1"])
def test_no_steps(wrong):
    with pytest.raises(InputError, match="--step"):
        parse_widths(wrong, ("a", "b"))
