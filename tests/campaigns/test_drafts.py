"""A campaign is prepared step by step: files, tasks, rules; looked over; made."""

from typing import Any

import pytest
from msgspec.structs import replace

from jurat import protocols
from jurat.campaigns import drafts
from jurat.campaigns.config import read_plan
from jurat.campaigns.draft_preview import tag_values
from jurat.campaigns.drafts import Drafts, check_sizes, stored_name, tidy_name
from jurat.campaigns.screens import Screen
from jurat.campaigns.service_context import NotOffered
from jurat.errors import InputError
from jurat.model import File, Judge
from jurat.store import CampaignExists, NoSuchCampaignDraft
from jurat.testsets import Role, SetFile
from jurat.yamlfile import dump
from tests.campaigns.sample_campaigns import (
    NAME,
    SAMPLE,
    SYSTEMS,
    Setting,
    head,
    jsonl,
    make_set,
    plan,
    segment,
    task,
)

SET = SetFile("set.jsonl", make_set())
LESSON = SetFile("lesson.jsonl", make_set(1, 1, kind="lesson"))


@pytest.fixture
def desk(setting: Setting) -> Drafts:
    return setting.service.drafts


@pytest.fixture
def quick_desk(quick: Setting) -> Drafts:
    return quick.service.drafts


def begin(desk: Drafts, *files: SetFile, **declared: object) -> str:
    key = desk.new(author="Ada").id
    if files:
        desk.upload(key, "test_set", files)
    desk.set_fields(key, declared)
    return key


def told(desk: Drafts, key: str) -> dict[str | None, str]:
    return {problem.field: str(problem) for problem in desk.preview(key).problems}


def test_from_nothing_to_a_campaign(setting: Setting, desk: Drafts):
    key = desk.new(author="Ada").id
    assert set(told(desk, key)) == {"name", "test_set", "tasks"}
    desk.upload(key, "test_set", [SET])
    desk.set_fields(key, {"name": NAME, "title": "Spring"})
    assert set(told(desk, key)) == {"tasks"}
    desk.set_fields(key, {"tasks.1.protocol": "da"})
    assert set(told(desk, key)) == {"tasks.1.name"}
    desk.set_fields(key, {"tasks.1.name": "rating", "guest": True})
    assert not desk.preview(key).problems
    made = desk.create(key, author="Grace")
    assert (made.name, made.title) == (NAME, "Spring")
    assert desk.all() == ()
    with pytest.raises(NoSuchCampaignDraft):
        desk.preview(key)
    assert setting.store.audit_log(NAME)[0].author == "Grace"
    setting.judges(6)
    setting.start()
    assert setting.play()


def test_it_becomes_the_campaign_that_its_file_declares(quick: Setting, quick_desk: Drafts):
    """The same kits, to the last letter, as from the command line."""
    quick.sample()
    files = {path.name: path.read_bytes() for path in SAMPLE.iterdir() if path.is_file()}
    key = quick_desk.new(author="Ada").id
    quick_desk.load_yaml(key, File("campaign.yaml", files["campaign.yaml"]))
    assert {str(problem) for problem in quick_desk.preview(key).problems} == {
        "testset.jsonl: this file has not been uploaded",
        "tutorial.jsonl: this file has not been uploaded",
        "campaign.yaml, field name: there is a campaign 'sample' already",
    }
    quick_desk.upload(key, "test_set", [SetFile("testset.jsonl", files["testset.jsonl"])])
    quick_desk.upload(key, "tutorial", [SetFile("tutorial.jsonl", files["tutorial.jsonl"])])
    quick_desk.set_fields(key, {"name": "again"})
    quick_desk.create(key, author="Ada")
    store = quick.store
    assert list(store.kits("again")) == list(store.kits("sample"))
    assert store.test_set("again") == store.test_set("sample")
    assert store.tutorial("again") == store.tutorial("sample")
    ours, theirs = (store.campaign(name) for name in ("again", "sample"))
    assert ours.protocols == theirs.protocols
    assert ours.declaration == {**theirs.declaration, "name": "again"}  # type: ignore[dict-item]
    assert [replace(p) for p in ours.phases] == list(theirs.phases)


