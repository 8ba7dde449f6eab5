"""Preferences from tables of all four forms."""

import csv
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurat.errors import InputError
from jurat.model import File
from jurat.tables import Intake, read_table
from jurat.tables.preferences import Preferences, expand, with_rankings

OUTCOMES = """judge,item,first,second,choice
a,1,X,Y,a
a,2,X,Y,B
b,1,Y,X,tie
b,2,X,Y,good
b,3,X,Y,
"""
MAP = "system_a=first,system_b=second,outcome=choice"
RANKING = """judge,segment,output1,rank1,output2,rank2,output3,rank3
a,7,X,1,Y+Z,2,W,2
b,7,W,3,X,1,,
"""
LONG = """judge,segment,system,rank,slot
a,7,X,10,2
a,7,Y,9,1
a,7,Z,9,3
"""


def preferences(text: str, items: str | None = None, joined="keep", **options) -> Preferences:
    listed = None if items is None else read_table(File("i.csv", items.encode()))
    table = read_table(File("t.csv", text.encode()))
    return Preferences(table, Intake(**options), items=listed, joined=joined)


def told(found: Preferences, *more: str) -> list[tuple[object, ...]]:
    return found.frame.select("system_a", "system_b", "outcome", *more).rows()


def refused(text: str, **options) -> str:
    with pytest.raises(InputError) as caught:
        preferences(text, **options)
    return str(caught.value)


class TestOutcomes:
    def test_words_of_any_case(self) -> None:
        assert told(preferences(OUTCOMES, columns=MAP), "judge", "item") == [
            ("X", "Y", "a", "a", "1"),
            ("X", "Y", "b", "a", "2"),
            ("Y", "X", "tie", "b", "1"),
            ("X", "Y", "good", "b", "2"),
        ]

    def test_same_names_need_no_map(self) -> None:
        text = "system_a,system_b,outcome\nX,Y,bad\n"
        assert told(preferences(text)) == [("X", "Y", "bad")]

    def test_the_name_of_the_better_system(self) -> None:
        text = "item,rating\n1,mt\n2,tie\n3,human\n"
        columns = "system_a='mt',system_b='human',outcome=rating"
        outcomes = [row[2] for row in told(preferences(text, columns=columns))]
        assert outcomes == ["a", "tie", "b"]

    def test_systems_called_like_outcomes(self) -> None:
        """Jurat's own words come first, or its own tables could not be read back."""
        text = "system_a,system_b,outcome\nb,a,b\nb,a,a\n"
        assert [row[2] for row in told(preferences(text))] == ["b", "a"]

    def test_a_capital_that_is_a_system_and_a_side_is_refused(self) -> None:
        text = "system_a,system_b,outcome\nA,B,A\nB,A,A\n"
        assert refused(text).startswith("t.csv:3, field outcome: 'A' may be a system or a side")
        same = "system_a,system_b,outcome\nA,B,A\nA,B,B\n"
        assert [row[2] for row in told(preferences(same))] == ["a", "b"]

    @pytest.mark.parametrize("word", ["tie", "=", "Equal", "none", "No preference", " tie "])
    def test_ties(self, word: str) -> None:
        text = f"system_a,system_b,outcome\nX,Y,{word}\n"
        assert told(preferences(text)) == [("X", "Y", "tie")]

    def test_strange_outcomes_are_named(self) -> None:
        text = "system_a,system_b,outcome\nX,Y,a\nX,Y,Xx\n"
        message = refused(text)
        assert message.startswith("t.csv:3, field outcome: 'Xx' is not an outcome of a comparison")
        assert "allowed: a, b, tie, good, bad, the name of one of the two systems" in message

    def test_a_missing_system_is_named(self) -> None:
        text = "system_a,system_b,outcome\nX,,a\n"
        assert refused(text) == "t.csv:2, field system_b: one of the two systems is missing"


class TestBetter:
    def test_better_and_worse(self) -> None:
        found = preferences("segment,better,worse\n7,X,Y\n7,Z,Y\n7,X,Y\n")
        assert told(found, "item") == [
            ("X", "Y", "a", "7"),
            ("Z", "Y", "a", "7"),
            ("X", "Y", "a", "7"),
        ]

    def test_mapped(self) -> None:
        found = preferences("w,l\nX,Y\n", columns="better=w,worse=l")
        assert told(found) == [("X", "Y", "a")]
        assert "item" not in found.frame.columns

    def test_a_missing_system_is_named(self) -> None:
        assert refused("better,worse\nX,\n").startswith("t.csv:2, field system_b: one of the two")


