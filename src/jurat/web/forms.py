"""Forms that browsers send: their origin, size and rate are checked."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException

from jurat.campaigns.auth import Refused
from jurat.web.context import Visit
from jurat.web.security import LARGEST

KEY = "form_key"
HEADER = b"x-form-key"
# Bytes of a form with files; a test set of a hundred systems is smaller.
UPLOAD = 256 << 20


async def sent_form(visit: Visit) -> FormData:
    """The fields of a form; 403 if it did not come from one of our pages, 413 if it is too long."""
    return await _form(visit, files=0, largest=LARGEST)


async def sent_files(visit: Visit, *, files: int = 100, largest: int = UPLOAD) -> FormData:
    """A form with uploaded files, which only coordinators send."""
    return await _form(visit, files=files, largest=largest)


async def _form(visit: Visit, *, files: int, largest: int) -> FormData:
    refuse_large(visit, largest)
    form = await visit.request.form(max_files=files, max_part_size=largest)
    try:
        refuse_foreign(visit, str(form.get(KEY, "")))
    except HTTPException:
        await form.close()
        raise
    return form


def refuse_foreign(visit: Visit, key: str) -> None:
    """403 for a request without the session's form key, as another site would send it."""
    if not visit.site.keys.is_form_key(visit.session, key):
        raise HTTPException(403)


def refuse_large(visit: Visit, largest: int = LARGEST) -> None:
    """413 for a body that is too long, 411 if its length is not given."""
    said = visit.header(b"content-length")
    if not said.isdecimal():
        raise HTTPException(411)
    if len(said) > 12 or int(said) > largest:
        raise HTTPException(413)


async def try_login(visit: Visit, attempt: Any, *arguments: Any) -> Any:
    """Call a login, no sooner than the rate limit allows; a `Refused` counts as a failure."""
    address = await _turn(visit)
    try:
        return await visit.call(attempt, *arguments)
    except Refused:
        visit.service.rate_limit.count(address)
        raise


async def limited(visit: Visit, attempt: Any, *arguments: Any) -> Any:
    """Call what costs the server as much as a login, and counts as a failed one."""
    visit.service.rate_limit.count(await _turn(visit))
    return await visit.call(attempt, *arguments)


async def _turn(visit: Visit) -> str:
    client = visit.request.client
    address = client.host if client else ""
    await asyncio.sleep(visit.service.rate_limit.delay(address).total_seconds())
    return address