def test_all_faults_of_all_files_with_their_places(quick_desk: Drafts):
    lines = [segment("d", 1), segment("d", 1), segment("d", 2)]
    del lines[2]["translations"]["birch"]
    faulty = SetFile("set.jsonl", jsonl([head(["d"]), *lines]))
    key = begin(quick_desk, faulty, name=NAME, tasks=[task("da")])
    quick_desk.upload(key, "tutorial", [SetFile("lesson.jsonl", b"nonsense")])
    protocol = File("own.yaml", b"name: own\ntitle: Own\nstages: []\n")
    assert quick_desk.upload_protocol(key, protocol) == "own.yaml"
    quick_desk.set_fields(key, {"tasks.2": task("own.yaml") | {"name": "own"}, "seed": "x"})
    preview = quick_desk.preview(key)
    places = {(problem.file, problem.line) for problem in preview.problems}
    assert ("set.jsonl", 3) in places
    assert any(file == "lesson.jsonl" for file, _ in places)
    assert any(file == "own.yaml" for file, _ in places)
    files = {step: {f.file for f in preview.faults_of(step)} for step in ("set", "tasks", "rules")}
    assert files == {
        "set": {"set.jsonl", "lesson.jsonl"},
        "tasks": {"own.yaml"},
        "rules": {"campaign.yaml"},
    }
    assert preview.test_set is None
    with pytest.raises(InputError) as refused:
        quick_desk.create(key, author="Ada")
    assert refused.value.problems == preview.problems


def test_a_task_that_is_wrong_does_not_hide_the_others(quick_desk: Drafts):
    tasks = [
        {"name": "one", "protocol": "no-such"},
        task("da", wanted=2, policy="first-availible"),
        {"protocol": "preference", "systems": ["cedar", "birsh"]},
        {"name": "pairs", "protocol": "preference", "kits": {"documents": 2}},
    ]
    key = begin(quick_desk, SET, name=NAME, tasks=tasks)
    preview = quick_desk.preview(key)
    found = {problem.field: problem for problem in preview.problems}
    assert "unknown protocol 'no-such'" in str(found["tasks.1.protocol"])
    assert "unknown policy" in str(found["tasks.2.policy"])
    assert "'name' is missing" in str(found["tasks.3.name"])
    assert "did you mean 'birch'" in str(found["tasks.3.systems"])
    assert len(found) == 4
    assert found["tasks.3.systems"].line is not None
    audit = preview.audit()
    assert audit is not None
    assert [(each.task, each.kits, each.wanted) for each in audit.tasks] == [
        ("rating", 6, 2),
        ("pairs", 1, 1),
    ]
    assert audit.hours > 0


def test_the_audit_is_for_the_judges_that_are_thought_of(quick_desk: Drafts):
    key = begin(quick_desk, SET, name=NAME, tasks=[task("da", wanted=2, kits={"documents": 2})])
    preview = quick_desk.preview(key)
    nobody, few, enough = (
        preview.audit([Judge(id=str(n)) for n in range(count)]) for count in (0, 5, 6)
    )
    assert nobody is not None
    assert few is not None
    assert enough is not None
    assert not nobody.errors
    assert any("have at least 6 judges" in finding.message for finding in nobody.findings)
    assert any("need 6 different judges" in finding.message for finding in few.errors)
    assert not enough.errors
    empty = quick_desk.preview(quick_desk.new(author="Ada").id)
    assert empty.audit() is None


def test_the_preview_is_what_a_judge_will_see(quick: Setting, quick_desk: Drafts):
    tasks = [task("da"), task("tcstar") | {"name": "stages"}]
    key = begin(quick_desk, SET, name=NAME, tasks=tasks)
    quick_desk.upload(key, "tutorial", [LESSON])
    preview = quick_desk.preview(key)
    shown = preview.screens(1, most=2)
    assert [screen.position for screen in shown] == [1, 2]
    (lesson,) = preview.screens(1, phase="tutorial")
    assert lesson.phase == "tutorial"
    assert [screen.stage for screen in preview.screens(2, most=9)] == [0, 0, 1, 1]
    with pytest.raises(InputError, match="unknown task 3"):
        preview.screens(3)
    assert not quick.store.campaigns()
    quick_desk.create(key, author="Ada")
    judge = quick.judges(6)[0].id
    quick.start()
    seen = quick.service.judging.next(NAME, judge)
    assert isinstance(seen, Screen)
    assert replace(seen, assignment="") == shown[0]


