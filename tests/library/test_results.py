"""`Results`: numbers by name, as frames, files and in notebooks."""

import json
import pickle
import subprocess
import sys
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import jurat
from jurat import InputError
from jurat.library.results import Results
from jurat.result_files import ENDINGS
from jurat.results import Estimate, Figure, Result
from tests.library.test_data import COLUMNS, FRAME

DATA = jurat.read(FRAME, columns=COLUMNS)
RESULTS = jurat.agreement(DATA, bootstrap=0)


def test_a_number_by_its_name() -> None:
    kappa = jurat.agreement(DATA, statistics="fleiss-kappa")
    assert kappa.names == ("fleiss-kappa",)
    value, (low, high) = kappa.value, kappa.interval or (None, None)
    assert None not in (value, low, high)
    assert low < value < high  # type: ignore[operator]
    assert kappa.n == 12
    assert kappa.signature.startswith("fleiss-kappa|judges:3|items:12")
    assert "Po" in kappa.method


def test_two_results_of_one_name_are_both_there() -> None:
    both = RESULTS["cohen-kappa"]
    assert len(both) == 2
    assert both.at(pairs="all", weights="none").value is not None
    pair = both.at(judge_a="r0", judge_b="r1", weights="linear")
    assert pair.value is not None
    assert both.frame().height == 4 + 3 * 4


def test_several_numbers_have_no_single_value() -> None:
    with pytest.raises(
        InputError, match=r"has 4 values, by scale; choose one with results.at\(scale='nominal'\)"
    ):
        _ = RESULTS["krippendorff-alpha"].value
    with pytest.raises(InputError, match=r'choose one by its name, such as results\["n-agreement"'):
        _ = RESULTS.value
    with pytest.raises(
        InputError, match=r"2 results are called 'cohen-kappa'.*at\(…\), by question"
    ):
        _ = RESULTS["cohen-kappa"].value


def test_keys_are_found_in_all_results() -> None:
    assert RESULTS.at(scale="interval").names == ("krippendorff-alpha",)
    with pytest.raises(InputError, match=r"unknown scale 'intervall'.*did you mean 'interval'"):
        RESULTS["krippendorff-alpha"].at(scale="intervall")
    with pytest.raises(InputError, match=r"unknown key 'scales'.*did you mean 'scale'"):
        RESULTS.at(scales="interval")


def test_a_headline_of_all_numbers_does_not_stand_above_some() -> None:
    kappa = jurat.agreement(DATA, by="mt", statistics="fleiss-kappa", bootstrap=0)
    assert kappa.headlines
    assert not kappa.at(mt="A").headlines
    assert kappa.at(question="score").headlines == kappa.headlines


def test_a_figure_has_the_numbers_that_are_left() -> None:
    alpha = RESULTS["krippendorff-alpha"].at(scale="interval")
    values = alpha.figure()["data"]["values"]  # type: ignore[index]
    assert {row["scale"] for row in values} == {"interval"}


def test_a_figure_has_the_mean_alone_where_no_judge_is_asked_for() -> None:
    names = ("Ada", "Ben", None)
    means = tuple(Estimate(value=1.0, n=1, by={"judge": j} if j else {}) for j in names)
    drawn: Figure = {"data": {"values": [{"judge": name or "mean"} for name in names]}}
    found = Results(
        [Result(name="mean", estimates=means, method="", signature="", draw=lambda: drawn)]
    )
    values = found.at(judge=None).figure()["data"]["values"]  # type: ignore[index]
    assert values == [{"judge": "mean"}]


def test_it_is_a_sequence_with_names() -> None:
    assert "fleiss-kappa" in RESULTS
    assert "fleiss" not in RESULTS
    assert [one.name for one in RESULTS[:2]] == [RESULTS[0].name, RESULTS[1].name]
    assert len([*RESULTS]) == len(RESULTS) > len(RESULTS.names)
    with pytest.raises(KeyError, match="did you mean 'fleiss-kappa'"):
        RESULTS["fleis-kappa"]
    with pytest.raises(InputError, match="unknown result 'fleis-kappa'"):
        RESULTS["fleis-kappa"]


