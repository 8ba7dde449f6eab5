"""Which tool a file comes from, by its content and then its ending."""

from __future__ import annotations

from jurat.errors import input_error
from jurat.formats.file_format import FORMATS, FileFormat
from jurat.formats.file_head import Sample
from jurat.model import File


def recognise(file: File) -> type[FileFormat] | None:
    """The format of a file, by its content and then its ending; None for a plain table.

    Raises `InputError` if several formats fit.
    """
    sample = Sample(file)
    candidates = [kind for kind in FORMATS if kind().recognises(sample)]
    found = [kind for kind in candidates if file.ending in kind.endings] or candidates
    if len(found) > 1:
        names = tuple(kind.name for kind in found)
        message = "this file could be of several formats; name one of them with --read-as"
        raise input_error(message, file=file.name, allowed=names)
    return found[0] if found else None
