"""Forms that browsers send, and logins at a limited rate."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException

from jurat.campaigns.auth import Refused
from jurat.web.context import Visit
from jurat.web.security import LARGEST, refuse_foreign, refuse_large

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
    # read before it is known whether the form is ours: the key is one of its fields
    try:
        form = await visit.request.form(max_files=files, max_part_size=largest)
    # a field in an encoding that it is not in, or that nobody knows
    except (UnicodeDecodeError, LookupError) as error:
        raise HTTPException(400) from error
    try:
        refuse_foreign(visit, str(form.get(KEY, "")))
    except HTTPException:
        # deletes the temporary files of uploads now, and not when the garbage is collected
        await form.close()
        raise
    return form


async def try_login(visit: Visit, attempt: Any, *arguments: Any, **options: Any) -> Any:
    """Call a login, no sooner than the rate limit allows; a `Refused` counts as a failure."""
    address = await turn(visit)
    try:
        return await visit.call_hashing(attempt, *arguments, **options)
    except Refused:
        # here on the event loop, not in the thread of the attempt: the counters have no lock
        visit.service.rate_limit.count(address)
        raise


async def limited(visit: Visit, attempt: Any, *arguments: Any) -> Any:
    """Call something as costly as a login, no sooner than the rate limit allows; always counts."""
    # counted before the call, since it is costly also if it succeeds
    visit.service.rate_limit.count(await turn(visit))
    return await visit.call_hashing(attempt, *arguments)


async def turn(visit: Visit) -> str:
    """Wait as long as the rate limit says; the address whose failures are to be counted."""
    client = visit.request.client
    address = client.host if client else ""
    # on the event loop, so that delayed attempts do not occupy the threads that judges need
    await asyncio.sleep(visit.service.rate_limit.delay(address).total_seconds())
    return address
