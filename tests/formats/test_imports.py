"""Test sets and campaigns of other tools become those of Jurat."""

import json
from pathlib import Path
from typing import Any

import pytest

from jurat.campaigns.config import read_plan
from jurat.campaigns.create import new_campaign
from jurat.errors import InputError
from jurat.formats import ImportedCampaign, load, read_campaign, read_judgments
from jurat.formats.appraise_batches import split_systems
from jurat.formats.testset_from_texts import test_set_of as texts_of
from jurat.kits.suggestions import suggestions_of
from jurat.model import File, TestSet
from jurat.protocols import read as read_protocol
from jurat.testsets import write_test_set
from jurat.yamlfile import dump


def made(name: str, content: object) -> File:
    return File(name, json.dumps(content).encode())


def kits(found: ImportedCampaign) -> int:
    """The number of kits of the campaign that is created from what was imported."""
    declared = File("campaign.yaml", dump(found.declaration("t.jsonl")).encode())
    texts = File("t.jsonl", write_test_set(found.test_set, "jsonl")[0].data)
    own = found.protocol_file
    fetched = {texts.name: texts, **({own.name: own} if own else {})}
    return len(new_campaign(read_plan(declared), fetched.__getitem__).kits)


def texts(test_set: TestSet) -> list[tuple[str, str, str | None, dict[str, str]]]:
    return [
        (d.id, s.id, s.source, {n: t.text for n, t in s.translations.items()})
        for d, s in test_set.segments()
    ]


def test_pearmut_campaign(shared: Path) -> None:
    found = read_campaign(load(shared / "foreign" / "pearmut" / "campaign.json"))
    assert (found.name, found.protocol, found.wanted, found.judges) == (
        "contrastive-esa", "contrastive-esa", 3, 3,
    )  # fmt: skip
    assert len(found.test_set.documents) == 3
    assert "settings: shuffle" in found.notes
    assert kits(found) > 0


def test_what_pearmut_has_and_jurat_has_not() -> None:
    item = {"item_id": "d_#_0", "src": "s", "tgt": {"A": "<video src=x>"}, "validation": {}}
    campaign = {"campaign_id": "c", "info": {"protocol": "DA"}, "data": [[item]]}
    campaign |= {"data_random": [[item]], "data_goodbye": [[{"text": "?", "form": "string"}]]}
    notes = read_campaign([made("c.json", campaign)]).notes
    assert notes == (
        "attention checks (data_random): 1",
        "documents after the evaluation (data_goodbye): 1",
        "media in translations: 1",
        "items with validation: 1",
    )
    with pytest.raises(InputError, match="protocol"):
        read_campaign([made("c.json", {**campaign, "info": {"protocol": "QA"}})])


def prefilled(*spans: tuple[int, int, str | None], **info: object) -> dict[str, Any]:
    """A campaign with a translation of A in which errors are marked, and one of B."""
    told = [{"start_i": a, "end_i": b, "severity": s, "category": None} for a, b, s in spans]
    item: dict[str, Any] = {"item_id": "d_#_0", "src": "s", "tgt": {"A": " 😀 gut", "B": "fein"}}
    item["error_spans"] = {"A": told}
    facts = {"protocol": "ESA", **info}
    return {"campaign_id": "c", "info": facts, "data": [[item]]}


