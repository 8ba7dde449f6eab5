"""Judgments as long tables: every column, in every format, and back."""

import re
from datetime import timedelta

import polars as pl
import pytest

from jurat.campaigns import Submission
from jurat.campaigns.answer_rows import item_name
from jurat.campaigns.export import JudgmentTables
from jurat.model import File, Item, Shown
from jurat.tables import ENDINGS, TABLES, Judgments, read_table, write_table
from jurat.tables.schema import cast_column
from tests import ROOT
from tests.campaigns.sample_campaigns import (
    NAME,
    NOW,
    Setting,
    head,
    jsonl,
    make_set,
    plan,
    segment,
    task,
)

LESSON = make_set(1, 1, kind="lesson")


def everything() -> bytes:
    lines = [segment("paper1", n, tags={"genre": "news"}) for n in (1, 2, 3)]
    return jsonl([head(["paper1"]), *lines])


ALL = plan(
    task("tapet-adequacy", wanted=2, required={"tutorial": 1}, kits={"repeats": 1}),
    task("preference") | {"name": "pairs"},
    task("ranking") | {"name": "order"},
    task("esa") | {"name": "errors"},
    task("post-edit") | {"name": "edits"},
    tutorial="tutorial.jsonl",
)


@pytest.fixture
def tables(quick: Setting):
    quick.launch(ALL, judges=7, set=everything(), tutorial=LESSON)
    quick.play(noise=0.3)
    return quick.service.campaigns.tables(NAME)


def test_every_kind_of_answer_has_its_table(tables):
    assert set(tables) == {"judgments", "preferences", "rankings", "spans", "texts"}


@pytest.mark.parametrize("ending", sorted(ENDINGS))
def test_what_is_written_is_read_back(tables, ending):
    for name, frame in tables.items():
        data = write_table(frame, ending)
        back = read_table(File(f"{name}.{ending}", data))
        back = back.select(column for column in back.columns if not column.startswith("\0"))
        assert back.columns == frame.columns
        assert _typed(back, frame.schema).equals(frame), name


def _typed(back: pl.DataFrame, known) -> pl.DataFrame:
    """Text files tell numbers and times as words."""
    return back.select(cast_column(back[name], kind).alias(name) for name, kind in known.items())


def test_every_column_is_documented(tables):
    page = (ROOT / "docs" / "campaigns.md").read_text()
    documented = set(re.findall(r"^\| `(\w+)` \|", page.split("## The export")[1], re.MULTILINE))
    exported = {column for frame in tables.values() for column in frame.columns}
    assert exported - {"genre"} <= documented
    # nobody has flagged an item here
    assert documented <= exported | set(TABLES["flags"].schema)


def test_judgments_are_read_as_they_are(tables):
    frame = Judgments(tables["judgments"]).frame
    assert set(frame["phase"]) == {"evaluation"}
    assert "tutorial" in set(tables["judgments"]["phase"])
    adequacy = frame.filter((pl.col("question") == "adequacy") & pl.col("control").is_null())
    assert adequacy.height == 2 * 9
    assert set(adequacy.group_by("item").len()["len"]) == {2}
    assert set(adequacy["genre"]) == {"news"}


def test_a_repeat_is_the_same_item(tables):
    adequacy = tables["judgments"].filter(
        (pl.col("question") == "adequacy") & (pl.col("phase") == "evaluation")
    )
    repeats = adequacy.filter(pl.col("control") == "repeat")
    assert repeats.height == 6
    for row in repeats.to_dicts():
        same = adequacy.filter((pl.col("judge") == row["judge"]) & (pl.col("item") == row["item"]))
        assert sorted(same["control"].fill_null("")) == ["", "repeat"]
        first, second = same.sort("position")["control"]
        assert first is None
        assert second == "repeat"


def test_positions_count_a_judges_decisions(tables):
    whole = pl.concat(
        [frame.select("judge", "position", "decided_at", "step") for frame in tables.values()]
    ).unique()
    for _, own in whole.sort("position").group_by("judge"):
        numbers = own["position"].unique().sort().to_list()
        # who marks no error leaves no row
        assert numbers[0] == 1
        assert len(numbers) >= 5
        assert own["decided_at"].is_sorted()
    assert whole["step"].max() < whole["position"].max()


