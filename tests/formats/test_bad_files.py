"""Sixty kinds of bad files: each is refused with its place and what was expected, in bounds."""

import gzip
import io
import json
import tracemalloc
import zipfile

import pytest

from jurat.errors import InputError
from jurat.formats import read_judgments
from jurat.model import File
from jurat.tables import Intake, Judgments, TableOptions, archives
from jurat.tables.preferences import Preferences

PEARMUT = {
    "annotation": [{"A": {"score": 1, "error_spans": []}}],
    "item": [{"item_id": "d_#_1", "src": "s", "tgt": {"A": "t"}}],
    "actions": [],
    "user_id": "u",
    "item_i": 0,
}
APPRAISE = 'ann,A,4,TGT,eng,deu,86,d1,False,"{}",1711315415.4,1711315424.0'
MQM = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"
RANKING = "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,"
RANKING += "system2Number,system2Id,system1rank,system2rank"
XLIFF = '<xliff version="1.2"><file original="a"><body>{}</body></file></xliff>'
ISSUE = '<mrk locQualityIssueType="x" locQualityIssueSeverity="{}">t</mrk>'
STUDIO = {"id": 1, "data": {}, "annotations": [{"result": []}]}


def studio(kind: str, **value: object) -> dict[str, object]:
    """A task with one answer of that kind."""
    answer = {"type": kind, "from_name": "q", "value": value}
    return {**STUDIO, "annotations": [{"result": [answer]}]}


ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {b} "&{a};&{a};&{a};&{a};&{a};&{a};&{a};&{a};">'
    for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)


def pearmut(**cells: object) -> str:
    return json.dumps({**PEARMUT, **cells})


def answer(**cells: object) -> list[object]:
    return [{"A": {"score": 1, "error_spans": [], **cells}}]


