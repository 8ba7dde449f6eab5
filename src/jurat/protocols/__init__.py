"""Protocols: what a judge sees and is asked, legal answers, how they make a score and an order.

A protocol is plain data, one YAML file in this folder; its version is the hash of its content. A
package of somebody else's joins with an entry point in the group `jurat.protocols` that points at
that package: the YAML files in it are read too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, partial
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from jurat import declarations
from jurat.declarations import Declaration
from jurat.faults import Fault, FaultyInput, complain, refuse, unknown
from jurat.model import File
from jurat.protocols.crossing import lost_names
from jurat.protocols.protocol import Protocol
from jurat.protocols.questions import QUESTIONS, Question, replaced
from jurat.registry import guarded
from jurat.texts import decode

__all__ = ["Protocol", "dump", "load", "names", "read"]


def names() -> tuple[str, ...]:
    """The protocols that are shipped or that an outside package brings."""
    return tuple(sorted(_shipped()))


@cache
def load(name: str) -> Protocol:
    """A protocol by its name."""
    found = _shipped()
    if name not in found:
        raise unknown("protocol", name, sorted(found))
    folder, file = found[name]
    protocol = read(file.read_bytes(), file=file.name, folder=folder)
    if protocol.name != name:
        message = f"this declares the protocol '{protocol.name}'; call the file like it"
        raise complain(message, file=file.name)
    return protocol


def read(data: bytes, *, file: str, folder: Traversable | None = None) -> Protocol:
    """The protocol that a YAML or JSON file declares; a `FaultyInput` lists all its faults.

    `guidelines` holds the text itself, or names a Markdown file in `guidelines/` of the folder.
    """
    declared = Declaration(data, file=file)
    try:
        protocol = declared.read(Protocol, choose={Question: _kind_of})
    except FaultyInput as error:
        more = (*lost_names(declared), *_lost_page(declared, folder))
        found = [*error.faults, *(fault for fault in more if fault not in error.faults)]
        raise FaultyInput(sorted(found, key=lambda fault: fault.line or 0)) from None
    refuse(_lost_page(declared, folder))
    if not _is_page(protocol.guidelines):
        return protocol
    assert folder is not None
    page = folder.joinpath("guidelines", protocol.guidelines)
    text = decode(File(f"guidelines/{page.name}", page.read_bytes()))
    return msgspec.structs.replace(protocol, guidelines=text)


def _is_page(guidelines: object) -> bool:
    """Whether guidelines are the name of a file, rather than the text itself."""
    return isinstance(guidelines, str) and bool(re.fullmatch(r"[\w-]{1,100}\.md", guidelines))


def _lost_page(declared: Declaration, folder: Traversable | None) -> list[Fault]:
    """A fault if the guidelines are in a file that is not there."""
    name = declared.content.get("guidelines") if isinstance(declared.content, dict) else None
    if not _is_page(name) or (folder and folder.joinpath("guidelines", str(name)).is_file()):
        return []
    message = f"there is no file '{name}' in the folder guidelines beside this file"
    return [declared.fault(message, ("guidelines",))]


def dump(protocol: Protocol) -> str:
    """A protocol as the YAML text that declares it."""
    return declarations.dump(protocol.plain())


@cache
def _shipped() -> dict[str, tuple[Traversable, Traversable]]:
    """Folder and file of every protocol by name; Jurat's own win over others of the same name."""
    folders = [files(__name__)]
    for entry in entry_points(group=__name__):
        source = f"the package '{entry.module}' of the entry point '{entry.name}'"
        folders.append(guarded(partial(files, entry.module), source))
    found: dict[str, tuple[Traversable, Traversable]] = {}
    for folder in folders:
        for file in folder.iterdir():
            if file.name.endswith((".yaml", ".yml")):
                found.setdefault(file.name.rpartition(".")[0], (folder, file))
    return found


def _kind_of(raw: Mapping[str, object]) -> type[Question]:
    """The class of a question from the word after `kind`."""
    if "kind" not in raw:
        raise complain("'kind' is missing", allowed=tuple(QUESTIONS.kinds))
    try:
        return QUESTIONS[str(raw["kind"])]
    except FaultyInput as error:
        raise FaultyInput(replaced(error, field="kind")) from None