class TestWideRankings:
    def test_every_pair_the_earlier_shown_first(self) -> None:
        assert told(preferences(RANKING), "judge", "item") == [
            ("X", "Y+Z", "a", "a", "7"),
            ("X", "W", "a", "a", "7"),
            ("Y+Z", "W", "tie", "a", "7"),
            ("W", "X", "b", "b", "7"),
        ]

    def test_joined_systems_can_be_split(self) -> None:
        found = preferences(RANKING, joined="split")
        assert ("X", "Z", "a") in told(found)
        assert found.frame.height == 2 + 1 + 2 + 1
        assert found.signature() == {"judges": "2", "pairs": "6", "joined": "split"}

    def test_ranks_are_numbers(self) -> None:
        text = "output1,rank1,output2,rank2\nX, 10 ,Y,9.0\n"
        assert told(preferences(text)) == [("X", "Y", "b")]

    def test_slots_are_in_order_of_their_numbers(self) -> None:
        heading = ",".join(f"output{n},rank{n}" for n in (10, 2, 1))
        assert told(preferences(f"{heading}\nC,3,B,2,A,1\n")) == [
            ("A", "B", "a"),
            ("A", "C", "a"),
            ("B", "C", "a"),
        ]

    def test_two_rankings_of_one_item_by_one_judge_stay_apart(self) -> None:
        text = RANKING + RANKING.splitlines()[1] + "\n"
        assert preferences(text).frame.height == 7

    def test_ranks_that_are_missing(self) -> None:
        message = refused("output1,output2,rank1\nX,Y,1\n")
        assert "rankings in wide form need a column 'rank2'" in message

    def test_ranks_that_are_words(self) -> None:
        message = refused("output1,rank1,output2,rank2\nX,first,Y,2\n")
        assert message == "t.csv:2, field rank: 'first' is not a whole number"

    def test_frames_that_were_read_from_no_file(self) -> None:
        frame = pl.DataFrame({"output1": ["X"], "rank1": [1], "output2": ["Y"], "rank2": [2]})
        assert Preferences(frame).frame.rows()[0][:3] == ("X", "Y", "a")


class TestLongRankings:
    def test_pairs_in_order_of_the_slots(self) -> None:
        found = preferences(LONG)
        assert told(found, "item") == [
            ("Y", "X", "a", "7"),
            ("Y", "Z", "tie", "7"),
            ("X", "Z", "b", "7"),
        ]

    def test_without_slots_as_they_stand(self) -> None:
        text = "judge,item,system,rank\na,i,X,1\nb,i,X,2\na,i,Y,2\nb,i,Y,1\n"
        assert told(preferences(text), "judge") == [("X", "Y", "a", "a"), ("X", "Y", "b", "b")]

    def test_repeats_are_refused_where_nothing_tells_them_apart(self) -> None:
        text = "judge,item,system,rank\na,i,X,1\na,i,Y,2\na,i,X,2\na,i,Y,1\n"
        message = refused(text)
        assert "t.csv:2, field system: 'X' is ranked twice by the same judge" in message

    def test_repeats_that_differ_in_position_are_kept(self) -> None:
        text = "item,system,rank,position\ni,X,1,1\ni,Y,2,1\ni,X,2,2\ni,Y,1,2\n"
        found = preferences(text)
        assert told(found, "position") == [("X", "Y", "a", 1), ("X", "Y", "b", 2)]

    def test_a_slot_without_a_rank_is_not_compared(self) -> None:
        text = "judge,item,system,rank\na,i,X,1\na,i,Y,\na,i,Z,2\n"
        assert told(preferences(text)) == [("X", "Z", "a")]

    def test_ranks_as_texts_are_numbers(self) -> None:
        frame = pl.DataFrame({"item": ["i", "i"], "system": ["X", "Y"], "rank": ["10", "9"]})
        assert expand(frame)["outcome"].to_list() == ["b"]

    def test_it_needs_to_know_what_was_ranked(self) -> None:
        assert "rankings need a column 'item'" in refused("system,rank\nX,1\nY,2\n")

    @settings(max_examples=25, deadline=None)
    @given(st.lists(st.integers(1, 4), min_size=0, max_size=6))
    def test_every_pair_once_and_in_agreement_with_the_ranks(self, ranks: list[int]) -> None:
        systems = [f"s{n}" for n in range(len(ranks))]
        frame = pl.DataFrame(
            {"item": ["i"] * len(ranks), "system": systems, "rank": ranks},
            schema={"item": pl.String, "system": pl.String, "rank": pl.Int64},
        )
        found = expand(frame)
        assert found.height == len(ranks) * (len(ranks) - 1) // 2
        rank = dict(zip(systems, ranks, strict=True))
        for a, b, outcome in found.select("system_a", "system_b", "outcome").iter_rows():
            expected = "a" if rank[a] < rank[b] else "b" if rank[a] > rank[b] else "tie"
            assert outcome == expected


