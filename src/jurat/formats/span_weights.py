"""The score that marked errors make: minus the sum of their weights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

# What is asked where errors alone are marked.
MQM_QUESTION = "mqm"
# MQM's usual weights (Freitag et al. 2021).
WEIGHTS: Mapping[str, float] = {"neutral": 0.0, "minor": 1.0, "major": 5.0}


def penalty(severities: Iterable[str | None]) -> float | None:
    """Minus the sum of the weights of errors; None if one of them has no weight."""
    weights = [WEIGHTS.get((severity or "").lower()) for severity in severities]
    # 0.0 - …, since the negative of no errors would be written -0.0
    return None if None in weights else 0.0 - sum(weight for weight in weights if weight)
