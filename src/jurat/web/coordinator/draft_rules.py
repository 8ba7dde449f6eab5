"""The third step of a draft: the rules of the campaign, and its creation."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import Route

from jurat.errors import Problem
from jurat.store import CampaignDraftChanged
from jurat.web.coordinator.campaign_form import rule_groups
from jurat.web.coordinator.draft import (
    Draft,
    MergedForm,
    collect_faults,
    draft_id,
    draft_page,
    load_draft,
    merge_form,
    next_page,
    redirect_to_draft,
)
from jurat.web.coordinator.form_fields import FieldGroup, FilledForm
from jurat.web.coordinator.page_context import StaffVisit, coordinators
from jurat.web.forms import sent_form
from jurat.yamlfile import MISSING


@coordinators
async def save(visit: StaffVisit) -> Response:
    """Save the rules, and create the campaign if that button was pressed."""
    form = await sent_form(visit)
    to = next_page(form, "rules")
    found = await load_draft(visit)
    merged = await merge_form(visit, form, _groups(found))
    if not merged.saved:
        status = 409 if merged.changes.conflicts else 422
        return await _page(visit, status, merged=merged)
    await visit.call(visit.service.drafts.name_by_title, draft_id(visit))
    found = await load_draft(visit)
    if "create" not in form:
        # what is wrong is stored as well, and does not keep anybody from going on
        wrong = to == "rules" and found.problems("rules", asked=True)
        return await _page(visit, 422) if wrong else redirect_to_draft(visit, to)
    # read now: `create` deletes the draft
    name = found.preview.plan.name
    try:
        refused = await collect_faults(
            visit, visit.service.drafts.create, draft_id(visit), author=visit.person.name
        )
    except CampaignDraftChanged as changed_meanwhile:
        refused = changed_meanwhile.problems
    if refused:
        return await _page(visit, 422, refused=refused)
    return visit.redirect_to(f"{visit.site.campaign_path(name)}desk/")


async def _page(
    visit: StaffVisit,
    status: int = 200,
    *,
    refused: Sequence[Problem] = (),
    merged: MergedForm | None = None,
) -> Response:
    """The form with the rules."""
    found = await load_draft(visit)
    faults = list(map(_at_title, found.problems("rules", asked=status != 200)))
    known = found.preview.problems
    content = found.stored.declaration
    entered = merged.changes.over(content) if merged else content
    form = FilledForm(_groups(found), entered, faults, stored=content)
    # known problems are shown beside their fields, or on the page of their step
    others = [f for f in (*refused, *(merged.refused if merged else ())) if f not in known]
    return draft_page(
        visit,
        found,
        "rules",
        status,
        form=form,
        refused=others,
        conflicts=merged.changes.conflicts if merged else (),
        wrong={step: found.open(step) for step in ("set", "tasks")},
    )


def _groups(found: Draft) -> list[FieldGroup]:
    """The fields of this draft."""
    declared = found.stored.declaration
    return rule_groups(guests="tutorial" in declared or bool(declared.get("guest")))


def _at_title(fault: Problem) -> Problem:
    """A missing short name as a missing title, from which it is made."""
    return fault.changed(field="title") if (fault.code, fault.field) == (MISSING, "name") else fault


routes = [
    Route("/draft/{key}/rules", coordinators(_page), methods=["GET"]),
    Route("/draft/{key}/rules", save, methods=["POST"]),
]
