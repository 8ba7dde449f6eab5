"""TSV and CSV."""

import pytest
from msgspec.structs import replace

from jurat.errors import InputError
from jurat.model import System, TestSet, Translation
from jurat.testsets import Role, SetFile, delimited, read_test_set, write_test_set
from tests.testsets.examples import everything, faults_of

HEAD = "document\tsegment\tsource\treference:A\tsystem:x"


def tsv(*lines: str, **columns: Role) -> SetFile:
    return SetFile("a.tsv", "\n".join(lines).encode(), None, columns)


def csv(*lines: str) -> SetFile:
    return SetFile("a.csv", "\n".join(lines).encode())


def read(*files: SetFile) -> TestSet:
    return read_test_set(files)


def test_headings_say_what_columns_hold() -> None:
    test_set = read(
        tsv(
            "doc\tseg\tsrc\treference:my ref\tsystem:a:b\tsystem:a:b:tag:easy"
            "\ttag:t\tdocument-tag:g",
            'd\t1\t"q\tr\ts\tyes\tv\tnews',
            "d\t2\tq2\tr2\ts2\t\t\t",
        )
    )
    first, second = test_set.documents[0].segments
    assert first.source == '"q'
    assert first.references == {"my ref": "r"}
    assert first.translations == {"a:b": Translation("s", {"easy": "yes"})}
    assert first.tags == {"t": "v"}
    assert second.translations == {"a:b": Translation("s2")}
    assert second.tags == {}
    assert test_set.documents[0].tags == {"g": "news"}


@pytest.mark.parametrize("document", ["document", "doc", "docid", "doc_id", "Document"])
@pytest.mark.parametrize("segment", ["segment", "seg", "segment_id", "id", "Seg_ID"])
@pytest.mark.parametrize("source", ["source", "src"])
def test_other_names_of_columns(document: str, segment: str, source: str) -> None:
    test_set = read(tsv(f"{document}\t{segment}\t{source}\tsystem:x", "d\t7\tq\ts"))
    assert (test_set.documents[0].id, test_set.documents[0].segments[0].id) == ("d", "7")
    assert test_set.documents[0].segments[0].source == "q"


@pytest.mark.parametrize("name", ["ref", "reference", "refA", "ref1", "ref_2", "Reference B"])
def test_references_keep_the_name_of_their_column(name: str) -> None:
    assert read(tsv(f"segment\t{name}\tsystem:x", "1\tr\ts")).references == (name,)


def test_segments_and_documents_that_are_not_named_are_counted() -> None:
    test_set = read(tsv("document\tsource\tsystem:x", "a\tq\ts", "a\tq\ts", "b\tq\ts"))
    keys = [(document.id, segment.id) for document, segment in test_set.segments()]
    assert keys == [("a", "1"), ("a", "2"), ("b", "1")]
    assert read(tsv("source\tsystem:x", "q\ts")).documents[0].id == "1"


def test_the_caller_gives_roles_to_columns() -> None:
    columns = {
        "mt": Role("system"),
        "hyp": Role("system", "second"),
        "human": Role("reference"),
        "n": Role("segment"),
        "file": Role("document"),
        "text": Role("source"),
        "da_z": Role("ignore"),
    }
    head = "n\tfile\ttext\tmt\thyp\thuman\tda_z"
    test_set = read(tsv(head, "1\td\tq\ts\tt\tr\t0.5", **columns))
    assert [system.name for system in test_set.systems] == ["mt", "second"]
    assert test_set.references == ("human",)
    assert test_set.documents[0].segments[0].source == "q"


def test_a_role_can_overrule_a_heading() -> None:
    test_set = read(tsv("ref\tsource\tsystem:x", "r\tq\ts", ref=Role("system", "person")))
    assert [system.name for system in test_set.systems] == ["person", "x"]


def test_a_column_without_a_role_says_how_to_give_it_one() -> None:
    found = faults_of(tsv("segment\tsorce\tmt", "1\tq\ts"))
    assert [problem.line for problem in found] == [1, 1]
    assert "call it system:mt, reference:mt or tag:mt" in found[1].message
    assert "or use --system mt, --reference mt or --ignore mt" in found[1].message
    assert found[0].message.endswith("did you mean 'source'?")


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("source\tsrc\tsystem:x", "the columns 'source' and 'src' hold the same thing"),
        ("source\tsystem:x\tsystem:x", "the columns 'system:x' and 'system:x' hold the same thing"),
        ("source\t\tsystem:x", "there is a column without a heading"),
        ("source\tsystem:x\tsystem:y:tag:t", "is a tag of a system that has no column"),
    ],
)
def test_wrong_headings(head: str, message: str) -> None:
    (problem,) = faults_of(tsv(head, "a\tb\tc"))
    assert message in problem.message
    assert (problem.file, problem.line) == ("a.tsv", 1)


