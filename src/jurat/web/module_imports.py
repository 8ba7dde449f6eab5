"""Which modules a script of ours imports, so that browsers can fetch them all at the same time.

By itself a browser learns of a module only when it has the one that imports it, four in a row.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from posixpath import dirname, join, normpath

# An import at the beginning of a line, also over several lines, of a file beside or below.
IMPORT = re.compile(r'^(?:import|export)\b[^";]*"(\.\.?/[^"]+)"', re.MULTILINE)


def imported_modules(script: str, files: Mapping[str, bytes]) -> tuple[str, ...]:
    """The names of the modules that a script imports, also through others, each once.

    `files` are all static files by their names.
    """
    found: dict[str, None] = {}
    waiting = [script]
    while waiting:
        name = waiting.pop(0)
        for target in IMPORT.findall(files[name].decode(errors="replace")):
            module = normpath(join(dirname(name), target))
            if module in files and module not in found:
                found[module] = None
                waiting.append(module)
    return tuple(found)
