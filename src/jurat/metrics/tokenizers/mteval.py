"""The tokenizer of NIST's mteval-v13a, which WMT used for years and sacreBLEU took over."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import ClassVar

from jurat.metrics.kernels.kinds import DASH, NUMBER, SINGLE, STOP
from jurat.metrics.tokenizers.tokenizer import Kinds, Tokenizer

PUNCTUATION = sorted({*string.punctuation} - {*"',-."})
REPLACED = (
    ("<skipped>", ""),
    ("-\n", ""),
    ("&quot;", '"'),
    ("&amp;", "&"),
    ("&lt;", "<"),
    ("&gt;", ">"),
)
"""Marks of the NIST's files that are no text, in the order in which they are replaced."""
MARKS = ("&", "-\n", "<skipped>")
"""What a text must have for any of it."""


class Mteval(Tokenizer):
    """Cuts off the punctuation of ASCII; the sensible one for languages with Latin letters."""

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
    if "&" in text or "-\n" in text or "<skipped>" in text:
        text = text.rstrip()
        for old, new in REPLACED:
            text = text.replace(old, new)
    return text


def mark_ascii(kinds: Kinds) -> None:
    """Punctuation stands alone, unless stops are within numbers; dashes only behind numbers."""
    kinds[[ord(sign) for sign in PUNCTUATION]] = SINGLE
    kinds[ord("0") : ord("9") + 1] = NUMBER
    kinds[[ord("."), ord(",")]] = STOP
    kinds[ord("-")] = DASH
