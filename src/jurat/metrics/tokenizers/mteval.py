"""The tokenizers of NIST's mteval scripts, as sacreBLEU has them: 13a, intl and zh.

WMT used mteval-v13a for years; mteval-v14 has the international option; for Chinese, characters are
words and the rest is cut as by 13a.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import ClassVar

from jurat.metrics._kernels import DASH, NUMBER, SINGLE, STOP
from jurat.metrics.tokenizers import LETTERED, Kinds, Tokenizer

PUNCTUATION = sorted({*string.punctuation} - {*"',-."})
# Markup of NIST's files, in the order in which it is replaced.
REPLACED = (
    ("<skipped>", ""),
    ("-\n", ""),
    ("&quot;", '"'),
    ("&amp;", "&"),
    ("&lt;", "<"),
    ("&gt;", ">"),
)
# A text with none of these has no such markup.
MARKS = ("&", "-\n", "<skipped>")


class Mteval(Tokenizer):
    """Cuts off ASCII punctuation; the right one for languages with Latin letters."""

    name: ClassVar[str] = "13a"
    about: ClassVar[str] = "mteval-v13a: the punctuation of ASCII is cut off; for Latin scripts"
    padded: ClassVar[bool] = True

    def clean(self, texts: Sequence[str]) -> Sequence[str]:
        whole = "".join(texts)
        found = [mark for mark in MARKS if mark in whole]
        if not found:
            return texts
        # Threads take turns here, since Python holds its lock: one test a text must do.
        if len(found) == 1:
            (one,) = found
            return [_unmarked(text) if one in text else text for text in texts]
        marked = re.compile("|".join(map(re.escape, found))).search
        return [_unmarked(text) if marked(text) else text for text in texts]

    def mark(self, kinds: Kinds) -> None:
        mark_ascii(kinds)


def _unmarked(text: str) -> str:
    text = text.rstrip()
    for old, new in REPLACED:
        text = text.replace(old, new)
    return text


def mark_ascii(kinds: Kinds) -> None:
    """Mark ASCII: punctuation is a word, stops not within numbers, dashes only after numbers."""
    kinds[[ord(sign) for sign in PUNCTUATION]] = SINGLE
    kinds[ord("0") : ord("9") + 1] = NUMBER
    kinds[[ord("."), ord(",")]] = STOP
    kinds[ord("-")] = DASH


# What the Unicode categories of punctuation, symbols and numbers do.
KINDS = {"P": STOP, "S": SINGLE, "N": NUMBER}


class International(Tokenizer):
    """Cuts off the punctuation and symbols of every script."""

    name: ClassVar[str] = "intl"
    about: ClassVar[str] = "mteval-v14: punctuation and symbols of every script are cut off"

    def mark(self, kinds: Kinds) -> None:
        for name, kind in KINDS.items():
            for part in _ranges(name):
                kinds[part] = kind
        for code in LETTERED:
            if (category := unicodedata.category(chr(code))[0]) in KINDS:
                kinds[code] = KINDS[category]


class Chinese(Tokenizer):
    """Every Chinese character is a word; words of other scripts as 13a cuts them."""

    name: ClassVar[str] = "zh"
    about: ClassVar[str] = "every Chinese sign is a word, the rest as 13a; for Chinese"

    def clean(self, texts: Sequence[str]) -> Sequence[str]:
        return [text.strip() for text in texts]

    def mark(self, kinds: Kinds) -> None:
        mark_ascii(kinds)
        for part in _ranges("Chinese"):
            kinds[part] = SINGLE


def _ranges(name: str) -> Iterator[slice]:
    """The ranges of code points of that name in `code_points.txt`."""
    text = files(__package__).joinpath("code_points.txt").read_text("utf-8")
    for line in text.splitlines():
        named, *ranges = line.split() or [""]
        for first, _, last in (one.partition("-") for one in ranges if named == name):
            yield slice(int(first, 16), int(last or first, 16) + 1)
