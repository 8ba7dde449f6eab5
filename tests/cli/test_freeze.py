"""`jurat campaign freeze`, and what `jurat verify` finds in the archive elsewhere."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from tests.cli.run_command import jurat

PLANNED = ("--exclusions", "judges who fail the controls", "--analysis", "jurat systems")


@pytest.fixture(scope="module", name="folder")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign that was frozen and then judged, its archive, and its results."""
    folder = tmp_path_factory.mktemp("frozen")
    for arguments in (
        ("sample", "try"),
        ("campaign", "create", "try/campaign.yaml"),
        ("campaign", "freeze", "sample", *PLANNED, "--json"),
        ("judges", "add", "sample", "--count", "8", "--out", "slips.csv"),
        ("campaign", "start", "sample"),
        ("bots", "sample", "--judges", "8", "--seed", "1"),
        ("campaign", "archive", "sample", "sample.zip"),
        ("systems", "--campaign", "sample", "--bootstrap", "0", "--json"),
    ):
        ran = jurat(*arguments, cwd=folder, store=folder / "jurat.db")
        assert ran.returncode == 0, ran.stderr
        (folder / f"{arguments[0]}-{arguments[1].strip('-')}.json").write_text(ran.stdout)
    return folder


def test_elsewhere_everything_is_the_same(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # wide enough for the table's cells to stand in one line
    monkeypatch.setenv("COLUMNS", "200")
    frozen = json.loads((folder / "campaign-freeze.json").read_text())
    given = (str(folder / "sample.zip"), str(folder / "systems-campaign.json"))
    ran = jurat("verify", *given, "--hash", frozen["hash"], cwd=tmp_path, merged=True)
    assert ran.returncode == 0, ran.stdout
    assert f"hash {frozen['hash']}" in " ".join(ran.stdout.split())
    assert "judges who fail the controls" in ran.stdout
    assert "numbers are the same" in ran.stdout
    assert not list(tmp_path.iterdir())


def test_a_changed_byte_is_named_by_its_file(folder: Path, tmp_path: Path) -> None:
    changed = tmp_path / "changed.zip"
    with zipfile.ZipFile(folder / "sample.zip") as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, data.replace(b"cedar", b"cedaR", 1) if name[:5] == "items" else data)
    ran = jurat("verify", str(changed))
    assert ran.returncode == 1
    assert "items.jsonl" in ran.stdout
    assert "checksum differs" in ran.stdout


def test_another_hash_or_another_number_fails(folder: Path, tmp_path: Path) -> None:
    results = json.loads((folder / "systems-campaign.json").read_text())
    results["results"][0]["value"] += 0.001
    (tmp_path / "other.json").write_text(json.dumps(results))
    given = ("verify", str(folder / "sample.zip"))
    assert jurat(*given, "--hash", "0" * 64).returncode == 1
    ran = jurat(*given, str(tmp_path / "other.json"), "--json")
    assert ran.returncode == 1
    assert len(json.loads(ran.stdout)["results"]["other.json"]["differences"]) == 1


def test_a_second_plan_is_said_to_be_one(folder: Path, tmp_path: Path) -> None:
    # a copy, so that the plan of the others stays
    for file in folder.glob("jurat.db*"):
        shutil.copy(file, tmp_path)
    store = tmp_path / "jurat.db"
    refused = jurat("campaign", "freeze", "sample", store=store)
    assert refused.returncode == 2
    assert "--again records another plan" in " ".join(refused.stderr.split())
    ran = jurat("campaign", "freeze", "sample", "--again", store=store)
    assert "no plan made beforehand" in ran.stdout


def test_a_report_shows_what_was_planned(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    given = ("--campaign", "sample", "--bootstrap", "0", "--out", str(out))
    ran = jurat("report", *given, store=folder / "jurat.db")
    assert ran.returncode == 0, ran.stderr
    page = out.read_text("utf-8")
    assert "Planned and done" in page
    assert "judges who fail the controls" in page
