"""What is said of a campaign before it starts."""

from time import perf_counter

import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from jurat import protocols
from jurat.errors import InputError
from jurat.kits.audit import TaskKits, audit
from jurat.kits.audit_findings import counted, kit_names
from jurat.kits.build import build
from jurat.kits.connectivity import connected_components
from jurat.kits.expected_time import expected_seconds
from jurat.model import Judge
from tests.kits import sets
from tests.kits.sets import ADEQUACY, FLUENCY, HEVAL, PREFERENCE, RANKING, TCSTAR, given, make_set


def task(some=None, protocol=ADEQUACY, *, tutorial=None, **fields):
    some = some or make_set()
    plan = sets.plan(protocol, **{"required": {"evaluation": 2}, **fields})
    kits = build(some, protocol, plan, phase="evaluation", seed=1)
    first = build(tutorial, protocol, plan, phase="tutorial", seed=1) if tutorial else ()
    return TaskKits(plan=plan, protocol=protocol, kits=kits, tutorial=first)


def people(number, **fields):
    return [Judge(id=f"j{n}", **fields) for n in range(number)]


def said(found, severity=None):
    return [str(each) for each in found.findings if severity in (None, each.severity)]


def test_a_good_campaign():
    found = audit(
        [
            task(
                make_set([2, 2, 4] * 3), kits={"documents": 3}, wanted=2, required={"evaluation": 3}
            )
        ],
        people(7),
    )
    assert said(found) == ["note: about 1.8 hours of judging in all"]
    found.raise_errors()
    (coverage,) = found.tasks
    assert (coverage.kits, coverage.blocks, coverage.items, coverage.extra) == (9, 3, 72, 0)
    assert (coverage.judgments, coverage.judges, coverage.judges_needed) == (144, 7, 6)
    assert coverage.hours == found.hours == pytest.approx(144 * 45 / 3600)
    assert coverage.hours_each == pytest.approx(3 * 72 / 9 * 45 / 3600)


def test_repeats_and_controls_cost_time():
    asked = {"documents": 3, "repeats": 2, "controls": {"degraded": 1}}
    (coverage,) = audit([task(kits=asked)], people(3)).tasks
    assert (coverage.items, coverage.extra, coverage.judgments) == (24, 9, 33)


def test_too_few_judges_cannot_finish():
    tasks = [task(kits={"documents": 1}, wanted=2)]
    found = audit(tasks, people(5))
    (error,) = said(found, "error")
    assert error == (
        "error: task t: it cannot be finished: kits 1 to 3 need 6 different judges, since none of"
        " them may do two of these kits, and 5 may do them; 3 of 18 kits would find no judge; have"
        " at least 6 judges: each gets one translation of each segment only (judgments per item: 2)"
    )
    with pytest.raises(InputError, match=r"^task t: it cannot be finished"):
        found.raise_errors()
    assert not audit(tasks, people(5), joinable=True).errors
    assert "it cannot be finished" in said(audit(tasks, people(5), joinable=True), "warning")[0]
    assert said(audit(tasks, people(0)), "error") == [
        "error: task t: it cannot be finished: there are no judges; have at least 6 judges: each"
        " gets one translation of each segment only (judgments per item: 2)"
    ]
    notes = said(audit(tasks, people(0), joinable=True), "note")
    assert any(one.startswith("note: task t: have at least 6 judges: each gets") for one in notes)


@pytest.mark.parametrize(
    ("wanted", "judges", "words"),
    [
        (1, 0, "there are no judges; have at least 1 judge: each does a kit only once"),
        (2, 1, "kit 1 needs 2 different judges, and 1 may do it; 3 of 6 kits would find no judge"),
    ],
)
def test_one_kit_alone_is_spoken_of_as_one(wanted, judges, words):
    tasks = [task(kits={"documents": 1}, wanted=wanted, one_system_per_segment=False)]
    (error,) = said(audit(tasks, people(judges)), "error")
    assert f"it cannot be finished: {words}" in error