def test_a_column_that_is_not_there() -> None:
    (problem,) = faults_of(tsv("source\tsystem:x", "q\ts", sorce=Role("ignore")))
    assert problem.message == "there is no column 'sorce'; did you mean 'source'?"


def test_lines_with_too_few_or_too_many_cells() -> None:
    found = faults_of(tsv(HEAD, "d\t1\tq\tr\ts", "d\t2\tq\tr", "d\t3\tq\tr\ts\tmore"))
    assert [(problem.line, problem.message) for problem in found] == [
        (3, "this line has 4 cells; the heading has 5"),
        (4, "this line has 6 cells; the heading has 5"),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("\t1\tq\tr\ts", "this line names no document"),
        ("d\t\tq\tr\ts", "this line names no segment"),
    ],
)
def test_lines_without_ids(line: str, message: str) -> None:
    found = faults_of(tsv(HEAD, "d\t9\tq\tr\ts", line))
    assert [(problem.line, problem.message) for problem in found] == [(3, message)]


def test_tags_of_a_document_may_not_contradict() -> None:
    head = "document\tsegment\tsource\tsystem:x\tdocument-tag:g"
    found = faults_of(tsv(head, "d\t1\tq\ts\tnews", "d\t2\tq\ts\t", "d\t3\tq\ts\tweb"))
    assert [(problem.line, problem.document) for problem in found] == [(4, "d")]


def test_empty_lines_are_passed_over() -> None:
    assert len(read(tsv(HEAD, "", "d\t1\tq\tr\ts", "", "")).documents[0].segments) == 1


@pytest.mark.parametrize("name", ["a.tsv", "a.csv"])
def test_a_table_of_blanks(name: str) -> None:
    (problem,) = faults_of(SetFile(name, "\u3000\n".encode() if name == "a.tsv" else b",,\n"))
    assert problem.message == "the file is empty"


def test_a_table_with_nothing_but_its_heading() -> None:
    (problem,) = faults_of(tsv("source\tsystem:cedar"))
    assert problem.message == "the file has a header but no rows"


def test_csv_with_quotes_and_lines_in_cells() -> None:
    test_set = read(csv("segment,source,system:x", '1,"a ""b"", c\nd",s', "2,q,t"))
    assert test_set.documents[0].segments[0].source == 'a "b", c\nd'


def test_lines_of_csv_are_those_of_the_file() -> None:
    found = faults_of(csv("segment,source,system:x", '1,"a\nb\nc",s', "2,q"))
    assert [problem.line for problem in found] == [5]


def test_csv_with_semicolons() -> None:
    assert (
        read(csv("segment;source;system:x", '1;"a;b";s')).documents[0].segments[0].source == "a;b"
    )


@pytest.mark.parametrize("bad", ['2,"open,s\n3,q,t', '2,"a"b,s'])
def test_quotes_that_are_wrong(bad: str) -> None:
    (problem,) = faults_of(csv("segment,source,system:x", "1,q,s", bad))
    assert problem.line == 3
    assert "the quotes or cells cannot be read from here on" in problem.message


def test_too_many_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "MOST_COLUMNS", 3)
    (problem,) = faults_of(tsv("a\tb\tc\td", "1\t2\t3\t4"))
    assert problem.message == "the heading has 4 columns; at most 3 are read"


def test_headings_that_are_written() -> None:
    (file,) = write_test_set(everything(), "tsv")
    assert file.data.decode().split("\n")[0].split("\t") == [
        "document",
        "segment",
        "document-tag:genre",
        "document-tag:origlang",
        "document-tag:domain",
        "tag:input",
        "source",
        "reference:A",
        "reference:B",
        "system:cedar",
        "system:cedar:tag:easy",
        "system:birch pro",
    ]


@pytest.mark.parametrize("name", ["tsv", "csv"])
def test_a_system_whose_name_looks_like_a_tag_is_refused(name: str) -> None:
    odd = replace(everything(), systems=(System(name="a:tag:b"),))
    with pytest.raises(InputError, match="a table cannot hold the system 'a:tag:b'"):
        write_test_set(odd, name)
