"""What a report is made from beside the judgments: choices of the analysis, and facts to print."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, Literal

from jurat.errors import InputError, Problem
from jurat.report.study_details import StudyDetails, TaskFacts
from jurat.stats import settings as kinds
from jurat.stats.model_judges.settings import ModelSettings
from jurat.stats.settings import Settings

if TYPE_CHECKING:
    import polars as pl

    from jurat.model import TestSet
    from jurat.stats import Evaluation
    from jurat.stats.metaeval.input_tables import MetricScores


def report_date() -> str:
    """The date that a report made now bears: today, or that of the variable SOURCE_DATE_EPOCH.

    The variable, seconds since 1970, is what programs that build the same file twice agree on.
    Raises `InputError` where it holds anything but a number of seconds.
    """
    fixed = os.environ.get("SOURCE_DATE_EPOCH")
    if not fixed:
        return date.today().isoformat()
    try:
        return datetime.fromtimestamp(int(fixed), UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        message = "SOURCE_DATE_EPOCH must be a number of seconds since 1970"
        raise InputError(Problem(message=f"{message}, not {fixed!r}")) from None


@dataclass(frozen=True, kw_only=True)
class ReportSettings:
    """The options of `jurat report`."""

    title: str = "Human evaluation"
    seed: int = 1
    bootstrap: int = 1000
    confidence: float = 0.95
    unit: Literal["", "document", "segment"] = ""
    lower_better: bool = False
    group: str = ""
    """The column that says what judges saw; empty where nothing of the kind is known."""
    source: str | None = None
    scores: MetricScores | None = None
    models: Evaluation | None = None
    """The judgments with those of model judges among them, which only their section counts."""
    judge_names: bool = False
    """Whether judges have their own names instead of pseudonyms."""
    hide_systems: bool = False
    test_set: TestSet | None = None
    """The texts, where the judgments are a campaign's."""
    design: Mapping[str, str] = field(default_factory=dict)
    """Facts about a campaign: its tasks, protocols and rules, by their headings."""
    citations: tuple[str, ...] = ()
    """What the protocols of a campaign's tasks go back to."""
    translations: pl.DataFrame | None = None
    """The texts that were judged, where files have them: system, document, segment, translation."""
    study: StudyDetails = field(default_factory=StudyDetails)
    """What the people who ran the campaign say of it."""
    tasks: tuple[TaskFacts, ...] = ()
    contact: str = ""
    planned: tuple[tuple[str, str, str], ...] = ()
    """What was planned before judging beside what was done."""
    frozen: str = ""
    """What was planned and when, where that was recorded before judging."""
    published: tuple[tuple[str, ...], ...] = ()
    """Of a study: number, what was published, what was recomputed, and the difference."""
    published_summary: str = ""
    files: tuple[str, ...] = ()
    """The names of the files that were read."""
    made: str = ""
    """The date of the report."""

    def of(self, folder: str) -> Settings:
        """The settings of a folder of statistics."""
        shared: dict[str, Any] = {
            "seed": self.seed,
            "bootstrap": self.bootstrap,
            "confidence": self.confidence,
            "unit": self.unit,
        }
        group: dict[str, Any] = {"group": self.group, "source": self.source}
        match folder:
            case "agreement":
                return kinds.AgreementSettings(**shared)
            case "judges":
                return kinds.JudgeSettings(lower_better=self.lower_better, **shared)
            case "systems":
                return kinds.SystemSettings(lower_better=self.lower_better, **shared)
            case "preferences":
                return kinds.PreferenceSettings(**shared)
            case "heval":
                return kinds.HEvalSettings(**shared)
            case "bias":
                return kinds.BiasSettings(**group, **shared)
            case "time":
                return kinds.TimeSettings(**shared)
            case "model_judges":
                return ModelSettings(**shared)
            case "fatigue":
                return kinds.FatigueSettings(**group, **shared)
        lower: dict[str, Any] = {"lower_better": self.lower_better, "scores": self.scores}
        return kinds.MetricSettings(**lower, **shared)
