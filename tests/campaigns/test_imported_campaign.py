"""A campaign that runs in Pearmut or Appraise goes on in Jurat, and back again."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import polars as pl
import pytest

from jurat.errors import InputError
from jurat.formats import load, read_campaign, read_judgments
from jurat.model import File
from tests.campaigns.sample_campaigns import Setting
from tests.store.empty_store import empty_store

NAME = "contrastive-esa"


@pytest.fixture
def setting(tmp_path: Path) -> Any:
    with empty_store(tmp_path / "jurat.db") as store:
        yield Setting(store).within(NAME)


def files(shared: Path, lines: slice = slice(None), **changed: Any) -> list[File]:
    folder = shared / "foreign" / "pearmut"
    (campaign,) = load(folder / "campaign.json")
    (annotations,) = load(folder / "annotations.jsonl")
    (progress,) = load(folder / "progress.json")
    told = json.loads(campaign.data) | changed
    some = b"\n".join(annotations.data.splitlines()[lines]) + b"\n"
    return [File("c.json", json.dumps(told).encode()), File("a.jsonl", some), progress]


def moved(setting: Setting, sources: list[File]) -> Any:
    tables = read_judgments(sources).tables
    return setting.service.campaigns.move(read_campaign(sources), tables, author="boss")


def test_judges_go_on_after_the_last_document_that_they_judged(setting: Setting, shared: Path):
    """Of nine documents five were judged: two and a half by two people."""
    sources = files(shared, slice(0, 5))
    made = moved(setting, sources)
    lines = [json.loads(line) for line in sources[1].data.splitlines()]
    setting.start()
    accounts = {one.pin: one for one in setting.store.judges(NAME)}
    assert [*accounts] == ["anna", "ben", "carla"]
    data = json.loads(sources[0].data)["data"]
    for user, account in accounts.items():
        done = sum(line["user_id"] == user for line in lines)
        if done == len(data[user]):
            setting.rest(account.id)
            continue
        screen = setting.next(account.id, go_on=True)
        expected = data[user][done][0]
        assert screen.position == 1
        assert (
            setting.store.step(NAME, account.id, screen.assignment, 1).item.source
            == (expected["src"])
        )
    # a personal link lets each of them in
    slip = made.slips["ben"]
    assert setting.service.accounts.follow_link(NAME, slip.token).pin == "ben"
    tallies = {one.account.pin: one for one in setting.service.monitoring.status(NAME).judges}
    assert [tallies[user].decisions for user in ("anna", "ben", "carla")] == [6, 4, 0]


NO_SPANS = pl.DataFrame(
    schema=dict.fromkeys(
        ("judge", "document", "segment", "system", "start", "end", "severity", "missing", "status"),
        pl.String,
    )
)


def rows(tables: Any) -> tuple[list[Any], list[Any]]:
    keys = ["judge", "document", "segment", "system"]
    own = tables["judgments"].filter(tables["judgments"]["status"] == "valid")
    own = own.filter(own["question"] == "score")
    spans = tables["spans"].filter(tables["spans"]["status"] == "valid")
    marks = [*keys, "start", "end", "severity", "missing"]
    return sorted(own.select(*keys, "value").rows()), sorted(
        spans.with_columns(spans["missing"].fill_null(value=False)).select(marks).rows()
    )


def test_everything_that_was_judged_is_there_and_goes_back(setting: Setting, shared: Path):
    from jurat.campaigns.export_files import in_format

    sources = files(shared)
    moved(setting, sources)
    before, after = read_judgments(sources).tables, setting.service.campaigns.tables(NAME)
    assert rows(after) == rows(before)
    # the time on a document is divided among its translations
    total = before["judgments"].unique(["judge", "position"])
    spent = (total["decided_at"] - total["shown_at"]).dt.total_seconds().sum()
    scores = after["judgments"].filter(after["judgments"]["question"] == "score")
    screens = scores.unique(["judge", "position"])
    assert screens["seconds"].sum() == pytest.approx(spent, abs=1)
    assert after["judgments"]["decided_at"].max() == before["judgments"]["decided_at"].max()
    packed = setting.store.address + ".zip"
    Path(packed).write_bytes(in_format(setting.service, NAME, "pearmut"))
    assert rows(read_judgments(load(packed)).tables) == rows(before)


def test_comments_and_text_fields_are_comments_here_and_go_back(setting: Setting, shared: Path):
    from jurat.campaigns.export_files import in_format

    sources = files(shared, slice(0, 2))
    first, second = map(json.loads, sources[1].data.splitlines())
    first["comment"] = "a hard one"
    second["annotation"][1]["alpha"]["textfield"] = "Besser so"
    data = b"\n".join(json.dumps(line).encode() for line in (first, second))
    sources[1] = File("a.jsonl", data)
    moved(setting, sources)
    flags = setting.service.campaigns.tables(NAME)["flags"]
    assert flags.select("flag", "comment").rows() == [
        ("comment", "a hard one"),
        ("comment", "Besser so"),
    ]
    packed = setting.store.address + ".zip"
    Path(packed).write_bytes(in_format(setting.service, NAME, "pearmut"))
    texts = read_judgments(load(packed)).tables["texts"]
    assert texts.select("question", "text").rows() == [
        ("comment", "a hard one"),
        ("comment", "Besser so"),
    ]


def test_resets_and_second_judgments_stay_and_do_not_count(setting: Setting, shared: Path):
    sources = files(shared, slice(0, 2))
    first, second = sources[1].data.splitlines()
    again = json.loads(first)
    again["annotation"][0]["alpha"]["score"] = 1
    reset = json.dumps({"annotation": "__RESET__", "user_id": "anna"}).encode()
    sources[1] = File("a.jsonl", b"\n".join([second, reset, first, json.dumps(again).encode()]))
    moved(setting, sources)
    table = setting.service.campaigns.tables(NAME)["judgments"]
    table = table.filter(table["question"] == "score")
    counts = dict(table.group_by("status").len().rows())
    assert counts == {"excluded": 4, "superseded": 4, "valid": 4}
    valid = table.filter(table["status"] == "valid")
    assert valid["value"].to_list()[0] == 1
    assert {*valid["revision"]} == {2}


def test_users_with_documents_of_their_own_keep_them(setting: Setting, shared: Path):
    data = json.loads(files(shared)[0].data)["data"]
    own = {"anna": data["anna"][:1], "ben": data["ben"][1:], "carla": data["carla"]}
    moved(setting, files(shared, slice(0, 1), data=own))
    setting.start()
    ben = next(one for one in setting.store.judges(NAME) if one.pin == "ben")
    seen = {
        setting.store.step(NAME, ben.id, one.assignment, one.position).item.source
        for one in setting.all_kits(ben.id)
    }
    assert seen == {item["src"] for document in own["ben"] for item in document}
    anna = next(one for one in setting.store.judges(NAME) if one.pin == "anna")
    setting.rest(anna.id, go_on=True)


def test_nothing_is_stored_where_something_is_wrong(setting: Setting, shared: Path):
    sources = files(shared)
    moved(setting, sources)
    with pytest.raises(InputError, match="there is a campaign"):
        moved(setting, sources)
    assert len(setting.store.campaigns()) == 1
    with pytest.raises(InputError, match="give the campaign's own file"):
        read_campaign(sources[1:])


APPRAISE = {
    "CAMPAIGN_NAME": NAME,
    "TASK_TYPE": "Document",
    "TASK_OPTIONS": "ESA",
    "TASKS_TO_ANNOTATORS": [["eng", "deu", "uniform", 2, 1]],
    "REDUNDANCY": 1,
}


def appraise(results: str, *items: tuple[int, str, str, str]) -> list[File]:
    """A campaign of Appraise with items: number, document, system and translation."""
    told = [
        {
            "itemID": number,
            "itemType": "TGT",
            "documentID": f"{document}#{system}",
            "sourceID": "src",
            "sourceText": f"Good {number}.",
            "targetID": system,
            "targetText": text,
            "mqm": [],
            "isCompleteDocument": False,
        }
        for number, document, system, text in items
    ]
    batches = [{"task": {"sourceLanguage": "eng", "targetLanguage": "deu"}, "items": told}]
    return [
        File("manifest.json", json.dumps(APPRAISE).encode()),
        File("batches.json", json.dumps(batches).encode()),
        File("results.csv", results.encode()),
    ]


def test_a_campaign_of_appraise_moves_with_its_results(setting: Setting) -> None:
    """As `docs/formats.md` has one, where every segment has all systems."""
    marks = '"[{""start_i"":0,""end_i"":2,""severity"":""minor"",""error_type"":null}]"'
    result = f"ann,A,1,TGT,eng,deu,86,d1#A,False,{marks},1711315415.4,1711315424.0\n"
    tutorial = "ben,A,9,TGT,eng,deu,100,d0-tutorial1#A,False,[],1711315415.4,1711315424.0\n"
    sources = appraise(result + tutorial, (1, "d1", "A", "Gut."), (1, "d1", "B", "Fein."))
    moved(setting, sources)
    # somebody who has done the tutorial alone has an account, too
    assert {one.pin for one in setting.store.judges(NAME)} == {"ann", "ben"}
    values, spans = rows(setting.service.campaigns.tables(NAME))
    assert values == [("ann", "d1", "1", "A", 86.0)]
    assert spans == [("ann", "d1", "1", "A", 0, 3, "minor", False)]


def test_batches_in_which_systems_share_no_segment_and_a_document_is_begun(
    setting: Setting,
) -> None:
    """Ann has judged the document of A, and Ben half of that of B: nobody else's segments exist."""
    row = "{},{},{},TGT,eng,deu,{},{},False,[],{}.0,{}.0\n"
    results = (
        row.format("ann", "A", 1, 80, "d1#A", 1711315400, 1711315420)
        + row.format("ann", "A", 2, 70, "d1#A", 1711315420, 1711315440)
        + row.format("ben", "B", 3, 60, "d2#B", 1711315400, 1711315430)
    )
    items = [(n, "d1" if n < 3 else "d2", "A" if n < 3 else "B", f"Gut {n}.") for n in range(1, 5)]
    items.append((5, "d3", "A", "Gut 5."))
    made = moved(setting, appraise(results, *items))
    assert [len(kit.items) for kit in made.new.kits] == [2, 2, 1]
    assert any("nobody was to judge" in note and note.endswith(": 5") for note in made.notes)
    assert not any("skipped" in note for note in made.notes)
    values, _ = rows({**setting.service.campaigns.tables(NAME), "spans": NO_SPANS})
    assert values == [
        ("ann", "d1", "1", "A", 80.0),
        ("ann", "d1", "2", "A", 70.0),
        ("ben", "d2", "3", "B", 60.0),
    ]
    setting.start()
    accounts = {one.pin: one for one in setting.store.judges(NAME)}
    # Ben goes on with the second segment of his document, and Ann with what nobody has judged
    ben = setting.next(accounts["ben"].id, go_on=True)
    assert (ben.position, ben.translations) == (2, ("Gut 4.",))
    ann = setting.next(accounts["ann"].id, go_on=True)
    assert (ann.position, ann.translations) == (1, ("Gut 5.",))


