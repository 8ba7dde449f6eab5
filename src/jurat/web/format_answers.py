"""Answers as people read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jurat.protocols import Protocol

NOTHING = "–"


def readable_answers(protocol: Protocol, answers: Mapping[str, object]) -> dict[str, str]:
    """Answers by question: labels, where the question has any, and numbers where there are any."""
    known = protocol.questions
    legends = {n: {str(value): label for value, label, _ in known[n].legend()} for n in known}
    return {n: _said(answer, legends[n]) for n, answer in answers.items() if n in known}


def _said(answer: object, legend: Mapping[str, str]) -> str:
    if isinstance(answer, Mapping):
        return _marked(answer, legend)
    if isinstance(answer, Sequence) and not isinstance(answer, str):
        # marked errors contain commas themselves
        between = "; " if any(isinstance(one, Mapping) for one in answer) else ", "
        return between.join(_said(one, legend) for one in answer) or NOTHING
    label = legend.get(str(answer), "")
    if isinstance(answer, str) or not label:
        return label or str(answer)
    return f"{answer} ({label})"


def _marked(error: Mapping[str, object], legend: Mapping[str, str]) -> str:
    """A marked error as text: severity, category and its position in the translation."""
    words = (str(error[name]) for name in ("severity", "category") if error.get(name))
    named = ", ".join(legend.get(word, word) for word in words)
    start, end = error.get("start"), error.get("end")
    # an empty span marks a place where something is missing
    return f"{named} ({start})" if start == end else f"{named} ({start}–{end})"
