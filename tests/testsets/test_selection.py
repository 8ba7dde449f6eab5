"""Which part of a test set is judged, against what was worked out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from jurat.errors import InputError
from jurat.model import Document, Segment, System, TestSet, Translation
from jurat.testsets.selection import (
    ReferenceScore,
    apportion,
    as_human_system,
    choose_by_spread,
    choose_random,
    choose_stratified,
    find_segments,
    keep,
)

SIZES = {"a": 4, "b": 3, "c": 1}


def segment(number: int) -> Segment:
    return Segment(
        id=str(number),
        source=f"q{number}",
        references={"A": f"a{number}", "B": f"b{number}"},
        translations={"x": Translation(f"x{number}"), "y": Translation(f"y{number}")},
        tags={"length": "odd"} if number % 2 else {},
    )


def some() -> TestSet:
    genres = {"a": "news", "b": "web", "c": "news"}
    return TestSet(
        source_language="de",
        documents=tuple(
            Document(
                id=name,
                segments=tuple(segment(n) for n in range(1, size + 1)),
                tags={"genre": genres[name]},
            )
            for name, size in SIZES.items()
        ),
        systems=(System(name="x"), System(name="y")),
        references=("A", "B"),
    )


def keys(test_set: TestSet) -> str:
    return " ".join(f"{document.id}{segment.id}" for document, segment in test_set.segments())


ALL = "a1 a2 a3 a4 b1 b2 b3 c1"


def test_nothing_asked_keeps_all() -> None:
    assert keep(some()) == some()


def test_systems_keep_their_order_and_only_their_texts() -> None:
    kept = keep(some(), systems=["y"])
    assert [system.name for system in kept.systems] == ["y"]
    assert all(list(segment.translations) == ["y"] for _, segment in kept.segments())
    assert keep(some(), systems=["y", "x"]) == some()


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ({"documents": ["c", "a"]}, "a1 a2 a3 a4 c1"),
        ({"first": 2}, "a1 a2 b1 b2 c1"),
        ({"segments": ["b:3", "a:2", "4"]}, "a2 a4 b3"),
        ({"where": "genre == 'news'"}, "a1 a2 a3 a4 c1"),
        ({"where": "length == 'odd' and genre != 'news'"}, "b1 b3"),
        ({"where": "document in ('b', 'c') and segment <= 2"}, "b1 b2 c1"),
        ({"where": "source_language == 'de'"}, ALL),
        ({"where": "length == 'odd'", "first": 2}, "a1 b1 c1"),
    ],
)
def test_conditions(conditions: dict[str, object], expected: str) -> None:
    assert keys(keep(some(), **conditions)) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        ({"systems": ["z"]}, "unknown system 'z'; allowed: x, y"),
        ({"documents": ["d", "e"]}, "unknown document 'd'; allowed: a, b, c\nunknown document 'e'"),
        ({"segments": ["a:9"]}, "unknown segment 'a:9'; allowed: a:1, a:2"),
        ({"segments": ["1"]}, "segment 1 is in 3 documents; name it document:segment"),
        ({"first": 0}, "must be at least 1"),
        ({"where": "gener == 'news'"}, "unknown tag 'gener'.*did you mean 'genre'"),
        ({"where": "genre = 'news'"}, "use == to compare"),
        ({"documents": ["c"], "segments": ["a:1"]}, "no segment of the test set is left"),
    ],
)
def test_conditions_that_cannot_be_met(conditions: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        keep(some(), **conditions)  # type: ignore[arg-type]


def test_a_part_in_one_language_is_a_set_in_that_language() -> None:
    languages = {"a": "hi", "b": "zh", "c": "zh"}
    documents = tuple(replace(d, source_language=languages[d.id]) for d in some().documents)
    several = replace(some(), source_language="mul", documents=documents)
    assert keep(several, documents=["a", "b"]).source_language == "mul"
    part = keep(several, documents=["b", "c"])
    assert part.source_language == "zh"
    assert [document.source_language for document in part.documents] == ["", ""]


def test_of_many_names_only_the_nearest_is_suggested() -> None:
    segments = tuple(segment(n) for n in range(100, 140))
    large = TestSet(documents=(Document(id="doc", segments=segments),), systems=(), references=())
    with pytest.raises(InputError) as caught:
        find_segments(large, ["dic:100"])
    assert str(caught.value) == "unknown segment 'dic:100'; did you mean 'doc:100'?"


def test_full_names_come_before_bare_ones() -> None:
    document = Document(id="a", segments=(segment(1), Segment(id="a:1")))
    odd = TestSet(documents=(document,), systems=(), references=())
    assert find_segments(odd, ["a:1"]) == {("a", "1")}
    assert find_segments(odd, ["a:a:1"]) == {("a", "a:1")}


def test_chance_is_the_seeds_alone() -> None:
    chosen = keys(choose_random(some(), 4, seed=1))
    assert chosen == keys(choose_random(some(), 4, seed=1))
    assert len({keys(choose_random(some(), 4, seed=seed)) for seed in range(20)}) > 5


@given(st.integers(1, 8), st.integers())
def test_chance_takes_as_many_as_asked_in_document_order(n: int, seed: int) -> None:
    chosen = keys(choose_random(some(), n, seed=seed)).split()
    assert len(chosen) == n
    assert chosen == [key for key in ALL.split() if key in chosen]
    assert len(keys(choose_stratified(some(), n, "genre", seed=seed)).split()) == n


def test_every_segment_has_the_same_chance() -> None:
    counts = dict.fromkeys(ALL.split(), 0)
    for seed in range(2000):
        for key in keys(choose_random(some(), 2, seed=seed)).split():
            counts[key] += 1
    assert all(abs(count - 500) < 100 for count in counts.values())


@pytest.mark.parametrize(
    ("sizes", "n", "expected"),
    [
        # quotas 3.2, 1.5, 0.3: by remainders 3, 2, 0; the second gives up what is above its share
        ([64, 30, 6], 5, [3, 1, 1]),
        # quotas 4.4, 4.3, 1.3: the one seat that is left goes to .4
        ([44, 43, 13], 10, [5, 4, 1]),
        ([1, 1, 1], 2, [1, 1, 0]),
        ([98, 1, 1], 3, [1, 1, 1]),
        ([5, 5], 4, [2, 2]),
        ([7], 7, [7]),
    ],
)
def test_seats_by_largest_remainders(sizes: list[int], n: int, expected: list[int]) -> None:
    assert apportion(sizes, n) == expected


@given(st.lists(st.integers(1, 50), min_size=1, max_size=8), st.data())
def test_seats_always_fit(sizes: list[int], data: st.DataObject) -> None:
    n = data.draw(st.integers(1, sum(sizes)))
    seats = apportion(sizes, n)
    assert sum(seats) == n
    assert all(0 <= seat <= size for seat, size in zip(seats, sizes, strict=True))
    assert n < len(sizes) or min(seats) >= 1


def test_strata_are_in_proportion() -> None:
    # of 8 segments 5 are news and 3 web: n = 4 gives 2.5 and 1.5, and the tie goes to the first
    chosen = choose_stratified(some(), 4, "genre", seed=3)
    genres = [document.tags["genre"] for document, _ in chosen.segments()]
    assert sorted(genres) == ["news", "news", "news", "web"]


def test_chance_rules_within_strata() -> None:
    chosen = {keys(choose_stratified(some(), 4, "genre", seed=seed)) for seed in range(20)}
    assert len(chosen) > 5


def test_segments_without_the_tag_are_a_stratum() -> None:
    # five odd, three without: n = 3 gives 1.875 and 1.125
    chosen = choose_stratified(some(), 3, "length", seed=1)
    tags = [segment.tags.get("length", "none") for _, segment in chosen.segments()]
    assert sorted(tags) == ["none", "odd", "odd"]


@pytest.mark.parametrize("n", [0, -1, 9])
def test_numbers_that_cannot_be_chosen(n: int) -> None:
    with pytest.raises(InputError, match=f"cannot choose {n} of 8 segments"):
        choose_random(some(), n, seed=1)
    with pytest.raises(InputError, match=f"cannot choose {n} of 8 segments"):
        choose_stratified(some(), n, "genre", seed=1)


def test_a_tag_that_nothing_has() -> None:
    with pytest.raises(InputError, match=r"unknown tag 'gnre'.*did you mean 'genre'"):
        choose_stratified(some(), 2, "gnre", seed=1)


def scores(values: dict[str, list[float]]) -> list[ReferenceScore]:
    """Scores against references A, B, …; keys are `document segment system`."""
    return [
        ReferenceScore(
            document=key[0], segment=key[1], system=key[2], reference=reference, value=value
        )
        for key, row in values.items()
        for reference, value in zip("ABCDEFGH", row, strict=False)
    ]


def test_spread_takes_the_most_variable_output_of_each_segment() -> None:
    given_scores = scores(
        {
            "a1x": [0.1, 0.3],  # sd 0.1414
            "a1y": [0.0, 1.0],  # sd 0.7071, the one for which a1 stands
            "a2x": [0.5, 0.5],  # sd 0
            "b1x": [0.2, 0.8],  # sd 0.4243
            "b1y": [0.2, 0.7],  # sd 0.3536
            "c1x": [0.9],  # one reference only
        }
    )
    chosen = choose_by_spread(some(), 2, given_scores)
    assert keys(chosen) == "a1 b1"
    first, second = (segment for _, segment in chosen.segments())
    assert first.translations["y"].tags == {"spread": "0.707107"}
    assert first.translations["x"].tags == {}
    assert second.translations["x"].tags == {"spread": "0.424264"}
    assert keys(choose_by_spread(some(), 3, given_scores)) == "a1 a2 b1"
    with pytest.raises(InputError, match="cannot choose 4 of 3 segments with scores against"):
        choose_by_spread(some(), 4, given_scores)


@given(
    st.lists(
        st.lists(st.floats(-1e3, 1e3), min_size=3, max_size=3, unique=True), min_size=8, max_size=8
    ),
    st.integers(1, 8),
)
def test_spread_agrees_with_numpy(values: list[list[float]], n: int) -> None:
    names = ALL.split()
    rows = scores({f"{name}x": row for name, row in zip(names, values, strict=True)})
    spread = np.std(np.array(values), axis=1, ddof=1)
    chosen = {f"{d.id}{s.id}" for d, s in choose_by_spread(some(), n, rows).segments()}
    inside = [sd for name, sd in zip(names, spread, strict=True) if name in chosen]
    outside = [sd for name, sd in zip(names, spread, strict=True) if name not in chosen]
    assert len(chosen) == n
    assert not outside or min(inside) >= max(outside) * (1 - 1e-12)


def test_ties_go_by_document_order() -> None:
    rows = scores({f"{name}x": [0.0, 1.0] for name in reversed(ALL.split())})
    assert keys(choose_by_spread(some(), 3, rows)) == "a1 a2 a3"


def test_missing_scores_are_missing() -> None:
    rows = scores({"a1x": [0.0, float("nan"), 0.0], "b1x": [0.0, 0.1]})
    assert keys(choose_by_spread(some(), 1, rows)) == "b1"


def score(**more: object) -> ReferenceScore:
    values = {"document": "a", "segment": "1", "system": "x", "reference": "A", "value": 1.0}
    return ReferenceScore(**{**values, **more})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([score(system="z")] * 3, "unknown system 'z'; allowed: x, y"),
        (
            [score(segment="9")],
            "document a, segment 9: there is a score of a segment that is not",
        ),
        ([score(document=None)], "segment 1: a score names no document, and 3 have this segment"),
        ([score(), score()], "document a, segment 1: system x has two scores against reference A"),
    ],
)
def test_scores_that_do_not_fit(rows: list[ReferenceScore], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        choose_by_spread(some(), 1, rows)
    assert len(caught.value.problems) == 1


def test_a_score_needs_no_document_where_the_segment_is_the_only_one() -> None:
    rows = [score(document=None, segment="4", reference=name) for name in ("A", "B")]
    assert keys(choose_by_spread(some(), 1, rows)) == "a4"


def test_a_reference_becomes_a_human_system() -> None:
    test_set = as_human_system(some(), "B")
    human = test_set.systems[-1]
    assert human == System(name="human-B", kind="human", reference="B")
    _, first = next(test_set.segments())
    assert first.translations["human-B"].text == "b1"
    assert test_set.references_for(first, human) == {"A": "a1"}
    assert test_set.references == ("A", "B")
    assert as_human_system(some(), "B", "person").systems[-1].name == "person"


@pytest.mark.parametrize(("reference", "name"), [("C", None), ("A", "x"), ("A", "B")])
def test_human_systems_that_cannot_be(reference: str, name: str | None) -> None:
    with pytest.raises(InputError, match=r"unknown reference 'C'|is taken"):
        as_human_system(some(), reference, name)
