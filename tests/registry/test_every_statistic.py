"""Over every statistic: it says what it is, survives any table, and draws what it found."""

import json
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import vl_convert

from jurat import stats
from jurat.cli._common import analysis
from jurat.results import Result
from jurat.stats import statistics
from tests import ROOT
from tests.cli.run_command import jurat

FOLDERS = [module.name for module in pkgutil.iter_modules(stats.__path__) if module.ispkg]
STATISTICS = [kind for folder in FOLDERS for kind in statistics(folder)]
COMMANDS = {
    "agreement": (),
    "diagnose": (),
    "systems": (),
    "preferences": (),
    "time": (),
    "heval": (),
    "bias": ("--group", "group"),
    "fatigue": (),
    "metaeval": ("--metrics", "seconds"),
    "model-agreement": (),
    "suggestions": (),
}
TWICE = ("metaeval",)
"""Commands that read two tables, which here are the same."""

HEAD = "judge,item,segment,document,system,group,value,seconds,position"
STRANGE = {
    "one row": ["a,1,1,d,A,x,3,5,1"],
    "one judge": ["a,1,1,d,A,x,3,5,1", "a,2,2,d,A,x,4,6,2", "a,1,1,d,A,x,3,5,3"],
    "one category": ["a,1,1,d,A,x,3,5,1", "b,1,1,d,A,y,3,5,1", "a,2,2,d,B,x,3,5,2"],
    "no overlap": ["a,1,1,d,A,x,3,5,1", "b,2,2,d,B,y,4,5,1", "c,3,3,d,A,x,1,5,1"],
    "letters": ["a,1,1,d,A,x,C,5,1", "b,1,1,d,A,y,A,5,1", "a,2,1,d,B,x,B,5,2", "b,2,1,d,B,y,B,5,2"],
    "only not applicable": ["a,1,1,d,A,x,NA,5,1", "b,1,1,d,A,y,NA,5,1"],
    "some not applicable": ["a,1,1,d,A,x,NA,5,1", "b,1,1,d,A,y,2,5,1", "a,2,1,d,B,x,3,5,2"],
    "nothing known but values": [",1,,,,,3,,", ",1,,,,,4,,", ",2,,,,,3,,"],
    "negative and broken": ["a,1,1,d,A,x,-0.5,0,1", "b,1,1,d,A,y,-25.25,0,1", "b,2,1,d,B,y,0,0,2"],
    "huge": ["a,1,1,d,A,x,1e300,1e9,1", "b,1,1,d,A,y,-1e300,0,1", "b,2,1,d,B,y,0,0,2"],
    "names of every script": ["判,٣,१,ד,Ω,×,3,5,1", "и,٣,१,ד,Ω,÷,4,5,1", "и,٤,२,ד,Ψ,÷,4,5,2"],
    "all tied": [f"{j},{i}{s},{i},d,{s},{j},5,9,{i}" for j in "ab" for i in "12" for s in "AB"],
    "two judges": [f"{j},{i}{s},{i},d,{s},{j},{(int(i) * 3 + ord(s) + ord(j)) % 5},9,{i}"
                   for j in "ab" for i in "12345" for s in "AB"],
    "fifty judges": [f"j{j},{i}{s},{i},d{i},{s},g{j % 2},{(i * 3 + ord(s) + j) % 7},{9 + i},{i}"
                     for j in range(50) for i in range(6) for s in "AB"],
}  # fmt: skip


FITTING = {
    "preferences": [
        "judge,item,system_a,system_b,outcome,position",
        *(f"j{j},{i},{'AB'[i % 2]},C,{'ab'[(i + j) % 2] if i % 3 else 'tie'},{i}"
          for j in range(5) for i in range(20)),
    ],
    "heval": [
        "judge,document,segment,system,gender,tense,overall",
        *(f"j{j},d{i % 4},{i},{s},{(i + j) % 5},{(i * j) % 5 if i % 3 else 'NA'},{(i + ord(s)) % 5}"
          for j in range(3) for i in range(12) for s in "AB"),
    ],
    "metaeval": [
        "judge,segment,system,value,bleu,ter",
        *(f"j{j},{i},{s},{(i * 3 + ord(s) + j) % 7},{(i * 5 + ord(s)) % 11},{(i + ord(s)) % 9 / 9}"
          for j in range(3) for i in range(12) for s in "ABCD"),
    ],
    "suggestions": [
        "judge,document,segment,system,value,suggested",
        *(f"j{j},d{i},{i},{s},{(i * 3 + ord(s) + j) % 7},{'true' if i % 2 else 'false'}"
          for j in range(3) for i in range(12) for s in "AB"),
    ],
    "model-agreement": [
        "judge,judge_kind,document,segment,system,value",
        *(f"j{j},{'model' if j == 3 else 'person'},d{i},{i},{s},{(i * 3 + ord(s) + j) % 7}"
          for j in range(4) for i in range(12) for s in "AB"),
    ],
}  # fmt: skip
"""For commands that can do little with the table of the others."""
WIDE = {
    "heval": ("--questions", "gender,tense,overall"),
    "metaeval": ("--metrics", "bleu,ter", "--permutations", "20"),
}


