"""Repeats and controls: as many as asked, of the right kind, in good places."""

import json
from collections import Counter
from itertools import pairwise
from math import ceil
from random import Random

import pytest
from hypothesis import strategies as st

from jurat.errors import InputError
from jurat.kits.controls import degrade_text
from jurat.kits.item_order import layout, most_repeats
from tests.kits import sets
from tests.kits.sets import HEVAL, PREFERENCE, RANKING, READING, given, keys, make_set, own, words

NUMBERS = st.integers(0, 4)


def screen(item):
    return item.document, item.segment, item.translations, item.references, item.context


def check_places(items):
    """Every repeat far behind its original, and no two extra items in a row."""
    for place, item in enumerate(items):
        if item.control == "repeat":
            (original,) = [n for n, i in enumerate(items) if not i.control and same(i, item)]
            assert place - original - 1 >= len(items) / 3
    assert not any(one.control and two.control for one, two in pairwise(items))


def same(one, other):
    return screen(one) == screen(other)


@given(st.integers(3, 12), NUMBERS, NUMBERS, sets.ORDERS, sets.SEEDS)
def test_repeats_and_damaged_copies(size, repeats, degraded, order, seed):
    asked = {"segments": size, "order": order, "repeats": repeats}
    asked["controls"] = {"degraded": degraded}
    total = size + repeats + degraded
    fits = repeats + degraded <= size and size - repeats >= ceil(total / 3)
    try:
        made = sets.kits(make_set([size]), seed=seed, kits=asked)
    except InputError:
        assert not fits
        return
    for kit in made:
        assert Counter(i.control for i in kit.items) == Counter(
            {"": size, "repeat": repeats, "degraded": degraded}
        )
        if fits:
            check_places(kit.items)
        assert len({i.id for i in kit.items}) == total
        for item in kit.items:
            originals = [i for i in own(kit) if keys([i]) == keys([item])]
            assert len(originals) == 1
            if item.control == "degraded":
                check_damage(item, originals[0])


def check_damage(item, original):
    (shown,), (right,) = item.translations, original.translations
    kept = set(shown.text.split()) & set(right.text.split())
    assert len(kept) <= len(right.text.split()) / 2
    assert item.references == original.references
    assert item.tags["degraded"] == shown.system


def test_controls_are_spread():
    for kit in sets.kits(make_set([60]), kits={"segments": 60, "controls": {"degraded": 6}}):
        places = [n for n, item in enumerate(kit.items) if item.control]
        # one in each stretch of a sixth, wherever the first stretch begins
        assert all(later - earlier <= 2 * 11 for earlier, later in pairwise(places))


@given(sets.SEEDS)
def test_a_damaged_copy_is_far_from_its_original(seed):
    asked = {"segments": 30, "controls": {"degraded": 3}}
    for kit in sets.kits(make_set([30]), seed=seed, kits=asked):
        places = {item.segment: n for n, item in enumerate(kit.items) if not item.control}
        for n, item in enumerate(kit.items):
            assert not item.control or abs(places[item.segment] - n) >= 10


def test_places_cannot_be_foretold():
    made = sets.kits(make_set([60]), kits={"segments": 60, "controls": {"degraded": 3}})
    assert len({sets.controls(kit) for kit in made}) == 3


def test_a_repeat_is_as_likely_at_every_place_where_it_can_be():
    """Otherwise its place would tell more than that a third of the kit is before it."""
    placed = Counter[int]()
    for seed in range(3000):
        marks = layout([1] * 28, repeats=2, controls=0, random=Random(seed)) or []
        placed.update(n for n, (kind, _) in enumerate(marks) if kind == "repeat")
    possible = range(11, 30)
    assert placed.keys() <= set(possible)
    expected = 6000 / len(possible)
    # five standard deviations of a binomial count
    assert all(abs(placed[n] - expected) < 90 for n in possible), placed


@given(st.lists(st.integers(1, 4), min_size=1, max_size=3), sets.SEEDS, NUMBERS, NUMBERS)
def test_rows_of_pairs_stay_whole(sizes, seed, repeats, degraded):
    asked = {"documents": 3, "repeats": repeats, "controls": {"degraded": degraded}}
    try:
        made = sets.kits(make_set(sizes), PREFERENCE, seed=seed, kits=asked)
    except InputError:
        assert repeats > 2 * sum(sizes) or (degraded and sum(sizes) == 1)
        return
    for kit in made:
        runs = "".join("x" if item.control else "." for item in kit.items).split("x")
        assert all(len(run) % 3 == 0 for run in runs)
        assert sets.controls(kit).count("r") == repeats
        for item in kit.items:
            if item.control == "repeat":
                assert any(same(item, other) for other in own(kit))
            if item.control == "degraded":
                ((copied,),) = [[o for o in own(kit) if keys([o]) == keys([item])]]
                both = zip(item.translations, copied.translations, strict=True)
                assert sum(one.text != other.text for one, other in both) == 1


