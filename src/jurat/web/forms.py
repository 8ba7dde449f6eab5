"""Forms and scripts that ask for something: only from pages that we gave to this browser."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException

from jurat.web.context import Visit
from jurat.web.security import LARGEST

KEY = "form_key"
HEADER = b"x-form-key"
# Bytes of a form with files: a test set of a hundred systems is smaller.
UPLOAD = 256 << 20


async def sent_form(visit: Visit) -> FormData:
    """What a form of ours says; a form from elsewhere is refused."""
    return await _form(visit, files=0, largest=LARGEST)


async def sent_files(visit: Visit, *, files: int = 100, largest: int = UPLOAD) -> FormData:
    """The same with files in it, which only coordinators send."""
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
    """Refuse what another site made this browser send."""
    if not visit.site.keys.is_form_key(visit.session, key):
        raise HTTPException(403)


def refuse_large(visit: Visit, largest: int = LARGEST) -> None:
    """Refuse what is longer than any answer, and what does not say how long it is."""
    said = visit.header(b"content-length")
    if not said.isdecimal():
        raise HTTPException(411)
    if len(said) > 12 or int(said) > largest:
        raise HTTPException(413)
