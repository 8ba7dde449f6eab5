"""The metadata of an archive of tables: as others' programs check and read it."""

import json
from pathlib import Path

import polars as pl
import pytest

from jurat.files import zipped
from jurat.formats import read_judgments
from jurat.model import File
from jurat.tables import JUDGMENTS, SPANS, TABLES, conform
from jurat.tables.package import ABOUT, TAG, package

PLACE = {"judge": "ann", "item": "d|1|A", "document": "d", "segment": "1", "system": "A"}


def tables() -> dict[str, pl.DataFrame]:
    decided = {"question": "score", "decided_at": "2026-01-02T03:04:05.678Z", "status": "valid"}
    judged = [{**PLACE, **decided, "value": 70.5, "na": False, "genre": "news, old", "kit": 1}]
    marked = [{**PLACE, **decided, "start": 0, "end": 3, "severity": "minor", "missing": True}]
    return {
        "judgments": conform(pl.DataFrame(judged), JUDGMENTS),
        "spans": conform(pl.DataFrame(marked), SPANS),
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, data in package(tables(), "Try out", "csv").items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def test_frictionless_finds_the_package_valid(folder: Path) -> None:
    import frictionless

    report = frictionless.validate(str(folder / "datapackage.json"))
    assert report.valid, report.flatten(["message"])
    assert [task.name for task in report.tasks] == ["judgments", "spans"]


def test_frictionless_finds_a_wrong_value(folder: Path) -> None:
    import frictionless

    table = folder / "judgments.csv"
    table.write_text(table.read_text().replace("70.5", "good").replace(",valid", ",perhaps"))
    report = frictionless.validate(str(folder / "datapackage.json"))
    assert report.flatten(["fieldName", "type"]) == [
        ["value", "type-error"],
        ["status", "constraint-error"],
    ]


# mlcroissant still uses a name that rdflib will drop
@pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning")
def test_croissant_reads_every_column(folder: Path) -> None:
    import mlcroissant

    dataset = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
    assert not dataset.metadata.ctx.issues.errors
    (record,) = dataset.records("judgments")
    found = tables()["judgments"]
    assert list(record) == [f"judgments/{name}" for name in found.columns]
    assert record["judgments/value"] == 70.5
    assert record["judgments/genre"] == b"news, old"


def test_every_column_has_a_meaning(folder: Path) -> None:
    described = json.loads((folder / "datapackage.json").read_text())["resources"][0]
    fields = {field["name"]: field["description"] for field in described["schema"]["fields"]}
    assert list(fields) == tables()["judgments"].columns
    assert all(fields.values())
    assert (fields["genre"], fields["judge"]) == (TAG, "who judged")
    assert ABOUT.keys() == TABLES.keys()


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_the_archive_is_read_as_its_tables(ending: str) -> None:
    file = File("archive.zip", zipped(package(tables(), "x", ending)))
    found = read_judgments([file]).tables
    assert found["spans"].select("start", "end").rows() == [(0, 3)]
    assert found["judgments"].height == 1