def test_too_many_repeats_say_how_many_there_is_room_for():
    said = sets.complaint(make_set([6]), kits={"segments": 6, "repeats": 5})
    assert (
        said
        == "field kits.repeats: kit 1: 5 repeats are asked for, but it has 6 items, with room for 3"
    )
    assert len(sets.kits(make_set([6]), kits={"segments": 6, "repeats": 3})) == 3


@given(st.lists(st.integers(1, 5), min_size=1, max_size=12), NUMBERS, NUMBERS, sets.SEEDS)
def test_a_layout_holds_everything_once(rows, repeats, controls, seed):
    found = layout(rows, repeats=repeats, controls=controls, random=Random(seed))
    if found is None:
        assert most_repeats(rows, asked=repeats, controls=controls, random=Random(seed)) < repeats
        return
    assert [n for kind, n in found if kind == "item"] == list(range(sum(rows)))
    assert sorted(n for kind, n in found if kind == "control") == list(range(controls))
    again = [n for kind, n in found if kind == "repeat"]
    assert len(again) == len(set(again)) == repeats


EASY = [("d1", "1", "s1"), ("d2", "4", "s2"), ("d2", "4", "s3"), ("d3", "6", "s1")]


def easy(kit):
    return keys([item for item in kit.items if item.control == "easy"])


@given(sets.SEEDS)
def test_easy_controls_come_from_outside_the_task(seed):
    """And there always from the same system: a judge meets no segment from two."""
    some = make_set(easy=EASY)
    asked = {"documents": 1, "controls": {"easy": 1}}
    made = sets.kits(some, seed=seed, documents=("d1", "d3"), kits=asked)
    assert all(len(easy(kit)) == 1 for kit in made)
    assert len({key for kit in made for key in easy(kit)}) == 1
    assert {key[:2] for kit in made for key in easy(kit)} == {("d2", "4")}


@given(sets.SEEDS)
def test_easy_controls_from_within_are_copies_where_systems_are_kept_apart(seed):
    everything = [("d1", str(n), f"s{k}") for n in range(1, 7) for k in (1, 2, 3)]
    some = make_set([6], easy=everything)
    for kit in sets.kits(some, seed=seed, kits={"segments": 6, "controls": {"easy": 2}}):
        assert len(set(easy(kit))) == 2
        assert set(easy(kit)) <= set(keys(own(kit)))
        check_places(kit.items)


@given(sets.SEEDS)
def test_easy_controls_come_from_other_kits_where_systems_are_together(seed):
    asked = {"documents": 1, "controls": {"easy": 1}}
    for kit in sets.kits(make_set(easy=EASY), HEVAL, seed=seed, kits=asked):
        assert not set(easy(kit)) & set(keys(own(kit)))


def test_too_few_easy_translations():
    said = sets.complaint(make_set(easy=EASY), kits={"documents": 1, "controls": {"easy": 1}})
    assert "1 easy are asked for, but 0 can be given" in said
    assert "field kits.controls.easy: kit " in said


GOLD = {
    ("d1", "2"): {"adequacy": 7, "same-meaning": "yes"},
    ("d3", "7"): {"systems": ["s2"], "adequacy": 1},
}
ANSWERS = {key: {k: v for k, v in value.items() if k != "systems"} for key, value in GOLD.items()}


@given(sets.SEEDS, st.integers(1, 2))
def test_gold_segments_stand_aside_as_controls(seed, number):
    some = make_set(gold=GOLD)
    made = sets.kits(some, seed=seed, kits={"documents": 2, "controls": {"gold": number}})
    shown: dict[str, set[str]] = {}
    for kit in made:
        gold = [item for item in kit.items if item.control == "gold"]
        assert len({i.segment for i in gold}) == len(gold) == number
        assert not {(i.document, i.segment) for i in own(kit)} & set(GOLD)
        for item in gold:
            assert item.expected == ANSWERS[item.document, item.segment]
            assert "gold" not in item.tags
            shown.setdefault(item.segment, set()).add(item.translations[0].system)
    assert all(len(systems) == 1 for systems in shown.values())
    assert shown.get("7", {"s2"}) == {"s2"}


def test_gold_segments_are_like_others_where_no_gold_is_asked():
    gold = {("d1", "2"): {"adequacy": 7}}
    assert ("d1", "2", "s1") in sets.judged(sets.kits(make_set(gold=gold)))


