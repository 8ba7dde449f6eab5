"""How far the variances of a few judges and documents can be trusted.

The variances of earlier judgments that a comparison of systems depends on most are those of judges
by system (taste) and of documents by system (interaction). Few judges and documents tell them
roughly: a plan takes upper limits of both, as Browne (1995) advises for pilots, so that the power
it promises is not too high on average, and gives the range of powers that their limits leave.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jurat.stats.planning.judgment_model import JudgmentArrays, Variances
from jurat.stats.planning.variances_from_differences import contrast_variances
from jurat.stats.ratings import Codes

# One-sided confidence of the limits that are simulated. From 30 pilots of 3 judges with tastes and
# 10 documents, limits of .5 promised 77 % on average, of .6 69 %, where 71 % is right; from judges
# without tastes 63 and 54 %, where 78 % is right.
UPPER = 0.55
# That of the two limits that the range of powers comes from.
RANGE = 0.9


class PilotVariances(NamedTuple):
    """Variances as estimated, with what they rest on."""

    estimated: Variances
    judges: int
    """0 where judges are unknown."""
    documents: int
    """0 where documents are unknown."""
    taste: _Limited
    interaction: _Limited

    @classmethod
    def of(
        cls, found: Variances, data: JudgmentArrays, *, judges: bool = True, documents: bool = True
    ) -> PilotVariances:
        """Of judgments; `judges` and `documents` say whether these are known.

        Where judges saw several systems on a segment, what systems do not share is estimated anew.
        """
        contrasts = contrast_variances(data)
        if contrasts:
            found = found._replace(**{k: max(0.0, v) for k, v in contrasts._asdict().items()})
        system, judge, document, segment = data.system, data.judge, data.document, data.segment
        number, others = len(data.values), max(_count(system) - 1, 0)
        of_judges, of_documents = _count(judge, system), _count(document, system)
        each = _count(document, judge) / max(_count(document), 1)
        # The share of judges that did not judge a document: where all did, a document's
        # interaction is the same for all, and a judge's taste for all documents.
        apart = 1 - (each - 1) / max(_count(judge) - 1, 1)
        of_items = found.interaction / _count(judge, system, document)
        of_items += found.translation / _count(judge, system, segment)
        for_judge = of_judges * (found.rest / number + apart * of_items)
        for_document = of_documents * found.rest / number + apart * found.taste / each
        for_document += of_documents * found.translation / _count(segment, system)
        # below 0 an estimate still tells how large the mean square was that it comes from
        told = contrasts or found
        return cls(
            found,
            _count(judge) if judges else 0,
            _count(document) if documents else 0,
            _Limited(told.taste, for_judge, (_count(judge) - 1) * others if judges else 0),
            _Limited(
                told.interaction, for_document, (_count(document) - 1) * others if documents else 0
            ),
        )

    def limits(self, confidence: float) -> Variances:
        """The upper limits of taste and interaction with that one-sided confidence."""
        return self.estimated._replace(
            taste=self.taste.limit(confidence), interaction=self.interaction.limit(confidence)
        )

    @property
    def words(self) -> str:
        """What taste and interaction rest on: `3 judges and 10 documents`."""
        counted = ((self.judges, "judge"), (self.documents, "document"))
        return " and ".join(f"{n} {what}{'s' * (n != 1)}" for n, what in counted if n)


class _Limited(NamedTuple):
    """A variance, and what others add to the mean of a judge (or document) and system."""

    variance: float
    """As estimated, which may be below 0."""
    added: float
    freedom: int
    """0 where nothing is known of the variance."""

    def limit(self, confidence: float) -> float:
        """The upper limit of the variance, as if its mean square had a χ² distribution.

        With the added noise c and f degrees of freedom: (s² + c) f / χ²(1 − confidence) − c.
        """
        from scipy.special import chdtri

        if not self.freedom:
            return max(0.0, self.variance)
        factor = self.freedom / float(chdtri(self.freedom, confidence))
        return max(0.0, (self.variance + self.added) * factor - self.added)


def _count(*codes: Codes) -> int:
    """How many combinations of codes occur."""
    joined = codes[0]
    for more in codes[1:]:
        joined = joined * (int(more.max(initial=0)) + 1) + more
    return len(np.unique(joined))
