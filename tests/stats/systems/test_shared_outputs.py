"""Systems that share half of their outputs, where a judge sees one output of a segment."""

import numpy as np
import pytest

from jurat.stats.identical_outputs import credited
from jurat.stats.settings import SystemSettings
from jurat.stats.systems.adjusted_score import adjusted_scores
from jurat.stats.systems.score_table import score_table_of
from jurat.stats.systems.system_inference import pair_findings
from tests.stats.tables import evaluation


def campaign(*, documents=8, segments=4, judges=4, noise=0.0, step=2.0, seed=1):
    """A CSV: a and b have the same output in half of the segments, elsewhere a is `step` ahead."""
    rng, lines = np.random.default_rng(seed), ["document,segment,judge,system,same_output,value"]
    for document in range(documents):
        for segment in range(segments):
            first, second = rng.permutation(judges)[:2]
            hard = rng.normal()
            place = f"d{document},{segment}"
            outputs = (
                [(first, "a+b,true", 0.0)]
                if segment % 2
                else [(first, "a,", step), (second, "b,", 0.0)]
            )
            for judge, system, quality in outputs:
                value = hard + judge + quality + noise * rng.normal()
                lines.append(f"{place},j{judge},{system},{value:.6f}")
    return "\n".join(lines)


def table(**options):
    (rated,) = credited(evaluation(campaign(**options))).ratings
    return score_table_of(rated, SystemSettings())


def test_a_difference_elsewhere_is_not_taken_for_equality():
    shared = table(documents=12, judges=6, noise=0.1)
    assert shared.joint_scores.words == "within sentence"
    found = pair_findings(shared, 0.95)[0, 1].finding
    assert found.value == pytest.approx(1.0, abs=0.2)
    assert found.p < 0.05


def test_judges_who_compare_outputs_are_compared_within_themselves():
    csv = campaign(judges=2).replace("j1", "j0")
    (rated,) = credited(evaluation(csv)).ratings
    shared = score_table_of(rated, SystemSettings())
    assert shared.joint_scores.words == "within judge and sentence"
    # where the output is the same, they are tied
    assert len(shared.joint_scores.means) == 32


def test_several_shared_outputs_of_a_segment_are_compared():
    lines = ["segment,judge,system,same_output,value"]
    lines += [f"{n},x,{both},true,{n}" for n in range(3) for both in ("a+b", "c+d")]
    (rated,) = credited(evaluation("\n".join(lines))).ratings
    joint = score_table_of(rated, SystemSettings()).joint_scores
    assert joint.words == "within judge and sentence"


def test_adjusted_scores_are_not_drawn_together_by_what_systems_share():
    """Without noise the model is right only if shared segments have effects of their own."""
    shared = table(judges=3)
    a, b = adjusted_scores(shared, 0.95).values
    assert a - b == pytest.approx(1.0, abs=1e-5)
