"""Downloads: judgments as tables, campaign.yaml with its files, the campaign as an archive."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from typing import IO
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from jurat.campaigns.export_files import FORMATS, KINDS
from jurat.files import zipped
from jurat.web.coordinator.page_context import StaffVisit, coordinators
from jurat.yamlfile import dump

# Bytes of a download that are read at a time.
PART = 256 << 10


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
    file = await visit.call(visit.service.exports.judgments, visit.campaign, kind)
    return as_file(file, f"{visit.campaign}.{kind}.zip", "application/zip")


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
    file = await visit.call(visit.service.exports.archive, visit.campaign)
    return as_file(file, f"{visit.campaign}.zip", "application/zip")


def as_file(data: bytes | IO[bytes], name: str, kind: str) -> Response:
    """A response that the browser saves under this name; a file is closed after it."""
    # a header is Latin-1, and campaigns have names in every script (RFC 6266)
    told = f'filename="{name}"' if name.isascii() else f"filename*=UTF-8''{quote(name)}"
    headers = {"Content-Disposition": f"attachment; {told}"}
    if isinstance(data, bytes):
        return Response(data, media_type=kind, headers=headers)
    headers["Content-Length"] = str(os.fstat(data.fileno()).st_size)
    return StreamingResponse(_parts(data), media_type=kind, headers=headers)


def _parts(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        yield from iter(partial(file.read, PART), b"")


routes = [
    Route("/export", show),
    Route("/export/judgments/{kind}", judgments),
    Route("/export/campaign.yaml", declaration),
    Route("/export/files", bundle),
    Route("/export/archive", archive),
]
