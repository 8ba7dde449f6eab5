"""What METEOR knows of languages: parameters, stemmers, function words, abbreviations.

The parameters are those of Meteor 1.5, tuned on WMT's rankings (Denkowski & Lavie 2014). For other
languages they are those that do well across languages; then function words count as others do.
"""

from __future__ import annotations

from typing import NamedTuple


class Language(NamedTuple):
    """The parameters of a language, the weights of its stages, and Snowball's stemmer for it."""

    alpha: float = 0.75
    beta: float = 1.4
    gamma: float = 0.7
    delta: float = 0.5
    stem: float = 0.5
    synonym: float = 0.5
    stemmer: str = ""


LANGUAGES = {
    "en": Language(0.85, 0.2, 0.6, 0.75, stem=0.6, synonym=0.8, stemmer="english"),
    "de": Language(0.95, 1.0, 0.55, 0.55, stem=0.8, stemmer="german"),
    "fr": Language(0.9, 1.4, 0.6, 0.65, stem=0.2, stemmer="french"),
    "es": Language(0.65, 1.3, 0.5, 0.8, stem=0.8, stemmer="spanish"),
    "cs": Language(0.95, 0.2, 0.6, 0.8),
    "da": Language(stemmer="danish"),
    "fi": Language(stemmer="finnish"),
    "hu": Language(stemmer="hungarian"),
    "it": Language(stemmer="italian"),
    "nl": Language(stemmer="dutch_porter"),
    "no": Language(stemmer="norwegian"),
    "pt": Language(stemmer="portuguese"),
    "ro": Language(stemmer="romanian"),
    "ru": Language(stemmer="russian"),
    "sv": Language(stemmer="swedish"),
    "tr": Language(stemmer="turkish"),
    "other": Language(),
}
"""By ISO's codes."""
