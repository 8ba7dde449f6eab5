"""Forms and scripts that ask for something: only from pages that we gave to this browser."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request

from jurat.web.security import LARGEST
from jurat.web.site import Visit

KEY = "form_key"
HEADER = "x-form-key"


async def sent_form(visit: Visit) -> FormData:
    """What a form of ours says; a form from elsewhere is refused."""
    refuse_large(visit.request)
    form = await visit.request.form(max_files=0, max_part_size=LARGEST)
    refuse_foreign(visit, str(form.get(KEY, "")))
    return form


async def sent_json(visit: Visit) -> bytes:
    """What a script of ours sends."""
    refuse_large(visit.request)
    refuse_foreign(visit, visit.request.headers.get(HEADER, ""))
    return await visit.request.body()


def refuse_foreign(visit: Visit, key: str) -> None:
    """Refuse what another site made this browser send."""
    if not visit.site.keys.is_form_key(visit.session, key):
        raise HTTPException(403)


def refuse_large(request: Request) -> None:
    """Refuse what is longer than any answer, and what does not say how long it is."""
    said = request.headers.get("content-length", "")
    if not said.isdecimal():
        raise HTTPException(411)
    if len(said) > 9 or int(said) > LARGEST:
        raise HTTPException(413)
