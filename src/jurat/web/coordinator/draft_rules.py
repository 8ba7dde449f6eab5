"""The third step of a preparation: names, who may come in, limits; then the campaign is made."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from starlette.responses import Response
from starlette.routing import Route

from jurat.errors import Problem
from jurat.web.coordinator.campaign_form import rule_groups, rule_names
from jurat.web.coordinator.draft import (
    collect_faults,
    draft_id,
    draft_page,
    load_draft,
    redirect_to_draft,
)
from jurat.web.coordinator.form_fields import FilledForm, read_form
from jurat.web.coordinator.page_context import StaffVisit, coordinators
from jurat.web.forms import sent_form


@coordinators
async def show(visit: StaffVisit) -> Response:
    """The rules as they stand."""
    return await _page(visit)


@coordinators
async def save(visit: StaffVisit) -> Response:
    """Declare what the form says, and make the campaign where that is asked for."""
    form = await sent_form(visit)
    drafts = visit.service.drafts
    said = read_form(form, rule_groups())
    changes = {name: said.get(name) for name in rule_names()}
    refused = await collect_faults(visit, drafts.set_fields, draft_id(visit), changes)
    if refused:
        return await _page(visit, 422, refused=refused)
    found = await load_draft(visit)
    if "create" not in form:
        wrong = found.problems("rules", asked=True)
        return await _page(visit, 422) if wrong else redirect_to_draft(visit, "rules")
    name = found.preview.plan.name
    refused = await collect_faults(visit, drafts.create, draft_id(visit), author=visit.person.name)
    if refused:
        return await _page(visit, 422, refused=refused)
    return visit.redirect_to(f"/c/{quote(name)}/desk/")


async def _page(
    visit: StaffVisit, status: int = 200, *, refused: Sequence[Problem] = ()
) -> Response:
    found = await load_draft(visit)
    faults = found.problems("rules", asked=status != 200)
    known = found.preview.problems
    form = FilledForm(rule_groups(), found.preparation.declaration, faults)
    others = [fault for fault in refused if fault not in known]
    wrong = {step: found.open(step) for step in ("set", "tasks")}
    return draft_page(visit, found, "rules", status, form=form, refused=others, wrong=wrong)


routes = [
    Route("/draft/{key}/rules", show, methods=["GET"]),
    Route("/draft/{key}/rules", save, methods=["POST"]),
]
