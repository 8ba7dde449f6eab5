"""The command line as a whole: help, mistakes, exit codes, and how quickly it is there."""

import subprocess
import sys
from pathlib import Path

import click
import pytest

from jurat import cli
from tests.cli.run_command import jurat

BIN = Path(sys.executable).parent
HEAVY = ("polars", "numpy", "rich", "yaml", "joblib", "scipy", "sqlalchemy", "argon2", "numba")


def installed(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the installed command in a process of its own, as a user would."""
    command = [str(BIN / "jurat"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


def test_without_arguments_it_says_what_it_can_do():
    done = installed()
    assert done.returncode == 0
    for name in (
        "campaign",
        "convert",
        "demo",
        "doctor",
        "export",
        "protocols",
        "sample",
        "testset",
    ):
        assert f"\n  {name} " in done.stdout


def test_help_loads_no_heavy_library():
    code = (
        "import sys, contextlib, io\n"
        "from jurat.cli import main\n"
        "with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):\n"
        "    main(['--help'])\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_version():
    from jurat import __version__

    assert installed("--version").stdout.strip() == f"jurat, version {__version__}"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["protocls"], "did you mean 'protocols'?"),
        (["protocols", "lst"], "lst"),
        (["protocols", "show", "tapet-adequacyy"], "did you mean 'tapet-adequacy'?"),
        (["protocols", "list", "--jsn"], "--json"),
        (["protocols", "check", "nowhere.yaml"], "nowhere.yaml: there is no such file"),
        (["protocols", "show"], "NAME"),
        (["testset", "check", "nowhere.tsv"], "nowhere.tsv: there is no such file"),
        (["sample"], "DIR"),
    ],
)
def test_a_mistake_is_two_plain_lines_and_status_2(arguments, words, tmp_path):
    done = jurat(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("jurat: ")
    assert len(done.stderr.splitlines()) <= 2
    assert "Traceback" not in done.stderr


def test_a_reader_of_the_pipe_may_leave_early():
    command = f"{BIN / 'jurat'} protocols show heval | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout.strip()
    assert done.stderr == ""


def test_an_outside_package_brings_a_command(tmp_path):
    (tmp_path / "hello.py").write_text(
        "import click\n@click.command()\ndef command():\n    click.echo('hello')\n"
    )
    folder = tmp_path / "hello-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: hello\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text("[jurat.cli]\nhello = hello:command\n")
    environment = {"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"}
    run = [sys.executable, "-m", "jurat", "hello"]
    done = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "hello\n"


def test_a_broken_outside_command_spoils_no_other(tmp_path):
    folder = tmp_path / "bad-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: bad\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text("[jurat.cli]\nbad = nowhere:command\n")
    environment = {"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"}
    for arguments, status in ((["--help"], 0), (["bad"], 2)):
        run = [sys.executable, "-m", "jurat", *arguments]
        done = subprocess.run(run, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == status
        assert "Traceback" not in done.stderr
        assert "'bad' (nowhere:command) cannot be loaded" in done.stdout + done.stderr


def test_tables_in_a_pipe_keep_whole_words(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    told = jurat("protocols", "list").stdout.splitlines()
    assert len(told) > 20
    assert max(map(len, told)) > 120
    assert not any(line.endswith(" ") or "…" in line for line in told)


def test_the_list_of_commands_shows_each_ones_own_help():
    context = click.Context(cli.jurat)
    for name in cli.jurat.list_commands(context):
        command = cli.jurat.get_command(context, name)
        assert command is not None
        assert command.name == name
        assert cli.jurat._summary(context, name, 60) == command.get_short_help_str(60)
