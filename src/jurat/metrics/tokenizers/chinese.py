"""Every Chinese sign a word, the rest as mteval-v13a cuts it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from jurat.metrics._kernels import SINGLE
from jurat.metrics.tokenizers import Kinds, Tokenizer
from jurat.metrics.tokenizers.mteval import mark_ascii

# First and last of what sacreBLEU takes for Chinese. The first range is meant for 0x20000 to
# 0x2A6D6 there and for general punctuation in effect; the numbers have to be the same.
SIGNS = (
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
    """For Chinese, also where words of other scripts are within."""

    name: ClassVar[str] = "zh"
    about: ClassVar[str] = "every Chinese sign is a word, the rest as 13a; for Chinese"

    def clean(self, texts: Sequence[str]) -> Sequence[str]:
        return [text.strip() for text in texts]

    def mark(self, kinds: Kinds) -> None:
        mark_ascii(kinds)
        for first, last in SIGNS:
            kinds[first : last + 1] = SINGLE
