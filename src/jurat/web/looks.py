"""How somebody likes to see the pages: the language, and whether matching words are shaded."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from jurat.web.forms import sent_form
from jurat.web.languages import languages
from jurat.web.site import LANGUAGE, SHADING, Visit

YEAR = 31_536_000


async def look(request: Request) -> Response:
    """Keep what somebody chose, on this device and for all evaluations."""
    visit = Visit(request)
    form = await sent_form(visit)
    back = str(form.get("back", ""))
    # only a page of ours: whoever sends somebody here cannot send him on elsewhere
    own = back.startswith(visit.path) and not back.startswith("//") and "\\" not in back
    response = RedirectResponse(back if own else visit.path, status_code=303)
    for name, allowed in ((LANGUAGE, languages()), (SHADING, ("on", "off"))):
        if form.get(name) in allowed:
            response.set_cookie(
                name,
                str(form[name]),
                max_age=YEAR,
                path="/",
                secure=visit.site.secure,
                httponly=True,
                samesite="lax",
            )
    return response
