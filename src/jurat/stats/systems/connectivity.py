"""Whether comparisons connect all systems, without which they are on no common scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from jurat.stats.phrases import listed
from jurat.stats.ratings import Array
from jurat.stats.systems.win_counts import WinCounts


def strongly_connected(wins: Array) -> NDArray[np.bool_]:
    """Of each win matrix, whether a chain of wins leads from every system to every other."""
    return np.asarray(_reached(wins > 0).all(axis=(-2, -1)))


def _reached(steps: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """What can be reached from where by any number of steps."""
    size = steps.shape[-1]
    # floats, since numpy multiplies matrices of floats fast and those of booleans slowly
    reached = (steps | np.eye(size, dtype=bool)).astype(np.float32)
    # each squaring doubles the number of steps
    for _ in range(max(1, int(np.ceil(np.log2(max(size, 2)))))):
        if reached.all():
            break
        reached = np.minimum(reached @ reached, 1)
    return np.asarray(reached > 0)


def connected_groups(compared: WinCounts) -> list[list[str]]:
    """Systems that comparisons connect, in any direction; a single group if all are connected."""
    met = compared.wins + compared.wins.T + compared.ties
    groups = {tuple(row) for row in _reached(met > 0).tolist()}
    return [
        [name for name, there in zip(compared.systems, group, strict=True) if there]
        for group in sorted(groups, reverse=True)
    ]


def why_not_connected(compared: WinCounts) -> str:
    """Why systems are on no common scale; nothing where they are."""
    if len(compared.systems) < 2:
        return "there is only one system"
    groups = connected_groups(compared)
    if len(groups) == 1:
        return ""
    each = "; ".join(listed(names, 3) for names in groups[:3])
    return f"the systems fall into {len(groups)} groups that were never compared: {each}"


def why_no_maximum(compared: WinCounts) -> str:
    """Why the likelihood of strengths has no maximum."""
    if reason := why_not_connected(compared):
        return reason
    wins = compared.wins + compared.ties / 2
    # with a half win for each tie, a system that tied once has won and lost
    lost = [n for n, row in zip(compared.systems, wins, strict=True) if not row.any()]
    won = [n for n, column in zip(compared.systems, wins.T, strict=True) if not column.any()]
    said = [
        f"{listed(names, 3)} {verb}"
        for names, verb in ((won, "never lost"), (lost, "never won"))
        if names
    ]
    if said:
        return f"{' and '.join(said)}: the likelihood has no maximum"
    return "some systems always won against all others: the likelihood has no maximum"
