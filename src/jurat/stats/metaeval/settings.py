"""What a user may choose when metrics are compared with people's judgments."""

from __future__ import annotations

from typing import Literal

import msgspec

from jurat.errors import input_error
from jurat.stats.metaeval.input_tables import MetricScores, TranslationTexts
from jurat.stats.statistic import Settings

# Which scores are correlated: all at once, those of a segment, or those of a system.
Grouping = Literal["none", "item", "system"]
Kendall = Literal["b", "c", "23", "wmt12", "wmt13", "wmt14", "wmt20"]
# By what metrics are told apart.
Comparison = Literal[
    "pearson", "acceq", "consistency", "spa", "system-pearson", "system-spearman", "system-kendall"
]


class MetricSettings(Settings, frozen=True, kw_only=True):
    """The choices of `jurat metaeval`; `scores` and `texts` are the tables beside the judgments."""

    scores: MetricScores | None = None
    texts: TranslationTexts | None = None
    lower_better: bool = False
    """Whether low judgments are good ones: ranks, errors."""
    undefined: Literal["zero", "skip"] = "zero"
    """A segment whose metric scores or judgments are all tied has no rank correlation."""
    metric_ties: Literal["inconsistent", "half", "skip"] = "inconsistent"
    step: str = ""
    grouping: Grouping | Literal[""] = ""
    kendall: Kendall | Literal[""] = ""
    compared: Comparison | Literal[""] = ""
    permutations: int = 1000

    def __post_init__(self) -> None:
        self.refuse_method()

    @property
    def scored(self) -> MetricScores:
        """The scores, without which there is nothing to ask."""
        if self.scores is None:
            raise input_error("metrics are held against people from a table of scores")
        return self.scores

    @property
    def sign(self) -> float:
        """What a judgment is multiplied by so that higher is better."""
        return -1.0 if self.lower_better else 1.0

    def grouped(self, usual: Grouping) -> Grouping:
        """How scores are grouped: as asked, else as this statistic usually does."""
        return self.grouping or usual

    def told(self) -> dict[str, object]:
        """The choices that are not the usual ones, for signatures."""
        turned = self.scores.lower if self.scores else ()
        return {
            "direction": "lower is better" if self.lower_better else "",
            "lower-better-metrics": "+".join(turned),
        }

    def without_intervals(self) -> MetricSettings:
        """The same choices, for values alone."""
        return msgspec.structs.replace(self, bootstrap=0)
