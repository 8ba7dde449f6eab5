"""Where judges differ: what an adjudicator is asked to settle, and what is settled."""

from __future__ import annotations

from typing import NamedTuple

from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns import Service
from jurat.campaigns.contests import Contest
from jurat.campaigns.watching.live import Live, Seen
from jurat.campaigns.watching.settled_view import SettledView
from jurat.protocols import Protocol
from jurat.web.answering import spoken
from jurat.web.coordinator.desk import Desk, coordinators

MOST = 100
"""Items of a task on the page, those that judges differ about most."""


class Queue(NamedTuple):
    """A task: how many of its items wait, how many are settled, and the worst of them."""

    task: str
    protocol: Protocol
    apart: float
    """How far judgments have to differ."""
    open: int
    settled: int
    contests: list[Contest]


@coordinators
async def show(desk: Desk) -> Response:
    """Every task with the items that wait for an adjudicator."""
    more_than = desk.apart
    queues = await desk.call(queued, desk, more_than)
    near = await desk.call(nearness, desk) if any(one.settled for one in queues) else None
    roles = [one.role for one in await desk.call(desk.service.store.judges, desk.campaign)]
    return desk.render(
        "desk/adjudication.html",
        plan=desk.service.plan(desk.campaign),
        queues=queues,
        apart=more_than,
        adjudicators=roles.count("adjudicator"),
        spoken=spoken,
        near=near,
    )


def nearness(desk: Desk) -> Seen[SettledView]:
    """How far each judge agrees with what was settled; computed beside the judges' path."""
    live: Live = desk.site.live
    return live.settled(desk.campaign)


def queued(desk: Desk, more_than: float | None) -> list[Queue]:
    """The tasks of a campaign in their order."""
    service: Service = desk.service
    settled = service.store.adjudications(desk.campaign)
    return [
        _queue(desk, task.name, more_than, len({_place(s) for s in settled if s.task == task.name}))
        for task in service.plan(desk.campaign).tasks
    ]


def _queue(desk: Desk, task: str, more_than: float | None, settled: int) -> Queue:
    found = desk.service.contested(desk.campaign, task, more_than=more_than)
    protocol = desk.protocol(task)
    apart = protocol.tolerance if more_than is None else more_than
    return Queue(task, protocol, apart, len(found), settled, found[:MOST])


def _place(one: object) -> tuple[object, ...]:
    return tuple(getattr(one, name) for name in ("task", "phase", "kit", "index"))


routes = [Route("/adjudication", show)]
