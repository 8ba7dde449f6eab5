"""Words of every script, as people who mark words in a text see them."""

from __future__ import annotations

from typing import ClassVar

from jurat.metrics.kernels.kinds import LETTER, SINGLE
from jurat.metrics.tokenizers.tokenizer import LETTERED, Kinds, Tokenizer
from jurat.wordbreaks import RUN, kind_of


class Words(Tokenizer):
    """Runs of letters, marks and digits; any other sign alone."""

    name: ClassVar[str] = "words"
    about: ClassVar[str] = "letters, marks and digits; signs of scripts without blanks are words"

    def mark(self, kinds: Kinds) -> None:
        kinds[:] = SINGLE
        kinds[[code for code in LETTERED if kind_of(chr(code)) == RUN]] = LETTER
