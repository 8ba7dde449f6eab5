"""Signatures: whatever can change a number changes them, and nothing else does."""

import json
import random
from pathlib import Path
from typing import Any

import click
import msgspec
import polars as pl
import pytest

from jurat import protocols
from jurat.cli import jurat as commands
from jurat.metrics import parse_metrics
from jurat.stats import settings as kinds
from jurat.stats.metaeval.input_tables import MetricScores, TranslationTexts
from jurat.tables import Intake
from tests.cli.run_command import jurat

SETTINGS = {
    "agreement": kinds.AgreementSettings,
    "bias": kinds.BiasSettings,
    "diagnose": kinds.JudgeSettings,
    "fatigue": kinds.FatigueSettings,
    "heval": kinds.HEvalSettings,
    "metaeval": kinds.MetricSettings,
    "plan": kinds.PlanSettings,
    "preferences": kinds.PreferenceSettings,
    "score": kinds.ScoreSettings,
    "systems": kinds.SystemSettings,
    "time": kinds.TimeSettings,
}
# What is read from these is part of the data, or of a table among the settings.
DATA = {
    *("files", "campaign", "columns", "items", "spans", "judgments", "judgments_columns", "joined"),
    *("scores", "metrics", "scores_columns", "lower_metrics", "judges", "texts_columns"),
    *("systems", "references", "documents", "metric", "each_reference", "level", "against"),
    *("header", "sheet", "read_as"),
}
# These change no number: where results go, where the store is, and how many threads compute.
NUMBERLESS = {
    *(
        "form",
        "url",
        "force",
        "jobs",
        "executor",
        "out",
        "discordant",
        "figure",
        "full",
        "list",
        "statistic",
    )
}
# Options whose parameter has another name than the field of `Intake`.
INTAKE = {"total": "sum", "system_columns": "systems", "judge_columns": "judges"}

TABLE = pl.DataFrame({"segment": ["1"], "system": ["A"], "metric": ["m"], "value": [1.0]})
# A value other than the default, by the name of the field.
OTHERS: dict[str, Any] = {
    "texts": TABLE,
    "scores": MetricScores(frame=TABLE),
    "similarity": tuple(parse_metrics("bleu", None)),
    "protocol": protocols.load("tapet-adequacy"),
    "estimated": {"": 30.0},
    "step": "1",
    "unit": "segment",
    "ties": "all",
    "ranks": "dense",
    "tied": "half",
    "correction": "bh",
    "test": "randomisation",
    "draw": "documents",
    "level": "document",
    "average": "documents",
    "without_ties": "decisions",
    "undefined": "skip",
    "metric_ties": "half",
    "grouping": "item",
    "kendall": "c",
    "compare": "spa",
    "power": 0.9,
    "top": 3.0,
}
METHODS: dict[Any, str] = {
    kinds.JudgeSettings: "rasch",
    kinds.HEvalSettings: "scores",
    kinds.PlanSettings: "centred",
    kinds.SystemSettings: "wilcoxon",
}


def parameters(name: str) -> set[str]:
    """The names of a command's parameters."""
    command = commands.get_command(click.Context(commands), name)
    assert command is not None
    return {str(parameter.name) for parameter in command.params}


@pytest.mark.parametrize("name", SETTINGS)
def test_every_option_is_in_the_signature_or_changes_no_number(name: str) -> None:
    signed = {*SETTINGS[name].__struct_fields__, *Intake.__struct_fields__}
    named = {INTAKE.get(option, option) for option in parameters(name)}
    # `score --unit document` is another way to say `--draw documents`
    known = {"unit"} if name == "score" else set()
    assert named - signed - known - DATA - NUMBERLESS == set()


def other_value(kind: type[Any], name: str, usual: object) -> Any:
    """A value of the field that is not its default."""
    if name == "method":
        return METHODS.get(kind, "sampled")
    if name == "protocol" and kind is kinds.PlanSettings:
        return "ldc-adequacy"
    if name == "texts" and kind is kinds.MetricSettings:
        return TranslationTexts(translations=TABLE, context=TABLE)
    if name in OTHERS:
        return OTHERS[name]
    match usual:
        case bool():
            return not usual
        case int() | float():
            return usual + 1 if name != "confidence" else 0.9
        case tuple():
            return ("other",)
    return "other"


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        pytest.param(kind, name, id=f"{command} {name}")
        for command, kind in SETTINGS.items()
        for name in kind.__struct_fields__
        # these have one method alone, and refuse others
        if not (name == "method" and command in ("metaeval", "preferences", "time"))
    ],
)
def test_every_setting_is_told(kind: type[Any], name: str) -> None:
    usual = kind()
    changed = msgspec.structs.replace(
        usual, **{name: other_value(kind, name, getattr(usual, name))}
    )
    assert usual.chosen() == {}
    assert set(changed.chosen()) == ({name.replace("_", "-")} - {*kinds.ELSEWHERE})


