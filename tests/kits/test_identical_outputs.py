"""Identical outputs are in the kits once, and every judgment counts for all of their systems."""

from collections import Counter

import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from jurat import protocols
from jurat.kits.audit import TaskKits, audit
from jurat.model import TestSet
from tests.kits import sets
from tests.kits.sets import HEVAL, PREFERENCE, RANKING, given, own

CONTRASTIVE = protocols.load("contrastive-esa")


def alike(some: TestSet, groups: dict[str, str]) -> TestSet:
    """The test set with the outputs of some systems replaced by those of others."""

    def segment(one):
        made = dict(one.translations)
        changed = {s: replace(made[s], text=made[other].text) for s, other in groups.items()}
        return replace(one, translations=made | changed)

    documents = (replace(d, segments=tuple(map(segment, d.segments))) for d in some.documents)
    return replace(some, documents=tuple(documents))


def merging(some, protocol=sets.ADEQUACY, **fields):
    return sets.kits(some, protocol, merge_identical=True, **fields)


SAME = alike(sets.make_set(systems=4), {"s2": "s1"})


@given(sets.SETS, sets.KITS, sets.SEEDS, st.booleans())
def test_each_output_is_judged_once_and_each_system_credited(test_set, kits, seed, apart):
    names = [system.name for system in test_set.systems if system.kind == "machine"]
    same = alike(test_set, {names[-1]: names[0]})
    made = merging(same, seed=seed, kits=kits, one_system_per_segment=apart)
    shown = [(i.document, i.segment, t.text) for k in made for i in own(k) for t in i.translations]
    assert len(shown) == len(set(shown))
    credited = Counter(
        (item.document, item.segment, system)
        for kit in made
        for item in own(kit)
        for shown in item.translations
        for system in shown.systems
    )
    every = [system.name for system in same.systems]
    assert credited == Counter((d.id, s.id, n) for d, s in same.segments() for n in every)


def test_nothing_changes_where_nothing_is_identical():
    different = sets.make_set(systems=3)
    for protocol in (sets.ADEQUACY, HEVAL, PREFERENCE, RANKING, CONTRASTIVE):
        assert merging(different, protocol) == sets.kits(different, protocol)


def test_which_system_is_shown_is_drawn():
    shown = Counter(t.system for k in merging(SAME) for i in own(k) for t in i.translations)
    assert shown["s1"]
    assert shown["s2"]
    assert shown["s1"] + shown["s2"] == shown["s3"] == shown["s4"]


def test_judges_read_what_another_kit_is_asked_about_as_context():
    """A document from one system stays readable where some of its outputs are judged elsewhere."""
    context = {len(item.context) for kit in merging(SAME, sets.ESA) for item in own(kit)}
    assert context == {len(i.context) for k in sets.kits(SAME, sets.ESA) for i in own(k)}
    texts = {t.text for _, s in SAME.segments() for t in s.translations.values()}
    shown = [text for k in merging(SAME, sets.ESA) for i in own(k) for text in i.context]
    assert shown
    assert all(text.split("\n")[-1] in texts for text in shown)


@pytest.mark.parametrize("protocol", [PREFERENCE, RANKING, CONTRASTIVE], ids=lambda p: p.name)
def test_a_screen_shows_each_output_once(protocol):
    for kit in merging(SAME, protocol):
        for item in own(kit):
            texts = [shown.text for shown in item.translations]
            assert len(texts) == len(set(texts)) >= 2


def test_pairs_are_of_different_outputs():
    made = merging(SAME, PREFERENCE)
    pairs = [frozenset(t.name for t in i.translations) for k in made for i in own(k)]
    segments = sum(1 for _ in SAME.segments())
    assert len(pairs) == 3 * segments
    assert set(pairs) == {frozenset(p) for p in (("s1+s2", "s3"), ("s1+s2", "s4"), ("s3", "s4"))}


def test_nothing_to_compare_is_left_out():
    one = alike(sets.make_set(systems=2), {"s2": "s1"})
    for protocol in (PREFERENCE, RANKING):
        said = sets.complaint(one, protocol, merge_identical=True)
        assert "nothing is left to compare" in said
    # scores need no second translation
    (kit,) = merging(one, CONTRASTIVE, kits={"documents": 9})
    assert {tuple(t.name for t in i.translations) for i in own(kit)} == {("s1+s2",)}


def test_a_reference_is_never_shown_with_its_own_text():
    """A human's text that a machine repeats word for word."""
    human = alike(sets.make_set(systems=2, human=True), {"s1": "human"})
    for kit in merging(human, sets.ADEQUACY):
        for item in kit.items:
            assert not {t.text for t in item.translations} & {*item.references.values()}


def test_repeats_and_degraded_copies_are_of_the_same_systems():
    kits = {"documents": 3, "repeats": 1, "controls": {"degraded": 1}}
    for kit in merging(SAME, HEVAL, kits=kits):
        names = {i.segment: {t.name for j in own(kit) for t in j.translations} for i in own(kit)}
        controls = [item for item in kit.items if item.control]
        assert len(controls) == 2
        assert all({t.name for t in c.translations} <= names[c.segment] for c in controls)


def test_the_tutorial_is_as_it_was():
    from jurat.kits.build import build

    plan = sets.plan(HEVAL, merge_identical=True)
    kits = build(SAME, HEVAL, plan, phase="tutorial", seed=1)
    assert not any(t.also for k in kits for i in k.items for t in i.translations)


def test_names_with_the_sign_that_joins_them_are_refused():
    odd = SAME
    names = {"s1": "s1+x"}
    odd = replace(
        odd,
        systems=tuple(replace(s, name=names.get(s.name, s.name)) for s in odd.systems),
        documents=tuple(
            replace(
                d,
                segments=tuple(
                    replace(s, translations={names.get(n, n): t for n, t in s.translations.items()})
                    for s in d.segments
                ),
            )
            for d in odd.documents
        ),
    )
    said = sets.complaint(odd, merge_identical=True)
    assert "merge_identical" in said
    assert "'s1+x' has a + in its name" in said


def test_the_audit_counts_what_is_judged():
    plan = sets.plan(HEVAL, merge_identical=True)
    found = audit([TaskKits(plan=plan, protocol=HEVAL, kits=merging(SAME, HEVAL))], [])
    segments = sum(1 for _ in SAME.segments())
    (coverage,) = found.tasks
    assert coverage.items == 3 * segments
    (note,) = [one for one in found.findings if "output is the same" in one.message]
    assert note.message.startswith(f"{segments} translations")
    assert not [
        one for one in found.findings if one.severity == "warning" and "often" in one.message
    ]
