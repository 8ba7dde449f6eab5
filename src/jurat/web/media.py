"""Videos, recordings and images of a campaign, in whole or in parts, for those who may see them."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from jurat.store import MediaFile, NoSuchFile
from jurat.web.context import Visit

# One range of bytes; several in one request, which no player asks for, are answered in whole.
RANGE = re.compile(r"bytes=(\d{0,15})-(\d{0,15})")
DIGEST = re.compile(r"[0-9a-f]{64}")
# Only in the judge's own browser; the address changes with the content.
CACHE = "private, max-age=86400, immutable"

# Gives the bytes from one place to another, or fewer.
ReadPart = Callable[[int, int], Awaitable[bytes]]


class ByteRange(NamedTuple):
    """Part of a file, from `start` to `end` (excluded)."""

    start: int
    end: int


def byte_range(asked: str, size: int) -> ByteRange | None:
    """The part that a `Range` header asks for; None for the whole file.

    Raises `HTTPException` (416) where the file has no such part.
    """
    found = RANGE.fullmatch(asked.strip())
    if found is None or found.groups() == ("", ""):
        return None
    first, last = found.groups()
    if not first:  # the last so many bytes
        start, end = max(0, size - int(last)), size
    else:
        start, end = int(first), min(size, int(last) + 1) if last else size
    if start >= end:
        raise HTTPException(416, headers={"Content-Range": f"bytes */{size}"})
    return ByteRange(start, end)


def media_response(visit: Visit, file: MediaFile, read: ReadPart) -> Response:
    """The file or the part of it that is asked for."""
    tag = f'"{file.digest}"'
    headers = {"Accept-Ranges": "bytes", "ETag": tag, "Cache-Control": CACHE}
    if visit.header(b"if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    # a part of what the browser has is only of use if the file is still the same
    asked = visit.header(b"range") if visit.header(b"if-range") in ("", tag) else ""
    part = byte_range(asked, file.size)
    start, end = part or (0, file.size)
    headers["Content-Length"] = str(end - start)
    if part:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{file.size}"
    status = 206 if part else 200
    if visit.request.method == "HEAD":
        return Response(status_code=status, headers=headers, media_type=file.type)
    return StreamingResponse(_parts(read, start, end), status, headers, media_type=file.type)


async def _parts(read: ReadPart, start: int, end: int) -> AsyncIterator[bytes]:
    while start < end:
        piece = await read(start, end)
        yield piece
        start += len(piece)


async def show(request: Request) -> Response:
    """A media file of a campaign; 404 for everybody who has no access to the campaign."""
    digest = request.path_params["digest"]
    if not DIGEST.fullmatch(digest):
        raise HTTPException(404)
    visit = Visit(request)
    media = visit.service.media
    if not await visit.call(_may_see, visit):
        raise HTTPException(404)
    try:
        file: MediaFile = await visit.call(media.file, visit.campaign, digest)
    except NoSuchFile as error:
        raise HTTPException(404) from error

    async def read(start: int, end: int) -> bytes:
        part: bytes = await visit.call(media.part, visit.campaign, digest, start, end)
        return part

    return media_response(visit, file, read)


def _may_see(visit: Visit) -> bool:
    """Whether somebody is logged in here, tries the tutorial, or coordinates the whole site."""
    if visit.session.role == "guest" or visit.admitted() is not None:
        return True
    # imported here: judges' requests do without the coordinators' pages
    from jurat.web.coordinator.page_context import StaffVisit

    return StaffVisit(visit.request).known("coordinator") is not None