def test_adjudicators_get_what_was_judged_in_another_order_than_it_stands_in(
    setting: Setting,
) -> None:
    """Appraise shows whole documents: Ann has begun with the second segment."""
    row = "{},A,{},TGT,eng,deu,{},d1#A,False,[],{}.0,{}.0\n"
    results = (
        row.format("ann", 1, 80, 1711315440, 1711315460)
        + row.format("ann", 2, 20, 1711315400, 1711315420)
        + row.format("ben", 1, 60, 1711315400, 1711315420)
        + row.format("ben", 2, 70, 1711315420, 1711315440)
    )
    moved(setting, appraise(results, (1, "d1", "A", "Gut."), (2, "d1", "A", "Ja.")))
    found = setting.service.adjudication.contested(NAME, "esa", more_than=0)
    assert [(one.item.segment, one.distance) for one in found] == [("2", 50.0), ("1", 20.0)]


def test_a_pearmut_campaign_in_which_models_differ(setting: Setting) -> None:
    """A has a document of its own; whoever has judged it is not asked about B there."""
    texts = {"d1": {"A": "Gut.", "B": "Fein."}, "d2": {"A": "Ja."}}
    items = {name: {"item_id": f"{name}_#_0", "src": "s", "tgt": t} for name, t in texts.items()}
    info = {"assignment": "single-stream", "protocol": "ESA", "users": ["ann", "ben"]}
    campaign = {"campaign_id": NAME, "info": info, "data": [[item] for item in items.values()]}
    answer = {"annotation": [{"A": {"score": 7}}], "item": [items["d2"]], "user_id": "ann"}
    files = {"c.json": campaign, "log.jsonl": {**answer, "item_i": 1}}
    made = moved(setting, [File(name, json.dumps(told).encode()) for name, told in files.items()])
    assert sum(len(kit.items) for kit in made.new.kits) == 3
    values, _ = rows({**setting.service.campaigns.tables(NAME), "spans": NO_SPANS})
    assert values == [("ann", "d2", "0", "A", 7.0)]