def test_nothing_is_shown_of_what_cannot_be_built(quick_desk: Drafts):
    key = begin(quick_desk, SET, name=NAME, tasks=[task("da", systems=["x"]), task("da")])
    preview = quick_desk.preview(key)
    assert preview.screens(1) == []
    assert preview.screens(2)


def test_what_is_in_the_sets(quick_desk: Drafts):
    lines = [segment("a", 1, tags={"genre": "news"}), segment("b", 1), segment("b", 2)]
    about = head(["a", "b"]) | {"source_language": "es", "target_language": "en"}
    key = begin(quick_desk, SetFile("s.jsonl", jsonl([about, *lines])))
    found = quick_desk.preview(key).sets
    assert list(found) == ["test_set"]
    whole = found["test_set"]
    assert [(one.id, len(one.segments)) for one in whole.documents] == [("a", 1), ("b", 2)]
    assert whole.references == ("A", "B")
    assert [system.name for system in whole.systems] == list(SYSTEMS)
    assert (whole.source_language, whole.target_language) == ("es", "en")
    assert tag_values(whole) == {"genre": ["news"]}


def test_text_files_with_their_roles(quick_desk: Drafts):
    key = quick_desk.new(author="Ada").id
    files = [
        SetFile("es.txt", b"uno\ndos\n", Role("source")),
        SetFile("a.txt", b"one\ntwo\n", Role("reference", "A")),
        SetFile("cedar.txt", b"won\ntoo\n", Role("system")),
        SetFile("birch.txt", b"1\n2\n"),
    ]
    quick_desk.upload(key, "test_set", files)
    declared: Any = quick_desk.get(key).declaration["test_set"]
    assert declared["systems"]["birch"] == "birch.txt", "guessed"
    quick_desk.set_roles(key, "test_set", {"birch.txt": Role("system", "oak")})
    test_set = quick_desk.preview(key).test_set
    assert test_set is not None
    assert [system.name for system in test_set.systems] == ["cedar", "oak"]
    assert quick_desk.get(key).declaration["test_set"] == {
        "source": "es.txt",
        "references": {"A": "a.txt"},
        "systems": {"cedar": "cedar.txt", "oak": "birch.txt"},
    }
    with pytest.raises(InputError, match="both be the system 'cedar'"):
        quick_desk.set_roles(key, "test_set", {"birch.txt": Role("system", "cedar")})
    quick_desk.upload(key, "test_set", [SetFile("birch.txt", b"3\n4\n")])  # its role stays
    test_set = quick_desk.preview(key).test_set
    assert test_set is not None
    assert test_set.documents[0].segments[0].translations["oak"].text == "3"
    quick_desk.remove_file(key, "birch.txt")
    assert [file.name for file in quick_desk.get(key).files] == ["a.txt", "cedar.txt", "es.txt"]
    for name in ("a.txt", "cedar.txt", "es.txt"):
        quick_desk.remove_file(key, name)
    assert quick_desk.get(key).declaration == {}


def test_the_same_name_in_both_sets(quick_desk: Drafts):
    key = begin(quick_desk, SET)
    quick_desk.upload(key, "tutorial", [SetFile("set.jsonl", LESSON.data)])
    assert quick_desk.get(key).declaration == {"test_set": "set.jsonl", "tutorial": "set-2.jsonl"}
    assert quick_desk.file(key, "set.jsonl").data == SET.data
    with pytest.raises(InputError, match="a protocol is a YAML or JSON file"):
        quick_desk.upload_protocol(key, File("set.jsonl", b""))


def test_sets_are_read_once(quick_desk: Drafts, monkeypatch):
    key = begin(quick_desk, SET, name=NAME, tasks=[task("da")])
    first = quick_desk.preview(key)
    assert quick_desk.preview(key) is first
    monkeypatch.delattr("jurat.campaigns.draft_preview.read_test_set")
    quick_desk.set_fields(key, {"tasks.1.wanted": 3})
    audit = quick_desk.preview(key).audit()
    assert audit is not None
    assert audit.tasks[0].wanted == 3


