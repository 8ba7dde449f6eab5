"""The rules of building, over sets, plans and seeds of every kind."""

from collections import Counter, defaultdict
from itertools import groupby, islice, pairwise
from random import Random
from time import perf_counter

import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from jurat import protocols
from jurat.kits import experimental_design
from jurat.kits.build import build
from jurat.kits.experimental_design import latin_rows
from jurat.kits.task_plan import TaskPlan, keeps_apart
from tests.kits import sets
from tests.kits.sets import ADEQUACY, HEVAL, PREFERENCE, RANKING, READING, given, judged, keys, own

SEVERAL = [name for name in protocols.names() if protocols.load(name).systems != "one"]
ONE = [name for name in protocols.names() if name not in SEVERAL]


def segments(kit):
    return {(item.document, item.segment) for item in own(kit)}


@given(sets.SETS, sets.KITS, sets.SEEDS, st.integers(1, 6))
def test_systems_kept_apart(test_set, kits, seed, systems):
    """A kit holds each of its segments once; the kits of a block hold each translation once."""
    made = sets.kits(test_set, seed=seed, kits={**kits, "systems": systems})
    names = {system.name for system in test_set.systems}
    blocks = defaultdict(list)
    for kit in made:
        assert len(own(kit)) == len(segments(kit))
        assert len(kit.systems) <= systems
        blocks[kit.block].append(kit)
    for versions in blocks.values():
        assert len(versions) == len(names)
        assert len({frozenset(segments(kit)) for kit in versions}) == 1
    assert judged(made) == Counter((d.id, s.id, n) for d, s in test_set.segments() for n in names)


@given(sets.SETS, sets.KITS, sets.SEEDS)
def test_blocks_share_no_segment(test_set, kits, seed):
    blocks = {kit.block: segments(kit) for kit in sets.kits(test_set, seed=seed, kits=kits)}
    assert sum(map(len, blocks.values())) == len(set().union(*blocks.values()))


@given(sets.SETS, sets.KITS, sets.SEEDS)
def test_a_kit_is_no_longer_than_asked(test_set, kits, seed):
    for kit in sets.kits(test_set, seed=seed, kits=kits):
        documents = {item.document for item in own(kit)}
        assert len(documents) <= kits.get("documents", 99)
        assert len(own(kit)) <= kits.get("segments", 99)


@given(sets.SETS, sets.MEASURES, sets.SEEDS)
def test_document_order(test_set, size, seed):
    """Segments in order, a document from one system, all systems about equally often."""
    place = {(d.id, s.id): n for n, (d, s) in enumerate(test_set.segments())}
    for kit in sets.kits(test_set, seed=seed, kits=size):
        places = [place[item.document, item.segment] for item in kit.items]
        assert places == sorted(places)
        turns = [
            {item.translations[0].system for item in items}
            for _, items in groupby(kit.items, lambda item: item.document)
        ]
        assert all(len(turn) == 1 for turn in turns)
        often = Counter(system for turn in turns for system in turn)
        fewest = min(often.values()) if len(often) == len(test_set.systems) else 0
        assert max(often.values()) - fewest <= 1


@pytest.mark.parametrize("size", [4, 2])
def test_no_system_follows_another_more_often_than_others_do(size):
    """Nor do the n-th kits of the blocks hold one system more often than another."""
    made = sets.kits(sets.make_set([1] * 96, systems=4), kits={"documents": size})
    follows: Counter[tuple[str, str]] = Counter()
    numbers: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for number, kit in enumerate(made):
        order = [item.translations[0].system for item in kit.items]
        follows.update(pairwise(order))
        numbers[number % 4].update(order)
    assert len(follows) == 12
    even = follows.total() / 12
    assert all(0.6 * even < count < 1.5 * even for count in follows.values()), follows
    assert all(set(each.values()) == {24} for each in numbers.values())


def predicted_successors():
    """How often the system of the next document is the one that followed in a judge's first kit."""
    hits = trials = 0
    for seed in range(60):
        kits = sets.kits(sets.make_set([1] * 8, systems=4), seed=seed, kits={"documents": 4})
        one, other = ([i.translations[0].system for i in kit.items] for kit in (kits[0], kits[4]))
        assert kits[0].block != kits[4].block
        after = dict(pairwise(one))
        known = [
            (after[system], follower) for system, follower in pairwise(other) if system in after
        ]
        hits += sum(expected == follower for expected, follower in known)
        trials += len(known)
    return hits / trials


