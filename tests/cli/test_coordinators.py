"""`jurat coordinators`: the passwords are shown once, the last one is not kept out."""

import json
import re

import pytest

from tests.cli.run_command import jurat


@pytest.fixture
def run(tmp_path):
    return lambda *words: jurat("coordinators", *words, cwd=tmp_path, store=tmp_path / "jurat.db")


def password(output: str, name: str) -> str:
    found = re.search(rf"^{name}\s+([2-9a-z]{{10}})$", output, re.MULTILINE)
    assert found, output
    return found[1]


def test_from_the_first_to_the_last(run, tmp_path):
    first = run("add", "Ada Lovelace")
    assert first.returncode == 0, first.stderr
    assert (tmp_path / "jurat.db").exists()
    second = run("add", "Grace")
    reset = run("reset", "ada lovelace")
    secrets = {
        password(first.stdout, "Ada Lovelace"),
        password(second.stdout, "Grace"),
        password(reset.stdout, "Ada Lovelace"),
    }
    assert len(secrets) == 3
    assert run("disable", "Grace").stdout == "Grace: disabled\n"
    listed = run("list").stdout
    assert re.search(r"^Grace\s.*never\s+disabled$", listed, re.MULTILINE)
    rows = json.loads(run("list", "--json").stdout)
    assert [(row["name"], row["disabled"]) for row in rows] == [
        ("Ada Lovelace", False),
        ("Grace", True),
    ]
    last = run("disable", "Ada Lovelace")
    assert last.returncode == 2
    assert "the only coordinator with access" in last.stderr
    assert run("disable", "Grace", "--enable").stdout == "Grace: enabled\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("add", "ada"), "there is a coordinator 'ada' already"),
        (("add", " "), "a name has 1 to 100 characters"),
        (("reset", "Adda"), "did you mean 'Ada'?"),
        (("disable", "nobody"), "unknown coordinator 'nobody'"),
    ],
)
def test_mistakes(run, words, message):
    run("add", "Ada")
    done = run(*words)
    assert done.returncode == 2
    assert message in done.stderr
