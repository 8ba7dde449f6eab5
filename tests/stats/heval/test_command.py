import json

import pytest

from tests.cli.run_command import jurat
from tests.stats.heval.tables import SMALL


@pytest.fixture
def folder(tmp_path):
    lines = (line.strip() for line in SMALL.splitlines())
    (tmp_path / "small.csv").write_text("\n".join(lines))
    return tmp_path


def heval(folder, *options):
    done = jurat("heval", "small.csv", "--questions", "tense,voice", *options, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["results"]


def test_every_name_of_the_contract(folder):
    found = {row["name"] for row in heval(folder)}
    assert {"heval-score", "heval-feature", "system-best", "best-agreement"} <= found
    assert "heval-correlation" not in found
    assert "heval-correlation" in {row["name"] for row in heval(folder, "--with", "voice")}


def test_keys(folder):
    rows = heval(folder, "--level", "segment", "--by", "construct")
    first = next(row for row in rows if row["name"] == "heval-score" and "judge" in row["by"])
    assert set(first["by"]) == {"question", "judge", "system", "document", "segment"}
    assert set(first["tags"]) == {"construct"}


def test_choices_stand_in_the_signature(folder):
    rows = heval(folder, "--average", "documents", "--only", "X,Y", "--exclude", "b")
    scored = next(row for row in rows if row["name"] == "heval-score")
    assert "average:documents" in scored["signature"]
    assert "excluded:b" in scored["signature"]
    assert "only:X+Y" in next(r for r in rows if r["name"] == "system-best")["signature"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--with", "fluency"), "unknown question 'fluency'"),
        (("--features", "tens"), "did you mean 'tense'?"),
        (("--only", "Z"), "unknown system 'Z'"),
        (("--method", "mean"), "unknown method 'mean'"),
    ],
)
def test_mistakes(folder, options, message):
    done = jurat("heval", "small.csv", "--questions", "tense,voice", *options, cwd=folder)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr
