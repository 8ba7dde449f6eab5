"""Protocols: what a judge sees and is asked, legal answers, how they make a score and an order.

A protocol is plain data, one YAML file in this folder; its version is the hash of its content. A
package of somebody else's joins with an entry point in the group `jurat.protocols` that points at
that package: the YAML files in it are read too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from jurat import yamlfile
from jurat.decoding import decode
from jurat.errors import InputError, Problem, input_error, raise_problems, unknown_name
from jurat.model import File
from jurat.protocols.check import lost_names
from jurat.protocols.input_files import check_input
from jurat.protocols.protocol import Protocol
from jurat.protocols.questions import QUESTIONS, Question, replaced
from jurat.registry import entry_points, guarded
from jurat.yamlfile import Declaration

__all__ = ["Protocol", "dump", "load", "names", "read"]


def names() -> tuple[str, ...]:
    """The names of all protocols: those shipped, and those that outside packages bring."""
    return tuple(sorted(_shipped()))


@cache
def load(name: str) -> Protocol:
    """The protocol of that name; an `InputError` lists the names there are."""
    found = _shipped()
    if name not in found:
        raise unknown_name("protocol", name, sorted(found))
    folder, file = found[name]
    protocol = read(file.read_bytes(), file=file.name, folder=folder)
    if protocol.name != name:
        message = f"this declares the protocol '{protocol.name}'; call the file like it"
        raise input_error(message, file=file.name)
    return protocol


def read(data: bytes, *, file: str, folder: Traversable | None = None) -> Protocol:
    """The protocol that a YAML or JSON file declares; an `InputError` lists all its faults.

    `guidelines` holds the text itself, or names a Markdown file in `guidelines/` of the folder.
    """
    declared = Declaration(data, file=file)
    try:
        protocol = declared.read(Protocol, choose={Question: _kind_of})
    except InputError as error:
        # the protocol was never made, so its own checks of names did not run
        more = (*lost_names(declared), *_lost_page(declared, folder))
        found = [*error.problems, *(problem for problem in more if problem not in error.problems)]
        raise InputError(sorted(found, key=lambda problem: problem.line or 0)) from None
    raise_problems(_lost_page(declared, folder))
    if not _is_page(protocol.guidelines):
        return protocol
    # the text itself becomes part of the protocol, so that a campaign keeps it and its version
    assert folder is not None
    page = folder.joinpath("guidelines", protocol.guidelines)
    text = decode(File(f"guidelines/{page.name}", page.read_bytes()))
    return msgspec.structs.replace(protocol, guidelines=text)


def _is_page(guidelines: object) -> bool:
    """Whether guidelines are the name of a file, rather than the text itself."""
    return isinstance(guidelines, str) and bool(re.fullmatch(r"[\w-]{1,100}\.md", guidelines))


def _lost_page(declared: Declaration, folder: Traversable | None) -> list[Problem]:
    """A fault if the guidelines are in a file that is not there."""
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
    """Folder and file of every protocol by name; Jurat's own win over others of the same name."""
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
        check_input(kind)
    except InputError as error:
        raise InputError(replaced(error, field="kind")) from None
    return kind