def test_too_few_judges_of_a_group():
    tasks = [task(groups={"a": "A", "b": "B"})]
    judges = [*people(9, group="a"), *(Judge(id=f"b{n}", group="b") for n in range(2))]
    (error,) = said(audit(tasks, judges), "error")
    assert "3 different judges of the group 'b'" in error
    assert audit(tasks, judges).tasks[0].judges_needed == 6


def test_own_site_and_tags_count():
    some = make_set(sites=["north", "south", "east"])
    tasks = [task(some)]
    judges = people(3, site="north")
    assert not audit(tasks, judges, systems=some.systems).errors
    assert audit(tasks, judges, systems=some.systems, own_site="avoid").errors
    tagged = [task(judges="native == 'yes'")]
    assert not audit(tagged, people(3, tags={"native": "yes"})).errors
    (error,) = said(audit(tagged, people(3, tags={"native": "no"})), "error")
    assert "kit 1 needs a judge, and none may do it" in error
    (unknown, *_) = said(audit(tagged, people(3, tags={"natve": "yes"})), "error")
    assert "unknown tag of judges 'native'" in unknown
    assert "did you mean 'natve'?" in unknown


def test_an_order_that_may_go_wrong_is_a_warning():
    """Two kits, of which a judge of the north may do one only: others must leave it to him."""
    some = make_set([1], systems=2, sites=["south", "north"])
    judges = [Judge(id="a"), Judge(id="b", site="south")]
    found = audit([task(some)], judges, systems=some.systems, own_site="avoid")
    assert not found.errors
    one_of_two = "if judges simply take turns, 1 of 2 kits find no judge in the end"
    stuck = 0
    for order in (judges, judges[::-1]):
        lines = said(audit([task(some)], order, systems=some.systems, own_site="avoid"))
        stuck += any(one_of_two in line for line in lines)
    assert stuck == 1


def test_no_kits_and_unknown_names():
    empty = replace(task(), kits=())
    assert said(audit([empty], people(3)), "error") == ["error: task t: there are no kits"]
    assert said(audit([], people(3))) == ["error: the campaign has no task"]
    assert "unknown policy 'adaptiv'" in said(audit([task(policy="adaptiv")], people(3)))[0]
    twice = [task(), task()]
    assert "error: 2 tasks are called 't'" in said(audit(twice, people(3)))


def test_the_tutorial_can_be_done():
    required = {"tutorial": 2, "evaluation": 1}
    none = audit([task(required=required)], people(3))
    assert "2 tutorial kits must be done, but there are none" in said(none, "error")[0]
    short = audit([task(required=required, tutorial=make_set([2]))], people(3))
    assert "j0 can get 1" in said(short, "error")[0]
    enough = audit([task(required=required, tutorial=make_set([2, 2, 2, 2]))], people(3))
    assert not enough.errors
    tutorial, _ = enough.tasks
    assert (tutorial.phase, tutorial.judgments, tutorial.wanted) == ("tutorial", 3 * 2 * 4, 1)


def test_what_is_required_may_not_be_enough():
    tasks = [task(kits={"documents": 1}, wanted=2, required={"evaluation": 1})]
    line, *_ = said(audit(tasks, people(8)), "warning")
    assert "make 8 of the 18 wanted" in line
    assert "up to 3 kits each" in line
    greedy = [task(kits={"documents": 1}, wanted=2, required={"evaluation": 9})]
    assert "a judge can get only 3" in said(audit(greedy, people(6)), "warning")[0]


def test_few_judges():
    assert "1 judge: their severity" in said(audit([task(protocol=HEVAL)], people(1)), "warning")[0]


def test_judges_without_a_kit_are_seen():
    tasks = [task(kits={"documents": 9}, required={"evaluation": 1})]
    (coverage,) = audit(tasks, people(3)).tasks
    lines = said(audit(tasks, people(coverage.kits + 2)), "warning")
    assert any(
        "2 judges would get nothing to do, because there are not enough kits (3)" in one
        for one in lines
    )
    assert not any("nothing to do" in one for one in said(audit(tasks, people(coverage.kits))))


def test_one_reference_is_a_bias():
    one = make_set(references=("A",))
    lines = said(audit([task(one)], people(3)), "warning")
    assert "all judges see the one reference 'A'" in lines[0]
    for good in (task(), task(one, RANKING), task(one, HEVAL), task(groups={"a": "A", "b": "B"})):
        assert not any("one reference" in line for line in said(audit([good], people(3))))


