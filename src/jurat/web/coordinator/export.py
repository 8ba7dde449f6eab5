"""Downloads: judgments as tables, campaign.yaml with its files, the campaign as an archive."""

from __future__ import annotations

import io
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns import Service
from jurat.files import zipped
from jurat.web.coordinator.page_context import StaffVisit, coordinators
from jurat.yamlfile import dump

KINDS = ("csv", "jsonl", "parquet")
# The formats of other tools, by name, and what a button calls them; these are proper names.
FORMATS = {
    "excel": "Excel",
    "pearmut": "Pearmut",
    "appraise": "Appraise",
    "google-mqm": "MQM (Marot)",
    "mt-metrics-eval": "mt-metrics-eval",
    "wmt-ranking": "WMT",
    "label-studio": "Label Studio",
    "comet": "COMET",
}


@coordinators
async def show(visit: StaffVisit) -> Response:
    """The page with the links of all downloads."""
    progress = await visit.call(visit.service.monitoring.progress, visit.campaign)
    made = sum(phase.decisions for phase in progress.phases)
    return visit.render("coordinator/export.html", decisions=made, kinds=KINDS, formats=FORMATS)


@coordinators
async def judgments(visit: StaffVisit) -> Response:
    """All tables of judgments in a zip, or in the format of another tool."""
    kind = visit.request.path_params["kind"]
    if kind not in (*KINDS, *FORMATS):
        raise HTTPException(404)
    # in a thread: a large campaign takes seconds
    made = tables if kind in KINDS else in_format
    data = await visit.call(made, visit.service, visit.campaign, kind)
    return as_file(data, f"{visit.campaign}.{kind}.zip", "application/zip")


@coordinators
async def declaration(visit: StaffVisit) -> Response:
    """The campaign.yaml, with all changes made since."""
    found = await visit.call(visit.service.campaigns.get, visit.campaign)
    return as_file(dump(found.declaration).encode(), "campaign.yaml", "application/yaml")


@coordinators
async def bundle(visit: StaffVisit) -> Response:
    """A zip of the campaign.yaml with its test sets and protocols."""
    files = await visit.call(visit.service.campaigns.files, visit.campaign)
    data = await visit.call(zipped, files)
    return as_file(data, f"{visit.campaign}-files.zip", "application/zip")


@coordinators
async def archive(visit: StaffVisit) -> Response:
    """The whole campaign, as `jurat campaign archive` writes it, for another server."""
    file = io.BytesIO()
    await visit.call(visit.service.campaigns.archive, visit.campaign, file)
    return as_file(file.getvalue(), f"{visit.campaign}.zip", "application/zip")


def tables(service: Service, campaign: str, kind: str) -> bytes:
    """A zip of every table that has rows, in one of `KINDS`, and of metadata about them."""
    # imported here: it loads polars, which the other pages do not need
    from jurat.tables.package import package

    return zipped(package(service.campaigns.export_tables(campaign), campaign, kind))


def in_format(service: Service, campaign: str, name: str) -> bytes:
    """A zip of the files of one of `FORMATS`, and of notes on what it cannot hold.

    Raises `InputError` where it holds nothing of what this campaign asks.
    """
    from jurat.formats import ReadTables, counting_tables, write_judgments
    from jurat.tables.archives import NOTES

    found = counting_tables(ReadTables(tables=service.campaigns.tables_with_texts(campaign)))
    written = write_judgments(found.tables, name, ending="")
    notes = "".join(f"{note}\n" for note in (*found.notes, *written.notes))
    files = {file.name: file.data for file in written.files}
    return zipped({**files, **({NOTES: notes.encode()} if notes else {})})


def as_file(data: bytes, name: str, kind: str) -> Response:
    """A response that the browser saves under this name."""
    # a header is Latin-1, and campaigns have names in every script (RFC 6266)
    told = f'filename="{name}"' if name.isascii() else f"filename*=UTF-8''{quote(name)}"
    headers = {"Content-Disposition": f"attachment; {told}"}
    return Response(data, media_type=kind, headers=headers)


routes = [
    Route("/export", show),
    Route("/export/judgments/{kind}", judgments),
    Route("/export/campaign.yaml", declaration),
    Route("/export/files", bundle),
    Route("/export/archive", archive),
]
