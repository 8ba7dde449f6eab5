"""The first step: files, what is in them, everything that is wrong with them."""

import pytest

from tests.campaigns.sample_campaigns import NAME, head, jsonl, make_set, segment
from tests.web.coordinator.preparing import Fields, Preparing, begin
from tests.web.website import Visitor, Website, words

SET = ("set.jsonl", make_set(3, 2))


@pytest.fixture
def work(town: Website, grace: Visitor) -> Preparing:
    return begin(town, grace)


def test_what_is_in_a_set(work: Preparing):
    assert "Upload the source" in words(work.get("set").text)
    tagged = segment("a", 1, tags={"genre": "news"})
    about = head(["a", "b"]) | {"source_language": "es", "target_language": "en"}
    told = work.upload(("s.jsonl", jsonl([about, tagged, segment("b", 1), segment("b", 2)])))
    assert told.url.path.endswith("/set")
    page = words(told.text)
    assert "Documents 2 Segments 3 Systems 3 cedar, birch, willow References 2 A, B" in page
    assert "es → en" in page
    assert "genre 1 news" in page


def test_all_faults_with_their_places(work: Preparing):
    lines = [segment("d", 1), segment("d", 1), segment("d", 2)]
    del lines[2]["translations"]["birch"]
    told = work.upload(("set.jsonl", jsonl([head(["d"]), *lines])), ("more.jsonl", b"\xff\xfe\0"))
    page = words(told.text)
    assert "set.jsonl:3" in page
    assert "more.jsonl" in page
    assert "problem" in page


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("latin.txt", "señor".encode("latin-1"), "UTF-8"),
        ("broken.jsonl", b'{"document": ', "broken.jsonl"),
        ("empty.tsv", b"", "empty.tsv"),
        ("photo.dat", b"\x89PNG\r\n\x1a\n\0\0", "photo.dat: This is not a text file but PNG."),
    ],
)
def test_files_that_cannot_be_read_are_told_in_words(work: Preparing, name, data, told):
    page = work.upload((name, data))
    assert page.status_code == 200
    assert told in words(page.text)
    assert "--" not in words(page.text), "nobody is told of a command line"
    assert work.get("tasks").status_code == 200
    assert work.get("rules").status_code == 200


TEXTS = (
    ("source.es.txt", b"uno\ndos\n"),
    ("refA.en.txt", b"one\ntwo\n"),
    ("cedar.en.txt", b"won\ntoo\n"),
    ("birch.en.txt", b"1\n2\n"),
)


def test_what_text_files_hold_is_guessed_and_corrected(work: Preparing):
    told = work.upload(*TEXTS)
    assert work.declared["test_set"] == {
        "source": "source.es.txt",
        "references": {"A": "refA.en.txt"},
        "systems": {"cedar": "cedar.en.txt", "birch": "birch.en.txt"},
        "source_language": "es",
        "target_language": "en",
    }
    assert "Systems 2 cedar, birch References 1 A Languages es → en" in words(told.text)
    role = "role:test_set:"
    swapped = {f"{role}source.es.txt": "reference", f"{role}refA.en.txt": "source"}
    named = {f"name:{role}source.es.txt": "B", f"name:{role}cedar.en.txt": "Oak"}
    work.fill("set", "edition", **swapped, **named, **{"target_language:test_set": "fr"})
    declared = work.declared["test_set"]
    assert declared["source"] == "refA.en.txt"
    assert declared["references"] == {"B": "source.es.txt"}
    assert declared["systems"] == {"Oak": "cedar.en.txt", "birch": "birch.en.txt"}
    assert declared["target_language"] == "fr"


def test_roles_that_cannot_be(work: Preparing):
    work.upload(*TEXTS)
    before = work.declared["test_set"]
    role = "role:test_set:"
    told = work.fill("set", "edition", **{f"{role}refA.en.txt": "source"})
    assert told.status_code == 422
    assert "Two files cannot be the same source" in words(told.text)
    again = Fields(told.text, "edition").sent
    assert again[f"{role}refA.en.txt"] == ["source"], "what was entered is still there"
    assert work.fill("set", "edition", **{f"{role}refA.en.txt": "king"}).status_code == 400
    assert work.declared["test_set"] == before
    work.post("set", {"remove": "birch.en.txt"})
    assert work.declared["test_set"]["systems"] == {"cedar": "cedar.en.txt"}


