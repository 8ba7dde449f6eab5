"""A tokenizer says of every sign what it does to words; one kernel does the cutting for all."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from jurat.metrics.kernels.kinds import BLANK

Kinds: TypeAlias = "NDArray[np.uint8]"

BLANKS = (
    *range(0x09, 0x0E),
    *range(0x1C, 0x21),
    *(0x85, 0xA0, 0x1680),
    *range(0x2000, 0x200B),
    *(0x2028, 0x2029, 0x202F, 0x205F, 0x3000),
)
"""Where `str.split` splits."""

LETTERED = (*range(0x40000), *range(0xE0000, 0xE1000))
"""Code points of the planes that hold signs; the others are empty or everybody's own."""


class Tokenizer:
    """A way of cutting a text into words. What it does not say leaves words as blanks part them."""

    name: ClassVar[str]
    about: ClassVar[str]
    padded: ClassVar[bool] = False
    """Whether a text is cut as if blanks stood before and behind it."""

    def clean(self, texts: Sequence[str]) -> Sequence[str]:
        """The texts as they are cut; blanks at their ends never matter."""
        return texts

    def mark(self, kinds: Kinds) -> None:
        """Write down what signs do, by code points; all are letters so far, blanks come last."""

    @cached_property
    def kinds(self) -> Kinds:
        """What every sign of Unicode does to words."""
        table = np.zeros(sys.maxunicode + 1, np.uint8)
        self.mark(table)
        table[list(BLANKS)] = BLANK
        return table
