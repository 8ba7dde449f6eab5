"""`jurat.read`: the same judgments from every kind of table, and clear words about bad ones."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import jurat
from jurat import InputError
from jurat.store import Store
from tests.campaigns.sample_campaigns import NAME, Setting

ROWS = [
    {"rater": f"r{judge}", "doc": "d", "seg": seg, "mt": mt, "score": (judge + seg + ord(mt)) % 4}
    for judge in range(3)
    for seg in range(6)
    for mt in "AB"
]
COLUMNS = {"judge": "rater", "item": ["doc", "seg", "mt"], "system": "mt", "value": "score"}
FRAME = pl.DataFrame(ROWS)
# A row whose types pandas stores otherwise: missing numbers, categories, nullable integers.
KINDS: dict[str, Any] = {
    "polars": FRAME,
    "lazy polars": FRAME.lazy(),
    "categories of polars": FRAME.with_columns(pl.col("mt").cast(pl.Categorical)),
    "pandas": pd.DataFrame(ROWS),
    "pandas with an index": pd.DataFrame(ROWS).set_index(["rater", "doc"]),
    "pandas with categories": pd.DataFrame(ROWS).astype({"mt": "category", "doc": "string"}),
    "pandas' nullable numbers": pd.DataFrame(ROWS).astype({"score": "Int64", "seg": "Float64"}),
    "Arrow": pa.Table.from_pylist(ROWS),
    "a batch of Arrow": pa.RecordBatch.from_pylist(ROWS),
    "dicts": ROWS,
    "columns": {name: [row[name] for row in ROWS] for name in ROWS[0]},
    "arrays": {name: np.array([row[name] for row in ROWS]) for name in ROWS[0]},
    "series": {name: FRAME[name] for name in FRAME.columns},
    "numbers as texts": [{**row, "score": str(row["score"])} for row in ROWS],
    "numbers and texts": [{**row, "seg": row["seg"] if n % 2 else f"{row['seg']}"}
                          for n, row in enumerate(ROWS)],
    "columns that nothing uses": FRAME.with_columns(pl.lit([1, 2]).first().alias("list")),
}  # fmt: skip


def alpha(data: Any, **options: Any) -> float | None:
    results = jurat.agreement(data, statistics="krippendorff-alpha", bootstrap=0, **options)
    return results.at(scale="interval").value


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for path, part in zip(paths, (FRAME[:12], FRAME[12:]), strict=True):
        part.write_csv(path)
    return paths


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_table_gives_the_same(kind: str) -> None:
    data = jurat.read(KINDS[kind], columns=COLUMNS)
    assert repr(data) == "Data: 36 judgments of 12 items by 3 judges (score)"
    assert alpha(data) == alpha(FRAME, columns=COLUMNS)


def test_files_one_or_several(files: list[Path]) -> None:
    assert alpha(files, columns=COLUMNS) == alpha(FRAME, columns=COLUMNS)
    assert alpha(str(files[0]), columns=COLUMNS) == alpha(FRAME[:12], columns=COLUMNS)


def test_missing_answers_are_missing() -> None:
    frame = pd.DataFrame(ROWS)
    frame.loc[[0, 5], "score"] = np.nan
    data = jurat.read(frame, columns=COLUMNS)
    assert repr(data).startswith("Data: 34 judgments")
    assert data.notes == ("2 of 36 rows have no answer and are left out",) or data.notes


def test_times_of_pandas_are_times() -> None:
    shown = pd.to_datetime(pd.Series(range(36)), unit="m", origin="2026-01-01", utc=True)
    frame = pd.DataFrame(ROWS).assign(shown_at=shown, decided_at=shown + pd.Timedelta(seconds=30))
    results = jurat.time(frame, columns=COLUMNS, statistics="seconds-mean", bootstrap=0)
    assert results.value == 30


def test_options_are_as_on_the_command_line() -> None:
    words = jurat.read(
        FRAME,
        columns="judge=rater,item=doc+seg+mt,value=score",
        where="mt == 'A'",
        exclude="r2",
        fold="0=1,1=1,2=2,3=2",
    )
    python = jurat.read(
        FRAME,
        columns={"judge": "rater", "item": "doc+seg+mt", "value": "score"},
        where="mt == 'A'",
        exclude=["r2"],
        fold={0: 1, 1: 1, 2: 2, 3: 2},
    )
    assert words.frame().equals(python.frame())
    assert set(words.frame()["value"]) == {1, 2}
    assert words.frame().height == 12


def test_columns_of_pandas_may_be_numbers() -> None:
    frame = pd.DataFrame([["a", 1, 1, 3], ["b", 1, 1, 4]])
    data = jurat.read(frame, columns={"judge": 0, "item": [1, 2], "value": 3})
    assert data.frame().select("judge", "item", "value").rows() == [
        ("a", "1|1", 3),
        ("b", "1|1", 4),
    ]


def test_a_column_with_signs_in_its_name_is_one_column() -> None:
    frame = FRAME.rename({"score": "score, 0+3"})
    data = jurat.read(frame, columns={**COLUMNS, "value": "score, 0+3"})
    assert alpha(data) == alpha(FRAME, columns=COLUMNS)


def test_data_are_read_again_with_other_options() -> None:
    data = jurat.read(FRAME, columns=COLUMNS)
    by_system = jurat.agreement(data, by="mt", statistics="fleiss-kappa", bootstrap=0)
    assert {e.tags["mt"] for e in by_system[0].estimates} == {"A", "B"}
    assert alpha(data, where="mt == 'A'") == alpha(FRAME.filter(mt="A"), columns=COLUMNS)
    assert alpha(data) == alpha(FRAME, columns=COLUMNS)


def test_items_are_a_table_or_a_list() -> None:
    listed = [{"seg": 1}, {"seg": 2}]
    assert jurat.read(FRAME, columns=COLUMNS, items=listed).frame()["item"].n_unique() == 4
    named = {**COLUMNS, "item": "seg"}
    assert jurat.read(FRAME, columns=named, items=[1, 2]).frame()["segment"].n_unique() == 2


def test_the_frame_is_that_of_polars_or_pandas() -> None:
    data = jurat.read(FRAME, columns=COLUMNS)
    assert isinstance(data.frame(), pl.DataFrame)
    assert isinstance(data.frame("pandas"), pd.DataFrame)
    assert not [name for name in data.frame().columns if name.startswith("\0")]
    with pytest.raises(InputError, match=r"unknown kind of frame 'panda'.*did you mean 'pandas'"):
        data.frame("panda")


def test_a_campaign_of_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "jurat.db"
    with Store.open(str(path), create=True) as store:
        setting = Setting(store)
        judge, *_ = setting.launch()
        with pytest.raises(InputError, match="the campaign has no judgments yet"):
            jurat.read(path, campaign=NAME)
        setting.decide(judge, setting.next(judge))
        with (tmp_path / "sample.zip").open("wb") as file:
            setting.service.campaigns.archive(NAME, file)
        (tmp_path / "none.zip").write_bytes((tmp_path / "sample.zip").read_bytes()[:-99])
    data = jurat.read(path, campaign=NAME)
    assert jurat.read(tmp_path / "sample.zip").frame().equals(data.frame())
    with pytest.raises(InputError, match=r"none\.zip: the compressed file cannot be opened"):
        jurat.read(tmp_path / "none.zip")
    assert repr(data).startswith("Data: 1 judgment of 1 item by 1 judge")
    monkeypatch.setenv("JURAT_STORE", str(path))
    assert jurat.read(campaign=NAME).frame().equals(data.frame())
    with pytest.raises(InputError, match="give the store as data or as store="):
        jurat.read(path, campaign=NAME, store=str(path))


BAD: dict[str, tuple[Any, dict[str, Any], str]] = {
    "a server": ("https://example.org", {"campaign": "a"}, r"read with jurat.connect\(URL, TOKEN"),
    "nothing": (None, {}, "give data or campaign="),
    "a number": (7, {}, "this is no table, but of type int; give a path"),
    "no rows": ([], {}, "the table has no rows"),
    "a column": (pl.Series([1.0, 2.0]), {}, "this is no table, but of type Series"),
    "a list of numbers": ([1, 2], {}, "this is no table, but of type list"),
    "no such file": ("missing.csv", {}, "missing.csv: there is no such file"),
    "a store without a campaign": ("postgresql://host/db", {}, "a store needs campaign="),
    "no judgments": (FRAME.drop("score"), {}, "no column holds the judgments"),
    "an unknown column": (
        FRAME,
        {"columns": {**COLUMNS, "value": "scor"}},
        "unknown column in the file 'scor'.*did you mean 'score'",
    ),
    "an unknown name": (FRAME, {"columns": {"rating": "score"}}, "unknown column name before ="),
    "an unknown judge": (
        FRAME,
        {"columns": COLUMNS, "exclude": ["r9"]},
        "unknown judge 'r9'; allowed: r0, r1, r2",
    ),
    "a wrong value": (
        [*ROWS, {**ROWS[0], "score": "good"}],
        {"columns": COLUMNS},
        "table:37, field value: 'good'",
    ),
    "a wrong type": (FRAME, {"where": 3}, "where must be a text, and is 3"),
    "one value": ({"judge": "a"}, {}, "'judge' holds one value, not a column"),
    "lengths": ({"a": [1], "b": [1, 2]}, {}, "different lengths: a 1, b 2"),
    "levels": (
        pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")])),
        {},
        "several levels",
    ),
    "numbers as names": (
        pd.DataFrame([["a", 1, 2]]),
        {},
        "'0' stands where a column's name should be.*or say with --columns what they hold",
    ),
    "a list of columns": (FRAME, {"columns": ["judge"]}, "columns must be a dict such as"),
    "objects": (
        pd.DataFrame({"judge": ["a"], "item": [1], "value": [1 + 1j]}),
        {},
        "no column holds the judgments",
    ),
    "a name twice": (pd.DataFrame([[1, 2]], columns=["a", "a"]), {}, "several columns 'a'"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_gets_a_clear_word(case: str) -> None:
    data, options, words = BAD[case]
    with pytest.raises(InputError, match=words):
        jurat.read(data, **options)


def test_an_unknown_option_is_told_what_was_meant() -> None:
    with pytest.raises(TypeError, match=r"read\(\) has no option 'colums'; did you mean 'columns'"):
        jurat.read(FRAME, colums=COLUMNS)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"agreement.. has no option 'zzz'; allowed: data, spans"):
        jurat.agreement(FRAME, zzz=1)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"bootstrap": -1}, "bootstrap must be at least 0, and is -1"),
        ({"bootstrap": 1.5}, "bootstrap must be a whole number, and is 1.5"),
        ({"confidence": 95}, "confidence must be above 0 and below 1, and is 95"),
        ({"unit": "sentence"}, "unknown unit 'sentence'; allowed: document, segment"),
        ({"draw": "judge"}, "unknown draw 'judge'.*did you mean 'judges'"),
        ({"statistics": "fleis-kappa"}, "unknown statistic 'fleis-kappa'; did you mean"),
        ({"statistics": "judge-mean"}, "'judge-mean' is a statistic of diagnose, not of agreement"),
        ({"statistics": "zzz"}, r"jurat.statistics\(…\) names them all"),
        ({"method": "best"}, "unknown method 'best'"),
    ],
)
def test_a_wrong_value_of_an_option(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        jurat.agreement(FRAME, columns=COLUMNS, **options)


def test_statistics_are_listed_with_their_questions() -> None:
    listed = jurat.statistics("agreement")
    assert listed["fleiss-kappa"].endswith("?")
    with pytest.raises(InputError, match=r"unknown analysis 'agreemnt'.*did you mean 'agreement'"):
        jurat.statistics("agreemnt")


def test_sums_of_errors_are_not_taken_for_merits_unsaid() -> None:
    pairs = [(n, mt) for n in range(4) for mt in "AB"]
    rows, negated = (
        [{"judge": "a", "segment": n, "system": mt, "weight": sign * (n % 2)} for n, mt in pairs]
        for sign in (1, -1)
    )
    asked: Any = {"sum": "weight", "statistics": "system-score", "bootstrap": 0}
    assert "the higher the sum of weight, the better" in jurat.systems(rows, **asked).notes[0]
    assert not jurat.systems(rows, lower_better=True, **asked).notes
    assert not jurat.systems(negated, **asked).notes
