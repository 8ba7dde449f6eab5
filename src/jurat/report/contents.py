"""The sections of a report: where their statistics come from, and which of them come first."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from jurat.report.settings import ReportSettings
from jurat.stats import Evaluation
from jurat.stats.fatigue.slices import order_column
from jurat.tables.judge_kinds import JUDGE_KIND, MODEL

# Judgments above which statistics that take long, and fill pages, are left out.
LARGE = 20_000
# The same of those that compare every two judges or systems sentence by sentence.
HUGE = 300_000


class Given(NamedTuple):
    """What a report is made from."""

    evaluation: Evaluation
    settings: ReportSettings


class SectionKind(NamedTuple):
    """A section as it is declared: one folder of statistics."""

    name: str
    """The folder of `jurat.stats`."""
    title: str
    command: str
    """The command that prints all of it."""
    first: tuple[str, ...]
    """Statistics that are shown at once; the others are folded."""
    applies: Callable[[Given], bool]
    needs: str
    """What the data lack where it does not apply."""
    slow: tuple[str, ...] = ()
    """Statistics that are left out of reports on many judgments."""
    slowest: tuple[str, ...] = ()
    """Those left out of reports on very many."""
    unfit: Callable[[Given], tuple[str, ...]] = lambda _: ()
    """Statistics that say nothing of such data."""

    def left_out(self, judgments: int) -> tuple[str, ...]:
        """The statistics that are left out of a report on so many judgments."""
        huge = self.slowest if judgments > HUGE else ()
        return (*(self.slow if judgments > LARGE else ()), *huge)


SCORES_OF_JUDGES = "scores or answers of named judges, two or more to an item"


def _judged(given: Given) -> bool:
    return given.evaluation.judgments is not None and "judge" in given.evaluation.judged.columns


def _systems(given: Given) -> bool:
    return "system" in given.evaluation.judged.columns or given.evaluation.preferences is not None


def _compared(given: Given) -> bool:
    return given.evaluation.preferences is not None


def has_features(evaluation: Evaluation) -> bool:
    """Whether the questions are those of the protocol HEval."""
    from jurat.protocols import load

    features = load("heval").questions
    # Other protocols may share the name of a question by chance.
    return len({*evaluation.questions} & {*features}) * 2 >= len(features)


def _features(given: Given) -> bool:
    return has_features(given.evaluation)


def _grouped(given: Given) -> bool:
    return bool(given.settings.group) and _judged(given)


def _in_order(given: Given) -> bool:
    # rows of a file may be in any order, which would pass for that of the judges' work
    return _judged(given) and bool(order_column(given.evaluation.judged))


def _timed(given: Given) -> bool:
    return "seconds" in given.evaluation.columns


def _scored(given: Given) -> bool:
    return given.settings.scores is not None


def _modelled(given: Given) -> bool:
    rows = (given.evaluation.judged, given.evaluation.compared)
    return any(JUDGE_KIND in frame and (frame[JUDGE_KIND] == MODEL).any() for frame in rows)


def _unfit_agreement(given: Given) -> tuple[str, ...]:
    # nought is no error where it is the best point of the scale; of 100 points it is the worst
    lower = given.settings.lower_better
    ends = [(one.places.min(), one.places.max()) for one in given.evaluation.ratings if len(one)]
    best = all((low if lower else high) == 0 for low, high in ends)
    return () if best else ("presence-agreement",)


SECTIONS = (
    SectionKind(
        "systems",
        "Systems",
        "systems",
        ("pairwise-p", "system-difference"),
        _systems,
        "a column that names the system of each judgment",
        ("document-score", "ordinal-score", "system-median", "trueskill"),
        ("system-wins", "davidson", "bradley-terry"),
    ),
    SectionKind(
        "preferences",
        "Preferences",
        "preferences",
        ("preference-wins", "preference-agreement", "preference-kappa", "side-bias"),
        _compared,
        "comparisons of two systems, or rankings of several",
    ),
    SectionKind(
        "agreement",
        "Agreement of judges",
        "agreement",
        ("n-agreement", "krippendorff-alpha", "cohen-kappa", "answer-share"),
        _judged,
        SCORES_OF_JUDGES,
        ("item-spread", "conger-kappa", "scott-pi", "gwet-ac", "brennan-prediger", "kendall-w"),
        ("cohen-kappa", "pearson-mean"),
        _unfit_agreement,
    ),
    SectionKind(
        "judges",
        "Judges, and what leaving them out does",
        "diagnose",
        ("judge-outlier", "judge-mean", "removal-score", "judge-influence"),
        _judged,
        SCORES_OF_JUDGES,
    ),
    SectionKind(
        "heval",
        "HEval profile",
        "heval",
        ("heval-score", "heval-feature", "heval-construct"),
        _features,
        "answers to the questions of the protocol heval",
    ),
    SectionKind(
        "bias",
        "Reference bias",
        "bias",
        ("group-mean", "cohen-kappa", "segment-spread"),
        _grouped,
        "a column that says which reference, or the source, each judge saw (--group)",
    ),
    SectionKind(
        "time",
        "Time",
        "time",
        ("seconds-mean", "seconds-of-system", "hours-worked"),
        _timed,
        "the seconds of each decision, or when it was shown and decided",
    ),
    SectionKind(
        "fatigue",
        "Fatigue",
        "fatigue",
        ("quality-fall", "slice-agreement", "slice-sd"),
        _in_order,
        "scores or answers of named judges with their position or time",
    ),
    SectionKind(
        "model_judges",
        "Model judges beside people",
        "model-agreement",
        (
            "model-pearson",
            "model-preference-agreement",
            "model-severity",
            "model-position-bias",
            "alt-test",
            "ppi-score",
        ),
        _modelled,
        "judgments of language models beside those of people (jurat model-judge, --model-judges)",
    ),
    SectionKind(
        "metaeval",
        "Metrics against people",
        "metaeval",
        ("metric-pearson", "metric-consistency", "metric-scale", "metric-threshold", "metric-spa"),
        _scored,
        "scores of metrics on the same segments or systems (--scores)",
        ("metric-acceq", "metric-pdp", "metric-better-p", "metric-left-out"),
    ),
)
