"""Jurat's own commands, run within the program: what they print as JSON."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, NamedTuple

# A number, a text, or several of them, that Jurat gives for a published number.
Answer = float | str | tuple[float | str, ...]


class Printed(NamedTuple):
    """What a command printed with --json."""

    results: list[dict[str, Any]]

    def rows(self, name: str, **by: object) -> list[dict[str, Any]]:
        """Every number of that name with these keys, in `by` or in `tags`."""
        return [row for row in self.results if row["name"] == name and _has(row, by)]

    def value(self, name: str, **by: object) -> float:
        """The one number of that name with these keys and no others but the question."""
        found = self.rows(name, **by)
        if len(found) > 1:
            found = [row for row in found if not {*row["by"]} - {*by, "question"}]
        assert len(found) == 1, f"{len(found)} rows of {name} {by}: {found[:3]}"
        value = found[0]["value"]
        assert isinstance(value, int | float), found[0]
        return float(value)


def command(*arguments: object) -> Printed:
    """Run a command with --json, without intervals unless they are asked for.

    Raises what the command raises: `InputError` where a file is missing.
    """
    # imported here, because the group of all commands imports this one
    from jurat.cli import jurat

    quick = () if "--bootstrap" in arguments else ("--bootstrap", "0")
    out = io.StringIO()
    # what a command notes about its data is no news in a comparison
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        jurat.main([*map(str, arguments), *quick, "--json"], "jurat", standalone_mode=False)
    return Printed(json.loads(out.getvalue())["results"])


def _has(row: dict[str, Any], by: dict[str, object]) -> bool:
    keys = {**row.get("tags", {}), **row["by"]}
    return all(str(keys.get(name)) == str(value) for name, value in by.items())
