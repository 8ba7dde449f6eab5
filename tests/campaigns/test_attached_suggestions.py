"""Errors marked beforehand: read from files, joined to translations, shown, and stored."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from jurat.campaigns.config import read_plan
from jurat.campaigns.create import campaign_files, definition_of
from jurat.campaigns.screens import kit_screens
from jurat.errors import InputError
from jurat.model import File, Item, Suggestion
from jurat.yamlfile import dump
from tests.campaigns.sample_campaigns import (
    NAME,
    SYSTEMS,
    Setting,
    fetching,
    make_set,
    plan,
    task,
)

HEADING = "document,segment,system,start,end,severity,judge\n"
ROWS = [
    f"paper{d},{s},{system},0,4,Minor,gemba"
    for d in (1, 2)
    for s in (1, 2)
    for system in SYSTEMS[:2]
]
TABLE = HEADING + "\n".join(ROWS) + "\n"


def declared(
    protocol: str = "esa-ai", *, suggestions: Any = "errors.csv", **kits: Any
) -> dict[str, Any]:
    return plan(task(protocol, kits=kits), suggestions=suggestions)


def items(content: Mapping[str, Any], files: Mapping[str, str]) -> list[Item]:
    """The items of the campaign's kits."""
    known = {"set.jsonl": make_set(2, 2), **{n: text.encode() for n, text in files.items()}}
    read = read_plan(File("campaign.yaml", dump(content).encode()))
    kits = definition_of(read, fetching(known)).build()
    return [item for kit in kits for item in kit.items]


def test_a_table_of_errors_is_joined_by_document_segment_and_system() -> None:
    found = items(declared(), {"errors.csv": TABLE})
    by = {system: [i for i in found if i.translations[0].system == system] for system in SYSTEMS}
    wanted = (Suggestion(start=0, end=4, severity="minor", by="gemba"),)
    for system in SYSTEMS[:2]:
        assert {one.translations[0].suggestions for one in by[system]} == {wanted}
        assert {one.suggested for one in by[system]} == {True}
    # nobody looked at the third system's
    assert {one.suggested for one in by[SYSTEMS[2]]} == {None}


def test_a_protocol_without_suggestions_shows_none() -> None:
    assert {one.suggested for one in items(declared("esa"), {"errors.csv": TABLE})} == {None}


def test_half_of_the_items_of_each_system_are_without_suggestions() -> None:
    rows = [
        f"paper{d},{s},{system},0,4,minor,gemba"
        for d in (1, 2)
        for s in (1, 2)
        for system in SYSTEMS
    ]
    found = items(declared(suggested=0.5), {"errors.csv": HEADING + "\n".join(rows) + "\n"})
    assert Counter((i.translations[0].system, i.suggested) for i in found) == {
        (system, arm): 2 for system in SYSTEMS for arm in (True, False)
    }
    hidden = [one for one in found if not one.suggested]
    assert not any(one.translations[0].suggestions for one in hidden)


AS_JSON = [dict(zip(HEADING.strip().split(","), row.split(","), strict=True)) for row in ROWS]
LINES = "\n".join(map(json.dumps, AS_JSON))
FILES: dict[str, Any] = {"set": make_set(2, 2), "errors": LINES.encode()}
STORED = declared(suggestions="errors.jsonl")


def test_the_judge_does_not_learn_who_suggested(quick: Setting) -> None:
    quick.create(STORED, **FILES)
    protocol = quick.service.campaigns.protocol(NAME, "rating")
    screens = [one for kit in quick.store.kits(NAME) for one in kit_screens(kit, protocol)]
    shown = [suggestion for one in screens for own in one.suggestions for suggestion in own]
    assert len(shown) == len(ROWS)
    assert not any(suggestion.by for suggestion in shown)


WRONG = {
    "outside": (
        "paper1,1,cedar,0,400,minor,gemba",
        r"errors.csv:2.* 0 to 400 is no part of the translation",
    ),
    "backwards": ("paper1,1,cedar,4,2,minor,gemba", "4 to 2 is no part"),
    "nowhere": (
        "paper9,1,cedar,0,4,minor,gemba",
        "0 of 1 marked errors belong .*'paper1', '1' and 'cedar'",
    ),
    "severity": ("paper1,1,cedar,0,4,awful,gemba", "'awful' is not a severity"),
    "several": (
        "paper1,1,cedar,0,4,minor,gemba\npaper1,1,cedar,0,4,minor,ada",
        "1 translations were marked by several judges",
    ),
}


@pytest.mark.parametrize(("rows", "problem"), WRONG.values(), ids=WRONG)
def test_what_does_not_fit_is_refused(rows: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        items(declared(), {"errors.csv": HEADING + rows + "\n"})


def test_one_judge_of_several() -> None:
    rows = "paper1,1,cedar,0,4,minor,gemba\npaper1,1,cedar,2,6,major,ada\n"
    said = {"files": ["errors.csv"], "judge": "ada"}
    found = items(declared(suggestions=said), {"errors.csv": HEADING + rows})
    shown = [one for item in found for one in item.translations[0].suggestions]
    assert {(one.start, one.by) for one in shown} == {(2, "ada")}
    with pytest.raises(InputError, match="'bob' has marked no error"):
        items(declared(suggestions={**said, "judge": "bob"}), {"errors.csv": HEADING + rows})


def test_errors_in_another_text_are_refused() -> None:
    rating = {
        "hypothesis": "Quite another text.",
        "errors": [{"start": 0, "end": 4, "severity": "minor"}],
        "system_id": "cedar",
        "segment_id": "1",
        "document_id": "paper1",
        "rater_id": "ada",
    }
    with pytest.raises(InputError, match="marked in another text: 'Quite another"):
        items(declared(suggestions="r.jsonl"), {"r.jsonl": json.dumps(rating) + "\n"})


def test_what_became_of_suggestions_is_stored_and_can_be_suggested_again(quick: Setting) -> None:
    quick.launch(STORED, **FILES)
    quick.play()
    tables = quick.service.campaigns.tables(NAME)
    told = tables["suggestions"]
    assert set(told["fate"]) <= {"kept", "changed", "removed"}
    assert set(told["suggested_by"]) == {"gemba"}
    assert set(tables["judgments"]["suggested"]) == {True, None}
    # each suggestion of each decision has a fate
    assert told.height == len(ROWS)
    again = tables["spans"].write_csv()
    spans = {"spans.csv": again, "judgments.csv": tables["judgments"].write_csv()}
    judge = str(tables["spans"]["judge"][0])
    found = items(declared(suggestions={"files": [*spans], "judge": judge}), spans)
    assert any(item.translations[0].suggestions for item in found)


def test_a_copy_of_the_campaign_keeps_its_suggestions(quick: Setting) -> None:
    quick.create(STORED, **FILES)
    definition = quick.service.campaigns.definition(NAME)
    made, files = campaign_files(quick.store.campaign(NAME).declaration, definition)
    assert "suggestions" not in made
    again = definition_of(
        read_plan(File("campaign.yaml", dump(made).encode())), lambda name: File(name, files[name])
    )
    assert again.test_set == definition.test_set
