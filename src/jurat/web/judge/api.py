"""What the page's script asks for: steps ahead and behind, decisions stored, drafts kept."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from jurat.campaigns import Rest, Screen, Submission
from jurat.conversion import decode
from jurat.faults import FaultyInput
from jurat.store import (
    Account,
    AlreadyDecided,
    KitGone,
    NotYours,
    OutOfTurn,
    PhaseNotStarted,
    StoreBusy,
    StoreFailed,
    StoreFull,
    StoreUnreachable,
)
from jurat.web.drawing import draw
from jurat.web.forms import sent_json
from jurat.web.judge.steps import Step
from jurat.web.languages import languages
from jurat.web.site import Visit
from jurat.web.telling import all_told

Kind = TypeVar("Kind")
Endpoint = Callable[[Request], Awaitable[Response]]
MOST_AHEAD = 50
"""Steps that a browser keeps, so that judging goes on without a connection."""
OUT_OF_ORDER = (StoreBusy, StoreFailed, StoreFull, StoreUnreachable)
"""Troubles of ours: the answer is none the worse for them, and is sent again."""


class Sent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A decision as the script sends it; times in seconds of the browser's own steady clock."""

    assignment: str
    position: int
    answers: dict[str, object]
    revision: int = 1
    """From 2 it stands in the place of an earlier decision."""
    language: str = ""
    """Of the page on which it was decided."""
    active: float | None = None
    """How long the page was in front while the step was on it."""
    elapsed: float | None = None
    """From the step's showing to the decision."""
    waited: float | None = None
    """From the decision until now, where it could not be sent at once."""
    have: tuple[str, ...] = ()
    """Steps that the browser has already."""
    go_on: bool = False


