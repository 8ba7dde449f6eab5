"""Campaigns: list, create, show, change, start and stop, archive and delete."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from jurat.api_types import (
    AuditReport,
    CampaignDetails,
    CampaignSummary,
    ChangedPhase,
    FindingItem,
    LogEntry,
    PhaseChange,
    TokenInfo,
)
from jurat.errors import input_error
from jurat.model import File
from jurat.store import Campaign
from jurat.testsets import write_test_set
from jurat.web.api.errors import PreconditionFailed, PreconditionMissing
from jurat.web.api.operation import ZIP, ApiCall, Download, converted, operation, picked
from jurat.web.coordinator.campaigns import base_name, campaigns, declares, restore_campaign
from jurat.web.coordinator.uploaded_zip import is_archive, unpacked

JSON_LINES = "application/x-ndjson"
YAML = "application/yaml"
# Fields by their names; null removes one.
Changes = dict[Annotated[str, Meta(max_length=200, pattern=r"^[a-z_]+(\.[\w-]+)*$")], Any]


@operation("GET", "/token", None)
def show_token(call: ApiCall) -> TokenInfo:
    """The token of this request: its scopes, and until when it is valid."""
    return converted(call.token, TokenInfo)


@operation("GET", "/campaigns", "read")
def list_campaigns(call: ApiCall) -> list[CampaignSummary]:
    """All campaigns, with how far they are."""
    return [picked(one, CampaignSummary) for one in campaigns(call.service)]


@operation("POST", "/campaigns", "manage", status=201, files=True)
def create_campaign(call: ApiCall, body: list[File]) -> CampaignDetails:
    """Create a campaign from campaign.yaml with the files that it names, or from a zip of them.

    The zip may also be the archive of a campaign, which is then opened.
    """
    service, author = call.service, call.author
    if any(map(is_archive, body)):
        return _details(service.campaigns.get(restore_campaign(service, body, author=author)))
    files = unpacked(body)
    declaring = next((file for file in files if declares(file)), None)
    if declaring is None:
        raise input_error("there is no campaign.yaml among the files", code="no-declaration")
    known = {base_name(file): file for file in files}

    def fetch(name: str) -> File:
        wanted = base_name(File(name, b""))
        if wanted not in known:
            raise input_error("this file was not sent", file=name, code="missing-file")
        return known[wanted]

    return _details(service.campaigns.create(declaring, fetch, author=author))


@operation("GET", "/campaigns/{campaign}", "read")
def show_campaign(call: ApiCall) -> CampaignDetails:
    """A campaign with its current configuration."""
    return _details(call.service.campaigns.get(call.campaign))


@operation("PATCH", "/campaigns/{campaign}", "manage")
def change_campaign(call: ApiCall, body: Changes) -> CampaignDetails:
    """Change parameters by their names, such as `tasks.1.required.evaluation`; null removes one."""
    call.service.campaigns.update(call.campaign, body, author=call.author)
    return _details(call.service.campaigns.get(call.campaign))


@operation("POST", "/campaigns/{campaign}/phases", "manage")
def change_phases(call: ApiCall, body: PhaseChange) -> list[ChangedPhase]:
    """Start, stop or close all phases, those of a task, or one."""
    done = call.service.campaigns.change_phases(
        call.campaign,
        body.action,
        author=call.author,
        task=body.task,
        phase=body.phase,
        reason=body.reason.strip(),
        anyway=body.anyway.strip(),
    )
    states = {
        (one.task, one.phase): one.state for one in call.service.campaigns.get(call.campaign).phases
    }
    return [ChangedPhase(task=t, phase=p, state=states[t, p]) for t, p in done]


@operation("GET", "/campaigns/{campaign}/audit", "read")
def audit_campaign(call: ApiCall) -> AuditReport:
    """What would keep the campaign from being completed, and how many hours it takes."""
    found = call.service.campaigns.audit(call.campaign)
    return AuditReport(
        ready=not found.errors,
        hours=found.hours,
        findings=tuple(
            FindingItem(severity=one.severity, message=str(one).removeprefix(f"{one.severity}: "))
            for one in found.findings
        ),
    )


@operation("GET", "/campaigns/{campaign}/log", "read")
def show_log(call: ApiCall) -> list[LogEntry]:
    """The audit log, oldest first, with what judges wrote to the coordinator."""
    return converted(call.service.campaigns.audit_log(call.campaign), list[LogEntry])


@operation("GET", "/campaigns/{campaign}/test-set", "read", media_type=JSON_LINES)
def download_test_set(call: ApiCall) -> Download:
    """The test set as JSON Lines."""
    (file,) = write_test_set(call.service.campaigns.test_set(call.campaign), "jsonl")
    return Download(file.data, f"{call.campaign}-testset.jsonl", JSON_LINES)


@operation("GET", "/campaigns/{campaign}/archive", "manage", media_type=ZIP)
def download_archive(call: ApiCall) -> Download:
    """The whole campaign, with accounts and judgments; its ETag is needed to delete it."""
    # the tag first: what happens while the archive is written makes the tag too old
    tag, file = _tag(call), call.service.exports.archive(call.campaign)
    return Download(file, f"{call.campaign}.zip", ZIP, {"ETag": tag})


@operation(
    "DELETE",
    "/campaigns/{campaign}",
    "manage",
    status=204,
    headers={"If-Match": "The ETag of the campaign's archive, which has to be downloaded before."},
)
def delete_campaign(call: ApiCall) -> None:
    """Delete a campaign with its judgments, if its archive was downloaded and is complete."""
    given = call.header(b"if-match").strip()
    if not given:
        raise PreconditionMissing
    if given != _tag(call):
        raise PreconditionFailed
    call.service.campaigns.delete(call.campaign, author=call.author)


def _tag(call: ApiCall) -> str:
    return f'"{call.service.campaigns.stamp(call.campaign)}"'


def _details(found: Campaign) -> CampaignDetails:
    return converted(found, CampaignDetails)