@pytest.fixture
def fitting(tmp_path):
    """The words of a command that has something to say, on a file made for it."""

    def arguments(command: str) -> list[str]:
        file = tmp_path / "some.csv"
        rows = FITTING.get(command, [HEAD, *STRANGE["fifty judges"]])
        file.write_text("\n".join(rows), encoding="utf-8")
        told = WIDE.get(command, COMMANDS[command])
        return [command, *files(command, file), *told, "--bootstrap", "20"]

    return arguments


def files(command: str, file: Path) -> list[str]:
    """What a command reads."""
    return [str(file)] * (2 if command in TWICE else 1)


@pytest.mark.parametrize("kind", STATISTICS, ids=lambda kind: kind.name)
def test_says_what_it_is(kind):
    assert kind.gives
    assert kind.asks.endswith("?")
    assert kind.formula
    assert kind.source
    assert kind.__doc__


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_name_is_given_twice(folder):
    names = [kind.name for kind in statistics(folder)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("kind", STATISTICS, ids=lambda kind: kind.name)
def test_the_documentation_lists_what_it_gives(kind):
    pages = "\n".join(page.read_text("utf-8") for page in (ROOT / "docs").glob("*.md"))
    assert [name for name in kind.gives if f"`{name}`" not in pages] == []


@pytest.mark.parametrize("table", STRANGE)
@pytest.mark.parametrize("command", COMMANDS)
def test_survives(command, table, tmp_path):
    file = tmp_path / "strange.csv"
    file.write_text("\n".join([HEAD, *STRANGE[table]]), encoding="utf-8")
    told = (*files(command, file), *COMMANDS[command], "--bootstrap", "20", "--json")
    done = jurat(command, *told)
    assert "Traceback" not in done.stderr
    if done.returncode:
        assert done.returncode == 2
        assert done.stderr.startswith("jurat: ")
    else:
        rows = json.loads(done.stdout)["results"]
        assert rows
        assert [row for row in rows if row["value"] is None and not row.get("reason")] == []
        assert [row for row in rows if row["n"] < 0 or "method" not in row] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_is_read_by_people_too(command, fitting):
    done = jurat(*fitting(command))
    notes = [line for line in done.stderr.splitlines() if "answers of model judges" not in line]
    assert (done.returncode, notes) == (0, [])
    assert "nan" not in done.stdout.lower().split()
    told = done.stdout.splitlines()
    # it fits on a screen, and says what to look at next
    assert len(told) <= 40
    assert max(map(len, told)) <= 100
    assert "More: --statistic NAME" in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_its_figures_can_be_drawn(command, fitting, monkeypatch):
    """Vega-Lite understands them, and every field that they speak of is among their data."""
    found: list[Result] = []
    monkeypatch.setattr(analysis, "print_results", lambda results, *_, **__: found.extend(results))
    jurat(*fitting(command), "--full")
    drawn = {result.name: figure for result in found if (figure := result.figure())}
    assert drawn
    for name, figure in drawn.items():
        vl_convert.vegalite_to_vega(json.dumps(figure))
        assert unknown_fields(figure) == set(), name


def unknown_fields(figure: Any) -> set[str]:
    """Fields that a figure speaks of and no row of its data has."""
    known = {key for row in figure["data"]["values"] for key in row}
    made = {transform.get("as") for transform in figure.get("transform", ())}
    spoken = {
        channel["field"]
        for part in specifications(figure)
        for channel in part["encoding"].values()
        if isinstance(channel, dict) and "field" in channel
    }
    return {str(field) for field in spoken} - known - {str(name) for name in made}


def specifications(figure: object) -> Iterator[dict[str, Any]]:
    """Every part of a figure that encodes fields."""
    if isinstance(figure, dict):
        if "encoding" in figure:
            yield figure
        for part in figure.values():
            yield from specifications(part)
    elif isinstance(figure, list):
        for part in figure:
            yield from specifications(part)