def test_what_is_left_to_judge_goes_back_too(setting: Setting, shared: Path):
    """Five documents of nine are judged; each decision is a document there, of one segment."""
    from jurat.campaigns.export_files import in_format

    sources = files(shared, slice(0, 5))
    moved(setting, sources)
    with ZipFile(BytesIO(in_format(setting.service, NAME, "pearmut"))) as packed:
        names = ("campaign.json", "progress.json")
        back = {name: json.loads(packed.read(name)) for name in names}
    data = back["campaign.json"]["data"]
    assert {user: sum(map(len, own)) for user, own in data.items()} == {
        user: sum(map(len, own)) for user, own in json.loads(sources[0].data)["data"].items()
    }
    states = {user: one["progress"] for user, one in back["progress.json"][NAME].items()}
    done = {user: own.count("completed") for user, own in states.items()}
    assert done == {"anna": 6, "ben": 4, "carla": 0}
    assert {user: len(own) for user, own in states.items()} == {u: len(d) for u, d in data.items()}
    texts = {item["src"] for item in data["carla"][0]}
    original = json.loads(sources[0].data)["data"]["carla"][0]
    assert texts == {item["src"] for item in original}


def test_what_is_left_to_judge_goes_back_to_appraise(setting: Setting) -> None:
    """Also before anybody has marked an error: then only the scores are known to be scores."""
    from jurat.campaigns.export_files import in_format

    results = "ann,A,1,TGT,eng,deu,80,d1#A,False,[],1711315400.0,1711315420.0\n"
    items = [(n, f"d{n}", "A", f"Gut {n}.") for n in range(1, 4)]
    moved(setting, appraise(results, *items))
    with ZipFile(BytesIO(in_format(setting.service, NAME, "appraise"))) as packed:
        names = [f"left/{name}" for name in ("manifest.json", "batches.json")]
        notes = packed.read("notes.txt").decode()
        left = read_campaign([File(name, packed.read(name)) for name in names])
    texts = [one.translations["A"].text for _, one in left.test_set.segments()]
    assert (left.title, left.protocol, texts) == (NAME, "esa", ["Gut 2.", "Gut 3."])
    assert "answers that follow from marked errors are not written: errors" in notes
    assert "answers to other questions" not in notes


