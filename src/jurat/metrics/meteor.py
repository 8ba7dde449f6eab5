"""METEOR: words matched by form, stem and synonyms, with a penalty for scattered matches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from jurat.errors import input_error, unknown_name
from jurat.metrics.meteor_languages import (
    LANGUAGES,
    NORMALISED,
    Ints,
    MeteorParameters,
    Vocabulary,
    WordKnowledge,
    digest,
    function_words,
    normalise,
    read_stems,
    read_synonyms,
    read_words,
    snowball,
    snowball_version,
)
from jurat.metrics.metric import Array, Metric, References, flatten_references
from jurat.metrics.tokenizers import split, tokenizers
from jurat.model import File


class MeteorReferences(NamedTuple):
    """The references of segments, their words as numbers in a vocabulary."""

    vocabulary: Vocabulary
    words: Ints
    starts: Ints
    firsts: Ints
    """Which reference is the first of each segment."""


class Meteor(Metric, frozen=True, kw_only=True):
    """METEOR 1.5 with its stages of same words, same stems and, where given, synonyms.

    Function words count for less than content words, and matches for less the more they are
    scattered. Of several references the one with the best score counts.
    """

    name: ClassVar[str] = "meteor"
    title: ClassVar[str] = "METEOR"
    source: ClassVar[str] = (
        "Denkowski & Lavie 2014, Meteor Universal: Language Specific Translation Evaluation for "
        "Any Target Language; Meteor 1.5"
    )
    perfect: ClassVar[float] = 1.0
    readers: ClassVar[Mapping[str, Callable[[File], Any]]] = {
        "function_words": read_words,
        "stems": read_stems,
        "synonyms": read_synonyms,
    }

    language: str = "en"
    """An ISO code, or `other`: words are matched only as they are, or with what is given here."""
    tokenize: str | None = None
    """Not given: `meteor` for languages that Meteor tokenizes itself, `words` for others."""
    lowercase: bool = True
    alpha: float | None = None
    """The weight of recall, from 0 to 1; this and the following are the language's if not given."""
    beta: float | None = None
    """The power of the penalty for scattered matches."""
    gamma: float | None = None
    """The greatest penalty, from 0 to 1."""
    delta: float | None = None
    """The weight of content words, from 0 to 1; that of function words is the rest."""
    function_words: frozenset[str] | None = None
    """In small letters; not given: Jurat's own list."""
    stems: dict[str, str] | None = None
    """The stems of words; not given: Snowball's. A word that is not there is its own stem."""
    synonyms: dict[str, tuple[str, ...]] | None = None
    """The synonym sets of words, by any names."""

    def __post_init__(self) -> None:
        """Raise `InputError` for options that are out of range."""
        if self.language not in LANGUAGES:
            raise unknown_name("language", self.language, LANGUAGES, field="language")
        allowed = [*(["meteor"] if self.language in NORMALISED else []), *tokenizers().kinds]
        if self.tokenizer not in allowed:
            raise unknown_name("tokenizer", self.tokenizer, allowed, field="tokenize")
        for name, highest in (("alpha", 1), ("beta", np.inf), ("gamma", 1), ("delta", 1)):
            value = getattr(self.parameters, name)
            if not (0 <= value <= highest and value < np.inf):
                span = "from 0 on" if highest > 1 else "from 0 to 1"
                raise input_error(f"{name} is a number {span}", field=name, value=value)
        listed = self.function_words is not None or function_words(self.language)
        # Without function words delta would have no effect, unnoticed by those who set it.
        if self.parameters.delta != 0.5 and not listed:
            message = f"give function words for '{self.language}', or leave delta at 0.5"
            raise input_error(message, field="delta")

    @property
    def tokenizer(self) -> str:
        """The tokenizer, given or by language."""
        return self.tokenize or ("meteor" if self.language in NORMALISED else "words")

    @property
    def parameters(self) -> MeteorParameters:
        """The parameters, given or by language."""
        given = {name: getattr(self, name) for name in ("alpha", "beta", "gamma", "delta")}
        chosen = {name: value for name, value in given.items() if value is not None}
        return LANGUAGES[self.language]._replace(**chosen)

    def prepare(self, references: References) -> MeteorReferences:
        texts, firsts = flatten_references(references)
        given = self.function_words
        knowledge = WordKnowledge(
            stems=self._stems,
            function=function_words(self.language) if given is None else given,
            synonyms=self.synonyms or {},
        )
        return MeteorReferences(*Vocabulary(knowledge).extended(self._words(texts)), firsts)

    def segment_counts(self, hypotheses: Sequence[str], prepared: MeteorReferences) -> Array:
        """Words by side and kind, matches by stage, side and kind, and chunks."""
        from jurat.metrics._kernels.meteor import Lexicon, count_pairs

        vocabulary, words, starts = prepared.vocabulary.extended(self._words(hypotheses))
        owners = np.repeat(np.arange(len(hypotheses)), np.diff(prepared.firsts))
        rows = count_pairs(
            np.concatenate([words, prepared.words]),
            np.concatenate([starts, len(words) + prepared.starts[1:]]),
            owners,
            Lexicon(vocabulary.traits, vocabulary.members),
        )
        # After sorting, the first of each hypothesis is its best reference.
        best = np.lexsort((-self.score(rows), owners))
        return rows[best[prepared.firsts[:-1]]]

    def score(self, sums: Array, *, single: bool = False) -> Array:
        """Fmean · (1 - γ · fragmentationᵝ), 0 where nothing matches."""
        own, shape = self.parameters, sums.shape[:-1]
        kinds = np.array([own.delta, 1 - own.delta])
        # Stage × side (hypothesis, reference) × kind (content, function word).
        matches = sums[..., 4:16].reshape(*shape, 3, 2, 2)
        weighted = np.einsum("...ijk,i,k->...j", matches, [1, own.stem, own.synonym], kinds)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision, recall = np.moveaxis(
                weighted / (sums[..., :4].reshape(*shape, 2, 2) @ kinds), -1, 0
            )
            mean = 1 / ((1 - own.alpha) / precision + own.alpha / recall)
            # Every match was counted on both sides.
            fragmentation = sums[..., 16] / (matches.sum(axis=(-3, -2, -1)) / 2)
            score = mean * (1 - own.gamma * fragmentation**own.beta)
        # Without any match precision and recall are 0, and their harmonic mean is 0/0.
        return np.where(np.isnan(score), 0, score)

    def _words(self, texts: Sequence[str]) -> list[list[str]]:
        if self.tokenizer == "meteor":
            return normalise(texts, self.language, lowercase=self.lowercase)
        return split(texts, self.tokenizer, lowercase=self.lowercase).spelled()

    def _stems(self, words: list[str]) -> list[str]:
        if self.stems is not None:
            return [self.stems.get(word, word) for word in words]
        algorithm = self.parameters.stemmer
        return snowball(algorithm, words) if algorithm else words

    def signature(self, references: References, *, single: bool = False) -> str:
        own = self.parameters
        return self.signed(
            references,
            case="lc" if self.lowercase else "mixed",
            tok=self.tokenizer,
            lang=self.language,
            **{name: f"{getattr(own, name):g}" for name in ("alpha", "beta", "gamma", "delta")},
            func=self._named("function_words", "jurat" if function_words(self.language) else "no"),
            stem=self._named("stems", f"snowball-{snowball_version()}" if own.stemmer else "no"),
            syn=self._named("synonyms", "no"),
        )

    def _named(self, option: str, otherwise: str) -> str:
        """What the signature says of a list of words: a digest of the one given, or `otherwise`."""
        given = getattr(self, option)
        if given is None:
            return otherwise
        return digest(given.items() if isinstance(given, dict) else given)
