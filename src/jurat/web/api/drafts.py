"""Drafts: campaigns in preparation, their files and problems, until they are created."""

from __future__ import annotations

from typing import get_args

from starlette.exceptions import HTTPException

from jurat.api_types import CampaignDetails
from jurat.api_types.drafts import (
    DraftDetails,
    DraftFile,
    DraftSummary,
    NewDraft,
    TestSetChoice,
    TutorialChoice,
)
from jurat.campaigns.drafts import Part
from jurat.model import File
from jurat.store import CampaignDraft
from jurat.testsets import SetFile
from jurat.web.api.campaigns import YAML, Changes
from jurat.web.api.errors import problem_item
from jurat.web.api.operation import ApiCall, Download, converted, operation, picked

DECLARATION, PROTOCOL = "declaration", "protocol"


@operation("GET", "/drafts", "read")
def list_drafts(call: ApiCall) -> list[DraftSummary]:
    """All drafts, the oldest first."""
    return [picked(one, DraftSummary) for one in call.service.drafts.all()]


@operation("POST", "/drafts", "manage", status=201)
def make_draft(call: ApiCall, body: NewDraft) -> DraftDetails:
    """Make a draft, which is empty, or a copy of a campaign."""
    drafts = call.service.drafts
    if body.copy_of:
        return _details(call, drafts.copy(body.copy_of, author=call.author))
    return _details(call, drafts.new(author=call.author))


@operation("GET", "/drafts/{draft}", "read")
def show_draft(call: ApiCall) -> DraftDetails:
    """A draft, with everything that is wrong or missing."""
    return _details(call, call.service.drafts.get(call.draft))


@operation("PATCH", "/drafts/{draft}", "manage")
def change_draft(call: ApiCall, body: Changes) -> DraftDetails:
    """Set fields by their names, such as `title` or `tasks.1.wanted`; null removes one.

    Values need not be right yet: `problems` says what is wrong.
    """
    return _details(call, call.service.drafts.set_fields(call.draft, body))


@operation("DELETE", "/drafts/{draft}", "manage", status=204)
def discard_draft(call: ApiCall) -> None:
    """Delete a draft with its files."""
    drafts = call.service.drafts
    drafts.get(call.draft)
    drafts.discard(call.draft, author=call.author)


@operation("GET", "/drafts/{draft}/campaign.yaml", "read", media_type=YAML)
def download_draft(call: ApiCall) -> Download:
    """The draft as a campaign.yaml."""
    return Download(call.service.drafts.yaml(call.draft).encode(), "campaign.yaml", YAML)


@operation("POST", "/drafts/{draft}/files/{part}", "manage", files=True)
def upload_files(call: ApiCall, body: list[File]) -> DraftDetails:
    """Add files: to the `test_set` or the `tutorial`, a `protocol`, or the `declaration`.

    What files hold is guessed from their names and content; `test_set.files` of the draft can
    be changed. A declaration is a campaign.yaml, which replaces all fields.
    """
    drafts, part = call.service.drafts, str(call.request.path_params["part"])
    if part == DECLARATION:
        for file in body:
            drafts.load_yaml(call.draft, file)
    elif part == PROTOCOL:
        for file in body:
            drafts.upload_protocol(call.draft, file)
    elif part in get_args(Part):
        own: Part = "tutorial" if part == "tutorial" else "test_set"
        drafts.upload(call.draft, own, [SetFile(file.name, file.data) for file in body])
    else:
        raise HTTPException(404)
    return _details(call, drafts.get(call.draft))


@operation("DELETE", "/drafts/{draft}/files/{name}", "manage", status=204)
def remove_file(call: ApiCall) -> None:
    """Delete a file, also from the test sets that it belongs to."""
    name = str(call.request.path_params["name"])
    if name not in {one.name for one in call.service.drafts.get(call.draft).files}:
        raise HTTPException(404)
    call.service.drafts.remove_file(call.draft, name)


@operation("POST", "/drafts/{draft}/tutorial", "manage")
def make_tutorial(call: ApiCall, body: TutorialChoice) -> DraftDetails:
    """Move documents of the test set to the tutorial."""
    return _details(call, call.service.drafts.make_tutorial(call.draft, body.documents))


@operation("POST", "/drafts/{draft}/selection", "manage")
def select_items(call: ApiCall, body: TestSetChoice) -> DraftDetails:
    """Reduce the test set to what meets all conditions."""
    found = call.service.drafts.select(
        call.draft,
        systems=body.systems,
        documents=body.documents,
        first=body.first,
        where=body.where,
    )
    return _details(call, found)


@operation("POST", "/drafts/{draft}/campaign", "manage", status=201)
def create_from_draft(call: ApiCall) -> CampaignDetails:
    """Create the campaign and delete the draft; a draft with a title alone gets a name."""
    drafts = call.service.drafts
    drafts.name_by_title(call.draft)
    return converted(drafts.create(call.draft, author=call.author), CampaignDetails)


def _details(call: ApiCall, found: CampaignDraft) -> DraftDetails:
    preview = call.service.drafts.preview(found.id)
    return picked(
        found,
        DraftDetails,
        declaration=dict(found.declaration),
        files=tuple(DraftFile(name=one.name, size=one.size) for one in found.files),
        kits=len(preview.kits),
        items=sum(len(kit.items) for kit in preview.kits),
        ready=not preview.problems,
        problems=tuple(map(problem_item, preview.problems)),
    )