def test_times_and_revisions(setting: Setting):
    judge, *_ = setting.launch(plan(task("sqm", kits={"documents": 2})))
    step = setting.next(judge)
    setting.watch.pass_by(12.25)
    sent = Submission(
        assignment=step.assignment,
        position=1,
        answers={"quality": 5},
        active_seconds=8.5,
        language="es",
    )
    setting.service.judging.submit(NAME, judge, sent)
    setting.watch.pass_by(60)
    changed = Submission(assignment=step.assignment, position=1, answers={"quality": 2})
    assert setting.revise(judge, changed, revision=2).decision
    setting.decide(judge, setting.next(judge))
    rows = setting.service.campaigns.tables(NAME)["judgments"].to_dicts()
    first, second, third = rows
    assert (first["shown_at"], first["decided_at"]) == (NOW, NOW + timedelta(seconds=12.25))
    assert (first["seconds"], first["active_seconds"]) == (12.25, 8.5)
    assert first["language"] == "es"
    assert [(r["status"], r["revision"], r["value"]) for r in rows[:2]] == [
        ("superseded", 1, 5.0),
        ("valid", 2, 2.0),
    ]
    assert [row["position"] for row in rows] == [1, 1, 2]
    assert second["decided_at"] == NOW + timedelta(seconds=72.25)
    assert third["judge"] == "p0"
    assert third["kit"] == first["kit"]
    counted = Judgments(setting.service.campaigns.tables(NAME)["judgments"]).frame
    assert counted["value"].to_list() == [2.0, third["value"]]


def test_tags_that_are_named_like_columns_do_no_harm(setting: Setting):
    odd = {"judge": "x", "seconds": "long", "kit": "blue", "status": "fine", "position": "last"}
    lines = [segment("d", n, tags=odd) for n in (1, 2)]
    judges = setting.launch(plan(task(wanted=2)), set=jsonl([head(["d"]), *lines]))
    setting.kit(judges[0], 0.9)
    setting.kit(judges[1], 0.1)
    for other in judges[2:]:
        setting.kit(other, 0.1)
    wise = setting.judges(1, role="adjudicator")[0]
    case = setting.service.adjudication.cases(NAME, wise.id, "rating")[0]
    setting.service.adjudication.settle(NAME, wise.id, "rating", case.key, {"adequacy": 50})
    table = setting.service.campaigns.tables(NAME)["judgments"]
    assert table["seconds"].drop_nulls().to_list() == [10.0] * 12
    assert set(table["status"]) == {"valid", "adjudicated"}
    assert table["kit"].dtype == pl.Int64


def test_groups_sites_and_probabilities(quick: Setting):
    quick.create(plan(task("ldc-adequacy", groups={"first": "A", "second": "B"})))
    for group in ("first", "second"):
        quick.judges(3, group=group, site="north")
    quick.start()
    for account in quick.store.judges(NAME):
        quick.all_kits(account.id)
    table = quick.service.campaigns.tables(NAME)["judgments"]
    pairs = set(table.select("group", "reference", "site", "probability").unique().rows())
    assert pairs == {("first", "A", "north", 1.0), ("second", "B", "north", 1.0)}
    assert table["item"].n_unique() == 24  # another reference beside it makes it another item


def test_no_judgments_no_tables(quick: Setting):
    quick.create()
    assert quick.service.campaigns.tables(NAME) == {}


def test_large_exports_are_made_in_parts(quick: Setting, monkeypatch):
    judges = quick.launch(plan(task("tapet-adequacy", wanted=2)))
    for judge in judges:
        quick.all_kits(judge)
    whole = quick.service.campaigns.tables(NAME)["judgments"]
    monkeypatch.setattr("jurat.campaigns.export.CHUNK", 5)
    assert quick.service.campaigns.tables(NAME)["judgments"].equals(whole)


