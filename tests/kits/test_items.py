"""What is on the screen: sources, references, groups and context, and nothing else."""

import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from jurat import protocols
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
def test_a_human_is_never_beside_the_reference_that_he_is(sizes, protocol, seed, groups):
    some = make_set(sizes, systems=2, human=True)
    for item in items(some, protocol, seed=seed, groups=groups):
        assert "human" not in systems(item) or "A" not in item.references
        assert not {t.text for t in item.translations} & set(item.references.values())
        assert item.references or item.source


def test_a_human_who_is_the_only_reference_is_refused():
    alone = make_set(human=True, references=("A",))
    assert "no reference that 'human' can be compared with" in sets.complaint(alone)
    assert "and in 7 more places" in sets.complaint(alone)
    assert items(alone, RANKING)[0].references == {}  # which shows the source, too
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


@given(sets.SIZES, sets.KITS, sets.SEEDS)
def test_context(sizes, kits, seed):
    """Up to three segments before; a translation only if the judge has it from this system."""
    some = make_set(sizes)
    place = {(d.id, s.id): (d, n) for d in some.documents for n, s in enumerate(d.segments)}
    for kit in sets.kits(some, ESA, seed=seed, kits=kits):
        held = {(i.document, i.segment): systems(i)[0] for i in kit.items}
        for item in kit.items:
            document, n = place[item.document, item.segment]
            earlier = document.segments[max(0, n - 3) : n]
            assert [text.split("\n")[0] for text in item.context] == [s.source for s in earlier]
            for text, segment in zip(item.context, earlier, strict=True):
                own_system = systems(item)[0]
                seen = held.get((item.document, segment.id)) == own_system
                whole = [segment.source or "", segment.translations[own_system].text]
                assert text == "\n".join(whole if seen else whole[:1])


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