def test_errors_marked_beforehand_and_special_tokens_of_pearmut() -> None:
    """The emoji counts two there, and the blank before it is not in the test set."""
    found = read_campaign([made("c.json", prefilled((4, 6, "minor"), (7, 7, "major")))])
    assert (found.protocol, found.protocol_file, kits(found)) == ("esa-ai", None, 2)
    ((_, segment),) = found.test_set.segments()
    (span, missing) = suggestions_of(segment.translations["A"]) or ()
    assert (span.start, span.end, segment.translations["A"].text[2:5]) == (2, 5, "gut")
    assert (missing.start, missing.missing) == (5, True)
    assert suggestions_of(segment.translations["B"]) == ()
    assert not any("marked beforehand" in note for note in found.notes)

    tokens = ["[missing]", "[instructions fault]"]
    spans = [(8, 8, "major"), (8, 8, None), (-1, 2, "minor"), (0, 1, "critical")]
    campaign = prefilled(*spans, special_tokens=tokens, protocol="cESA")
    found = read_campaign([made("c.json", campaign)])
    assert (found.protocol, kits(found)) == ("contrastive-esa", 1)
    ((_, segment),) = found.test_set.segments()
    (mark,) = suggestions_of(segment.translations["A"]) or ()
    assert (mark.mark, mark.severity) == ("[instructions fault]", "major")
    assert {
        "errors marked beforehand of kinds that the protocol does not have: 2",
        "errors marked beforehand in no place of their text: 1",
    } <= {*found.notes}
    campaign["info"] = {"protocol": "DA"}
    assert "protocol does not have: 3" in str(read_campaign([made("c.json", campaign)]).notes)


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ({"error_spans": {"A": [{"start_i": "missing"}]}}, r"Expected `int`.*error_spans"),
        ({"error_spans": [{"start_i": 1, "end_i": 2}]}, r"Expected `object.*error_spans"),
        ({"tgt": {"A": None}}, r"Expected `str`, got `null`"),
        ({"src": 5}, r"Expected `str.*src"),
    ],
)
def test_items_of_pearmut_that_are_no_items(item: dict[str, Any], message: str) -> None:
    campaign = prefilled((4, 6, "minor"))
    campaign["data"][0][0] |= item
    with pytest.raises(InputError, match=rf"c.json, field data: document 1 .*{message}"):
        read_campaign([made("c.json", campaign)])


def test_settings_of_pearmut_of_other_types() -> None:
    for info in ({"special_tokens": 1.5}, {"docs_per_user": "few"}):
        with pytest.raises(InputError, match=r"c.json, field info: Expected"):
            read_campaign([made("c.json", prefilled(**info))])
    campaign = {**prefilled(assignment="task-based"), "data": [None]}
    with pytest.raises(InputError, match="document 1 is not a list"):
        read_campaign([made("c.json", campaign)])


def appraise(*items: dict[str, object], **manifest: object) -> list[File]:
    told = {"CAMPAIGN_NAME": "Ex 1", "TASKS_TO_ANNOTATORS": [["eng", "deu", "uniform", 4, 2]]}
    batch = {"items": items, "task": {"sourceLanguage": "eng", "targetLanguage": "deu"}}
    return [made("manifest.json", told | manifest), made("batches.json", [batch])]


def item(system: str, text: str, **more: object) -> dict[str, object]:
    about = {"itemID": 7, "itemType": "TGT", "sourceID": "src.txt", "sourceText": "Good."}
    return {**about, "documentID": f"d#{system}", "targetID": system, "targetText": text, **more}


def test_a_manifest_of_appraise_without_a_number_of_annotators() -> None:
    tasks = [["eng", "deu", "uniform", "many", 2]]
    with pytest.raises(InputError, match="'many' is no number of annotators"):
        read_campaign(appraise(item("A", "Gut."), TASKS_TO_ANNOTATORS=tasks))


def test_appraise_campaign() -> None:
    files = appraise(
        item("A", "Gut."),
        item("B", "Fein."),
        item("B", "Bad.", documentID="d#B#bad1"),
        item("A", "Tut.", documentID="ende-tutorial1"),
        item("A", "Nur A.", itemID=8),
        REDUNDANCY=2,
        TASK_TYPE="Document",
        TASK_OPTIONS="ESA;StaticContext",
    )
    found = read_campaign(files).complete()
    assert (found.name, found.protocol, found.wanted, found.judges) == ("ex-1", "esa", 2, 4)
    assert texts(found.test_set) == [("d", "7", "Good.", {"A": "Gut.", "B": "Fein."})]
    assert found.test_set.target_language == "deu"
    assert found.notes == (
        "options: StaticContext",
        "controls (Jurat makes its own): 1",
        "items of the tutorial: 1",
        "segments that not all systems have translated: 1",
    )
    assert kits(found) > 0


