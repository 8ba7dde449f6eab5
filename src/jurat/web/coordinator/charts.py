"""Charts: what results draw of themselves, and the library that puts it on the page.

A figure travels as plain data; the library is made once on this machine and kept as a file.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import msgspec
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.web.captions import captioned
from jurat.web.coordinator.desk import Desk, coordinators

if TYPE_CHECKING:
    from jurat.results import Figure, Result
    from jurat.speaking import Language

SNIPPET = "window.vegaEmbed = vegaEmbed;"
"""What the bundle is to offer: Vega and Vega-Lite by themselves come out of it as null."""
FOR_EVER = "private, max-age=31536000, immutable"
_making = Lock()


@coordinators
async def library(desk: Desk) -> Response:
    """The library that draws; its address changes with its version."""
    if desk.request.path_params["version"] != edition():
        raise HTTPException(404)
    content = await desk.call(bundle)
    return Response(content, media_type="text/javascript", headers={"Cache-Control": FOR_EVER})


def figures(results: Iterable[Result], part: str, language: Language) -> dict[str, Figure]:
    """The figures of a part by the names that its page knows them by, in the reader's language."""
    drawn = {f"{part}-{n}": result.figure() for n, result in enumerate(results, 1)}
    return {name: captioned(figure, language) for name, figure in drawn.items() if figure}


def answer(drawn: Mapping[str, Figure], *, computing: bool) -> Response:
    """Figures for a script; what is not finite has no place in JSON, and is null."""
    told = {"computing": computing, "figures": drawn}
    return Response(msgspec.json.encode(told), media_type="application/json")


@cache
def edition() -> str:
    """Which library it is."""
    return version("vl-convert-python")


def bundle() -> bytes:
    """The library as one script: from memory, from a file of an earlier run, or made now."""
    with _making:
        return _bundle()


@cache
def _bundle() -> bytes:
    kept = _folder()
    file = kept / f"vega-{edition()}.js" if kept else None
    if file and file.is_file():
        return file.read_bytes()
    import vl_convert

    made = vl_convert.javascript_bundle(SNIPPET).encode()
    if file:
        _write(file, made)
    return made


def _folder() -> Path | None:
    """A folder into which nobody else can put a script; None where there is none."""
    try:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folder = home / "jurat" / "charts"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
    except (OSError, RuntimeError):
        return None
    own = not hasattr(os, "getuid") or status.st_uid == os.getuid()
    return folder if own and not status.st_mode & 0o022 else None


def _write(file: Path, content: bytes) -> None:
    """All of it or nothing: another server may be reading."""
    try:
        with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as new:
            new.write(content)
        Path(new.name).replace(file)
    except OSError:
        return  # it is made again the next time


routes = [Route("/charts/{version}/vega.js", library)]