def test_columns_of_a_table_are_given_their_roles(work: Preparing):
    table = "id\toriginal\thuman\tElm\tbleu\n1\tuno\tone\twon\t0.4\n2\tdos\ttwo\ttoo\t0.5\n"
    page = work.upload(("export.tsv", table.encode()))
    assert "do not say what they contain" in words(page.text)
    column = "column:test_set:export.tsv:"
    said = {f"{column}original": "source", f"{column}human": "reference"}
    told = work.fill("set", "edition", **said, **{f"name:{column}human": "A"}, go="tasks")
    assert told.url.path.endswith("/tasks")
    assert work.declared["test_set"] == {
        "files": ["export.tsv"],
        "columns": {
            "export.tsv": {
                "original": "source",
                "human": "reference:A",
                "Elm": "system:Elm",
                "bleu": "ignore",
            }
        },
    }
    shown = work.site.service.drafts.preview(work.key).test_set
    assert shown is not None
    (segment, _) = shown.documents[0].segments
    assert (segment.source, dict(segment.references)) == ("uno", {"A": "one"})
    assert segment.translations["Elm"].text == "won"


def test_two_people_on_the_files(work: Preparing):
    work.upload(*TEXTS)
    mine, theirs = (Fields(work.get("set").text, "edition").sent for _ in range(2))
    role, address = "name:role:test_set:", f"{work.ada.base}{work.base}set"
    work.ada.client.post(address, data={**theirs, f"{role}cedar.en.txt": "Oak"})
    work.ada.client.post(address, data={**mine, f"{role}birch.en.txt": "Elm"})
    assert work.declared["test_set"]["systems"] == {"Oak": "cedar.en.txt", "Elm": "birch.en.txt"}
    told = work.ada.client.post(address, data={**mine, f"{role}cedar.en.txt": "Fir"})
    assert told.status_code == 409
    assert "cedar.en.txt system:Fir system:Oak" in words(told.text)
    assert Fields(told.text, "edition").sent[f"{role}cedar.en.txt"] == ["Fir"]
    told = work.ada.client.post(address, data={**mine, "narrow": "yes", "first": "1"})
    assert told.status_code == 409
    assert Fields(told.text, "edition").sent["first"] == ["1"]
    assert "Someone else changed the test set" in words(told.text)


def test_documents_become_the_tutorial(work: Preparing):
    work.upload(SET)
    told = work.post("set", {"teach": "yes", "documents": ["paper2"]})
    assert words(told.text).count("Documents 2 Segments 4") == 1
    assert words(told.text).count("Documents 1 Segments 2") == 1
    nobody = work.post("set", {"teach": "yes", "documents": ["paper1", "paper3"]})
    assert nobody.status_code == 422
    assert "This would leave no document" in words(nobody.text)


def test_a_part_is_chosen(work: Preparing):
    work.upload(SET)
    work.upload(("testset.jsonl", make_set(1, 1, kind="lesson")), part="tutorial")
    chosen = {"narrow": "yes", "documents": ["paper1", "paper2"], "systems": ["cedar", "birch"]}
    told = work.post("set", {**chosen, "first": "1"})
    page = words(told.text)
    assert "Documents 2 Segments 2 Systems 2 cedar, birch" in page
    assert work.declared["tutorial"] == "testset.jsonl", "the other set stays"
    told = work.post("set", {"narrow": "yes", "where": "document == 'paper2'"})
    assert "Documents 1 Segments 1" in words(told.text)
    wrong = work.post("set", {"narrow": "yes", "where": "dokument == 'paper2'"})
    assert wrong.status_code == 422
    assert "Did you mean “document”?" in words(wrong.text)
    none = work.post("set", {"narrow": "yes", "where": "document == 'x'"})
    assert "no segment of the test set is left" in words(none.text)


def test_references_that_are_judged_too(work: Preparing):
    work.upload(SET)
    told = work.fill("set", "edition", human_references=["A"])
    assert work.declared["human_references"] == ["A"]
    assert "human-A" in words(told.text)
    assert 'name="systems" value="human-A"' not in told.text
    work.fill("set", "edition", human_references=None)
    assert "human_references" not in work.declared