def test_fluency_comes_first():
    fluency, adequacy = task(protocol=FLUENCY, name="fluency"), task(name="adequacy")
    assert not any("without help" in line for line in said(audit([fluency, adequacy], people(3))))
    (line,) = said(audit([adequacy, fluency], people(3)), "warning")
    assert line.startswith("warning: task fluency: translations are to be read without help, but")
    elsewhere = task(protocol=FLUENCY, name="fluency", documents=("d3",))
    lines = said(audit([task(documents=("d1",)), elsewhere], people(3)))
    assert not any("without help" in line for line in lines)
    assert any(
        "'adequacy' before it" in s
        for s in said(audit([adequacy, task(protocol=TCSTAR)], people(3)))
    )


def test_a_kit_is_no_longer_than_a_sitting():
    long = task(make_set([90]), kits={"documents": 1}, required={"evaluation": 1})
    assert "a kit takes about 68 minutes" in said(audit([long], people(3)), "warning")[-1]
    assert not any("sitting" in line for line in said(audit([long], people(3), seconds={"t": 20})))
    lines = said(audit([long], people(3), sitting=50), "warning")
    assert "a kit has 90 items; judges may do 50 in a sitting" in lines[-1]


def test_an_unbalanced_design_is_seen():
    grouped = task(make_set(human=True), groups={"a": "A", "b": "B"})
    judges = [*people(4, group="a"), *(Judge(id=f"b{n}", group="b") for n in range(4))]
    lines = said(audit([grouped], judges), "warning")
    assert any("'human' only 8 times" in line for line in lines)


def test_judges_who_share_nothing_are_seen():
    apart = task(make_set([2, 2]), kits={"documents": 1, "systems": 1}, wanted=1)
    lines = said(audit([apart], people(6)))
    assert any("that have no system in common" in line for line in lines)
    twice = task(make_set([2]), kits={"documents": 1}, wanted=2)
    lines = said(audit([twice], people(6)), "warning")
    assert any(
        "3 parts that have no system in common" in s or "parts of 2, 2, 2" in s for s in lines
    )
    mixed = task(make_set([1, 1, 1]), kits={"documents": 3}, wanted=2)
    assert any("3 parts that judge no translation" in s for s in said(audit([mixed], people(6))))
    once = task(make_set([1, 1, 1]), kits={"documents": 3})
    assert any("agreement will not be known" in s for s in said(audit([once], people(6)), "note"))


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=12))
def test_connected_parts(links):
    found = connected_components(links)
    nodes = {node for link in links for node in link}
    assert set().union(*found) == nodes
    assert sum(map(len, found)) == len(nodes)
    for part in found:
        assert all((one in part) == (other in part) for one, other in links)
        start = {min(part, key=str)}
        while more := {n for link in links for n in link if start & set(link)} - start:
            start |= more
        assert start == part


MEASURED = {"tapet-adequacy": (30, 47), "preference": (19, 30), "tapet-adequacy-5": (30, 47)}


@pytest.mark.parametrize("name", protocols.names())
def test_every_protocol_has_a_time(name):
    protocol = protocols.load(name)
    item = sets.kits(make_set(), protocol)[0].items[0]
    low, high = MEASURED.get(name, (20, 200))
    assert low <= expected_seconds(protocol, item) <= high


def test_words():
    assert [kit_names([3]), kit_names([1, 2, 3]), kit_names([1, 3])] == [
        "kit 3",
        "kits 1 to 3",
        "kits 1, 3",
    ]
    assert [counted(n, "kit") for n in range(3)] == ["no kits", "1 kit", "2 kits"]


def test_a_large_campaign_is_looked_over_in_seconds():
    large = task(make_set([10] * 200, systems=8), kits={"documents": 2}, wanted=2)
    pairs = task(make_set([10] * 20, systems=8), PREFERENCE, name="p", wanted=2)
    start = perf_counter()
    assert not audit([large, pairs], people(40)).errors
    assert perf_counter() - start < 10
