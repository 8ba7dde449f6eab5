"""What intervals take as independent."""

import numpy as np
import pytest

from jurat.errors import InputError
from jurat.stats import Settings
from jurat.stats.independent_units import units_of
from tests.stats.tables import ratings

DOCUMENTS = """judge,document,segment,value
a,d1,1,1
a,d1,2,2
a,d2,1,3
b,d1,1,1
b,d2,1,2
"""


def test_documents_where_they_are_known():
    units = units_of(ratings(DOCUMENTS), Settings())
    assert (units.number, units.words) == (2, "documents")
    assert units.of_item.tolist() == [0, 0, 1]
    assert units.note == "2 documents say little about others"
    assert units.contributing(np.array([1.0, 1, 0])) == 1


def test_items_where_asked_for():
    units = units_of(ratings(DOCUMENTS), Settings(unit="segment"))
    assert (units.number, units.are_items) == (3, True)
    assert units.note == "items are taken as independent, as asked"


def test_items_where_documents_are_unknown():
    table = "judge,item,value\na,1,1\na,2,2\nb,1,1"
    units = units_of(ratings(table), Settings())
    assert (units.number, units.word) == (2, "item")
    assert units.note == "documents are unknown: items are taken as independent"
    with pytest.raises(InputError, match="needs the column document"):
        units_of(ratings(table), Settings(unit="document"))


def test_one_document_says_nothing_about_others():
    table = "judge,document,segment,value\na,d,1,1\na,d,2,2\nb,d,1,1"
    units = units_of(ratings(table), Settings())
    assert (units.number, units.word) == (2, "item")
    assert "one document" in units.note
    assert units_of(ratings(table), Settings(unit="document")).number == 1


def test_an_item_without_a_document_is_one_of_its_own():
    table = "judge,item,document,value\na,1,d,1\na,2,,2\na,3,,2\na,4,d,2"
    units = units_of(ratings(table), Settings())
    assert units.number == 3
    assert units.of_item[0] == units.of_item[3] != units.of_item[1] != units.of_item[2]
