"""Post-edits: texts that start from the translation."""

from random import Random

from tests.protocols.items import KINDS, item, rows

POST_EDIT = KINDS["post-edit"]


def test_a_row_is_a_text() -> None:
    (row,) = rows(POST_EDIT, "Mended.", item())
    assert (row.table, row.values["text"]) == ("texts", "Mended.")


def test_a_good_translation_is_left_alone_and_a_bad_one_replaced() -> None:
    about = item("a b c", references={"r": "x y z"})
    assert POST_EDIT.simulate(about, [1.0], Random(1)) == "a b c"
    assert POST_EDIT.simulate(about, [0.0], Random(1)) == "x y z"


def test_a_shorter_reference_and_none() -> None:
    shorter = item("a b c", references={"r": "x"})
    assert POST_EDIT.simulate(shorter, [0.0], Random(1)) == "x b c"
    assert POST_EDIT.simulate(item("a b", references={}), [0.0], Random(1)) == "a b"


def test_an_empty_translation_is_filled() -> None:
    assert POST_EDIT.simulate(item("", references={"r": "x y"}), [1.0], Random(1)) == "x y"
