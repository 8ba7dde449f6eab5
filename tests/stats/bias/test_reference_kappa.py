import json
from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from jurat.stats import analyse
from jurat.stats.bias.reference_kappa import difference_within
from jurat.stats.settings import BiasSettings
from tests.cli.run_command import jurat
from tests.stats.tables import evaluation


def table(scores, saw):
    lines = [
        f"j{judge},{item},{saw[judge]},{value}"
        for judge, row in enumerate(scores)
        for item, value in enumerate(row)
    ]
    return "\n".join(["judge,item,saw,value", *lines])


def results(csv, **options):
    settings = BiasSettings(group="saw", bootstrap=options.pop("bootstrap", 0), **options)
    return {r.name: r for r in analyse("bias", evaluation(csv), settings)}


def biased(seed=1, bias=1.5, judges=6, items=60):
    """Judges whose scores follow the item and, by group, a leaning towards some items."""
    rng = np.random.default_rng(seed)
    item, leaning = rng.normal(3, 1, items), rng.normal(0, bias, (2, items))
    noise = rng.normal(0, 0.5, (judges, items))
    scores = item + leaning[np.arange(judges) % 2] + noise
    return np.clip(np.round(scores), 1, 5).astype(int), ["AB"[j % 2] for j in range(judges)]


def test_the_difference_within_and_across():
    a, b = np.array([0, 0, 1]), np.array([1, 2, 2])
    kappas = np.array([[0.5], [0.2], [0.1]])
    pairs = np.hstack([kappas, np.ones((3, 1))])
    found = difference_within(np.array([[0, 0, 1], [0, 1, 1], [0, 0, 0]]), a, b, pairs)
    assert found[0, 0] == pytest.approx(0.5 - 0.15)
    assert found[1, 0] == pytest.approx(0.1 - 0.35)
    assert np.isnan(found[2, 0])  # nothing is across


def test_undefined_kappas_are_left_out():
    pairs = np.array([[0.5, 1], [0.0, 0], [0.1, 1]])
    found = difference_within(
        np.array([[0, 0, 1]]), np.array([0, 0, 1]), np.array([1, 2, 2]), pairs
    )
    assert found[0, 0] == pytest.approx(0.4)


def test_the_p_value_is_that_of_all_relabellings():
    scores, saw = biased(bias=0.7)
    kappas = {
        (a, b): cohen_kappa_score(scores[a], scores[b], weights="linear")
        for a, b in combinations(range(6), 2)
    }

    def gap(group):
        same = [(a in group) == (b in group) for a, b in kappas]
        values = np.array(list(kappas.values()))
        return values[same].mean() - values[np.logical_not(same)].mean()

    observed = gap([j for j in range(6) if saw[j] == "A"])
    exact = np.mean([gap(group) >= observed - 1e-12 for group in combinations(range(6), 3)])
    found = results(table(scores, saw))["group-p"].estimates
    (p,) = (e for e in found if e.by["weights"] == "linear")
    assert p.value == pytest.approx(exact, abs=0.015)
    assert p.n == 6


def test_p_is_adjusted_for_the_weightings():
    """Weightings have smaller p by themselves: words have none, and are not adjusted."""
    scores, saw = biased(bias=0.4, judges=8, items=12, seed=6)
    several = results(table(scores, saw))["group-p"]
    alone = results(table([[f"w{v}" for v in row] for row in scores], saw))["group-p"].estimates[0]
    plain = next(e for e in several.estimates if e.by["weights"] == "none")
    assert plain.value > alone.value
    assert "adjusted for the number of weightings" in several.method


def test_a_planted_bias_is_found_and_none_is_not():
    scores, saw = biased(judges=10)
    found = results(table(scores, saw), bootstrap=100)
    assert all(e.value < 0.02 for e in found["group-p"].estimates)
    assert "hardly" in found["group-p"].headline
    assert "the same reference" in found["cohen-kappa"].headline
    scores, saw = biased(bias=0, judges=10)
    assert all(e.value > 0.02 for e in results(table(scores, saw))["group-p"].estimates)


def test_words_have_no_weights():
    scores = [["x", "y", "x"], ["x", "y", "y"], ["y", "y", "x"], ["x", "x", "x"]]
    found = results(table(scores, "AABB"))
    assert {e.by["weights"] for e in found["cohen-kappa"].estimates} == {"none"}
    (p,) = found["group-p"].estimates
    assert 0 < p.value <= 1


