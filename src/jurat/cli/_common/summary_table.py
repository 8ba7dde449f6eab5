"""The one table of a command's default output."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from jurat.cli._common.result_summary import Measure, Summary, found_by_name
from jurat.cli._common.terminal_output import lines_of

if TYPE_CHECKING:
    from jurat.results import Estimate, Key, Result

# Rows of the table: with the sentences around them they fit on a screen of 40 lines.
MOST_ROWS = 20
# Rows that are shown on however small a screen.
FEWEST_ROWS = 10
# Groups up to which every measure has a line of its own; beyond them, every group has.
FEW_GROUPS = 2
# Characters of a name; longer ones are cut in the middle.
LONGEST_NAME = 28
# Names in one cell.
MOST_FOUND = 2
# Smaller p-values are only said to be smaller.
SMALLEST_P = 0.001

COUNTED = re.compile(r"\bn counts (?:the )?([\w ]+?)(?= with| that| of| in| to| on|[,;(]|$)")
# What n counts in rows without a judge, where those of each judge count something else.
OF_JUDGES = "without judge: the mean of the judges, n counts these"
INDEPENDENT = re.compile(r"documents are unknown: (\w+) are taken as independent")

RowKey = tuple["Key | None", ...]
# A measure's estimates by the row that they belong to.
ByRow = Mapping[RowKey, Sequence["Estimate"]]


class Table(NamedTuple):
    """Columns and rows as text, the columns of numbers, and what is said below."""

    columns: list[str]
    rows: list[list[str]]
    numbers: list[str]
    footnotes: list[str]


def table(
    summary: Summary,
    results: Sequence[Result],
    by: Sequence[str],
    *,
    width: int,
    room: int | None = None,
) -> Table | None:
    """The one table of the output; None where none of its measures has a value.

    `room` is how many lines of the screen are left for its rows and what is said below them.
    """
    whole = _table(summary, results, by, width=width, most=MOST_ROWS)
    if whole is None or room is None:
        return whole
    below = sum(len(lines_of(note, width=width)) for note in whole.footnotes)
    if len(whole.rows) + below <= room:
        return whole
    # one line more says how many rows are left out
    left = max(room - below - 1, FEWEST_ROWS)
    return _table(summary, results, by, width=width, most=min(left, MOST_ROWS))


def _table(
    summary: Summary, results: Sequence[Result], by: Sequence[str], *, width: int, most: int
) -> Table | None:
    keys = _row_keys(summary, results, by)
    found = [(m, _by_row(m, results, keys, len(by))) for m in summary.measures]
    found = [(measure, rows) for measure, rows in found if rows]
    if not found:
        return None
    groups = {row[: 1 + len(by)] for _, rows in found for row in rows}
    notes = Marks()
    across = bool(summary.rows) or len(groups) > FEW_GROUPS
    made = (
        _across(summary, found, keys, notes, width=width, most=most)
        if across
        else _down(found, keys, notes)
    )
    # a table with a column for each measure has the n of the first alone
    counted = [measure for measure, _ in found][: 1 if across else None]
    footnotes = [*notes.lines, *_footnotes(counted, results)]
    return made._replace(footnotes=[*made.footnotes, *footnotes])


def _row_keys(summary: Summary, results: Sequence[Result], by: Sequence[str]) -> tuple[str, ...]:
    """The keys that tell rows apart: those declared, and others in which estimates differ.

    A score of each document, for instance, has the key `document` beside the system.
    """
    keys = ("question", *by, *summary.rows)
    if not summary.rows:
        return keys
    lead = next((m for m in summary.measures if _by_row(m, results, keys, len(by))), None)
    if lead is None or lead.shows not in ("interval", "value"):
        return keys
    known = _by_row(lead, results, keys, len(by))
    names = dict.fromkeys(n for many in known.values() for e in many for n in e.by)
    more = [
        name
        for name in names
        if name not in keys and any(len({e.by.get(name) for e in m}) > 1 for m in known.values())
    ]
    return (*keys, *more)


def _by_row(measure: Measure, results: Sequence[Result], keys: Sequence[str], tags: int) -> ByRow:
    """The measure's estimates by row; none where no value is known."""
    rows: dict[RowKey, list[Estimate]] = {}
    for result in results:
        if result.name != measure.result:
            continue
        for estimate in filter(measure.accepts, result.estimates):
            own = estimate.by
            # splits asked for come from the tags, all other keys from `by`
            row = tuple(
                estimate.tags.get(name) if 1 <= at <= tags else own.get(name)
                for at, name in enumerate(keys)
            )
            if all(name in own for name in keys[1 + tags :]):
                rows.setdefault(row, []).append(estimate)
    return rows if any(e.value is not None for row in rows.values() for e in row) else {}


