import json

import numpy as np
import pytest

from jurat.stats import Evaluation, Settings
from jurat.stats.planning.stopping_rule import OrderSettled
from jurat.stats.settings import PlanSettings
from tests.cli.run_command import jurat
from tests.stats.tables import evaluation


def order(table, **settings):
    found = OrderSettled().results(table, PlanSettings(**{"simulations": 300, **settings}))
    return {result.name: result for result in found}


def judged(gaps, segments=100, seed=1, judges=4):
    rng = np.random.default_rng(seed)
    rows = ["judge,segment,system,value"]
    for segment in range(segments):
        for system, gap in gaps.items():
            both = rng.choice(judges, 2, replace=False)
            rows += [f"j{j},{segment},{system},{gap + rng.normal(0, 1):.4f}" for j in both]
    return "\n".join(rows)


def pairs(result):
    return {(e.by["system_a"], e.by["system_b"]): e for e in result.estimates}


def test_neighbours_in_order():
    found = order(evaluation(judged({"X": 0.0, "Y": 2.0, "Z": 0.1})))
    settled = pairs(found["order-settled"])
    assert settled["Y", next(b for a, b in settled if a == "Y")].value == 1
    assert [e.value for e in settled.values()] == [1, 0]
    assert found["order-settled"].headline.startswith("1 of 2 neighbours are settled, ")
    more = [e.value for e in found["more-judgments"].estimates]
    assert more[0] == 0
    assert more[1] is None or more[1] > 100
    assert found["order-probability"].estimates[0].value > 0.999


def test_settled_is_where_the_interval_leaves_0_out():
    found = order(evaluation(judged({"X": 0.0, "Y": 0.5, "Z": 1.5})))
    for settled, gap in zip(
        found["order-settled"].estimates, found["order-difference"].estimates, strict=True
    ):
        assert settled.value == float(gap.low > 0)
        assert gap.low < gap.value < gap.high


def test_a_small_difference_takes_more():
    near, far = (
        order(evaluation(judged({"X": 0.0, "Y": gap}, segments=40)))["more-judgments"].estimates[0]
        for gap in (0.05, 0.1)
    )
    assert near.value > far.value > 0


def test_the_error_is_shared_by_all_pairs():
    two = order(evaluation(judged({"X": 0.0, "Y": 0.5})))["order-difference"].estimates[0]
    many = {"X": 0.0, "Y": 0.5} | {f"S{n}": -9.0 * n for n in range(1, 6)}
    among = order(evaluation(judged(many)))["order-difference"]
    assert (two.high - two.low) < (pairs(among)["Y", "X"].high - pairs(among)["Y", "X"].low)


def test_documents_are_fixed_beforehand():
    table = evaluation(judged({"X": 0.0, "Y": 2.0}, judges=6))
    any_time, planned = (order(table, most_documents=most) for most in (0, 120))
    assert "for these judges only" in any_time["order-settled"].headline
    assert "e-value" in any_time["order-settled"].method
    assert "for these judges only" not in planned["order-settled"].headline
    assert "looks from 10 to 120 documents" in planned["order-settled"].method
    assert "sentences are taken as independent" in planned["order-settled"].method
    assert planned["order-settled"].estimates[0].value == 1


def test_nothing_is_settled_beyond_the_documents_fixed_beforehand():
    table = evaluation(judged({"X": 0.0, "Y": 2.0}, judges=6))
    at_the_end, beyond = (order(table, most_documents=most) for most in (100, 99))
    assert at_the_end["order-settled"].estimates[0].value == 1
    assert beyond["order-settled"].estimates[0].value is None
    assert "100 documents are more than the 99" in beyond["order-settled"].headline
    assert beyond["order-difference"].estimates[0].low is None
    assert beyond["more-judgments"].estimates[0].value is None


def test_two_judges_settle_it_for_themselves():
    table = evaluation(judged({"X": 0.0, "Y": 2.0}, judges=2))
    found = order(table, most_documents=120)["order-settled"]
    assert found.estimates[0].value == 1
    assert found.headline.endswith("is settled, for these judges only: judging may stop.")


