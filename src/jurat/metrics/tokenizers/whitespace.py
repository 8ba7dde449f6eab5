"""Words as blanks part them."""

from __future__ import annotations

from typing import ClassVar

from jurat.metrics.tokenizers.tokenizer import Tokenizer


class Whitespace(Tokenizer):
    """For texts that are tokenized already."""

    name: ClassVar[str] = "none"
    about: ClassVar[str] = "words as blanks part them, for texts that are tokenized already"
