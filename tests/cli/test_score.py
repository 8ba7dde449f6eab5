"""`jurat score` as a user calls it: files in, scores, words and tables out."""

import json
import subprocess
import sys
from typing import Any

import pytest
import sacrebleu

from jurat.model import File
from jurat.tables import read_table
from jurat.tables.scores import scores
from tests.cli.run_command import jurat

REFERENCE = ["The dog bit the man.", "It was not unexpected.", "The man bit him first."] * 8
OTHER = ["The dog had bit the man.", "No one was surprised.", ""] * 8
CEDAR = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."] * 8
BIRCH = ["Dog man bit.", "It was expected.", ""] * 8


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {"ref": REFERENCE, "other": OTHER, "cedar": CEDAR, "birch": BIRCH}
    for name, lines in files.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    documents = "".join(f"d{n // 6}\n" for n in range(24))
    (tmp_path / "documents.txt").write_text(documents)
    assert jurat("sample", "try-out").returncode == 0
    return tmp_path


def score(*arguments):
    """The rows that the command prints with --json."""
    done = jurat("score", *arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)["results"]


def value(rows, name="metric-score", **by):
    (row,) = [r for r in rows if r["name"] == name and by.items() <= r["by"].items()]
    return row["value"]


class TestScores:
    def test_are_those_of_sacrebleu(self):
        rows = score(
            "--metric", "bleu,chrf,ter", "--reference", "ref.txt", "cedar.txt", "birch.txt"
        )
        for system, texts in (("cedar", CEDAR), ("birch", BIRCH)):
            theirs = {
                "bleu": sacrebleu.corpus_bleu(texts, [REFERENCE]).score,
                "chrf": sacrebleu.corpus_chrf(texts, [REFERENCE]).score,
                "ter": sacrebleu.corpus_ter(texts, [REFERENCE]).score,
            }
            for metric, wanted in theirs.items():
                found = value(rows, metric=metric, system=system, reference="ref", level="corpus")
                assert found == pytest.approx(wanted, abs=1e-9)

    def test_against_several_references_where_an_empty_line_is_none(self):
        rows = score("--metric", "bleu", "--reference", "ref.txt", "--reference", "other.txt",
                     "cedar.txt")  # fmt: skip
        none: list[Any] = [line or None for line in OTHER]
        wanted = sacrebleu.corpus_bleu(CEDAR, [REFERENCE, none]).score
        assert value(rows, reference="ref+other") == pytest.approx(wanted, abs=1e-9)
        assert "nrefs:var" in rows[0]["signature"]

    def test_against_each_reference_apart(self):
        given = ("--reference", "ref.txt", "--reference", "cedar.txt", "--each-reference")
        rows = score("--metric", "bleu", *given, "cedar.txt", "birch.txt")
        assert value(rows, reference="cedar", system="cedar") == pytest.approx(100)
        assert value(rows, reference="ref", system="cedar") < 100
        tags = {row["tags"]["reference"] for row in rows if row["name"] == "metric-p"}
        assert tags == {"ref", "cedar"}

    def test_of_segments(self):
        rows = score(
            "--metric", "bleu", "--reference", "ref.txt", "cedar.txt", "--level", "segment"
        )
        wanted = [
            sacrebleu.sentence_bleu(h, [r]).score for h, r in zip(CEDAR, REFERENCE, strict=True)
        ]
        assert [row["by"]["segment"] for row in rows] == list(range(1, 25))
        assert [row["value"] for row in rows] == pytest.approx(wanted, abs=1e-9)

    def test_segments_with_ids_of_their_own(self, folder):
        pairs = enumerate(zip(CEDAR, REFERENCE, strict=True))
        rows = "".join(f"s{n}\tnews\t{one}\t{two}\n" for n, (one, two) in pairs)
        (folder / "own.tsv").write_text(f"segment\tdomain\tcedar\tref\n{rows}")
        given = ("--metric", "bleu", "--reference", "own.tsv:ref", "own.tsv:cedar")
        found = score(*given, "--level", "segment")
        assert jurat("score", *given, "--out", "out.csv").returncode == 0
        assert [row["by"]["segment"] for row in found[:2]] == ["s0", "s1"]
        assert found[0]["tags"] == {"id": "s0", "domain": "news"}
        assert (folder / "out.csv").read_text().splitlines()[1].startswith("s0,cedar,ref,bleu,")

    def test_of_documents(self):
        given = ("--reference", "ref.txt", "cedar.txt", "--level", "document")
        rows = score("--metric", "bleu", *given, "--documents", "documents.txt")
        assert [(row["by"]["document"], row["tags"]["id"], row["n"]) for row in rows] == [
            (1, "d0", 6), (2, "d1", 6), (3, "d2", 6), (4, "d3", 6)]  # fmt: skip
        wanted = sacrebleu.corpus_bleu(CEDAR[:6], [REFERENCE[:6]]).score
        assert rows[0]["value"] == pytest.approx(wanted, abs=1e-9)

    def test_of_a_test_set_with_its_own_references_and_documents(self):
        rows = score("--metric", "bleu", "try-out/testset.jsonl", "--level", "document")
        assert {row["by"]["reference"] for row in rows} == {"A+B"}
        assert {row["by"]["system"] for row in rows} >= {"cedar", "birch"}

    def test_metrics_by_default(self):
        rows = score("--reference", "ref.txt", "cedar.txt")
        assert {row["by"]["metric"] for row in rows} == {"bleu", "chrf"}

    def test_the_same_metric_twice(self):
        given = ("--metric", "bleu,bleu:lowercase=true", "--reference", "ref.txt", "cedar.txt")
        assert {row["by"]["metric"] for row in score(*given)} == {"bleu", "bleu:lowercase=true"}