def test_frames_have_a_row_for_every_number() -> None:
    frame = RESULTS.frame()
    assert isinstance(frame, pl.DataFrame)
    assert frame.height == sum(len(one.estimates) for one in RESULTS)
    assert frame.columns[0] == "name"
    other = RESULTS["fleiss-kappa"].to_pandas()
    assert isinstance(other, pd.DataFrame)
    assert list(other.columns) == ["name", "question", "value", "n", "reason"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_saved_files_are_replaced(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"kappa.{ending}"
    path.write_bytes(b"old")
    RESULTS["krippendorff-alpha"].save(path)
    assert len(path.read_bytes()) > 100


def test_forms_are_those_of_the_command() -> None:
    kappa = RESULTS["fleiss-kappa"]
    assert json.loads(kappa.to_json())["results"][0]["value"] == kappa.value
    assert kappa.to_csv().startswith("name,by.question,value,n")
    assert r"\begin{tabular}" in kappa.to_latex()
    assert kappa.to_markdown().startswith("## fleiss-kappa")


def test_a_notebook_shows_table_and_chart() -> None:
    alpha = RESULTS["krippendorff-alpha"]
    bundle = alpha._repr_mimebundle_()
    assert "<table>" in str(bundle["text/html"])
    assert bundle["application/vnd.vegalite.v5+json"]["title"] == "krippendorff-alpha"  # type: ignore[index]
    assert str(bundle["image/svg+xml"]).startswith("<svg")
    html = RESULTS._repr_html_()
    # the first is open, the others are opened by a click
    assert html.index("<table>") < html.index("<details>")
    assert html.count("<details>") > 10


def test_notebooks_get_both_as_two_outputs(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[object] = []
    monkeypatch.setattr("IPython.display.display", lambda what, **_: shown.append(what))
    RESULTS["krippendorff-alpha"]._ipython_display_()
    table, chart = shown
    assert "text/html" in table  # type: ignore[operator]
    assert chart == RESULTS["krippendorff-alpha"].figure()


def test_a_figure_is_plain_vega_lite(tmp_path: Path) -> None:
    chart = RESULTS["krippendorff-alpha"].figure()
    assert json.loads(json.dumps(chart))["$schema"].endswith("v5.json")
    chart.save(tmp_path / "alpha.svg")
    assert "krippendorff-alpha" in (tmp_path / "alpha.svg").read_text()


def test_what_was_guessed_is_shown() -> None:
    guessed = jurat.read([{"rater": r, "seg_id": n, "score": n} for n in range(3) for r in "ab"])
    note = "note: columns are guessed from their names: --columns judge=rater,segment=seg_id"
    for shown in (guessed, *(jurat.agreement(guessed, bootstrap=0)[:n] for n in (1, 9))):
        assert note in repr(shown)


def test_results_are_pickled_with_their_figures() -> None:
    for results in (RESULTS, RESULTS["krippendorff-alpha"].at(scale="nominal")):
        again = pickle.loads(pickle.dumps(results))
        assert again.to_json() == results.to_json()
        assert [one.figure() for one in again] == [one.figure() for one in results]


def test_as_text_it_fits_a_screen() -> None:
    told = repr(RESULTS)
    missing = {result.reason: result.name for result in RESULTS if result.reason}
    there = sum(not result.reason for result in RESULTS)
    assert len(told.splitlines()) == there + len(missing) + 2
    for reason, name in missing.items():
        assert any(
            line.startswith("Left out: ") and name in line and line.endswith(f"({reason})")
            for line in told.splitlines()
        )
    assert "cohen-kappa" in told
    assert repr(RESULTS["fleiss-kappa"]).startswith("Agreement beyond chance")
    assert repr(Results([])) == "Results: none"


def test_importing_jurat_imports_nothing_heavy() -> None:
    heavy = ("polars", "numpy", "scipy", "click", "numba", "sqlalchemy", "pandas", "msgspec")
    code = f"import sys, jurat; print([n for n in {heavy} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_agreement_imports_only_what_analyses_need() -> None:
    heavy = ["numba", "sqlalchemy", "starlette", "pandas", "vl_convert", "rich", "IPython", "click"]
    heavy += ["scipy", "numpy.random"]
    code = (
        "import sys, jurat\n"
        "rows = [{'judge': j, 'item': i, 'value': i} for j in 'ab' for i in '12']\n"
        f"jurat.agreement(rows); print([n for n in {heavy} if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_is_there_and_documented() -> None:
    assert {*jurat.__all__} <= {*dir(jurat)}
    for name in jurat.__all__:
        assert getattr(jurat, name).__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'agreemnt'"):
        _ = jurat.agreemnt