def test_the_file_is_shown_as_it_would_be_read(quick_desk: Drafts):
    declared = plan(
        task("da", wanted=2, groups={"v1.2": "A"}, judges="native == 'yes'"),
        title="中文: yes",
        contact={"name": "Ada"},
        seed=7,
        registration="ask",
        sitting={"items": 5},
    )
    key = begin(quick_desk, SET, **declared)
    text = quick_desk.yaml(key)
    assert text.startswith("name: try\n")
    again = quick_desk.new(author="Ada").id
    quick_desk.load_yaml(again, File("campaign.yaml", text.encode()))
    assert quick_desk.yaml(again) == text
    read = read_plan(File("campaign.yaml", text.encode())).plan
    assert read == read_plan(File("c.yaml", dump(declared).encode())).plan
    assert quick_desk.preview(key).plan == read


@pytest.mark.parametrize("text", ["", "[1]", "x", "a: 1\na: 2", "a: [", "a: *b"])
def test_what_declares_nothing_is_refused_and_changes_nothing(quick_desk: Drafts, text):
    key = begin(quick_desk, SET, title="Spring")
    before = quick_desk.get(key)
    with pytest.raises(InputError, match=r"mine\.yaml"):
        quick_desk.load_yaml(key, File("mine.yaml", text.encode()))
    assert quick_desk.get(key) == before


def test_fields_are_taken_out_again(quick_desk: Drafts):
    key = begin(quick_desk, **{"contact.name": "Ada", "tasks": [task("da"), task("esa")]})
    quick_desk.set_fields(key, {"contact.name": None, "tasks.1": None, "nothing.there": None})
    assert quick_desk.get(key).declaration == {"contact": {}, "tasks": [task("esa")]}
    for field, value in (("title", "a\0b"), ("tasks.7.name", "x"), ("title", "x" * 300_000)):
        with pytest.raises(InputError):
            quick_desk.set_fields(key, {"seed": 5, field: value})
    assert "seed" not in quick_desk.get(key).declaration


def test_documents_of_the_test_set_become_the_tutorial(quick_desk: Drafts):
    files = [SetFile("set.jsonl", make_set(3, 2))]
    key = begin(quick_desk, *files, name=NAME, tasks=[task("da", required={"tutorial": 1})])
    quick_desk.make_tutorial(key, ["paper2"])
    preview = quick_desk.preview(key)
    assert not preview.problems
    assert preview.test_set is not None
    assert preview.tutorial is not None
    assert [one.id for one in preview.test_set.documents] == ["paper1", "paper3"]
    assert [one.id for one in preview.tutorial.documents] == ["paper2"]
    assert [file.name for file in quick_desk.get(key).files] == ["testset.jsonl", "tutorial.jsonl"]
    with pytest.raises(InputError, match="unknown document 'paper2'"):
        quick_desk.make_tutorial(key, ["paper2"])
    with pytest.raises(InputError, match="no document would be left"):
        quick_desk.make_tutorial(key, ["paper1", "paper3"])
    with pytest.raises(InputError, match="no test set yet"):
        quick_desk.make_tutorial(quick_desk.new(author="Ada").id, ["paper1"])


def test_a_part_of_the_test_set_is_kept(quick_desk: Drafts):
    key = begin(quick_desk, SetFile("set.jsonl", make_set(3, 2)))
    quick_desk.upload(key, "tutorial", [SetFile("testset.jsonl", LESSON.data)])
    quick_desk.select(key, systems=["birch"], documents=["paper1", "paper3"], first=1)
    test_set = quick_desk.preview(key).test_set
    assert test_set is not None
    assert [(one.id, len(one.segments)) for one in test_set.documents] == [
        ("paper1", 1),
        ("paper3", 1),
    ]
    assert [system.name for system in test_set.systems] == ["birch"]
    assert quick_desk.get(key).declaration == {
        "test_set": "testset-2.jsonl",
        "tutorial": "testset.jsonl",
    }
    before = quick_desk.get(key)
    with pytest.raises(InputError, match="unknown document 'paper2'"):
        quick_desk.select(key, documents=["paper2"])
    with pytest.raises(InputError, match="no segment of the test set is left"):
        quick_desk.select(key, where="document == 'x'")
    assert quick_desk.get(key) == before


def test_what_runs_is_never_touched(setting: Setting, desk: Drafts):
    judges = setting.launch(plan(task("da"), name=NAME))
    setting.kit(judges[0])
    store = setting.store
    everything = lambda: [  # noqa: E731
        store.campaign(NAME),
        store.test_set(NAME),
        list(store.kits(NAME)),
        store.judges(NAME),
        setting.decisions(),
        store.audit_log(NAME),
    ]
    before = everything()
    key = begin(desk, SET, name=NAME, tasks=[task("da")])
    assert "a campaign 'try' already" in told(desk, key)["name"]
    with pytest.raises(InputError, match="a campaign 'try' already"):
        desk.create(key, author="Ada")
    assert len(desk.all()) == 1
    desk.discard(key, author="Ada")
    assert everything() == before
    assert desk.all() == ()