def test_few_judges_of_a_document_each_settle_nothing():
    rng = np.random.default_rng(1)
    rows = [
        f"j{n % 4},d{n},{n},{s},{rng.normal(0, 1) + (s == 'X'):.3f}"
        for n in range(40)
        for s in ("X", "Y")
    ]
    table = evaluation("\n".join(["judge,document,segment,system,value", *rows]))
    found = order(table, most_documents=60)
    assert found["order-settled"].estimates[0].value is None
    assert "4 judges are too few" in found["order-settled"].estimates[0].reason
    assert found["order-settled"].headline.startswith("No order can be settled: ")
    assert found["order-difference"].estimates[0].low is None


def test_few_segments_settle_nothing():
    found = order(evaluation(judged({"X": 0.0, "Y": 9.0}, segments=9)))
    assert found["order-settled"].estimates[0].value == 0
    assert found["order-difference"].estimates[0].low is None


def test_systems_that_share_no_segment():
    table = evaluation("judge,segment,system,value\na,1,X,3\na,2,Y,4\nb,1,X,3\nb,2,Y,1")
    for result in order(table).values():
        assert result.estimates[0].value is None
        assert result.estimates[0].reason == "no document was judged for both systems"


def test_constant_differences_are_settled():
    rows = [f"{n},{s},{v}" for n in range(30) for s, v in (("X", 1), ("Y", 2))]
    found = order(evaluation("\n".join(["segment,system,value", *rows])))
    assert found["order-probability"].estimates[0].value == pytest.approx(1)
    assert found["order-settled"].estimates[0].value == 1


def test_nothing_without_judgments():
    assert list(OrderSettled().results(Evaluation(), PlanSettings())) == []
    found = list(OrderSettled().results(evaluation("item,system,value\n1,X,3"), Settings()))
    assert [r.name for r in found] == list(OrderSettled.gives)
    assert {e.reason for r in found for e in r.estimates} == {"there is one system only"}
    found = list(OrderSettled().results(evaluation("item,value\n1,3"), Settings()))
    assert {e.reason for r in found for e in r.estimates} == {"no judgment names its system"}


@pytest.fixture
def table(tmp_path):
    (tmp_path / "so-far.csv").write_text(judged({"X": 0.0, "Y": 2.0}))
    return tmp_path


def test_on_the_command_line(table):
    done = jurat("plan", "--from", "so-far.csv", "--stop", "--json", cwd=table)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["results"]
    assert {row["name"] for row in rows} == set(OrderSettled.gives)
    assert rows[0]["by"] == {"question": "value", "system_a": "Y", "system_b": "X"}
    assert rows[0]["value"] == 1


def test_with_a_plan(table):
    done = jurat(
        "plan",
        "--from",
        "so-far.csv",
        "--difference",
        "0.3",
        "--simulations",
        "200",
        "--json",
        cwd=table,
    )
    names = {row["name"] for row in json.loads(done.stdout)["results"]}
    assert {"plan-segments", "plan-hours", "order-settled"} <= names


def test_wide_scores(tmp_path):
    (tmp_path / "wide.csv").write_text(
        "seg,E1,E2\n" + "\n".join(f"{n},{n % 3},{n % 5}" for n in range(30))
    )
    done = jurat(
        "plan",
        "--from",
        "wide.csv",
        "--columns",
        "segment=seg",
        "--systems",
        "E1,E2",
        "--stop",
        "--json",
        cwd=tmp_path,
    )
    assert json.loads(done.stdout)["results"][0]["by"]["system_a"] == "E2"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--stop",), "--stop needs judgments"),
        (("--systems", "E1,E2"), "--systems takes a number"),
        (("--protocol", "preference"), "rates no single translation"),
        (("--protocol", "tapet"), "unknown protocol 'tapet'"),
    ],
)
def test_mistakes(arguments, message):
    done = jurat("plan", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