def test_rankings_stand_among_the_preferences_too():
    rankings = read_table(File("r.csv", LONG.replace("10", "8").encode())).with_columns(
        item="segment"
    )
    compared = pl.DataFrame({"system_a": ["V"], "system_b": ["W"], "outcome": ["tie"]})
    tables = {"rankings": rankings, "preferences": compared, "judgments": pl.DataFrame()}
    found = with_rankings(tables)
    assert set(found) == set(tables)
    assert found["preferences"].select("system_a", "system_b", "outcome").rows() == [
        ("V", "W", "tie"),
        ("Y", "X", "b"),
        ("Y", "Z", "tie"),
        ("X", "Z", "a"),
    ]
    assert with_rankings({"rankings": rankings})["preferences"].height == 3
    assert with_rankings({"preferences": compared}) == {"preferences": compared}


class TestChoices:
    def test_where_items_exclude_and_by(self) -> None:
        assert preferences(RANKING, where="judge == 'a'").frame.height == 3
        assert preferences(RANKING, where="system_a == 'X'").frame.height == 2
        assert preferences(OUTCOMES, columns=MAP, items="item\n1\n").frame.height == 2
        assert preferences(OUTCOMES, columns=MAP, exclude=("a",), by=("judge",)).frame.height == 2

    def test_nothing_left(self) -> None:
        found = preferences(OUTCOMES, columns=MAP, where="item == 9")
        assert found.frame.height == 0
        assert found.signature() == {"judges": "0", "pairs": "0", "where": "item == 9"}

    def test_statuses_and_tutorials(self) -> None:
        text = (
            "system_a,system_b,outcome,status,phase\n"
            "X,Y,a,valid,\nX,Y,b,superseded,\nX,Y,b,,tutorial\n"
        )
        assert told(preferences(text)) == [("X", "Y", "a")]

    def test_seconds_come_of_the_times(self) -> None:
        text = "better,worse,shown_at,decided_at\nX,Y,10,12.5\n"
        assert told(preferences(text), "seconds") == [("X", "Y", "a", 2.5)]

    @pytest.mark.parametrize(
        "options",
        [
            {"fold": "7to5"},
            {"questions": ("a",)},
            {"sum": "a"},
            {"systems": ("a",)},
            {"standardise_where": "a"},
        ],
    )
    def test_options_without_meaning_are_refused(self, options: dict[str, object]) -> None:
        name = next(iter(options)).replace("_", "-")
        assert (
            refused(OUTCOMES, columns=MAP, **options) == f"--{name} cannot be used with preferences"
        )

    def test_tables_that_tell_no_preference(self) -> None:
        message = refused("judge,item,value\na,x,1\n")
        assert message.startswith("no columns say which of two systems is better; allowed: system")
        assert "better, worse" in message

    def test_unknown_judges_and_tags(self) -> None:
        assert "unknown judge 'c'" in refused(OUTCOMES, columns=MAP, exclude=("c",))
        assert "--by needs a column 'genre'" in refused(OUTCOMES, columns=MAP, by=("genre",))


class TestPublishedData:
    def read(self, path: Path) -> pl.DataFrame:
        return read_table(File(path.name, path.read_bytes()))

    @pytest.mark.parametrize("pair", ["tur-eng", "eng-tur", "ron-eng", "deu-eng"])
    def test_wmt16(self, shared: Path, pair: str) -> None:
        folder = shared / "wmt16_ranking"
        with (folder / "golden.csv").open(encoding="utf-8", newline="") as file:
            golden = {row["id"]: float(row["recomputed"]) for row in csv.DictReader(file)}
        found = Preferences(self.read(folder / f"wmt16.{pair}.csv")).frame
        assert found.height == golden[f"wmt16-{pair}-inter-total"]
        ties = found.filter(pl.col("outcome") == "tie").height
        assert ties == golden[f"wmt16-{pair}-inter-ties"]

    def test_wmt16_counts_as_published(self, shared: Path) -> None:
        found = Preferences(self.read(shared / "wmt16_ranking/wmt16.tur-eng.csv"))
        assert found.signature() == {"judges": "33", "pairs": "9684"}
        assert found.frame["segment"].n_unique() <= 661

    @pytest.mark.parametrize(
        ("where", "expected"),
        [
            ("type == 'document'", {"a": 44, "tie": 57, "b": 99}),
            ("type == 'sentence' and not 'U' in item", {"a": 66, "tie": 36, "b": 106}),
        ],
    )
    def test_parity(self, shared: Path, where: str, expected: dict[str, int]) -> None:
        table = self.read(shared / "preference_parity/fluency.csv")
        columns = "system_a='mt',system_b='human',outcome=rating"
        found = Preferences(table, Intake(columns=columns, where=where)).frame
        assert dict(found["outcome"].value_counts().iter_rows()) == expected

    def test_wmt14(self, shared: Path) -> None:
        found = Preferences(self.read(shared / "wmt14_hien/hi-en.preferences.csv")).frame
        assert found.height == 18603
        assert found["item"].n_unique() == 1180
        assert pl.concat([found["system_a"], found["system_b"]]).n_unique() == 9
