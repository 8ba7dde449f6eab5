"""Display preferences: the language of pages, and highlighting of matching words."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from jurat.i18n import languages
from jurat.web.context import LANGUAGE, SHADING, Visit
from jurat.web.forms import sent_form

YEAR = 31_536_000


async def save_preferences(request: Request) -> Response:
    """Store preferences in cookies, for all campaigns in this browser, and go back."""
    visit = Visit(request)
    form = await sent_form(visit)
    back = str(form.get("back", ""))
    # only our own pages: a crafted form must not redirect to another site
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
