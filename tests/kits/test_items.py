"""What is on the screen: sources, references, groups and context, and nothing else."""

from collections import Counter

import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from jurat import protocols
from jurat.model import Translation
from tests.kits import sets
from tests.kits.sets import (
    ADEQUACY,
    ESA,
    FLUENCY,
    PREFERENCE,
    RANKING,
    TCSTAR,
    given,
    make_set,
    own,
)

DA = protocols.load("da")
CONCEPTS = protocols.load("concepts")
NAMES = st.sampled_from(protocols.names())


def items(some, protocol, **fields):
    return [item for kit in sets.kits(some, protocol, **fields) for item in kit.items]


def systems(item):
    return [shown.system for shown in item.translations]


@given(sets.SIZES, NAMES, sets.SEEDS)
def test_an_item_carries_what_its_stages_show(sizes, name, seed):
    protocol = protocols.load(name)
    shows = {word for stage in protocol.stages for word in stage.show}
    for item in items(make_set(sizes), protocol, seed=seed):
        assert (item.source is not None) == ("source" in shows)
        expected = ["A", "B"] if "references" in shows else ["A"] if "reference" in shows else []
        assert list(item.references) == expected
        assert bool(item.concepts) == (name == "concepts")
        assert bool(item.comprehension) == (name == "comprehension")
        assert not item.context or "context" in shows


@given(sets.SIZES, st.sampled_from([ADEQUACY, DA, PREFERENCE, RANKING]), sets.SEEDS, sets.GROUPS)
def test_a_reference_that_is_judged_is_shown_to_nobody_who_may_judge_it(
    sizes, protocol, seed, groups
):
    some = make_set(sizes, systems=2, human=True)
    made = sets.kits(some, protocol, seed=seed, groups=groups)
    for kit in made:
        assert ("A" in {n for i in kit.items for n in i.references}) == (
            groups.get(kit.group) == "A"
        )
        assert len({tuple(i.references) for i in kit.items}) == 1
    for item in [item for kit in made for item in kit.items]:
        assert not {t.text for t in item.translations} & set(item.references.values())
        assert item.references or item.source


def test_a_human_who_is_the_only_reference_is_refused():
    alone = make_set(human=True, references=("A",))
    assert "no reference that 'human' can be compared with" in sets.complaint(alone)
    assert "and in 7 more places" in sets.complaint(alone)
    assert "every reference is judged as a system" in sets.complaint(alone, PREFERENCE)
    # which shows the source, too, with every translation alike
    rankings = items(alone, RANKING, kits={"documents": 1, "systems": 2})
    assert {tuple(item.references) for item in rankings} == {()}
    whole = sets.complaint(make_set(human=True), groups={"g": "A"})
    assert "'human' is the reference of every group that could judge it" in whole


@given(sets.SIZES, st.sampled_from([ADEQUACY, DA, PREFERENCE, RANKING]), sets.SEEDS)
def test_groups_see_their_own_reference_or_the_source(sizes, protocol, seed):
    groups = {"a": "A", "b": "B", "s": "source"}
    for kit in sets.kits(make_set(sizes, human=True), protocol, seed=seed, groups=groups):
        for item in kit.items:
            if kit.group == "s":
                assert item.source
                assert item.references == {}
            else:
                assert list(item.references) == [groups[kit.group]]
                assert (item.source is not None) == (protocol is RANKING)
        assert ("human" in kit.systems) <= (kit.group != "a")


def test_groups_need_something_to_differ_in():
    assert "ldc-fluency shows no reference" in sets.complaint(
        make_set(), FLUENCY, groups={"g": "A"}
    )


def test_what_is_missing_is_named_with_its_place():
    full = make_set([2])
    (document,) = full.documents
    first, second = document.segments
    parts = (replace(first, source=None), replace(second, references={}))
    bare = replace(full, documents=(replace(document, segments=parts),))
    assert "document d1, segment 1: there is no source" in sets.complaint(bare, ESA)
    assert "document d1, segment 2: there is no reference" in sets.complaint(bare, DA)
    assert "there is no source" in sets.complaint(bare, DA, groups={"g": "source"})
    gap = replace(second, translations={"s1": second.translations["s1"]})
    holed = replace(full, documents=(replace(document, segments=(first, gap)),))
    assert "segment 2: there is no translation by 's2'" in sets.complaint(holed)


def test_where_all_references_are_judged_each_translation_has_one_of_the_others():
    """Machines' as often the one as the other, so that it does not tell who they are."""
    some = make_set([40], systems=2, human=True)
    second = replace(some.systems[-1], name="B", reference="B")
    both = replace(some, systems=(*some.systems, second))
    parts = [
        replace(s, translations={**s.translations, "B": Translation(s.references["B"])})
        for s in both.documents[0].segments
    ]
    both = replace(both, documents=(replace(both.documents[0], segments=tuple(parts)),))
    shown = Counter((systems(i)[0], *i.references) for i in items(both, ADEQUACY))
    assert shown["human", "B"] == shown["B", "A"] == 40
    assert {key[0] for key in shown} == {"s1", "s2", "human", "B"}
    assert all(12 < count < 28 for (name, *_), count in shown.items() if name in ("s1", "s2"))
    assert "judged as a system" in sets.complaint(both, PREFERENCE)