@pytest.mark.parametrize(
    ("saw", "reason"),
    [
        ("AAAA", "not two groups"),
        ("ABCD", "no two judges of the same group"),
        (["source", "source", "A", "A"], "not two groups"),
    ],
)
def test_what_cannot_be_tested_says_why(saw, reason):
    scores = [[1, 2, 3], [1, 2, 2], [2, 2, 3], [1, 1, 3]]
    found = results(table(scores, saw))["group-p"].estimates
    assert all(e.value is None and reason in e.reason for e in found)


def test_groups_that_share_no_item_say_so():
    csv = "judge,item,saw,value\na,1,A,1\nb,1,A,2\nc,2,B,3\nd,2,B,1"
    found = results(csv)
    across = [e for e in found["cohen-kappa"].estimates if e.by["pairs"] == "across"]
    assert {e.reason for e in across} == {"no two judges of different groups share an item"}
    assert all(e.value is None for e in found["group-p"].estimates)


def test_constant_scores_have_no_kappa():
    found = results(table([[3, 3], [3, 3], [3, 3], [3, 3]], "AABB"))
    assert all(e.value is None for e in found["cohen-kappa"].estimates)
    assert all("undefined" in e.reason for e in found["group-p"].estimates)


def test_judges_of_several_groups_exchange_their_own_labels():
    rng = np.random.default_rng(1)
    lines = [
        f"j{judge},{item},{'AB'[(judge + item) % 2]},{rng.integers(1, 6)}"
        for judge in range(6)
        for item in range(40)
    ]
    found = results("\n".join(["judge,item,saw,value", *lines]))
    assert {e.n for e in found["group-p"].estimates} == {12}
    assert all(0 < e.value <= 1 for e in found["group-p"].estimates)


def test_the_command_needs_no_judge_for_means(tmp_path):
    (tmp_path / "x.csv").write_text("item,saw,value\n1,A,2\n1,B,4\n2,A,1\n")
    done = jurat("bias", "x.csv", "--group", "saw", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["results"]
    assert {r["by"].get("group"): r["value"] for r in rows if r["name"] == "group-mean"} == {
        "A": 1.5,
        "B": 4.0,
    }
    (kappa,) = (r for r in rows if r["name"] == "cohen-kappa")
    assert kappa["reason"] == "needs the column judge"


def test_the_command_refuses_an_unknown_group(tmp_path):
    (tmp_path / "x.csv").write_text("judge,item,saw,value\na,1,A,2\n")
    done = jurat("bias", "x.csv", "--group", "sees", cwd=tmp_path)
    assert done.returncode == 2
    assert "--group needs a column 'sees'" in done.stderr
    done = jurat("bias", "x.csv", "--group", "saw", "--source", "B", cwd=tmp_path)
    assert done.returncode == 2
    assert "unknown group 'B'" in done.stderr


def test_the_headline_is_a_sentence_where_nobody_saw_the_same():
    found = results(table([[1, 2, 3, 4], [1, 2, 4, 3]], ["A", "B"]))["cohen-kappa"]
    assert found.headline.startswith("Two judges who saw different references 0.600 (moderate")
    assert "1 pair)" in found.headline


def test_items_of_one_group_alone_say_nothing_of_references():
    scores, saw = biased(bias=0.4)
    lines = table(scores, saw).splitlines()
    # twenty items more, which only judges of the first group have, and agree about
    own = [f"j{judge},own{n},{saw[judge]},{1 + n % 5}" for judge in (0, 2, 4) for n in range(20)]
    shared, more = results("\n".join(lines)), results("\n".join([*lines, *own]))
    p = [[e.value for e in found["group-p"].estimates] for found in (shared, more)]
    assert p[0] == p[1]
    assert "on the 60 items that all of these groups judged" in more["group-p"].method


def test_groups_of_different_items_cannot_be_compared():
    rows = [
        f"j{j},{'AB'[j % 2]}{n % 8 if j < 4 else n},{'AB'[j % 2]},{n % 3}"
        for j in range(6)
        for n in range(8)
    ]
    found = results("\n".join(["judge,item,saw,value", *rows]))
    assert all(e.value is None for e in found["group-p"].estimates)