def zipped(name: str, data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def workbook(rows: str) -> bytes:
    """The smallest spreadsheet with these rows."""
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    office = "http://schemas.openxmlformats.org"
    relation = f"{office}/officeDocument/2006/relationships"
    main = f"{office}/spreadsheetml/2006/main"

    def related(kind: str, target: str) -> str:
        own = f'<Relationship Id="r1" Type="{relation}/{kind}" Target="{target}"/>'
        return f'<Relationships xmlns="{office}/package/2006/relationships">{own}</Relationships>'

    parts = {
        "[Content_Types].xml": f'<Types xmlns="{office}/package/2006/content-types">'
        f'<Override PartName="/xl/workbook.xml" ContentType="{types}.sheet.main+xml"/></Types>',
        "_rels/.rels": related("officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{relation}"><sheets>'
        '<sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": related("worksheet", "worksheets/sheet1.xml"),
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData>'
        "</worksheet>",
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


# A number in the first and in the last cell that a sheet can have.
CORNER = workbook(
    '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
)

BAD: list[tuple[str, str | bytes, str]] = [
    # tables
    ("t.csv", "", r"t.csv: the file is empty"),
    ("t.csv", "\na,b\n", r"t.csv:1: the first line, which names the columns, is empty"),
    ("t.csv", "Mine\njudge,item,value\na,1,2\n", r"has 1 field, and all others 3: remove what"),
    ("t.csv", "Mine,,\njudge,item,value\na,1,2\n", r"does not name all columns; remove what"),
    ("t.csv", "a,1,3\nb,1,4\n", r"'1' stands where a column's name .* --header name1,name2,name3"),
    ("t.csv", "judge|item|value\na|1|2\n", r"one column, 'judge\|item\|value'; separate"),
    ("t.csv", "judge,value\na,1\n", r"no column says what was judged.*allowed: judge, value$"),
    ("t.csv", "<!DOCTYPE html>\n<p>Not found", r"this is a web page \(HTML\), not a table"),
    ("t.csv", "# one\n# two\njudge,item,value\na,1,2\na,2,2\n", r"first 2 lines have 1 field, and"),
    ("t.csv", "version https://git-lfs.github.com/spec/v1\noid sha256:4d\n", r"pointer of Git LFS"),
    ("t.csv", "judge,item,value\na,1,3/5\nb,1,4/5\n", r"t.csv:2.*'3/5' is a fraction"),
    ("t.csv", f"judge,item,value\na,1,{'3' * 999}\n", r"'3{59}…' is too large"),
    ("t.xls", b"\xd0\xcf\x11\xe0\xa1\xb1", r"old Excel \(.xls\); save it as .xlsx or .csv"),
    ("t.txt", b"\xd0\xcf\x11\xe0\xa1\xb1", r"not a text file but DOC \(XLS\)"),
    ("t.csv", "judge,item,value\n", r"t.csv: the table has a heading but no rows"),
    ("t.csv", "judge,item,value\na,1\n", r"t.csv:2: 2 fields where the heading has 3"),
    ("t.csv", "judge,item,value\na,1,2,3\n", r"t.csv:2: 4 fields .* in quotes"),
    ("t.csv", 'judge,item,value\na,"1,2\n', r"t.csv:2: a quotation mark opens here and is never"),
    ("t.csv", "judge,judge,value\na,b,1\n", r"two columns are called 'judge'"),
    ("t.csv", ",".join(f"c{n}" for n in range(5000)) + "\n", r"has 5,000 columns; at most 4,096"),
    ("t.json", json.dumps([{f"c{n}": n for n in range(5000)}]), r"has 5,000 columns"),
    ("t.csv", "judge,item,value\na,b," + "x" * 17_000_000, r"t.csv:2: the line has more than 16,"),
    ("t.xlsx", CORNER[:4] + CORNER[4:].replace(b"PK\3\4", b"PK\3\5"), "damaged: Bad magic number"),
    ("t.xlsx", CORNER, r"reaches to row 1,048,576 and column 16,384; delete"),
    (
        "t.csv",
        "1,s1,1\n2,s1,3\n",
        r"two columns are called '1'; if this is no heading, .* --header",
    ),
    ("t.csv", "judge,item,value\na,1,2\njudge,item,value\n", r"t.csv:3.*heading stands here again"),
    ("t.csv", "judge,item,value\na,1,2\na,2,1e400\n", r"t.csv:3.*'1e400' is too large"),
    ("t.csv", "sep=;\njudge;item;value\na;1;2\n", r"t.csv:1: the first line tells Excel"),
    ("t.ods", zipped("t.csv", b"judge,item,value\na,1,2\n"), r"t.ods: this is not a spreadsheet"),
    ("t.csv", "judge,item,value\ra,1,2\r", r"lines end with CR alone"),
    ("t.csv", "judge,item,value\na,1,\0\n", r"NUL"),
    ("t.csv", "judge,item,value\na,1,75%\n", r"t.csv:2.*percent sign"),
    ("t.csv", "judge,item,value\na,1,3\na,2,good\n", r"t.csv:3.*'good' is a word among numbers"),
    ("t.csv", "judge,item,value\n,1,3\nb,1,2\n", r"t.csv:2.*does not say who judged"),
    ("t.csv", "judge,item,value\na,,3\nb,1,3\n", r"t.csv:2.*does not say what was judged"),
    ("t.csv", "a,b\nx,y\n", r"no column holds the judgments"),
    ("t.csv", "rater,seg,adequacy\na,1,2\n", r"copy: --columns judge=rater,segment=seg --quest"),
    ("t.csv", b"judge,item,value\n\xc3\xa9,1,2\n\xc3\xa9,1,\xff\n", r"t.csv:3: byte 0xff"),
    ("t.tsv", "judge\titem\tvalue\na\t1\n", r"t.tsv:2: 2 fields"),
    ("t.cvs", "judge,item,value\na,1,2\n", r"unknown kind of table 'cvs'.*did you mean 'csv'"),
    ("t.docx", zipped("word/document.xml", b"x"), r"this is a Word document"),
    ("t.db", b"SQLite format 3\0" + bytes(84), r"a database, .*: --campaign NAME --store t.db"),
    ("t.zip", b"hello", r"t.zip: this is no zip file, or it is empty"),
    ("t.pdf", b"%PDF-1.7\n", r"unknown kind of table 'pdf'"),
    ("t.parquet", b"PAR1xxxx", r"t.parquet: cannot be read as Parquet"),
    ("t.xlsx", b"judge,item\n", r"t.xlsx: this is not a spreadsheet"),
    ("t.jsonl", '{"judge": "a"\n', r"t.jsonl:1: this is not a JSON object"),
    ("t.jsonl", '{"judge": "a", "value": [1]}\n', r"'value' holds lists"),
    ("t.json", '[{"judge": "a"', r"t.json: this is not a JSON list of objects"),
    ("t.json", '["a"]', r"t.json: this is not a JSON list of objects"),
    ("t.json", '[{"judge": "a", "value": NaN}, 3]', r"t.json: this is not a JSON list of objects"),
    ("t.json", '[{"judge": "NaN"', r"t.json: this is not a JSON list of objects"),
    ("t.json", "[]", r"t.json: the file has no rows"),
    (
        "t.json",
        '[{"a":' * 100_000 + "1" + "}]" * 100_000,
        r"t.json: (the JSON is nested too deeply|this is not a JSON list)",
    ),
    ("a.jsonl", '{"annotation": ' + "[" * 100_000 + "\n" + pearmut(), r"a.jsonl"),
    # archives
    ("t.csv.gz", gzip.compress(b"judge,item,value\n", mtime=0)[:-9], r"cannot be opened"),
    ("t.csv.gz", b"\x1f\x8b\x08\x00garbage", r"cannot be opened"),
    ("t.csv.zst", b"\x28\xb5\x2f\xfdgarbage", r"cannot be opened"),
    ("t.zip", b"PK\x03\x04garbage", r"cannot be opened"),
    (
        "t.csv.gz",
        gzip.compress(bytes(1 << 21), 1, mtime=0),
        r"expands to more than 1,048,576 bytes",
    ),
    ("t.zip", zipped("t.csv", bytes(1 << 21)), r"expands to more than 1,048,576 bytes"),
    # Pearmut
    ("a.jsonl", pearmut(annotation=answer(score="x")), r"a.jsonl:1: Expected `float \| null`"),
    ("a.jsonl", pearmut(user_id=[3]), r"a.jsonl:1: Expected `int \| str`.*user_id"),
    ("a.jsonl", pearmut() + '\n{"annotation": [}\n', r"a.jsonl:2: JSON is malformed.*column 17"),
    ("a.jsonl", pearmut() + "\n[1]\n", r"a.jsonl:2: Expected `object`"),
    ("a.jsonl", pearmut(annotation=answer(error_spans=[{"start_i": 1}])), r"`end_i`"),
    ("a.jsonl", pearmut(annotation="later"), r"no annotations"),
    ("c.json", '{"campaign_id": "c", "info": {}, "data": []}', r"give Pearmut's annotations"),
    # Appraise
    ("s.csv", APPRAISE.replace("{}", "[{]"), r"s.csv:1: JSON is malformed"),
    ("s.csv", APPRAISE.replace("{}", "[]").replace("86", "good"), r"s.csv:1, field score: 'good'"),
    ("s.csv", APPRAISE.replace("{}", "[]") + "\na,b\n", r"s.csv:2: 2 cells, where document"),
    ("b.json", '[{"items": [], "task": {}}]', r"give the CSV file of results"),
    # MQM
    ("m.tsv", f"{MQM}\nA\td\t1\t1\tr\ts\tt\tStyle\tMajr\n", r"m.tsv:2.*did you mean 'major'"),
    ("m.tsv", f"{MQM}\nA\td\t1\n", r"m.tsv:2: 3 cells, where an MQM row has 9 or more"),
    ("m.tsv", f"{MQM}\nA\td\t1\t1\tr\ts\tt\tStyle\tMajor\t{{x\n", r"m.tsv:2: JSON is malformed"),
    # WMT
    ("r.csv", f"{RANKING}\ncs,en,1,-1,1,j,1,A,2,B,best,2\n", r"r.csv:2: 'best' is not a rank"),
    ("r.csv", f"{RANKING}\ncs,en,1\n", r"r.csv:2: 3 cells where the heading has 12"),
    ("w.jsonl", '{"doc_id":"d","src_text":"","tgt_text":[],"scores":{}}', r"w.jsonl:1: Expected"),
    ("w.jsonl", '{"doc_id":"d","src_text":"","tgt_text":{},"scores":{"A":3}}', r"w.jsonl:1"),
    # scores, and files of other tools
    ("en-de.esa.seg.score", "A\tgood\n", r"'good' is not a score"),
    ("en-de.mqm.seg.rating", "A\t{]\n", r"JSON is malformed"),
    ("l.json", json.dumps([studio("rating", stars=4)]), "field q: .*kind rating has no 'rating'"),
    ("l.json", json.dumps([studio("number", number="many")]), "field q: 'many' is not a number"),
    (
        "p.jsonl",
        '{"instance_id": 1, "user_id": "a", "q.1": 1}\n{"q.1": 1}',
        "2: there is no instance",
    ),
    ("l.json", json.dumps([{**STUDIO, "annotations": 3}]), r"l.json:1: Expected `array`"),
    ("arena.csv", "model_a,model_b,winner\nA,B,C\n", r"arena.csv:2.*'C' is not a winner"),
    ("arena.csv", "model_a,model_b,winner\nA,A,tie\n", r"compared with itself"),
    ("p.json", '{"id": "1", "text": "x"}', r"user_state.json"),
    # XML
    ("x.xlf", XLIFF.format("<trans-unit>"), r"x.xlf:1: this is not well-formed XML"),
    ("x.xlf", ENTITIES + f"]>{XLIFF}", r"declares an entity"),
    ("x.xlf", XLIFF.format("<g>" * 5000), r"nested more than 100 deep"),
    (
        "x.xlf",
        XLIFF.format(f'<trans-unit id="1"><target>{ISSUE.format(200)}</target></trans-unit>'),
        r"x.xlf:1: '200' is not a severity: a number from 0 to 100",
    ),
]


def test_there_are_sixty_kinds() -> None:
    assert len(BAD) >= 60


@pytest.fixture(autouse=True)
def small_bombs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "SMALL", 1 << 20)


@pytest.mark.parametrize(("name", "content", "message"), BAD)
def test_bad_file_is_refused(name: str, content: str | bytes, message: str) -> None:
    data = content if isinstance(content, bytes) else content.encode()
    with pytest.raises(InputError, match=message):
        analysed(File(name, data))


def analysed(file: File) -> None:
    """Read a file as far as an analysis does before it computes anything."""
    tables = read_judgments([file]).tables
    if "judgments" in tables:
        assert Judgments(tables["judgments"], Intake()).frame.height
    if "preferences" in tables:
        assert Preferences(tables["preferences"], Intake()).frame.height


def test_a_format_that_was_chosen_wrongly_is_named() -> None:
    options = TableOptions(read_as="appraise")
    with pytest.raises(InputError, match="looks like Pearmut annotations: --read-as pearmut"):
        read_judgments([File("a.jsonl", pearmut().encode())], options=options)


def test_a_bomb_takes_little_memory() -> None:
    bomb = File("t.csv.gz", gzip.compress(bytes(50_000_000), 9))
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="expands"):
            read_judgments([bomb])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 25_000_000
