"""Names in a declared protocol that refer to no question, found even where other parts are wrong.

A protocol checks this itself when it is made, but one with a faulty part never is: then these are
looked for in what was written, so that a user learns of everything at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jurat.conditions import names, parse
from jurat.errors import InputError, Problem
from jurat.yamlfile import Declaration, Path

Place = tuple[Path, dict[str, object]]


def lost_names(declared: Declaration) -> Iterator[Problem]:
    """A fault for each name in conditions, score and order that is no question's."""
    content = _names(declared.content)
    questions = list(_questions(content))
    ids = [str(question.get("id")) for _, question in questions]
    for n, (path, question) in enumerate(questions):
        yield from _missing(declared, _named(question.get("when")), ids[:n], (*path, "when"))
    scored = _names(content.get("score")).get("questions")
    yield from _missing(declared, _texts(scored), ids, ("score", "questions"))
    for n, place in enumerate(_list(content.get("order"))):
        yield from _missing(declared, _names(place), ids, ("order", n))


def _questions(content: dict[str, object]) -> Iterator[Place]:
    for s, stage in enumerate(_list(content.get("stages"))):
        for q, question in enumerate(_list(_names(stage).get("questions"))):
            yield ("stages", s, "questions", q), _names(question)


def _missing(
    declared: Declaration, named: Iterable[str], there: list[str], path: Path
) -> Iterator[Problem]:
    where = "asked before this one" if path[-1] == "when" else "of this protocol"
    for name in named:
        if name not in there:
            message = f"'{name}' is no question {where}"
            yield declared.problem(message, path, value=name, allowed=tuple(there))


def _named(expression: object) -> list[str]:
    try:
        return list(names(parse(expression))) if isinstance(expression, str) and expression else []
    except InputError:
        return []  # the question itself complains of this


def _names(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _texts(value: object) -> list[str]:
    return [str(part) for part in _list(value)]
