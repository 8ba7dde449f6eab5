"""What all pages of coordinators share: who asks, where he is, and how tables are sorted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from math import inf
from typing import Any, Literal, NamedTuple, TypeVar
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from jurat.faults import Fault
from jurat.kits.findings import Finding
from jurat.results import decimals
from jurat.speaking import DEFAULT
from jurat.store import NoSuchCoordinator
from jurat.web.captions import caption
from jurat.web.coordinator.complaints import Complaint, complaint, remark
from jurat.web.sessions import Found, stamp
from jurat.web.site import Visit

Row = TypeVar("Row")
Role = Literal["coordinator", "adjudicator"]
HOME = "/"
"""Where the session of a site's coordinator holds: at every address."""
SORT = "sort"
APART = "more-than"


class Person(NamedTuple):
    """Who is at the desk."""

    name: str
    """As the audit log calls him."""
    site: bool
    """Whether he sees every campaign, rather than one."""


class Desk(Visit):
    """A request of a coordinator's, or of an adjudicator's."""

    person: Person

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        if not self.session.account and self.campaign:
            self._take(self.site.keys.read(self.cookies, place=HOME))

    def _take(self, found: Found | None) -> None:
        """Be who the browser is at all addresses, where it is nobody in this campaign."""
        if found and found.session.role == "coordinator":
            self._found, self.session = found, found.session

    def known(self, role: Role) -> Person | None:
        """Who it is, if he is there in that role and his secrets are still the same."""
        if self.session.place == HOME:
            return self._of_site() if role == "coordinator" else None
        account = self.admitted()
        return Person(account.pin, site=False) if account and account.role == role else None

    def _of_site(self) -> Person | None:
        if not self.session.account:
            return None
        try:
            found = self.service.store.coordinator(self.session.account)
        except NoSuchCoordinator:
            return None
        fresh = stamp(found) == self.session.stamp and not found.disabled
        return Person(found.name, site=True) if fresh else None

    @property
    def base(self) -> str:
        """Where this campaign's pages of the desk are."""
        return f"{self.path}desk/"

    @property
    def apart(self) -> float | None:
        """How far judgments have to differ, if the address says it; else the protocol does."""
        try:
            said = float(self.request.query_params.get(APART, ""))
        except ValueError:
            return None
        return said if 0 <= said < inf else None

    def to(self, page: str) -> RedirectResponse:
        """Go on at another page of the desk; what was sent is not sent again."""
        return RedirectResponse(f"{self.base}{page}", status_code=303)

    def away(self, address: str) -> RedirectResponse:
        """Go on elsewhere on this site."""
        return RedirectResponse(address, status_code=303)

    def sorted(
        self, rows: Iterable[Row], columns: Mapping[str, Callable[[Row], Any]], *, first: str
    ) -> Sequence[Row]:
        """The rows as the address says (`?sort=-pace`), else by the first; what is missing last."""
        asked = self.request.query_params.get(SORT, first)
        name = asked.removeprefix("-")
        of = columns.get(name, columns[first.removeprefix("-")])
        every = list(rows)
        known = [row for row in every if of(row) is not None]
        known.sort(key=of, reverse=asked.startswith("-"))
        return [*known, *(row for row in every if of(row) is None)]

    def address(self, **changed: str | None) -> str:
        """This page with other choices: what is None is left out, the rest stays."""
        kept = {n: v for n, v in self.request.query_params.multi_items() if n not in changed}
        new = {n: v for n, v in changed.items() if v is not None}
        query = urlencode({**kept, **new})
        return f"?{query}" if query else self.request.url.path

    def measured(self, value: float | None) -> str:
        """A measured number in as many decimals as one reads, as this language writes it."""
        if value is None:
            return "–"
        return self.language.decimal(value, decimals(float(value)))

    def told(self, fault: Fault, *, placed: bool = True) -> Complaint:
        """What is wrong, in words; not `placed`, where one sees what it is about."""
        return complaint(fault, self.language, placed=placed)

    def found(self, finding: Finding) -> Complaint:
        """What an audit says, in words."""
        return remark(finding, self.language)

    def caption(self, text: str) -> Complaint:
        """What stands above a chart, in words."""
        said = caption(text, self.language.code)
        return Complaint(text, DEFAULT) if said is None else Complaint(said, self.language.code)

    def turned(self, column: str) -> str:
        """The address that sorts by a column, or the other way round where it does so already."""
        asked = self.request.query_params.get(SORT, "")
        return self.address(**{SORT: f"-{column}" if asked == column else column})

    def sorting(self, column: str) -> str:
        """How a column is sorted now, in the words of `aria-sort`."""
        asked = self.request.query_params.get(SORT, "")
        if asked.removeprefix("-") != column:
            return "none"
        return "descending" if asked.startswith("-") else "ascending"


Handler = Callable[[Desk], Awaitable[Response]]
Endpoint = Callable[[Request], Awaitable[Response]]


def for_role(role: Role) -> Callable[[Handler], Endpoint]:
    """Make a handler that only people of a role reach; others are led to where one logs in."""

    def guard(handler: Handler) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            desk = Desk(request)
            person = await desk.call(desk.known, role)
            if person is None:
                return _refused(desk)
            desk.person = person
            return await handler(desk)

        endpoint.role = role  # type: ignore[attr-defined]
        return endpoint

    return guard


coordinators = for_role("coordinator")
adjudicators = for_role("adjudicator")


def _refused(desk: Desk) -> Response:
    """Whoever is somebody else is told so; whoever is nobody yet can log in."""
    if desk.session.account or desk.request.method != "GET":
        raise HTTPException(403)
    return desk.redirect("") if desk.campaign else RedirectResponse("/desk/", status_code=303)
