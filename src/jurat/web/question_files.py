"""Templates, scripts and styles of the kinds of question, from whichever package they come.

A kind's files lie beside its class (see `jurat.protocols.question_assets`). Here they are found for
the template engine and for the static files; every page loads the scripts and styles of all kinds
through `questions.js` and `questions.css`, since a judge's page outlives the task it began with.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import PurePath

from jurat.protocols.question_assets import USES, InputFile, Use, input_file
from jurat.protocols.questions import QUESTIONS, Question

# Files of a kind that are sent to browsers: never Python, nor templates, which may reveal answers.
SERVED = frozenset({".css", ".js", ".png", ".svg", ".woff2"})
PREFIX = "questions/"


def template_of(question: Question) -> str:
    """The name of a question's template."""
    named = input_file(type(question), "template")
    assert named is not None
    return named.address


def template_source(name: str) -> str | None:
    """The text of a template `questions/PACKAGE/FILE`; None where no kind has files there."""
    # Only packages of known kinds: `files()` imports the package that it is asked for.
    package, _, file = name.removeprefix(PREFIX).partition("/")
    if not name.startswith(PREFIX) or package not in _packages() or not file.endswith(".html"):
        return None
    found = InputFile(package, file).content
    return found.read_text(encoding="utf-8") if found else None


def static_question_files() -> Iterator[tuple[str, bytes]]:
    """Name and content of everything that kinds bring for browsers, and the two files that load it.

    Modules that a script imports, and pictures of a style, lie beside them and are served too.
    """
    for package in sorted(_packages()):
        for file in files(package).iterdir():
            if file.is_file() and PurePath(file.name).suffix in SERVED:
                yield InputFile(package, file.name).address, file.read_bytes()
    yield "questions.js", "".join(f'import "./{one}";\n' for one in _addresses("script")).encode()
    yield "questions.css", "".join(f'@import "{one}";\n' for one in _addresses("style")).encode()


def _addresses(use: Use) -> list[str]:
    found = (input_file(kind, use) for kind in QUESTIONS)
    # each once: kinds may share a script
    return list(dict.fromkeys(one.address for one in found if one))


def _packages() -> set[str]:
    """The packages in which a kind has a file."""
    named = (input_file(kind, use) for kind in QUESTIONS for use in USES)
    return {one.package for one in named if one and one.package}