def test_gold_pairs_keep_their_sides():
    gold = {("d1", "1"): {"systems": ["s3", "s1"], "preference": "a"}}
    asked = {"documents": 1, "controls": {"gold": 1}}
    for kit in sets.kits(make_set(gold=gold), PREFERENCE, kits=asked):
        (item,) = [i for i in kit.items if i.control]
        assert keys([item]) == [("d1", "1", ("s3", "s1"))]
        assert item.expected == {"preference": "a"}


def test_gold_rankings_have_as_many_translations_as_others():
    """Or they would be known by that; all systems stand for themselves where all are shown."""
    asked = {"documents": 1, "controls": {"gold": 1}}
    gold = {("d1", "1"): {"ranking": [1, 2, 3, 4]}}
    for kit in sets.kits(make_set(systems=4, gold=gold), RANKING, kits=asked):
        assert {len(i.translations) for i in kit.items} == {4}
    fewer = {**asked, "systems": 2}
    assert "name the systems on the screen (2)" in sets.complaint(
        make_set(systems=4, gold=gold), RANKING, kits=fewer
    )
    named = {("d1", "1"): {"systems": ["s4", "s2"], "ranking": [1, 2]}}
    for kit in sets.kits(make_set(systems=4, gold=named), RANKING, kits=fewer):
        assert {len(i.translations) for i in kit.items} == {2}
    assert "name the systems on the screen (4)" in sets.complaint(
        make_set(systems=4, gold=named), RANKING, kits=asked
    )


BAD_GOLD = {
    "holds the right answers by question": "seven",
    "unknown question 'adequcy'": {"adequcy": 7},
    "allowed: 7, 6": {"adequacy": 8},
    "unknown system 's9'": {"systems": ["s9"], "adequacy": 7},
    "name the systems on the screen": {"systems": ["s1", "s2"], "adequacy": 7},
}


@pytest.mark.parametrize(("said", "gold"), BAD_GOLD.items(), ids=BAD_GOLD)
def test_gold_that_is_wrong(said, gold):
    asked = {"controls": {"gold": 1}}
    message = sets.complaint(make_set(gold={("d1", "2"): gold}), kits=asked)
    assert said in message
    assert "document d1, segment 2" in message


def test_too_few_gold_segments():
    asked = {"controls": {"gold": 2}}
    said = sets.complaint(make_set(gold={("d1", "2"): {"adequacy": 7}}), kits=asked)
    assert "2 gold are asked for, but 1 can be given" in said
    only = make_set([1], gold={("d1", "1"): {"adequacy": 7}})
    assert "none is left" in sets.complaint(only, kits={"controls": {"gold": 1}})
    pairs = make_set(gold={("d1", "2"): {"preference": "a"}})
    assert "name the systems" in sets.complaint(pairs, PREFERENCE, kits={"controls": {"gold": 1}})


def test_nothing_to_damage_with():
    said = sets.complaint(
        make_set([1], systems=1), kits={"segments": 1, "controls": {"degraded": 1}}
    )
    assert "can be degraded" in said


@given(st.lists(st.integers(1, 12), min_size=1, max_size=3), sets.SEEDS, st.booleans())
def test_damage_is_seen_by_any_reader(lengths, seed, spaced):
    letters = iter(range(0x4E00, 0x9FFF)) if not spaced else iter(range(1000))
    draw = [[next(letters) for _ in range(n)] for n in lengths]
    lines = [[f"w{n}" if spaced else chr(n) for n in line] for line in draw]
    text = "\n".join((" " if spaced else "").join(line) for line in lines)
    others = [
        words("x") if spaced else "。、，：；",
        "another one here" if spaced else "ひらがなカタカナ",
    ]
    result = degrade_text(text, others, Random(seed))
    assert result is not None
    for before, after in zip(text.split("\n"), result.split("\n"), strict=True):
        pieces = (before.split(), after.split()) if spaced else (list(before), list(after))
        assert len(pieces[0]) == len(pieces[1]) or len(pieces[0]) > 5
        gone = [piece for piece in pieces[0] if piece not in pieces[1]]
        assert 2 * len(gone) >= len(pieces[0])


def test_damage_needs_other_words():
    assert degrade_text("a b c", [], Random(1)) is None
    assert degrade_text("a b c", ["c b a"], Random(1)) is None
    assert degrade_text("  ", ["c b a"], Random(1)) is None


def test_documents_are_damaged_line_by_line():
    asked = {"documents": 3, "controls": {"degraded": 1}}
    for kit in sets.kits(make_set(), READING, kits=asked):
        (item,) = [i for i in kit.items if i.control]
        (right,) = [i for i in own(kit) if i.document == item.document]
        texts = [each.translations[0].text.split("\n") for each in (item, right)]
        assert all(one != other for one, other in zip(*texts, strict=True))


def test_gold_is_written_as_json():
    assert json.loads(make_set(gold=GOLD).documents[0].segments[1].tags["gold"]) == GOLD["d1", "2"]
