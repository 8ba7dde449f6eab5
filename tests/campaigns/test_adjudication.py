"""Where judges disagree, and what an adjudicator settles."""

from typing import Any

import msgspec
import polars as pl
import pytest

from jurat.campaigns import Screen, adjudication
from jurat.errors import InputError
from jurat.store import NewJudge
from tests.campaigns.sample_campaigns import NAME, SYSTEMS, Setting, make_set, plan, task


def judged(setting: Setting, declared, *qualities: float, **files: bytes) -> None:
    """Each judge does all that they can get, at their own quality."""
    judges = setting.launch(declared, judges=len(qualities), **files)
    for judge, quality in zip(judges, qualities, strict=True):
        setting.all_kits(judge, quality)


ALL = {"documents": 2}
LOOSE: dict[str, Any] = {"one_system_per_segment": False}


def test_scales(quick: Setting):
    judged(quick, plan(task(wanted=3, kits=ALL, **LOOSE)), 0.9, 0.6, 0.5)
    contests = quick.service.adjudication.contested(NAME, "rating", more_than=30)
    assert len(contests) == 12
    for contest in contests:
        assert contest.distance == 40
        assert [answers["adequacy"] for answers in contest.answers] == [50, 60, 90]
    assert not quick.service.adjudication.contested(NAME, "rating", more_than=40)


def test_who_said_what_is_not_told(setting: Setting):
    judged(setting, plan(task(wanted=2, kits=ALL, **LOOSE)), 0.9, 0.5)
    contests = setting.service.adjudication.contested(NAME, "rating")
    told = msgspec.json.encode(list(contests)).decode()
    for account in setting.store.judges(NAME):
        assert account.id not in told
        assert f'"{account.pin}"' not in told
    assert {tuple(sorted(c.answers, key=str)) == c.answers for c in contests} == {True}
    for one in setting.decisions():
        assert one.assignment not in told


def test_cases_are_there_when_other_campaigns_have_taken_the_place_in_memory(
    quick: Setting, monkeypatch: pytest.MonkeyPatch
):
    """They are made when a page shows them, after others may have been compared."""
    monkeypatch.setattr(adjudication, "MOST_CAMPAIGNS", 0)
    judged(quick, plan(task(wanted=2, kits=ALL, **LOOSE)), 0.9, 0.5)
    contests = quick.service.adjudication.contested(NAME, "rating")
    assert {one.distance for one in contests} == {40}


def adjudicator(setting: Setting) -> str:
    new = NewJudge(pin="wise", role="adjudicator")
    return setting.store.add_judges(NAME, [new], author="boss", now=setting.watch())[0].id


@pytest.mark.parametrize("protocol", ["da", "tcstar", "preference", "ranking"])
def test_an_adjudicator_judges_blindly(quick: Setting, protocol):
    """Nothing that they get names a system, a document, a judge or a kit."""
    off = LOOSE if protocol in ("da", "tcstar") else {}
    judged(quick, plan(task(protocol, wanted=2, kits=ALL, **off)), 0.9, 0.2)
    contests = quick.service.adjudication.contested(NAME, "rating", more_than=-1)
    cases = quick.service.adjudication.cases(NAME, adjudicator(quick), "rating", more_than=-1)
    assert contests
    assert [case.answers for case in cases] == [contest.answers for contest in contests]
    told = msgspec.json.encode(list(cases)).decode()
    hidden = {*SYSTEMS, "paper1", "paper2", "site-of", '"p0"', '"p1"'}
    hidden |= {one.assignment for one in quick.decisions()}
    hidden |= {account.id for account in quick.store.judges(NAME)}
    assert not [word for word in hidden if word in told]
    for case, contest in zip(cases, contests, strict=True):
        assert [screen.stage for screen in case.screens] == [*range(len(case.screens))]
        assert case.screens[-1].translations == tuple(t.text for t in contest.item.translations)
        assert len({other.key for other in cases}) == len(cases)


def test_what_is_read_without_help_is_so_for_the_adjudicator(quick: Setting):
    judged(quick, plan(task("tcstar", wanted=2, kits=ALL, **LOOSE)), 0.9, 0.2)
    fluency, adequacy = quick.service.adjudication.cases(NAME, adjudicator(quick), "rating")[
        0
    ].screens
    assert list(fluency.questions) == ["fluency"]
    assert not fluency.references
    assert adequacy.references


def test_only_adjudicators_adjudicate(quick: Setting):
    judged(quick, plan(task(wanted=2, kits=ALL, **LOOSE)), 0.9, 0.5)
    (judge, *_), wise = quick.store.judges(NAME), adjudicator(quick)
    case, *_ = quick.service.adjudication.cases(NAME, wise, "rating")
    words = "this is a judge's account; an adjudicator's is needed"
    with pytest.raises(InputError, match=words):
        quick.service.adjudication.cases(NAME, judge.id, "rating")
    with pytest.raises(InputError, match=words):
        quick.service.adjudication.settle(NAME, judge.id, "rating", case.key, {"adequacy": 70})
    with pytest.raises(InputError, match="an adjudicator's account; a judge's is needed"):
        quick.service.judging.next(NAME, wise)
    with pytest.raises(InputError, match="no such case"):
        quick.service.adjudication.settle(NAME, wise, "rating", "elsewhere", {"adequacy": 70})
    quick.service.accounts.disable(NAME, "wise", author="boss")
    with pytest.raises(InputError, match="closed"):
        quick.service.adjudication.cases(NAME, wise, "rating")