def test_errors_marked_beforehand_in_batches() -> None:
    """`<br>` counts one, and the emoji two."""
    span = {"start_i": 4, "end_i": 6, "severity": "minor", "error_type": None}
    gone = {"start_i": "missing", "end_i": "missing", "severity": "major", "error_type": None}
    item_a = item("A", "😀<br>\ngut", mqm=[span, gone, {**span, "severity": "critical"}])
    found = read_campaign(
        appraise(item_a, item("B", "Fein."), TASK_TYPE="Document", TASK_OPTIONS="ESA")
    )
    ((_, segment),) = found.test_set.segments()
    made = segment.translations["A"]
    (marked, missing) = suggestions_of(made) or ()
    assert (found.protocol, made.text[marked.start : marked.end]) == ("esa-ai", "gut")
    assert missing.missing
    assert "kinds that the protocol does not have: 1" in str(found.notes)


def test_appraise_pairs_without_documents() -> None:
    targets = [{"targetID": name, "targetText": name} for name in ("A", "B")]
    pair = {"itemID": 7, "itemType": "TGT", "sourceText": "Good.", "targets": targets}
    found = read_campaign(appraise({**pair, "sourceID": "x-ref.de"}, TASK_TYPE="Pairwise"))
    assert found.protocol == "side-by-side-scores"
    assert found.protocol_file is not None
    protocol = read_protocol(found.protocol_file.data, file="p.yaml")
    assert ([*protocol.questions], protocol.stages[0].show) == (
        ["translations", "score"], ("context", "reference", "translation"),
    )  # fmt: skip
    assert texts(found.test_set) == [("7", "1", None, {"A": "A", "B": "B"})]
    assert found.test_set.references == ("reference",)


def test_batches_without_common_segments(shared: Path) -> None:
    folder = shared / "foreign" / "appraise"
    names = ("MQM+ESA-manifest_esa.json", "MQM+ESA-batches_esa.json")
    found = read_campaign([file for name in names for file in load(folder / name)])
    held = {(d.id, s.id, one) for d, s in found.test_set.segments() for one in s.translations}
    assert found.absent < held
    assert all(
        bool(s.translations[one.name].text) != ((d.id, s.id, one.name) in found.absent)
        for d, s in found.test_set.segments()
        for one in found.test_set.systems
    )
    with pytest.raises(InputError, match="no segment has translations of all systems"):
        found.complete()


def test_systems_with_the_same_output_are_taken_apart(shared: Path) -> None:
    folder = shared / "foreign" / "appraise"
    files = [*load(folder / "Direct-manifest.json"), *load(folder / "Direct-batches.json")]
    found = read_campaign(files)
    assert not any("+" in one.name for one in found.test_set.systems)
    assert len(found.complete().test_set.documents) > 0
    assert split_systems("A+Transformer+R2L+B") == ["A", "Transformer+R2L", "B"]


def test_files_that_declare_no_campaign() -> None:
    with pytest.raises(InputError, match="no campaign of another tool"):
        read_campaign([File("a.csv", b"a,b\n1,2\n")])


def test_wmt_test_set_with_outputs() -> None:
    source = {"doc_id": "d", "src_text": "<p>One.</p><p>Two.</p>", "prompt_instruction": ""}
    other = {**source, "doc_id": "e"}
    lines = "\n".join(map(json.dumps, (source, other)))
    outputs = {"d": "<p>Eins.</p><p>Zwei.</p>", "e": "Eins und zwei."}
    system = "\n".join(json.dumps({"doc_id": d, "hypothesis": h}) for d, h in outputs.items())
    files = [File("set.jsonl", lines.encode()), File("out/Sys.A.jsonl", system.encode())]
    read = read_judgments(files)
    assert texts(texts_of(read.tables, "set.jsonl")) == [
        ("d", "1", "One.", {"Sys.A": "Eins."}),
        ("d", "2", "Two.", {"Sys.A": "Zwei."}),
        ("e", "1", "One.\nTwo.", {"Sys.A": "Eins und zwei."}),
    ]
    assert "as one segment: 1" in read.notes[0]
    with pytest.raises(InputError, match="together"):
        read_judgments(files[:1])


def test_mqm_file_as_test_set(shared: Path) -> None:
    read = read_judgments(load(shared / "foreign" / "mqm" / "mqm_ted_ende.tsv"))
    found = texts_of(read.tables, "mqm")
    assert (len(found.documents), len(found.systems)) == (5, 14)
