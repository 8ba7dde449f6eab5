"""The functions give the commands' numbers, and take the commands' options."""

import inspect
import json
import re
from pathlib import Path
from typing import Any, get_args

import click
import pandas as pd
import polars as pl
import pytest

import jurat
from jurat.cli import jurat as group
from jurat.library import analyses, metrics
from tests.cli.run_command import jurat as run_command

FUNCTIONS = (
    *("agreement", "bias", "diagnose", "fatigue", "heval", "metaeval"),
    *(
        "model_agreement",
        "plan",
        "preferences",
        "report",
        "score",
        "suggestions",
        "systems",
        "time",
    ),
)
# Options about the terminal and about files that are written, and arguments.
OF_TERMINAL = {"form", "force", "out", "figure", "discordant", "full", "files", "help", "list"}
OF_TERMINAL |= {"tables", "paper"}
# Where Python's name of an option is another: reserved words, and what the library spells out.
RENAMED = {
    "total": "sum",
    "system_columns": "systems",
    "judge_columns": "judges",
    "url": "store",
    "compared": "with_",
    "lower_metrics": "lower_better_metrics",
    "references": "reference",
    "statistic": "statistics",
}


def options_of(name: str) -> dict[str, click.Parameter]:
    """The options of a command, by the names that they have in Python."""
    command = group.get_command(click.Context(group), name.replace("_", "-"))
    assert command is not None
    # of bias, references are columns
    renamed = {**RENAMED, "references": "references"} if name == "bias" else RENAMED
    return {
        renamed.get(str(each.name), str(each.name)): each
        for each in command.params
        if isinstance(each, click.Option) and each.name not in OF_TERMINAL
    }


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_has_the_options_of_its_command(name: str) -> None:
    parameters = dict(inspect.signature(getattr(jurat, name)).parameters)
    own = {"data", "systems"} if name == "score" else {"data"}
    own |= {"scores"} if name == "metaeval" else set()
    assert {*parameters} - own == {*options_of(name)} - own


@pytest.mark.parametrize("name", FUNCTIONS)
def test_help_has_a_line_for_every_option(name: str) -> None:
    function = getattr(jurat, name)
    told = (inspect.getdoc(function) or "").partition("Args:")[2].partition("\n\n")[0]
    entries = re.findall(r"^    (\w+): ", told, flags=re.MULTILINE)
    assert entries == list(inspect.signature(function).parameters)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_defaults_and_choices_are_those_of_the_command(name: str) -> None:
    parameters = inspect.signature(getattr(jurat, name)).parameters
    command = group.get_command(click.Context(group), name.replace("_", "-"))
    assert command is not None
    defaults = command.make_context(name, [], resilient_parsing=True).params
    for option, told in options_of(name).items():
        default = defaults[told.name]
        own = parameters[option].default
        nothing: tuple[object, ...] = (None, "", (), {}, inspect.Parameter.empty)
        assert own == default or (own in nothing and default in nothing), option
        if isinstance(told.type, click.Choice):
            assert [*told.type.choices] == literals(parameters[option].annotation), option


def literals(annotation: Any) -> list[str]:
    """The values of the Literal within an annotation, which may be a text."""
    if isinstance(annotation, str):
        annotation = eval(annotation, {**vars(metrics), **vars(analyses)})
    nested = [literals(each) for each in get_args(annotation) if not isinstance(each, str)]
    own = [each for each in get_args(annotation) if isinstance(each, str)]
    return own + [value for each in nested for value in each]


# A call: what is read (below ../shared/data), the command's options, and Python's.
CALLS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...], dict[str, Any]]] = {
    "agreement": (
        "agreement",
        ("adequacy_fluency_faen/fa-en.csv",),
        ("--columns", "item=segment", "--questions", "adequacy,fluency", "--exclude", "J10"),
        {
            "columns": {"item": "segment"},
            "questions": ["adequacy", "fluency"],
            "exclude": ["J10"],
        },
    ),
    "folded": (
        "agreement",
        ("tradopad/ratings.csv",),
        ("--columns", "judge=judge_id,item=segment_id,value=rating", "--fold", "1,1,2,3,3",
         "--by", "condition", "--where", "condition != 'source'", "--confidence", "0.9"),
        {
            "columns": {"judge": "judge_id", "item": "segment_id", "value": "rating"},
            "fold": [1, 1, 2, 3, 3],
            "by": "condition",
            "where": "condition != 'source'",
            "confidence": 0.9,
        },
    ),
    "bias": (
        "bias",
        ("tradopad/ratings.csv",),
        ("--columns", "judge=judge_id,item=segment_id,value=rating", "--group", "condition"),
        {"columns": "judge=judge_id,item=segment_id,value=rating", "group": "condition"},
    ),
    "diagnose": (
        "diagnose",
        ("adequacy_fluency_faen/fa-en.csv",),
        ("--columns", "item=segment,value=adequacy", "--k", "1.5"),
        {"columns": {"item": "segment", "value": "adequacy"}, "k": 1.5},
    ),
    "fatigue": (
        "fatigue",
        ("tradopad/ratings.csv",),
        ("--columns", "judge=judge_id,item=item_position,position=item_position,value=rating",
         "--slices", "4"),
        {
            "columns": {
                "judge": "judge_id",
                "item": "item_position",
                "position": "item_position",
                "value": "rating",
            },
            "slices": 4,
        },
    ),
    "systems": (
        "systems",
        ("esa_wmt23/ESA-1.csv",),
        ("--columns", "segment=item,value=score", "--where", "type == 'TGT'", "--only",
         "refA,ONLINE-W", "--method", "wilcoxon"),
        {
            "columns": {"segment": "item", "value": "score"},
            "where": "type == 'TGT'",
            "only": ["refA", "ONLINE-W"],
            "method": "wilcoxon",
        },
    ),
    "preferences": (
        "preferences",
        ("wmt16_ranking/wmt16.tur-eng.csv",),
        ("--joined", "split"),
        {"joined": "split"},
    ),
    "heval": (
        "heval",
        ("heval_tables/table13_features.csv",),
        ("--columns", "system=engine,item=engine", "--questions", "f1,f2,f3,f5", "--ties", "all"),
        {
            "columns": {"system": "engine", "item": "engine"},
            "questions": ["f1", "f2", "f3", "f5"],
            "ties": "all",
        },
    ),
    "time": (
        "time",
        ("eyetracking_mono/mono.csv",),
        ("--columns", "item=segment,value=score", "--estimated", "30", "--by", "condition"),
        {"columns": {"item": "segment", "value": "score"}, "estimated": 30, "by": ["condition"]},
    ),
    "metaeval": (
        "metaeval",
        ("esa_wmt23/ESA-1.csv", "esa_wmt23/wmt_scores.csv"),
        ("--columns", "segment=item,value=score", "--where", "type == 'TGT'", "--scores-columns",
         "segment=item", "--metrics", "wmt_mqm", "--allow-unmatched"),
        {
            "columns": {"segment": "item", "value": "score"},
            "where": "type == 'TGT'",
            "scores_columns": {"segment": "item"},
            "metrics": ["wmt_mqm"],
            "allow_unmatched": True,
        },
    ),
}  # fmt: skip


