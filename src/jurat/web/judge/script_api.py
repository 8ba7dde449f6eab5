"""JSON for the judging page's script: next and earlier steps, decisions, unfinished answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from jurat.campaigns import Outcome, Rest, Screen, Submission
from jurat.deserialize import decode
from jurat.i18n import languages
from jurat.store import (
    Account,
    AlreadyDecided,
    KitGone,
    NotYours,
    OutOfTurn,
    StoreBusy,
    StoreFailed,
    StoreFull,
    StoreUnreachable,
)
from jurat.web.context import Visit
from jurat.web.error_messages import answer_problems
from jurat.web.forms import HEADER
from jurat.web.judge.step_form import StepForm
from jurat.web.render_step import draw
from jurat.web.security import refuse_foreign, refuse_large

Kind = TypeVar("Kind")
Endpoint = Callable[[Request], Awaitable[Response]]
# Steps that a browser loads ahead, so that judging continues without a connection.
MOST_AHEAD = 50
# What follows the last step of a kit: the judge decides whether to begin another.
AFTER_KIT = {"key": "rest", "to": "between", "rest": True}
# Failures of the server, not of the answer: the script sends it again.
OUT_OF_ORDER = (StoreBusy, StoreFailed, StoreFull, StoreUnreachable)


class DecisionRequest(Submission, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A decision as the script sends it."""

    revision: Annotated[int, msgspec.Meta(ge=1)] = 1
    """1 for the first decision; higher numbers replace an earlier one."""
    have: tuple[str, ...] = ()
    """Keys of steps that the browser has already."""
    go_on: bool = False


