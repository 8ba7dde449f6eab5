"""Severity and consistency as results."""

import numpy as np
import pytest

from jurat.errors import InputError
from tests.stats.judges.asking import crossed, diagnosed
from tests.stats.tables import evaluation


@pytest.mark.parametrize("method", ["mixed", "rasch"])
def test_the_strict_judge_has_the_highest_severity(method):
    table = [
        {**row, "value": max(1, row["value"] - 2 * (row["judge"] == "j3"))} for row in crossed()
    ]
    found = diagnosed(table, method=method, bootstrap=10)
    severity = found.values("judge-severity")
    assert max(severity, key=lambda judge: severity[judge]) == "j3"
    assert found.one("judge-outlier", way="severity", judge="j3").side == "strict"
    one = found.one("judge-severity", judge="j3")
    assert one.low < one.value < one.high
    assert method in found.result("judge-severity").signature


def test_without_bootstrap_there_is_no_interval():
    assert diagnosed(crossed()).one("judge-severity", judge="j3").low is None


def test_components_only_come_from_the_mixed_model_and_outfit_from_rasch():
    mixed, rasch = diagnosed(crossed()), diagnosed(crossed(), method="rasch")
    assert set(mixed.values("variance-component", key="component")) == {"judge", "item", "rest"}
    assert mixed.one("judge-outfit").reason == "needs the method rasch"
    assert rasch.one("variance-component").reason == "needs the method mixed"
    assert rasch.value("judge-outfit", judge="j0") > 0


def test_infit_is_one_for_all_together():
    found = diagnosed(crossed())
    fits = [(e.value or 0.0, e.n) for e in found.estimates("judge-infit")]
    assert sum(value * n for value, n in fits) / sum(n for _, n in fits) == pytest.approx(1)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ("a,1,5\na,2,4", "only one judge"),
        ("a,1,5\nb,2,4", "nobody else judged"),
        ("a,1,5\nb,1,5", "all answers are the same"),
        ("a,1,A\nb,1,B", "folding"),
    ],
)
@pytest.mark.parametrize("name", ["judge-severity", "judge-infit", "variance-component"])
def test_why_there_is_none(rows, reason, name):
    found = diagnosed(evaluation(f"judge,item,value\n{rows}"))
    assert reason in found.one(name).reason


def test_an_unknown_method_is_named():
    with pytest.raises(InputError, match="did you mean 'rasch'"):
        diagnosed(crossed(), method="rash")


def test_judges_with_documents_of_their_own_are_not_strict_for_these():
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(10):
        hard = rng.normal(size=12)
        rows = [
            {
                "judge": f"j{judge}",
                "item": f"i{document}-{n}",
                "document": f"d{document}",
                "value": hard[document] + rng.normal(),
            }
            for document in range(12)
            for n in range(8)
            # every fourth document has two judges
            for judge in {document % 3, (document + (document % 4 == 0)) % 3}
        ]
        known = list(diagnosed(rows, bootstrap=2).estimates("judge-severity"))
        held += sum(e.low <= 0 <= e.high for e in known)
        items = diagnosed(rows, bootstrap=2, unit="segment").estimates("judge-severity")
        widths = [(e.high - e.low, i.high - i.low) for e, i in zip(known, items, strict=True)]
        assert all(wide >= narrow - 1e-9 for wide, narrow in widths)
    assert held >= 27
