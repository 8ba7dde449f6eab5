"""Answers as people read them."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from jurat.protocols import Protocol


def spoken(protocol: Protocol, answers: Mapping[str, object]) -> dict[str, str]:
    """Answers by question: labels, where the question has any."""
    known = protocol.questions
    return {n: _label(protocol, n, answer) for n, answer in answers.items() if n in known}


def _label(protocol: Protocol, name: str, answer: object) -> str:
    legend = {str(value): label for value, label, _ in protocol.questions[name].legend()}
    if isinstance(answer, str | int | float):
        return legend.get(str(answer)) or str(answer)
    return msgspec.json.encode(answer).decode()