def test_errors_marked_beforehand_move_with_what_became_of_them_and_go_back(
    setting: Setting, shared: Path
) -> None:
    """Anna keeps one of two suggestions, and says that instructions were not followed."""
    from jurat.campaigns.export_files import in_format

    campaign, annotations, progress = files(shared, slice(0, 1))
    told, line = json.loads(campaign.data), json.loads(annotations.data)
    told["info"]["special_tokens"] = ["[missing]", "[fault]"]
    before = [
        {"start_i": 0, "end_i": 3, "severity": "minor", "category": None},
        {"start_i": 5, "end_i": 10, "severity": "major", "category": None},
    ]
    for own in told["data"].values():
        own[0][0]["error_spans"] = {"alpha": before}
        own[1][0]["error_spans"] = {"beta": before[:1]}
    line["item"][0] = told["data"]["anna"][0][0]
    at = len(line["item"][0]["tgt"]["alpha"]) + 1
    fault = {"start_i": at, "end_i": at, "severity": "major", "category": None}
    line["annotation"][0]["alpha"]["error_spans"] = [before[0], fault]
    sources = [
        File("c.json", json.dumps(told).encode()),
        File("a.jsonl", json.dumps(line).encode()),
        progress,
    ]
    made = moved(setting, sources)
    assert not any("skipped" in note for note in made.notes), made.notes
    tables = setting.service.campaigns.tables(NAME)
    fates = tables["suggestions"].select("system", "start", "fate").rows()
    assert fates == [("alpha", 0, "kept"), ("alpha", 5, "removed")]
    marked = tables["spans"].filter(pl.col("system") == "alpha", pl.col("segment") == "0")
    assert marked.select("category", "fate").rows() == [(None, "kept"), ("[fault]", "added")]
    packed = setting.store.address + ".zip"
    Path(packed).write_bytes(in_format(setting.service, NAME, "pearmut"))
    with ZipFile(packed) as archive:
        back = json.loads(archive.read("campaign.json"))
        log = json.loads(archive.read("annotations.json"))[NAME]
    assert back["info"]["special_tokens"] == ["[missing]", "[fault]"]
    (first,) = (one for one in log if "error_spans" in one["item"][0])
    assert first["annotation"][0]["alpha"]["error_spans"] == [before[0], fault]
    assert first["item"][0]["error_spans"] == {"alpha": before}
    left = [item for document in back["data"]["carla"] for item in document]
    assert [item["error_spans"] for item in left if "error_spans" in item] == [
        {"alpha": before},
        {"beta": before[:1]},
    ]


