"""The judges who judged all the items, for statistics that need a table without gaps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from jurat.stats.agreement.wording import WORDS
from jurat.stats.ratings import Array, Codes, Ratings


class Complete(NamedTuple):
    """Answers (items × judges) as codes of points and as values, and how many judges there were."""

    codes: Codes
    values: Array
    of: int

    @classmethod
    def of_ratings(cls, ratings: Ratings) -> Complete:
        """The judges who gave an answer to every item."""
        judges, items = len(ratings.judges), int(ratings.item_codes.max(initial=-1)) + 1
        judged = np.bincount(ratings.judge_codes, minlength=judges)
        whole = np.flatnonzero(judged == items)
        column = np.full(judges, -1)
        column[whole] = np.arange(len(whole))
        kept = column[ratings.judge_codes] >= 0
        codes = np.zeros((items, len(whole)), dtype=np.int64)
        codes[ratings.item_codes[kept], column[ratings.judge_codes[kept]]] = ratings.codes[kept]
        return cls(codes, ratings.places[codes], judges)

    @property
    def judges(self) -> int:
        """How many judged everything."""
        return int(self.codes.shape[1])

    def reason(self, ratings: Ratings, otherwise: str) -> str:
        """Why nothing can be said of these judges."""
        if ratings.nominal:
            return WORDS
        if self.judges < 2:
            return f"fewer than two of {self.of} judges judged all the items"
        return "there is only one item" if len(self.codes) < 2 else otherwise

    def told(self) -> str:
        """`26 of 27 judges`."""
        return f"{self.judges} of {self.of} judges"


def all_told(found: Iterable[Complete]) -> str:
    """`2 of 10 judges judged them all`, of each question where that differs."""
    several = {complete.told(): None for complete in found if complete.judges > 1}
    return f"{', '.join(several)} judged them all"
