"""`jurat testset` and `jurat convert`, through the same door as people."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from jurat.cli import main
from jurat.metrics.ter import Ter
from jurat.model import TestSet
from jurat.testsets import SetFile, read_test_set
from tests import ROOT

SAMPLE = str(ROOT / "src" / "jurat" / "sample" / "testset.jsonl")


class Said(NamedTuple):
    """What a command left behind."""

    status: object
    out: str
    err: str


Run = Callable[..., Said]
BY_TER = ("--spread", "2", "--spread-metric", "ter")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: str) -> Said:
        with pytest.raises(SystemExit) as end:
            main(arguments)
        return Said(end.value.code, *capsys.readouterr())

    return run


def written(name: str, *names: str) -> TestSet:
    return read_test_set([SetFile(each, Path(each).read_bytes()) for each in (name, *names)])


def write(name: str, *lines: str) -> str:
    Path(name).write_text("".join(f"{line}\n" for line in lines))
    return name


def test_check_says_what_is_in_a_good_set(run: Run) -> None:
    assert run("testset", "check", SAMPLE) == (
        0,
        "good: 12 documents, 54 segments, 4 systems, 2 references\n"
        "name: jurat-sample\n"
        "languages: mul (ar, es, hi, zh) to en\n"
        "systems: cedar, birch, willow, bramble\n"
        "references: A, B\n"
        "tags: construct, domain, genre, input\n",
        "",
    )


def test_check_lists_every_fault(run: Run) -> None:
    file = write("a.tsv", "segment\tsource\tsystem:x", "1\tq\t", "2\t\ts", "2\tq\ts")
    said = run("testset", "check", file)
    assert said.status == 1
    assert said.out == ""
    assert said.err.splitlines() == [
        "a.tsv:4, document 1, segment 2: this segment occurs twice in the source, first at a.tsv:3",
        "a.tsv:4, document 1, segment 2: this segment occurs twice in system x, first at a.tsv:3",
        "a.tsv:3, document 1, segment 2: the source is empty",
        "3 problems to fix",
    ]


def test_check_warns_of_empty_translations(run: Run) -> None:
    file = write("a.tsv", "segment\tsource\tsystem:x", "1\tq\t", "2\tr\ts")
    said = run("testset", "check", file)
    assert said.status == 0
    assert said.err == "warning: 1 empty translation by system x, judged as “(empty)”: 1:1\n"


def test_check_for_programs(run: Run) -> None:
    good = json.loads(run("testset", "check", "--json", SAMPLE).out)
    assert (good["faults"], good["segments"], good["references"]) == ([], 54, ["A", "B"])
    said = run("testset", "check", "--json", write("a.tsv", "segment\tsource\tsystem:x", "1\tq\t"))
    (problem,) = json.loads(said.out)["faults"]
    assert said.status == 1
    assert (problem["file"], problem["line"], problem["segment"]) == ("a.tsv", 2, "1")


def test_text_files_get_their_roles_by_options(run: Run) -> None:
    write("src", "eins", "zwei")
    write("a.ref", "one", "two")
    write("x.out", "won", "too")
    write("docs", "d\t7", "e\t8")
    options = ["--source", "src", "--reference", "A=a.ref", "--system", "x.out"]
    said = run("testset", "show", *options, "--documents-file", "docs", "--json")
    test_set = json.loads(said.out)
    assert [document["id"] for document in test_set["documents"]] == ["d", "e"]
    assert test_set["documents"][0]["segments"][0] == {
        "id": "7",
        "source": "eins",
        "references": {"A": "one"},
        "translations": {"x": {"text": "won", "tags": {}}},
        "tags": {},
        "concepts": [],
    }


def test_columns_get_their_roles_by_options(run: Run) -> None:
    file = write("a.tsv", "n\tf\tq\thuman\tmt\tz", "1\td\ta\tb\tc\t0.5")
    options = [
        *("--segment-column", "n", "--document-column", "f", "--source", "q"),
        *("--reference", "A=human", "--system", "mt", "--ignore", "z"),
    ]
    said = run("testset", "check", file, *options)
    assert said.status == 0
    assert said.out.splitlines()[2:] == ["systems: mt", "references: A"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show"], "Give at least one file."),
        (["show", "no.tsv"], "no.tsv: there is no such file"),
        (["show", "--source", "no.txt"], "no.txt: there is no such file"),
        (["show", SAMPLE, "--system", "mt"], "is jsonl and has no columns; roles were given to mt"),
        (["show", SAMPLE, "--format", "jsnl"], "did you mean 'jsonl'?"),
        (["show", SAMPLE, "--document", "markt"], "did you mean 'market'?"),
        (["select", SAMPLE, "--systems", "ceder", "--out", "a.tsv"], "did you mean 'cedar'?"),
        (
            ["select", SAMPLE, "--random", "2", "--spread", "2", "--out", "a.tsv"],
            "cannot be used together",
        ),
        (["select", SAMPLE, "--stratified", "2", "--out", "a.tsv"], "--stratified needs --tag."),
        (
            ["select", SAMPLE, "--spread", "2", "--out", "a.tsv"],
            "needs --spread-metric or --scores.",
        ),
        (["select", SAMPLE, "--spread-metric", "ter", "--out", "a.tsv"], "needs --spread."),
        (
            ["select", SAMPLE, "--spread", "2", "--spread-metric", "tre", "--out", "a.tsv"],
            "did you mean 'ter'?",
        ),
        (
            ["select", SAMPLE, "--spread", "2", "--spread-metric", "ter,wer", "--out", "a.tsv"],
            "--spread-metric takes one metric.",
        ),
        (
            ["select", SAMPLE, *BY_TER, "--metric", "ter", "--out", "a.tsv"],
            "--spread-metric cannot be used with --scores or --metric.",
        ),
        (["select", SAMPLE, "--out", "a.xml"], "fits several formats"),
    ],
)
def test_mistakes_are_told_in_plain_words(run: Run, arguments: Sequence[str], message: str) -> None:
    said = run("testset", *arguments)
    assert said.status == 2
    assert message in said.err
    assert "Traceback" not in said.err


def test_show_gives_tables(run: Run) -> None:
    lines = run("testset", "show", SAMPLE).out.splitlines()
    assert lines[0] == "jurat-sample: 12 documents, 54 segments, 4 systems, 2 references"
    assert lines[3].split() == ["market", "5", "es", "genre:", "news,", "domain:", "economy"]
    assert any(line.split()[:3] == ["willow", "machine", "east"] for line in lines)


def test_show_a_document_side_by_side(run: Run) -> None:
    lines = run("testset", "show", SAMPLE, "--document", "train").out.splitlines()
    assert len(lines) == 1 + 5 * 7
    assert lines[1].split()[:3] == ["1", "source", "Buenas"]
    assert lines[2].split()[:3] == ["reference", "A", "Good"]


def test_select_by_conditions(run: Run) -> None:
    said = run(
        *("testset", "select", SAMPLE, "--where", "genre == 'news'", "--first", "2"),
        *("--systems", "cedar, willow", "--human-reference", "B", "--out", "small.jsonl"),
    )
    assert said == (0, "small.jsonl: 4 documents, 8 segments, 3 systems, 2 references\n", "")
    test_set = written("small.jsonl")
    assert [system.name for system in test_set.systems] == ["cedar", "willow", "human-B"]
    assert test_set.systems[-1].reference == "B"


def test_select_by_chance_is_repeatable(run: Run) -> None:
    for name, seed in (("a", "7"), ("b", "7"), ("c", "8")):
        options = ("--random", "9", "--seed", seed, "--out", f"{name}.jsonl")
        assert run("testset", "select", SAMPLE, *options).status == 0
    assert written("a.jsonl") == written("b.jsonl") != written("c.jsonl")


def test_select_in_proportion(run: Run) -> None:
    options = ("--stratified", "12", "--tag", "genre", "--out", "a.jsonl")
    run("testset", "select", SAMPLE, *options)
    test_set = written("a.jsonl")
    assert len({document.tags["genre"] for document in test_set.documents}) == 6
    assert len(list(test_set.segments())) == 12


SCORES = (
    "document\tsegment\tsystem\treference\tmetric\tvalue",
    "market\t1\tcedar\tA\tbleu\t0.1",
    "market\t1\tcedar\tB\tbleu\t0.2",
    "train\t2\tbirch\tA\tbleu\t0.1",
    "train\t2\tbirch\tB\tbleu\t0.9",
    "market\t1\tcedar\tA\tter\t0",
    "market\t1\tcedar\tB\tter\t5",
)


def test_select_by_spread(run: Run) -> None:
    table = write("scores.tsv", *SCORES)
    options = ("--spread", "1", "--scores", table, "--out", "a.jsonl")
    said = run("testset", "select", SAMPLE, *options)
    assert said.status == 2
    assert "the table has several metrics; choose one; allowed: bleu, ter" in said.err
    assert run("testset", "select", SAMPLE, *options, "--metric", "bleu").status == 0
    document, segment = next(written("a.jsonl").segments())
    assert (document.id, segment.id) == ("train", "2")
    assert segment.translations["birch"].tags["spread"] == "0.565685"
    assert run("testset", "select", SAMPLE, *options, "--metric", "ter", "--force").status == 0
    assert next(written("a.jsonl").segments())[0].id == "market"


def test_select_by_the_spread_of_a_metric(run: Run) -> None:
    """As with a table of the same scores, and never of a reference against itself."""
    whole = written(SAMPLE)
    assert run("testset", "select", SAMPLE, "--human-reference", "A", "--out", "human.jsonl").out
    metric = Ter(normalized=True)
    rows = [
        "\t".join(
            [document.id, segment.id, system, name, "ter", str(metric.sentence(made.text, [text]))]
        )
        for document, segment in whole.segments()
        for system, made in segment.translations.items()
        for name, text in segment.references.items()
    ]
    table = write("scores.tsv", SCORES[0], *rows)
    select = ("testset", "select", "human.jsonl", "--spread", "3")
    assert run(*select, "--scores", table, "--out", "a.jsonl").status == 0
    asked = ("--spread-metric", "ter:normalized=true")
    assert run(*select, *asked, "--out", "b.jsonl").status == 0
    assert written("a.jsonl") == written("b.jsonl")
    assert run(*select, "--spread-metric", "gtm", "--out", "c.jsonl").status == 0
    assert written("a.jsonl") != written("c.jsonl")
    tagged = [
        name
        for _, segment in written("b.jsonl").segments()
        for name, made in segment.translations.items()
        if "spread" in made.tags
    ]
    assert len(tagged) == 3


def test_scores_of_what_is_not_kept_are_passed_over(run: Run) -> None:
    table = write("scores.tsv", *SCORES[:5])
    options = ("--spread", "1", "--scores", table, "--documents", "market")
    assert run("testset", "select", SAMPLE, *options, "--out", "a.jsonl").status == 0
    assert next(written("a.jsonl").segments())[0].id == "market"
    write("scores.tsv", *SCORES[:3], "nowhere\t1\tcedar\tA\tbleu\t0.1")
    said = run("testset", "select", SAMPLE, *options, "--out", "b.jsonl")
    assert "document nowhere, segment 1: there is a score of a segment that is not in" in said.err


def test_easy_suggests_and_marks(run: Run) -> None:
    said = run("testset", "easy", SAMPLE, "--reason", "identical", "--json")
    found = json.loads(said.out)
    assert all("identical" in candidate["reasons"] for candidate in found)
    assert {"document": "app", "segment": "1", "system": "willow"}.items() <= found[4].items()
    said = run("testset", "easy", SAMPLE, "--reason", "identical", "--out", "marked.jsonl")
    assert said.status == 0
    assert said.out.splitlines()[0].split() == ["segment", "system", "reasons", "translation"]
    marked = {
        (document.id, segment.id, name)
        for document, segment in written("marked.jsonl").segments()
        for name, made in segment.translations.items()
        if made.tags.get("easy") == "yes"
    }
    assert {(each["document"], each["segment"], each["system"]) for each in found} <= marked


def test_nothing_easy(run: Run) -> None:
    file = write("a.tsv", "segment\tsource\tsystem:x", "1\tq\ta b c d e f")
    assert run("testset", "easy", file).out == "no easy translations found\n"


def test_formats_are_listed(run: Run) -> None:
    names = [line.split()[0] for line in run("testset", "formats").out.splitlines()]
    assert names == ["format", "csv", "jsonl", "nist-xml", "plain", "sgml", "tsv", "wmt-xml"]
    listed = json.loads(run("testset", "formats", "--json").out)
    assert listed[1]["name"] == "jsonl"
    assert "concepts" in listed[1]["carries"]


def test_convert_tells_what_is_lost(run: Run) -> None:
    said = run("convert", SAMPLE, "a.tsv")
    assert said.out == "a.tsv: 12 documents, 54 segments, 4 systems, 2 references\n"
    assert "tsv cannot hold: concepts\n" in said.err
    assert len(written("a.tsv").documents) == 12


def test_convert_to_a_folder_and_back(run: Run) -> None:
    assert run("convert", SAMPLE, "sets", "--to", "sgml").status == 0
    files = sorted(map(str, Path("sets").iterdir()))
    assert len(files) == 7
    assert run("convert", *files, "back.xml", "--from", "sgml", "--to", "wmt-xml").status == 0
    assert len(list(written("back.xml").segments())) == 54


def test_nothing_is_written_over_without_force(run: Run) -> None:
    write("a.tsv", "precious")
    said = run("convert", SAMPLE, "a.tsv")
    assert (said.status, Path("a.tsv").read_text()) == (2, "precious\n")
    assert "--force overwrites it" in said.err
    assert run("convert", SAMPLE, "a.tsv", "--force").status == 0


def test_a_folder_is_not_half_written(run: Run) -> None:
    Path("sets").mkdir()
    write("sets/system.willow.sgm", "precious")
    assert run("convert", SAMPLE, "sets", "--to", "sgml").status == 2
    assert [path.name for path in Path("sets").iterdir()] == ["system.willow.sgm"]
