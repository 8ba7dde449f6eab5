"""From files to a campaign: all that is wrong is said at once, and nothing is half stored."""

import pytest
from msgspec.structs import replace

from jurat import protocols
from jurat.campaigns.create import free_name, name_from
from jurat.campaigns.service_context import ServiceContext
from jurat.errors import InputError
from jurat.model import File
from jurat.store import CampaignExists, NewPhase, NoSuchCampaign
from jurat.yamlfile import dump
from tests.campaigns.sample_campaigns import (
    NAME,
    Setting,
    fetching,
    head,
    jsonl,
    make_set,
    plan,
    segment,
    task,
)


def made(setting: Setting, text: str, **files: bytes):
    known = {name.replace("_", "."): data for name, data in files.items()}
    declaration = File("campaign.yaml", text.encode())
    return setting.service.campaigns.create(declaration, fetching(known), author="boss")


def refused(setting: Setting, text: str, **files: bytes):
    with pytest.raises(InputError) as error:
        made(setting, text, **files)
    assert setting.store.campaigns() == ()
    return error.value.problems


NAMES = """name: try
test_set: set.jsonl
tutorial: missing.jsonl
human_references: [A, C]
tasks:
  - name: one
    protocol: tapet-adequcy
    policy: first-availible
  - name: two
    protocol: own.yaml
  - name: three
    protocol: gone.yaml
"""


def test_the_faults_of_all_files_at_once(setting: Setting):
    own = b"name: own\ntitle: Own\nstages: []\n"
    problems = refused(setting, NAMES, set_jsonl=make_set(), own_yaml=own)
    told = {(problem.file, problem.line): str(problem) for problem in problems}
    assert "did you mean 'tapet-adequacy'" in told["campaign.yaml", 7]
    assert "unknown policy 'first-availible'" in told["campaign.yaml", 8]
    assert "did you mean 'first-available'" in told["campaign.yaml", 8]
    assert "unknown reference 'C'" in told["campaign.yaml", 4]
    assert "there is no such file" in told["gone.yaml", None]
    assert "there is no such file" in told["missing.jsonl", None]
    assert any(file == "own.yaml" for file, _ in told)


def test_a_faulty_test_set_is_told_with_its_lines(quick: Setting):
    lines = [segment("d", 1), segment("d", 1), segment("d", 2)]
    del lines[2]["translations"]["birch"]
    problems = refused(quick, dump(plan()), set_jsonl=jsonl([head(["d"]), *lines]))
    assert {(problem.file, problem.line) for problem in problems} >= {("set.jsonl", 3)}
    assert any("birch" in str(problem) for problem in problems)


BUILDING = """name: try
test_set: set.jsonl
tasks:
  - name: one
    protocol: da
    systems: [cedar, birsh]
    kits: {documents: 1}
  - name: two
    protocol: preference
    kits:
      documents: 1
      systems: 2
  - name: three
    protocol: da
    kits:
      repeats: 50
  - name: four
    protocol: da
    groups:
      x: D
"""


def test_kits_that_cannot_be_built_are_told_with_their_lines(quick: Setting):
    problems = refused(quick, BUILDING, set_jsonl=make_set())
    told = {problem.line: str(problem) for problem in problems}
    assert "did you mean 'birch'" in told[6]
    assert "task two: " in told[12]
    assert "pairs" in told[12]
    assert "50 repeats are asked for" in told[16] or "50 repeats" in told[15]
    assert "unknown reference 'D'" in told[20]
    assert {problem.file for problem in problems} == {"campaign.yaml"}


def test_a_name_that_is_taken(setting: Setting):
    setting.create()
    with pytest.raises(CampaignExists, match="a campaign 'try' already"):
        setting.create()
    assert len(setting.store.campaigns()) == 1


def test_nothing_is_kept_of_a_campaign_that_the_store_refuses(setting: Setting, monkeypatch):
    setting.create(plan(name="other"))
    other = NewPhase(task="other", phase="evaluation")
    monkeypatch.setattr("jurat.campaigns.create.CampaignDefinition._phase", lambda *_: other)
    with pytest.raises(InputError, match="belongs to no phase"):
        setting.create()
    assert [one.name for one in setting.store.campaigns()] == ["other"]


