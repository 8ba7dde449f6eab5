"""`docs/calibration.md`: nominal beside found, from the tallies."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby

from benchmarks.simulations.explanations import EXPLANATIONS
from benchmarks.simulations.tally import NOMINAL, Mark, Record, Tally

# How a share is written, by its mark.
MARKS: Mapping[Mark, str] = {"": "{}", "?": "{}?", "low": "*{}*", "MISS": "**{}**", "said": "({})"}
# Columns of claims that fit beside a design.
WIDE = 8


def page(
    records: Mapping[str, Record],
    introduction: str,
    *,
    stale: Collection[str] = (),
    missing: Mapping[str, int] | None = None,
) -> str:
    """The whole page; `stale` names cells measured with other code than today's.

    `missing` is how many cells of each section were not run at all.
    """
    lines = [
        introduction.rstrip(),
        "",
        "## Cells outside the bar",
        "",
        *_misses(records, stale),
        "",
    ]
    lines += ["## Which code was measured", "", *_origin(records, stale, missing or {}), ""]
    lines += ["## Summary", "", *_summary(records), ""]
    for section, cells in groupby(records.values(), key=lambda record: record.section):
        lines += [f"## {section}", "", *_section(list(cells))]
    return "\n".join(lines).rstrip() + "\n"


def _misses(records: Mapping[str, Record], stale: Collection[str]) -> Iterator[str]:
    """A line for each claim that is wrong too often and does not say so, with why."""
    tallies = [tally for record in records.values() for tally in record.claims.values()]
    missed: dict[tuple[str, str], dict[str, Tally]] = {}
    for cell, record in records.items():
        for name, tally in record.claims.items():
            if tally.mark == "MISS":
                missed.setdefault((record.section, name), {})[cell] = tally
    number = sum(map(len, missed.values()))
    yield f"{number:,} of {len(tallies):,} numbers below are bold{':' if number else '.'}"
    yield ""
    for (section, name), cells in missed.items():
        found = " to ".join(
            _percent(end(t.found for t in cells.values())) for end in (min, max)[: len(cells)]
        )
        old = sum(cell in stale for cell in cells)
        told = f"{len(cells)} cell{'s' * (len(cells) > 1)}, {old} with code that has changed since"
        why = EXPLANATIONS.get((section, name), "not looked into yet")
        yield f"- **{name}** of `{section}`, {found} ({told}): {why}."
    yield ""
    open_ones = sum(tally.mark == "?" for tally in tallies)
    yield f"Of {open_ones:,} marked with ? more campaigns would have to tell."


def _origin(
    records: Mapping[str, Record], stale: Collection[str], missing: Mapping[str, int]
) -> Iterator[str]:
    """How many cells there are of each commit, how many of code that has changed, and no cells."""
    yield "| commit | cells | of commands | changed since |"
    yield "|---|---|---|---|"
    for commit in dict.fromkeys(record.commit for record in records.values()):
        names = [name for name, record in records.items() if record.commit == commit]
        sections = dict.fromkeys(records[name].section for name in names)
        changed = sum(name in stale for name in names)
        yield _row(commit or "not known", len(names), "; ".join(sections), changed or "")
    if missing:
        lacking = "; ".join(f"{number} of {section}" for section, number in missing.items())
        yield ""
        yield f"Not run: {lacking}."


def _summary(records: Mapping[str, Record]) -> Iterator[str]:
    """A row for each claim: its range over all cells, and how many miss the bar."""
    yield (
        "| command | claim | nominal | on average | found | cells | campaigns | miss | cautious | "
        "refused |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    found: dict[tuple[str, str], list[Tally]] = {}
    for record in records.values():
        for name, tally in record.claims.items():
            found.setdefault((record.section, name), []).append(tally)
    for (section, name), tallies in found.items():
        shares = [tally.found for tally in tallies if tally.made] or [math.nan]
        marks = [tally.mark for tally in tallies]
        runs = sum(tally.runs for tally in tallies)
        refused = sum(tally.refused for tally in tallies)
        yield _row(
            section,
            name,
            f"{100 * NOMINAL[tallies[0].kind]:.0f}",
            _percent(math.fsum(t.total for t in tallies) / (sum(t.made for t in tallies) or 1)),
            f"{_percent(min(shares))} to {_percent(max(shares))}",
            len(tallies),
            f"{runs:,}",
            marks.count("MISS") or "",
            marks.count("low") or "",
            f"{_percent(refused / runs)} %" if refused else "",
        )


def _section(cells: Sequence[Record]) -> Iterator[str]:
    """Tables with a row for each design, and a column for each claim."""
    names = list(dict.fromkeys(name for record in cells for name in record.claims))
    for start in range(0, len(names), WIDE):
        yield from _table(cells, names[start : start + WIDE])
        yield ""


def _table(cells: Sequence[Record], names: Sequence[str]) -> Iterator[str]:
    told = [record for record in cells if not record.claims.keys().isdisjoint(names)]
    keys = list(dict.fromkeys(key for record in told for key in record.columns))
    titles = [*keys, "campaigns", *names]
    yield _row(*titles)
    yield _row(*("---" for _ in titles))
    for record in told:
        design = [record.columns.get(key, "") for key in keys]
        runs = max(tally.runs for tally in record.claims.values())
        found = [record.claims.get(name) for name in names]
        yield _row(*design, f"{runs:,}", *(_cell(tally) if tally else "" for tally in found))


def _cell(tally: Tally) -> str:
    """The share found, its standard error, and how often the command refused or warned."""
    if not tally.made:
        return "refused"
    words = [MARKS[tally.mark].format(_percent(tally.found)), f"± {100 * tally.error:.1f}"]
    if tally.refused:
        words.append(f"refused {100 * tally.refused / tally.runs:.0f} %")
    if tally.warned:
        words.append(f"warned {100 * tally.warned / tally.made:.0f} %")
    return " ".join(words)


def _percent(share: float) -> str:
    return "–" if math.isnan(share) else f"{100 * share:.1f}"


def _row(*cells: object) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |"