def test_what_was_not_sent_right(work: Preparing, monkeypatch):
    told = work.upload()
    assert told.status_code == 422
    assert "choose a file" in words(told.text)
    many = work.upload(*[(f"{n}.txt", b"x") for n in range(101)])
    assert many.status_code == 400
    assert "at most 100 files" in words(many.text)
    monkeypatch.setattr("jurat.campaigns.drafts.MAX_FILE_BYTES", 10)
    large = work.upload(SET)
    assert large.status_code == 422
    assert "the limit is 10 bytes" in words(large.text)
    assert work.draft.files == ()
    length = {"content-length": str(1 << 30)}
    path = f"/desk/{work.base}set"
    huge = work.ada.client.post(path, data={"upload": "yes"}, headers=length)
    assert huge.status_code == 413
    assert "256 MB" in words(huge.text)


def test_a_running_campaign_is_not_touched(town: Website, grace: Visitor):
    before = town.setting.store.test_set(NAME)
    work = begin(town, grace, campaign=NAME)
    work.upload(("testset.jsonl", make_set(1, 1)))
    assert town.setting.store.test_set(NAME) == before


def test_a_draft_that_is_not_there(work: Preparing):
    work.site.service.drafts.discard(work.key, author="Ada")
    for page in ("set", "tasks", "rules", "declaration", "campaign.yaml", "give-up"):
        assert work.get(page).status_code == 404, page


def test_who_has_written_no_yaml_is_told_of_none(town: Website, grace: Visitor):
    heading = b"document\tsegment\tsource\treference:A\tsystem:x\n"
    work = begin(town, grace, ("set.tsv", heading + b"d\t1\tHola\tHello\tHi\tone\ttoo many\n"))
    page = words(work.get("set").text)
    assert "set.tsv:2: this line has 7 cells; the heading has 5" in page
    for said in ("No translations by a system", "test_set", "campaign.yaml:"):
        assert said not in page
    plain = begin(town, grace, ("notes.tsv", b"Hola\tHi\nUno\tOne\n"))
    page = words(plain.get("set").text)
    assert "Test set: No source and no reference was found." in page
    assert "campaign.yaml:" not in page
    alone = begin(
        town, grace, ("set.tsv", b"document\tsegment\tsource\tsystem:x\nd\t1\tHola\tHi\n")
    )
    page = words(alone.post("tasks/add", {"add-protocol": "da"}).text)
    assert "Document d, Segment 1: task da: there is no reference" in page
    assert "campaign.yaml:" not in page


MARKED = "document,segment,system,start,end,severity,judge\n"


def suggest(work: Preparing, *rows: str, **more: str) -> str:
    data = (MARKED + "\n".join(rows) + "\n").encode()
    files = [("suggestion-files", ("errors.csv", data))]
    return words(work.post("set", {"upload": "suggestions", **more}, files=files).text)


def test_errors_marked_beforehand_are_uploaded_checked_and_removed(work: Preparing):
    work.upload(SET)
    page = suggest(work, "paper1,1,cedar,0,4,minor,gemba", "paper2,1,cedar,0,4,major,gemba")
    assert work.declared["suggestions"] == ["errors.csv"]
    # all by cedar in the two documents were looked at
    assert "Marked errors: 2; translations looked at: 4" in page
    page = suggest(work, "paper1,1,cedar,0,4,minor,gemba", "paper1,1,cedar,0,400,minor,gemba")
    assert "errors.csv:3" in page
    assert "does not fit its text" in page
    page = suggest(work, "paper1,1,cedar,0,4,minor,gemba", "paper1,1,cedar,0,4,minor,ada")
    assert "say whose errors are shown. Judges: ada, gemba" in page
    told = work.fill("set", "edition", **{"suggestion-judge": "ada"})
    assert work.declared["suggestions"] == {"files": ["errors.csv"], "judge": "ada"}
    assert "Marked errors: 1; translations looked at: 2" in words(told.text)
    work.post("set", {"remove": "errors.csv"})
    assert "suggestions" not in work.declared
