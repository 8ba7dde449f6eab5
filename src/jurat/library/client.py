"""`jurat.connect`: a client of the HTTP API of a server, for coordinators' scripts."""

from __future__ import annotations

import io
import mimetypes
import secrets
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import msgspec

from jurat.api_types import (
    Action,
    AuditReport,
    CampaignDetails,
    CampaignProgress,
    CampaignSummary,
    ChangedKits,
    ChangedPhase,
    Error,
    ErrorDetails,
    Flagged,
    JudgeAccount,
    JudgeChange,
    KitChange,
    LogEntry,
    LoginSlip,
    NewJudges,
    NewMessage,
    PhaseChange,
    ProblemItem,
    ResultList,
    SentMessage,
    TokenInfo,
)
from jurat.api_types.adjudication import AdjudicatedJudge, AdjudicationTask
from jurat.api_types.drafts import DraftDetails, DraftSummary, NewDraft
from jurat.api_types.reminders import DueReminder, RemindedJudges, RemindJudges
from jurat.api_types.segments import SegmentDetails, SegmentPage
from jurat.library.remote_draft import RemoteDraft

if TYPE_CHECKING:
    from jurat.library.data import Data

T = TypeVar("T")
# Seconds until a request is given up.
TIMEOUT = 60.0
# Seconds between two questions whether results are computed.
POLL = 1.0
JSON, ZIP = "application/json", "application/zip"


class ApiError(Exception):
    """The server refused a request; the message is the server's."""

    def __init__(self, status: int, details: ErrorDetails) -> None:
        super().__init__(details.message)
        self.status = status
        """The HTTP status; 0 where the server was not reached."""
        self.code = details.code
        self.problems: Sequence[ProblemItem] = details.problems
        """All that is wrong with what was sent, each with its place."""


