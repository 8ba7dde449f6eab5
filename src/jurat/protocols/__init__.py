"""Protocols: what a judge sees and is asked, which answers are legal, and how they are scored.

A protocol is one YAML file in this folder; its version is the hash of its content. An outside
package adds protocols by an entry point in the group `jurat.protocols` that names the package whose
YAML files are to be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from jurat import yamlfile
from jurat.condition_language import names as condition_names
from jurat.condition_language import parse
from jurat.decoding import decode
from jurat.errors import InputError, Problem, input_error, raise_problems, unknown_name
from jurat.model import File
from jurat.protocols.protocol import Protocol
from jurat.protocols.question_assets import check_input
from jurat.protocols.questions import QUESTIONS, Question, replaced
from jurat.registry import entry_points, guarded
from jurat.yamlfile import Declaration, Path

__all__ = ["Protocol", "dump", "load", "names", "read"]


def names() -> tuple[str, ...]:
    """The names of all protocols, sorted: Jurat's own and those of outside packages."""
    return tuple(sorted(_shipped()))


@cache
def load(name: str) -> Protocol:
    """The protocol of that name; raises `InputError` if there is none."""
    found = _shipped()
    if name not in found:
        raise unknown_name("protocol", name, sorted(found))
    folder, file = found[name]
    protocol = read(file.read_bytes(), file=file.name, folder=folder)
    # the file's name is what campaigns and commands look up, so the two must not differ
    if protocol.name != name:
        message = f"this declares the protocol '{protocol.name}'; name the file after it"
        raise input_error(message, file=file.name)
    return protocol


def read(data: bytes, *, file: str, folder: Traversable | None = None) -> Protocol:
    """The protocol that a YAML or JSON file declares; raises `InputError` with all its problems.

    `guidelines` holds the text itself, or names a Markdown file in `guidelines/` of the folder.
    """
    declared = Declaration(data, file=file)
    try:
        protocol = declared.read(Protocol, choose={Question: _kind_of})
    except InputError as error:
        # the protocol was never made, so its own checks of names did not run
        more = (*_unknown_questions(declared), *_missing_page(declared, folder))
        found = [*error.problems, *(problem for problem in more if problem not in error.problems)]
        # in the order of the file, in which a user fixes them
        raise InputError(sorted(found, key=lambda problem: problem.line or 0)) from None
    raise_problems(_missing_page(declared, folder))
    if not _is_page(protocol.guidelines):
        return protocol
    # the text becomes part of the protocol, so that a campaign keeps it, and the version covers it
    assert folder is not None
    page = folder.joinpath("guidelines", protocol.guidelines)
    text = decode(File(f"guidelines/{page.name}", page.read_bytes()))
    return msgspec.structs.replace(protocol, guidelines=text)


def _is_page(guidelines: object) -> bool:
    """Whether guidelines are the name of a file, rather than the text itself."""
    return isinstance(guidelines, str) and bool(re.fullmatch(r"[\w-]{1,100}\.md", guidelines))


def _missing_page(declared: Declaration, folder: Traversable | None) -> list[Problem]:
    """A problem if the guidelines name a file that does not exist."""
    name = declared.content.get("guidelines") if isinstance(declared.content, dict) else None
    if not _is_page(name) or (folder and folder.joinpath("guidelines", str(name)).is_file()):
        return []
    message = f"there is no file '{name}' in the folder guidelines beside this file"
    return [declared.problem(message, ("guidelines",))]


def dump(protocol: Protocol) -> str:
    """A protocol as the YAML text that declares it."""
    return yamlfile.dump(protocol.plain())


@cache
def _shipped() -> dict[str, tuple[Traversable, Traversable]]:
    """Folder and file of every protocol, by name."""
    folders = [files(__name__)]
    for entry in entry_points(__name__):
        source = f"the package '{entry.module}' of the entry point '{entry.name}'"
        folders.append(guarded(partial(files, entry.module), source))
    found: dict[str, tuple[Traversable, Traversable]] = {}
    # Jurat's own folder comes first: an outside package cannot replace a shipped protocol
    for folder in folders:
        for file in folder.iterdir():
            if file.name.endswith((".yaml", ".yml")):
                found.setdefault(file.name.rpartition(".")[0], (folder, file))
    return found


def _kind_of(raw: Mapping[str, object]) -> type[Question]:
    """The class of a question from the word after `kind`."""
    if "kind" not in raw:
        raise input_error("'kind' is missing", allowed=tuple(QUESTIONS.kinds))
    try:
        kind = QUESTIONS[str(raw["kind"])]
        # here rather than when a page is shown: a judge should not be the first to see the error
        check_input(kind)
    except InputError as error:
        raise InputError(replaced(error, field="kind")) from None
    return kind


def _unknown_questions(declared: Declaration) -> Iterator[Problem]:
    """A problem for each name in conditions, score and order that is not a question's.

    A `Protocol` checks this itself, but one with a faulty part is never made: then the names are
    looked up in what was written, so that a user learns of everything at once.
    """
    content = _mapping(declared.content)
    questions = list(_questions(content))
    ids = [str(question.get("id")) for _, question in questions]
    for n, (path, question) in enumerate(questions):
        yield from _missing(declared, _named(question.get("when")), ids[:n], (*path, "when"))
    scored = _mapping(content.get("score")).get("questions")
    yield from _missing(declared, map(str, _list(scored)), ids, ("score", "questions"))
    for n, place in enumerate(_list(content.get("order"))):
        yield from _missing(declared, _mapping(place), ids, ("order", n))


def _questions(content: dict[str, object]) -> Iterator[tuple[Path, dict[str, object]]]:
    for s, stage in enumerate(_list(content.get("stages"))):
        for q, question in enumerate(_list(_mapping(stage).get("questions"))):
            place: Path = ("stages", s, "questions", q)
            yield place, _mapping(question)
            for n, nested in enumerate(_list(_mapping(question).get("questions"))):
                yield (*place, "questions", n), _mapping(nested)


def _missing(
    declared: Declaration, named: Iterable[str], there: list[str], path: Path
) -> Iterator[Problem]:
    where = "asked before this one" if path[-1] == "when" else "of this protocol"
    for name in named:
        if name not in there:
            message = f"'{name}' is not a question {where}"
            yield declared.problem(message, path, value=name, allowed=tuple(there))


def _named(expression: object) -> list[str]:
    try:
        return (
            list(condition_names(parse(expression)))
            if isinstance(expression, str) and expression
            else []
        )
    except InputError:
        return []  # the question itself reports this


def _mapping(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
