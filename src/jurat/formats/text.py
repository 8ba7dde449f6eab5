"""Strangers' bytes as text: strict UTF-8, clean characters, lines of a bounded length."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from jurat.faults import Fault, complain, refuse
from jurat.formats.rows import SetFile
from jurat.texts import unmarked

LARGEST = 1 << 30
"""Bytes of a file."""
LONGEST_LINE = 1 << 25
"""Bytes of a line."""
LONGEST_TEXT = 100_000
"""Characters of a segment or a name."""
MOST_LINES = 1_000_000
"""Lines of a file that is read line by line."""
MOST_FAULTS = 20
"""Lines with bad bytes that are named before the rest of a file is given up."""

_CHUNK = 1 << 20
_BLANKS = "".join(filter(str.isspace, map(chr, range(0x3001)))) + "\ufeff\u200b"
_BAD_BYTES = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)|\xef\xbf[\xbe\xbf]")
_BAD_CHARACTERS = re.compile("[\x00-\x08\x0b-\x1f\x7f\ufeff\ufffe\uffff\ud800-\udfff]")


def clean(file: SetFile) -> SetFile:
    """The file without a byte order mark at its start, if all of it is clean UTF-8 text."""
    if len(file.data) > LARGEST:
        message = f"the file has {len(file.data):,} bytes; at most {LARGEST:,} are read"
        raise complain(message, file=file.name)
    data = unmarked(file.name, file.data)
    if not data or data.isspace():
        raise complain("the file is empty", file=file.name)
    refuse(_byte_faults(file.name, data))
    return replace(file, data=data)


def lines(file: SetFile) -> Iterator[tuple[int, str]]:
    r"""Numbered lines, which end with `\n` or `\r\n` and with nothing else."""
    if (count := file.data.count(b"\n")) > MOST_LINES:
        message = f"the file has {count:,} lines; at most {MOST_LINES:,} are read"
        raise complain(message, file=file.name)
    for number, line in enumerate(io.BytesIO(file.data), start=1):
        if len(line) > LONGEST_LINE:
            message = f"the line has {len(line):,} bytes; at most {LONGEST_LINE:,} are read"
            raise complain(message, file=file.name, line=number)
        yield number, line.decode().removesuffix("\n").removesuffix("\r")


def tidy(text: str) -> str:
    """A text without the blanks around it; whoever joins files leaves byte order marks there."""
    return text.strip(_BLANKS).replace("\r\n", "\n")


def wrong_character(text: str) -> str:
    """What stands in a text and should not, perhaps by way of an escape; nothing if all is well."""
    found = _BAD_CHARACTERS.search(text)
    return _named(found[0]) if found else ""


def unwrapped(text: str) -> str:
    """A text that was wrapped over several lines of markup, in one."""
    if "\n" not in text:
        return text
    return " ".join(filter(None, (line.strip() for line in text.split("\n"))))


def flat(text: str) -> str:
    """A text in which line ends and tabs are blanks, for files that cannot hold them."""
    return text.replace("\n", " ").replace("\t", " ")


def _byte_faults(name: str, data: bytes) -> list[Fault]:
    found = [*islice(_not_utf8(data), MOST_FAULTS), *islice(_bad_bytes(data), MOST_FAULTS)]
    faults: list[Fault] = []
    line, counted = 1, 0
    for at, message in sorted(found)[:MOST_FAULTS]:
        line, counted = line + data.count(b"\n", counted, at), at
        faults.append(Fault(message=message, file=name, line=line))
    if len(found) > MOST_FAULTS:
        faults.append(Fault(message="there are more lines like these", file=name))
    return faults


def _not_utf8(data: bytes) -> Iterator[tuple[int, str]]:
    """The first bad byte of every line that has one."""
    start = 0
    while start < len(data):
        # a piece ends where a line ends, so that no character is cut in two
        stop = data.find(b"\n", start + _CHUNK) + 1 or len(data)
        try:
            data[start:stop].decode()
            start = stop
        except UnicodeDecodeError as error:
            at = start + error.start
            column = at - data.rfind(b"\n", 0, at)
            yield at, f"byte 0x{data[at]:02X} is not UTF-8 (byte {column} of the line)"
            start = data.find(b"\n", at) + 1 or len(data)


def _bad_bytes(data: bytes) -> Iterator[tuple[int, str]]:
    """The first unwanted character of every line that has one."""
    start = 0
    while found := _BAD_BYTES.search(data, start):
        yield found.start(), f"there is {_named(found[0].decode())} in this line"
        start = data.find(b"\n", found.start()) + 1 or len(data)


def _named(character: str) -> str:
    words = {
        "\0": "a NUL character",
        "\r": "a carriage return without a line feed",
        "\ufeff": "a byte order mark (U+FEFF)",
    }
    if "\ud800" <= character <= "\udfff":
        return "half a character (a surrogate)"
    return words.get(character, f"a control character (U+{ord(character):04X})")
