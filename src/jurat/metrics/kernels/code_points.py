"""Texts as numbers: their code points, one text after the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jurat.metrics.kernels import kernel

Codes = NDArray[np.uint32]
Places = NDArray[np.int64]


def code_points(texts: Sequence[str]) -> tuple[Codes, Places]:
    """The code points of all texts, and where each text begins; lone surrogates are let through."""
    offsets = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)), out=offsets[1:])
    return np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32), offsets


@kernel
def without(
    codes: Codes, offsets: Places, kinds: NDArray[np.uint8], kind: int
) -> tuple[Codes, Places]:
    """The same texts without the signs of a kind."""
    left = np.empty(len(codes), np.uint32)
    places = np.empty(len(offsets), np.int64)
    places[0] = kept = 0
    for text in range(len(offsets) - 1):
        for at in range(offsets[text], offsets[text + 1]):
            left[kept] = codes[at]
            kept += kinds[codes[at]] != kind
        places[text + 1] = kept
    return left[:kept].copy(), places
