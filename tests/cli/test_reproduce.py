"""`jurat reproduce`: published numbers of a study beside Jurat's."""

import json
from pathlib import Path

import pytest

from jurat.cli._studies import STUDIES
from tests.cli.run_command import jurat
from tests.oracles.golden import DATASETS

GOLDEN = "id,statistic,published,recomputed,tolerance,kind,source\n"
SUN = (
    "SUN-T2-GTM,share of pairs,61.02,61.0197,0.005,published,Sun 2010\n"
    "SUN-T2-TER,share of pairs,47.57,47.5661,0.005,published,Sun 2010\n"
)


def folder(tmp_path: Path, rows: str) -> str:
    (tmp_path / "golden.csv").write_text(GOLDEN + rows, encoding="utf-8")
    return str(tmp_path)


def test_published_and_recomputed_stand_beside_each_other(tmp_path: Path) -> None:
    wrong = "SUN-T2-BLEU,share of pairs,42.17,42.1671,0.005,published,Sun 2010\n"
    done = jurat("reproduce", "sun2010", "--data", folder(tmp_path, SUN + wrong))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[1].split() == ["number", "published", "recomputed", "difference"]
    assert lines[2].split()[-3:] == ["61.02", "61.0197", "-0.00026"]
    assert lines[-1].startswith("2 of 3 numbers come out within their tolerance.")
    assert lines[-1].endswith("Not the same: SUN-T2-BLEU.")


def test_a_made_up_panel_is_called_so(tmp_path: Path) -> None:
    rows = 'HAMON-T2-flu,"kappa from Po=.331, Pe=.209",0.155,0.154,0.001,published,Hamon\n'
    done = jurat("reproduce", "hamon2008", "--data", folder(tmp_path, rows), "--json")
    found = json.loads(done.stdout)
    assert found["apart"] == []
    assert [row["published"].endswith("(by hand)") for row in found["rows"]] == [False, *[True] * 4]
    assert all("made up" in row["number"] for row in found["rows"][1:])


def test_another_folder_is_refused(tmp_path: Path) -> None:
    done = jurat("reproduce", "sun2010", "--data", folder(tmp_path, ""))
    assert "is this the folder heval_tables?" in done.stderr
    assert "no such folder" in jurat("reproduce", "wmt16", "--data", "nowhere").stderr


def test_a_study_without_judgments_has_a_report_of_its_printed_numbers(tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    bleu = "SUN-T2-BLEU,share of pairs,41.17,41.1671,0.005,published,Sun 2010\n"
    done = jurat("reproduce", "sun2010", "--data", folder(tmp_path, SUN + bleu), "--out", str(out))
    assert done.returncode == 0, done.stderr
    page = out.read_text("utf-8")
    assert "No judgments of this study are published." in page
    assert "61.0197" in page


def test_every_study_belongs_to_a_data_set_of_the_tests() -> None:
    assert {study.dataset for study in STUDIES.values()} <= {*DATASETS}


@pytest.mark.parametrize("name", ["heval2013"])
def test_the_report_of_a_study_is_written(shared: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / "report.html"
    data = shared / STUDIES[name].dataset
    done = jurat("reproduce", name, "--data", str(data), "--out", str(out))
    assert done.returncode == 0, done.stderr
    page = out.read_text("utf-8")
    assert STUDIES[name].title in page
    assert "numbers come out within their tolerance" in page
    assert "does not follow from the data" in page
    assert 'id="heval-heval-feature"' in page
    assert "gender-number" in page
