"""Scores and tests of campaigns in which the adaptive policy chose the kits, by simulation."""

from random import Random

import numpy as np
import pytest

from jurat.kits.eligibility import AvailableKit
from jurat.kits.policies import InterimScore
from jurat.kits.policies.adaptive import Adaptive
from jurat.model import Judge
from jurat.stats.settings import SystemSettings
from jurat.stats.systems.score_table import score_tables
from jurat.stats.systems.system_inference import pair_findings
from jurat.stats.systems.system_scores import raw_averages
from tests.stats.tables import evaluation

SYSTEMS, DOCUMENTS, SENTENCES, JUDGES = "abc", 24, 2, 8
SETTINGS = SystemSettings()


def campaign(rng, effects):
    """The table of half of the kits, each of one system and document, chosen one after another."""
    chance, judge = Random(int(rng.integers(2**32))), Judge(id="x")
    open_kits = {
        number: AvailableKit(
            id=number,
            task="t",
            number=number,
            block=str(number),
            systems={SYSTEMS[number % len(SYSTEMS)]: SENTENCES},
            remaining=1,
        )
        for number in range(len(SYSTEMS) * DOCUMENTS)
    }
    difficulty, taste = rng.normal(0, 0.5, DOCUMENTS), rng.normal(0, 0.3, (JUDGES, len(SYSTEMS)))
    seen: dict[str, list[float]] = {system: [] for system in SYSTEMS}
    lines = ["judge,document,segment,system,probability,value"]
    for _ in range(len(open_kits) // 2):
        scores = {system: interim(own) for system, own in seen.items()}
        choice = Adaptive().choose(list(open_kits.values()), judge, scores, chance)
        assert choice is not None
        del open_kits[choice.kit]
        document, system = divmod(int(choice.kit), len(SYSTEMS))
        by, name = rng.integers(JUDGES), SYSTEMS[system]
        mean = effects[system] + difficulty[document] + taste[by, system]
        for segment in range(SENTENCES):
            seen[name].append(float(mean + rng.normal()))
            row = (f"j{by}", document, segment, name, choice.probability, seen[name][-1])
            lines.append(",".join(map(str, row)))
    (table,) = score_tables(evaluation("\n".join(lines)), SETTINGS)
    return table


def interim(values):
    if len(values) < 2:
        return InterimScore()
    return InterimScore(mean=np.mean(values), n=len(values), sd=np.std(values, ddof=1))


@pytest.mark.parametrize("effects", [(0.0, 0.0, 0.0), (0.6, 0.0, 0.0)], ids=["equal", "different"])
def test_scores_are_right_and_equal_systems_are_not_told_apart(effects):
    rng = np.random.default_rng(11)
    tables = [campaign(rng, effects) for _ in range(40)]
    found = [raw_averages(table, SETTINGS).parts[0] for table in tables]
    errors = np.array([[f.value for f in each] for each in found]) - effects
    # no bias beyond three standard errors of the simulation
    assert (np.abs(errors.mean(axis=0)) < 3 * errors.std(axis=0) / np.sqrt(len(errors))).all()
    inside = [f.low <= e <= f.high for each in found for f, e in zip(each, effects, strict=True)]
    assert np.mean(inside) >= 0.9
    p = [pair_findings(table, 0.95)[1, 2].finding.p for table in tables]
    assert np.mean(np.array(p) < 0.05) <= 0.1
