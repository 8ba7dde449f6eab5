"""What an analysis returns: results by name, as tables, figures and files, and in notebooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from jurat.errors import InputError, counted, input_error, unknown_name
from jurat.results import (
    Estimate,
    Figure,
    Key,
    Result,
    left_out,
    readable,
    to_csv,
    to_json,
    to_latex,
)

if TYPE_CHECKING:
    from jurat.figure_files import Chart

FRAMES = ("polars", "pandas")
# Rows of a table that are shown in a notebook or on a terminal; files and frames have all.
MOST_ROWS = 24
# Results that are shown whole; of more, the first, and a line for each of the others.
MOST_SHOWN = 3


class UnknownResult(InputError, KeyError):
    """There is no result of that name."""

    __str__ = ValueError.__str__


class Results:
    """The results of an analysis, in the order of the command's output.

    `results["fleiss-kappa"]` are those of one name, `results.at(question="adequacy")` the numbers
    with these keys. Where a single number is left, it has a `value`, an `interval` and an `n`.
    """

    def __init__(self, results: Iterable[Result], *, notes: Sequence[str] = ()) -> None:
        self._results = tuple(results)
        self.notes = tuple(notes)
        """What a reader has to know about the data first."""

    @overload
    def __getitem__(self, name: int) -> Result: ...
    @overload
    def __getitem__(self, name: str | slice) -> Results: ...
    def __getitem__(self, name: str | slice | int) -> Results | Result:
        """The results of a name, or the one at a position; raises `UnknownResult`, a `KeyError`."""
        if isinstance(name, int):
            return self._results[name]
        if isinstance(name, slice):
            return self._with(self._results[name])
        found = [result for result in self if result.name == name]
        if not found:
            raise UnknownResult(unknown_name("result", name, self.names).problems)
        return self._with(found)

    def __len__(self) -> int:
        return len(self._results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self._results)

    def __contains__(self, name: object) -> bool:
        """Whether there is a result of that name."""
        return name in self.names or name in self._results

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all results, each once."""
        return tuple(dict.fromkeys(result.name for result in self))

    @property
    def headlines(self) -> tuple[str, ...]:
        """The findings, each in a sentence."""
        return tuple(result.headline for result in self if result.headline)

    @property
    def value(self) -> float | None:
        """The only number; None if it is missing. Raises `InputError` if there are several."""
        return self._single.value

    @property
    def interval(self) -> tuple[float | None, float | None] | None:
        """The interval of the only number; None if it has none."""
        return self._single.interval

    @property
    def n(self) -> int:
        """The size of the sample behind the only number."""
        return self._single.n

    @property
    def method(self) -> str:
        """How the numbers of the only result were computed."""
        return self._single.method

    @property
    def signature(self) -> str:
        """The line that records how the only result was computed."""
        return self._single.signature

    @property
    def _single(self) -> Result:
        if len(self._results) == 1:
            return self._results[0]
        if len(self.names) == 1:
            keys = dict.fromkeys(key for result in self for e in result.estimates for key in e.by)
            told = f"{counted(len(self), 'result')} are called '{self.names[0]}'"
            raise input_error(f"{told}: choose one with .at(…), by {', '.join(keys)}")
        told = f"there are {counted(len(self), 'result')}: choose one by its name"
        raise input_error(f'{told}, such as results["{self.names[0] if self.names else "…"}"]')

    def at(self, **keys: Key | None) -> Results:
        """The numbers with these keys, such as `question="adequacy"`; other results are left out.

        `judge=None` are the numbers without that key, such as those of all judges together.
        Raises `InputError` if no number has them.
        """
        kept = [one for result in self if (one := _selected(result, keys)).estimates]
        if not kept:
            raise self._nothing_at(keys)
        return self._with(kept)

    def _nothing_at(self, keys: Mapping[str, Key | None]) -> InputError:
        """The error where no number has such keys, which names the wrong one."""
        known = [{**e.tags, **e.by} for result in self for e in result.estimates]
        for key, value in keys.items():
            values = tuple(dict.fromkeys(str(each[key]) for each in known if key in each))
            if not values:
                return unknown_name("key", key, dict.fromkeys(k for each in known for k in each))
            if str(value) not in values:
                return unknown_name(key, value, values)
        told = ", ".join(f"{key}={value}" for key, value in keys.items())
        return input_error(f"no result has a number at {told}")

    def frame(self, kind: str = "polars") -> Any:
        """A row per number: name, keys, value, low, high, n and the reason where it is missing.

        `kind` is `polars` or `pandas`.
        """
        import polars as pl

        frames = [
            result.to_frame().select(pl.lit(result.name).alias("name"), pl.all()) for result in self
        ]
        if not frames:
            return as_kind(pl.DataFrame(), kind)
        whole = pl.concat(_same_types(frames), how="diagonal")
        numbers = [n for n in ("value", "low", "high", "n", "side", "note", "reason") if n in whole]
        keys = [name for name in whole.columns if name not in numbers]
        return as_kind(whole.select(*keys, *numbers), kind)

    def to_pandas(self) -> Any:
        """The same as `frame("pandas")`."""
        return self.frame("pandas")

    def figure(self) -> Chart:
        """The figures as a Vega-Lite specification, which notebooks draw; several below each other.

        Raises `InputError` if no result has one.
        """
        from jurat.figure_files import Chart
        from jurat.result_files import figure_of

        return Chart(figure_of(self))

    def to_json(self) -> str:
        """The results as the command's `--json` has them."""
        return to_json(self, notes=self.notes)

    def to_csv(self) -> str:
        """The numbers as CSV, with a column for each key."""
        return to_csv(self)

    def to_latex(self) -> str:
        """A `booktabs` table for each result."""
        return to_latex(self)

    def to_markdown(self) -> str:
        """Headline, table and method of each result."""
        from jurat.result_files import to_markdown

        return to_markdown(self, self.notes)

    def save(self, path: str | PathLike[str]) -> None:
        """Write a file by its ending: json, csv, xlsx, tex, md, html, png, svg or pdf.

        An existing file is replaced. Raises `InputError` for another ending.
        """
        from jurat.result_files import write

        write(self, Path(path), force=True, notes=self.notes)

    def __repr__(self) -> str:
        """Notes, then headline and table of each result; of many, a line for each."""
        told = [f"note: {note}" for note in self.notes]
        if len(self) <= MOST_SHOWN:
            tables = "\n\n".join(map(_text_table, self)) or "Results: none"
            return "\n".join([*told, tables])
        there = [result for result in self if not result.reason]
        lines = [[result.name, *_summary(result)] for result in there]
        table = _aligned(["name", "value", "interval", "n"], lines) if lines else []
        more = f'{counted(len(self), "result")}; results["{self.names[0]}"] shows one'
        return "\n".join([*told, *table, *left_out(self), more])

    def _repr_html_(self) -> str:
        from jurat.result_html import fragment

        return fragment(self._results, most_rows=MOST_ROWS, shown=MOST_SHOWN, notes=self.notes)

    def _repr_mimebundle_(self, **_: object) -> dict[str, object]:
        chart = self._shown_chart()
        drawn = chart._repr_mimebundle_() if chart else {}
        return {**drawn, "text/html": self._repr_html_(), "text/plain": repr(self)}

    def _ipython_display_(self) -> None:
        """Show the tables, and below them the figure: of one bundle, a notebook shows only one."""
        from IPython import display as notebook

        display: Any = notebook.display
        display({"text/html": self._repr_html_(), "text/plain": repr(self)}, raw=True)
        if chart := self._shown_chart():
            display(chart)

    def _shown_chart(self) -> Chart | None:
        """The figures of the results that are shown whole; None if they have none."""
        shown = self if len(self) <= MOST_SHOWN else self._with(self._results[:1])
        return shown.figure() if any(result.figure() for result in shown) else None

    def _with(self, results: Iterable[Result]) -> Results:
        return Results(results, notes=self.notes)


