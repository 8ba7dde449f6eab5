"""Post-editing: the translation mended with as few changes as will do."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar

from jurat.model import Item
from jurat.protocols.questions import Answer
from jurat.protocols.questions.text import Text


class PostEdit(Text, frozen=True, kw_only=True):
    """The mended translation; HTER and the time spent follow from it."""

    name: ClassVar[str] = "post-edit"
    template: ClassVar[str] = "input.html"

    longest: int = 20_000

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> Answer:
        """Leave a good translation alone; take a word of the reference for each bad one."""
        words = item.translations[0].text.split()
        better = next(iter(item.references.values()), item.translations[0].text).split()
        mended = [
            b if random.random() > qualities[0] else w for w, b in zip(words, better, strict=False)
        ]
        text = " ".join([*mended, *words[len(mended) :]]) or " ".join(better)
        return (text or "(nothing)")[: self.longest].strip()
