"""Whether systems can be put on one scale: who is connected with whom by comparisons."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from jurat.stats.ratings import Array
from jurat.stats.systems.comparisons import Comparisons
from jurat.stats.words import listed


def strongly_connected(wins: Array) -> NDArray[np.bool_]:
    """Of each win matrix, whether a chain of wins leads from every system to every other."""
    return np.asarray(_reached(wins > 0).all(axis=(-2, -1)))


def _reached(steps: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """What can be reached from where by any number of steps."""
    size = steps.shape[-1]
    reached = (steps | np.eye(size, dtype=bool)).astype(np.float32)
    for _ in range(max(1, int(np.ceil(np.log2(max(size, 2)))))):
        if reached.all():
            break
        reached = np.minimum(reached @ reached, 1)
    return np.asarray(reached > 0)


def groups(compared: Comparisons) -> list[list[str]]:
    """Systems that comparisons connect, in any direction; one group if all is well."""
    met = compared.wins + compared.wins.T + compared.ties
    reached = _reached(met > 0)
    kinds = {tuple(row) for row in reached.tolist()}
    return [
        [name for name, there in zip(compared.systems, kind, strict=True) if there]
        for kind in sorted(kinds, reverse=True)
    ]


def why_apart(compared: Comparisons) -> str:
    """Why systems are on no common scale, where they are on none."""
    if len(compared.systems) < 2:
        return "there is only one system"
    apart = groups(compared)
    if len(apart) == 1:
        return ""
    each = "; ".join(listed(names, 3) for names in apart[:3])
    return f"the systems fall into {len(apart)} groups that were never compared: {each}"


def why_unbounded(compared: Comparisons) -> str:
    """Why strengths cannot be told, where they cannot."""
    if apart := why_apart(compared):
        return apart
    wins = compared.wins + compared.ties / 2
    lost = [n for n, row in zip(compared.systems, wins, strict=True) if not row.any()]
    won = [n for n, column in zip(compared.systems, wins.T, strict=True) if not column.any()]
    if lost or won:
        told = [
            f"{listed(names, 3)} {verb}"
            for names, verb in ((won, "never lost"), (lost, "never won"))
            if names
        ]
        return f"{' and '.join(told)}: the likelihood has no maximum"
    return "some systems always won against all others: the likelihood has no maximum"
