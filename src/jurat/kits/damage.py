"""Damaging a translation so that any reader sees it: half of it becomes words from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

FEWEST = 3
"""Words that are replaced at least, where there are as many."""
TRIES = 20
"""How often other words are looked for that are not the translation's own."""

_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)
"""Letters of scripts that put no blanks between words."""


def damaged(text: str, others: Sequence[str], random: Random) -> str | None:
    """The text with a run of words in each line replaced by words of other texts.

    At least half of each line is replaced, and at least half of what comes in is new to it; None
    where the other texts do not give that.
    """
    lines = [_damaged_line(line, others, random) for line in text.split("\n") if line.strip()]
    whole = [line for line in lines if line is not None]
    return "\n".join(whole) if whole and len(whole) == len(lines) else None


def _damaged_line(line: str, others: Sequence[str], random: Random) -> str | None:
    blank = "" if _UNSPACED.search(line) else " "
    words = _words(line, blank)
    length = max(min(len(words), FEWEST), (len(words) + 1) // 2)
    start = random.randrange(len(words) - length + 1)
    for _ in range(TRIES if others else 0):
        foreign = _run(others, length, blank, random)
        new = sum(word not in words for word in foreign)
        if foreign and 2 * new >= len(foreign):
            return blank.join([*words[:start], *foreign, *words[start + length :]])
    return None


def _run(texts: Sequence[str], length: int, blank: str, random: Random) -> list[str]:
    """So many words in a row, from one text or, where it is too short, from several."""
    found: list[str] = []
    for _ in range(length):
        words = _words(random.choice(texts), blank)
        start = random.randrange(max(1, len(words) - length + 1))
        found += words[start : start + length - len(found)]
        if len(found) == length:
            break
    return found


def _words(text: str, blank: str) -> list[str]:
    return text.split() if blank else list("".join(text.split()))