def followed(setting: Setting, judgment_tables: JudgmentTables) -> None:
    """What a judgment_tables that was there all the time says is what a new one says."""
    new = setting.service.campaigns.tables(NAME)
    kept = judgment_tables.tables()
    assert set(kept) == set(new)
    for name, frame in new.items():
        order = ["judge", "position", "revision", "question", *frame.columns[:3]]
        known = [column for column in order if column in frame.columns]
        more = [c for c in frame.columns if c not in known and frame[c].dtype != pl.Object]
        assert kept[name].select(frame.columns).schema == frame.schema
        ours, theirs = (t.select(frame.columns).sort(known + more) for t in (kept[name], frame))
        assert ours.equals(theirs), name
    # as many judgments as the overview counts: without superseded and excluded ones
    progress = setting.service.monitoring.progress(NAME)
    assert judgment_tables.decisions == sum(phase.decisions for phase in progress.phases)


def test_a_ledger_follows_whatever_happens(setting: Setting):
    declared = plan(
        task("esa", wanted=2, kits={"documents": 1}, revise=True),
        task("preference", wanted=2) | {"name": "pairs"},
    )
    judges = setting.launch(declared, judges=8, set=everything())
    judgment_tables = JudgmentTables(
        setting.store,
        NAME,
        {name: setting.service.campaigns.protocol(NAME, name) for name in ("rating", "pairs")},
    )
    assert judgment_tables.tables() == {}
    assert judgment_tables.last is None
    for judge in judges[:3]:
        setting.kit(judge, 0.9)
        followed(setting, judgment_tables)
    assert judgment_tables.last == setting.watch.now
    # in the middle of a kit, and a decision that is changed
    step = setting.next(judges[3])
    setting.decide(judges[3], step, 0.1)
    after = setting.next(judges[3])
    followed(setting, judgment_tables)
    sent = setting.sent(judges[3], step, 0.8)
    assert setting.revise(judges[3], sent, revision=2).decision
    followed(setting, judgment_tables)
    setting.decide(judges[3], after, 0.5)
    followed(setting, judgment_tables)
    setting.service.campaigns.give_back(NAME, "p0", author="boss", reason="too quick")
    followed(setting, judgment_tables)
    setting.service.campaigns.redo(NAME, "p1", author="boss", reason="again")
    setting.kit(judges[1], 0.2)
    followed(setting, judgment_tables)
    setting.service.accounts.update(NAME, "p2", author="boss", group="left", site="north")
    followed(setting, judgment_tables)
    table = judgment_tables.tables()["judgments"]
    assert set(table["status"]) == {"valid", "superseded", "excluded"}
    assert set(table.filter(pl.col("judge") == "p2")["site"]) == {"north"}
    for judge in judges[4:]:
        setting.all_kits(judge, 0.1)
    wise = setting.judges(1, role="adjudicator")[0]
    case = setting.service.adjudication.cases(NAME, wise.id, "rating")[0]
    setting.service.adjudication.settle(NAME, wise.id, "rating", case.key, case.answers[0])
    followed(setting, judgment_tables)
    assert "adjudicated" in set(judgment_tables.tables()["judgments"]["status"])
    assert "preferences" in judgment_tables.tables()


def test_what_was_said_before_is_not_worked_out_again(quick: Setting, monkeypatch):
    judges = quick.launch(plan(task("sqm", wanted=2, kits={"documents": 2})))
    read: list[object] = []
    contents = quick.store.contents

    def noted(kit):
        read.append(kit)
        return contents(kit)

    monkeypatch.setattr(quick.store, "contents", noted)
    judgment_tables = JudgmentTables(
        quick.store, NAME, {"rating": quick.service.campaigns.protocol(NAME, "rating")}
    )
    quick.kit(judges[0], 0.6)
    quick.kit(judges[1], 0.6)
    judgment_tables.tables()
    assert len(read) == len(set(read)) > 0
    before = list(read)
    judgment_tables.tables()
    assert read == before


def named(document="d", segment_="1", system="x", references=("A",), **more):
    return item_name(
        Item(
            id="i",
            document=document,
            segment=segment_,
            translations=(Shown(system=system, text="t"),),
            references=dict.fromkeys(references, "r"),
            **more,
        )
    )


def test_names_of_items():
    assert named() == "d|1|x|A"
    assert named(control="repeat") == named() == named(control="easy")
    assert named(control="degraded") != named()
    assert named(document="a|b", segment_="c") != named(document="a", segment_="b|c")
    assert named(references=("A", "B")) == "d|1|x|A+B"