class Marks:
    """Remarks on numbers, each with its mark."""

    MARKS = "¹²³⁴⁵⁶⁷⁸⁹"

    def __init__(self) -> None:
        self.found: dict[str, str] = {}

    def mark(self, note: str) -> str:
        """The mark of a remark; empty without one, or where there are too many."""
        if note and note not in self.found and len(self.found) < len(self.MARKS):
            self.found[note] = self.MARKS[len(self.found)]
        return self.found.get(note, "")

    @property
    def lines(self) -> list[str]:
        """The remarks after their marks."""
        return [f"{mark} {note}" for note, mark in self.found.items()]


def _down(found: Sequence[tuple[Measure, ByRow]], keys: Sequence[str], notes: Marks) -> Table:
    """A row for each measure (and group), with interval and n."""
    from jurat.results import spoken

    order = list(dict.fromkeys(row for _, rows in found for row in rows))
    differing = _differing(order)
    lines = [
        [
            *(_name(row[at]) for at in differing),
            measure.result,
            measure.title,
            *_value_and_interval(measure, estimate, notes),
            spoken(estimate.n),
        ]
        for row in order
        for measure, rows in found
        for estimate in rows.get(row, ())
        if estimate.value is not None
    ]
    names = [*(keys[at] for at in differing), "statistic", "", "value", "interval", "n"]
    interval = len(names) - 2
    # a plan has no intervals
    if not any(line[interval] for line in lines):
        names, lines = _without(interval, names), [_without(interval, line) for line in lines]
    return Table(names, lines, ["value", "interval", "n"], [])


def _without(at: int, cells: Sequence[str]) -> list[str]:
    return [*cells[:at], *cells[at + 1 :]]


def _value_and_interval(measure: Measure, estimate: Estimate, notes: Marks) -> tuple[str, str]:
    """The cells of one estimate, which has a line and a size of its own."""
    from jurat.results import COUNTS, column_decimals

    # a mean that happens to be a whole number is no count
    digits = 0 if measure.result in COUNTS else column_decimals([estimate])
    interval = _interval(estimate, digits) + notes.mark(estimate.note)
    return _number(estimate, digits), interval


def _across(
    summary: Summary,
    found: Sequence[tuple[Measure, ByRow]],
    keys: Sequence[str],
    notes: Marks,
    *,
    width: int,
    most: int,
) -> Table:
    """A row for each group and thing, a column for each measure; those that fit."""
    from jurat.results import spoken

    lead = found[0][1]
    every = _sorted(list(lead), lead, summary.order)
    order = every[:most]
    differing = _differing(every)
    differing = differing or list(range(len(keys) - len(summary.rows), len(keys)))
    n = {row: max(e.n for e in many) for row, many in lead.items()}
    columns = [keys[at] for at in differing] + ["n"]
    cells = [[*(_name(row[at]) for at in differing), spoken(n[row])] for row in order]
    for measure, rows in found:
        before = dict(notes.found)
        column = _column(measure, rows, order, notes)
        wide = [*columns, measure.title], [[*c, new] for c, new in zip(cells, column, strict=True)]
        # the first is the answer itself, and is never left out
        if measure is not found[0][0] and table_width(*wide) > width:
            notes.found = before
            continue
        columns, cells = wide
    # n stands last, as in other tables
    at = len(differing)
    columns = [*_without(at, columns), "n"]
    cells = [[*_without(at, row), row[at]] for row in cells]
    numbers = [m.title for m, _ in found if m.shows not in ("found", "side")] + ["n"]
    more = len(every) - len(order)
    rest = [f"… and {more:,} more rows: --full, --csv or --json"] if more else []
    return Table(columns, cells, numbers, rest)


