"""The options of `jurat model-agreement`."""

from __future__ import annotations

from jurat.stats.settings import Settings


class ModelSettings(Settings, frozen=True, kw_only=True):
    """How model judges are compared with people."""

    epsilon: float = 0.1
    """What a person's work costs more than a model's, in the alternative annotator test."""