class _NoRedirect(HTTPRedirectHandler):
    """The token must not go to another address."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Server:
    """A Jurat server; made by `jurat.connect`."""

    def __init__(self, url: str, token: str, *, timeout: float = TIMEOUT) -> None:
        if urlsplit(url).scheme not in ("http", "https"):
            raise ValueError(f"expected the address of a server, such as https://…, got {url!r}")
        self._base = f"{url.rstrip('/')}/api/v1"
        self._token = token
        self._timeout = timeout
        self._open = build_opener(_NoRedirect).open

    def __repr__(self) -> str:
        return f"Server({self._base.removesuffix('/api/v1')!r})"

    def token(self) -> TokenInfo:
        """The token: its scopes, and until when it is valid."""
        return self.get("/token", TokenInfo)

    def campaigns(self) -> list[CampaignSummary]:
        """All campaigns, with how far they are."""
        return self.get("/campaigns", list[CampaignSummary])

    def campaign(self, name: str) -> RemoteCampaign:
        """A campaign by its name; it is looked up when it is first used."""
        return RemoteCampaign(self, name)

    def create(self, *files: str | Path) -> RemoteCampaign:
        """Create a campaign from campaign.yaml and its files, a zip of them, or an archive."""
        return RemoteCampaign(self, self.upload("/campaigns", files, CampaignDetails).name)

    def drafts(self) -> list[DraftSummary]:
        """All campaigns in preparation."""
        return self.get("/drafts", list[DraftSummary])

    def draft(self, draft: str) -> RemoteDraft:
        """A campaign in preparation by its id."""
        return RemoteDraft(self, draft)

    def new_draft(self, copy_of: str = "") -> RemoteDraft:
        """Begin to prepare a campaign: an empty one, or a copy."""
        made = self.change("POST", "/drafts", NewDraft(copy_of=copy_of), DraftDetails)
        return RemoteDraft(self, made.id)

    def upload(self, path: str, files: Sequence[str | Path], kind: type[T]) -> T:
        """Send files; what the server answers."""
        boundary = secrets.token_hex(16)
        body = b"".join(_part(boundary, Path(file)) for file in files)
        form = f"multipart/form-data; boundary={boundary}"
        sent = self.send("POST", path, body + f"--{boundary}--\r\n".encode(), form)
        return msgspec.json.decode(sent[0], type=kind)

    def change(self, method: str, path: str, body: object, kind: type[T]) -> T:
        """Send something as JSON; what the server answers."""
        data = b"" if body is None else msgspec.json.encode(body)
        return msgspec.json.decode(self.send(method, path, data)[0], type=kind)

    def computed(self, path: str, *, wait: float) -> bytes:
        """What the server computes, once it has; raises `TimeoutError` after `wait` seconds."""
        end = monotonic() + wait
        while True:
            body, _, status = self.send("GET", path)
            if status != 202:
                return body
            if monotonic() >= end:
                raise TimeoutError(f"results were not computed within {wait:g} seconds")
            sleep(POLL)

    def get(self, path: str, kind: type[T]) -> T:
        """Ask for something of this type."""
        return msgspec.json.decode(self.send("GET", path)[0], type=kind)

    def send(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        kind: str = JSON,
        headers: Mapping[str, str] | None = None,
    ) -> tuple[bytes, Mapping[str, str], int]:
        """The body, headers and status of a response; raises `ApiError`."""
        given = {"Authorization": f"Bearer {self._token}", **(headers or {})}
        if body is not None:
            given["Content-Type"] = kind
        request = Request(f"{self._base}{path}", body, given, method=method)  # noqa: S310
        try:
            with self._open(request, timeout=self._timeout) as answer:
                return answer.read(), dict(answer.headers.items()), answer.status
        except HTTPError as error:
            with error:
                raise ApiError(error.code, _details(error)) from error
        except URLError as error:
            reason = f"the server cannot be reached: {error.reason}"
            raise ApiError(0, ErrorDetails(code="unreachable", message=reason)) from error


def connect(url: str, token: str, *, timeout: float = TIMEOUT) -> Server:
    """A Jurat server, for scripts: `jurat.connect("https://jurat.example.org", "jurat_…")`.

    Its methods return typed objects, and raise `jurat.ApiError` with the server's words. Tokens
    are made on the page "Tokens for scripts" or by `jurat coordinators token add`.
    """
    return Server(url, token, timeout=timeout)


class RemoteCampaign:
    """A campaign on a server."""

    def __init__(self, server: Server, name: str) -> None:
        self._server = server
        self.name = name
        self._path = f"/campaigns/{quote(name, safe='')}"

    def __repr__(self) -> str:
        return f"<campaign {self.name!r} of {self._server!r}>"

    def details(self) -> CampaignDetails:
        """The campaign with its current configuration."""
        return self._get("", CampaignDetails)

    def update(self, **parameters: object) -> CampaignDetails:
        """Change parameters: `update(title="Spring", **{"tasks.1.wanted": 3})`."""
        return self._send("PATCH", "", parameters, CampaignDetails)

    def audit(self) -> AuditReport:
        """What would keep the campaign from being completed."""
        return self._get("/audit", AuditReport)

    def start(self, task: str | None = None, *, anyway: str = "") -> list[ChangedPhase]:
        """Open all tasks, or one, for judging; `anyway` says why, despite the audit's errors."""
        return self._phases("start", task, anyway=anyway)

    def stop(self, task: str | None = None, *, reason: str = "") -> list[ChangedPhase]:
        """Pause judging; judges read the reason."""
        return self._phases("stop", task, reason=reason)

    def close(self, task: str | None = None, *, reason: str = "") -> list[ChangedPhase]:
        """End judging for good."""
        return self._phases("close", task, reason=reason)

    def judges(self) -> list[JudgeAccount]:
        """All accounts of the campaign."""
        return self._get("/judges", list[JudgeAccount])

    def add_judges(self, count: int, **options: Any) -> list[LoginSlip]:
        """Create accounts; `role`, `group` and `site` are theirs. The slips are the only copy."""
        new = NewJudges(count=count, once=secrets.token_urlsafe(16), **options)
        return self._send("POST", "/judges", new, list[LoginSlip])

    def change_judge(self, pin: str, **changes: Any) -> JudgeAccount:
        """Change `group`, `site`, `note`, `address` or `disabled` of an account, or accept it."""
        return self._send("PATCH", f"/judges/{_quoted(pin)}", JudgeChange(**changes), JudgeAccount)

    def reset_judge(self, pin: str) -> LoginSlip:
        """A new password and link for an account; the old ones no longer work."""
        return self._send("POST", f"/judges/{_quoted(pin)}/password", None, LoginSlip)

    def change_kits(self, pin: str, action: str, *, reason: str, task: str | None = None) -> int:
        """`return`, `exclude` or `redo` a judge's kits; how many there were."""
        change = msgspec.convert(
            {"action": action, "reason": reason, "task": task}, KitChange, strict=True
        )
        return self._send("POST", f"/judges/{_quoted(pin)}/kits", change, ChangedKits).kits

    def progress(self) -> CampaignProgress:
        """How far the campaign and every judge are."""
        return self._get("/progress", CampaignProgress)

    def results(
        self, section: str = "", *, wait: float = TIMEOUT, **filters: str | Sequence[str]
    ) -> ResultList:
        """Results as the commands write them; waits up to `wait` seconds for them.

        Filters are `task`, `judges`, `without`, `documents`, `systems` and `where`. Raises
        `TimeoutError`.
        """
        given = {name: value for name, value in {"section": section, **filters}.items() if value}
        return self._computed("/results", ResultList, wait, given)

    def report(self, *, wait: float = TIMEOUT, **filters: str | Sequence[str]) -> bytes:
        """The report as one self-contained HTML page, with the filters of `results`."""
        path = f"{self._path}/report?{urlencode(filters, doseq=True)}"
        return self._server.computed(path, wait=wait)

    def segments(
        self,
        *,
        words: str = "",
        document: str = "",
        question: str = "",
        page: int = 1,
        wait: float = TIMEOUT,
    ) -> SegmentPage:
        """Segments with their scores, a hundred at a time, or those with some words."""
        given = {"words": words, "document": document, "question": question, "page": str(page)}
        return self._computed("/segments", SegmentPage, wait, given)

    def segment(self, document: str, segment: str = "", *, wait: float = TIMEOUT) -> SegmentDetails:
        """A segment, or a document: texts, every judgment and metric scores."""
        given = {"document": document, "segment": segment}
        return self._computed("/segment", SegmentDetails, wait, given)

    def adjudication(self, more_than: float | None = None) -> list[AdjudicationTask]:
        """Items on which judges differ by more than the protocol's tolerance, by task."""
        asked = "" if more_than is None else f"?more_than={more_than}"
        return self._get(f"/adjudication{asked}", list[AdjudicationTask])

    def adjudicated_agreement(self, *, wait: float = TIMEOUT) -> list[AdjudicatedJudge]:
        """How far each judge agrees with the adjudicators."""
        return self._computed("/adjudication/agreement", list[AdjudicatedJudge], wait, {})

    def reminders(self) -> list[DueReminder]:
        """The judges who need a reminder, with the text of an email."""
        return self._get("/reminders", list[DueReminder])

    def remind(self, *pins: str, by: Literal["mail", "hand"] = "mail") -> RemindedJudges:
        """Mail reminders to judges who are due, or log that the script has sent them (`hand`)."""
        return self._send("POST", "/reminders", RemindJudges(pins=pins, by=by), RemindedJudges)

    def questionnaires(self) -> list[dict[str, Any]]:
        """What judges said about themselves, a row for each answer."""
        return self._get("/questionnaires", list[dict[str, Any]])

    def delete_judge_data(self, pin: str) -> dict[str, int]:
        """Delete all data of a judge for good; how much there was of each kind."""
        return self._send("DELETE", f"/judges/{_quoted(pin)}/data", None, dict[str, int])

    def judgments(self, **options: Any) -> Data:
        """All judgments so far, for `jurat.agreement`, `jurat.systems` and the others.

        Options are those of `jurat.read`.
        """
        from jurat.library.data import read

        return read(self.tables(), **options)

    def tables(self) -> dict[str, Any]:
        """The long tables of all judgments as polars frames, by name."""
        import polars as pl

        with zipfile.ZipFile(io.BytesIO(self.export("parquet"))) as packed:
            names = [name for name in packed.namelist() if name.endswith(".parquet")]
            return {n.partition(".")[0]: pl.read_parquet(packed.read(n)) for n in names}

    def follow(self, after: int = 0) -> Iterator[dict[str, Any]]:
        """The rows of all decisions after a number, up to now; each row has its own `number`."""
        while True:
            body, headers, _ = self._server.send("GET", f"{self._path}/judgments?after={after}")
            yield from map(msgspec.json.decode, body.splitlines())
            reached = int({n.lower(): v for n, v in headers.items()}["x-cursor"])
            if reached == after:
                return
            after = reached

    def export(self, kind: str = "csv") -> bytes:
        """A zip of all judgments: `csv`, `jsonl`, `parquet`, or another tool's files."""
        return self._server.send("GET", f"{self._path}/export/{_quoted(kind)}")[0]

    def test_set(self) -> bytes:
        """The test set as JSON Lines."""
        return self._server.send("GET", f"{self._path}/test-set")[0]

    def messages(self) -> list[SentMessage]:
        """All messages to judges, the latest first."""
        return self._get("/messages", list[SentMessage])

    def send_message(self, text: str, *, to: str = "") -> None:
        """Show a text to the judge with a PIN, or to all, on their overview."""
        body = msgspec.json.encode(NewMessage(text=text, to=to))
        self._server.send("POST", f"{self._path}/messages", body)

    def flags(self) -> list[Flagged]:
        """What judges said about items themselves."""
        return self._get("/flags", list[Flagged])

    def log(self) -> list[LogEntry]:
        """The audit log, oldest first."""
        return self._get("/log", list[LogEntry])

    def archive(self) -> bytes:
        """The whole campaign, with accounts and judgments, as a file for `jurat campaign open`."""
        return self._server.send("GET", f"{self._path}/archive")[0]

    def delete(self, archive: str | Path) -> None:
        """Write the campaign's archive to a new file, and then delete the campaign."""
        data, headers, _ = self._server.send("GET", f"{self._path}/archive")
        # it holds hashes of passwords: "x" also refuses to replace an earlier archive
        with Path(archive).open("xb") as file:
            file.write(data)
        tag = {name.lower(): value for name, value in headers.items()}["etag"]
        self._server.send("DELETE", self._path, headers={"If-Match": tag})

    def _phases(
        self, action: Action, task: str | None, *, reason: str = "", anyway: str = ""
    ) -> list[ChangedPhase]:
        change = PhaseChange(action=action, task=task, reason=reason, anyway=anyway)
        return self._send("POST", "/phases", change, list[ChangedPhase])

    def _get(self, path: str, kind: type[T]) -> T:
        return self._server.get(f"{self._path}{path}", kind)

    def _send(self, method: str, path: str, body: object, kind: type[T]) -> T:
        return self._server.change(method, f"{self._path}{path}", body, kind)

    def _computed(
        self, path: str, kind: type[T], wait: float, given: Mapping[str, str | Sequence[str]]
    ) -> T:
        asked = f"{self._path}{path}?{urlencode(given, doseq=True)}"
        return msgspec.json.decode(self._server.computed(asked, wait=wait), type=kind)


_quoted = partial(quote, safe="")


def _details(error: HTTPError) -> ErrorDetails:
    """What the server says; a proxy in front of it may answer in its own way."""
    try:
        return msgspec.json.decode(error.read(), type=Error).error
    except (msgspec.MsgspecError, OSError):
        return ErrorDetails(code="error", message=f"the server answered {error.code}")


def _part(boundary: str, file: Path) -> bytes:
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    # quotes and line ends would end the header (RFC 7578)
    name = file.name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n'
    start = f"{head}Content-Type: {kind}\r\n\r\n".encode()
    return start + file.read_bytes() + b"\r\n"
