"""Everything can be taken away: tables, plan, archive."""

import io
import zipfile
from pathlib import Path

import polars as pl
import pytest

from jurat.campaigns import Service, export_files
from jurat.formats import read_judgments
from jurat.model import File
from jurat.store import Store
from jurat.tables import TABLES, read_table
from jurat.web.coordinator.export import as_file
from tests.campaigns.sample_campaigns import NAME, fetching
from tests.web.website import Visitor, Website, words


@pytest.fixture
def judged(site: Website, boss: Visitor) -> Visitor:
    judges = site.setting.judges(3)
    site.setting.start()
    site.setting.all_kits(judges[0].id, 0.5)
    return boss


def unzipped(data: bytes) -> dict[str, bytes]:
    """The files of a zip, by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_judgments(site: Website, judged: Visitor, kind):
    told = judged.get(f"desk/export/judgments/{kind}")
    assert told.headers["content-disposition"] == f'attachment; filename="{NAME}.{kind}.zip"'
    with zipfile.ZipFile(io.BytesIO(told.content)) as packed:
        assert f"judgments.{kind}" in packed.namelist()
        data = packed.read(f"judgments.{kind}")
    found = read_table(File(f"judgments.{kind}", data))
    assert found.height == site.service.campaigns.tables(NAME)["judgments"].height > 0


def test_those_of_large_campaigns_come_from_a_process_that_ends(
    site: Website, judged: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = ("judgments/csv", "archive", "judgments/wmt-ranking")
    small = [judged.get(f"desk/export/{page}") for page in pages]
    monkeypatch.setattr(export_files, "SMALL", -1)
    large = [judged.get(f"desk/export/{page}") for page in pages]
    assert [one.status_code for one in (*small, *large)] == [200, 200, 422] * 2
    assert int(large[1].headers["content-length"]) == len(large[1].content)
    tables = [unzipped(one.content)["judgments.csv"] for one in (small[0], large[0])]
    assert tables[0] == tables[1]
    assert unzipped(small[1].content).keys() == unzipped(large[1].content).keys()
    site.service.exports.close()


def test_the_page_names_every_table(judged: Visitor) -> None:
    said = words(judged.get("desk/export").text)
    called = {"spans": "error spans", "flags": "flagged items"}
    # scores come from scripts, never from a campaign
    missing = [t for t in TABLES if t != "scores" and called.get(t, t) not in said]
    assert missing == []


@pytest.mark.parametrize("name", ["pearmut", "appraise", "google-mqm"])
def test_judgments_for_other_tools(site: Website, judged: Visitor, name: str) -> None:
    told = judged.get(f"desk/export/judgments/{name}")
    assert told.headers["content-disposition"] == f'attachment; filename="{NAME}.{name}.zip"'
    with zipfile.ZipFile(io.BytesIO(told.content)) as packed:
        members = [n for n in packed.namelist() if n != "notes.txt"]
        files = [File(member, packed.read(member)) for member in members]
    found = read_judgments(files).tables
    there = site.service.campaigns.tables(NAME)["judgments"]
    assert found["judgments"].height == there.filter(pl.col("phase") == "evaluation").height > 0
    assert found["translations"]["translation"].null_count() == 0


def test_a_format_that_holds_nothing_of_it(judged: Visitor) -> None:
    told = judged.get("desk/export/judgments/wmt-ranking")
    assert told.status_code == 422


def test_the_archive_opens_elsewhere(judged: Visitor, tmp_path):
    told = judged.get("desk/export/archive")
    with Store.open(str(tmp_path / "other.db")) as other:
        assert other.restore(io.BytesIO(told.content)).campaigns == (NAME,)


def test_the_plan(judged: Visitor):
    told = judged.get("desk/export/campaign.yaml")
    assert "protocol: da" in told.text


def test_the_same_campaign_is_made_of_the_files(site: Website, judged: Visitor, tmp_path: Path):
    told = judged.get("desk/export/files")
    assert told.headers["content-disposition"] == f'attachment; filename="{NAME}-files.zip"'
    with zipfile.ZipFile(io.BytesIO(told.content)) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    assert files.keys() == {"campaign.yaml", "testset.jsonl", "tutorial.jsonl"}
    with Store.open(str(tmp_path / "other.db")) as store:
        made = File("campaign.yaml", files["campaign.yaml"])
        Service(store).campaigns.create(made, fetching(files), author="Ada")
        assert list(store.kits(NAME)) == list(site.setting.store.kits(NAME))


def test_nothing_yet(boss: Visitor):
    assert "No judgments yet" in boss.get("desk/export").text
    assert boss.get("desk/export/judgments/xls").status_code == 404


def test_the_log(judged: Visitor):
    told = judged.get("desk/log")
    assert "boss" in told.text
    assert '<td class="name">Campaign created</td>' in told.text
    only = judged.get("desk/log?action=create")
    assert only.text.count("<tr>") == 2
    assert judged.get("desk/log?page=999").status_code == 200
    assert judged.get("desk/log?page=x").status_code == 200


def test_a_download_has_the_campaigns_name_in_any_script():
    told = as_file(b"", "кампания.zip", "application/zip").headers["content-disposition"]
    name = "%D0%BA%D0%B0%D0%BC%D0%BF%D0%B0%D0%BD%D0%B8%D1%8F.zip"
    assert told == f"attachment; filename*=UTF-8''{name}"
