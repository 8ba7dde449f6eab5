"""Everything to take away: judgments as tables, the plan, and the campaign as one archive."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns import Service
from jurat.campaigns.running import utc_now
from jurat.declarations import dump
from jurat.web.coordinator.desk import Desk, coordinators

KINDS = {"csv": "text/csv", "jsonl": "application/x-ndjson", "parquet": "application/octet-stream"}


@coordinators
async def show(desk: Desk) -> Response:
    """What there is to download."""
    plan = desk.service.plan(desk.campaign)
    progress = await desk.call(desk.service.progress, desk.campaign)
    made = sum(phase.decisions for phase in progress.phases)
    return desk.render("desk/export.html", plan=plan, decisions=made, kinds=tuple(KINDS))


@coordinators
async def judgments(desk: Desk) -> Response:
    """All tables of judgments in a zip, each as `jurat export` writes it."""
    kind = desk.request.path_params["kind"]
    if kind not in KINDS:
        raise HTTPException(404)
    data = await desk.call(tables, desk.service, desk.campaign, kind)
    return as_file(data, f"{desk.campaign}.{kind}.zip", "application/zip")


@coordinators
async def declaration(desk: Desk) -> Response:
    """The campaign.yaml, as the campaign stands now."""
    found = await desk.call(desk.service.store.campaign, desk.campaign)
    return as_file(dump(found.declaration).encode(), "campaign.yaml", "application/yaml")


@coordinators
async def bundle(desk: Desk) -> Response:
    """The campaign.yaml with its test sets and protocols: all that the campaign is made from."""
    files = await desk.call(desk.service.preparations.files, desk.campaign)
    return as_file(zipped(files), f"{desk.campaign}-files.zip", "application/zip")


@coordinators
async def archive(desk: Desk) -> Response:
    """The whole campaign in a file that another server opens."""
    data = await desk.call(archived, desk.service, desk.campaign)
    return as_file(data, f"{desk.campaign}.zip", "application/zip")


def tables(service: Service, campaign: str, kind: str) -> bytes:
    """Every table that has rows, in a zip."""
    from jurat.tables import write_table

    found = service.tables(campaign).items()
    return zipped({f"{name}.{kind}": write_table(frame, kind) for name, frame in found})


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Files as one, by their names."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return file.getvalue()


def archived(service: Service, campaign: str) -> bytes:
    """What `jurat campaign archive` writes."""
    file = io.BytesIO()
    service.store.archive(campaign, file, now=utc_now())
    return file.getvalue()


def as_file(data: bytes, name: str, kind: str) -> Response:
    """Something that a browser keeps under this name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=kind, headers=headers)


routes = [
    Route("/export", show),
    Route("/export/judgments/{kind}", judgments),
    Route("/export/campaign.yaml", declaration),
    Route("/export/files", bundle),
    Route("/export/archive", archive),
]