def test_one_file_several_files_and_texts_with_roles(quick: Setting):
    made(quick, dump(plan(name="one")), set_jsonl=make_set())
    texts = {
        "source": "es.txt",
        "references": {"A": "a.txt"},
        "systems": {"cedar": "cedar.txt", "birch": "birch.txt"},
        "documents": "docs.txt",
    }
    made(
        quick,
        dump(plan(name="texts", test_set=texts)),
        es_txt=b"uno\ndos\ntres\n",
        a_txt=b"one\ntwo\nthree\n",
        cedar_txt=b"one\ntwo\ntree\n",
        birch_txt=b"1\n2\n3\n",
        docs_txt=b"d1\nd1\nd2\n",
    )
    found = quick.store.test_set("texts")
    assert [len(document.segments) for document in found.documents] == [2, 1]
    assert found.references == ("A",)
    assert found.documents[0].segments[1].source == "dos"
    assert [system.name for system in found.systems] == ["cedar", "birch"]
    sgml = (
        '<{0} setid="s" srclang="es" trglang="en" {1}><doc docid="d" {2}>'
        '<seg id="1">{3}</seg></doc></{0}>'
    )
    made(
        quick,
        dump(plan(name="several", test_set=["src.sgm", "ref.sgm", "x.sgm", "y.sgm"])),
        src_sgm=sgml.format("srcset", "", "", "uno").encode(),
        ref_sgm=sgml.format("refset", 'refid="A"', 'sysid="A"', "one").encode(),
        x_sgm=sgml.format("tstset", "", 'sysid="x"', "won").encode(),
        y_sgm=sgml.format("tstset", "", 'sysid="y"', "a").encode(),
    )
    found = quick.store.test_set("several")
    assert [system.name for system in found.systems] == ["x", "y"]


def test_human_references_enter_where_they_are(quick: Setting):
    lesson = jsonl([head(["l"]), segment("l", 1, references={"A": "only this wording"})])
    quick.create(plan(task(), tutorial="tutorial.jsonl", human_references=["B"]), tutorial=lesson)
    human = quick.store.test_set(NAME).systems[-1]
    assert (human.name, human.kind, human.reference) == ("human-B", "human", "B")
    taught = quick.store.tutorial(NAME)
    assert taught is not None
    assert all(system.kind == "machine" for system in taught.systems)


def test_a_protocol_from_a_file_is_kept_as_it_was(setting: Setting):
    mine = protocols.dump(protocols.load("da")).replace("name: da", "name: mine")
    files = {"set_jsonl": make_set(), "mine_yaml": mine.encode()}
    made(setting, dump(plan(task("mine.yaml"))), **files)
    judges = setting.judges(6)
    setting.start()
    assert setting.service.campaigns.protocol(NAME, "rating").name == "mine"
    elsewhere = Setting(setting.store)  # a server that has never seen the file
    assert elsewhere.next(judges[0].id).questions.keys() == {"adequacy"}
    assert elsewhere.service.campaigns.protocol(
        NAME, "rating"
    ) == setting.service.campaigns.protocol(NAME, "rating")


def test_the_declaration_comes_back(setting: Setting):
    declared = plan(task(wanted=2, judges="native == 'yes'"), title="中文: yes", seed=7)
    found = setting.create(declared)
    assert found.declaration == declared
    assert (found.title, found.seed) == ("中文: yes", 7)
    assert setting.store.audit_log(NAME)[0].author == "boss"


def remade(setting: Setting, campaign: str, **changes: object):
    desk = setting.service.drafts
    made = desk.copy(campaign, author="Ada")
    assert desk.preview(made.id).problems == ()
    desk.set_fields(made.id, changes)
    return desk.create(made.id, author="Ada")


def assert_same(setting: Setting, one: str, other: str) -> None:
    store = setting.store
    assert list(store.kits(other)) == list(store.kits(one))
    assert store.test_set(other) == store.test_set(one)
    assert store.tutorial(other) == store.tutorial(one)
    assert setting.service.campaigns.plan(other).tasks == setting.service.campaigns.plan(one).tasks
    context = ServiceContext(store)
    assert context.definition(other).protocols == context.definition(one).protocols