def earlier(some, item):
    (document,) = [d for d in some.documents if d.id == item.document]
    n = [segment.id for segment in document.segments].index(item.segment)
    return document.segments[max(0, n - 3) : n]


def translated(item):
    return {"\n" in text for text in item.context}


@given(sets.SIZES, sets.KITS, sets.SEEDS)
def test_context(sizes, kits, seed):
    """Up to three segments before; translations in all of them, or in none of the kit."""
    some = make_set(sizes)
    for kit in sets.kits(some, ESA, seed=seed, kits=kits):
        held = {(i.document, i.segment): systems(i)[0] for i in kit.items}
        before = {(i.document, s.id) for i in kit.items for s in earlier(some, i)}
        whole = kits["order"] == "document" and before <= held.keys()
        for item in kit.items:
            shown = [
                [s.source, s.translations[held[item.document, s.id]].text] if whole else [s.source]
                for s in earlier(some, item)
            ]
            assert [text.split("\n") for text in item.context] == shown


@given(sets.SEEDS, sets.KITS, st.sampled_from(["within", "elsewhere"]), st.integers(1, 2))
def test_the_context_of_controls_is_that_of_other_items(seed, kits, gold, number):
    """And shows a segment from the same system as the judge gets it from, if they get it."""
    places = [("d1", "3"), ("d2", "8")] if gold == "within" else [("d3", "13"), ("d3", "15")]
    some = make_set(
        [5, 5, 5],
        gold={place: {} for place in places},
        easy=[(d, s, f"s{n}") for d, s in (("d1", "5"), ("d2", "10")) for n in (1, 2, 3)],
    )
    asked = {**kits, "controls": {"gold": number, "easy": 1}}
    aside = ("5", "10") if gold == "within" else ("5", "10", "11", "12", "14")
    made = sets.kits(some, ESA, seed=seed, kits=asked, where=f"segment not in {aside}")
    for kit in made:
        assert len(set().union(*map(translated, kit.items))) <= 1
        mine = {(i.document, i.segment): i.translations[0] for i in kit.items if i.control != ""}
        mine |= {(i.document, i.segment): i.translations[0] for i in own(kit)}
        for item in kit.items:
            for text, segment in zip(item.context, earlier(some, item), strict=True):
                key = (item.document, segment.id)
                if "\n" in text and key in mine:
                    assert text.split("\n")[1] == mine[key].text
                assert (
                    "\n" not in text
                    or key in mine
                    or key not in {key[:2] for key in sets.judged(made)}
                )


def test_gold_of_a_document_of_its_own_leaves_the_context_as_it_is():
    some = make_set([3, 2, 3], gold={("d3", "6"): {}, ("d3", "8"): {}})
    asked = {"documents": 1, "controls": {"gold": 1}}
    kits = sets.kits(some, ESA, kits=asked, where="document != 'd3' or segment == '6'")
    items = [item for kit in kits for item in kit.items if item.context]
    assert {item.control for item in items} == {"", "gold"}
    assert all(translated(item) == {True} for item in items)


def test_context_of_documents_in_order_reads_on():
    last = sets.kits(make_set([5]), ESA, kits={"documents": 1})[0].items[-1]
    assert all("\n" in text for text in last.context)
    assert len(last.context) == 3


def shows(protocol, *stages):
    parts = zip(protocol.stages, stages, strict=True)
    return replace(protocol, stages=tuple(replace(stage, show=show) for stage, show in parts))


def test_context_gives_nothing_away_that_comes_later():
    late = shows(TCSTAR, ("context", "translation"), ("reference", "translation"))
    once = shows(TCSTAR, ("translation",), ("context", "reference", "translation"))
    (first, *_) = sets.kits(make_set([2]), late)
    assert first.items[1].context == (first.items[0].translations[0].text,)
    (first, *_) = sets.kits(make_set([2]), once)
    reference = first.items[0].references["A"]
    assert first.items[1].context == (f"{reference}\n{first.items[0].translations[0].text}",)


def test_context_of_several_systems_holds_no_translation():
    pairs = shows(PREFERENCE, ("context", "reference", "translation"))
    for item in items(make_set([3]), pairs):
        assert all("\n" not in text and "-A-" in text for text in item.context)
        assert len(item.context) == int(item.segment) - 1


def test_tags_are_the_documents_the_segments_and_a_lone_translations():
    easy = make_set([1], easy=[("d1", "1", "s1")])
    tags = {systems(item)[0]: item.tags for item in items(easy, ADEQUACY)}
    assert tags["s1"] == {"genre": "web", "odd": "yes", "easy": "yes"}
    assert tags["s2"] == {"genre": "web", "odd": "yes"}
    assert all("easy" not in item.tags for item in items(easy, PREFERENCE))


@pytest.mark.parametrize("protocol", [ADEQUACY, PREFERENCE, RANKING])
def test_texts_are_those_of_the_systems(protocol):
    some = make_set()
    texts = {(d.id, s.id, n): t.text for d, s in some.segments() for n, t in s.translations.items()}
    for kit in sets.kits(some, protocol):
        for item in own(kit):
            for shown in item.translations:
                assert shown.text == texts[item.document, item.segment, shown.system]
