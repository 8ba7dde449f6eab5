"""Meteor's own tokenizer, for the languages that have it (its option `-norm`).

It is that of Moses with some leniency: quotes and dashes are made alike, words joined by a dash are
parted, and abbreviations lose their dots within (U.S. and US are the same word). Rules are applied
in their order, to all texts at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from jurat.metrics.meteor_languages.words import Abbreviations, abbreviations

LETTERS = "A-Za-zÀ-ÖØ-öø-žЀ-ԧꙀ-ꙮ꙾-ꚗᴀ-ᵿ"
SIGNS = f"0-9{LETTERS}"
BLANKS = " \t\n\x0b\f\r"
DROPPED = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
"""Blanks that stand between words as words do, and go at the end."""
CONTROLS = "".join(map(chr, range(0x21)))
NO_DIGIT, DIGIT = "[^0-9]", "[0-9]"

Rule: TypeAlias = Callable[[str], str]


def _alone(signs: str) -> Rule:
    """What has to stand alone."""
    pattern = re.compile(f"({signs})")
    return lambda text: " ".join(pattern.split(text))


def _alike(signs: str, replacement: str) -> Rule:
    """What is written in another way."""
    pattern = re.compile(signs)
    return lambda text: pattern.sub(replacement, text)


def _between(before: str, sign: str, after: str, replacement: str) -> Rule:
    """What becomes of a sign between two others, which stay.

    A sign that has served as one of the others serves no more: in `a,b,c` the second comma stays.
    Looking for the sign first, and for what stands before it then, is several times as fast.
    """
    pattern = re.compile(f"{sign}(?<={before}{sign})({after}{sign}?)")

    def rule(text: str) -> str:
        pieces = pattern.split(text)
        pieces[1::2] = [f"{replacement}{rest}" for rest in pieces[1::2]]
        return "".join(pieces)

    return rule


OPENING = (
    _alone(f"[^{SIGNS}{BLANKS}.'`,‘’-]"),
    _alone(r"\.\.+"),
    _between(NO_DIGIT, ",", NO_DIGIT, " , "),
    _between(DIGIT, ",", NO_DIGIT, " , "),
    _between(NO_DIGIT, ",", DIGIT, " , "),
    _alike("[`‘’]", "'"),
    _alike("[“”]|''", ' " '),
    _alike("–", "-"),
    _alike("--", "-"),
    _between(f"[{SIGNS}.]", "-", f"[{SIGNS}]", " "),
)
LETTER, OTHER = f"[{LETTERS}]", f"[^{LETTERS}]"
APOSTROPHES = {
    "en": (
        _between(OTHER, "'", OTHER, " ' "),
        _between(f"[^{LETTERS}0-9]", "'", LETTER, " ' "),
        _between(LETTER, "'", OTHER, " ' "),
        _between(LETTER, "'", LETTER, " '"),
        _between(DIGIT, "'", "s", " '"),
    ),
    "fr": (
        _between(OTHER, "'", OTHER, " ' "),
        _between(OTHER, "'", LETTER, " ' "),
        _between(LETTER, "'", OTHER, " ' "),
        _between(LETTER, "'", LETTER, "' "),
    ),
}
"""English parts contractions before the apostrophe, French behind it, others on both sides."""
ANYWHERE = (_alike("'", " ' "),)
NORMALISED = ("en", "cs", "de", "es", "fr", "ru")
"""The languages that Meteor tokenizes."""

_LETTER = re.compile(LETTER)


def normalise(texts: Sequence[str], language: str, *, lowercase: bool = True) -> list[list[str]]:
    """The words of each text."""
    whole = " \n ".join(["", *(text.replace("\n", " ") for text in texts), ""])
    for blank in "\t\f\r":
        whole = whole.replace(blank, " ")
    for rule in (*OPENING, *APOSTROPHES.get(language, ANYWHERE)):
        whole = rule(whole)
    known = abbreviations(language)
    lines = (_parted(line, known) for line in whole.split("\n")[1:-1])
    return [(line.lower() if lowercase else line).split(" ") if line else [] for line in lines]


def _parted(line: str, known: Abbreviations) -> str:
    """A line with blanks between its words, after dots are parted from words as well."""
    pieces = [piece for piece in line.split(" ") if piece]
    for place in [place for place, piece in enumerate(pieces) if piece[-1] == "."]:
        following = pieces[place + 1][0] if place + 1 < len(pieces) else ""
        pieces[place] = _dot_parted(pieces[place], following, known)
    if DROPPED.search(line):
        pieces = [piece for piece in pieces if not DROPPED.match(piece)]
    return " ".join(pieces).strip(CONTROLS)


def _dot_parted(piece: str, following: str, known: Abbreviations) -> str:
    """A word without the dot behind it, unless that belongs to it."""
    word = piece[:-1]
    if not word.strip("."):
        return piece
    if "." in word and _LETTER.search(word):
        return piece.replace(".", "")
    return piece if known.keep_dot(word, following) else f"{word} ."
