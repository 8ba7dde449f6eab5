"""What all pages of coordinators and adjudicators share: who asks, sorting, results, wording."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from math import inf
from typing import Any, Literal, NamedTuple, TypeVar
from urllib.parse import urlencode

from msgspec.structs import replace
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from jurat.campaigns.monitoring.attention import Remark
from jurat.campaigns.monitoring.cached_results import CachedValue, Value
from jurat.errors import InputError, Problem
from jurat.i18n import DEFAULT, with_minus
from jurat.kits.audit_findings import Finding
from jurat.report.result_texts import result_table
from jurat.results import decimals
from jurat.web.context import Visit
from jurat.web.coordinator.charts import caption, chart
from jurat.web.coordinator.translated_findings import finding
from jurat.web.error_messages import Message, finding_message, problem_message
from jurat.web.forms import KEY
from jurat.web.sessions import is_current

Row = TypeVar("Row")
Role = Literal["coordinator", "adjudicator"]
# Where the session of a site's coordinator holds: at every address.
SITE_PATH = "/"
SORT = "sort"
# The field of a form whose question was answered with yes.
SURE = "sure"
MORE_THAN = "more-than"
# Seconds that a page waits for the first comparison of all judgments.
COMPARING = 0.5


# The pages of a campaign that the menu lists, in groups: the first page of each names its group.
PAGE_GROUPS: Mapping[str, Mapping[str, str]] = {
    "": {
        "": "desk-page-front",
        "progress": "desk-page-progress",
        "progress/timeline": "desk-timeline",
    },
    "results": {
        "results": "desk-page-results",
        "results/heat-map": "desk-heat-map",
        "export": "desk-page-export",
    },
    "judges": {"judges": "desk-page-judges", "messages": "desk-messages"},
    "segments": {"segments": "desk-page-segments", "flags": "desk-flagged-items"},
    "adjudication": {"adjudication": "desk-page-adjudication"},
    "settings": {"settings": "desk-page-settings", "log": "desk-page-log"},
}
# The group of every page by the first part of its address.
GROUP_OF = {
    **{page.partition("/")[0]: group for group, pages in PAGE_GROUPS.items() for page in pages},
    "judge": "judges",
    "system": "results",
}


class Person(NamedTuple):
    """The coordinator or adjudicator who is logged in."""

    name: str
    """As in the audit log."""
    site: bool
    """Whether they see every campaign, rather than one."""


class StaffVisit(Visit):
    """A request by a coordinator or an adjudicator."""

    person: Person

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        if not self.session.account and self.campaign:
            # nobody in this campaign, but perhaps a coordinator of the whole site
            found = self.site.keys.read(self.cookies, place=SITE_PATH)
            if found and found.session.role == "coordinator":
                self._found, self.session = found, found.session

    def known(self, role: Role) -> Person | None:
        """Who asks, if they have this role and their password is still the same; else None."""
        # coordinators see the judges' answers, adjudicators must not: nobody is both in one session
        if self.session.place == SITE_PATH:
            return self._of_site() if role == "coordinator" else None
        account = self.admitted()
        return Person(account.pin, site=False) if account and account.role == role else None

    def _of_site(self) -> Person | None:
        found = self.service.coordinators.by_id(self.session.account)
        # the cookie itself cannot be revoked: every request checks the account behind it
        if found is None or not is_current(self.session, found):
            return None
        return Person(found.name, site=True)

    @property
    def base(self) -> str:
        """The path of this campaign's coordinator pages."""
        return f"{self.path}desk/"

    @property
    def min_difference(self) -> float | None:
        """By how much judgments must differ to be adjudicated; None: as the protocol says."""
        try:
            said = float(self.request.query_params.get(MORE_THAN, ""))
        except ValueError:
            return None
        # the comparison is also false for `nan`, which `float` accepts
        return said if 0 <= said < inf else None

    @property
    def login_address(self) -> str:
        """The address at which judges log in, with its host."""
        # as the coordinator reached the server, since it does not know its own public address
        url = self.request.url
        return f"{url.scheme}://{url.netloc}{self.path}"

    def redirect_to_page(self, page: str) -> RedirectResponse:
        """Redirect to another coordinator page of this campaign, after a form was handled."""
        return RedirectResponse(f"{self.base}{page}", status_code=303)

    def redirect_to(self, address: str) -> RedirectResponse:
        """Redirect to another address of this site."""
        return RedirectResponse(address, status_code=303)

    def sorted(
        self, rows: Iterable[Row], columns: Mapping[str, Callable[[Row], Any]], *, first: str
    ) -> Sequence[Row]:
        """The rows in the order of `?sort=-pace`, by default of `first`; missing values last."""
        asked = self.request.query_params.get(SORT, first)
        name = asked.removeprefix("-")
        of = columns.get(name, columns[first.removeprefix("-")])
        every = list(rows)
        # sorted apart, since None cannot be compared, and last in either direction
        known = [row for row in every if of(row) is not None]
        known.sort(key=of, reverse=asked.startswith("-"))
        return [*known, *(row for row in every if of(row) is None)]

    def address(self, **changed: str | None) -> str:
        """This page's address with some parameters changed, or removed where None."""
        kept = {n: v for n, v in self.request.query_params.multi_items() if n not in changed}
        new = {n: v for n, v in changed.items() if v is not None}
        query = urlencode({**kept, **new})
        return f"?{query}" if query else self.request.url.path

    def format_number(self, value: float | None) -> str:
        """A number with a sensible number of decimals, in the reader's language; – for None."""
        if value is None:
            return "–"
        return self.language.decimal(value, decimals(float(value)))

    def problem_message(self, fault: Problem, *, placed: bool = True) -> Message:
        """A problem in words; with `placed=False` without the field, where that is obvious."""
        return problem_message(fault, self.language, placed=placed)

    def finding_message(self, finding: Finding) -> Message:
        """A finding of an audit in words; in a campaign, its task goes by its title."""
        if self.campaign and finding.task:
            finding = replace(finding, task=self.task_title(finding.task))
        return finding_message(finding, self.language)

    async def results(
        self, lookup: Callable[..., CachedValue[Value]], *arguments: object
    ) -> CachedValue[Value]:
        """A result of this campaign from the cache, by one of the methods of `CachedResults`."""
        # a status request only asks how far the computation is, and must not wait for it
        timeout = 0.0 if self.wants_status else None
        cached: CachedValue[Value] = await self.call(
            lookup, self.campaign, *arguments, timeout=timeout
        )
        return cached

    async def results_of(
        self, lookup: Callable[..., CachedValue[Value]], *arguments: object
    ) -> CachedValue[Value]:
        """Like `results`, for something named in the address; 404 if it does not exist."""
        try:
            return await self.results(lookup, *arguments)
        except InputError as error:
            raise HTTPException(404) from error

    @property
    def wants_status(self) -> bool:
        """Whether a page's script asks how far the computation is, not for the page again."""
        # the page and its status have the same address, which is safe as neither is ever cached
        return self.header(b"accept") == "application/json"

    def render_results(
        self, template: str, cached: CachedValue[Any], status: int = 200, **values: object
    ) -> Response:
        """A page of computed results, or its status as a small JSON object for the script."""
        if self.wants_status:
            return JSONResponse(cached.status())
        given = {"table_of": result_table, "chart": chart, **values}
        return self.render(template, status, cached=cached, view=cached.value, **given)

    def refuse(
        self,
        faults: Sequence[Problem],
        findings: Sequence[Finding] = (),
        *,
        anyway: FormData | None = None,
    ) -> Response:
        """A page with status 422 that lists the problems and findings that led to the refusal.

        `anyway` is the form that can be sent again with a reason, where that is possible.
        """
        told = [*map(self.problem_message, faults), *map(self.finding_message, findings)]
        sent = anyway.multi_items() if anyway else ()
        fields = [(n, v) for n, v in sent if isinstance(v, str) and n not in (KEY, "anyway")]
        # only too few judges, where more can register: that is reason enough
        mended = anyway and all(one.short and one.severity != "error" for one in findings)
        return self.render(
            "coordinator/not-possible.html",
            422,
            told=told,
            fields=fields,
            reason=self.language.say("desk-anyway-registration") if mended else "",
        )

    def confirm(
        self,
        form: FormData,
        question: str,
        button: str,
        *,
        back: str,
        notes: Sequence[str] = (),
        ask: str = "",
        template: str = "coordinator/confirm.html",
    ) -> Response:
        """A page that asks whether something is meant, and sends the form again with `SURE`.

        All arguments but the form are texts; `back` is an address, and `ask` the name of a field
        that the page asks for as well.
        """
        sent = [(n, v) for n, v in form.multi_items() if isinstance(v, str)]
        fields = [(n, v) for n, v in sent if n not in (KEY, SURE, ask)]
        return self.render(
            template,
            question=question,
            button=button,
            back=back,
            notes=notes,
            fields=fields,
            ask=ask,
            asked=dict(sent).get(ask, ""),
            address=self.request.url.path,
        )

    def remark_text(self, remark: Remark) -> str:
        """A remark on a judge or campaign in the reader's language; a task goes by its title."""
        values = self.named({n: str(v) for n, v in remark.values.items() if n == "task"})
        others = {n: v for n, v in remark.values.items() if n != "task"}
        return self.language.say(f"desk-remark-{remark.code}", **values, **others)

    def caption(self, text: str) -> Message:
        """The title of a chart in the reader's language, else in English."""
        said = caption(text, self.language.code)
        return Message(text, DEFAULT) if said is None else Message(said, self.language.code)

    def finding(self, text: str) -> Message:
        """A finding of the statistics in the reader's language, else in English."""
        said = finding(text, self.language)
        return (
            Message(with_minus(text), DEFAULT)
            if said is None
            else Message(said, self.language.code)
        )

    def sort_link(self, column: str) -> str:
        """The address that sorts by a column, descending if it is already ascending."""
        asked = self.request.query_params.get(SORT, "")
        return self.address(**{SORT: f"-{column}" if asked == column else column})

    def page_number(self) -> int:
        """The page of a long list that the address asks for; 1 where it says nothing sensible."""
        said = self.request.query_params.get("page", "1")
        return max(1, int(said)) if said.isdecimal() and len(said) < 7 else 1

    def _given(self) -> Mapping[str, object]:
        """Every page of a campaign knows its plan, for the title and the menu."""
        plan: dict[str, object] = {"page_groups": PAGE_GROUPS}
        if self.campaign:
            plan["plan"] = self.service.campaigns.plan(self.campaign)
        return {**super()._given(), **plan}

    def page_group(self, page: str) -> str:
        """The group of the menu to which a page of the campaign belongs."""
        return GROUP_OF.get(page.partition("/")[0], "")

    def sort_state(self, column: str) -> str:
        """The value of `aria-sort` for a column."""
        asked = self.request.query_params.get(SORT, "")
        if asked.removeprefix("-") != column:
            return "none"
        return "descending" if asked.startswith("-") else "ascending"


Handler = Callable[[StaffVisit], Awaitable[Response]]
Endpoint = Callable[[Request], Awaitable[Response]]


def for_role(role: Role) -> Callable[[Handler], Endpoint]:
    """A decorator: only people of this role reach the handler, others are sent to the login."""

    def guard(handler: Handler) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            visit = StaffVisit(request)
            person = await visit.call(visit.known, role)
            if person is None:
                return _refused(visit)
            visit.person = person
            return await handler(visit)

        endpoint.role = role  # type: ignore[attr-defined]
        return endpoint

    return guard


coordinators = for_role("coordinator")
adjudicators = for_role("adjudicator")


def _refused(visit: StaffVisit) -> Response:
    """403 for people of another role; the login page for those who are not logged in."""
    # a form is not redirected to the login: it would be lost without a word
    if visit.session.account or visit.request.method != "GET":
        raise HTTPException(403)
    return visit.redirect("") if visit.campaign else visit.redirect_to(visit.site.desk)
