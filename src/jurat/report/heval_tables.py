"""HEval scores of documents and sentences, and what they are correlated with, for a report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec

from jurat.protocols import load
from jurat.results import Result
from jurat.stats import Evaluation, Statistic, analyse
from jurat.stats.heval.score import HEvalScore
from jurat.stats.settings import HEvalSettings, Settings


class DocumentScore(HEvalScore):
    """Joshi et al.'s Table 14."""

    name = "heval-score-document"
    asks = "How good is each system on each document?"


class SentenceScore(HEvalScore):
    """Joshi et al.'s Table 13."""

    name = "heval-score-segment"
    asks = "How good is each system on each sentence?"


LEVELS: tuple[tuple[str, type[Statistic[Any]]], ...] = (
    ("document", DocumentScore),
    ("segment", SentenceScore),
)


def with_compared(evaluation: Evaluation, settings: Settings) -> HEvalSettings:
    """The settings with all other questions, such as adequacy, to correlate the scores with."""
    features = {*load("heval").questions}
    others = tuple(name for name in evaluation.questions if name not in features)
    return msgspec.structs.replace(HEvalSettings.of(settings), compared=others)


def level_results(
    evaluation: Evaluation, settings: Settings
) -> Iterator[tuple[type[Statistic[Any]], Result]]:
    """Scores by document and by sentence, where the judgments name these."""
    for level, statistic in LEVELS:
        if level in evaluation.columns:
            chosen = msgspec.structs.replace(HEvalSettings.of(settings), level=level)
            for result in analyse("heval", evaluation, chosen, only=[HEvalScore.name]):
                if result.name == HEvalScore.name:
                    yield statistic, replace(result, name=statistic.name)
