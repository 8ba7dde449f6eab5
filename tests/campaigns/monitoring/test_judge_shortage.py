"""Kits that no judge present may do."""

from jurat.campaigns.monitoring.status import find_shortages
from jurat.kits.eligibility import Rules
from jurat.model import Judge
from jurat.store.progress import OpenPlaces

JUDGES = [Judge(id="a"), Judge(id="b", group="left"), Judge(id="c", site="north")]


def places(unit: str, count: int, had: int = 0, **more: object) -> OpenPlaces:
    given = {"task": "t", "phase": "evaluation", "group": "", "systems": ("x",), **more}
    return OpenPlaces(unit=unit, places=count, had=had, **given)  # type: ignore[arg-type]


def told(found: list[OpenPlaces], **rules: object) -> list[tuple[str, int, int]]:
    held = {"t": Rules(**rules), "u": Rules()}  # type: ignore[arg-type]
    return [(s.task, s.kits, s.judges) for s in find_shortages(found, JUDGES, held)]


def test_enough_is_enough():
    assert told([places("1", 3), places("2", 2, had=1)]) == []


def test_places_that_nobody_may_take():
    assert told([places("1", 3, had=1), places("2", 4, had=2)]) == [("t", 1 + 3, 3)]


def test_the_kits_of_a_block_compete():
    assert told([places("1", 2), places("1", 2)]) == [("t", 1, 1)]


def test_groups_need_their_own():
    assert told([places("1", 2, group="left")]) == [("t", 1, 1)]
    both = [places("1", 2, group="left"), places("1", 2, group="right")]
    assert told(both) == [("t", 3, 3)]


def test_judges_of_the_own_site_are_kept_away():
    found = [places("1", 3, systems=("x", "y"))]
    assert told(found, sites={"x": "north"}, own_site="avoid") == [("t", 1, 1)]
    assert told(found, sites={"x": "north"}, own_site="include") == []


def test_a_task_may_ask_for_some_judges_only():
    assert told([places("1", 2)], judges="site == 'north'") == [("t", 1, 1)]


def test_tutorials_have_room_for_everybody():
    assert told([places("1", 9, phase="tutorial")]) == []


def test_in_words():
    (found,) = find_shortages([places("1", 5)], JUDGES, {"t": Rules()})
    assert found.remark.code == "too-few-judges"
    assert found.remark.values == {"task": "t", "kits": 2, "count": 2}
