"""The OpenAPI document of the HTTP API, made from the declared operations and their types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin

import msgspec

from jurat import __version__
from jurat.api_types import Error, Pending
from jurat.web.api.operation import FORM, OPERATIONS, ZIP, Download, Operation

JSON = "application/json"
REFERENCE = "#/components/schemas/{name}"
PARAMETER = re.compile(r"{(\w+)}")
DESCRIPTION = """For scripts of coordinators. Every request needs a token, which coordinators make
under "Tokens" or with `jurat coordinators token add`, in the header `Authorization: Bearer`.
"""
FILES = {
    "type": "object",
    "properties": {
        "files": {"type": "array", "minItems": 1, "items": {"type": "string", "format": "binary"}}
    },
    "required": ["files"],
}
BINARY = {"type": "string", "format": "binary"}
STATUSES = {200: "What was asked for", 201: "Created", 202: "Not yet computed", 204: "Done"}


@cache
def document(root_path: str = "") -> bytes:
    """The document as JSON, for a server under this path."""
    types = [Error, *(kind for one in OPERATIONS for kind in _types(one))]
    schemas, components = msgspec.json.schema_components(types, ref_template=REFERENCE)
    known = list(zip(types, schemas, strict=True))
    paths: dict[str, dict[str, object]] = {}
    for one in OPERATIONS:
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one, known)
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {
                "title": "Jurat",
                "version": __version__,
                "description": DESCRIPTION,
            },
            "servers": [{"url": f"{root_path}/api/v1"}],
            "security": [{"token": []}],
            "paths": paths,
            "components": {
                "schemas": components,
                "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            },
        }
    )


KnownSchemas = list[tuple[Any, dict[str, Any]]]


def _types(one: Operation) -> list[Any]:
    """The types of an operation that have schemas of their own."""
    body = [] if one.files else [one.types.get("body")]
    return [kind for kind in (*body, *_returned(one).values()) if kind is not None]


def _returned(one: Operation) -> Mapping[int, Any]:
    """What is returned, by status; None for nothing, and for files."""
    kind = one.types["return"]
    if kind is type(None):
        return {one.status: None}
    several = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    return {
        202 if each is Pending else one.status: None if each is Download else each
        for each in several
    }


def _operation(one: Operation, known: KnownSchemas) -> dict[str, object]:
    title, _, rest = (one.handler.__doc__ or "").partition("\n\n")
    scope = f"Needs the scope `{one.scope}`." if one.scope else "Needs no scope."
    made: dict[str, object] = {
        "operationId": one.handler.__name__,
        "summary": " ".join(title.split()),
        "description": " ".join([*rest.split(), scope]),
        "parameters": [*_path(one), *_query(one), *_headers(one)],
        "responses": {
            **{str(n): _answer(one, n, kind, known) for n, kind in _returned(one).items()},
            "default": _told("Refused; the body says why", JSON, _schema(Error, known)),
        },
    }
    if one.files:
        content = {FORM: {"schema": FILES}, ZIP: {"schema": BINARY}}
        made["requestBody"] = {"required": True, "content": content}
    elif "body" in one.types:
        schema = _schema(one.types["body"], known)
        made["requestBody"] = {"required": True, "content": {JSON: {"schema": schema}}}
    return made


def _answer(one: Operation, status: int, kind: Any, known: KnownSchemas) -> dict[str, object]:
    if one.media_type and kind is None:
        # OpenAPI 3.1 describes files by their media type alone
        return _told(STATUSES[status], one.media_type, {})
    if kind is None:
        return {"description": STATUSES[status]}
    return _told(STATUSES[status], JSON, _schema(kind, known))


def _told(description: str, media_type: str, schema: Mapping[str, object]) -> dict[str, object]:
    return {"description": description, "content": {media_type: {"schema": schema}}}


def _schema(kind: Any, known: KnownSchemas) -> dict[str, Any]:
    return next(schema for each, schema in known if each is kind or each == kind)


def _path(one: Operation) -> Iterable[dict[str, object]]:
    for name in PARAMETER.findall(one.path):
        yield {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def _query(one: Operation) -> Iterable[dict[str, object]]:
    if "query" not in one.types:
        return
    # written out, since a parameter cannot refer to a field of a schema
    (_, schemas) = msgspec.json.schema_components([one.types["query"]], ref_template=REFERENCE)
    (schema,) = schemas.values()
    for name, of in schema["properties"].items():
        yield {"name": name, "in": "query", "schema": of}


def _headers(one: Operation) -> Iterable[dict[str, object]]:
    for name, words in one.headers.items():
        schema = {"type": "string", "minLength": 1}
        yield {
            "name": name,
            "in": "header",
            "description": words,
            "required": True,
            "schema": schema,
        }
