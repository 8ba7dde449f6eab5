"""Categories of errors in groups, as they are shown and typed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from jurat.protocols.questions.spans.marked_errors import Category
from jurat.protocols.shortcut_keys import CATEGORIES, CATEGORY_GROUPS, fixed_keys

# Chinese labels have a full-width slash.
_SLASH = re.compile(r"\s*[/\uff0f]\s*")


class GroupedCategory(NamedTuple):
    """A category with the last part of its label, and the key for it within its group."""

    category: Category
    label: str
    key: str


class CategoryGroup(NamedTuple):
    """Categories with the same first part, and the key for them."""

    label: str
    """Empty for a category without a group."""
    key: str
    members: list[GroupedCategory]


def category_groups(categories: Sequence[Category]) -> list[CategoryGroup]:
    """The categories grouped by the part of their value before the slash."""
    by_group = groupby(categories, key=lambda one: one.value.partition("/")[0])
    groups = [(name, list(members)) for name, members in by_group]
    keys = fixed_keys((name for name, _ in groups), CATEGORY_GROUPS)
    return [_group(name, members, keys[name]) for name, members in groups]


def _group(name: str, members: Sequence[Category], key: str) -> CategoryGroup:
    # a single category without a slash is its own group, and needs no heading
    if [category.value for category in members] == [name]:
        return CategoryGroup("", key, [GroupedCategory(members[0], members[0].label, key)])
    parts = {one.value: one.value.partition("/")[2] for one in members}
    keys = fixed_keys(parts.values(), CATEGORIES.get(name, ()))
    label = _SLASH.split(members[0].label)[0]
    listed = [
        GroupedCategory(one, _SLASH.split(one.label)[-1], keys[parts[one.value]]) for one in members
    ]
    return CategoryGroup(label, key, listed)