def test_one_kit_does_not_tell_which_system_follows_in_another(monkeypatch):
    """One of three others follows: by chance a third is guessed, and all where a cycle is fixed."""
    assert 0.2 < predicted_successors() < 0.47

    def in_order(_, passages, __):
        names = list(dict.fromkeys(passage.document.id for passage in passages))
        return [names.index(passage.document.id) for passage in passages]

    def rotations(systems, random):
        mixed = random.sample(systems, len(systems))
        while True:
            for turn in random.sample(range(len(mixed)), len(mixed)):
                yield mixed[turn:] + mixed[:turn]

    monkeypatch.setattr(experimental_design, "_turns", in_order)
    monkeypatch.setattr(experimental_design, "latin_rows", rotations)
    assert predicted_successors() == 1


@given(st.integers(1, 8), sets.SEEDS)
def test_rows_of_random_latin_squares(systems, seed):
    names = [f"s{n}" for n in range(systems)]
    rows = list(islice(latin_rows(names, Random(seed)), 3 * systems))
    for square in (rows[n : n + systems] for n in range(0, len(rows), systems)):
        assert all(sorted(row) == names for row in square)
        assert all(sorted(column) == names for column in zip(*square, strict=True))
    assert rows == list(islice(latin_rows(names, Random(seed)), 3 * systems))


def test_rankings_do_not_turn_in_one_cycle():
    """A judge who recognises one translation does not know the others by that."""
    made = sets.kits(sets.make_set([40], systems=5), RANKING)
    rows = [[t.system for t in item.translations] for kit in made for item in kit.items]
    cycles = {tuple(row[row.index("s1") :] + row[: row.index("s1")]) for row in rows}
    assert len(cycles) > 15


def test_shuffled_order_mixes_the_systems_within_documents():
    test_set = sets.make_set([30], systems=3)
    (first, *others) = sets.kits(test_set, kits={"segments": 30, "order": "shuffled"})
    assert Counter(item.translations[0].system for item in first.items) == dict.fromkeys(
        ("s1", "s2", "s3"), 10
    )
    ids = [int(item.segment) for item in first.items]
    assert ids != sorted(ids)
    assert all([int(item.segment) for item in kit.items] != ids for kit in others)


@given(sets.SETS, sets.KITS, sets.SEEDS, st.sampled_from([HEVAL, ADEQUACY]))
def test_systems_together_where_the_rule_is_off(test_set, kits, seed, protocol):
    made = sets.kits(test_set, protocol, seed=seed, kits=kits, one_system_per_segment=False)
    names = {system.name for system in test_set.systems}
    for kit in made:
        assert Counter(keys(own(kit))) == Counter((*s, (n,)) for s in segments(kit) for n in names)
    assert set(judged(made).values()) == {1}


def test_shuffled_segments_are_shuffled_over_all_documents():
    made = sets.kits(sets.make_set([6] * 6), kits={"segments": 6, "order": "shuffled"})
    assert all(len({item.document for item in kit.items}) > 1 for kit in made)


def test_a_comparison_has_nothing_to_keep_apart():
    """Even if its protocol forgets to say so."""
    forgetful = replace(PREFERENCE, one_system_per_segment=True)
    assert not keeps_apart(forgetful, sets.plan(forgetful))
    assert len(sets.kits(sets.make_set(), forgetful, kits={"documents": 3})) == 1


def test_heval_has_the_rule_off_and_adequacy_on_by_themselves():
    test_set = sets.make_set()
    assert len(sets.kits(test_set, HEVAL, kits={"documents": 3})) == 1
    assert len(sets.kits(test_set, ADEQUACY, kits={"documents": 3})) == 3


def test_fewer_systems_in_a_kit_where_the_rule_is_off():
    made = sets.kits(sets.make_set(systems=5), HEVAL, kits={"documents": 3, "systems": 2})
    assert sorted(len(kit.systems) for kit in made) == [1, 2, 2]
    assert set(judged(made).values()) == {1}


@given(
    sets.SETS, sets.KITS, sets.SEEDS, sets.GROUPS, st.sampled_from([ADEQUACY, HEVAL, PREFERENCE])
)
def test_groups_have_the_same_segments_each_their_own_kits(test_set, kits, seed, groups, protocol):
    if protocol is HEVAL or (protocol is PREFERENCE and len(test_set.systems) < 3):
        return
    made = sets.kits(test_set, protocol, seed=seed, kits=kits, groups=groups)
    assert {kit.group for kit in made} == (set(groups) or {""})
    everything = {(d.id, s.id) for d, s in test_set.segments()}
    for group in groups:
        mine = [kit for kit in made if kit.group == group]
        assert set().union(*map(segments, mine)) == everything
        if protocol is ADEQUACY:
            assert set(judged(mine).values()) == {1}


