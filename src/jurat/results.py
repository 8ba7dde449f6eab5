"""Results of statistics: named numbers with n, interval, method and signature, and a figure.

They are printed as a table, JSON, CSV or LaTeX.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec

from jurat import __version__
from jurat.csv_cells import defuse
from jurat.errors import input_error, quoted
from jurat.latex import latex_table

if TYPE_CHECKING:
    import polars as pl

# A value of `by` or `tags`.
Key = str | int | float
# A Vega-Lite specification as plain data.
Figure = Mapping[str, object]
# Columns of `readable` that hold numbers, and are aligned to the right.
NUMERIC = ("value", "interval", "n")

# Results whose values are counts, ranks, or 1 for yes and 0 for no: they print without decimals.
COUNTS = frozenset(
    (
        "judge-longest-run",
        "judge-outlier",
        "metric-cluster",
        "metric-matched",
        "metric-pairs",
        "metric-spearman-undefined",
        "metric-undifferentiated",
        "metric-verdicts",
        "more-judgments",
        "order-settled",
        "outlier-overlap",
        "outlier-overlap-side",
        "outliers",
        "outliers-side",
        "plan-decisions",
        "plan-documents",
        "plan-judges",
        "plan-judgments",
        "plan-kits",
        "plan-segments",
        "preference-agree",
        "preference-count",
        "preference-pairs",
        "preference-ties",
        "preference-total",
        "seconds-over",
        "system-best-count",
        "system-cluster",
        "system-rank",
    )
)


class Subject(Protocol):
    """What numbers are computed of: the answers to one question, in one split."""

    @property
    def by(self) -> Mapping[str, Key]:
        """The keys under which its numbers are listed, such as the question."""

    @property
    def tags(self) -> Mapping[str, Key]:
        """The values of the columns of `--by`, if the judgments were split."""


class Estimate(NamedTuple):
    """A number with its n and interval, or the reason why it is missing."""

    value: float | None
    n: int
    """The size of the sample; the result's method says what is counted."""
    by: Mapping[str, Key] = {}
    """What it is an estimate of: question, system, metric."""
    tags: Mapping[str, Key] = {}
    """The split that the user asked for, and other facts about the number."""
    low: float | None = None
    high: float | None = None
    reason: str = ""
    side: str = ""
    """A remark on the direction, such as `lower is better`."""
    note: str = ""
    """How far the number can be trusted, where that is less than usual."""

    @classmethod
    def of(
        cls,
        value: float | None,
        n: float,
        *,
        about: Subject | None = None,
        by: Mapping[str, Key] = {},
        tags: Mapping[str, Key] = {},
        low: float | None = None,
        high: float | None = None,
        reason: str = "",
        side: str = "",
        note: str = "",
    ) -> Estimate:
        """An estimate of a value that may be NaN; `reason` says why, and is dropped otherwise.

        A NaN end of the interval is no end. `about` puts its own keys before those of `by`, and
        its split before the `tags`.
        """
        known = _number_or_none(value)
        # Compared with None: a part without answers has a length of 0 and would count as false.
        return cls(
            value=known,
            n=int(n),
            by=by if about is None else {**about.by, **by},
            tags=tags if about is None else {**about.tags, **tags},
            low=_number_or_none(low),
            high=_number_or_none(high),
            reason=reason if known is None else "",
            side=side,
            note=note if known is not None else "",
        )


