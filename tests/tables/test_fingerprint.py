"""Fingerprints of tables: the same rows, the same number, on every machine and in every order."""

import polars as pl
import pytest

from jurat.model import File
from jurat.tables import Judgments, read_table, write_table
from jurat.tables.fingerprint import TableHashes, table_fingerprint

RATINGS = pl.DataFrame(
    {
        "judge": ["ada", "bob", "ada", "bob"],
        "item": ["1", "1", "2", "2"],
        "value": [1.0, 2.5, None, -0.0],
        "genre": ["news", None, "talk", "ひらがな"],
    }
)


def test_it_is_the_same_in_every_version() -> None:
    # A new number here makes every signature that was ever printed useless: do not change it.
    assert table_fingerprint(RATINGS) == "a37b596dca019373"


@pytest.mark.parametrize("seed", range(3))
def test_order_does_not_matter(seed: int) -> None:
    shuffled = RATINGS.sample(fraction=1, shuffle=True, seed=seed).select(reversed(RATINGS.columns))
    assert table_fingerprint(shuffled) == table_fingerprint(RATINGS)


@pytest.mark.parametrize(
    "changed",
    [
        RATINGS.with_columns(value=pl.col("value").reverse()),
        RATINGS.with_columns(judge=pl.col("item"), item=pl.col("judge")),
        RATINGS.with_columns(genre=pl.col("genre").fill_null("")),
        RATINGS.with_columns(value=pl.col("value").fill_null(0.0)),
        RATINGS.rename({"genre": "type"}),
        RATINGS.head(3),
        pl.concat([RATINGS, RATINGS]),
        RATINGS.clear(),
    ],
    ids=["shuffled", "swapped", "empty", "zero", "renamed", "shorter", "twice", "nothing"],
)
def test_other_data_has_another(changed: pl.DataFrame) -> None:
    assert table_fingerprint(changed) != table_fingerprint(RATINGS)


def test_zero_has_no_sign() -> None:
    positive = RATINGS.with_columns(pl.col("value").abs())
    assert table_fingerprint(positive) == table_fingerprint(RATINGS)


def test_every_format_gives_the_same() -> None:
    timed = RATINGS.with_columns(
        position=pl.int_range(1, 5), decided_at=pl.lit("2024-01-01T10:00Z")
    )
    found = {
        Judgments(read_table(File(f"t.{ending}", write_table(timed, ending)))).hashes.fingerprint
        for ending in ("csv", "tsv", "jsonl", "parquet")
    }
    assert len(found) == 1


def test_order_counts_where_it_tells_the_first_answer() -> None:
    again = pl.DataFrame({"judge": ["a", "a"], "item": ["1", "1"], "value": [1.0, 2.0]})
    timed = again.with_columns(position=pl.Series([1, 2]))
    assert TableHashes(again).fingerprint != TableHashes(again.reverse()).fingerprint
    assert TableHashes(timed).fingerprint == TableHashes(timed.reverse()).fingerprint


def test_the_order_itself() -> None:
    hashes, turned = TableHashes(RATINGS), TableHashes(RATINGS.reverse())
    assert hashes.fingerprint == turned.fingerprint
    assert hashes.order != turned.order


def test_no_two_of_many_rows_are_alike() -> None:
    many = pl.DataFrame({"item": [f"{n}" for n in range(100_000)], "value": [1.0] * 100_000})
    assert len(set(TableHashes(many).rows.tolist())) == 100_000


def test_a_text_is_hashed_alone() -> None:
    texts = ["", "a", "abcdefgh", "abcdefghi", "abcdefgh" * 3, "ひらがな", "a"]
    rows = TableHashes(pl.DataFrame({"item": texts})).rows.tolist()
    alone = [TableHashes(pl.DataFrame({"item": [text]})).rows.tolist() for text in texts]
    assert [[row] for row in rows] == alone
    assert len(set(rows)) == len(set(texts))
