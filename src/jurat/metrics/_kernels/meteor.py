"""METEOR's alignment: which words of a hypothesis go with which of a reference.

The search is that of Meteor 1.5 (Denkowski & Lavie 2014), with what its program does beyond the
paper: only the same word counts as a match while alignments are compared, and the distance to a
place among several counts for the alignments that are tried after it, not for its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.metrics._kernels import kernel

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Counts = NDArray[np.float64]

# Alignments that are kept from one word of the reference to the next.
BEAM = 40
# The same word, the same stem, a shared set of synonyms.
STAGES = 3
# The counts of a pair: words by side and kind, matches by stage, side and kind, and chunks.
WIDTH = 4 + 4 * STAGES + 1
# What a match of the same word is worth in chunks, of which there are never so many.
SAME = 1 << 32
NONE = np.int64(-1)

# What is known of a word: the number of its stem, 1 for a function word, and where the numbers of
# its synonym sets, in order, begin and end.
STEM, FUNCTION, FIRST, LAST = range(4)

# What is known of an alignment: chunks that are closed, less what the same words are worth; the
# distance of its matches; where its open chunk ends in the hypothesis, or NONE; then a bit for
# each hypothesis word in use.
COST, DISTANCE, END, USED = range(4)
# What is known of a candidate besides cost and distance: which alignment it extends by which
# choice. The last column is a list of its own: which row comes first, which second and so on, and
# in row BEAM how many there are.
PARENT, CHOICE, RANKED = 2, 3, 4


class Lexicon(NamedTuple):
    """What is known of words: a row for each, by its number, and the synonym sets of all."""

    words: Ints
    sets: Ints


@kernel
def count_pairs(words: Ints, starts: Ints, owners: Ints, lexicon: Lexicon) -> Counts:
    """The counts of each reference with the hypothesis that owns it.

    Words are numbers; text i goes from its start to the next one's. The references are the last
    texts, and their owners the numbers of other texts.
    """
    counts = np.zeros((len(owners), WIDTH))
    for k in range(len(owners)):
        text = len(starts) - 1 - len(owners) + k
        hypothesis = words[starts[owners[k]] : starts[owners[k] + 1]]
        reference = words[starts[text] : starts[text + 1]]
        for word in hypothesis:
            counts[k, lexicon.words[word, FUNCTION]] += 1
        for word in reference:
            counts[k, 2 + lexicon.words[word, FUNCTION]] += 1
        count_matches(hypothesis, reference, lexicon, counts[k])
    return counts


@kernel
def count_matches(hypothesis: Ints, reference: Ints, lexicon: Lexicon, counts: Counts) -> None:
    """Align the texts and count their matches and chunks."""
    history = np.empty((len(reference), BEAM, 3), np.int64)
    path, chunks = align(hypothesis, reference, lexicon, history)
    matched = 0
    for j in range(len(reference) - 1, -1, -1):
        word, column = history[j, path, 1], 4 + 4 * history[j, path, 2]
        if word != NONE:
            counts[column + lexicon.words[hypothesis[word], FUNCTION]] += 1
            counts[column + 2 + lexicon.words[reference[j], FUNCTION]] += 1
            matched += 1
        path = history[j, path, 0]
    # Meteor 1.5 lets a text that is matched whole and in order go without a penalty.
    whole = matched == len(hypothesis) == len(reference) and chunks == 1
    counts[WIDTH - 1] = 0 if whole else chunks


@kernel
def align(hypothesis: Ints, reference: Ints, lexicon: Lexicon, history: Ints) -> tuple[int, int]:
    """The best alignment and its chunks; its history goes word by word back over the reference."""
    stages = stages_of(hypothesis, reference, lexicon)
    settled = settle(hypothesis, reference, lexicon, stages)
    width = USED + (len(hypothesis) + 63) // 64
    now, then = np.zeros((BEAM, width), np.int64), np.zeros((BEAM, width), np.int64)
    candidates = np.zeros((BEAM + 1, 5), np.int64)
    choices = room_for_choices(hypothesis)
    now[0, END] = NONE
    # The search starts from one empty alignment.
    kept = np.int64(1)
    for j in range(len(reference)):
        found = choices_of(hypothesis, reference[j], lexicon, stages, choices)
        candidates[BEAM, RANKED] = 0
        for path in range(kept):
            extend(now, path, j, choices[: found if settled[j] else found + 1], candidates)
        kept = candidates[BEAM, RANKED]
        advance(now, then, choices, candidates, history[j])
        now, then = then, now
    return best_of(now, int(kept))


@kernel
def stages_of(hypothesis: Ints, reference: Ints, lexicon: Lexicon) -> int:
    """How many stages there are: of a text with itself only the first."""
    same = len(hypothesis) == len(reference)
    for i in range(len(hypothesis)):
        same = same and hypothesis[i] == reference[i]
    if same:
        return 1
    return STAGES if len(lexicon.sets) else STAGES - 1


@kernel
def settle(hypothesis: Ints, reference: Ints, lexicon: Lexicon, stages: int) -> Flags:
    """The reference words that match one word only, which matches no other."""
    wanted, single = np.zeros(len(hypothesis), np.int64), np.zeros(len(reference), np.int64)
    choices = room_for_choices(hypothesis)
    for j in range(len(reference)):
        found = choices_of(hypothesis, reference[j], lexicon, stages, choices)
        for k in range(found):
            wanted[choices[k, 0]] += 1
        single[j] = choices[0, 0] if found == 1 else NONE
    settled = np.zeros(len(reference), np.bool_)
    for j in range(len(reference)):
        settled[j] = single[j] != NONE and wanted[single[j]] == 1
    return settled


@kernel
def room_for_choices(hypothesis: Ints) -> Ints:
    """Room for a word's matches, each a hypothesis word and a stage, and for leaving it out."""
    return np.empty((STAGES * len(hypothesis) + 1, 2), np.int64)


