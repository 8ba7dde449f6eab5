"""What all handlers share: the site (service, keys, templates, caches) and the visit."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import cache, lru_cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from math import inf
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from jinja2 import ChoiceLoader, Environment, FunctionLoader, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from jurat.cache import BoundedCache
from jurat.campaigns import Service
from jurat.campaigns.auth import HASHES_AT_ONCE
from jurat.campaigns.service_context import AGING, FRESH
from jurat.i18n import Language, languages, preferred, with_minus
from jurat.model import TestSet
from jurat.protocols import Protocol
from jurat.protocols.localization import in_language
from jurat.report.svg.style import figure_style
from jurat.store import Account, StoreFault
from jurat.web.error_messages import answer_problem
from jurat.web.highlight import Highlighter, marked
from jurat.web.html_text import direction, exact
from jurat.web.known_devices import KnownDevices
from jurat.web.logs import ErrorLog
from jurat.web.module_imports import imported_modules
from jurat.web.question_files import static_question_files, template_source
from jurat.web.render_step import Frame, draw, texts
from jurat.web.sessions import Keys, Session, cookies_in, is_current

if TYPE_CHECKING:
    from jurat.campaigns.monitoring.mail import MailServer
    from jurat.web.judge.step_form import Form

# Entries of each cache of page fragments: texts are shown to several judges, forms at every step.
PARTS = 4096
# Requests that can wait for the disk at the same time, and so share one flush of it.
THREADS = 32
# Logins that wait for their password to be hashed, 30 ms each; more are turned away for a moment.
HASHES_WAITING = 300
# Seconds for which the result of a health check is valid.
HEALTH_SECONDS = 1.0
LANGUAGE = "language"
SHADING = "shading"
TEXT_SIZE = "text-size"
# The sizes of the texts that are judged, from small to large; the second is the usual one.
TEXT_SIZES = ("s", "m", "l", "xl")


def stay() -> None:
    """The `settle` of servers in tests, which need no tuning of garbage collection."""


class Health:
    """The health check, at most once a second: anybody may ask, and each check is a write."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._lock = Lock()
        self._checked = -inf
        self._fault: StoreFault | None = None

    def check_writable(self) -> None:
        """Raise `StoreFault` where nothing can be stored; for a thread."""
        with self._lock:
            if monotonic() - self._checked >= HEALTH_SECONDS:
                try:
                    self._service.check_writable()
                    self._fault = None
                except StoreFault as fault:
                    self._fault = fault
                self._checked = monotonic()
        if self._fault is not None:
            raise self._fault


class Site:
    """The application over one service."""

    def __init__(
        self,
        service: Service,
        *,
        secure: bool,
        mail_server: MailServer | None,
        settle: Callable[[], None],
        root_path: str = "",
    ) -> None:
        self.service = service
        self.root_path = root_path
        """What precedes every address where a proxy serves the site under a path, as `/jurat`."""
        self.desk = f"{root_path}/desk/"
        """The path of the coordinators' pages that belong to no campaign."""
        self.settle = settle
        """Called after a campaign was loaded, whose objects stay."""
        self.mail_server = mail_server
        """For reminders; None if the server cannot send email."""
        self.secure = secure
        """Whether cookies go over HTTPS only."""
        self.keys = Keys(service.secret(), root_path)
        self._looked_up: set[str] = set()
        """Campaigns that a thread is reloading now."""
        self.known: set[str] = set()
        """Campaigns that exist and have been loaded."""
        # apart from Starlette's threads, in which campaigns are loaded for the first time
        self.threads = ThreadPoolExecutor(THREADS, thread_name_prefix="jurat")
        # passwords are hashed apart from the threads that judges' requests need
        self.hash_threads = ThreadPoolExecutor(HASHES_AT_ONCE, thread_name_prefix="hash")
        self.hashes_waiting = 0
        self.health = Health(service)
        self.store_errors = ErrorLog()
        self.devices = KnownDevices(service.secret(), service.clock, self.desk)
        """Browsers of coordinators, whom a lock does not keep out."""
        self.parts: BoundedCache[Markup] = BoundedCache(PARTS)
        """Rendered texts by their content."""
        self.frames: BoundedCache[Frame] = BoundedCache(PARTS)
        self.forms: BoundedCache[Form] = BoundedCache(PARTS)
        """Unanswered forms by task, stage and language."""
        self.shaders: dict[str, tuple[TestSet, Highlighter]] = {}
        """By campaign; kept as long as the campaign has this test set, which never changes."""
        self.templates = _environment()
        self.templates.globals |= {
            "asset": self.asset,
            "desk": self.desk,
            "draw": draw,
            "imported_modules": cache(lambda script: imported_modules(script, static_files())),
            "root_path": root_path,
            "texts": texts,
        }

    def serves(self, campaign: str) -> bool:
        """Whether a campaign is ready for requests, and was not found to be deleted since."""
        return campaign in self.known and self.service.campaigns.is_loaded(campaign)

    def asset(self, name: str) -> str:
        """The address of a static file; it changes with the files: browsers cache it for ever."""
        return f"{self.root_path}/static/{edition()}/{name}"

    def campaign_path(self, campaign: str) -> str:
        """The path of a campaign's pages."""
        return f"{self.root_path}{_place(campaign)}"

    async def look_up(self, campaign: str) -> None:
        """Load a campaign, and reload it when it may have changed; raises `NoSuchCampaign`.

        Both happen in a thread; a campaign that is only slightly old is served meanwhile.
        """
        # this runs on the event loop at every request: the usual case only compares two times
        age = self.service.campaigns.age(campaign)
        if campaign not in self.known or age >= FRESH:
            await run_in_threadpool(self.get_ready, campaign)
        elif age >= AGING:
            self.get_ready_soon(campaign)

    def get_ready(self, campaign: str) -> None:
        """Load a campaign and count the words of its references for highlighting; for a thread."""
        if self.service.campaigns.refreshed_plan(campaign).shading:
            test_set = self.service.campaigns.test_set(campaign)
            known = self.shaders.get(campaign)
            # another set where the campaign was deleted, and one of the same name was created
            if known is None or known[0] is not test_set:
                segments = test_set.segments()
                texts = [text for _, one in segments for text in one.references.values()]
                # two threads may do this at once, and then store equal objects
                self.shaders[campaign] = (test_set, Highlighter(texts))
        if campaign not in self.known:
            self.known.add(campaign)
            # only the first time, since a full garbage collection stops all requests
            self.settle()

    def get_ready_soon(self, campaign: str) -> None:
        """Reload a campaign in the background, unless that is under way already."""
        if campaign not in self._looked_up:
            self._looked_up.add(campaign)
            done = self.threads.submit(self.get_ready, campaign)
            done.add_done_callback(lambda _: self._looked_up.discard(campaign))


