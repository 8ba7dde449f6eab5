"""Conditions: a safe subset of Python expressions (comparisons, and, or, not, in, parentheses).

They select rows of a table (`--where "type == 'TGT' and seconds < 120"`) and segments of a test
set, and decide whether a question is asked (`when: adequacy >= 5`). Nothing is executed: the text
is parsed into the classes below, and these are interpreted.

A name that is not a Python identifier is written in backticks: `` `time spent` > 3 ``.
"""

from __future__ import annotations

import ast
import operator
import re
import typing
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Literal, TypeAlias

import msgspec

from jurat.errors import InputError, input_error, quoted, unknown_name

Scalar: TypeAlias = "str | int | float | bool | None"
Operator = Literal["==", "!=", "<", "<=", ">", ">="]

# Characters of an expression.
LONGEST = 2000
# Levels of nested `and`, `or` and `not`.
DEEPEST = 50

_OPERATORS: dict[type[ast.cmpop], Operator] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "==",
    ast.IsNot: "!=",
}
_COMPARE: dict[Operator, Callable[[typing.Any, typing.Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
# Texts that are numbers. Neither float() nor JavaScript's Number() decides: they differ over inf,
# 1_000, 0x10 and the empty text, and the page must agree with the server.
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_BLANKS = " \t\r\n"
_ORDERED = (str, int | float)
_TEXTS = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"")
# Quoted texts are matched first, so that a backtick within one is left alone.
_BACKTICKS = re.compile(_TEXTS.pattern + "|`([^`]+)`")


class Name(msgspec.Struct, frozen=True, tag="name"):
    """A column, a tag or a question, by its name."""

    name: str


class Literals(msgspec.Struct, frozen=True, tag="literals"):
    """One or several constants."""

    values: tuple[Scalar, ...]


Operand = Name | Literals


class Comparison(msgspec.Struct, frozen=True, tag="compare"):
    """Two values compared: `seconds < 120`."""

    left: Operand
    op: Operator
    right: Operand


class Membership(msgspec.Struct, frozen=True, tag="in"):
    """`name in (…)`, or `'part' in name` for a part of a text."""

    left: Operand
    right: Operand


class Not(msgspec.Struct, frozen=True, tag="not"):
    """The negation of a condition."""

    part: Condition


class All(msgspec.Struct, frozen=True, tag="and"):
    """`a and b`: true if all parts are."""

    parts: tuple[Condition, ...]


class Any(msgspec.Struct, frozen=True, tag="or"):
    """`a or b`: true if at least one part is."""

    parts: tuple[Condition, ...]


Condition: TypeAlias = "Comparison | Membership | Not | All | Any"


# Cached, because the same few conditions are parsed again for every judge and every answer.
@lru_cache(maxsize=1024)
def parse(text: str) -> Condition:
    """The condition in a text; raises `InputError` with what is not allowed in it."""
    if len(text) > LONGEST:
        raise input_error(
            f"the expression has {len(text)} characters; at most {LONGEST} are allowed"
        )
    code, quoted_names = _without_backticks(text.strip())
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python warns of '\d' and `1in x`
            tree = ast.parse(code, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        message = f"cannot read the expression {quoted(text)}: {_reason(error, code)}"
        raise input_error(message) from None
    return _Reader(code, quoted_names).condition(tree.body)


def _reason(error: Exception, code: str) -> str:
    # a common slip, for which Python's own message does not help
    if re.search(r"(?<![=<>!])=(?!=)", _TEXTS.sub("", code)):
        return "use == to compare"
    if isinstance(error, SyntaxError):
        return error.msg
    nested = isinstance(error, RecursionError | MemoryError)
    return "it is nested too deeply" if nested else "it contains characters that are not text"


def _without_backticks(text: str) -> tuple[str, dict[str, str]]:
    """The text with an identifier for each name in backticks, and the names by identifier."""
    # an identifier that occurs nowhere in the text, so that it cannot be mistaken for a real name
    mark = "_"
    while mark in text:
        mark += "_"
    found: dict[str, str] = {}

    def placeholder(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0]
        found[word := f"{mark}{len(found)}_"] = match[1]
        return word

    return _BACKTICKS.sub(placeholder, text), found


def names(condition: Condition) -> Iterator[str]:
    """The names in a condition, in order."""
    if isinstance(condition, Comparison | Membership):
        sides = (condition.left, condition.right)
        yield from (side.name for side in sides if isinstance(side, Name))
    else:
        for part in (condition.part,) if isinstance(condition, Not) else condition.parts:
            yield from names(part)


def holds(condition: Condition, values: Mapping[str, object]) -> bool:
    """Whether a condition is true of these values by name; a name without a value is None.

    The judge's page evaluates the same conditions in `web/static/conditions.js`. Both have to pass
    the cases in `tests/conditions.json`; `docs/protocols.md` describes the rules.
    """
    match condition:
        case Not(part):
            return not holds(part, values)
        case All(parts):
            return all(holds(part, values) for part in parts)
        case Any(parts):
            return any(holds(part, values) for part in parts)
        case Comparison(left, op, right):
            return _compare(_value(left, values), op, _value(right, values))
        case Membership(left, Literals(options)):
            return any(_compare(_value(left, values), "==", option) for option in options)
        case Membership(left, right):
            return _among(_value(left, values), _value(right, values))


def _among(part: object, whole: object) -> bool:
    """Whether a list has this member, or a text or number, as it is written, contains it."""
    if isinstance(whole, list | tuple):
        return part is not None and any(_compare(part, "==", member) for member in whole)
    piece, text = _written(part), _written(whole)
    return piece is not None and text is not None and piece in text


def _written(value: object) -> str | None:
    """A text, or a number as text (5.0 as 5); None for everything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    # JavaScript writes 5.0 as 5, and the page must find the same parts
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value)) if whole else str(value)


def _compare(left: object, op: Operator, right: object) -> bool:
    if left is None or right is None:
        return (left is right) == (op == "==") if op in ("==", "!=") else False
    if isinstance(left, str) != isinstance(right, str):
        left, right = _alike(left, right)
    if op in ("==", "!="):
        return bool(_COMPARE[op](left, right))
    # Python would also order lists, and JavaScript would order anything
    ordered = any(isinstance(left, kind) and isinstance(right, kind) for kind in _ORDERED)
    return ordered and bool(_COMPARE[op](left, right))


def _alike(left: object, right: object) -> tuple[object, object]:
    """Both values; a text is converted to a number or truth value if the other is one."""
    read = _truth if isinstance(left, bool) or isinstance(right, bool) else _number
    return (read(left), right) if isinstance(left, str) else (left, read(right))


def _truth(text: object) -> object:
    return _TRUTH.get(str(text).strip(_BLANKS).lower(), text)


def _number(text: object) -> object:
    return float(str(text)) if _NUMBER.fullmatch(str(text).strip(_BLANKS)) else text


def _value(operand: Operand, values: Mapping[str, object]) -> object:
    return values.get(operand.name) if isinstance(operand, Name) else operand.values[0]


class _Reader:
    """Turns Python's syntax tree into conditions; rejects everything that is not allowed."""

    def __init__(self, code: str, quoted_names: Mapping[str, str]) -> None:
        self.code = code
        self.quoted_names = quoted_names

    def condition(self, node: ast.expr, depth: int = 0) -> Condition:
        if depth > DEEPEST:
            raise input_error(f"the expression is nested too deeply; {DEEPEST} levels are allowed")
        match node:
            case ast.BoolOp(op=op, values=values):
                parts = tuple(self.condition(value, depth + 1) for value in values)
                return All(parts) if isinstance(op, ast.And) else Any(parts)
            case ast.UnaryOp(op=ast.Not()):
                return Not(self.condition(node.operand, depth + 1))
            case ast.Compare():
                return self._chain(node)
            case ast.Name():
                return Comparison(self._operand(node), "==", Literals((True,)))
        raise self._refusal(node)

    def _chain(self, node: ast.Compare) -> Condition:
        """A comparison, or several joined by `and`: `1 < x <= 5`."""
        sides = [node.left, *node.comparators]
        steps = zip(sides, node.ops, sides[1:], strict=False)
        parts = tuple(self._comparison(left, op, right) for left, op, right in steps)
        return parts[0] if len(parts) == 1 else All(parts)

    def _comparison(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Condition:
        if isinstance(op, ast.In | ast.NotIn):
            membership = Membership(self._operand(left), self._options(right))
            return Not(membership) if isinstance(op, ast.NotIn) else membership
        return Comparison(self._operand(left), _OPERATORS[type(op)], self._operand(right))

    def _options(self, node: ast.expr) -> Operand:
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            return Literals(tuple(map(self._literal, node.elts)))
        # ('a') is not a tuple in Python, but `x in ('a')` is meant as one
        return self._operand(node)

    def _operand(self, node: ast.expr) -> Operand:
        if isinstance(node, ast.Name):
            return Name(self.quoted_names.get(node.id, node.id))
        return Literals((self._literal(node),))

    def _literal(self, node: ast.expr) -> Scalar:
        match node:
            case ast.Constant(value=str() | int() | float() | bool() | None as value):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return -value
        raise self._refusal(node)

    def _refusal(self, node: ast.expr) -> InputError:
        piece = ast.get_source_segment(self.code, node) or self.code
        for word, name in self.quoted_names.items():
            piece = piece.replace(word, f"`{name}`")
        if re.fullmatch(r"[^\W\d]\w*(-\w+)+", piece):
            return input_error(f"put a name with hyphens in backticks: `{piece}`")
        allowed = ("comparisons", "and", "or", "not", "in", "parentheses")
        return input_error(f"{quoted(piece)} is not allowed in the expression", allowed=allowed)


def check_names(condition: Condition, known: Mapping[str, object], *, word: str) -> None:
    """Raise `InputError` if a condition has an unknown name; `word` is what messages call it."""
    for name in names(condition):
        if name not in known:
            raise unknown_name(word, name, known)
