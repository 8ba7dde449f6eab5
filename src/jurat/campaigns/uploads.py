"""Names under which uploaded files are kept, and how much may be uploaded."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import count
from pathlib import PurePosixPath

from jurat.errors import Problem, input_error, raise_problems

# Bytes of a file.
LARGEST = 64 << 20
# Files of a campaign in preparation.
MOST = 500
# Bytes of all of them.
IN_ALL = 256 << 20
# Characters of a name.
LONGEST = 200


def named(name: str) -> str:
    """A file's own name, without what could lead out of a folder."""
    steps = [step for step in name.replace("\\", "/").split("/") if step not in ("", ".", "..")]
    tidy = "/".join(steps)
    if not tidy or len(tidy) > LONGEST or not tidy.isprintable():
        raise input_error("this cannot be the name of a file", value=name, code="no-file-name")
    return tidy


def kept_as(
    name: str, *, own: Collection[str], missing: Collection[str], taken: Collection[str]
) -> str:
    """The name to keep a file under: its own, or the one by which a declaration asks for it.

    A file takes the place of one that is called so in its own set, never of another set's.
    """
    tidy = named(name)
    if tidy in own:
        return tidy
    asked = [one for one in missing if one.endswith(f"/{tidy}") or tidy.endswith(f"/{one}")]
    if len(asked) == 1:
        return asked[0]
    return tidy if tidy not in taken else _another(tidy, taken)


def _another(name: str, taken: Collection[str]) -> str:
    path = PurePosixPath(name)
    numbered = (str(path.with_stem(f"{path.stem}-{n}")) for n in count(2))
    return next(one for one in numbered if one not in taken)


def check_sizes(sizes: Mapping[str, int], new: Collection[str]) -> None:
    """Refuse new files that are too large, or too many; sizes are those of all files."""
    problems = [
        Problem(
            message=f"the file has {sizes[name]:,} bytes; at most {LARGEST:,} are kept",
            file=name,
            value=LARGEST,
            code="file-too-large",
        )
        for name in new
        if sizes[name] > LARGEST
    ]
    if len(sizes) > MOST:
        message = f"there are {len(sizes)} files; at most {MOST} are kept"
        problems.append(Problem(message=message, value=MOST, code="too-many-files"))
    if sum(sizes.values()) > IN_ALL:
        message = f"all files together have more than {IN_ALL:,} bytes"
        problems.append(Problem(message=message, value=IN_ALL, code="files-too-large"))
    raise_problems(problems)
