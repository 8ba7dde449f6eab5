"""Fields of nested plain data by their names, as problems name them: `tasks.1.wanted`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from jurat.errors import input_error

Path: TypeAlias = "tuple[str | int, ...]"

# Elements of a list, at most: a number like `tasks.1000000` is a mistake.
MOST = 200


def resolve(content: object, field: str) -> Path:
    """The path of a field; an existing name is taken whole, even if it has dots."""
    path: list[str | int] = []
    parts = [part for part in field.split(".") if part]
    while parts:
        taken = _taken(content, parts)
        head = ".".join(parts[:taken])
        index = not isinstance(content, Mapping) and head.isdecimal()
        step: str | int = int(head) - 1 if index else head
        path.append(step)
        content = _inside(content, step)
        parts = parts[taken:]
    return tuple(path)


def existing(content: object, path: Path) -> Path:
    """The part of a path that exists."""
    for n, step in enumerate(path):
        if not _has(content, step):
            return path[:n]
        content = _inside(content, step)
    return path


def put(content: object, path: Path, value: object) -> Any:
    """A copy of the data with a value at a path, which is created; raises `InputError`."""
    if not path:
        return value
    step, *rest = path
    below = put(_inside(content, step), tuple(rest), value)
    if isinstance(step, str):
        return {**content, step: below} if isinstance(content, Mapping) else {step: below}
    parts = list(content) if isinstance(content, list | tuple) else []
    # One past the end appends; a gap would have to be filled with something.
    if not 0 <= step <= min(len(parts), MOST - 1):
        raise input_error(f"there is no place {step + 1} in a list of {len(parts)}", value=step + 1)
    parts[step : step + 1] = [below]
    return parts


def without(content: Any, path: Path) -> Any:
    """A copy of the data without what is at a path."""
    if not path or existing(content, path) != path:
        return content
    step, *rest = path
    if rest:
        return put(content, (step,), without(_inside(content, step), tuple(rest)))
    if isinstance(content, Mapping):
        return {name: value for name, value in content.items() if name != step}
    return [value for n, value in enumerate(content) if n != step]


def with_values(content: Any, values: Mapping[str, object]) -> Any:
    """The data with other values in fields by their names; None removes a field."""
    for field, value in values.items():
        path = resolve(content, field)
        content = without(content, path) if value is None else put(content, path, value)
    return content


def value_at(content: object, path: Path) -> object:
    """The value at a path; None where there is none."""
    for step in path:
        content = _inside(content, step)
    return content


def _taken(content: object, parts: list[str]) -> int:
    """How many parts of a field are one name: the longest that exists."""
    if isinstance(content, Mapping):
        for n in range(len(parts), 1, -1):
            if ".".join(parts[:n]) in content:
                return n
    return 1


def _has(content: object, step: str | int) -> bool:
    if isinstance(step, str):
        return isinstance(content, Mapping) and step in content
    return isinstance(content, list | tuple) and 0 <= step < len(content)


def _inside(content: object, step: str | int) -> object:
    return content[step] if _has(content, step) else None  # type: ignore[index]
