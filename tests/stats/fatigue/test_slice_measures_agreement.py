import json
from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from jurat.stats import analyse
from jurat.stats.settings import FatigueSettings
from tests.cli.run_command import jurat
from tests.stats.tables import evaluation

RNG = np.random.default_rng(5)
SCORES = RNG.integers(1, 5, (4, 60))
SAW = "AABB"


def table(scores=SCORES, places=None):
    lines = [
        f"j{judge},{item},{SAW[judge]},{item if places is None else places[judge][item]},{value}"
        for judge, row in enumerate(scores)
        for item, value in enumerate(row)
    ]
    return "\n".join(["judge,item,saw,position,value", *lines])


def results(csv, **options):
    settings = FatigueSettings(**{"slices": 3, "bootstrap": 0, **options})
    return {r.name: r for r in analyse("fatigue", evaluation(csv), settings)}


def values(found, **by):
    return [e.value for e in found.estimates if by.items() <= e.by.items()]


def mean_kappa(pairs, *, seen):
    """The mean over pairs of judges, of the items that both have seen."""
    found = []
    for a, b in pairs:
        both = sorted(seen[a] & seen[b])
        one, other = SCORES[a, both], SCORES[b, both]
        found.append(cohen_kappa_score(one, other, weights="linear", labels=[1, 2, 3, 4]))
    return np.mean(found)


def test_kappas_of_the_items_of_a_slice_are_scikit_learns():
    found = results(table(), group="saw")["slice-agreement"]
    pairs = {"within": [(0, 1), (2, 3)], "across": [(a, b) for a in (0, 1) for b in (2, 3)]}
    for n, name in enumerate(("0-33", "33-67", "67-100")):
        seen = [set(range(20 * n, 20 * n + 20))] * 4
        for kind, chosen in pairs.items():
            (value,) = values(found, slice=name, weights="linear", pairs=kind)
            assert value == pytest.approx(mean_kappa(chosen, seen=seen))


def test_intervals_of_few_judges_end_where_kappas_do():
    found = results(table(), group="saw", bootstrap=100)["slice-agreement"].estimates
    ends = [end for e in found for end in (e.low, e.high) if end is not None]
    assert (min(ends), max(ends)) == (-1.0, 1.0)


def test_an_item_counts_where_both_have_it_in_the_slice():
    places = [RNG.permutation(60) for _ in range(4)]
    found = results(table(places=places))["slice-agreement"]
    seen = [set(np.flatnonzero(order < 20).tolist()) for order in places]
    (value,) = values(found, slice="0-33", weights="linear", pairs="all")
    assert value == pytest.approx(mean_kappa(combinations(range(4), 2), seen=seen))


def test_linear_weights_come_first_and_only_all_pairs_without_groups():
    found = results(table())["slice-agreement"].estimates
    assert [e.by["weights"] for e in found[:3]] == ["linear"] * 3
    assert {e.by["pairs"] for e in found} == {"all"}
    assert {e.n for e in found} == {6}


def test_slices_in_which_nobody_meets_say_so():
    csv = "judge,item,position,value\na,1,1,1\na,2,2,2\nb,2,1,1\nb,1,2,3"
    found = results(csv, slices=2)
    assert all(e.value is None for e in found["slice-agreement"].estimates)
    assert (
        "no two judges share an item in this slice" in found["slice-agreement"].estimates[0].reason
    )
    assert "No two judges" in found["slice-agreement"].headline


def test_the_papers_way_of_sampling():
    found = results(table(), method="sampled", bootstrap=100)["slice-agreement"]
    exact = results(table())["slice-agreement"]
    assert "20 pairs drawn" in found.method
    first, other = found.estimates[0], exact.estimates[0]
    assert first.low < other.value < first.high


def test_words_have_their_agreement_too():
    words = np.array(["x", "y", "z", "w"])[SCORES - 1]
    found = results(table(words))
    assert {e.by["weights"] for e in found["slice-agreement"].estimates} == {"none"}
    assert all(e.value is None for e in found["slice-sd"].estimates)
    assert {e.by["measure"] for e in found["quality-fall"].estimates} == {"sd", "agreement"}


def test_the_command(tmp_path):
    (tmp_path / "x.csv").write_text(table())
    done = jurat("fatigue", "x.csv", "--slices", "2", "--group", "saw", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["results"]
    assert {r["by"]["slice"] for r in rows if r["name"] == "slice-agreement"} == {"0-50", "50-100"}
    assert jurat("fatigue", "x.csv", "--group", "sow", cwd=tmp_path).returncode == 2
    assert jurat("fatigue", "x.csv", "--slices", "1", cwd=tmp_path).returncode == 2


def test_a_file_without_judges_says_what_it_lacks(tmp_path):
    (tmp_path / "x.csv").write_text("item,value\n1,2\n2,3\n")
    done = jurat("fatigue", "x.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "needs the column judge" in done.stdout
