"""All campaigns side by side, and those in preparation."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns import Service
from jurat.store import Campaign
from jurat.store.pace import Glance
from jurat.store.records import PhaseState
from jurat.web.coordinator.access import login_page
from jurat.web.coordinator.desk import Desk

COLUMNS = {
    "name": lambda row: row.title.casefold(),
    "done": lambda row: row.share,
    "last": lambda row: row.last,
    "created": lambda row: row.created,
}


class Row(NamedTuple):
    """A campaign in the list."""

    name: str
    title: str
    state: PhaseState
    """Started where any of it is; else the state that most of it has."""
    decisions: int
    wanted: int
    judges: int
    last: datetime | None
    created: datetime

    @property
    def share(self) -> float:
        """How much of what is wanted is there."""
        return self.decisions / self.wanted if self.wanted else 0.0


async def show(request: Request) -> Response:
    """The campaigns, or where to log in."""
    desk = Desk(request)
    person = await desk.call(desk.known, "coordinator")
    if person is None:
        return login_page(desk)
    desk.person = person
    rows = desk.sorted(await desk.call(campaigns, desk.service), COLUMNS, first="-created")
    preparations = await desk.call(desk.service.store.preparations)
    return desk.render("desk/campaigns.html", rows=rows, preparations=preparations)


def campaigns(service: Service) -> list[Row]:
    """Every campaign with how far it is."""
    known = {one.campaign: one for one in service.glances()}
    # one that is made in between is there the next time
    return [_row(one, known[one.name]) for one in service.store.campaigns() if one.name in known]


def _row(found: Campaign, glance: Glance) -> Row:
    states = [phase.state for phase in found.phases if phase.phase == "evaluation"]
    return Row(
        name=found.name,
        title=found.title or found.name,
        state="started" if "started" in states else max(set(states), key=states.count),
        decisions=glance.done,
        wanted=glance.wanted,
        judges=glance.judges,
        last=glance.last,
        created=found.created,
    )


routes = [Route("/", show)]