def _number_or_none(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else float(value)


@dataclass(frozen=True, kw_only=True)
class Result:
    """Estimates with the same name, all computed in the same way."""

    name: str
    estimates: tuple[Estimate, ...]
    method: str
    signature: str
    options: Mapping[str, object] = field(default_factory=dict)
    headline: str = ""
    """The finding in one sentence."""
    draw: Callable[[], Figure] | None = None
    """Makes the figure; called only when it is shown."""

    @classmethod
    def unavailable(
        cls, name: str, *, method: str, signature: str, missing: Sequence[str]
    ) -> Result:
        """A result that cannot be computed, because these columns are missing."""
        reason = f"needs the {'column' if len(missing) == 1 else 'columns'} {', '.join(missing)}"
        nothing = Estimate(value=None, n=0, reason=reason)
        return cls(name=name, estimates=(nothing,), method=method, signature=signature)

    def figure(self) -> Figure | None:
        """The result as a Vega-Lite specification; None if it has no figure, or an empty one."""
        drawn = self.draw() if self.draw else None
        return drawn if drawn and not _is_empty(drawn) else None

    def __getstate__(self) -> dict[str, object]:
        # pickled, the figure itself stands for the function that makes it, which is often local
        drawn = self.draw() if self.draw else None
        return {**vars(self), "draw": None if drawn is None else partial(dict, drawn)}

    @property
    def value(self) -> float | None:
        """The value of its only estimate; raises `InputError` if it has several."""
        return self._single.value

    @property
    def interval(self) -> tuple[float | None, float | None] | None:
        """The interval of its only estimate; None if it has none."""
        low, high = self._single.low, self._single.high
        return None if low is None and high is None else (low, high)

    @property
    def n(self) -> int:
        """The size of the sample of its only estimate."""
        return self._single.n

    @property
    def _single(self) -> Estimate:
        if len(self.estimates) != 1:
            named = [{**e.by, **e.tags} for e in self.estimates]
            keys = sorted({key for names in named for key in names})
            # a key that all have in common chooses nothing
            apart = [key for key in keys if len({names.get(key) for names in named}) > 1] or keys
            told = f"'{self.name}' has {len(self.estimates):,} values"
            if not apart:
                raise input_error(told)
            own = quoted(named[0].get(apart[0], "…"))
            by = ", ".join(apart)
            raise input_error(f"{told}, by {by}; choose one with results.at({apart[0]}={own})")
        return self.estimates[0]

    @property
    def reason(self) -> str:
        """Why nothing could be computed; empty if a value is there, or reasons differ."""
        reasons = {estimate.reason for estimate in self.estimates}
        if len(reasons) > 1 or any(estimate.value is not None for estimate in self.estimates):
            return ""
        return next(iter(reasons), "") or "undefined"

    def to_frame(self) -> pl.DataFrame:
        """A row per estimate: its keys, value, low, high, n and reason."""
        # imported here, because printing results does not need polars
        import polars as pl

        keys = _keys(self.estimates)
        columns = {key.title: _one_type([key.of(e) for e in self.estimates]) for key in keys}
        numbers = [_numbers(e) for e in self.estimates]
        # these three columns are always there; interval and side only if some estimate has them
        told = {name for row in numbers for name in row} | {"value", "n", "reason"}
        for name in _NUMBERS:
            if name in told:
                columns[name] = [row.get(name) for row in numbers]
        # a column of nulls would get the type Null, and frames could not be concatenated
        kinds = {name: kind() for name, kind in _kinds().items() if name in columns}
        return pl.DataFrame(columns, schema_overrides=kinds)

    def to_dicts(self) -> Iterator[dict[str, object]]:
        """The estimates as the rows of the JSON output."""
        same = {"method": self.method, "signature": self.signature}
        for estimate in self.estimates:
            row: dict[str, object] = {"name": self.name, "by": _plain(estimate.by)}
            if estimate.tags:
                row["tags"] = _plain(estimate.tags)
            numbers = _numbers(estimate)
            # in JSON, a reason is there only where a value is missing
            if not numbers["reason"]:
                del numbers["reason"]
            yield row | numbers | same


def _is_empty(figure: Figure) -> bool:
    """Whether a figure has no data: then Vega cannot draw its axes."""
    match figure.get("data"):
        case {"values": []}:
            return True
    return False


def signature(statistic: str, parts: Mapping[str, object]) -> str:
    """One line that says how a number was computed: `fleiss-kappa|judges:25|fold:7to5|jurat:0.1.0`.

    `|`, `:`, `\\` and line ends in a part are escaped, so that a signature can be parsed.
    """
    told = [
        f"{_safe(name)}:{_safe(value)}"
        for name, value in parts.items()
        if value not in (None, "", ())
    ]
    return "|".join([_safe(statistic), *told, f"jurat:{__version__}"])


def to_json(results: Iterable[Result], **beside: object) -> str:
    """`{"results": […]}`, a flat list of named numbers; undefined ones are null with a reason.

    `beside` comes before the results: notes on the data, the analysis.
    """
    rows = [row for result in results for row in result.to_dicts()]
    whole = {**beside, "results": rows}
    return msgspec.json.format(msgspec.json.encode(whole), indent=1).decode()


def flat_rows(results: Iterable[Result]) -> tuple[list[str], list[dict[str, object]]]:
    """Columns and rows of all estimates: name, a column for each key, numbers, signature."""
    rows = [_flat(row) for result in results for row in result.to_dicts()]
    found = dict.fromkeys(name for row in rows for name in row)
    # the order of columns is fixed, whichever result happens to come first
    keys = [name for part in ("by.", "tags.") for name in found if name.startswith(part)]
    names = ["name", *keys, *(n for n in (*_NUMBERS, "method", "signature") if n in found)]
    return names, rows


def to_csv(results: Iterable[Result]) -> str:
    """The numbers as CSV, with a column for each key that occurs."""
    names, rows = flat_rows(results)
    out = io.StringIO()
    writer = csv.DictWriter(out, names, lineterminator="\n")
    if rows:
        writer.writeheader()
        writer.writerows(
            {n: defuse(v) if isinstance(v, str) else v for n, v in row.items()} for row in rows
        )
    return out.getvalue()


def to_latex(results: Iterable[Result]) -> str:
    """A LaTeX table for each result (needs the package booktabs)."""
    return "\n".join(
        latex_table(
            *readable(result), numbers=NUMERIC, comment=f"{result.name}: {result.signature}"
        )
        for result in results
    )


def readable(result: Result) -> tuple[list[str], list[list[str]]]:
    """Columns and rows for people: rounded numbers, intervals in brackets."""
    keys = _keys(result.estimates)
    whole = are_whole(result.name, result.estimates)
    digits = column_decimals(result.estimates)
    rows = [
        [*(spoken(key.of(e)) for key in keys), *_cells(e, whole=whole, digits=digits)]
        for e in result.estimates
    ]
    columns = [*(key.title for key in keys), "value", "interval", "n", ""]
    used = [
        n for n, name in enumerate(columns) if name in ("value", "n") or any(row[n] for row in rows)
    ]
    return [columns[n] for n in used], [[row[n] for n in used] for row in rows]


def left_out(results: Iterable[Result]) -> Iterator[str]:
    """A line per reason with the names of the results that could not be computed."""
    names: dict[str, list[str]] = {}
    for result in results:
        if result.reason:
            names.setdefault(result.reason, []).append(result.name)
    for reason, missing in names.items():
        yield f"Left out: {', '.join(dict.fromkeys(missing))} ({reason})"


def are_whole(name: str, estimates: Iterable[Estimate]) -> bool:
    """Whether a result's values are counts, ranks or flags, which have no decimals."""
    values = [e.value for e in estimates if e.value is not None]
    if not all(float(value).is_integer() for value in values):
        return False
    # 0 and 1 alone may just as well be shares, so that the name has to tell
    return name in COUNTS or any(abs(value) > 1 for value in values)


def column_decimals(estimates: Iterable[Estimate]) -> int | None:
    """The decimals that suit all numbers of a column; None where their sizes differ too much."""
    numbers = [n for e in estimates for n in (e.value, e.low, e.high)]
    sizes = [abs(n) for n in numbers if n is not None and math.isfinite(n) and n]
    if not sizes:
        return None
    # a share of 1 among others reads 1.000
    digits = 3 if max(sizes) <= 1 else decimals(max(sizes))
    small = sum(size < 10 ** (1 - digits) for size in sizes)
    # such as thresholds of metrics on scales to 1 and to 100, which would read 0.01
    return None if digits < 3 and small > len(sizes) / 5 else digits


def spoken(value: object, digits: int | None = None) -> str:
    """A value for people: numbers rounded, with thousands separators.

    `digits` are the decimals of a measured number; if not given, its size tells.
    """
    if value is None:
        return ""
    if isinstance(value, float):
        return _spoken_float(float(value), digits)
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def decimals(value: float) -> int:
    """The decimals to which a measured number is rounded for people."""
    size = abs(value)
    # counts come as whole numbers, which have no such method before Python 3.12
    if float(value).is_integer() and size >= 1000:
        return 0
    # three or four significant digits, whatever the size
    return 3 if size < 1 else 2 if size < 100 else 1


def _spoken_float(value: float, digits: int | None = None) -> str:
    # with three decimals this would read 0.000, as if it were zero
    if 0 < abs(value) < 0.0005 and digits in (None, 3):
        return f"{value:.1e}"
    # + 0.0 makes a negative zero positive
    return f"{value + 0.0:,.{decimals(value) if digits is None else digits}f}"


class _Title(NamedTuple):
    """A key of the estimates, and the heading of its column."""

    name: str
    of_tags: bool
    title: str

    def of(self, estimate: Estimate) -> object:
        """The value of this key in an estimate."""
        keys = estimate.tags if self.of_tags else estimate.by
        return _item(keys[self.name]) if self.name in keys else None


_NUMBERS = ("value", "low", "high", "n", "side", "note", "reason")


def _kinds() -> dict[str, type[pl.DataType]]:
    import polars as pl

    number = dict.fromkeys(("value", "low", "high"), pl.Float64)
    return {**number, "n": pl.Int64, **dict.fromkeys(("side", "note", "reason"), pl.String)}


def _keys(estimates: Sequence[Estimate]) -> list[_Title]:
    """The keys of `by` and `tags`; one that is the name of another column gets a prefix."""
    by = dict.fromkeys(key for e in estimates for key in e.by)
    # a key with the same value in both, such as a judge when splitting by judge, has one column
    tags = dict.fromkeys(k for e in estimates for k, v in e.tags.items() if e.by.get(k) != v)
    taken = {*_NUMBERS, "interval"}
    found = [_Title(key, False, f"by.{key}" if key in taken else key) for key in by]
    taken |= set(by)
    return found + [_Title(key, True, f"tags.{key}" if key in taken else key) for key in tags]


def _one_type(values: list[object]) -> list[object]:
    """The values, as texts if they have several types: a column can have only one."""
    kinds = {type(value) for value in values if value is not None}
    # polars itself converts whole numbers among floats
    if len(kinds) <= 1 or kinds == {int, float}:
        return values
    return [None if value is None else str(value) for value in values]


def _plain(keys: Mapping[str, Key]) -> dict[str, object]:
    return {str(name): _item(value) for name, value in keys.items()}


def _item(value: object) -> object:
    """A numpy number as Python's, which JSON needs; other values as they are."""
    return value.item() if hasattr(value, "item") else value


def _cells(estimate: Estimate, *, whole: bool, digits: int | None) -> list[str]:
    """Value, interval, n and remarks for people; `whole` values, as ranks, have no decimals."""
    numbers = _numbers(estimate)
    for name in ("value", "low", "high"):
        if whole and isinstance(number := numbers.get(name), float) and number.is_integer():
            numbers[name] = int(number)
    value, low, high = (
        spoken(numbers.get(name), digits) or "–" for name in ("value", "low", "high")
    )
    interval = f"[{low}, {high}]" if "low" in numbers else ""
    told = (estimate.side, str(numbers["reason"]), estimate.note)
    remarks = ", ".join(part for part in told if part)
    return [value, interval, spoken(numbers["n"]), remarks]


def _numbers(estimate: Estimate) -> dict[str, object]:
    """Value, interval, side and note (if there are any), n and reason."""
    value, low, high = map(_finite, (estimate.value, estimate.low, estimate.high))
    numbers: dict[str, object] = {"value": value}
    if low is not None or high is not None:
        numbers |= {"low": low, "high": high}
    numbers["n"] = int(estimate.n)
    if estimate.side:
        numbers["side"] = estimate.side
    if estimate.note:
        numbers["note"] = estimate.note
    # JSON has neither infinity nor NaN: both become null with a reason
    infinite = estimate.value is not None and math.isinf(estimate.value)
    undefined = "" if value is not None else "infinite" if infinite else "undefined"
    return numbers | {"reason": estimate.reason or undefined}


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)


def _flat(row: Mapping[str, object]) -> dict[str, object]:
    """A row of JSON with `by.` and `tags.` keys as columns."""
    flat: dict[str, object] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            flat |= {f"{name}.{key}": item for key, item in value.items()}
        else:
            flat[name] = value
    return flat


# Characters that separate the parts of a signature, and their escapes.
_SIGNS = str.maketrans({"\\": r"\\", "|": r"\|", ":": r"\:", "\n": r"\n", "\r": r"\r"})


def _safe(text: object) -> str:
    return str(text).translate(_SIGNS)
