"""Every sign a word."""

from __future__ import annotations

from typing import ClassVar

from jurat.metrics.kernels.kinds import SINGLE
from jurat.metrics.tokenizers.tokenizer import Kinds, Tokenizer


class Characters(Tokenizer):
    """For scripts without blanks, where no tokenizer of their own is at hand."""

    name: ClassVar[str] = "char"
    about: ClassVar[str] = "every sign but blanks is a word"

    def mark(self, kinds: Kinds) -> None:
        kinds[:] = SINGLE