def test_the_sample_again(setting: Setting):
    setting.sample()
    copy = remade(setting, "sample")
    assert copy.name == "sample-2"
    assert_same(setting, "sample", "sample-2")
    assert setting.store.campaign("sample-2").declaration == {
        **setting.store.campaign("sample").declaration,  # type: ignore[dict-item]
        "name": "sample-2",
    }


def test_all_that_a_test_set_can_have(quick: Setting):
    lines = [
        segment("a", 1, tags={"genre": "news"}, source="zwei\tTabs\nund Zeilen"),
        segment("b", 1, translations={"x": {"text": "t", "tags": {"easy": "yes"}}, "y": "u"}),
    ]
    lines[0]["translations"] = {"x": "v", "y": "w"}
    about = head(["a", "b"], ["x", "y"]) | {"test_set": "s", "source_language": "es"}
    lesson = jsonl([head(["l"]), segment("l", 1, references={"A": "only this"})])
    quick.create(
        plan(task("da", required={"tutorial": 1}), tutorial="lesson.jsonl", human_references=["B"]),
        set=jsonl([about, *lines]),
        lesson=lesson,
    )
    remade(quick, NAME)
    assert_same(quick, NAME, "try-2")
    assert [one.name for one in quick.store.test_set("try-2").systems] == ["x", "y", "human-B"]
    assert quick.service.campaigns.plan("try-2").human_references == ("B",)


def test_protocols_come_along_as_they_were(quick: Setting, monkeypatch):
    own = protocols.load("esa")
    desk = quick.service.drafts
    quick.create(plan(task("da"), task("esa") | {"name": "second"}))
    older = replace(own, title="As it was")
    definition = ServiceContext(quick.store).definition(NAME)
    changed = replace(definition, protocols={**definition.protocols, "second": older})
    monkeypatch.setattr(ServiceContext, "definition", lambda *_: changed)
    made = desk.copy(NAME, author="Ada")
    assert [file.name for file in made.files] == ["esa.yaml", "testset.jsonl"]
    tasks = made.declaration["tasks"]
    assert [one["protocol"] for one in tasks] == ["da", "esa.yaml"]  # type: ignore[attr-defined]
    monkeypatch.undo()
    desk.create(made.id, author="Ada")
    assert quick.service.campaigns.protocol("try-2", "second") == older


def test_names_that_arefree_name(quick: Setting):
    assert free_name("spring", []) == "spring-2"
    assert free_name("spring", ["spring-2", "spring-3"]) == "spring-4"
    assert free_name("spring-2", []) == "spring-3"
    assert free_name("wmt-2008", []) == "wmt-2008-2"
    quick.create()
    desk = quick.service.drafts
    names = [desk.copy(NAME, author="Ada").declaration["name"] for _ in range(2)]
    assert names == ["try-2", "try-3"]
    with pytest.raises(NoSuchCampaign):
        desk.copy("old", author="Ada")


def test_a_copy_changes_and_the_campaign_does_not(quick: Setting):
    judges = quick.launch(plan(task("da"), seed=3), judges=3, set=make_set(1, 2))
    quick.kit(judges[0])
    before = [quick.store.campaign(NAME), list(quick.store.kits(NAME)), quick.decisions()]
    copy = remade(quick, NAME, **{"seed": 4, "tasks.1.wanted": 2, "tasks.1.kits": {"segments": 1}})
    assert copy.seed == 4
    assert [quick.store.campaign(NAME), list(quick.store.kits(NAME)), quick.decisions()] == before
    assert {phase.state for phase in copy.phases} == {"ready"}
    assert not quick.store.judges("try-2")


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Trains, German to English", "trains-german-to-english"),
        ("  2026: Übersetzung (Pilot)!", "übersetzung-pilot"),
        ("翻译评测", "翻译评测"),
        ("हिन्दी अनुवाद", "campaign"),
        ("1 + 1", "campaign"),
        ("Taken", "taken-2"),
        ("a" * 99, "a" * 40),
    ],
)
def test_a_title_gives_a_name(title: str, name: str):
    assert name_from(title, {"taken"}) == name