def test_of_two_who_make_it_one_does(setting: Setting, desk: Drafts, monkeypatch):
    key = begin(desk, SET, name=NAME, tasks=[task("da")])
    monkeypatch.setattr("jurat.campaigns.draft_preview.DraftReader._is_campaign", lambda *_: False)
    setting.create()
    with pytest.raises(CampaignExists):
        desk.create(key, author="Ada")
    assert desk.get(key).files


def test_a_missing_name_is_no_name_that_is_taken(quick: Setting, quick_desk: Drafts):
    quick.create(plan(name="campaign"))
    assert set(told(quick_desk, begin(quick_desk, SET, tasks=[task("da")]))) == {"name"}


def test_a_protocol_of_ones_own(quick: Setting, quick_desk: Drafts):
    mine = protocols.dump(protocols.load("da")).replace("name: da", "name: mine")
    key = begin(quick_desk, SET, name=NAME, tasks=[task("mine.yaml")])
    assert "mine.yaml: this file has not been uploaded" in told(quick_desk, key).values()
    quick_desk.upload_protocol(key, File("mine.yaml", mine.encode()))
    quick_desk.create(key, author="Ada")
    assert quick.service.campaigns.protocol(NAME, "rating").name == "mine"
    with pytest.raises(NotOffered):
        quick.service.accounts.register(NAME)


@pytest.mark.parametrize(
    ("name", "tidy"),
    [
        ("a.txt", "a.txt"),
        ("C:\\texts\\a.txt", "C:/texts/a.txt"),
        ("/etc/passwd", "etc/passwd"),
        ("../../x/./y.txt", "x/y.txt"),
        ("दस्तावेज़ 1.txt", "दस्तावेज़ 1.txt"),
    ],
)
def test_no_name_leads_anywhere(name, tidy):
    assert tidy_name(name) == tidy


@pytest.mark.parametrize("name", ["", "/", "..", "a\0b", "a\nb", "\ud800", "x" * 201])
def test_what_is_no_name_is_refused(name):
    with pytest.raises(InputError, match="cannot be the name"):
        tidy_name(name)


def test_a_file_takes_the_place_of_its_namesake_in_the_same_set_only():
    own, other = ["set.jsonl"], ["set.jsonl", "lesson.jsonl"]
    assert stored_name("set.jsonl", own=own, missing=(), taken=other) == "set.jsonl"
    assert stored_name("lesson.jsonl", own=own, missing=(), taken=other) == "lesson-2.jsonl"
    taken = [*other, "lesson-2.jsonl"]
    assert stored_name("lesson.jsonl", own=own, missing=(), taken=taken) == "lesson-3.jsonl"


def test_a_file_that_is_asked_for_gets_the_name_that_it_is_asked_by():
    missing = ["refs/a.txt", "b.txt", "refs/c.txt", "systems/c.txt"]
    keep = lambda name: stored_name(name, own=missing, missing=missing, taken=missing)  # noqa: E731
    assert keep("a.txt") == "refs/a.txt"
    assert keep("mine/b.txt") == "b.txt"
    assert keep("systems/c.txt") == "systems/c.txt"
    assert keep("c.txt") == "c.txt"  # either could be meant
    assert keep("efs/a.txt") == "efs/a.txt"


def test_too_much_is_refused(monkeypatch):
    for name, value in (("MAX_FILE_BYTES", 10), ("MAX_FILES", 2), ("MAX_BYTES", 15)):
        monkeypatch.setattr(drafts, name, value)
    check_sizes({"a": 10, "b": 5}, ["a", "b"])
    with pytest.raises(InputError, match=r"a: the file has 11 bytes; at most 10"):
        check_sizes({"a": 11}, ["a"])
    with pytest.raises(InputError, match="3 files; at most 2"):
        check_sizes({"a": 1, "b": 1, "c": 1}, ["c"])
    with pytest.raises(InputError, match="more than 15 bytes"):
        check_sizes({"a": 10, "b": 6}, ["b"])