def printed(name: str, files: list[Path], options: tuple[str, ...]) -> list[dict[str, Any]]:
    done = run_command(name, *map(str, files), *options, "--bootstrap", "20", "--json")
    assert done.returncode == 0, done.stderr
    rows: list[dict[str, Any]] = json.loads(done.stdout)["results"]
    return rows


def rows_of(results: jurat.Results) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(results.to_json())["results"]
    return rows


@pytest.mark.parametrize("case", CALLS)
def test_the_numbers_are_those_of_the_command(case: str, shared: Path) -> None:
    """From the file everything is the same; from a frame, all but the data's fingerprint."""
    name, paths, options, keywords = CALLS[case]
    files = [shared / path for path in paths]
    expected = printed(name, files, options)
    function = getattr(jurat, name)
    assert rows_of(function(*files, **keywords, bootstrap=20)) == expected
    frames = [pd.read_csv(files[0]), *(pl.read_csv(file) for file in files[1:])]
    same = rows_of(function(*frames, **keywords, bootstrap=20))
    assert [without_data(row) for row in same] == [without_data(row) for row in expected]


def without_data(row: dict[str, Any]) -> dict[str, Any]:
    """A row without the fingerprint: columns that nothing uses are texts in a file."""
    return {**row, "signature": re.sub(r"\|(data|scores|order):\w+", "", row["signature"])}


def test_a_plan_is_that_of_the_command() -> None:
    told = ("--systems", "3", "--judges", "6", "--difference", "0.5", "--simulations", "100")
    results = jurat.plan(systems=3, judges=6, difference=0.5, simulations=100, bootstrap=20)
    assert rows_of(results) == printed("plan", [], told)


def test_scores_are_those_of_the_command(tmp_path: Path) -> None:
    texts = {
        "cedar": ["the cat sat on the mat", "it rains today", "we go home"],
        "birch": ["a cat is on a mat", "today it rains", "we went home"],
        "ref": ["the cat sat on a mat", "it is raining today", "we are going home"],
    }
    for name, lines in texts.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    files = [tmp_path / f"{name}.txt" for name in texts]
    told = ("--metric", "chrf,per", "--reference", str(files[2]))
    expected = printed("score", files[:2], told)
    scored = jurat.score(files[:2], reference=files[2], metric="chrf,per", bootstrap=20)
    assert rows_of(scored) == expected
    systems = {name: texts[name] for name in ("cedar", "birch")}
    own = jurat.score(
        systems, reference={"ref": texts["ref"]}, metric=["chrf", "per"], bootstrap=20
    )
    assert rows_of(own) == expected


def test_easy_items_are_those_of_the_command(tmp_path: Path) -> None:
    ratings, easy = tmp_path / "ratings.csv", tmp_path / "easy.csv"
    pl.DataFrame(
        [
            {"judge": j, "segment": n, "value": n % 3, "text": "a b" * n}
            for n in range(9)
            for j in "ab"
        ]
    ).write_csv(ratings)
    pl.DataFrame({"segment": [2, 5, 7]}).write_csv(easy)
    only = ("--statistic", "judge-easy-share", "--easy")
    for rule in (f"list={easy}", "length=4"):
        expected = printed("diagnose", [ratings], (*only, rule))
        assert [row["n"] for row in expected] == [3, 3], rule
        found = jurat.diagnose(ratings, statistics="judge-easy-share", easy=rule, bootstrap=20)
        assert rows_of(found) == expected, rule
    listed = jurat.diagnose(
        ratings, statistics="judge-easy-share", easy={"segment": [2, 5, 7]}, bootstrap=0
    )
    assert listed.frame()["n"].to_list() == [3, 3]