class TestComparisons:
    def test_every_two_systems(self):
        given = ("--metric", "bleu", "--reference", "ref.txt", "cedar.txt", "birch.txt")
        rows = score(*given)
        there = value(rows, "metric-p", system_a="cedar", system_b="birch", metric="bleu")
        assert there == value(rows, "metric-p", system_a="birch", system_b="cedar") < 0.05
        apart = value(rows, "metric-difference", system_a="cedar", system_b="birch")
        assert apart == pytest.approx(value(rows, system="cedar") - value(rows, system="birch"))

    @pytest.mark.parametrize("test", ["bootstrap", "randomisation", "sacrebleu-bootstrap"])
    def test_other_tests(self, test):
        given = ("--metric", "bleu", "--reference", "ref.txt", "cedar.txt", "birch.txt")
        rows = score(*given, "--test", test)
        assert rows == score(*given, "--method", test)
        p = next(row for row in rows if row["name"] == "metric-p")
        assert f"test:{test}" in p["signature"]
        assert p["value"] < 0.05

    def test_one_system_has_none(self):
        rows = score("--metric", "bleu", "--reference", "ref.txt", "cedar.txt")
        assert {row["name"] for row in rows} == {"metric-score"}

    def test_the_same_seed_the_same_numbers(self):
        given = ("--metric", "bleu", "--reference", "ref.txt", "cedar.txt", "birch.txt")
        assert score(*given) == score(*given, "--jobs", "2") == score(*given, "--seed", "1")
        assert score(*given) != score(*given, "--seed", "2")

    def test_documents_may_be_drawn(self):
        given = ("--metric", "bleu", "--reference", "ref.txt", "cedar.txt", "birch.txt")
        rows = score(*given, "--documents", "documents.txt", "--draw", "documents")
        assert "4 documents" in rows[-1]["method"]
        assert "draw:documents" in rows[-1]["signature"]


