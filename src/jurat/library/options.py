"""The options that all analyses share, and how Python's values become those of the command line.

An option may be written as on the command line (`columns="judge=rater,value=score"`) or as Python
has it (`columns={"judge": "rater", "value": "score"}`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import wraps
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    ParamSpec,
    TypedDict,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from jurat.errors import closest, input_error, quoted, unknown_name
from jurat.library.option_docs import with_option_docs

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")


class Range(NamedTuple):
    """The numbers that an option takes; `above` and `below` are not among them."""

    least: float | None = None
    most: float | None = None
    above: float | None = None
    below: float | None = None

    def holds(self, number: float) -> bool:
        """Whether the number is in the range; NaN is in none."""
        return (
            (self.least is None or number >= self.least)
            and (self.most is None or number <= self.most)
            and (self.above is None or number > self.above)
            and (self.below is None or number < self.below)
        )

    def __repr__(self) -> str:
        """As in the signature that `help` shows."""
        return str(self)

    def __str__(self) -> str:
        """As a message says it: `at least 0`, `above 0 and below 1`."""
        told = (
            ("at least", self.least),
            ("at most", self.most),
            ("above", self.above),
            ("below", self.below),
        )
        return " and ".join(f"{word} {number:g}" for word, number in told if number is not None)


# Names of columns, judges or questions: a list, or as on the command line, `a,b`.
Names = str | Sequence[str]
# Jurat's names and the table's columns, which pandas may number; several columns are joined.
Columns = str | Mapping[str, str | int | Sequence[str | int]]
# Answers and what they count: `7to5`, [1, 1, 2, 3, 3] from point 1 on, or {"A": 3, "B": 2}.
Fold = str | Sequence[float] | Mapping[Any, float]
# A number for all, or one for each name.
NumberByName = str | float | Mapping[str, float]
# A table: a path, a frame of pandas, polars or Arrow, a list of dicts, or a dict of columns.
Source = Any

Count = Annotated[int, Range(least=1)]
Resamples = Annotated[int, Range(least=0)]
Share = Annotated[float, Range(above=0, below=1)]
Positive = Annotated[float, Range(above=0)]
Deviation = Annotated[float, Range(least=0)]
Unit = Literal["document", "segment"]
Ties = Literal["share", "all", "first", "none"]
Ranks = Literal["minimum", "dense"]
CorrectionName = Literal["holm", "bh", "none"]


class TableReadOptions(TypedDict, total=False):
    """How a table is read as judgments."""

    columns: Columns
    questions: Names
    sum: str
    weights: NumberByName
    items: Source
    where: str
    exclude: Names
    model_judges: Names
    include_models: bool
    fold: Fold
    header: Names
    sheet: str
    read_as: str
    by: Names
    standardise_where: str
    campaign: str | None
    store: str | None


class ReadOptions(TableReadOptions, total=False):
    """The same, with the columns that each hold one system's scores or one judge's answers."""

    systems: Names
    judges: Names


class ComputingOptions(TypedDict, total=False):
    """How numbers are computed, and which."""

    seed: int
    bootstrap: Resamples
    confidence: Share
    unit: Unit | None
    method: str
    executor: str
    statistics: Names


class AnalysisOptions(ReadOptions, ComputingOptions, total=False):
    """How a table is read and analysed."""


class ReportOptions(ReadOptions, total=False):
    """How a table is read for a report, and how its intervals are computed."""

    seed: int
    bootstrap: Resamples
    confidence: Share
    unit: Unit | None


class PlanOptions(TableReadOptions, ComputingOptions, total=False):
    """The same for `plan`, whose `systems` and `judges` are numbers."""


# What each shared option is where it is not given.
DEFAULTS: AnalysisOptions = {
    "columns": "",
    "questions": (),
    "systems": (),
    "judges": (),
    "sum": "",
    "weights": "",
    "items": None,
    "where": "",
    "exclude": (),
    "model_judges": (),
    "include_models": False,
    "fold": "",
    "header": (),
    "sheet": "",
    "read_as": "",
    "by": (),
    "standardise_where": "",
    "campaign": None,
    "store": None,
    "seed": 1,
    "bootstrap": 1000,
    "confidence": 0.95,
    "unit": None,
    "method": "",
    "executor": "",
    "statistics": (),
}
READING = tuple(ReadOptions.__annotations__)


def checked(function: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
    """The function with its whole signature and help, whose options are checked in every call.

    An unknown option raises `TypeError` with the name that was probably meant, a wrong value
    `InputError`.
    """
    hints = get_type_hints(function, include_extras=True)
    shared = hints.pop("options", None)
    kinds = get_type_hints(get_args(shared)[0], include_extras=True) if shared else {}
    own = [
        p for p in signature(function).parameters.values() if p.kind is not Parameter.VAR_KEYWORD
    ]
    more = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=DEFAULTS.get(name), annotation=kind)
        for name, kind in kinds.items()
        if name not in {p.name for p in own}
    ]
    whole = signature(function).replace(parameters=[*own, *more])
    allowed = {**kinds, **hints}

    @wraps(function)
    def call(*args: Parameters.args, **options: Parameters.kwargs) -> Returned:
        for name, value in options.items():
            if name not in whole.parameters:
                raise unknown_option(function.__name__, name, whole.parameters)
            check(name, value, allowed.get(name, Any))
        return function(*args, **options)

    call.__signature__ = whole  # type: ignore[attr-defined]
    call.__doc__ = with_option_docs(function.__doc__ or "", [one.name for one in more])
    return call


def unknown_option(function: str, name: str, known: Collection[str]) -> TypeError:
    """The error for an option that a function does not have, to be raised."""
    near = closest(name, known)
    hint = f"did you mean '{near}'?" if near else f"allowed: {', '.join(known)}"
    return TypeError(f"{function}() has no option '{name}'; {hint}")


def check(name: str, value: object, kind: Any) -> None:
    """Raise `InputError` if a value is not of the kind that its option's annotation says."""
    if get_origin(kind) in (Union, UnionType):
        kinds = get_args(kind)
        if value is None and NoneType in kinds:
            return
        others = [each for each in kinds if each is not NoneType]
        if len(others) == 1:
            check(name, value, others[0])
        return
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise unknown_name(f"{name}", value, get_args(kind))
        return
    if get_origin(kind) is Annotated:
        plain, limits = get_args(kind)
        check(name, value, plain)
        if not limits.holds(value):
            raise input_error(f"{name} must be {limits}, and is {quoted(value)}", value=value)
        return
    _check_type(name, value, kind)


