"""Tables drawn by chance, with gaps, for comparing with other programs."""

import numpy as np


def table(seed: int, *, judges: int = 4, items: int = 60, points: int = 5, gaps: float = 0.2):
    """A row a judge, a column an item; NaN where they did not judge."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=items)
    scores = quality + rng.normal(size=(judges, 1)) / 2 + rng.normal(size=(judges, items))
    answers = np.clip(np.round(scores * points / 4 + (points + 1) / 2), 1, points)
    answers[rng.random((judges, items)) < gaps] = np.nan
    return answers


def rows(answers: np.ndarray) -> list[list[float | None]]:
    """The same with None for a gap."""
    return [[None if np.isnan(a) else float(a) for a in row] for row in answers]
