"""Decodes text files, which must be UTF-8; the error names what a file is instead."""

from __future__ import annotations

import codecs
import re

from jurat.errors import input_error
from jurat.model import File

# UTF-32's byte order mark begins with UTF-16's, so it is tested first
_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
# The first bytes of files that people upload instead of text files.
_OTHERS = (
    (b"PK\x03\x04", "ZIP (DOCX, XLSX)"),
    (b"\xd0\xcf\x11\xe0", "DOC (XLS)"),
    (b"%PDF-", "PDF"),
    (b"\x1f\x8b", "GZIP"),
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
)


# The encoding in the declaration of an XML file.
_DECLARED = re.compile(r"""\A(<\?xml\s[^>]*?encoding\s*=\s*["'])[^"']*(["'])""")

_ENCODED = re.compile(rb"""\A<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']""")
# Encodings of texts that were usual before UTF-8.
_OLDER = re.compile(
    r"(?i)iso-8859-(?:[1-9]|1[0-6])|latin-?1|windows-125\d|cp125\d|gb2312|gbk|gb18030|big5|"
    r"shift_jis|euc-(?:jp|kr)|koi8-[ru]"
)

# Bytes of a line at most: of files that may be a single one, and of tables.
_LONGEST_LINE, _LONGEST_ROW = 1 << 28, 1 << 24
# Bytes that are decoded at once, so that no copy of a large file is made.
_CHUNK = 1 << 20


def as_utf8(file: File) -> tuple[File, str]:
    """The file in UTF-8, and the encoding it was in; empty if it was UTF-8, or is not a text.

    Files in UTF-16, and those in which more bytes are wrong in UTF-8 than right, are
    converted. The others keep their faults, which their reader names. Raises `InputError` for a
    line so long that reading it would need far more memory than the file has bytes.
    """
    with file.open() as stream:
        beginning = stream.read(_CHUNK)
    for mark, encoding in _MARKS:
        if beginning.startswith(mark):
            text = file.data.decode(encoding, errors="replace").removeprefix("\ufeff")
            # XML may name the encoding that it was in
            return File(file.name, _DECLARED.sub(r"\1UTF-8\2", text, count=1).encode()), encoding
    if encoding := _unmarked_utf16(beginning):
        return File(file.name, file.data.decode(encoding, errors="replace").encode()), "UTF-16"
    others = tuple(beginning for beginning, _ in _OTHERS)
    if b"\0" in beginning or beginning.startswith(others):
        return file, ""
    _refuse_long_lines(file, beginning)
    if (declared := _ENCODED.match(beginning)) and (found := _encoding(declared[1].decode())):
        text = file.data.decode(found, errors="replace")
        return File(file.name, _DECLARED.sub(r"\1UTF-8\2", text, count=1).encode()), found
    if _is_utf8(file):
        return file, ""
    guessed = file.data.decode(errors="replace")
    wrong = guessed.count("\ufffd")
    right = sum(map(guessed.count, {c for c in guessed if c > "\x7f"})) - wrong
    if right >= wrong:
        return file, ""
    text = file.data.decode("cp1252", errors="replace")
    return File(file.name, text.encode()), "Windows-1252 (Latin-1)"


def _unmarked_utf16(beginning: bytes) -> str:
    """The encoding of a text in UTF-16 that lacks its mark; empty for anything else.

    Headings and names are mostly in ASCII, of which every other byte is then 0.
    """
    first = beginning[: 1 << 6]
    for encoding, letters, nothing in (("utf-16-le", 0, 1), ("utf-16-be", 1, 0)):
        if first and not any(first[nothing::2]) and all(first[letters::2]):
            return encoding
    return ""


def _refuse_long_lines(file: File, beginning: bytes) -> None:
    # JSON and XML may be one line, and rows of tables are short
    first = beginning.removeprefix(codecs.BOM_UTF8).lstrip()[:1]
    longest = _LONGEST_LINE if first in (b"{", b"[", b"<") else _LONGEST_ROW
    length = lines = 0
    with file.open() as stream:
        while block := stream.read(_CHUNK):
            end = block.find(b"\n")
            length += len(block) if end < 0 else end
            if length > longest:
                message = f"the line has more than {longest:,} bytes"
                raise input_error(message, file=file.name, line=lines + 1)
            if end >= 0:
                lines += block.count(b"\n")
                length = len(block) - block.rfind(b"\n") - 1


def _encoding(name: str) -> str:
    """The encoding of that name, if it is one that older tools write; empty if not."""
    return name if _OLDER.fullmatch(name) else ""


def _is_utf8(file: File) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with file.open() as stream:
            while block := stream.read(_CHUNK):
                decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def unmarked(name: str, data: bytes) -> bytes:
    """A file's bytes without a UTF-8 byte order mark.

    Raises `InputError` for UTF-16, UTF-32 and binary files such as DOCX or PDF.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            raise input_error(f"this is {encoding}; save it as UTF-8", file=name)
    for beginning, kind in _OTHERS:
        if data.startswith(beginning):
            message = f"this is not a text file but {kind}; save its content as text in UTF-8"
            raise input_error(message, file=name, value=kind, code="no-text-file")
    return data.removeprefix(codecs.BOM_UTF8)


def decode(file: File) -> str:
    """The file's text; raises `InputError` if it is not UTF-8 or contains NUL bytes."""
    data = unmarked(file.name, file.data)
    if (at := file.data.find(b"\0")) >= 0:
        raise input_error(
            "there is a NUL byte: this is not a text file", file=file.name, line=_line(file, at)
        )
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        byte = data[error.start]
        message = f"byte 0x{byte:02x} is not UTF-8; save the file as UTF-8"
        raise input_error(message, file=file.name, line=_line(file, error.start)) from None


def _line(file: File, at: int) -> int:
    return file.data.count(b"\n", 0, at) + 1


def lines(text: str) -> list[str]:
    """The lines of a text, which end with LF or CRLF only."""
    # str.splitlines also splits at U+2028, form feeds and others, which occur within segments
    found = text.split("\n")
    if found and not found[-1]:
        found.pop()
    return [line.removesuffix("\r") for line in found]