PLACE = ("judge", "document", "segment", "system")


def numbers(found: Any) -> list[Any]:
    """All that count of the numbers that judges gave, however their questions are called."""
    table = found["judgments"]
    own = table.filter(pl.col("status") == "valid") if "status" in table.columns else table
    return sorted(own.select(*PLACE, "value").rows())


def returned(setting: Setting, to: str) -> tuple[Any, ZipFile]:
    """What is read of the files with which a campaign goes back, and these files."""
    from jurat.campaigns.export_files import in_format

    packed = in_format(setting.service, NAME, to)
    path = Path(setting.store.address + ".zip")
    path.write_bytes(packed)
    return read_judgments(load(path)).tables, ZipFile(BytesIO(packed))


def pearmut(answer: dict[str, Any], **info: object) -> list[File]:
    """A campaign with two documents of one segment, of which ann has judged the first."""
    items = [{"item_id": f"d{n}_#_0", "src": "s", "tgt": {"A": "Gut."}} for n in (1, 2)]
    facts = {"assignment": "single-stream", "users": ["ann", "ben"], **info}
    campaign = {"campaign_id": NAME, "info": facts, "data": [[item] for item in items]}
    line = {"annotation": [{"A": answer}], "item": items[:1], "user_id": "ann", "item_i": 0}
    told = {"c.json": campaign, "log.jsonl": {**line, "actions": [{"time": 9.0, "action": "load"}]}}
    return [File(name, json.dumps(one).encode()) for name, one in told.items()]


def test_sliders_of_pearmut_are_questions_and_go_back(setting: Setting) -> None:
    sliders = [
        {"name": "fluency", "min": 0, "max": 10, "step": 1},
        {"name": "Meaning kept", "min": 1, "max": 5, "step": 1},
    ]
    answer: dict[str, Any] = {
        "score": None,
        "error_spans": [],
        "sliders": {"fluency": 3, "Meaning kept": 5},
    }
    made = moved(setting, pearmut(answer, protocol="DA", sliders=sliders))
    assert made.notes == ()
    table = setting.service.campaigns.tables(NAME)["judgments"]
    assert dict(table.select("question", "value").rows()) == {"fluency": 3.0, "Meaning-kept": 5.0}
    read, files = returned(setting, "pearmut")
    assert dict(read["judgments"].select("question", "value").rows()) == {
        "fluency": 3.0,
        "Meaning-kept": 5.0,
    }
    info = json.loads(files.read("campaign.json"))["info"]
    assert [tuple(one.values()) for one in info["sliders"]] == [
        ("fluency", 0, 10, 1),
        ("Meaning-kept", 1, 5, 1),
    ]