def test_preferences(quick: Setting):
    judges = quick.launch(plan(task("preference", wanted=2, kits=ALL)), judges=2)
    quick.all_kits(judges[0])
    step = quick.service.judging.next(NAME, judges[1])
    turn = 0
    while isinstance(step, Screen):
        sent = quick.sent(judges[1], step)
        turn += 1
        if turn <= 5:
            sent = msgspec.structs.replace(sent, answers={"preference": "b"})
        _, step = quick.service.judging.submit(NAME, judges[1], sent)
    contests = quick.service.adjudication.contested(NAME, "rating")
    assert len(contests) == 5
    assert {tuple(str(a["preference"]) for a in c.answers) for c in contests} == {("a", "b")}


def test_words_do_not_make_a_contest(quick: Setting):
    judged(quick, plan(task("post-edit", wanted=2, kits=ALL, **LOOSE)), 0.9, 0.1)
    texts = quick.service.campaigns.tables(NAME)["texts"]
    assert texts["text"].n_unique() > 4
    assert not quick.service.adjudication.contested(NAME, "rating", more_than=0)


def test_tutorials_controls_and_half_done_items_are_left_out(setting: Setting):
    kits = {"documents": 2, "repeats": 1, "controls": {"degraded": 1}}
    declared = task("tcstar", wanted=2, kits=kits, required={"tutorial": 1})
    lesson = make_set(1, 2, kind="lesson")
    one, other, *_ = setting.launch(
        plan(declared, tutorial="tutorial.jsonl"), judges=6, set=make_set(2, 3), tutorial=lesson
    )
    setting.kit(one, 1.0)
    setting.kit(one, 1.0)
    setting.kit(other, 0.0)
    step = setting.next(other)
    while step.stage == 0:
        _, after = setting.decide(other, step, 0.0)
        assert isinstance(after, Screen)
        step = after
    assert {d.kit for d in setting.decisions() if d.phase == "evaluation"} == {1}
    assert not setting.service.adjudication.contested(
        NAME, "rating", more_than=0
    )  # only one of the stages
    # a control may come first, which is never contested
    while not (found := setting.service.adjudication.contested(NAME, "rating", more_than=0)):
        _, after = setting.decide(other, step, 0.0)
        assert isinstance(after, Screen)
        step = after
    (contest,) = found
    assert {frozenset(a) for a in contest.answers} == {frozenset({"fluency", "adequacy"})}
    setting.kit(other, 0.0)
    contests = setting.service.adjudication.contested(NAME, "rating", more_than=0)
    assert len(contests) == 6
    assert {(c.phase, c.item.control) for c in contests} == {("evaluation", "")}


def test_what_is_settled_leaves_the_list_and_stands_beside_the_originals(setting: Setting):
    judged(setting, plan(task(wanted=2, kits=ALL, **LOOSE)), 0.9, 0.5)
    wise = adjudicator(setting)
    first, *others = setting.service.adjudication.cases(NAME, wise, "rating")
    before = setting.service.campaigns.tables(NAME)["judgments"]
    with pytest.raises(InputError, match="adequacy"):
        setting.service.adjudication.settle(NAME, wise, "rating", first.key, {"adequacy": 200})
    told = {"adequacy": 70}
    setting.service.adjudication.settle(NAME, wise, "rating", first.key, told, reason="half right")
    assert list(setting.service.adjudication.cases(NAME, wise, "rating")) == others
    after = setting.service.campaigns.tables(NAME)["judgments"]
    (row,) = after.filter(pl.col("status") == "adjudicated").to_dicts()
    assert (row["judge"], row["value"], row["reason"]) == ("wise", 70.0, "half right")
    assert row["decided_at"] == setting.watch()
    assert row["seconds"] is None
    assert row["position"] is None
    original = after.filter((pl.col("item") == row["item"]) & (pl.col("status") == "valid"))
    assert sorted(original["value"]) == [50, 90]
    assert after.filter(pl.col("status") == "valid").equals(before)


def test_the_last_word_on_an_item_counts(setting: Setting):
    judged(setting, plan(task(wanted=2, kits=ALL, **LOOSE)), 0.9, 0.5)
    wise = adjudicator(setting)
    case = setting.service.adjudication.cases(NAME, wise, "rating")[0]
    for value in (70, 75):
        setting.service.adjudication.settle(NAME, wise, "rating", case.key, {"adequacy": value})
    table = setting.service.campaigns.tables(NAME)["judgments"].filter(pl.col("judge") == "wise")
    assert table.select("value", "status").rows() == [(70, "superseded"), (75, "adjudicated")]


def test_an_unknown_task(quick: Setting):
    quick.create()
    with pytest.raises(InputError, match="did you mean 'rating'"):
        quick.service.adjudication.contested(NAME, "ratin")