class Draft(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Answers that a judge has begun."""

    assignment: str
    position: int
    answers: dict[str, object]


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """Who is logged in on this device."""

    owner: str
    """Opaque; what a browser keeps for a judge is kept under it."""


class Shown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A step or a rest for the page."""

    key: str
    html: str = ""
    """Nothing where the browser has it."""
    rest: bool = False


class Stored(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of a decision, and what comes next."""

    saved: bool
    problem: str = ""
    """`elsewhere`: it was decided otherwise, in another window; `gone`: the kit is not his any
    more; `early`: one before it is missing; `shut`: not now; `refused`: never like this."""
    reason: str = ""
    faults: dict[str, str] = {}
    next: Shown | None = None


def in_thread(answer: Callable[[Visit, bytes], Response]) -> Endpoint:
    """A handler that waits for the disk, beside the event loop: one change of threads a request."""

    async def endpoint(request: Request) -> Response:
        visit = Visit(request)
        body = await sent_json(visit) if request.method in ("POST", "PUT") else b""
        response: Response = await visit.call(answer, visit, body)
        return response

    return endpoint


@in_thread
def me(visit: Visit, _: bytes) -> Response:
    """Whom the next answers would be stored for: others may have logged in on this device."""
    return _json(Me(owner=_judge(visit).id))


@in_thread
def step(visit: Visit, _: bytes) -> Response:
    """Where the judge is now."""
    go_on = visit.request.query_params.get("go-on") == "1"
    found = visit.service.next(visit.campaign, _judge(visit).id, go_on=go_on)
    return _json(_shown(visit, found))


@in_thread
def look_back(visit: Visit, _: bytes) -> Response:
    """A step that the judge has decided and may change."""
    found = visit.service.look_back(visit.campaign, _judge(visit).id, *_place(visit))
    return _json(_shown(visit, found)) if found.changeable else Response(status_code=409)


@in_thread
def ahead(visit: Visit, _: bytes) -> Response:
    """The steps of the kit after this one, as far as they may be known."""
    judge = _judge(visit).id
    screens: Sequence[Screen]
    try:
        screens = visit.service.ahead(visit.campaign, judge, *_place(visit), most=MOST_AHEAD)
    except OutOfTurn:  # decisions before it are still on their way
        screens = ()
    return _json([_shown(visit, screen) for screen in screens])


async def decide(request: Request) -> Response:
    """Store a decision; the answer says that it is on disk, and what comes next.

    It is what judges ask for all the time, so it goes to the disk without a change of threads.
    """
    visit = Visit(request)
    sent = _read(await sent_json(visit), Sent)
    judge = visit.session.account
    if not judge:
        raise HTTPException(401)
    try:
        if sent.revision > 1:
            await visit.call(_revise, visit, sent)
            after = None
        else:
            given = (visit.campaign, judge, _submission(visit, sent))
            admit = _recognised(visit)
            after = await visit.service.submit_soon(*given, go_on=sent.go_on, admit=admit)
    except OUT_OF_ORDER:
        raise
    except FaultyInput as error:
        refused: Response = await visit.call(_refused, visit, sent, error)
        return refused
    if after is None:
        after = await visit.call(_next, visit, sent)
    return _json(Stored(saved=True, next=_shown(visit, after, sent.have)))


@in_thread
def draft(visit: Visit, body: bytes) -> Response:
    """Keep what a judge has begun, for any device that he goes on with."""
    judge = _judge(visit).id
    begun = _read(body, Draft)
    place = (begun.assignment, begun.position)
    try:
        visit.service.keep_draft(visit.campaign, judge, *place, begun.answers)
    except (AlreadyDecided, OutOfTurn, KitGone, NotYours):
        return Response(status_code=409)
    return Response(status_code=204)


def _place(visit: Visit) -> tuple[str, int]:
    asked = visit.request.path_params
    return asked["assignment"], asked["position"]


def _revise(visit: Visit, sent: Sent) -> None:
    """Put a decision in the place of an earlier one."""
    given = (visit.campaign, _judge(visit).id, _submission(visit, sent))
    visit.service.revise(*given, revision=sent.revision)


def _next(visit: Visit, sent: Sent) -> Screen | Rest:
    return visit.service.next(visit.campaign, visit.session.account, go_on=sent.go_on)


def _recognised(visit: Visit) -> Callable[[Account], None]:
    """Refuses somebody whose login is no longer good."""

    def admit(account: Account) -> None:
        if not visit.recognises(account):
            raise HTTPException(401)

    return admit


def _submission(visit: Visit, sent: Sent) -> Submission:
    return Submission(
        assignment=sent.assignment,
        position=sent.position,
        answers=sent.answers,
        active_seconds=sent.active,
        elapsed_seconds=sent.elapsed,
        waited_seconds=sent.waited,
        language=sent.language if sent.language in languages() else visit.language.code,
    )


def _refused(visit: Visit, sent: Sent, error: FaultyInput) -> Response:
    """What became of a decision that cannot be stored; whose login has ended learns that first."""
    judge = _judge(visit).id
    if isinstance(error, PhaseNotStarted):
        return _json(Stored(saved=False, problem="shut", reason=error.reason), 409)
    if isinstance(error, AlreadyDecided | OutOfTurn | KitGone | NotYours):
        # the judge goes on where he is
        after = _shown(visit, _next(visit, sent), sent.have)
        return _json(Stored(saved=False, problem=_problem(error, sent), next=after), 409)
    seen = visit.service.look_back(visit.campaign, judge, sent.assignment, sent.position)
    faults = all_told(error.faults, visit.protocol(seen.task).questions, visit.language)
    return _json(Stored(saved=False, problem="refused", faults=faults), 422)


def _problem(error: FaultyInput, sent: Sent) -> str:
    if isinstance(error, KitGone | NotYours):
        return "gone"
    early = isinstance(error, OutOfTurn) and sent.revision == 1 and sent.position > error.expected
    return "early" if early else "elsewhere"


def _judge(visit: Visit) -> Account:
    account = visit.admitted()
    if account is None:
        raise HTTPException(401)
    return account


def _shown(visit: Visit, found: Screen | Rest, have: Sequence[str] = ()) -> Shown:
    if isinstance(found, Rest):
        return Shown(key="rest", html=visit.html("parts/rest.html", rest=found), rest=True)
    shown = Step(visit, found)
    if shown.key in have:
        return Shown(key=shown.key)
    return Shown(key=shown.key, html=str(draw(visit, shown)))


def _read(body: bytes, kind: type[Kind]) -> Kind:
    try:
        return decode(body, kind)
    except msgspec.DecodeError as error:
        raise HTTPException(400) from error


def _json(value: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")