def test_the_kinds_of_errors_of_a_pearmut_campaign_stay_as_they_are_written(
    setting: Setting,
) -> None:
    """Also of something missing, and of a category that the campaign does not declare."""
    marked = [(0, 2, "Minor", "Style/Odd"), (4, 4, "Major", "Accuracy/Omission")]
    spans = [
        dict(zip(("start_i", "end_i", "severity", "category"), m, strict=True)) for m in marked
    ]
    answer = {"score": 70, "error_spans": [*spans, {**spans[0], "category": "Other/Other"}]}
    kinds = {"Accuracy": ["Omission", "Addition"], "Style": ["Odd"]}
    made = moved(setting, pearmut(answer, protocol="MQM", mqm_categories=kinds))
    assert made.notes == ()
    found = setting.service.campaigns.tables(NAME)
    assert found["spans"].select("severity", "category", "missing").rows() == [
        ("Minor", "Style/Odd", False),
        ("Major", "Accuracy/Omission", True),
        ("Minor", "Other/Other", False),
    ]
    assert dict(found["judgments"].select("question", "value").rows()) == {
        "errors": -7.0,
        "score": 70.0,
    }
    _, files = returned(setting, "pearmut")
    info = json.loads(files.read("campaign.json"))["info"]
    assert (info["protocol"], info["special_tokens"]) == ("MQM", ["[missing]"])
    assert info["mqm_categories"] == {**kinds, "Other": []}
    (line,) = json.loads(files.read("annotations.json"))[NAME]
    (told,) = line["annotation"]
    assert told["A"]["error_spans"] == answer["error_spans"]
    assert (told["A"]["score"], "sliders" in told["A"]) == (70, False)


@pytest.mark.parametrize("protocol", ["ESA", "DA", "MQM"])
def test_a_campaign_in_which_nothing_counts_goes_back_with_what_is_left(
    setting: Setting, protocol: str
) -> None:
    from jurat.campaigns.export_files import in_format

    score = None if protocol == "MQM" else 70
    sliders: dict[str, Any] = {"sliders": {}} if protocol == "MQM" else {}
    answer = {"score": score, "error_spans": [], **sliders}
    info: dict[str, Any] = {"sliders": []} if protocol == "MQM" else {}
    campaign, log = pearmut(answer, protocol=protocol, **info)
    reset = json.dumps({"annotation": "__RESET__", "user_id": "ann"}).encode()
    moved(setting, [campaign, File(log.name, b"\n".join([log.data, reset]))])
    with ZipFile(BytesIO(in_format(setting.service, NAME, "pearmut"))) as packed:
        back = json.loads(packed.read("campaign.json"))
        assert json.loads(packed.read("annotations.json")) == {NAME: []}
    assert (back["campaign_id"], back["info"]["protocol"]) == (NAME, protocol)
    assert back["info"].get("sliders") == info.get("sliders")
    left = [item["item_id"] for (item,) in (own for user in back["data"].values() for own in user)]
    assert sorted(left) == ["d1_#_0", "d2_#_0"]
    with ZipFile(BytesIO(in_format(setting.service, NAME, "appraise"))) as packed:
        names = {"left/manifest.json", "left/batches.json", "notes.txt"}
        assert {*packed.namelist()} == names
        assert json.loads(packed.read("left/manifest.json"))["CAMPAIGN_NAME"] == NAME
    with pytest.raises(InputError, match="no judgment counts yet"):
        in_format(setting.service, NAME, "excel")


def test_severities_that_weigh_nothing_are_named(setting: Setting) -> None:
    spans = [
        {"start_i": 0, "end_i": 2, "severity": name, "category": None}
        for name in ("neutral", "Critical", "blocker")
    ]
    made = moved(setting, pearmut({"score": 70, "error_spans": spans}, protocol="ESA"))
    note = "severities without a usual weight, which count 0: blocker, Critical"
    assert made.notes == (note,)


