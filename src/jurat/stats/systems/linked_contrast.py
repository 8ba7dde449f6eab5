"""Differences of systems that share hardly any judge or sentence, through systems that do."""

from __future__ import annotations

import numpy as np

from jurat.stats.linear_model import Contrast, LinearModel
from jurat.stats.systems.score_table import ScoreTable

LINKED = "compared through other systems"


def linked_contrast(table: ScoreTable, a: int, b: int) -> Contrast:
    """System a less system b by score = system + judge + document; NaN where nothing links them.

    Where some judges scored A and B and others B and C, judges of A and of C are compared by what
    they gave B. The difference of A and C alone would be one of these judges, too.
    """
    apart = np.zeros(len(table.systems))
    apart[[a, b]] = 1.0, -1.0
    return table.once(_additive_model).contrast(apart)


def _additive_model(table: ScoreTable) -> LinearModel:
    # sentences are no effects, as where two systems are compared by themselves
    document = table.document_of[table.sentence] if table.has_documents else None
    return LinearModel(
        values=table.values,
        system=table.system,
        judge=table.judge,
        block=document,
        weights=table.weights,
    )
