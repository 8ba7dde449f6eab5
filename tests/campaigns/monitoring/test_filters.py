"""Filters: exactly the rows that are asked for, and every choice in the signature."""

import polars as pl
import pytest

from jurat.campaigns.monitoring.filters import Filter, apply_filter, outliers
from jurat.campaigns.monitoring.worker import WorkerState
from jurat.errors import InputError
from jurat.stats import Evaluation, Settings, analyse
from jurat.stats.settings import JudgeSettings
from jurat.tables import Intake, Judgments
from tests.campaigns.sample_campaigns import NAME, Setting


def judged(state: WorkerState, **chosen) -> pl.DataFrame:
    left = apply_filter(state.tables(NAME).named, Filter(**chosen)).evaluation
    return left.valid


def expected(state: WorkerState, condition: pl.Expr) -> int:
    table = state.tables(NAME).named["judgments"]
    counts = (pl.col("status") == "valid") & (pl.col("phase") == "evaluation")
    true = pl.col("control").ne_missing("degraded")
    return table.filter(counts & true & condition).height


@pytest.mark.parametrize(
    ("chosen", "condition"),
    [
        ({}, pl.lit(value=True)),
        ({"task": "rating"}, pl.col("task") == "rating"),
        ({"judges": ("p1", "p2")}, pl.col("judge").is_in(["p1", "p2"])),
        ({"without": ("p1",)}, pl.col("judge") != "p1"),
        ({"documents": ("paper2",)}, pl.col("document") == "paper2"),
        ({"systems": ("cedar", "birch")}, pl.col("system").is_in(["cedar", "birch"])),
        ({"where": "genre == 'news'"}, pl.col("genre") == "news"),
        ({"where": "seconds < 60 and kit == 1"}, (pl.col("seconds") < 60) & (pl.col("kit") == 1)),
        (
            {"without": ("p1",), "documents": ("paper1",), "where": "system != 'birch'"},
            (pl.col("judge") != "p1")
            & (pl.col("document") == "paper1")
            & (pl.col("system") != "birch"),
        ),
    ],
)
def test_rows(state: WorkerState, chosen, condition):
    found = judged(state, **chosen)
    assert 0 < found.height == expected(state, condition)


def test_pairs_need_both_systems(state: WorkerState):
    left = apply_filter(state.tables(NAME).named, Filter(systems=("cedar", "birch"))).evaluation
    assert set(left.compared["system_a"]) | set(left.compared["system_b"]) == {"cedar", "birch"}
    assert left.compared.height == 2 * 8


def test_conditions_on_answers_leave_out_tables_without_them(state: WorkerState):
    left = apply_filter(state.tables(NAME).named, Filter(where="value > 3")).evaluation
    assert left.preferences is None
    assert left.judgments is not None
    left = apply_filter(state.tables(NAME).named, Filter(where="outcome == 'a'")).evaluation
    assert left.judgments is None
    assert set(left.compared["outcome"]) == {"a"}
    with pytest.raises(InputError, match="unknown column in the expression 'valu'"):
        _ = apply_filter(state.tables(NAME).named, Filter(where="valu > 3")).evaluation.valid


def test_the_tutorial_is_looked_at_when_it_is_asked_for(state: WorkerState):
    found = judged(state, where="phase == 'tutorial'")
    assert set(found["phase"]) == {"tutorial"}


def test_nothing_may_be_left(state: WorkerState):
    left = apply_filter(state.tables(NAME).named, Filter(documents=("nowhere",))).evaluation
    assert (left.judgments, left.preferences, left.columns) == (None, None, frozenset(("status",)))


def test_exclusion_rules_find_whom_diagnose_finds(state: WorkerState, played: Setting):
    chosen = Filter(task="rating", ways=("score", "most"), k=1.2)
    table = played.service.campaigns.tables(NAME)["judgments"].filter(pl.col("task") == "rating")
    results = analyse(
        "judges", Evaluation(judgments=Judgments(table)), JudgeSettings(k=1.2, bootstrap=0)
    )
    outliers = next(result for result in results if result.name == "judge-outlier")
    found = {
        str(e.by["judge"])
        for e in outliers.estimates
        if e.value == 1 and e.by["way"] in chosen.ways
    }
    left = apply_filter(state.tables(NAME).named, chosen)
    assert 0 < len(found) < 12
    assert set(left.outliers) == found
    assert not found & set(left.evaluation.valid["judge"])
    with pytest.raises(InputError, match="unknown exclusion rule 'scor'"):
        apply_filter(state.tables(NAME).named, Filter(ways=("scor",)))


def test_without_judges_nobody_stands_out():
    assert outliers(Evaluation(), ("score",), k=1) == []


def test_the_numbers_are_those_of_the_command(state: WorkerState, played: Setting):
    """The same table read as the command line reads it gives the same numbers."""
    chosen = Filter(task="rating", where="genre == 'news'", without=("p1",))
    cache = apply_filter(state.tables(NAME).named, chosen).evaluation
    table = played.service.campaigns.tables(NAME)["judgments"].filter(pl.col("task") == "rating")
    command = Evaluation(
        judgments=Judgments(table, Intake(where=chosen.where, exclude=chosen.without))
    )
    for folder in ("agreement", "systems"):
        ours, theirs = (
            [
                (r.name, e.value, e.low, e.high, e.n, dict(e.by))
                for r in analyse(folder, one, Settings(bootstrap=50))
                for e in r.estimates
            ]
            for one in (cache, command)
        )
        assert len(ours) > 20
        assert ours == theirs


def test_choices_stand_in_the_signature(state: WorkerState):
    chosen = Filter(
        task="rating",
        without=("p1",),
        documents=("paper1",),
        systems=("birch", "cedar"),
        where="genre == 'news'",
        ways=("score",),
        k=1.5,
    )
    left = apply_filter(state.tables(NAME).named, chosen)
    told = left.evaluation.signature("x")
    for part in (
        "task:rating",
        "documents:paper1",
        "only:birch+cedar",
        "where:genre == 'news'",
        "outliers:score (k 1.5)",
        f"excluded:{'+'.join(sorted({'p1', *left.outliers}))}",
    ):
        assert part in told
    plain = apply_filter(state.tables(NAME).named, Filter()).evaluation.signature("x")
    assert "excluded" not in plain
    assert "only" not in plain


def test_to_an_address_and_back():
    chosen = Filter(
        task="rating", judges=("a", "b"), where="x == 'y&z'", ways=("score", "easy"), k=2.5
    )
    fields: dict[str, list[str]] = {}
    for name, value in chosen.fields():
        fields.setdefault(name, []).append(value)
    assert Filter.read(fields) == chosen
    assert Filter.read({}) == Filter()
    assert Filter().fields() == []
    assert not Filter(task="rating", k=2).is_active
    assert chosen.is_active
    assert chosen.task_only() == Filter(task="rating", k=2.5)
    assert Filter.read({"judges": ["", "a"], "where": [" "], "k": [""]}) == Filter(judges=("a",))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"k": ["far"]}, "k must be a number"),
        ({"k": ["0"]}, "k must be more than 0"),
        ({"k": ["nan"]}, "k must be more than 0"),
        ({"where": ["system = 'x'"]}, "use == to compare"),
        ({"where": ["__import__('os')"]}, "not allowed"),
    ],
)
def test_bad_filters(fields, message):
    with pytest.raises(InputError, match=message):
        Filter.read(fields)