@pytest.mark.parametrize("name", sorted({*Intake.__struct_fields__} - {"columns", "judges"}))
def test_every_option_of_reading_is_told(name: str) -> None:
    value: Any = ("x",) if isinstance(getattr(Intake(), name), tuple) else "x"
    needed = {"sum": "x"} if name == "weights" else {}
    assert len(Intake(**{**needed, name: value}).signature()) == 1 + len(needed)


CHANCE = random.Random(1)
RATINGS = [
    (f"j{j}", f"d{d}", f"{d}-{s}", system, CHANCE.randint(1, 5), "refA" if j % 2 else "source")
    for d in range(3)
    for s in range(2)
    for system in "AB"
    for j in range(4)
]
HEADING = "judge,document,segment,system,value,group"


def write(path: Path, rows: list[tuple[Any, ...]], heading: str = HEADING) -> None:
    """A CSV file with these rows."""
    path.write_text("\n".join([heading, *(",".join(map(str, row)) for row in rows)]) + "\n")


def signatures(folder: Path, *arguments: str) -> dict[str, str]:
    """The signature of each result of a command."""
    ran = jurat(*arguments, "--json", "--bootstrap", "0", cwd=folder)
    assert ran.returncode == 0, ran.stderr
    return {row["name"]: row["signature"] for row in json.loads(ran.stdout)["results"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with ratings, and the same ratings in other orders."""
    write(tmp_path / "ratings.csv", RATINGS)
    CHANCE.seed(2)
    write(tmp_path / "moved.csv", CHANCE.sample(RATINGS, len(RATINGS)))
    values = CHANCE.sample([row[4] for row in RATINGS], len(RATINGS))
    mixed = [(*row[:4], value, row[5]) for row, value in zip(RATINGS, values, strict=True)]
    write(tmp_path / "mixed.csv", mixed)
    return tmp_path


def test_the_order_of_rows_counts_only_where_it_is_read(folder: Path) -> None:
    before, after = (signatures(folder, "agreement", f"{n}.csv") for n in ("ratings", "moved"))
    # of the first two answers to an item; the table has no times
    assert {name for name in before if before[name] != after[name]} == {"z-r2"}
    before, after = (signatures(folder, "fatigue", f"{n}.csv") for n in ("ratings", "moved"))
    assert before["slice-agreement"] != after["slice-agreement"]


@pytest.mark.parametrize(
    "changed",
    [
        ("agreement", "mixed.csv"),
        ("agreement", "ratings.csv", "--columns", "value=segment,question='value'"),
        ("agreement", "ratings.csv", "--where", "document != 'd0'"),
        ("agreement", "ratings.csv", "--by", "document"),
        ("agreement", "ratings.csv", "--unit", "segment"),
    ],
    ids=["other values", "columns", "where", "by", "unit"],
)
def test_other_data_and_options_have_another(folder: Path, changed: tuple[str, ...]) -> None:
    write(folder / "ratings.csv", [(*row[:2], n % 7, *row[3:]) for n, row in enumerate(RATINGS)])
    before, after = signatures(folder, "agreement", "ratings.csv"), signatures(folder, *changed)
    assert not [name for name in before if name in after and before[name] == after[name]]


def test_the_group_that_saw_the_source(folder: Path) -> None:
    usual = ("bias", "ratings.csv", "--group", "group")
    before, after = signatures(folder, *usual), signatures(folder, *usual, "--source", "refA")
    assert all(before[name] != after[name] for name in before)


def test_the_version_and_the_data_stand_in_every_signature(folder: Path) -> None:
    found = signatures(folder, "systems", "ratings.csv")
    assert all("|data:" in signature and "|jurat:" in signature for signature in found.values())