def _selected(result: Result, keys: Mapping[str, Key | None]) -> Result:
    """The result with those estimates alone that have these keys, also in its figure."""
    kept = [e for e in result.estimates if all(_has(e, k, v) for k, v in keys.items())]
    # a headline speaks of all groups, and would be misread above the numbers of one
    headline = result.headline if _groups(kept) == _groups(result.estimates) else ""
    # where a key is to be None, the names that it has elsewhere are left out
    others = {
        key: frozenset(str(e.by.get(key, e.tags.get(key))) for e in result.estimates)
        for key, value in keys.items()
        if value is None
    }
    filtered = partial(_filtered_figure, result.draw, keys, others) if result.draw else None
    return replace(result, estimates=tuple(kept), headline=headline, draw=filtered)


def _filtered_figure(
    draw: Callable[[], Figure],
    keys: Mapping[str, Key | None],
    others: Mapping[str, frozenset[str]],
) -> Figure:
    figure: Figure = _filtered(draw(), keys, others)
    return figure


def _groups(estimates: Iterable[Estimate]) -> set[tuple[object, ...]]:
    """The questions and the groups of `by=` that estimates are about."""
    return {(e.by.get("question"), *e.tags.items()) for e in estimates}


def _filtered(
    part: Any, keys: Mapping[str, Key | None], others: Mapping[str, frozenset[str]]
) -> Any:
    """A part of a figure, whose data have only rows with these keys, as far as they have any."""
    if isinstance(part, list):
        return [_filtered(each, keys, others) for each in part]
    if not isinstance(part, Mapping):
        return part
    found = {name: _filtered(each, keys, others) for name, each in part.items() if name != "data"}
    data = part.get("data")
    if isinstance(data, Mapping) and "values" in data:
        rows = data["values"]
        for key, value in keys.items():
            wanted = partial(_is_drawn, key=key, value=value, others=others.get(key, frozenset()))
            same = [row for row in rows if wanted(row)]
            rows = same or rows
        data = {**data, "values": rows}
    return found if data is None else {**found, "data": data}


