"""Tables as an archive that others can read without Jurat: files, and metadata about every column.

`datapackage.json` follows the Data Package standard (Frictionless), `croissant.json` Croissant 1.0,
which repositories of data sets for machine learning read. Both come from the schema of the tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

import msgspec
import polars as pl

from jurat.tables.archives import CROISSANT, DATA_PACKAGE
from jurat.tables.io import write_table
from jurat.tables.schema import TABLES, TIME, Column, hidden

# What the tables hold, in a sentence each.
ABOUT = {
    "judgments": "A row for each answer with a number or a word.",
    "preferences": "A row for each comparison of two systems.",
    "rankings": "A row for each system in a ranking.",
    "spans": "A row for each error that was marked.",
    "suggestions": "A row for each error that was marked before the judge, who saw it.",
    "texts": "A row for each text that a judge wrote.",
    "flags": "A row for each item that a judge flagged.",
    "scores": "A row for each score of a metric.",
}
# Columns of a campaign's tables beside those of the schema.
CAMPAIGN_COLUMNS = (
    Column("kit", pl.Int64, "the kit's number in its task and phase"),
    Column("step", pl.Int64, "the step of the kit, from 1: an item, or a stage of one"),
    Column("control", pl.String, "why the item is not only there to be judged"),
    Column("suggested", pl.Boolean, "whether suggestions were shown, where there are some"),
    Column("group", pl.String, "the judge's group"),
    Column("site", pl.String, "the judge's site"),
    Column("language", pl.String, "the language of the page"),
    Column("revision", pl.Int64, "the number of this answer among those to the same step"),
    Column("reason", pl.String, "why the decision was changed, excluded or adjudicated"),
)
TAG = "a tag of the document, segment, system, translation or judge"
# How the standards call the types of columns.
_PACKAGE_TYPES = {pl.Int64: "integer", pl.Float64: "number", pl.Boolean: "boolean"}
_CROISSANT_TYPES = {pl.Int64: "sc:Integer", pl.Float64: "sc:Float", pl.Boolean: "sc:Boolean"}
_MEDIA = {
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "jsonl": "application/jsonlines",
    "parquet": "application/x-parquet",
}


def package(tables: Mapping[str, pl.DataFrame], name: str, ending: str) -> dict[str, bytes]:
    """The files of an archive by name: a file for each table, and both files of metadata.

    `name` is that of the data set; raises `InputError` for an ending that no table has.
    """
    files = {f"{table}.{ending}": write_table(frame, ending) for table, frame in tables.items()}
    described = {
        DATA_PACKAGE: _data_package(tables, name, ending),
        CROISSANT: _croissant(tables, name, files),
    }
    encoded = {
        path: msgspec.json.format(msgspec.json.encode(content), indent=2)
        for path, content in described.items()
    }
    return files | encoded


def columns_of(table: str, frame: pl.DataFrame) -> Iterator[Column]:
    """The columns of a frame with types and meanings; what no schema has is a tag."""
    own = TABLES[table].columns if table in TABLES else ()
    known = {column.name: column for column in (*CAMPAIGN_COLUMNS, *own)}
    for name, kind in frame.schema.items():
        if not hidden(name):
            yield known.get(name, Column(name, kind, TAG))


def _data_package(tables: Mapping[str, pl.DataFrame], name: str, ending: str) -> dict[str, Any]:
    resources = [
        {
            "name": table,
            "path": f"{table}.{ending}",
            "format": ending,
            "mediatype": _MEDIA[ending],
            "encoding": "utf-8",
            "profile": "tabular-data-resource",
            "description": ABOUT.get(table, ""),
            "schema": {
                "fields": [_package_field(c) for c in columns_of(table, frame)],
                "missingValues": [""],
            },
        }
        for table, frame in tables.items()
    ]
    title = f"Judgments of the campaign {name}"
    return {"profile": "data-package", "name": _slug(name), "title": title, "resources": resources}


def _package_field(column: Column) -> dict[str, Any]:
    field: dict[str, Any] = {
        "name": column.name,
        "type": _PACKAGE_TYPES.get(_class_of(column), "string"),
        "description": column.meaning,
    }
    if column.type == TIME:
        # the standard's own format has no fractions of seconds
        field |= {"type": "datetime", "format": "any"}
    if column.allowed:
        field["constraints"] = {"enum": list(column.allowed)}
    return field


def _croissant(
    tables: Mapping[str, pl.DataFrame], name: str, files: Mapping[str, bytes]
) -> dict[str, Any]:
    paths = dict(zip(tables, files, strict=True))
    distribution = [
        {
            "@type": "cr:FileObject",
            "@id": path,
            "name": path,
            "contentUrl": path,
            "encodingFormat": _MEDIA[path.rpartition(".")[2]],
            "sha256": sha256(files[path]).hexdigest(),
        }
        for path in paths.values()
    ]
    records = [
        {
            "@type": "cr:RecordSet",
            "@id": table,
            "name": table,
            "description": ABOUT.get(table, ""),
            "field": [_croissant_field(table, paths[table], c) for c in columns_of(table, frame)],
        }
        for table, frame in tables.items()
    ]
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": _slug(name),
        "description": f"Judgments of the campaign {name}, collected with Jurat.",
        "distribution": distribution,
        "recordSet": records,
    }


def _croissant_field(table: str, path: str, column: Column) -> dict[str, Any]:
    kind = "sc:DateTime" if column.type == TIME else _CROISSANT_TYPES.get(_class_of(column))
    return {
        "@type": "cr:Field",
        "@id": f"{table}/{column.name}",
        "name": column.name,
        "description": column.meaning,
        "dataType": kind or "sc:Text",
        "source": {"fileObject": {"@id": path}, "extract": {"column": column.name}},
    }


def _class_of(column: Column) -> type[pl.DataType]:
    return column.type if isinstance(column.type, type) else type(column.type)


def _slug(name: str) -> str:
    """The name in small letters, digits and hyphens, as the standards want it."""
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in name.lower()).strip("-")
    return plain or "judgments"


# Croissant 1.0 demands these definitions in every file.
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
