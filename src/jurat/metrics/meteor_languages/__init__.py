"""METEOR's languages: parameters, stemmers, word lists, and Meteor's own tokenizer.

The parameters are those of Meteor 1.5, tuned on WMT's rankings (Denkowski & Lavie 2014). For other
languages they are those that do well across languages; function words then count as others do.

Meteor's tokenizer (its option `-norm`) is that of Moses with some leniency: quotes and dashes are
made alike, words joined by a dash are split, and abbreviations lose the dots within them (U.S. and
US are the same word). Its rules are applied in order, to all texts at once.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import chain, count
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from jurat.decoding import decode, lines
from jurat.errors import input_error
from jurat.model import File


class MeteorParameters(NamedTuple):
    """The parameters of a language, the weights of its stages, and Snowball's stemmer for it."""

    alpha: float = 0.75
    beta: float = 1.4
    gamma: float = 0.7
    delta: float = 0.5
    stem: float = 0.5
    synonym: float = 0.5
    stemmer: str = ""


# By ISO's codes.
LANGUAGES = {
    "en": MeteorParameters(0.85, 0.2, 0.6, 0.75, stem=0.6, synonym=0.8, stemmer="english"),
    "de": MeteorParameters(0.95, 1.0, 0.55, 0.55, stem=0.8, stemmer="german"),
    "fr": MeteorParameters(0.9, 1.4, 0.6, 0.65, stem=0.2, stemmer="french"),
    "es": MeteorParameters(0.65, 1.3, 0.5, 0.8, stem=0.8, stemmer="spanish"),
    "cs": MeteorParameters(0.95, 0.2, 0.6, 0.8),
    "da": MeteorParameters(stemmer="danish"),
    "fi": MeteorParameters(stemmer="finnish"),
    "hu": MeteorParameters(stemmer="hungarian"),
    "it": MeteorParameters(stemmer="italian"),
    "nl": MeteorParameters(stemmer="dutch_porter"),
    "no": MeteorParameters(stemmer="norwegian"),
    "pt": MeteorParameters(stemmer="portuguese"),
    "ro": MeteorParameters(stemmer="romanian"),
    "ru": MeteorParameters(stemmer="russian"),
    "sv": MeteorParameters(stemmer="swedish"),
    "tr": MeteorParameters(stemmer="turkish"),
    "other": MeteorParameters(),
}


SMALL, DIGITS = frozenset(string.ascii_lowercase), frozenset(string.digits)


class Abbreviations(NamedTuple):
    """Abbreviations that keep their dot: always, or before a number."""

    always: frozenset[str]
    before_numbers: frozenset[str]

    def keep_dot(self, word: str, following: str) -> bool:
        """Whether the dot belongs to the word, by the first character of the next word.

        Before a lower-case letter it always does, since no sentence ends there.
        """
        if following in SMALL or word in self.always:
            return True
        return following in DIGITS and word in self.before_numbers


@cache
def abbreviations(language: str) -> Abbreviations:
    """Jurat's abbreviations of a language, and single capital letters."""
    always, numbers = (_own("abbreviations", f"{language}{end}.txt") for end in ("", ".numbers"))
    return Abbreviations(always | set(string.ascii_uppercase), numbers)


@cache
def function_words(language: str) -> frozenset[str]:
    """Jurat's function words of a language, with punctuation; empty where it has no list."""
    words = _own("function_words", f"{language}.txt")
    return words and words | _own("function_words", "punctuation.txt")


def _own(folder: str, name: str) -> frozenset[str]:
    file = files("jurat.metrics.meteor_languages") / folder / name
    return frozenset(file.read_text("utf-8").split() if file.is_file() else ())


def read_words(file: File) -> frozenset[str]:
    """A list of words, separated by white space."""
    return frozenset(decode(file).split())


def read_stems(file: File) -> dict[str, str]:
    """A word and its stem in each line, with blanks between them."""
    return {word: stem for word, stem, *_ in _rows(file, "a word and its stem")}


def read_synonyms(file: File) -> dict[str, tuple[str, ...]]:
    """A word and the names of synonym sets it is in, in each line, with blanks between them.

    A word may have several lines.
    """
    found: dict[str, tuple[str, ...]] = {}
    for word, *sets in _rows(file, "a word and its synonym sets"):
        found[word] = (*found.get(word, ()), *sets)
    return found


def _rows(file: File, what: str) -> Iterator[list[str]]:
    """The fields of each line that is not empty; raises InputError where there is only one."""
    for number, line in enumerate(lines(decode(file)), start=1):
        if len(row := line.split()) == 1:
            raise input_error(
                f"a line has {what}, not '{row[0]}' alone", file=file.name, line=number
            )
        if row:
            yield row


def digest(words: Iterable[object]) -> str:
    """A short hash that identifies a list of words in signatures."""
    return sha256(repr(sorted(words, key=repr)).encode("utf-8", "surrogatepass")).hexdigest()[:8]


LETTERS = "A-Za-zÀ-ÖØ-öø-žЀ-ԧꙀ-ꙮ꙾-ꚗᴀ-ᵿ"
SIGNS = f"0-9{LETTERS}"
BLANKS = " \t\n\x0b\f\r"
# Unicode's other blanks, which Meteor takes for words and drops at the end.
DROPPED = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
CONTROLS = "".join(map(chr, range(0x21)))
NO_DIGIT, DIGIT = "[^0-9]", "[0-9]"

Rule: TypeAlias = Callable[[str], str]


def _alone(signs: str) -> Rule:
    """Put blanks around what matches."""
    pattern = re.compile(f"({signs})")
    return lambda text: " ".join(pattern.split(text))


