import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurat.kits.audit import TaskKits, audit
from jurat.kits.build import build
from jurat.kits.task_plan import KitPlan, TaskPlan
from jurat.model import Document, Judge, Segment, System, TestSet, Translation
from jurat.protocols import load
from jurat.stats import Evaluation
from jurat.stats.planning.campaign_design import CampaignDesign, scenarios
from jurat.stats.settings import PlanSettings


def translated(systems: int, segments: int) -> TestSet:
    names = [f"s{n}" for n in range(systems)]
    text = {name: Translation(f"translation by {name}") for name in names}
    own = tuple(
        Segment(id=str(n), source="source", references={"A": "reference"}, translations=text)
        for n in range(segments)
    )
    return TestSet(
        documents=(Document(id="d", segments=own),),
        systems=tuple(System(name=name) for name in names),
        references=("A",),
    )


@pytest.mark.parametrize(
    ("name", "systems", "segments", "judgments", "size"),
    [("tapet-adequacy", 4, 50, 2, 20), ("tapet-adequacy", 3, 7, 1, 20), ("heval", 4, 50, 3, 20)],
)
def test_as_the_kits_that_are_built(name, systems, segments, judgments, size):
    """Kits, judges and hours are those of `jurat campaign audit` for the same campaign."""
    protocol = load(name)
    separate_systems = protocol.one_system_per_segment
    design = CampaignDesign(
        systems=systems,
        segments=segments,
        judgments=judgments,
        judges=12,
        kit_size=size,
        separate_systems=separate_systems,
    )
    kits = KitPlan(segments=size if separate_systems else size // systems, order="shuffled")
    plan = TaskPlan(name="t", protocol=name, wanted=judgments, kits=kits)
    built = build(translated(systems, segments), protocol, plan, phase="evaluation", seed=1)
    judges = [Judge(id=f"j{n}") for n in range(12)]
    (found,) = audit([TaskKits(plan=plan, protocol=protocol, kits=built)], judges).tasks
    assert design.kits == found.kits
    assert design.decisions == found.judgments
    assert design.judges_needed == found.judges_needed
    (scenario,) = scenarios(Evaluation(), PlanSettings(protocol=name, systems=systems))
    assert scenario.separate_systems == separate_systems
    assert design.hours(scenario.seconds) == pytest.approx(found.hours)


designs = st.builds(
    CampaignDesign,
    systems=st.integers(1, 5),
    segments=st.integers(1, 60),
    judgments=st.integers(1, 3),
    judges=st.integers(15, 20),
    kit_size=st.integers(1, 25),
    separate_systems=st.booleans(),
)


@given(designs)
def test_who_judges_what(design):
    judge_of = design.judge_of()
    assert judge_of.shape == (design.segments, design.systems, design.judgments)
    for of_segment in judge_of:
        for of_item in of_segment:
            assert len(set(of_item)) == design.judgments
        if design.separate_systems:
            assert len(set(of_segment.ravel())) == of_segment.size


@given(
    designs.filter(
        lambda d: d.separate_systems and d.segments % d.systems == 0 and d.kit_size % d.systems == 0
    )
)
def test_a_judge_sees_the_systems_equally_often(design):
    judge_of = design.judge_of()
    for judge in np.unique(judge_of):
        seen = (judge_of == judge).sum(axis=(0, 2))
        assert np.ptp(seen) == 0