_WORDS = {int: "a whole number", float: "a number", str: "a text", bool: "True or False"}


def _check_type(name: str, value: object, kind: Any) -> None:
    if kind not in _WORDS:
        return
    # numpy's numbers count as numbers, True and False do not
    fits = {
        bool: isinstance(value, bool),
        str: isinstance(value, str),
        int: hasattr(value, "__index__") and not isinstance(value, bool),
        float: hasattr(value, "__float__") and not isinstance(value, bool | str),
    }
    if not fits[kind]:
        raise input_error(f"{name} must be {_WORDS[kind]}, and is {quoted(value)}", value=value)


def names(value: Names | None) -> tuple[str, ...]:
    """Names as a tuple: those of a list, or those in `a, b`."""
    if value is None:
        return ()
    if isinstance(value, str):
        return tuple(name for part in value.split(",") if (name := part.strip()))
    return tuple(map(str, value))


def column_map(value: Columns, existing: Collection[str] = ()) -> str:
    """A column map as on the command line.

    In a dict, a text is the table's column of that name, or else what the command line takes:
    several columns joined by `+`, or a literal in quotes. A list names columns.
    """
    if isinstance(value, str):
        return value
    if not isinstance(value, Mapping):
        example = '{"judge": "rater", "value": "score"}'
        raise input_error(f"columns must be a dict such as {example}, or a text", value=value)
    return ",".join(f"{name}={_right_side(told, existing)}" for name, told in value.items())


def _right_side(told: object, existing: Collection[str]) -> str:
    """What stands after `=`: a column, which frames of pandas may call by a number, or several."""
    if isinstance(told, list | tuple):
        return "+".join(f"`{name}`" for name in told)
    return f"`{told}`" if str(told) in existing else str(told)


def fold_map(value: Fold) -> str:
    """A fold as on the command line: `7to5`, `1,1,2` or `A=2,B=1`."""
    match value:
        case str():
            return value
        case Mapping():
            return ",".join(f"{answer}={point}" for answer, point in value.items())
    return ",".join(str(point) for point in value)


def number_map(value: NumberByName) -> str:
    """Numbers by name as on the command line: `30`, or `adequacy=40,preference=25`."""
    if isinstance(value, Mapping):
        return ",".join(
            f"{name}={number}" if name else str(number) for name, number in value.items()
        )
    return str(value)


def expected_seconds(text: str) -> dict[str, float]:
    """Expected seconds per decision, by question: `30`, or `adequacy=40,preference=25`.

    A number without a question has the empty key. Raises `InputError` for anything else.
    """
    found: dict[str, float] = {}
    for part in names(text):
        question, _, seconds = part.rpartition("=")
        try:
            found[question.strip()] = float(seconds)
        except ValueError:
            message = f"'{part}' is not an estimate: write seconds, or question=seconds"
            raise input_error(message, value=part) from None
    return found
