"""How far two answers lie apart: the weights of disagreement, by their names."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from jurat.stats.ratings import Array

DISTANCES: dict[str, Callable[[Array], Array]] = {
    "none": lambda apart: (apart != 0).astype(np.float64),
    "linear": np.abs,
    "quadratic": np.square,
    "one-off": lambda apart: np.maximum(np.abs(apart) - 1, 0),
}
# What a difference counts; `one-off` is linear on max(|d| − 1, 0), SKLL's allow_off_by_one.
WEIGHTS = tuple(DISTANCES)


def commonest_and_other(given: ArrayLike, places: Array, weights: str) -> tuple[int, int]:
    """The commonest answer, and that which adds most to the distance of all others from it.

    `given` says how often each was given, two of them at least. Without weights, and where no
    answer has a distance, the other one is the next in number.
    """
    number = np.array(given, dtype=np.float64)
    first = int(number.argmax())
    if weights != "none":
        apart = number * DISTANCES[weights](places - places[first])
        if apart.any():
            return first, int(apart.argmax())
    number[first] = -1
    return first, int(number.argmax())
