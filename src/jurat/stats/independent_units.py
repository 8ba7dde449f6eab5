"""What tests and intervals take as independent: documents where they are known, else items."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, Protocol

import numpy as np
import polars as pl

from jurat.errors import input_error
from jurat.stats.estimates import Estimates, method_line
from jurat.stats.ratings import Array, Codes, Ratings, coded
from jurat.stats.settings import Settings

# Units below which an interval is wide, and says little about others.
FEW = 6


class ItemTable(Protocol):
    """A table of ratings or comparisons, some of the same item."""

    @property
    def frame(self) -> pl.DataFrame:
        """The rows, with a column `document` where documents are known."""

    @property
    def item_codes(self) -> Codes:
        """The item of each row, from 0."""

    def has(self, column: str) -> bool:
        """Whether a column is there and has a value."""


class Units(NamedTuple):
    """The unit of each item of some ratings, and what the units are."""

    of_item: Codes
    """From 0, in the order of `Ratings.items`."""
    number: int
    word: str
    """`document` or `item`."""
    note: str = ""
    """What the choice of units assumes, for the method; empty where it assumes nothing."""

    @property
    def sizes(self) -> Codes:
        """How many items each unit has."""
        return np.bincount(self.of_item)

    @property
    def words(self) -> str:
        """`documents`, `items`."""
        return f"{self.word}s"

    @property
    def are_items(self) -> bool:
        """Whether each item is a unit of its own."""
        return self.word == "item"

    def contributing(self, taken: Array) -> int:
        """How many units have an item for which `taken` is not 0."""
        return len(np.unique(self.of_item[np.asarray(taken) != 0]))


def with_pseudo_items(units: Units, number: int = 4) -> Units:
    """With so many items more, each a unit of its own."""
    added = units.number + np.arange(number)
    return units._replace(
        of_item=np.concatenate([units.of_item, added]), number=units.number + number
    )


def with_unit_note(found: Estimates, units: Units) -> Estimates:
    """The estimates with a method that says what taking these units for independent assumes."""
    if not found.method:
        return found
    return replace(found, method=method_line(found.method, units.note))


def units_of(ratings: Ratings, settings: Settings) -> Units:
    """The units of some ratings as the settings ask; found once.

    Raises InputError where documents are asked for and there is no column of them.
    """
    return ratings.once(units_of_table, settings.unit)


def units_of_table(table: ItemTable, unit: str) -> Units:
    """The units of any table with items, as `--unit` asks; raises InputError as `units_of`."""
    items = int(table.item_codes.max(initial=-1)) + 1
    known = table.has("document")
    if unit == "document" and not known:
        raise input_error("--unit document needs the column document", field="unit")
    alone = np.arange(items)
    if unit == "segment":
        return Units(alone, items, "item", "items are taken as independent, as asked")
    if not known:
        note = "documents are unknown: items are taken as independent"
        return Units(alone, items, "item", note)
    document = _documents(table, items)
    number = int(document.max(initial=-1)) + 1
    if number < 2 and unit != "document":
        note = "all items are of one document: nothing is said about others"
        return Units(alone, items, "item", note)
    few = f"{number} documents say little about others" if number < FEW else ""
    return Units(document, number, "document", few)


def _documents(table: ItemTable, items: int) -> Codes:
    """The document of each item; an item without one is a document of its own."""
    codes, names = coded(table.frame["document"])
    of_item = np.zeros(items, dtype=np.int64)
    of_item[table.item_codes] = codes
    if names and names[0] == "":
        # An empty name sorts first: it is no document that all those items would share.
        nameless = np.flatnonzero(of_item == 0)
        of_item[nameless] = len(names) + np.arange(len(nameless))
    return np.unique(of_item, return_inverse=True)[1]
