"""Analyses of other tools' files, without an option."""

import json
from pathlib import Path

import pytest

from tests.cli.run_command import jurat

FILES = {
    "pearmut/annotations.jsonl": 2,
    "appraise/esa.scores.csv": 13,
    "appraise/mqm.scores.csv": 13,
    "mqm/mqm_ted_ende.tsv": 14,
}


@pytest.mark.parametrize(("name", "systems"), FILES.items())
def test_systems_of_a_foreign_file(shared: Path, name: str, systems: int) -> None:
    done = jurat(
        "systems", str(shared / "foreign" / name), "--bootstrap", "0", "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)["results"]
    scored = {r["by"]["system"] for r in results if r["name"] == "system-score"}
    assert len(scored) == systems


def test_agreement_of_a_campaign_with_spans(shared: Path) -> None:
    done = jurat("agreement", str(shared / "foreign" / "pearmut"), "--json")
    results = {result["name"]: result for result in json.loads(done.stdout)["results"]}
    assert results["kway-agreement"]["n"] == 12
    assert results["span-f1"]["value"] > 0


RANKING = """srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,\
system2Number,system2Id,rank
cs,en,1,-1,1,j1,1,A,2,B,1
cs,en,2,-1,2,j1,1,A,2,B,2
"""


def test_rankings(tmp_path: Path) -> None:
    (tmp_path / "wmt.csv").write_text(RANKING)
    assert jurat("preferences", "wmt.csv", cwd=tmp_path).returncode == 0
    refused = jurat("agreement", "wmt.csv", cwd=tmp_path)
    assert refused.returncode == 2
    assert "the input has no judgments or spans, but rankings, preferences" in refused.stderr


def test_read_as(tmp_path: Path) -> None:
    (tmp_path / "wmt.csv").write_text(RANKING)
    table = jurat("convert", "wmt.csv", "x.csv", "--read-as", "table", cwd=tmp_path)
    assert "no column is surely the judgments" in table.stderr
    unknown = jurat("convert", "wmt.csv", "x.csv", "--read-as", "pearmutt", cwd=tmp_path)
    assert "did you mean 'pearmut'?" in unknown.stderr