class Visit:
    """One request: who asks, in which campaign, in which language."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.site: Site = request.app.state.site
        self.service: Service = self.site.service
        """The campaigns."""
        asked: str = request.path_params.get("campaign", "")
        # pages about errors are also made for campaigns that do not exist, or are not loaded
        self.campaign = asked if self.site.serves(asked) else ""
        self.place = _place(self.campaign)
        """The path that the session is for, without the site's own."""
        self.path = f"{self.site.root_path}{self.place}"
        """The path of the campaign's pages."""
        # a dict is quicker than Starlette's headers, which search a list for each name; of a
        # repeated header it has the last, and browsers repeat none of those that are read
        self._headers: dict[bytes, bytes] = dict(request.scope["headers"])
        self.cookies = cookies_in(self.header(b"cookie"))
        self._found = self.site.keys.read(self.cookies, place=self.place)
        self.session = self._found.session if self._found else Session.new(self.place)
        self.language = self._language()

    def header(self, name: bytes) -> str:
        """A header of the request, empty if missing; the name is in lower case."""
        return self._headers.get(name, b"").decode("latin-1")

    @property
    def cache_key(self) -> tuple[str, datetime]:
        """The campaign, told apart from a deleted one that had the same name."""
        return self.campaign, self.service.campaigns.created(self.campaign)

    @property
    def form_key(self) -> str:
        """The key that every form of this visitor has to contain."""
        return self.site.keys.form_key(self.session)

    @property
    def preferences_path(self) -> str:
        """Where to send display preferences, with the form key of this session."""
        # at the session's own path: a site coordinator's form key is not that of the campaign
        return f"{self.site.root_path}{self.session.place}look"

    @property
    def back(self) -> str:
        """This page's address, to return to it after a form."""
        query = self.request.scope["query_string"].decode("latin-1")
        path = quote(self.request.scope["path"])
        return f"{path}?{query}" if query and self.request.method == "GET" else path

    @property
    def shading(self) -> bool:
        """Whether the judge wants matching words highlighted."""
        return self.cookies.get(SHADING) != "off"

    @property
    def text_size(self) -> str:
        """The size of the texts that the judge has chosen."""
        chosen = self.cookies.get(TEXT_SIZE, "")
        return chosen if chosen in TEXT_SIZES else "m"

    @property
    def text_sizes(self) -> tuple[str, str]:
        """The next smaller and the next larger size; the same where there is none."""
        here = TEXT_SIZES.index(self.text_size)
        return TEXT_SIZES[max(here - 1, 0)], TEXT_SIZES[min(here + 1, len(TEXT_SIZES) - 1)]

    async def account(self) -> Account | None:
        """Who is logged in, looked up in a thread."""
        found: Account | None = await self.call(self.admitted)
        return found

    def admitted(self) -> Account | None:
        """Who is logged in; None if their password has changed since or the account is disabled."""
        found = self.service.accounts.by_id(self.campaign, self.session.account)
        return found if found and self.recognises(found) else None

    def recognises(self, account: Account) -> bool:
        """Whether the account is not disabled and its password is still that of the session."""
        return is_current(self.session, account)

    async def call(self, function: Any, *arguments: Any, **options: Any) -> Any:
        """Call the service in a thread, since it waits for the disk."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self.site.threads, partial(function, *arguments, **options)
        )

    async def call_hashing(self, function: Any, *arguments: Any, **options: Any) -> Any:
        """Call what hashes a password, in a thread of its own; 503 where too many are waiting."""
        if self.site.hashes_waiting >= HASHES_WAITING:
            raise HTTPException(503, headers={"Retry-After": "10"})
        self.site.hashes_waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(
                self.site.hash_threads, partial(function, *arguments, **options)
            )
        finally:
            self.site.hashes_waiting -= 1

    def shader(self) -> Highlighter | None:
        """What highlights matching words; None if the campaign does not want it.

        Judges who do not want it switch it off in the page, without a request.
        """
        wanted = self.service.campaigns.plan(self.campaign).shading
        found = self.site.shaders.get(self.campaign) if wanted else None
        return found[1] if found else None

    def protocol(self, task: str) -> Protocol:
        """A task's protocol in the words of the judge's language."""
        return in_language(self.service.campaigns.protocol(self.campaign, task), self.language.code)

    def task_title(self, task: str) -> str:
        """What pages call a task: its protocol, with its own name where several have that one."""
        campaigns = self.service.campaigns
        tasks = [one.name for one in campaigns.plan(self.campaign).tasks]
        original = campaigns.protocol(self.campaign, task).title
        same = [t for t in tasks if campaigns.protocol(self.campaign, t).title == original]
        title = self.protocol(task).title
        return f"{title} ({task})" if len(same) > 1 else title

    def named(self, values: Mapping[str, str]) -> dict[str, str]:
        """Values for a sentence, with a task by the title that judges know it by."""
        return {n: self.task_title(v) if n == "task" else v for n, v in values.items()}

    def until(self, when: datetime) -> Markup:
        """When judging can continue; a script shows the time in the reader's time zone."""
        # The sentence is escaped with a placeholder in it and the element put there afterwards:
        # what is given to `say` would be escaped with the sentence.
        moment = Markup('<time datetime="{}">{}</time>')
        shown = moment.format(when.isoformat(), self.language.time(when))
        return escape(self.language.say("rest-until", time="{time}")).format(time=shown)

    def render(self, template: str, status: int = 200, **values: object) -> HTMLResponse:
        """A page for this visitor; a new browser gets its session cookie with it."""
        html = self.html(template, **values)
        response = HTMLResponse(html, status)
        response.headers["Content-Language"] = self.language.code
        # an error page sets no cookie either: it may answer a request that was sent before a login
        if (self._found is None or self._found.old) and status < 400 and self._navigates():
            self.remember(response, self.session)
        return response

    def html(self, template: str, **values: object) -> str:
        """A template filled in."""
        return self.site.templates.get_template(template).render(**self._given(), **values)

    def redirect(self, to: str) -> RedirectResponse:
        """Redirect to another page of this campaign, with GET."""
        return RedirectResponse(f"{self.path}{to}", status_code=303)

    def remember(self, response: Response, session: Session) -> None:
        """Set the session cookie."""
        self.site.keys.write(response, session, secure=self.site.secure)

    def _navigates(self) -> bool:
        """Whether a person opens this page, rather than a script that fetches it.

        Browsers say so on every secure connection; without one there is nothing to tell them apart.
        """
        # A script's request may have left before a login and be answered after it: a new session
        # in that answer would replace the login's cookie, and so log the judge out.
        return self.header(b"sec-fetch-mode") in ("", "navigate")

    def _given(self) -> Mapping[str, object]:
        return {
            "say": self.language.say,
            "language": self.language,
            "languages": languages(),
            "base": self.path,
            "form_key": self.form_key,
            "visit": self,
        }

    def _language(self) -> Language:
        wanted = self.cookies.get(LANGUAGE, "")
        accepted = self.header(b"accept-language")
        declared = self.service.campaigns.plan(self.campaign).language if self.campaign else ""
        return preferred(wanted, declared, accepted)


