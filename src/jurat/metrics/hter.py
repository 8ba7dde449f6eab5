"""HTER: how much a judge had to change to make the translation a good one."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from jurat.metrics.metric import Array
from jurat.metrics.nearest import Compared, Ints
from jurat.metrics.ter import Ter


class Hter(Ter, frozen=True, kw_only=True):
    """Human-targeted TER: the references are what judges made of the translation by post-editing.

    Of several post-edits the one with the fewest edits counts, with its own length.
    """

    name: ClassVar[str] = "hter"
    title: ClassVar[str] = "HTER"

    def gather(self, edits: Ints, texts: Compared) -> Array:
        """The counts against the nearest of a segment's post-edits."""
        nearest = texts.nearest(edits)
        return np.column_stack([edits[nearest], texts.reference_lengths[nearest]]).astype(float)
