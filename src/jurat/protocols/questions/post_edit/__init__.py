"""Post-editing: the translation, corrected with as few changes as possible."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar

from jurat.model import Item
from jurat.protocols.questions import Answer
from jurat.protocols.questions.text import Text


class PostEdit(Text, frozen=True, kw_only=True):
    """The corrected translation, from which HTER and editing time are computed."""

    name: ClassVar[str] = "post-edit"
    template: ClassVar[str] = "input.html"
    script: ClassVar[str] = "input.js"
    style: ClassVar[str] = "input.css"
    # source and corrected text side by side, so that neither is out of sight where they are long
    beside_texts: ClassVar[bool] = True

    longest: int = 20_000

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> Answer:
        """Replace words by those of the reference, the more the worse the translation is."""
        words = item.translations[0].text.split()
        better = next(iter(item.references.values()), item.translations[0].text).split()
        edited = [
            b if random.random() > qualities[0] else w for w, b in zip(words, better, strict=False)
        ]
        text = " ".join([*edited, *words[len(edited) :]]) or " ".join(better)
        # an empty text would be refused where the question is required
        return (text or "(nothing)")[: self.longest].strip()