class SavedAnswers(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Unfinished answers, as the script sends them."""

    assignment: str
    position: int
    answers: dict[str, object]


def in_thread(answer: Callable[[Visit, bytes], Response]) -> Endpoint:
    """Make a handler that waits for the disk run in a thread, with one switch per request."""

    async def endpoint(request: Request) -> Response:
        visit = Visit(request)
        body = await _body(visit) if request.method in ("POST", "PUT") else b""
        response: Response = await visit.call(answer, visit, body)
        return response

    return endpoint


@in_thread
def me(visit: Visit, _: bytes) -> Response:
    """The account that answers are stored for, since others may have logged in on this device.

    It is an opaque id, under which the browser keeps the judge's decisions and steps.
    """
    return _json({"owner": _judge(visit).id})


@in_thread
def step(visit: Visit, _: bytes) -> Response:
    """The judge's current step, or why there is none."""
    go_on = visit.request.query_params.get("go-on") == "1"
    found = visit.service.judging.next(visit.campaign, _judge(visit).id, go_on=go_on)
    return _json(_shown(visit, found))


@in_thread
def look_back(visit: Visit, _: bytes) -> Response:
    """A step that the judge has decided and may change."""
    found = visit.service.judging.look_back(visit.campaign, _judge(visit).id, *_place(visit))
    return _json(_shown(visit, found)) if found.changeable else Response(status_code=409)


@in_thread
def ahead(visit: Visit, _: bytes) -> Response:
    """The next steps of the kit, up to the next break."""
    judge = _judge(visit).id
    screens: Sequence[Screen]
    try:
        screens = visit.service.judging.ahead(
            visit.campaign, judge, *_place(visit), most=MOST_AHEAD
        )
    except OutOfTurn:  # decisions before it are still on their way
        screens = ()
    return _json([_shown(visit, screen) for screen in screens])


async def decide(request: Request) -> Response:
    """Store a decision; the response confirms that it is on disk and contains the next step.

    This is the most frequent request, so it is handed to the store without a switch of threads.
    """
    visit = Visit(request)
    sent = _read(await _body(visit), DecisionRequest)
    # only what the cookie says; the store checks the account within the decision's transaction,
    # which saves a query here
    if not visit.session.account:
        raise HTTPException(401)
    # the script sends the language that the page was in when it was answered, perhaps offline
    if sent.language not in languages():
        sent = msgspec.structs.replace(sent, language=visit.language.code)
    outcome = await visit.service.judging.decide(
        visit.campaign,
        visit.session.account,
        sent,
        is_logged_in=visit.recognises,
    )
    if outcome.refused:
        refused: Response = await visit.call(_refused, visit, sent, outcome)
        return refused
    # within a kit, the store returns the next step from the same transaction; before a pause it
    # takes more queries, in a thread; after a kit the browser opens a page that tells what is next,
    # and after a practice item one with the expected answers
    if outcome.next is not None:
        return _json({"saved": True, "next": _shown(visit, outcome.next, sent.have)})
    if outcome.decision is not None and outcome.decision.practice:
        shown = f"practice/{sent.assignment}/{sent.position}"
        return _json({"saved": True, "next": {"key": "rest", "to": shown, "rest": True}})
    if outcome.decision is not None and outcome.decision.finished:
        return _json({"saved": True, "next": AFTER_KIT})
    return _json({"saved": True, "next": await visit.call(_next, visit, sent)})


@in_thread
def save_answers(visit: Visit, body: bytes) -> Response:
    """Save unfinished answers, for any device on which the judge continues."""
    judge = _judge(visit).id
    begun = _read(body, SavedAnswers)
    place = (begun.assignment, begun.position)
    try:
        visit.service.judging.save_answers(visit.campaign, judge, *place, begun.answers)
    # Decided or taken back on another device: nothing is left to be continued.
    except (AlreadyDecided, OutOfTurn, KitGone, NotYours):
        return Response(status_code=409)
    return Response(status_code=204)


def _place(visit: Visit) -> tuple[str, int]:
    asked = visit.request.path_params
    return asked["assignment"], asked["position"]


def _next(visit: Visit, sent: DecisionRequest) -> dict[str, object]:
    found = visit.service.judging.next(visit.campaign, visit.session.account, go_on=sent.go_on)
    return _shown(visit, found, sent.have)


def _refused(visit: Visit, sent: DecisionRequest, outcome: Outcome) -> Response:
    """The response to a decision that was not stored; 401 if the login has ended."""
    # whoever has been logged out is told so, whatever else is wrong with the decision
    judge = _judge(visit)
    if outcome.refused == "login":
        raise HTTPException(401)
    told: dict[str, object] = {"saved": False, "problem": outcome.refused}
    if outcome.refused == "shut":
        return _json(told | ({"reason": outcome.reason} if outcome.reason else {}), 409)
    if outcome.refused == "invalid":
        questions = visit.protocol(outcome.task).questions if outcome.task else {}
        faults = answer_problems(outcome.problems, questions, visit.language)
        return _json(told | {"faults": faults}, 422)
    # the judge goes on where they are
    after = visit.service.judging.next(visit.campaign, judge.id, go_on=sent.go_on)
    return _json(told | {"next": _shown(visit, after, sent.have)}, 409)


def _judge(visit: Visit) -> Account:
    account = visit.admitted()
    if account is None:
        raise HTTPException(401)
    return account


def _shown(visit: Visit, found: Screen | Rest, have: Sequence[str] = ()) -> dict[str, object]:
    """A step or a break as JSON; without its HTML if the browser has that already."""
    if isinstance(found, Rest):
        return {"key": "rest", "html": visit.html("parts/rest.html", rest=found), "rest": True}
    shown = StepForm(visit, found)
    # steps were sent ahead: the browser only needs to know that this one is next
    if shown.key in have:
        return {"key": shown.key}
    return {"key": shown.key, "html": str(draw(visit, shown))}


async def _body(visit: Visit) -> bytes:
    """The body of a script's request; 403 if it comes from another site, 413 if it is too long."""
    refuse_large(visit)
    refuse_foreign(visit, visit.header(HEADER))
    body, more = b"", True
    while more:
        message = await visit.request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body


def _read(body: bytes, kind: type[Kind]) -> Kind:
    try:
        return decode(body, kind)
    except msgspec.DecodeError as error:
        raise HTTPException(400) from error


def _json(value: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")
