"""GTM's matching: runs of words that both texts have, the longest first.

Runs wait in a heap with the length they had when they were found; a run that others have cut into
since then goes back as its free parts.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from jurat.metrics._kernels import kernel
from jurat.metrics._kernels.edit_distance import overlap

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Counts = NDArray[np.float64]
# Its length and its first word in the hypothesis and in the reference, negated: the heap gives the
# least, but the longest comes first and, of equally long ones, that furthest back in the texts.
Run: TypeAlias = tuple[int, int, int]

# No position; and between two references, a word that is like no other.
NONE = -1


@kernel
def match_texts(words: Ints, starts: Ints, firsts: Ints, known: int, exponent: float) -> Counts:
    """The match of each hypothesis, its length, and the mean length of its references.

    Words are numbers below `known`; text i goes from its start to the next one's. Hypothesis i is
    text i and has the texts from `firsts[i]` to `firsts[i + 1]` for references.
    """
    counts = np.zeros((len(firsts) - 1, 3))
    latest, free = np.full(known, NONE, np.int64), np.zeros(known, np.int64)
    for i in range(len(counts)):
        hypothesis = words[starts[i] : starts[i + 1]]
        bounds = starts[firsts[i] : firsts[i + 1] + 1]
        length = (bounds[-1] - bounds[0]) / (len(bounds) - 1)
        budget = min(float(len(hypothesis)), length)
        counts[i, 1], counts[i, 2] = len(hypothesis), length
        if exponent == 1:
            joined = words[bounds[0] : bounds[-1]]
            # Single words count as much as runs, so that runs need not be found.
            counts[i, 0] = min(budget, overlap(hypothesis, joined, free))
        elif budget > 0:
            joined = end_to_end(words, bounds)
            counts[i, 0] = match_runs(hypothesis, joined, latest, budget, exponent)
    return counts


@kernel
def end_to_end(words: Ints, bounds: Ints) -> Ints:
    """References one after the other, each followed by a break that no run crosses."""
    joined = np.full(bounds[-1] - bounds[0] + len(bounds) - 1, NONE, np.int64)
    for k in range(len(bounds) - 1):
        for j in range(bounds[k], bounds[k + 1]):
            joined[j - bounds[0] + k] = words[j]
    return joined


@kernel
def match_runs(
    hypothesis: Ints, reference: Ints, latest: Ints, budget: float, exponent: float
) -> float:
    """The e-th root of the sum of the runs' lengths to the power of e, within the budget."""
    runs = runs_of(hypothesis, reference, latest)
    heapify(runs)
    rows, columns = np.zeros(len(hypothesis), np.bool_), np.zeros(len(reference), np.bool_)
    longest = total = 0.0
    while len(runs) and budget > 0:
        run = heappop(runs)
        if cut(run, runs, rows, columns):
            continue
        size, i, j = -run[0], -run[1], -run[2]
        rows[i : i + size] = True
        columns[j : j + size] = True
        length = min(float(size), budget)
        budget -= length
        longest = max(longest, length)  # which is the first, and keeps every power below 1
        total += (length / longest) ** exponent
    return float(longest * total ** (1 / exponent))


@kernel
def runs_of(hypothesis: Ints, reference: Ints, latest: Ints) -> list[Run]:
    """All runs of equal words that cannot be made longer.

    `latest` holds only NONE before and after.
    """
    earlier = np.empty(len(reference), np.int64)
    for j in range(len(reference)):
        if reference[j] != NONE:
            earlier[j] = latest[reference[j]]
            latest[reference[j]] = j
    runs = [(0, 0, 0) for _ in range(0)]  # an empty list whose type is known
    for i in range(len(hypothesis)):
        j = latest[hypothesis[i]]
        while j != NONE:
            if not (i and j and hypothesis[i - 1] == reference[j - 1]):
                size = 1
                while i + size < len(hypothesis) and hypothesis[i + size] == reference[j + size]:
                    size += 1
                runs.append((-size, -i, -j))
            j = earlier[j]
    for word in reference:
        if word != NONE:
            latest[word] = NONE
    return runs


@kernel
def cut(run: Run, runs: list[Run], rows: Flags, columns: Flags) -> bool:
    """Whether words of a run are taken; if so, its free parts are put into the heap."""
    size, i, j = -run[0], -run[1], -run[2]
    taken, free = False, 0
    for k in range(size + 1):
        if k < size and not rows[i + k] and not columns[j + k]:
            free += 1
            continue
        taken = taken or k < size
        if taken and free:
            heappush(runs, (-free, -(i + k - free), -(j + k - free)))
        free = 0
    return taken