@given(sets.SETS, sets.KITS, sets.SEEDS, st.sampled_from([ADEQUACY, PREFERENCE, RANKING]))
def test_the_same_seed_gives_the_same_kits(test_set, kits, seed, protocol):
    fields = {"kits": kits, "groups": {"g": "A", "h": "B"}} if protocol is not PREFERENCE else {}
    once, again = (sets.kits(test_set, protocol, seed=seed, **fields) for _ in range(2))
    assert once == again
    other = sets.kits(test_set, protocol, seed=seed + 1, **fields)
    assert not {i.id for kit in once for i in kit.items} & {
        i.id for kit in other for i in kit.items
    }


def test_another_seed_gives_other_kits():
    test_set = sets.make_set([5, 5, 5], systems=5)
    for protocol in (ADEQUACY, PREFERENCE, RANKING):
        made = set()
        for seed in range(6):
            orders = [keys(kit.items) for kit in sets.kits(test_set, protocol, seed=seed)]
            made.add(str(orders))
        assert len(made) > 3


@given(sets.SETS, sets.SEEDS)
def test_ids_are_opaque_and_numbers_run_from_one(test_set, seed):
    evaluation, tutorial = (
        build(test_set, ADEQUACY, sets.plan(), phase=phase, seed=seed)
        for phase in ("evaluation", "tutorial")
    )
    ids = [item.id for kit in (*evaluation, *tutorial) for item in kit.items]
    assert len(ids) == len(set(ids))
    assert all(len(name) == 20 and set(name) <= set("0123456789abcdef") for name in ids)
    assert [kit.number for kit in evaluation] == list(range(1, len(evaluation) + 1))
    assert not {kit.block for kit in evaluation} & {kit.block for kit in tutorial}


def test_blocks_are_numbered_one_after_the_other():
    made = sets.kits(sets.make_set([2] * 5), groups={"g": "A", "h": "B"}, kits={"documents": 1})
    assert [block for block, _ in groupby(made, lambda kit: kit.block)] == [
        f"t.evaluation.{n}" for n in range(1, 6)
    ]


@given(sets.SETS, sets.SEEDS, st.integers(2, 6))
def test_rankings_show_all_systems_in_every_place(test_set, seed, shown):
    """Over the segments, each system is about as often in each place as in any other."""
    names = {system.name for system in test_set.systems}
    (made,) = [sets.kits(test_set, RANKING, seed=seed, kits={"documents": 2})]
    items = [item for kit in made for item in kit.items]
    assert len(items) == len({(i.document, i.segment) for i in items})
    places = Counter((n, t.system) for i in items for n, t in enumerate(i.translations))
    assert set(judged(made).values()) == {1}
    for n in range(len(names)):
        counts = [places[n, name] for name in names]
        assert max(counts) - min(counts) <= 1
    part = sets.kits(test_set, RANKING, seed=seed, kits={"documents": 2, "systems": shown})
    assert judged(part) == judged(made)
    assert all(len(i.translations) >= 2 for kit in part for i in kit.items)
    if len(names) % shown != 1:
        assert all(len(i.translations) <= shown for kit in part for i in kit.items)


@given(sets.SETS, sets.SEEDS, st.integers(1, 3), st.sampled_from(["document", "shuffled"]))
def test_a_document_as_one_item(test_set, seed, size, order):
    made = sets.kits(test_set, READING, seed=seed, kits={"documents": size, "order": order})
    by_id = {document.id: document for document in test_set.documents}
    for kit in made:
        for item in kit.items:
            document, (shown,) = by_id[item.document], item.translations
            assert item.segment == ""
            assert item.comprehension == document.comprehension
            texts = [s.translations[shown.system].text for s in document.segments]
            assert shown.text == "\n".join(texts)
    assert set(judged(made).values()) == {1}


@pytest.mark.parametrize("order", ["document", "shuffled"])
def test_gold_segments_have_as_much_context_as_others(order):
    """Although half of them begin their documents: an item without context is not one of them."""
    gold = {(f"d{d + 1}", str(6 * d + n)): {"score": 50} for d in range(12) for n in (1, 4)}
    some = sets.make_set([6] * 12, gold=gold)
    asked = {"documents": 3, "order": order, "controls": {"gold": 2}}
    items = [item for kit in sets.kits(some, sets.ESA, kits=asked) for item in kit.items]
    bare = [item.control for item in items if not item.context]
    chosen = [item.control for item in items]
    assert bare.count("gold") / max(1, len(bare)) <= chosen.count("gold") / len(items)


