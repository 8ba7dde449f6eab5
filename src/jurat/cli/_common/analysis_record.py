"""The record of an analysis in its JSON output, by which `jurat verify` repeats it.

It holds the command, its options and its files, but no folders: these may name people.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jurat import __version__
from jurat.cli._common import ARGUMENTS
from jurat.files import listeners

if TYPE_CHECKING:
    from jurat.model import File

# Options that change no number, or write files: they are neither recorded nor repeated.
LEFT_OUT = ("form", "url", "force", "jobs", "executor", "out", "discordant", "figure", "full")
# The key of click's context under which the files that the command has read are kept.
FILES = "jurat.files"
# Bytes that are hashed at once.
BLOCK = 1 << 20

# The types of what a user gave: a text, a flag, or several texts.
GIVEN = (str, bool, list, tuple)
# A recorded option: its text, true for a flag, or several texts.
Value = str | bool | list[str]


def remember_file(file: File) -> None:
    """Keep the name and the SHA-256 of a file that the running command has read."""
    if context := click.get_current_context(silent=True):
        from hashlib import sha256

        digest = sha256()
        with file.open() as stream:
            while block := stream.read(BLOCK):
                digest.update(block)
        context.meta.setdefault(FILES, {})[file.name] = digest.hexdigest()


listeners.append(remember_file)


def analysis_record(data: Mapping[str, str]) -> dict[str, object] | None:
    """The running command as JSON has it; None outside of a command.

    `data` are fingerprints of the tables that were analysed.
    """
    context = click.get_current_context(silent=True)
    if context is None or ARGUMENTS not in context.meta:
        return None
    names = file_names(list(context.meta.get(FILES, {})))
    parsed, _, _ = context.command.make_parser(context).parse_args(list(context.meta[ARGUMENTS]))
    # newer versions of click mark what was not given with an object of their own
    said = {name: value for name, value in parsed.items() if isinstance(value, GIVEN) and value}
    given = {
        parameter: said[str(parameter.name)]
        for parameter in context.command.params
        if parameter.name not in LEFT_OUT and parameter.name in said
    }
    arguments = [text for p, value in given.items() if _is_argument(p) for text in _texts(value)]
    options = {
        option_name(p): value if value is True else _renamed_value(value, names)
        for p, value in given.items()
        if not _is_argument(p)
    }
    files = [{"name": name, "sha256": context.meta[FILES][path]} for path, name in names.items()]
    return {
        "command": context.info_name,
        "arguments": [renamed(text, names) for text in arguments],
        "options": options,
        "version": __version__,
        "files": files,
        "data": dict(data),
    }


def option_name(parameter: click.Parameter) -> str:
    """The longest name of an option, without dashes."""
    return max(parameter.opts, key=len).lstrip("-")


def file_names(paths: Sequence[str]) -> dict[str, str]:
    """A short name for each path: its last part, or as many as tell it from the others."""
    found: dict[str, str] = {}
    for path in paths:
        parts = Path(path).parts
        others = [Path(other).parts for other in paths if other != path]
        size = next(
            (n for n in range(1, len(parts)) if all(o[-n:] != parts[-n:] for o in others)),
            len(parts),
        )
        found[path] = "/".join(parts[-size:])
    return found


def renamed(text: str, names: Mapping[str, str]) -> str:
    """An argument with other names of files: `NAME=FILE:column` holds one, too."""
    # the longest first, since one path may be a part of another
    for old in sorted(names, key=len, reverse=True):
        # in parts, because a name may have backslashes, which `re.sub` would take for escapes
        parts = re.split(rf"(?<![\w./\\-]){re.escape(old)}(?!\w)", text)
        if len(parts) > 1:
            return names[old].join(parts)
    return text


def _renamed_value(value: object, names: Mapping[str, str]) -> Value:
    texts = [renamed(text, names) for text in _texts(value)]
    return texts if isinstance(value, list | tuple) else texts[0]


def _texts(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list | tuple) else [str(value)]


def _is_argument(parameter: click.Parameter) -> bool:
    return isinstance(parameter, click.Argument)
