"""Charts: the figures of results as JSON, and the Vega library that draws them in the browser.

Statistics draw in English; `locales/<language>/charts.yaml` has the translations of titles and axes
by their English text. The library is bundled once on this machine and kept as a file, since that
takes seconds.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import Response

from jurat.i18n import Language, catalogue

if TYPE_CHECKING:
    from jurat.results import Figure, Result

# The one name that the bundle defines; Vega and Vega-Lite would be exported as null.
SNIPPET = "window.vegaEmbed = vegaEmbed;"
_lock = Lock()
NUMBER = re.compile(r"\d+")
TITLE = "title"
SIDES = ("side", "towards")
# Columns of a figure's data whose values are words, and neither names nor answers.
WAYS = ("way", "way_a", "way_b")


def figures(results: Iterable[Result], part: str, language: Language) -> dict[str, Figure]:
    """The figures of a section, with captions in a language, by their `data-figure` attributes."""
    drawn = {f"{part}-{n}": result.figure() for n, result in enumerate(results, 1)}
    return {name: captioned(figure, language) for name, figure in drawn.items() if figure}


def figures_response(drawn: Mapping[str, Figure], *, computing: bool) -> Response:
    """Figures as JSON for the script; infinite and missing numbers become null."""
    content = {"computing": computing, "figures": drawn}
    return Response(msgspec.json.encode(content), media_type="application/json")


@cache
def library_version() -> str:
    """The version of the library; its address changes with it."""
    return version("vl-convert-python")


def bundle() -> bytes:
    """The library as one script: from memory, a file of an earlier run, or bundled now."""
    # `cache` alone would let two threads bundle at the same time
    with _lock:
        return _bundle()


@cache
def _bundle() -> bytes:
    kept = _folder()
    file = kept / f"vega-{library_version()}.js" if kept else None
    if file and file.is_file():
        return file.read_bytes()
    import vl_convert

    made = vl_convert.javascript_bundle(SNIPPET).encode()
    if file:
        _write(file, made)
    return made


def _folder() -> Path | None:
    """The cache folder; None where it cannot be used, or where others may write to it."""
    try:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folder = home / "jurat" / "charts"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
    except (OSError, RuntimeError):
        return None
    # The file is sent to browsers as a script: nobody else may be able to write it.
    own = not hasattr(os, "getuid") or status.st_uid == os.getuid()
    return folder if own and not status.st_mode & 0o022 else None


def _write(file: Path, content: bytes) -> None:
    """Write by renaming, so that another server never reads half a file."""
    try:
        with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as new:
            new.write(content)
        Path(new.name).replace(file)
    except OSError:
        return  # a full disk: the library is bundled again next time


def caption(text: str, code: str) -> str | None:
    """A title of a chart in a language; None if it is not translated."""
    known = captions(code)
    # tried in turn: with its first number as `{n}`, as it stands, and after a name and a colon
    number = NUMBER.search(text)
    if number and (found := known.get(NUMBER.sub("{n}", text, count=1))):
        return found.format(n=number[0])
    if text in known:
        return known[text]
    name, colon, rest = text.partition(": ")
    said = known.get(rest) if colon else None
    return f"{name}: {said}" if said else None


def captioned(figure: Figure, language: Language) -> Figure:
    """A figure with its words in a language."""
    if not captions(language.code):
        return figure
    said: Figure = _said("", figure, language)
    return said


@cache
def captions(code: str) -> Mapping[str, str]:
    """The translations of titles and axes into a language, by their English text."""
    words = catalogue("charts", code)
    return {english: said for english, said in words.items() if isinstance(said, str)}


def _said(name: str, part: Any, language: Language) -> Any:
    match part:
        case str() if name == TITLE or name in SIDES:
            return caption(part, language.code) or part
        # other values are names of systems and judges, and answers, which are not translated
        case str() if name in WAYS:
            way = f"desk-way-{part}"
            return language.say(way) if way in language.keys else part
        case dict():
            return {name: _said(name, one, language) for name, one in part.items()}
        case list():
            return [_said(name, one, language) for one in part]
    return part
