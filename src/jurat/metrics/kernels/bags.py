"""Words that two texts have in common, in whatever order."""

from __future__ import annotations

import numpy as np

from jurat.metrics.kernels import kernel
from jurat.metrics.kernels.edits import Ints, free_seats


@kernel
def shared_words(
    words: Ints, starts: Ints, references: Ints, reference_starts: Ints, firsts: Ints
) -> Ints:
    """How many words of its hypothesis each reference has, each of its words counting once.

    Words are numbers from 0. Hypothesis i has those from `starts[i]` to `starts[i + 1]`, and the
    references from `firsts[i]` to `firsts[i + 1]`, whose words are told in the same way.
    """
    free = free_seats(references)
    found = np.zeros(len(reference_starts) - 1, np.int64)
    for i in range(len(firsts) - 1):
        for k in range(firsts[i], firsts[i + 1]):
            reference = references[reference_starts[k] : reference_starts[k + 1]]
            for word in reference:
                free[word] += 1
            for word in words[starts[i] : starts[i + 1]]:
                if word < len(free) and free[word] > 0:
                    free[word] -= 1
                    found[k] += 1
            for word in reference:
                free[word] = 0
    return found
