"""Operations of the HTTP API: declared once, with their types, as routes and for OpenAPI."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import IO, Any, NamedTuple, TypeVar, get_type_hints

import msgspec
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from jurat.api_types import Pending, Scope
from jurat.campaigns.auth import Refused
from jurat.deserialize import struct_fields
from jurat.errors import input_error
from jurat.model import File
from jurat.store.api_tokens import ApiToken
from jurat.web.api.errors import NoScope
from jurat.web.context import Site, Visit
from jurat.web.coordinator.export import as_file
from jurat.web.forms import UPLOAD, turn
from jurat.web.security import refuse_large

ZIP = "application/zip"
# The type of uploads, besides a single zip.
FORM = "multipart/form-data"
MAX_FILES = 100
BEARER = "bearer "

Handler = TypeVar("Handler", bound=Callable[..., Any])


class Download(NamedTuple):
    """A response that is a file."""

    data: bytes | IO[bytes]
    name: str
    media_type: str
    headers: Mapping[str, str] = {}


class Operation(NamedTuple):
    """One operation: where it is, who may do it, what it takes and gives."""

    method: str
    path: str
    scope: Scope | None
    """None: any token will do."""
    handler: Callable[..., Any]
    types: Mapping[str, Any]
    """The handler's `body`, `query` and `return` types."""
    status: int
    media_type: str
    """Of a response that is a file; empty for JSON."""
    files: bool
    """Whether the body is uploaded files."""
    hashing: bool
    """Whether it hashes passwords, which takes long."""
    headers: Mapping[str, str]
    """Request headers, with what they say."""


class ApiCall(Visit):
    """One request of a script, after its token was checked."""

    token: ApiToken

    @property
    def author(self) -> str:
        """Who acts, as the audit log says it."""
        return f"{self.token.coordinator} ({self.token.name})"

    @property
    def pin(self) -> str:
        """The judge in the address."""
        return str(self.request.path_params["pin"])

    @property
    def draft(self) -> str:
        """The id of the draft in the address."""
        return str(self.request.path_params["draft"])

    @property
    def login_address(self) -> str:
        """The address at which judges of the campaign log in."""
        url = self.request.url
        return f"{url.scheme}://{url.netloc}{self.path}"


T = TypeVar("T")


def converted(record: object, kind: type[T]) -> T:
    """A record of the service as a type of the API, by the names of its fields."""
    return msgspec.convert(record, kind, from_attributes=True)


Kind = TypeVar("Kind", bound=msgspec.Struct)


def picked(record: object, kind: type[Kind], **others: object) -> Kind:
    """A type of the API with the fields of the same names of a record, and `others`."""
    names = [name for name in kind.__struct_fields__ if name not in others]
    return kind(**{name: getattr(record, name) for name in names}, **others)


def operation(
    method: str,
    path: str,
    scope: Scope | None,
    *,
    status: int = 200,
    media_type: str = "",
    files: bool = False,
    hashing: bool = False,
    headers: Mapping[str, str] | None = None,
) -> Callable[[Handler], Handler]:
    """A decorator: the handler of an operation, which is called in a thread.

    Its first argument is the `ApiCall`; `body` and `query`, where it has them, are what was sent,
    converted to their types. What it returns is the response, of the type that it declares.
    """

    def declare(handler: Handler) -> Handler:
        types = get_type_hints(handler, include_extras=True)
        made = Operation(
            method,
            path,
            scope,
            handler,
            types,
            status,
            media_type,
            files,
            hashing,
            headers or {},
        )
        OPERATIONS.append(made)
        return handler

    return declare


OPERATIONS: list[Operation] = []


def route(one: Operation) -> Route:
    """An operation as a route."""

    async def endpoint(request: Request) -> Response:
        call = await _admitted(request, one)
        given = await _arguments(call, one)
        run = call.call_hashing if one.hashing else call.call
        return _response(await run(one.handler, call, **given), one)

    endpoint.operation = one  # type: ignore[attr-defined]
    return Route(one.path, endpoint, methods=[one.method])


async def _admitted(request: Request, one: Operation) -> ApiCall:
    """The call, if its token is valid and has the scope, and its campaign exists."""
    visit = Visit(request)
    said = visit.header(b"authorization")
    if not said.lower().startswith(BEARER):
        raise HTTPException(401)
    address = await turn(visit)
    try:
        token = await visit.call(visit.service.api_tokens.admit, said[len(BEARER) :].strip())
    except Refused as error:
        visit.service.rate_limit.count(address)
        raise HTTPException(401) from error
    if one.scope is not None and one.scope not in token.scopes:
        raise NoScope(one.scope)
    # PostgreSQL raises an error for zero bytes and lone surrogates in a query
    if not request.scope["path"].isprintable():
        raise HTTPException(404)
    site: Site = visit.site
    if "campaign" in request.path_params:
        await site.look_up(request.path_params["campaign"])
    call = ApiCall(request)
    call.token = token
    return call


async def _arguments(call: ApiCall, one: Operation) -> dict[str, Any]:
    """What was sent, as the handler's arguments."""
    given: dict[str, Any] = {}
    if "query" in one.types:
        given["query"] = _query(call, one.types["query"])
    if one.files:
        given["body"] = await _uploaded(call)
    elif "body" in one.types:
        refuse_large(call)
        given["body"] = _decoded(await call.request.body(), one.types["body"])
    return given


def _query(call: ApiCall, kind: Any) -> Any:
    """The parameters of the address; one that may be repeated is a list."""
    sent = call.request.query_params
    known = struct_fields(kind)
    for name in sent:
        if name not in known:
            raise input_error(f"there is no parameter '{name}'", field=name, allowed=known)
    plain = {
        name: sent.getlist(name) if _is_list(known[name].type) else sent[name] for name in sent
    }
    return _checked(lambda: msgspec.convert(plain, kind, strict=False))


def _is_list(kind: Any) -> bool:
    return getattr(kind, "__origin__", None) is tuple


def _decoded(data: bytes, kind: Any) -> Any:
    return _checked(lambda: msgspec.json.decode(data, type=kind))


def _checked(convert: Callable[[], Any]) -> Any:
    """What a conversion returns; what is wrong with the input is an `InputError`."""
    try:
        return convert()
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at `$.")
        raise input_error(message, field=place.removesuffix("`") or None) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise HTTPException(400) from error


async def _uploaded(call: ApiCall) -> list[File]:
    """The files of a form, or a zip that is the whole body."""
    refuse_large(call, UPLOAD)
    kind = call.header(b"content-type").partition(";")[0].strip().lower()
    if kind == ZIP:
        return [File("campaign.zip", await call.request.body())]
    if kind != FORM:
        raise HTTPException(415)
    try:
        async with call.request.form(max_files=MAX_FILES, max_part_size=UPLOAD) as form:
            sent = [part for _, part in form.multi_items() if isinstance(part, UploadFile)]
            found = [File(part.filename or "", await part.read()) for part in sent]
    except (UnicodeDecodeError, LookupError) as error:
        raise HTTPException(400) from error
    if not found:
        raise input_error("no file was sent", field="files")
    return found


def _response(answer: object, one: Operation) -> Response:
    if isinstance(answer, Download):
        made = as_file(answer.data, answer.name, answer.media_type)
        made.headers.update(answer.headers)
        return made
    if answer is None:
        return Response(status_code=204)
    pending = isinstance(answer, Pending)
    headers = {"Retry-After": "2"} if pending else None
    return Response(
        msgspec.json.encode(answer),
        202 if pending else one.status,
        headers,
        "application/json",
    )
