"""Over every command: help, an example in it, the example runs, and the documentation knows it."""

import json
import shlex
import shutil
from collections.abc import Iterator

import click
import pytest

from jurat.cli import jurat as commands
from tests import ROOT
from tests.cli.run_command import jurat
from tests.cli.server import served
from tests.docs_runner import blocks
from tests.model_judges.chat_server import Answer, chat_server


def every(group: click.Group, *path: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from every(command, *path, name)


COMMANDS = dict(every(commands))


def examples(command: click.Command) -> list[str]:
    lines = (command.help or "").splitlines()
    return [line.strip() for line in lines if line.strip().startswith("jurat ")]


PREPARED = (
    "sample try-out",
    "campaign create try-out/campaign.yaml",
    "judges add sample --count 8 --out first-slips.csv",
    "coordinators add Ada",
    "coordinators add Grace",
    "coordinators token add Ada weekly",
    "campaign start sample",
    "bots sample --judges 8",
    "campaign archive sample sample.zip",
    "backup all.zip",
)
MAKES = {
    "jurat sample": "try-out",
    "jurat campaign create": "jurat.db",
    "jurat campaign archive": "sample.zip",
    "jurat backup": "all.zip",
    "jurat export sample --out annotations.jsonl": "annotations.jsonl",
}
"""What must not be there yet when an example that makes it runs."""


FOREIGN = (
    "annotations.jsonl",
    "batches.json",
    "log.jsonl",
    "manifest.json",
    "pearmut-campaign.json",
    "review.xlf",
)
SERVING = ("demo", "serve")
"""Commands that go on until they are stopped."""


@pytest.fixture(scope="module")
def workshop(tmp_path_factory):
    """A folder with the files and the store that the examples speak of."""
    folder = tmp_path_factory.mktemp("workshop")
    for line in PREPARED:
        done = jurat(*line.split(), cwd=folder, store=folder / "jurat.db")
        assert done.returncode == 0, done.stderr
    mine = jurat("protocols", "show", "tapet-adequacy", "--yaml").stdout
    (folder / "my-protocol.yaml").write_text(mine)
    (folder / "ratings.csv").write_text("judge_id,doc,seg,mt,rating\n1,a,1,x,4\n2,a,1,x,5\n")
    asked = ("agreement", "ratings.csv", "--columns", "judge=judge_id,item=doc+seg+mt,value=rating")
    (folder / "results.json").write_text(jurat(*asked, "--json", cwd=folder).stdout)
    summed = ("agreement", "--campaign", "sample", "--json")
    of_campaign = jurat(*summed, cwd=folder, store=folder / "jurat.db").stdout
    (folder / "sample-results.json").write_text(of_campaign)
    tokens = jurat("coordinators", "token", "list", "--json", cwd=folder, store=folder / "jurat.db")
    (folder / "tokens.json").write_text(tokens.stdout)
    # files of other tools, as the page about them shows them
    page = (ROOT / "docs" / "formats.md").read_text("utf-8")
    for block in blocks(page):
        if block.file in FOREIGN:
            (folder / block.file).write_text(block.text, "utf-8")
    (folder / "features.csv").write_text("judge,segment,system,tense,voice,order\n1,1,x,4,NA,2\n")
    (folder / "scores.tsv").write_text("doc\tseg\tmt\tBLEU\na\t1\tx\t31.5\n")
    for name in ("ref", "cedar", "birch"):
        (folder / f"{name}.txt").write_text(f"a text\nof {name}\n")
    return folder


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_has_help_with_an_example_of_itself(path):
    command = COMMANDS[path]
    told = examples(command)
    assert command.help
    assert command.get_short_help_str(200).strip()
    assert any(example.startswith(" ".join(("jurat", *path))) for example in told)
    assert jurat(*path, "--help").returncode == 0


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_option_says_what_it_is_for(path):
    options = [p for p in COMMANDS[path].params if isinstance(p, click.Option)]
    assert [option.name for option in options if not option.help] == []


@pytest.mark.parametrize(
    "example", sorted({e for command in COMMANDS.values() for e in examples(command)})
)
def test_the_example_runs(example, workshop, tmp_path, request):
    folder = tmp_path / "run"
    shutil.copytree(workshop, folder)
    if example.startswith("jurat reproduce"):
        shutil.copytree(request.getfixturevalue("shared") / "tradopad", folder / "tradopad")
    for start, made in MAKES.items():
        if example.startswith(start):
            path = folder / made
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    pin = (folder / "first-slips.csv").read_text().splitlines()[1].split(",")[0]
    names = {"PIN": pin, "ID": json.loads((folder / "tokens.json").read_text())[0]["id"]}
    words = [names.get(word, word) for word in shlex.split(example)[1:]]
    if words[0] in SERVING:
        with served(*words, cwd=folder, store=folder / "jurat.db") as lines:
            assert "http://localhost:" in "".join(lines)
        return
    if words[0] == "model-judge":
        run_with_endpoint(words, folder)
        return
    done = jurat(*words, cwd=folder, store=folder / "jurat.db")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def run_with_endpoint(words, folder):
    """The example with the address of an endpoint that is there."""
    said = json.dumps({"adequacy": 4, "same-meaning": "yes", "preference": "a"})
    with chat_server(lambda _: Answer(said)) as server:
        told = [server.url if word.startswith("http://") else word for word in words]
        done = jurat(*told, cwd=folder, store=folder / "jurat.db")
    assert done.returncode == 0, done.stderr
    assert "20 answers by model judge" in done.stdout


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_the_documentation_shows_it(path):
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    shown = "\n".join(page.read_text("utf-8") for page in pages)
    assert " ".join(("jurat", *path)) in shown
