"""The accounts of a campaign: made in bulk, printed once, grouped, reset, kept out, accepted."""

from __future__ import annotations

import secrets
from base64 import b64encode
from collections.abc import Callable
from typing import get_args

import segno
from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns.accounts import Slip, slips_csv
from jurat.faults import FaultyInput
from jurat.store import Account, AccountsMade, Login
from jurat.store.records import Role
from jurat.web.coordinator.desk import Desk, coordinators
from jurat.web.forms import sent_form
from jurat.web.sessions import stamp

MOST = 500
"""Accounts at once: a password's hash takes its time."""
LONGEST = 100
ROLES = tuple(role for role in get_args(Role) if role != "guest")
COLUMNS: dict[str, Callable[[Account], object]] = {
    "pin": lambda one: one.pin,
    "role": lambda one: one.role,
    "group": lambda one: one.group or None,
    "site": lambda one: one.site or None,
    "seen": lambda one: one.seen_at,
}


class Renewed(Exception):
    """Somebody's password is not the one any more that the page was made with."""


@coordinators
async def show(desk: Desk) -> Response:
    """Everybody who has an account."""
    return await _page(desk)


@coordinators
async def add(desk: Desk) -> Response:
    """Make accounts; what is handed to the judges is shown this once.

    A form that is sent again, as by whoever loads the slips again, makes no more of them.
    """
    form = await sent_form(desk)
    once = str(form.get("once", ""))
    if not once:
        raise HTTPException(400)
    said = str(form.get("count", ""))
    count = int(said) if said.isdecimal() and len(said) < 5 else 0
    if not 1 <= count <= MOST:
        return await _page(desk, 422, problem=desk.language.say("desk-count", most=MOST))
    try:
        slips = await desk.call(
            desk.service.accounts.add,
            desk.campaign,
            count,
            author=desk.person.name,
            role=_role(form),
            group=_text(form, "group"),
            site=_text(form, "site"),
            once=once,
        )
    except AccountsMade:
        return await _page(desk, 409, problem=desk.language.say("desk-made-already"))
    return handed(desk, slips)


@coordinators
async def change(desk: Desk) -> Response:
    """Do what a button beside an account says."""
    form = await sent_form(desk)
    pin, action = str(form.get("pin", "")), str(form.get("action", ""))
    try:
        slip = await desk.call(_change, desk, action, pin, form)
    except Renewed:
        return await _page(desk, 409, problem=desk.language.say("desk-renewed-already", pin=pin))
    except FaultyInput as error:
        return await _page(desk, 422, problem=desk.told(error.faults[0]).words)
    return handed(desk, [slip]) if slip else desk.to("judges")


def _change(desk: Desk, action: str, pin: str, form: FormData) -> Slip | None:
    accounts, campaign, author = desk.service.accounts, desk.campaign, desk.person.name
    if action == "reset":
        refuse_renewed(accounts.by_pin(campaign, pin), form)
        return accounts.reset(campaign, pin, author=author)
    if action in ("disable", "enable"):
        accounts.disable(campaign, pin, author=author, disabled=action == "disable")
    elif action == "accept":
        accounts.accept(campaign, pin, author=author)
    elif action == "place":
        group, site = _text(form, "group"), _text(form, "site")
        accounts.place(campaign, pin, author=author, group=group, site=site)
    else:
        raise HTTPException(400)
    return None


def refuse_renewed(account: Login, form: FormData) -> None:
    """Give no other password to whoever has just got one: his slip may be printed by now."""
    if stamp(account) != form.get("stamp"):
        raise Renewed


def handed(desk: Desk, slips: list[Slip]) -> Response:
    """Slips as pages to print, and all of them as one file; there is no second time."""
    address = _address(desk)
    content = slips_csv(slips, address=address)
    return desk.render(
        "desk/slips.html",
        plan=desk.service.plan(desk.campaign),
        slips=slips,
        address=address,
        code=square(address),
        # the file travels with the page: the server does not know the passwords any more
        file=f"data:text/csv;base64,{b64encode(content).decode()}",
        file_name=f"{desk.campaign}-slips.csv",
    )


def square(address: str) -> Markup:
    """An address as a code that a telephone reads."""
    drawn = segno.make(address, error="m").svg_inline(omitsize=True, border=4)
    return Markup(drawn)  # noqa: S704


def _address(desk: Desk) -> str:
    url = desk.request.url
    return f"{url.scheme}://{url.netloc}{desk.path}"


def _role(form: FormData) -> str:
    role = str(form.get("role", "judge"))
    if role not in ROLES:
        raise HTTPException(400)
    return role


def _text(form: FormData, name: str) -> str:
    return " ".join(str(form.get(name, "")).replace("\0", "").split())[:LONGEST]


async def _page(desk: Desk, status: int = 200, *, problem: str = "") -> Response:
    every = await desk.call(desk.service.store.judges, desk.campaign)
    wanted = desk.request.query_params.get("role", "")
    rows = [one for one in every if wanted in ("", one.role)]
    return desk.render(
        "desk/judges.html",
        status,
        plan=desk.service.plan(desk.campaign),
        accounts=desk.sorted(rows, COLUMNS, first="pin"),
        waiting=[one for one in every if one.pending and not one.disabled],
        roles=ROLES,
        role=wanted,
        problem=problem,
        most=MOST,
        once=secrets.token_urlsafe(16),
        stamp=stamp,
    )


routes = [
    Route("/judges", show, methods=["GET"]),
    Route("/judges", change, methods=["POST"]),
    Route("/judges/add", add, methods=["POST"]),
]
