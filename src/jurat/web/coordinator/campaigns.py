"""All campaigns side by side, and those in preparation."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns import Service
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
    return [_row(service, one.name) for one in service.store.campaigns()]


def _row(service: Service, name: str) -> Row:
    found, progress = service.store.campaign(name), service.store.progress(name)
    evaluated = [phase for phase in progress.phases if phase.phase == "evaluation"]
    states = [phase.state for phase in evaluated]
    seen = [tally.last for tally in progress.judges if tally.last]
    return Row(
        name=name,
        title=found.title or name,
        state="started" if "started" in states else max(set(states), key=states.count),
        decisions=sum(phase.decisions for phase in evaluated),
        wanted=sum(phase.wanted_decisions for phase in evaluated),
        judges=len({tally.judge for tally in progress.judges if tally.decisions}),
        last=max(seen, default=None),
        created=found.created,
    )


routes = [Route("/", show)]