@kernel
def choices_of(hypothesis: Ints, word: int, lexicon: Lexicon, stages: int, choices: Ints) -> int:
    """Write down what a word matches, stage by stage, and then nothing; how many match."""
    found = 0
    for stage in range(stages):
        for i in range(len(hypothesis)):
            if matches(hypothesis[i], word, stage, lexicon):
                choices[found, 0], choices[found, 1] = i, stage
                found += 1
    choices[found, 0], choices[found, 1] = NONE, 0
    return found


@kernel
def matches(word: int, other: int, stage: int, lexicon: Lexicon) -> bool:
    """Whether two words match in a stage; the same word matches only as such."""
    if stage == 0 or word == other:
        return stage == 0 and word == other
    if stage == 1:
        return bool(lexicon.words[word, STEM] == lexicon.words[other, STEM])
    i, j = lexicon.words[word, FIRST], lexicon.words[other, FIRST]
    while i < lexicon.words[word, LAST] and j < lexicon.words[other, LAST]:
        if lexicon.sets[i] == lexicon.sets[j]:
            return True
        if lexicon.sets[i] < lexicon.sets[j]:
            i += 1
        else:
            j += 1
    return False


@kernel
def extend(now: Ints, path: int, j: int, choices: Ints, candidates: Ints) -> None:
    """Make candidates of an alignment with every choice it has for a word of the reference.

    Where it has no choice, its own match adds to its distance; else only those tried before.
    """
    cost, distance, end = now[path, COST], now[path, DISTANCE], now[path, END]
    settled = choices[-1, 0] != NONE
    for k in range(len(choices)):
        word, stage = choices[k, 0], choices[k, 1]
        if word == NONE:
            place(candidates, path, k, cost + (end != NONE), distance)
        elif not (now[path, USED + word // 64] >> (word % 64)) & 1:
            closed = end not in (NONE, word)
            far = distance + abs(j - word)
            worth = SAME if stage == 0 else 0
            place(candidates, path, k, cost + closed - worth, far if settled else distance)
            distance = far


@kernel
def place(candidates: Ints, path: int, choice: int, cost: int, distance: int) -> None:
    """Put a candidate behind those that are as good, if the beam has room for it."""
    listed = candidates[BEAM, RANKED]
    at = listed
    while at > 0:
        before = candidates[at - 1, RANKED]
        dearer = candidates[before, COST] - cost
        if dearer < 0 or (dearer == 0 and candidates[before, DISTANCE] <= distance):
            break
        at -= 1
    if at == BEAM:
        return
    # A full beam reuses the row of its worst candidate.
    row = listed
    if listed == BEAM:
        row, listed = candidates[BEAM - 1, RANKED], BEAM - 1
    for rank in range(listed, at, -1):
        candidates[rank, RANKED] = candidates[rank - 1, RANKED]
    candidates[at, RANKED], candidates[BEAM, RANKED] = row, listed + 1
    candidates[row, COST], candidates[row, DISTANCE] = cost, distance
    candidates[row, PARENT], candidates[row, CHOICE] = path, choice


@kernel
def advance(now: Ints, then: Ints, choices: Ints, candidates: Ints, history: Ints) -> None:
    """Make alignments of the candidates, best first, and note where they came from."""
    for path in range(candidates[BEAM, RANKED]):
        row = candidates[path, RANKED]
        parent, choice = candidates[row, PARENT], candidates[row, CHOICE]
        word, stage = choices[choice, 0], choices[choice, 1]
        then[path, COST], then[path, DISTANCE] = candidates[row, COST], candidates[row, DISTANCE]
        then[path, END] = NONE if word == NONE else word + 1
        for block in range(USED, now.shape[1]):
            then[path, block] = now[parent, block]
        if word != NONE:
            then[path, USED + word // 64] |= 1 << (word % 64)
        history[path, 0], history[path, 1], history[path, 2] = parent, word, stage


@kernel
def best_of(paths: Ints, kept: int) -> tuple[int, int]:
    """The best of the finished alignments, and its chunks."""
    best = 0
    for path in range(kept):
        paths[path, COST] += paths[path, END] != NONE
        dearer = paths[path, COST] - paths[best, COST]
        if dearer < 0 or (dearer == 0 and paths[path, DISTANCE] < paths[best, DISTANCE]):
            best = path
    return best, paths[best, COST] % SAME
