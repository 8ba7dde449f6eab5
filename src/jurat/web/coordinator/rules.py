"""The third step of a preparation: names, who may come in, limits; then the campaign is made."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from starlette.responses import Response
from starlette.routing import Route

from jurat.faults import Fault
from jurat.web.coordinator.asking import Filled, declared
from jurat.web.coordinator.declaring import rule_names, rule_parts
from jurat.web.coordinator.desk import Desk, coordinators
from jurat.web.coordinator.drafts import draft, faults_of, key, onward, page
from jurat.web.forms import sent_form


@coordinators
async def show(desk: Desk) -> Response:
    """The rules as they stand."""
    return await _page(desk)


@coordinators
async def save(desk: Desk) -> Response:
    """Declare what the form says, and make the campaign where that is asked for."""
    form = await sent_form(desk)
    preparations = desk.service.preparations
    said = declared(form, rule_parts())
    changes = {name: said.get(name) for name in rule_names()}
    refused = await faults_of(desk, preparations.declare, key(desk), changes)
    if refused:
        return await _page(desk, 422, refused=refused)
    found = await draft(desk)
    if "create" not in form:
        wrong = found.faults("rules", asked=True)
        return await _page(desk, 422) if wrong else onward(desk, "rules")
    name = found.outlook.plan.name
    refused = await faults_of(desk, preparations.create, key(desk), author=desk.person.name)
    if refused:
        return await _page(desk, 422, refused=refused)
    return desk.away(f"/c/{quote(name)}/desk/")


async def _page(desk: Desk, status: int = 200, *, refused: Sequence[Fault] = ()) -> Response:
    found = await draft(desk)
    faults = found.faults("rules", asked=status != 200)
    known = found.outlook.faults
    form = Filled(rule_parts(), found.preparation.declaration, faults)
    others = [fault for fault in refused if fault not in known]
    wrong = {step: found.open(step) for step in ("set", "tasks")}
    return page(desk, found, "rules", status, form=form, refused=others, wrong=wrong)


routes = [
    Route("/draft/{key}/rules", show, methods=["GET"]),
    Route("/draft/{key}/rules", save, methods=["POST"]),
]