def _alike(signs: str, replacement: str) -> Rule:
    """Replace what matches."""
    pattern = re.compile(signs)
    return lambda text: pattern.sub(replacement, text)


def _between(before: str, sign: str, after: str, replacement: str) -> Rule:
    """Replace a character between two others, which stay.

    As in a regular expression that includes both neighbours, matches do not overlap: in `a,b,c` the
    second comma stays. Searching the character first and then looking behind is several times as
    fast as that expression.
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
# English splits contractions before the apostrophe, French after it, others on both sides.
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
ANYWHERE = (_alike("'", " ' "),)
# The languages that Meteor tokenizes.
NORMALISED = ("en", "cs", "de", "es", "fr", "ru")

_LETTER = re.compile(LETTER)


def normalise(texts: Sequence[str], language: str, *, lowercase: bool = True) -> list[list[str]]:
    """The words of each text."""
    whole = " \n ".join(["", *(text.replace("\n", " ") for text in texts), ""])
    for blank in "\t\f\r":
        whole = whole.replace(blank, " ")
    for rule in (*OPENING, *APOSTROPHES.get(language, ANYWHERE)):
        whole = rule(whole)
    known = abbreviations(language)
    lines = (_split_line(line, known) for line in whole.split("\n")[1:-1])
    return [(line.lower() if lowercase else line).split(" ") if line else [] for line in lines]


def _split_line(line: str, known: Abbreviations) -> str:
    """A line with single blanks between its words, dots at the end of words split off."""
    pieces = [piece for piece in line.split(" ") if piece]
    for place in [place for place, piece in enumerate(pieces) if piece[-1] == "."]:
        following = pieces[place + 1][0] if place + 1 < len(pieces) else ""
        pieces[place] = _split_dot(pieces[place], following, known)
    if DROPPED.search(line):
        pieces = [piece for piece in pieces if not DROPPED.match(piece)]
    return " ".join(pieces).strip(CONTROLS)


def _split_dot(piece: str, following: str, known: Abbreviations) -> str:
    """A word with the dot at its end split off, unless that belongs to it."""
    word = piece[:-1]
    if not word.strip("."):
        return piece
    if "." in word and _LETTER.search(word):
        return piece.replace(".", "")
    return piece if known.keep_dot(word, following) else f"{word} ."


Ints: TypeAlias = "NDArray[np.int64]"
# The words of each text.
Texts: TypeAlias = "Sequence[Sequence[str]]"


def snowball(algorithm: str, words: list[str]) -> list[str]:
    """The stems that Snowball's algorithm has for words."""
    from Stemmer import Stemmer

    stemmer = Stemmer(algorithm, 0)  # not to be shared by threads
    try:
        stems: list[str] = stemmer.stemWords(words)
        return stems
    except UnicodeEncodeError:  # lone surrogates cannot be written as UTF-8
        return [stemmer.stemWord(word) if _writable(word) else word for word in words]


def snowball_version() -> str:
    """The version of Snowball, whose stems change from time to time."""
    import Stemmer

    return str(Stemmer.version())


def _writable(word: str) -> bool:
    return not any("\ud800" <= sign <= "\udfff" for sign in word)


@dataclass(frozen=True, kw_only=True)
class WordKnowledge:
    """What METEOR needs to know of words: stems, function words, and synonym sets."""

    stems: Callable[[list[str]], list[str]]
    function: frozenset[str]
    synonyms: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Vocabulary:
    """The numbers and traits of words; immutable: `extended` makes a larger one."""

    knowledge: WordKnowledge
    numbers: dict[str, int] = field(default_factory=dict)
    stems: dict[str, int] = field(default_factory=dict)
    sets: dict[str, int] = field(default_factory=dict)
    traits: Ints = field(default_factory=lambda: np.zeros((0, 4), np.int64))
    """For each word its stem's number, 1 for a function word, and its part of `members`."""
    members: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    """The numbers of synonym sets, word by word, in order."""

    def extended(self, texts: Texts) -> tuple[Vocabulary, Ints, Ints]:
        """A vocabulary with the words of texts, these words as numbers, and where texts begin."""
        words = list(chain.from_iterable(texts))
        new = [word for word in dict.fromkeys(words) if word not in self.numbers]
        known = self.numbers | dict(zip(new, count(len(self.numbers)), strict=False))
        starts = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        ids = np.fromiter(map(known.__getitem__, words), np.int64, len(words))
        return self._with(known, new), ids, starts

    def _with(self, numbers: dict[str, int], new: list[str]) -> Vocabulary:
        stems, sets = self.stems.copy(), self.sets.copy()
        found = [sorted(_numbered(self._sets_of(word), sets)) for word in new]
        ends = np.cumsum([len(self.members), *map(len, found)], dtype=np.int64)
        traits = np.empty((len(new), 4), np.int64)
        traits[:, 0] = _numbered(self.knowledge.stems(new), stems)
        traits[:, 1] = [word.lower() in self.knowledge.function for word in new]
        traits[:, 2], traits[:, 3] = ends[:-1], ends[1:]
        members = np.fromiter(chain.from_iterable(found), np.int64)
        return Vocabulary(
            self.knowledge,
            numbers,
            stems,
            sets,
            np.concatenate([self.traits, traits]),
            np.concatenate([self.members, members]),
        )

    def _sets_of(self, word: str) -> Iterable[str]:
        return set(self.knowledge.synonyms.get(word, ()))


def _numbered(names: Iterable[str], numbers: dict[str, int]) -> list[int]:
    """The number of each name; unknown names get the next number."""
    return [numbers.setdefault(name, len(numbers)) for name in names]
