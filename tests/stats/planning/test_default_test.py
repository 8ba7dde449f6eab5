"""Planned tests against the ones that `jurat systems` runs."""

import numpy as np
import pytest
from msgspec.structs import replace
from scipy import stats

from jurat.resampling.multiple_testing import adjust
from jurat.stats.planning.campaign_design import CampaignDesign
from jurat.stats.planning.default_test import DefaultTest
from jurat.stats.planning.judgment_model import JudgmentModel
from jurat.stats.planning.simulation import simulate
from jurat.stats.settings import SystemSettings
from jurat.stats.systems.pair_tests import pair_tests
from tests.stats.tables import evaluation

BASE = CampaignDesign(
    systems=3,
    segments=37,
    judgments=1,
    judges=6,
    kit_size=10,
    separate_systems=False,
    document_size=4,
)
DESIGNS = {
    "nested": BASE,
    "crossed": replace(BASE, judgments=6),
    "two judges a document": replace(BASE, judgments=2),
    "spread": replace(BASE, separate_systems=True),
    "documents unknown": replace(BASE, separate_systems=True, document_size=1, judgments=2),
}
MODEL = JudgmentModel(
    document=0.5, interaction=0.3, segment=0.5, translation=0.4, taste=0.2, judge=0.5, rest=1.0
)


def judged(design, scores):
    """Judgments whose means by document, system and judge are these, as a table."""
    judge_of, rows = np.sort(design.judge_of(), axis=2), ["judge,document,segment,system,value"]
    for (document, system, turn), judge in np.ndenumerate(judge_of):
        named = "" if design.document_size == 1 else f"d{document}"
        value = scores[document, system, turn]
        rows += [
            f"j{judge},{named},{document}-{segment},s{system},{float(value)!r}"
            for segment in range(design.document_sizes[document])
        ]
    return evaluation("\n".join(rows))


def p_values(design, scores):
    """The corrected p-values and differences of `jurat systems`."""
    (found,) = pair_tests(judged(design, scores), SystemSettings())
    return found.p_values.p, found.apart


@pytest.mark.parametrize("name", DESIGNS)
def test_the_same_p_as_of_the_command(name):
    design = DESIGNS[name]
    judge_of = np.sort(design.judge_of(), axis=2)
    scores = np.random.default_rng(3).normal(0, 1, (4, *judge_of.shape)).round(6)
    found = DefaultTest.of(design, judge_of).apply(scores)
    p = (2 * stats.t.sf(np.abs(found.differences) / found.errors, found.freedom)).max(axis=0)
    for own, differences, of_campaign in zip(p, found.differences, scores, strict=True):
        expected, apart = p_values(design, of_campaign.astype(float))
        upper = np.triu_indices(3, 1)
        assert adjust(own, "holm") == pytest.approx(expected[upper], abs=1e-9)
        assert differences == pytest.approx(apart[upper], abs=1e-9)


@pytest.mark.parametrize("name", ["nested", "two judges a document", "spread"])
def test_planned_power_is_found_power(name):
    """40 campaigns run through `jurat systems`, with judgments drawn one by one."""
    design = replace(DESIGNS[name], segments=48)
    planned = simulate(MODEL, design, difference=0.9, campaigns=2000).power(0.05)
    rng, found = np.random.default_rng(5), 0
    judge_of = np.sort(design.judge_of(), axis=2)
    documents, systems, turns = judge_of.shape
    for _ in range(40):
        scores = rng.normal(0, 0.5, (documents, 1, 1)) + np.array([[0.45], [-0.45], [0.0]])
        scores = scores + rng.normal(0, 0.3, (documents, systems, 1))
        # means over the four segments of a document
        scores = scores + rng.normal(0, 0.5, (4, documents, 1, 1)).mean(axis=0)
        scores = scores + rng.normal(0, 0.4, (4, documents, systems, 1)).mean(axis=0)
        scores = scores + rng.normal(0, 1.0, (4, documents, systems, turns)).mean(axis=0)
        scores += rng.normal(0, 0.5, 6)[judge_of]
        scores += rng.normal(0, 0.2, (6, 3))[judge_of, np.arange(3)[:, None]]
        p, apart = p_values(design, scores.astype(float))
        found += p[0, 1] < 0.05 and apart[0, 1] > 0
    assert found / 40 == pytest.approx(planned, abs=3 * np.sqrt(planned * (1 - planned) / 40))


def test_more_systems_cost_power():
    two, four = (
        simulate(MODEL, replace(BASE, systems=s, judgments=6), difference=0.6).power(0.05)
        for s in (2, 4)
    )
    assert four < two - 0.05
