"""The tokenizers of NIST's mteval scripts, as sacreBLEU has them: 13a, intl and zh.

WMT used mteval-v13a for years; mteval-v14 has the international option; for Chinese, characters are
words and the rest is cut as by 13a.
"""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Sequence
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
        if not any(mark in whole for mark in MARKS):
            return texts
        return [_unmarked(text) for text in texts]

    def mark(self, kinds: Kinds) -> None:
        mark_ascii(kinds)


def _unmarked(text: str) -> str:
    if any(mark in text for mark in MARKS):
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
# What Unicode 15 to 18 added, so that scores do not depend on what this Python knows.
LATER = {
    "P": (
        "1b4e-1b4f 1b7f 2e60-2e63 10d6e 10ed0 113d4-113d5 113d7-113d8 11b00-11b09 11be1 "
        "11f43-11f4f 16d6d-16d6f 1e5ff"
    ),
    "S": (
        "20c1-20c4 2427-2429 2b96 2ffc-2fff 31e4-31e5 31ef fbc3-fbd2 fd90-fd91 fdc8-fdce "
        "10d8e-10d8f 10ec9-10eca 10ed1-10ed8 1cc00-1ccef 1ccfa-1ccfc 1cd00-1ceb3 "
        "1ceba-1ced0 1ced2-1ced4 1cedd-1cefd 1d1eb-1d1ff 1d253-1d25a 1d25d-1d25e "
        "1d260-1d27f 1db00-1db1c 1f1ae 1f6d8-1f6d9 1f6dc 1f774-1f77f 1f7d9-1f7db "
        "1f7f1-1f7ff 1f8b2-1f8bb 1f8c0-1f8c1 1f8d0-1f8d8 1fa54-1fa57 1fa75-1fa77 "
        "1fa87-1fa8f 1faad-1faaf 1fabb-1fabf 1fac6 1fac8 1facc-1facf 1fada-1fadd 1fadf "
        "1fae8-1faeb 1faef 1faf7-1fafa 1fbcb-1fbef 1fbfa"
    ),
    "N": (
        "10d40-10d49 116d0-116e3 11bf0-11bf9 11de0-11de9 11f50-11f59 1246f 12475-1247f "
        "12550-12686 16130-16139 16d70-16d79 16ff4-16ff6 1ccf0-1ccf9 1d2c0-1d2d3 "
        "1e4f0-1e4f9 1e5f1-1e5fa"
    ),
}


class International(Tokenizer):
    """Cuts off the punctuation and symbols of every script."""

    name: ClassVar[str] = "intl"
    about: ClassVar[str] = "mteval-v14: punctuation and symbols of every script are cut off"

    def mark(self, kinds: Kinds) -> None:
        for kind, ranges in LATER.items():
            for ends in ranges.split():
                first, _, last = ends.partition("-")
                kinds[int(first, 16) : int(last or first, 16) + 1] = KINDS[kind]
        for code in LETTERED:
            if (category := unicodedata.category(chr(code))[0]) in KINDS:
                kinds[code] = KINDS[category]


# First and last of what sacreBLEU takes for Chinese. The first range is meant for 0x20000 to
# 0x2A6D6 there and for general punctuation in effect; the numbers have to be the same.
CHINESE = (
    (0x2001, 0x2A6D),
    (0x2E80, 0x2EFF),
    (0x2F00, 0x2FDF),
    (0x2FF0, 0x2FFF),
    (0x3000, 0x303F),
    (0x3100, 0x312F),
    (0x31A0, 0x31BF),
    (0x31C0, 0x31EF),
    (0x3200, 0x33FF),
    (0x3400, 0x4DB5),
    (0x4E00, 0x9FBB),
    (0xF900, 0xFA2D),
    (0xFA30, 0xFA6A),
    (0xFA70, 0xFAD9),
    (0xFE10, 0xFE1F),
    (0xFE30, 0xFE4F),
    (0xFF00, 0xFFEF),
)


class Chinese(Tokenizer):
    """Every Chinese character is a word; words of other scripts as 13a cuts them."""

    name: ClassVar[str] = "zh"
    about: ClassVar[str] = "every Chinese sign is a word, the rest as 13a; for Chinese"

    def clean(self, texts: Sequence[str]) -> Sequence[str]:
        return [text.strip() for text in texts]

    def mark(self, kinds: Kinds) -> None:
        mark_ascii(kinds)
        for first, last in CHINESE:
            kinds[first : last + 1] = SINGLE
