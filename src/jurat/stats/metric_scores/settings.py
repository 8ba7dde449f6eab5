"""How scores are computed and systems compared."""

from __future__ import annotations

import math
from typing import Literal, get_args

from jurat.errors import unknown_name
from jurat.stats.hypothesis_tests import correction_words
from jurat.stats.settings import ResamplingSettings

Level = Literal["segment", "document", "corpus"]
Test = Literal["bootstrap", "randomisation", "sacrebleu-bootstrap"]
Correction = Literal["holm", "bh", "none"]

LEVELS: tuple[Level, ...] = get_args(Level)
TESTS: tuple[Test, ...] = get_args(Test)
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)

# How far below the level the smallest p can lie, after correction for all pairs.
RESOLUTION = 2.5


class ScoreSettings(ResamplingSettings, frozen=True, kw_only=True):
    """Resamples for intervals, and the test of every two systems.

    Raises InputError for a test or correction that does not exist.
    """

    test: Test = "bootstrap"
    """What two systems are told apart by."""
    trials: int = 10_000
    """Of approximate randomisation."""
    correction: Correction = "holm"
    """Of the p-values of all pairs of one metric."""
    draw: Literal["segments", "documents"] = "segments"
    """What is resampled and swapped whole."""

    def __post_init__(self) -> None:
        for word, allowed, what in (
            (self.test, TESTS, "test"),
            (self.correction, CORRECTIONS, "correction"),
        ):
            if word not in allowed:
                raise unknown_name(what, word, allowed, field=what)

    @property
    def corrected(self) -> str:
        """How p-values were corrected, in words."""
        return correction_words(self.correction)

    def drawn(self) -> dict[str, object]:
        """The choices behind intervals, as signatures tell them."""
        found = {"bs": self.bootstrap, "seed": self.seed, "confidence": self.confidence}
        return {**found, **self._units()}

    def enough(self, pairs: int) -> int:
        """Resamples or trials for so many pairs: as asked for, or as many as the correction needs.

        A thousand resamples give no p below 0.001, which after Holm's correction for the 190 pairs
        of twenty systems is 0.19.
        """
        asked = self.trials if self.test == "randomisation" else self.bootstrap
        # Holm's smallest p is multiplied by the number of pairs
        tests = 1 if self.correction == "none" else pairs
        return max(asked, math.ceil(RESOLUTION * tests / (1 - self.confidence)))

    def tested(self, trials: int) -> dict[str, object]:
        """The choices behind p-values from so many trials, as signatures tell them."""
        drawn = {"ar" if self.test == "randomisation" else "bs": trials}
        told = {"test": self.test, **drawn, "seed": self.seed, "correction": self.correction}
        return {**told, **self._units()}

    def _units(self) -> dict[str, object]:
        return {} if self.draw == "segments" else {"draw": self.draw}