@given(sets.SETS, sets.SEEDS)
def test_a_tutorial_is_built_alike_without_repeats_and_controls(test_set, seed):
    asked = {"documents": 2, "repeats": 1, "controls": {"degraded": 1, "gold": 5}}
    plan = sets.plan(
        kits=asked, documents=("elsewhere",), where="unknown == 1", systems=("s1", "q")
    )
    made = build(test_set, ADEQUACY, plan, phase="tutorial", seed=seed)
    assert all(kit.phase == "tutorial" and own(kit) == list(kit.items) for kit in made)
    assert {name for _, _, name in judged(made)} == {"s1"}


def test_a_tutorial_may_ask_for_its_own_kits():
    plan = sets.plan(kits={"documents": 1}, tutorial={"documents": 3, "repeats": 1})
    made = build(sets.make_set(), ADEQUACY, plan, phase="tutorial", seed=1)
    assert [sets.controls(kit).count("r") for kit in made] == [1, 1, 1]
    wrong = sets.plan(kits={"documents": 1}, tutorial={"documents": 3, "repeats": 99})
    with pytest.raises(ValueError, match=r"field tutorial\.repeats: kit 1: 99 repeats"):
        build(sets.make_set(), ADEQUACY, wrong, phase="tutorial", seed=1)


@pytest.mark.parametrize("name", protocols.names())
@pytest.mark.parametrize("order", ["document", "shuffled"])
def test_every_protocol_has_kits(name, order):
    protocol = protocols.load(name)
    asked = {"documents": 3, "order": order, "repeats": 1, "controls": {"degraded": 1}}
    for kit in sets.kits(sets.make_set([4, 4, 4], human=True), protocol, kits=asked):
        assert sorted(i.control for i in kit.items if i.control) == ["degraded", "repeat"]
        for item in kit.items:
            assert len(item.translations) == {"one": 1, "two": 2, "all": 4}[protocol.systems]


WRONG = {
    "unknown system 'sx'": {"systems": ("sx",)},
    "unknown document 'dx'": {"documents": ("dx",)},
    "unknown tag 'gnre'": {"where": "gnre == 'news'"},
    "no segment of the test set is left": {"where": "genre == 'novel'"},
    "unknown reference 'C'": {"groups": {"g": "C"}},
    "compares no pairs": {"kits": {"pairs": 2}},
}


@pytest.mark.parametrize(("words", "fields"), WRONG.items(), ids=WRONG)
def test_what_the_set_or_the_protocol_cannot_give_is_refused(words, fields):
    assert words in sets.complaint(sets.make_set(), **fields)


def test_more_that_a_protocol_cannot_have():
    some = sets.make_set()
    rule = sets.complaint(some, PREFERENCE, one_system_per_segment=True)
    assert "shows several systems' translations of a segment at once" in rule
    assert "say how many with 'pairs'" in sets.complaint(some, PREFERENCE, kits={"systems": 2})
    assert "cannot be compared" in sets.complaint(some, RANKING, kits={"systems": 1})
    assert "judges whole documents" in sets.complaint(some, READING, kits={"segments": 2})
    easy = sets.complaint(some, PREFERENCE, kits={"controls": {"easy": 1}})
    assert "easy controls can only be rated" in easy
    assert "1 systems can be shown, but 2" in sets.complaint(some, PREFERENCE, systems=("s1",))


def test_filters():
    made = sets.kits(sets.make_set(), systems=("s1", "s3"), documents=("d1", "d3"), first=2)
    assert {(d, n) for d, _, n in judged(made)} == {
        (d, n) for d in ("d1", "d3") for n in ("s1", "s3")
    }
    assert sum(judged(made).values()) == 8
    odd = sets.kits(sets.make_set(), where="odd == 'yes' and genre == 'web'")
    assert {s for _, s, _ in judged(odd)} == {"1", "3", "7"}


def test_a_large_campaign_is_built_in_seconds():
    test_set = sets.make_set([10] * 200, systems=8)
    plan = TaskPlan(name="t", protocol="tapet-adequacy", wanted=2)
    start = perf_counter()
    made = build(test_set, ADEQUACY, plan, phase="evaluation", seed=1)
    assert sum(len(kit.items) for kit in made) == 16_000
    assert perf_counter() - start < 10
