"""The tokenizer of Tercom, the program of TER's authors, as sacreBLEU 2.6 has it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from jurat.metrics._kernels import SINGLE
from jurat.metrics.tokenizers import Kinds, TokenizedTexts, Tokenizer
from jurat.metrics.tokenizers.mteval import mark_ascii

ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
# An English 's before a blank, or punctuation that becomes a word.
POSSESSIVE = re.compile(r"'s(?=[ -&(-+/:-@[-`{-~]|\Z)")
# Characters of Chinese and Japanese that are words, but no punctuation.
CHARACTERS = "\u2e80-\u2eff\u31c0-\u31ef\u3200-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f"
ASIAN_PUNCTUATION = "\u3001-\u3002\u3008-\u3011\u3014-\u301f\u30fb-\u30fb\uff61-\uff65"
FULL_WIDTH = "\uff01-\uff02\uff08-\uff09\uff0c-\uff0c\uff0e-\uff0e\uff1a-\uff1b\uff1f-\uff1f"


class Tercom(Tokenizer):
    """Cuts off ASCII punctuation and the English possessive."""

    name: ClassVar[str] = "tercom"
    about: ClassVar[str] = "Tercom's: the punctuation of ASCII and the English 's are cut off"
    padded: ClassVar[bool] = True

    def clean(self, texts: Sequence[str]) -> Sequence[str]:
        return [_cleaned(text.rstrip()) for text in texts]

    def mark(self, kinds: Kinds) -> None:
        mark_ascii(kinds)


class TercomAsian(Tercom):
    """The same, and Chinese and Japanese characters and punctuation are words."""

    name: ClassVar[str] = "tercom-asian"
    about: ClassVar[str] = "Tercom's, with Chinese and Japanese characters as words"

    def mark(self, kinds: Kinds) -> None:
        mark_ascii(kinds)
        kinds[_codes(CHARACTERS + ASIAN_PUNCTUATION + FULL_WIDTH)] = SINGLE


def _cleaned(text: str) -> str:
    """The text on one line, with entities replaced and possessives split off."""
    if "\n" in text:
        text = text.replace("\n-", "").replace("\n", " ")
    if "&" in text:
        for entity, sign in ENTITIES:
            text = text.replace(entity, sign)
    return POSSESSIVE.sub(" 's", text) if "'s" in text else text


def without_punctuation(words: TokenizedTexts, *, asian: bool) -> TokenizedTexts:
    """Words without the punctuation in them; words of nothing else are left out."""
    left_out = _punctuation(asian)[words.codes]
    before = np.zeros(len(words.codes) + 1, np.int64)
    np.cumsum(left_out, out=before[1:])
    starts, ends = words.starts - before[words.starts], words.ends - before[words.ends]
    kept = starts < ends
    known = np.zeros(len(kept) + 1, np.int64)
    np.cumsum(kept, out=known[1:])
    return TokenizedTexts(words.codes[~left_out], starts[kept], ends[kept], known[words.offsets])


@cache
def _punctuation(asian: bool) -> NDArray[np.bool_]:
    """Which code points are punctuation to Tercom."""
    table = np.zeros(0x110000, np.bool_)
    table[[ord(sign) for sign in '.,?:;!"()']] = True
    if asian:
        table[_codes(ASIAN_PUNCTUATION + FULL_WIDTH)] = True
    return table


def _codes(ranges: str) -> list[int]:
    """The code points of consecutive ranges such as `a-zA-Z`."""
    pairs = zip(ranges[::3], ranges[2::3], strict=True)
    return [code for a, b in pairs for code in range(ord(a), ord(b) + 1)]