def _environment() -> Environment:
    """What renders the templates of pages and of question kinds."""
    made = Environment(
        loader=ChoiceLoader([PackageLoader("jurat.web"), FunctionLoader(template_source)]),
        autoescape=True,
        # a misspelt name raises an error instead of leaving a gap in the page
        undefined=StrictUndefined,
        auto_reload=False,  # it would check the template files at every request
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "direction": direction,
        "exact": exact,
        "marked": marked,
        "told": answer_problem,
        "with_minus": with_minus,
    }
    return made


@lru_cache
def _place(campaign: str) -> str:
    return f"/c/{quote(campaign)}/" if campaign else "/"


@cache
def edition() -> str:
    """A hash of all static files."""
    digest = hashlib.sha256()
    for name, content in sorted(static_files().items()):
        digest.update(name.encode() + b"\0" + content)
    return digest.hexdigest()[:12]


@cache
def static_files() -> dict[str, bytes]:
    """Every script and style by its name, read once."""
    own = _files_in(files("jurat.web").joinpath("static"), "")
    drawn = ("figures.css", figure_style().encode())
    return dict((*own, *static_question_files(), drawn))


def _files_in(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files_in(entry, f"{prefix}{entry.name}/")
        else:
            yield f"{prefix}{entry.name}", entry.read_bytes()