def _is_drawn(
    row: Mapping[str, object], *, key: str, value: Key | None, others: frozenset[str]
) -> bool:
    """Whether a row of a figure has that value of a key; with None it may have a name of its own.

    The mean of all judges, which has no judge, is called so in figures.
    """
    if key not in row:
        return True
    return str(row[key]) not in others if value is None else str(row[key]) == str(value)


def _has(estimate: Estimate, key: str, value: Key | None) -> bool:
    """Whether an estimate has that value of a key, or with None no such key; 1 and "1" are same."""
    told = estimate.by.get(key, estimate.tags.get(key))
    if value is None or told is None:
        return told is value
    return told == value or str(told) == str(value)


def as_kind(frame: Any, kind: str) -> Any:
    """A polars frame as the kind of frame that was asked for, one of `FRAMES`."""
    if kind == "polars":
        return frame
    if kind != "pandas":
        raise unknown_name("kind of frame", kind, FRAMES)
    import pandas as pd

    # polars' own way needs pyarrow, which a pandas user may not have
    return pd.DataFrame({name: frame[name].to_list() for name in frame.columns})


def _same_types(frames: list[Any]) -> list[Any]:
    """The frames, with keys as texts where some results have texts and others numbers."""
    import polars as pl

    kinds: dict[str, set[Any]] = {}
    for frame in frames:
        for name, kind in frame.schema.items():
            kinds.setdefault(name, set()).add(kind)
    mixed = [name for name, found in kinds.items() if len(found) > 1]
    return [
        frame.with_columns(pl.col(name).cast(pl.String) for name in mixed if name in frame.columns)
        for frame in frames
    ]


def _text_table(result: Result) -> str:
    columns, rows = readable(result)
    more = [f"… and {len(rows) - MOST_ROWS:,} more rows"] if len(rows) > MOST_ROWS else []
    lead = [result.headline] if result.headline else []
    table = _aligned(columns, rows[:MOST_ROWS])
    return "\n".join([*lead, *table, *more, f"{result.name}: {result.method}"])


def _aligned(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a table whose columns are as wide as their widest cell."""
    widths = [max(map(len, cells)) for cells in zip(columns, *rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (columns, *rows)
    ]


def _summary(result: Result) -> list[str]:
    """Value, interval and n of a result, or how many values there are."""
    if len(result.estimates) > 1:
        return [counted(len(result.estimates), "value"), "", ""]
    columns, rows = readable(result)
    cells = dict(zip(columns, rows[0], strict=True))
    return [cells.get(name, "") for name in ("value", "interval", "n")]