def _sorted(rows: list[RowKey], lead: ByRow, order: str) -> list[RowKey]:
    if order == "found":
        return rows
    sign = -1 if order == "highest" else 1

    def place(row: RowKey) -> float:
        known = (sign * e.value for e in lead[row] if e.value is not None)
        return min(known, default=float("inf"))

    return sorted(rows, key=place)


def _differing(rows: Sequence[RowKey]) -> list[int]:
    """The keys in which rows differ; the others need no column."""
    return [at for at in range(len(rows[0])) if len({row[at] for row in rows}) > 1]


def _column(measure: Measure, rows: ByRow, order: Sequence[RowKey], notes: Marks) -> list[str]:
    """The cells of a measure, rounded alike."""
    from jurat.results import are_whole, column_decimals

    estimates = [e for row in order for e in rows.get(row, ())]
    whole = are_whole(measure.result, estimates)
    digits = 0 if whole else column_decimals(estimates)
    return [_cell(measure, rows.get(row, ()), digits, notes) for row in order]


def _cell(measure: Measure, estimates: Sequence[Estimate], digits: int | None, notes: Marks) -> str:
    known = [e for e in estimates if e.value is not None]
    if measure.shows == "found":
        return _few(dict.fromkeys(str(e.by[measure.found]) for e in known if e.value == 1))
    if not known:
        return "–" if estimates else ""
    one = min(known, key=_value) if measure.shows == "p" else known[0]
    if measure.shows == "p" and _value(one) < SMALLEST_P:
        return f"< {SMALLEST_P:g}"
    if measure.shows == "side":
        return one.side
    interval = _interval(one, digits) if measure.shows == "interval" else ""
    mark = notes.mark(one.note) if measure.shows == "interval" else ""
    return f"{_number(one, digits)} {interval}".strip() + mark


def _few(names: Iterable[str]) -> str:
    """The first names, and how many more there are."""
    chosen = list(names)
    more = len(chosen) - MOST_FOUND
    return ", ".join(chosen[:MOST_FOUND]) + (f" + {more}" if more > 0 else "")


def _number(estimate: Estimate, digits: int | None) -> str:
    from jurat.results import spoken

    return spoken(float(_value(estimate)), digits)


def _value(estimate: Estimate) -> float:
    return estimate.value or 0.0


def _interval(estimate: Estimate, digits: int | None) -> str:
    from jurat.results import spoken

    if estimate.low is None and estimate.high is None:
        return ""
    low, high = (spoken(end, digits) or "–" for end in (estimate.low, estimate.high))
    return f"[{low}, {high}]"


def _name(value: object) -> str:
    """A key for people; a long one is cut in the middle."""
    from jurat.results import spoken

    text = spoken(value)
    half = LONGEST_NAME // 2
    return text if len(text) <= LONGEST_NAME else f"{text[:half]}…{text[1 - half :]}"


def table_width(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> int:
    """The width of a table whose columns are two spaces apart."""
    widths = [max(map(len, cells)) for cells in zip(columns, *rows, strict=True)]
    return sum(widths) + 2 * (len(widths) - 1)


def _footnotes(measures: Sequence[Measure], results: Sequence[Result]) -> list[str]:
    """What n counts, and what the intervals take as independent."""
    named = found_by_name(results)
    methods = {m.result: r.method for m in measures for r in named[m.result][:1]}
    of_means = {m.result for m in measures if m.keys.get("judge", "any") is None}
    counted: dict[str, list[str]] = {}
    for name, method in methods.items():
        match = COUNTED.search(method)
        if name in of_means and OF_JUDGES in method:
            counted.setdefault("judges", []).append(name)
        # "n counts these" points back at the formula, which is not shown here
        elif match and match[1] not in ("these", "all"):
            counted.setdefault(match[1].strip(), []).append(name)
    parts = [
        what if len(counted) == 1 else f"{what} ({', '.join(names)})"
        for what, names in counted.items()
    ]
    units = {unit[1] for method in methods.values() if (unit := INDEPENDENT.search(method))}
    told = [f"n counts {', '.join(parts)}"] if parts else []
    if units:
        taken = " and ".join(sorted(units))
        told.append(f"documents are unknown: intervals take {taken} as independent")
    return ["; ".join(told)] if told else []
