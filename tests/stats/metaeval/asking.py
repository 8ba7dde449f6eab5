"""Small evaluations with scores, and the results of one statistic by their keys."""

from typing import Any

import numpy as np
import polars as pl

from jurat.model import File
from jurat.results import Estimate, Result
from jurat.stats import Evaluation, statistics
from jurat.stats.metaeval.input_tables import read_scores, read_texts
from jurat.stats.metaeval.matched_scores import MatchedScores, match_scores
from jurat.stats.settings import MetricSettings
from jurat.tables import Intake, Judgments, read_tables
from jurat.tables.preferences import Preferences, tells_preferences
from jurat.tables.reshape import lengthen

FIGURE = """
segment,system,L1,L2,L3,L4,BLEU,GTM,TER
1,1,4,4,2,2,0,0.7199,0.51
1,2,2,2,2,1,0.3352,0.8333,0.4167
1,3,1,1,2,1,0.3259,0.7826,0.4167
1,4,3,3,2,2,0,0.75,0.5
2,1,4,4,2,2,0.4953,0.9268,0.25
2,2,2,2,2,1,0.6453,0.9,0.2
2,3,1,1,2,1,0.7018,0.95,0.15
2,4,3,3,2,2,0.5222,0.95,0.2
"""
"""Sun 2010, Figure 1: ranks of four judges, 1 is best, and three metrics."""
JUDGES = ("L1", "L2", "L3", "L4")


def table(csv: str) -> pl.DataFrame:
    text = "\n".join(line.strip() for line in csv.strip().splitlines())
    return read_tables([File("table.csv", text.encode())])


def asked(
    judged: str,
    scores: str | None = None,
    *,
    judges: tuple[str, ...] = (),
    lower: tuple[str, ...] = (),
    metrics: tuple[str, ...] = (),
    scores_columns: str = "",
    texts: str = "",
    intake: Intake | None = None,
    **choices: Any,
) -> tuple[Evaluation, MetricSettings]:
    """Judgments or preferences, and the settings with the scores; one table may be both."""
    intake = intake or Intake()
    people = table(judged)
    if judges:
        people = lengthen(people, {name: people[name] for name in judges}, "judge")
    if tells_preferences(people, intake):
        evaluation = Evaluation(preferences=Preferences(people, intake, joined="split"))
    else:
        evaluation = Evaluation(judgments=Judgments(people, intake))
    found = read_scores(
        table(scores or judged),
        columns=scores_columns,
        metrics=metrics,
        lower=lower,
        intake=intake,
        judged_columns=judges,
    )
    names = sorted(str(s) for s in found.rows["system"].unique()) if texts else []
    read = read_texts(table(texts), names) if texts else None
    settings = MetricSettings(
        **{"bootstrap": 0, "permutations": 200, "scores": found, "texts": read, **choices}
    )
    return evaluation, settings


def figure(**choices: Any) -> tuple[Evaluation, MetricSettings]:
    """Sun's sheet."""
    return asked(FIGURE, judges=JUDGES, lower_better=True, **choices)


def only(judged: str, scores: str | None = None, **choices: Any) -> MatchedScores:
    """The one question of a table."""
    (one,) = match_scores(*asked(judged, scores, **choices))
    return one


def results(name: str, evaluation: Evaluation, settings: MetricSettings) -> dict[str, Result]:
    """The results of one statistic, by name."""
    (kind,) = (kind for kind in statistics("metaeval") if kind.name == name)
    return {result.name: result for result in kind().results(evaluation, settings)}


def values(result: Result) -> dict[tuple[Any, ...], Estimate]:
    """Estimates by their keys beside the question, and the split."""
    return {
        (*(v for k, v in e.by.items() if k != "question"), *e.tags.values()): e
        for e in result.estimates
    }


def long_csv(human: np.ndarray, *metrics: np.ndarray) -> str:
    """A wide table of arrays, segments × systems; NaN is left empty."""
    names = ",".join(f"m{n}" for n in range(len(metrics)))
    lines = [f"segment,system,value,{names}"]
    for segment, row in enumerate(human):
        for system, value in enumerate(row):
            cells = [value, *(metric[segment, system] for metric in metrics)]
            told = ",".join("" if np.isnan(cell) else repr(float(cell)) for cell in cells)
            lines.append(f"{segment},s{system},{told}")
    return "\n".join(lines)


def matched_figure(**choices: Any) -> tuple[MatchedScores, MetricSettings]:
    """Sun's sheet, matched."""
    evaluation, settings = figure(**choices)
    (one,) = match_scores(evaluation, settings)
    return one, settings
