"""NIST's and WMT's SGML test sets, read as loosely as mteval reads them.

Tags may be in capitals, attributes without quotes, `&` and `<` raw, `</p>` missing. Only the tags
that make a set are markup; all else is text. No entity is ever declared or fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from jurat.faults import complain
from jurat.formats import Format, file_names
from jurat.formats.markup import LONGEST_PIECE, End, Event, Start, Text, first_tag
from jurat.formats.nist import KINDS, Sets, Writing, write_set, writings
from jurat.formats.rows import Row, SetFile
from jurat.model import TestSet

MOST_ATTRIBUTES = 100

_TAG = re.compile(r"<(?:!--|(/?)(srcset|refset|tstset|doc|seg)(?=[\s>/]))", re.IGNORECASE)
# bounded, so that a tag which never ends cannot make the search slow
_ATTRIBUTE = re.compile(
    r"\s{1,999}([^\s=<>\"'/]{1,200})"
    r"(?:\s{0,9}=\s{0,9}(?:\"([^\"]{0,9999})\"|'([^']{0,9999})'|([^\s<>\"']{0,9999})))?"
)
_TAG_END = re.compile(r"\s{0,999}/?>")
_REFERENCE = re.compile(r"&(lt|gt|amp|quot|apos|nbsp|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});")
_CHARACTERS = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'", "nbsp": "\u00a0"}


class Sgml(Format):
    """Source, references and systems in SGML files."""

    name: ClassVar[str] = "sgml"
    endings: ClassVar[tuple[str, ...]] = ("sgm", "sgml")
    about: ClassVar[str] = "NIST's and WMT's SGML: srcset, refset, tstset"
    carries: ClassVar[tuple[str, ...]] = ("set name", "languages", "genre and origlang")

    def recognises(self, file: SetFile) -> bool:
        return first_tag(file.data) in KINDS

    def read(self, file: SetFile) -> Iterator[Row]:
        return Sets(file).rows(_Scanner(file).events())

    def write(self, test_set: TestSet) -> list[SetFile]:
        sets = list(writings(test_set, reference_id="sysid"))
        names = file_names((_stem(each) for each in sets), "sgm")
        return [
            SetFile(name, "".join(f"{line}\n" for line in write_set(test_set, each)).encode())
            for name, each in zip(names, sets, strict=True)
        ]


def _stem(writing: Writing) -> str:
    return f"{writing.kind}.{writing.name}" if writing.name else writing.kind


class _Scanner:
    """Finds tags in a text, and counts its lines."""

    def __init__(self, file: SetFile) -> None:
        self.file = file.name
        self.text = file.data.decode().replace("\r\n", "\n")
        self.at = 0
        self.line = 1

    def events(self) -> Iterator[Event]:
        """The tags that make a set, and the texts of the segments."""
        while found := _TAG.search(self.text, self.at):
            self._move(found.start())
            if found[0] == "<!--":
                self._skip_comment()
            elif found[1]:
                yield End(found[2].lower(), self.line)
                self._move(found.end())
            else:
                start = self._start(found)
                yield start
                if start.tag == "seg":
                    yield Text(self._segment_text(start))
                    yield End("seg", self.line)

    def _start(self, found: re.Match[str]) -> Start:
        line = self.line
        attributes: dict[str, str] = {}
        end = found.end()
        for _ in range(MOST_ATTRIBUTES):
            if not (attribute := _ATTRIBUTE.match(self.text, end)):
                break
            value = attribute[2] or attribute[3] or attribute[4] or ""
            attributes[attribute[1].lower()] = _decoded(value).strip()
            end = attribute.end()
        if not (close := _TAG_END.match(self.text, end)):
            raise complain(f"this <{found[2]}> tag is never closed", file=self.file, line=line)
        self._move(close.end())
        return Start(found[2].lower(), line, attributes)

    def _segment_text(self, start: Start) -> str:
        """The text up to `</seg>`; any tag of a set before that shows that `</seg>` is missing."""
        found = _TAG.search(self.text, self.at)
        while found and found[0] == "<!--":
            found = _TAG.search(self.text, found.end())
        if not found or not found[1] or found[2].lower() != "seg":
            raise complain("this segment has no </seg>", file=self.file, line=start.line)
        if found.start() - self.at > LONGEST_PIECE:
            message = f"a text has more than {LONGEST_PIECE:,} characters"
            raise complain(message, file=self.file, line=start.line)
        text = _decoded(self.text[self.at : found.start()])
        self._move(found.end())
        return text

    def _skip_comment(self) -> None:
        end = self.text.find("-->", self.at)
        if end < 0:
            raise complain("this comment is never closed", file=self.file, line=self.line)
        self._move(end + 3)

    def _move(self, to: int) -> None:
        self.line += self.text.count("\n", self.at, to)
        self.at = to


def _decoded(text: str) -> str:
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(found: re.Match[str]) -> str:
    name = found[1]
    if not name.startswith("#"):
        return _CHARACTERS[name]
    number = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    return found[0] if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF else chr(number)
