"""The list of campaigns and drafts, and the page that starts a new one.

A new campaign: from a test set, from a campaign.yaml with its files, or as a copy.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import PurePosixPath
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns import Service
from jurat.campaigns.config import roles_in
from jurat.campaigns.drafts import PARTS, PROTOCOLS, Drafts, Part
from jurat.errors import InputError, Problem, input_error
from jurat.model import File
from jurat.store import Campaign, CampaignDraft
from jurat.store.progress import CampaignCounts
from jurat.store.records import PhaseState
from jurat.testsets import SetFile
from jurat.web.coordinator.coordinator_accounts import login_page
from jurat.web.coordinator.draft import UploadRefused, collect_faults, receive_upload
from jurat.web.coordinator.form_fields import read_line
from jurat.web.coordinator.page_context import StaffVisit, coordinators
from jurat.web.coordinator.uploaded_zip import is_archive, unpacked
from jurat.yamlfile import Declaration

COLUMNS = {
    "name": lambda row: row.title.casefold(),
    "done": lambda row: row.share,
    "last": lambda row: row.last,
    "created": lambda row: row.created,
}


class ListedCampaign(NamedTuple):
    """A campaign as the list of campaigns shows it."""

    name: str
    title: str
    state: PhaseState
    """`started` if any task is, else the most frequent state of its tasks."""
    decisions: int
    """Skipped items included."""
    skipped: int
    wanted: int
    begun: int
    """Judges who have started."""
    judges: int
    last: datetime | None
    created: datetime

    @property
    def share(self) -> float:
        """The share of wanted judgments that are done, or were skipped."""
        return self.decisions / self.wanted if self.wanted else 0.0


async def show(request: Request) -> Response:
    """The list of campaigns, or the login page."""
    visit = StaffVisit(request)
    person = await visit.call(visit.known, "coordinator")
    if person is None:
        return login_page(visit)
    visit.person = person
    rows = visit.sorted(await visit.call(campaigns, visit.service), COLUMNS, first="-created")
    drafts = await visit.call(visit.service.drafts.all)
    return visit.render("coordinator/campaigns.html", rows=rows, drafts=drafts)


def campaigns(service: Service) -> list[ListedCampaign]:
    """All campaigns with their progress."""
    # one query for all campaigns, not one for each
    known = {one.campaign: one for one in service.campaigns.counts()}
    # one that is made in between is there the next time
    return [_row(one, known[one.name]) for one in service.campaigns.all() if one.name in known]


def _row(found: Campaign, counts: CampaignCounts) -> ListedCampaign:
    states = [phase.state for phase in found.phases if phase.phase == "evaluation"]
    return ListedCampaign(
        name=found.name,
        title=found.title or found.name,
        state="started" if "started" in states else max(set(states), key=states.count),
        decisions=counts.done,
        skipped=counts.skipped,
        wanted=counts.wanted,
        begun=counts.begun,
        judges=counts.judges,
        last=counts.last,
        created=found.created,
    )


@coordinators
async def create_draft(visit: StaffVisit) -> Response:
    """Create a draft from uploaded files, from another campaign, or empty."""
    try:
        form, files, _ = await receive_upload(visit)
    except UploadRefused as error:
        return await _new_page(visit, error.status, problem=error.words)
    campaign = read_line(form, "campaign")
    made: list[CampaignDraft] = []
    restored: list[str] = []

    def prepare() -> None:
        drafts, author = visit.service.drafts, visit.person.name
        if campaign:
            made.append(drafts.copy(campaign, author=author))
        elif any(map(is_archive, files)):
            restored.append(restore_campaign(visit.service, files, author=author))
        else:
            made.append(draft_from_files(drafts, unpacked(files), author=author))

    faults = await collect_faults(visit, prepare)
    if faults:
        return await _new_page(visit, 422, faults=faults)
    if restored:
        return visit.redirect_to(f"{visit.site.campaign_path(restored[0])}desk/")
    return visit.redirect_to(f"{visit.site.desk}draft/{made[0].id}/set")


def restore_campaign(service: Service, files: Sequence[File], *, author: str) -> str:
    """Open the archive of a campaign; returns its name. Raises `InputError`."""
    if len(files) > 1:
        message = "an archive is opened alone, without other files"
        raise input_error(message, file=files[0].name, code="archive-alone")
    found = service.campaigns.open_archive(io.BytesIO(files[0].data), author=author)
    return found.campaigns[0]


def draft_from_files(drafts: Drafts, files: Sequence[File], *, author: str) -> CampaignDraft:
    """A draft with these files; a campaign.yaml among them determines their roles."""
    found = drafts.new(author=author)
    try:
        return _filled(drafts, found, files)
    except InputError:
        # a draft that nobody has seen would stay in the list, and hold the files
        drafts.discard(found.id, author=author)
        raise


def _filled(drafts: Drafts, found: CampaignDraft, files: Sequence[File]) -> CampaignDraft:
    # campaign.yaml goes first: it tells which of the other files belong to which set
    declaring = next((file for file in files if declares(file)), None)
    if declaring:
        found = drafts.load_yaml(found.id, declaring)
    others = [file for file in files if file is not declaring]
    named = {part: _names(roles_in(found.declaration.get(part))) for part in PARTS}
    sets: dict[Part, list[SetFile]] = {"test_set": [], "tutorial": []}
    for file in others:
        # a test set may be a YAML or JSON file as well, if campaign.yaml names it as one
        own_set = any(base_name(file) in own for own in named.values())
        if file.name.endswith(PROTOCOLS) and not own_set:
            drafts.upload_protocol(found.id, file)
        else:
            lesson = (
                base_name(file) in named["tutorial"] and base_name(file) not in named["test_set"]
            )
            sets["tutorial" if lesson else "test_set"].append(SetFile(file.name, file.data))
    for part, own in sets.items():
        if own:
            drafts.upload(found.id, part, own)
    return drafts.get(found.id)


def declares(file: File) -> bool:
    """Whether a file is a campaign.yaml: by its name, or because it has tasks."""
    if base_name(file) in ("campaign.yaml", "campaign.yml", "campaign.json"):
        return True
    if not file.name.endswith(PROTOCOLS):
        return False
    content = Declaration(file.data, file=file.name).content
    return isinstance(content, dict) and "tasks" in content


def base_name(file: File) -> str:
    """The name of a file without folders."""
    # some browsers send a path, on Windows with backslashes
    return PurePosixPath(file.name.replace("\\", "/")).name


def _names(roles: Iterable[str]) -> set[str]:
    return {PurePosixPath(name).name for name in roles}


async def _new_page(
    visit: StaffVisit, status: int = 200, *, faults: Sequence[Problem] = (), problem: str = ""
) -> Response:
    """The page for a new campaign."""
    campaigns = await visit.call(visit.service.campaigns.all)
    return visit.render(
        "coordinator/new-campaign.html", status, campaigns=campaigns, faults=faults, problem=problem
    )


routes = [
    Route("/", show),
    Route("/new", coordinators(_new_page), methods=["GET"]),
    Route("/new", create_draft, methods=["POST"]),
]
