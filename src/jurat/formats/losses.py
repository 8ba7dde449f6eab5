"""Notes on what the files of another tool cannot hold, or what was left out when they were read."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jurat.formats.export_rows import JudgedTranslations

# The judge who stands for those that are not known.
UNKNOWN = "unknown"


def left_out(counts: Mapping[str, int], title: str = "") -> Iterator[str]:
    """A note for each thing that was left out."""
    before = f"{title}: left out, " if title else "left out, "
    yield from (f"{before}{what}: {count:,}" for what, count in counts.items() if count)


def unheld(
    judged: JudgedTranslations, title: str, written: Collection[str], *, nobody: bool = True
) -> Iterator[str]:
    """Notes on what no format but Jurat's holds; `written` are the questions that are written.

    Without `nobody`, the format has a judge for every judgment.
    """
    yield from judged.notes
    if derived := judged.derived - {*written}:
        names = ", ".join(sorted(derived))
        yield f"{title}: answers that follow from marked errors are not written: {names}"
    if not nobody and not all(row.text("judge") for row in judged.rows):
        yield f"{title}: judges are not known; '{UNKNOWN}' stands for them"