def test_errors_alone_go_back_to_pearmut_without_a_score(setting: Setting) -> None:
    span = {"start_i": 0, "end_i": 2, "severity": "major", "category": "accuracy/addition"}
    answer: dict[str, Any] = {"score": None, "error_spans": [span], "sliders": {}}
    moved(setting, pearmut(answer, protocol="MQM", sliders=[]))
    read, files = returned(setting, "pearmut")
    assert numbers(read) == [("ann", "d1", "0", "A", -5.0)]
    info = json.loads(files.read("campaign.json"))["info"]
    assert (info["protocol"], info["sliders"]) == ("MQM", [])


APPRAISE_TEXTS = ("sourceID", "sourceText", "targetID", "targetText", "itemType", "documentID")


@pytest.mark.parametrize(("options", "value"), [("", 61.0), ("SQM", 62.0), ("MQM", -5.0)])
def test_other_kinds_of_documents_in_appraise(setting: Setting, options: str, value: float) -> None:
    """Scores from 0 to 100 against the source; in MQM, errors with categories of the results."""
    kind = '""error_type"": [""Accuracy"", ""Mistranslation""]'
    marks = f'"[{{""start_i"": 0, ""end_i"": 2, ""severity"": ""major"", {kind}}}]"'
    told, spans = (0, marks) if options == "MQM" else (value, "[]")
    result = f"ann,A,1,TGT,eng,deu,{told},d1#A,False,{spans},1711315415.4,1711315424.0\n"
    whole = "ann,A,1,TGT,eng,deu,50,d1#A,True,[],1711315424.0,1711315430.0\n"
    results = result if options == "MQM" else result + whole
    sources = appraise(results, (1, "d1", "A", "Gut."), (2, "d2", "A", "Fein."))
    manifest = {**json.loads(sources[0].data), "TASK_OPTIONS": options}
    made = moved(setting, [File("manifest.json", json.dumps(manifest).encode()), *sources[1:]])
    assert made.notes == (() if options == "MQM" else ("scores of whole documents: 1",))
    assert numbers(setting.service.campaigns.tables(NAME)) == [("ann", "d1", "1", "A", value)]
    read, files = returned(setting, "appraise")
    assert numbers(read) == [("ann", "d1", "1", "A", value)]
    assert json.loads(files.read("left/manifest.json"))["TASK_OPTIONS"] == options
    (batch,) = json.loads(files.read("left/batches.json"))
    assert (batch["task"]["judge"], len(batch["items"])) == ("ann", 1)
    # what Appraise takes of these files without asking whether it is there
    assert {"CAMPAIGN_KEY", "CAMPAIGN_NO", "CAMPAIGN_URL"} <= json.loads(
        files.read("left/manifest.json")
    ).keys()
    assert {"batchNo", "requiredAnnotations"} <= batch["task"].keys()
    assert {type(batch["items"][0][name]) for name in APPRAISE_TEXTS} == {str}
    assert batch["items"][0]["isCompleteDocument"] is False
    assert batch["items"][0]["itemID"] == 2


def test_direct_assessment_and_pairs_of_appraise_have_no_documents(setting: Setting) -> None:
    about = {"itemType": "TGT", "sourceID": "src", "sourceText": "Good."}
    targets = [{"targetID": name, "targetText": f"Gut {name}."} for name in "AB"]
    items = [{**about, "itemID": n, "targets": targets} for n in (1, 2)]
    row = "ann,{},1,TGT,eng,deu,{},,,1711315415.4,1711315424.0\n"
    sources = appraise(row.format("A", 80) + row.format("B", 60))
    batches = [{"items": items, "task": {"sourceLanguage": "eng", "targetLanguage": "deu"}}]
    manifest = {**json.loads(sources[0].data), "TASK_TYPE": "Pairwise", "TASK_OPTIONS": ""}
    files = {"manifest.json": manifest, "batches.json": batches}
    made = moved(
        setting, [*(File(n, json.dumps(t).encode()) for n, t in files.items()), sources[2]]
    )
    assert made.notes == ()
    assert [len(kit.items[0].translations) for kit in made.new.kits] == [2, 2]
    values = numbers(setting.service.campaigns.tables(NAME))
    assert values == [("ann", "1", "1", "A", 80.0), ("ann", "1", "1", "B", 60.0)]
    read, packed = returned(setting, "appraise")
    assert numbers(read) == values
    note = "translations that are side by side here are items of their own: 2"
    assert note in packed.read("notes.txt").decode()