class TestWords:
    def test_the_finding_comes_first(self):
        done = jurat(
            "score", "--metric", "bleu", "--reference", "ref.txt", "birch.txt", "cedar.txt"
        )
        first = done.stdout.splitlines()[0]
        assert first.startswith("BLEU against ref: cedar is ahead of birch by ")
        assert first.endswith("(p < 0.001).")

    def test_an_empty_reference_is_told(self):
        done = jurat("score", "--metric", "bleu", "--reference", "other.txt", "cedar.txt")
        assert done.returncode == 0
        assert done.stderr == ("other: 8 segments have an empty reference: 3, 6, 9, 12, 15, …\n")

    def test_help_lists_the_metrics_without_compiling_any(self):
        code = (
            "import sys, contextlib, io\n"
            "from jurat.cli import main\n"
            "out = io.StringIO()\n"
            "with contextlib.suppress(SystemExit), contextlib.redirect_stdout(out):\n"
            "    main(['score', '--help'])\n"
            "print([n for n in ('numba', 'scipy', 'polars') if n in sys.modules])\n"
            "print(out.getvalue())"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        first, *rest = done.stdout.splitlines()
        assert first == "[]"
        listed = [line.split()[0] for line in rest[rest.index("Metrics:") + 1 :] if line.strip()]
        assert {"bleu", "chrf", "ter", "gtm"} <= set(listed)

    def test_plain_files_need_no_tables(self):
        """What reads tables takes a good part of the time that it takes to start."""
        code = (
            "import sys, contextlib\n"
            "from jurat.cli import main\n"
            "with contextlib.suppress(SystemExit):\n"
            "    main(['score', '--metric', 'bleu', '--reference', 'ref.txt', 'cedar.txt'])\n"
            "print([n for n in ('polars', 'joblib') if n in sys.modules])"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        assert done.stdout.startswith("BLEU: cedar scores ")
        assert done.stdout.splitlines()[-1] == "[]"


class TestFiles:
    def test_a_table_of_scores_for_others(self, folder):
        given = ("--metric", "bleu,ter", "--reference", "ref.txt", "cedar.txt", "birch.txt")
        done = jurat("score", *given, "--out", "scores.tsv")
        assert done.stderr == "scores.tsv: 100 rows\n"
        table = scores(read_table(File("scores.tsv", (folder / "scores.tsv").read_bytes())))
        assert set(table["metric"]) == {"bleu", "ter"}
        rows = score(*given)
        whole = table.filter(table["segment"].is_null() & (table["metric"] == "bleu"))
        assert whole["value"].to_list() == [
            value(rows, metric="bleu", system=name) for name in ("cedar", "birch")
        ]

    def test_a_table_that_is_there_is_kept(self, folder):
        (folder / "scores.tsv").write_text("mine")
        given = ("--metric", "bleu", "--reference", "ref.txt", "cedar.txt", "--out", "scores.tsv")
        assert "--force" in jurat("score", *given).stderr
        assert (folder / "scores.tsv").read_text() == "mine"
        assert jurat("score", *given, "--force").returncode == 0

    def test_json_stays_json_beside_a_table(self):
        given = ("--metric", "bleu", "--reference", "ref.txt", "cedar.txt", "--out", "scores.csv")
        done = jurat("score", *given, "--json")
        assert json.loads(done.stdout)["results"]
        assert done.stderr == "scores.csv: 25 rows\n"

    @pytest.mark.parametrize("form", ["--csv", "--latex"])
    def test_other_forms(self, form):
        done = jurat("score", "--metric", "bleu", "--reference", "ref.txt", "cedar.txt", form)
        assert "metric-score" in done.stdout

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ([], "Give at least one SYS"),
            (["cedar.txt"], "no reference is given; use --reference"),
            (["cedar.txt", "--reference", "documents.tx"], "documents.tx: there is no such file"),
            (["cedar.txt", "--reference", "ref.txt", "--metric", "blue"], "did you mean 'bleu'"),
            (["cedar.txt", "--reference", "ref.txt", "--metric", "bleu:tok=13a"], "tokenize"),
            (["cedar.txt", "--reference", "ref.txt", "--level", "document"], "--documents FILE"),
            (["cedar.txt", "--reference", "ref.txt", "--draw", "documents"], "--documents FILE"),
            (["cedar.txt", "--reference", "ref.txt", "--out", "scores.xyz"], "kind of file"),
            (["try-out/testset.jsonl", "--reference", "C"], "unknown reference 'C'; allowed: A, B"),
        ],
    )
    def test_mistakes_are_told_in_words(self, arguments, words):
        done = jurat("score", *arguments)
        assert done.returncode == 2
        assert words in done.stderr
        assert done.stderr.startswith("jurat: ")
        assert "Traceback" not in done.stderr
