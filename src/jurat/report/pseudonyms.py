"""Judges under pseudonyms and, where asked, systems under letters.

The tables get stand-ins that sort as the names do: so every resample, and with it every number, is
the one that `jurat`'s commands compute. Results then show pseudonyms in an order that only somebody
who has the judgments can know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from hashlib import blake2b
from string import ascii_uppercase
from typing import Any

import numpy as np
import polars as pl

from jurat.model import JOIN
from jurat.results import Estimate, Figure, Result
from jurat.stats import Evaluation
from jurat.stats.metaeval.input_tables import MetricScores
from jurat.tables import Judgments
from jurat.tables.fingerprint import TableHashes
from jurat.tables.preferences import Preferences
from jurat.tables.same_output import for_each_system

# Signs from Unicode's private area, which no name in a file has.
STAND_IN = re.compile("\ue000([jsi])([0-9]{7})\ue001")
SYSTEM_COLUMNS = ("system", "system_a", "system_b")
JUDGE_KEYS = ("judge", "judge_a", "judge_b")


@dataclass(frozen=True, kw_only=True)
class Pseudonyms:
    """What is shown for judges and systems; a kind without names is shown as it is."""

    judges: Mapping[str, str] = field(default_factory=dict)
    systems: Mapping[str, str] = field(default_factory=dict)
    items: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, evaluation: Evaluation, *, judges: bool, systems: bool) -> Pseudonyms:
        """Pseudonyms for the judges or systems of an evaluation, or both.

        Items are numbered where systems are hidden, since their names hold the system's.
        """
        frames = [frame for frame in (evaluation.judged, evaluation.compared) if frame.width]
        key = b"".join(np.sort(TableHashes(frame).rows).tobytes() for frame in frames)
        known = _names(frames, ("judge",)) if judges else []
        single = [for_each_system(frame) for frame in frames]
        made = _names(single, SYSTEM_COLUMNS) if systems else []
        judged = _names([*frames, *single], ("item",)) if systems else []
        called = _shuffled(made, key, lambda n: f"System {_letters(n)}")
        # systems with the same output, under the names of all of them
        joined = [name for name in _names(frames, SYSTEM_COLUMNS) if systems and name not in called]
        together = {
            name: JOIN.join(sorted(called[one] for one in name.split(JOIN))) for name in joined
        }
        return cls(
            judges=_shuffled(known, key, lambda n: f"J{n + 1}"),
            systems={**called, **together},
            items=_shuffled(judged, key, lambda n: f"item {n + 1}"),
        )

    def shown(self, text: str) -> str:
        """A text with pseudonyms for stand-ins."""
        return STAND_IN.sub(lambda found: self._by_place[found[1]][int(found[2])], text)

    def masked(self, text: str) -> str:
        """A note on the data, or a condition of the user's, with pseudonyms for names."""
        if self._plain is None:
            return text
        known = {**self.judges, **self.systems}
        return self._plain.sub(lambda found: known.get(found[0]) or known[found[0][1:-1]], text)

    @cached_property
    def _plain(self) -> re.Pattern[str] | None:
        """Names in plain text; those that are numbers only where they are quoted."""
        names = sorted({*self.judges, *self.systems}, key=len, reverse=True)
        bare = [re.escape(name) for name in names if not name.isdigit()]
        numbers = [f"'{name}'|\"{name}\"" for name in names if name.isdigit()]
        parts = [*(rf"(?<!\w){name}(?!\w)" for name in bare), *numbers]
        return re.compile("|".join(parts)) if parts else None

    def hide(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The table with stand-ins for names, also in columns that hold the same ones."""
        for column, names, kind in self._columns:
            if names and column in frame.columns:
                stand_ins = {name: f"\ue000{kind}{n:07d}\ue001" for n, name in enumerate(names)}
                frame = _replaced(frame, column, stand_ins)
        return frame

    def reveal(self, result: Result) -> Result:
        """The result with pseudonyms, in an order that tells nothing about names."""
        estimates = [self._estimate(estimate) for estimate in result.estimates]
        if self.judges:
            estimates = _by_pseudonym(estimates)
        draw = result.draw
        return replace(
            result,
            estimates=tuple(estimates),
            headline=self.shown(result.headline),
            method=self.shown(result.method),
            # a page asks for the figure and for what its axis is called, in two places
            draw=cache(lambda: self._figure(draw())) if draw else None,
        )

    @property
    def _columns(self) -> Iterable[tuple[str, Mapping[str, str], str]]:
        yield "judge", self.judges, "j"
        yield from ((column, self.systems, "s") for column in SYSTEM_COLUMNS)
        yield "item", self.items, "i"

    @cached_property
    def _by_place(self) -> dict[str, list[str]]:
        kinds = {"j": self.judges, "s": self.systems, "i": self.items}
        return {kind: list(names.values()) for kind, names in kinds.items()}

    def _estimate(self, estimate: Estimate) -> Estimate:
        return estimate._replace(
            by=_in_order({name: self._value(value) for name, value in estimate.by.items()}),
            tags={name: self._value(value) for name, value in estimate.tags.items()},
            reason=self.shown(estimate.reason),
            note=self.shown(estimate.note),
            side=self.shown(estimate.side),
        )

    def _value(self, value: Any) -> Any:
        return self.shown(value) if isinstance(value, str) else value

    def _figure(self, figure: Figure) -> Figure:
        shown: Figure = _walked(figure, self.shown, frozenset(self.judges.values()))
        return shown


class HiddenJudgments(Judgments):
    """Judgments with stand-ins for names, and the hashes and notes of the original."""

    def __init__(self, original: Judgments, names: Pseudonyms) -> None:
        self.intake = original.intake
        self._original, self._names = original, names

    @cached_property
    def frame(self) -> pl.DataFrame:
        return self._names.hide(self._original.frame)

    @cached_property
    def baseline(self) -> pl.DataFrame:
        # The same object where the original's is: then nothing is computed twice.
        if self._original.baseline is self._original.frame:
            return self.frame
        return self._names.hide(self._original.baseline)

    @cached_property
    def hashes(self) -> TableHashes:
        return self._original.hashes

    @cached_property
    def notes(self) -> tuple[str, ...]:
        return tuple(map(self._names.masked, self._original.notes))

    def unfolded(self) -> Judgments:
        return HiddenJudgments(self._original.unfolded(), self._names)

    def credited(self) -> Judgments:
        other = self._original.credited()
        return self if other is self._original else HiddenJudgments(other, self._names)

    def signature(self) -> dict[str, str]:
        return _signature(self._original, self._names)


class HiddenPreferences(Preferences):
    """Preferences with stand-ins for names, and the hashes and notes of the original."""

    def __init__(self, original: Preferences, names: Pseudonyms) -> None:
        self.intake = original.intake
        self._original, self._names = original, names

    @cached_property
    def frame(self) -> pl.DataFrame:
        return self._names.hide(self._original.frame)

    @cached_property
    def hashes(self) -> TableHashes:
        return self._original.hashes

    @cached_property
    def notes(self) -> tuple[str, ...]:
        return tuple(map(self._names.masked, self._original.notes))

    def credited(self) -> Preferences:
        other = self._original.credited()
        return self if other is self._original else HiddenPreferences(other, self._names)

    def signature(self) -> dict[str, str]:
        return _signature(self._original, self._names)


@dataclass(frozen=True, kw_only=True)
class HiddenEvaluation(Evaluation):
    """An evaluation with stand-ins for names, and the fingerprints of the original."""

    original: Evaluation

    @cached_property
    def fingerprint(self) -> str:
        return self.original.fingerprint


@dataclass(frozen=True, kw_only=True, eq=False)
class HiddenScores(MetricScores):
    """Metric scores with stand-ins for systems, and the fingerprint of the original."""

    original: MetricScores

    @cached_property
    def fingerprint(self) -> str:
        return self.original.fingerprint


def hidden(evaluation: Evaluation, names: Pseudonyms) -> Evaluation:
    """The evaluation with stand-ins for names, which gives the same numbers and signatures."""
    judged, compared = evaluation.judgments, evaluation.preferences
    return HiddenEvaluation(
        judgments=HiddenJudgments(judged, names) if judged else None,
        preferences=HiddenPreferences(compared, names) if compared else None,
        spans=None if evaluation.spans is None else names.hide(evaluation.spans),
        chosen=evaluation.chosen,
        remarks=tuple(map(names.masked, evaluation.remarks)),
        original=evaluation,
    )


def hidden_scores(scores: MetricScores, names: Pseudonyms) -> MetricScores:
    """The metric scores with stand-ins for systems."""
    return HiddenScores(frame=names.hide(scores.frame), lower=scores.lower, original=scores)


def _signature(original: Judgments | Preferences, names: Pseudonyms) -> dict[str, str]:
    told = {name: names.masked(value) for name, value in original.signature().items()}
    if "excluded" in told and names.judges:
        # Who was left out is not in the table any more, so they have no pseudonym.
        told["excluded"] = f"{len(original.intake.exclude)} judges"
    return told


def _names(frames: Sequence[pl.DataFrame], columns: Sequence[str]) -> list[str]:
    """Every name in these columns, sorted."""
    found = {
        str(name)
        for frame in frames
        for column in columns
        if column in frame.columns
        for name in frame[column].unique().drop_nulls()
    }
    return sorted(found)


def _shuffled(names: Sequence[str], key: bytes, called: Callable[[int], str]) -> dict[str, str]:
    """A pseudonym for each name, numbered in the order of hashes that take the data as key."""
    secret = blake2b(key, digest_size=32).digest()
    by_hash = sorted(names, key=lambda name: blake2b(name.encode(), key=secret).digest())
    place = {name: n for n, name in enumerate(by_hash)}
    return {name: called(place[name]) for name in names}


def _letters(n: int) -> str:
    """A to Z, then AA, AB and so on."""
    return (_letters(n // 26 - 1) if n >= 26 else "") + ascii_uppercase[n % 26]


def _replaced(frame: pl.DataFrame, column: str, stand_ins: Mapping[str, str]) -> pl.DataFrame:
    known = frame[column].cast(pl.String)
    same = [
        name
        for name in frame.columns
        if name == column
        or (frame[name].dtype == pl.String and frame[name].equals(known, null_equal=True))
    ]
    named = known.replace(stand_ins)
    return frame.with_columns(named.alias(name) for name in same)


def _by_pseudonym(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Estimates of judges by question and pseudonym: the order of names would tell who is who."""
    if not any({*JUDGE_KEYS} & {*estimate.by, *estimate.tags} for estimate in estimates):
        return list(estimates)
    questions = {q: n for n, q in enumerate(dict.fromkeys(e.by.get("question") for e in estimates))}

    def place(estimate: Estimate) -> tuple[int, ...]:
        keys = {**estimate.tags, **estimate.by}
        return (
            questions[estimate.by.get("question")],
            *(_number(keys.get(k, "")) for k in JUDGE_KEYS),
        )

    return sorted(estimates, key=place)


def _number(pseudonym: object) -> int:
    digits = re.sub(r"\D", "", str(pseudonym))
    return int(digits) if digits else 0


def _walked(part: Any, shown: Callable[[str], str], judges: frozenset[str]) -> Any:
    """A figure with all its texts shown; rows of judges stand in the order of pseudonyms."""
    match part:
        case str():
            return shown(part)
        case Mapping():
            return {name: _walked(one, shown, judges) for name, one in part.items()}
        case list() | tuple():
            made = [_in_order(_walked(one, shown, judges)) for one in part]
            if any(isinstance(one, dict) and {*JUDGE_KEYS} & {*one} for one in made):
                made.sort(key=lambda one: [_number(one.get(key, "")) for key in JUDGE_KEYS])
            return _judges_in_order(made, judges)
    return part


def _judges_in_order(rows: list[Any], judges: frozenset[str]) -> list[Any]:
    """Rows in which those that call a judge their `name` are in the order of pseudonyms."""
    places = [
        n for n, row in enumerate(rows) if isinstance(row, dict) and row.get("name") in judges
    ]
    sorted_rows = sorted((rows[n] for n in places), key=lambda row: _number(row["name"]))
    for n, row in zip(places, sorted_rows, strict=True):
        rows[n] = row
    return rows


def _in_order(row: Any) -> Any:
    """A row of two judges, the lower pseudonym first.

    The names sort the two, and all pairs together would tell the order of the names.
    """
    if isinstance(row, dict) and {"judge_a", "judge_b"} <= {*row}:
        pair = sorted((row["judge_a"], row["judge_b"]), key=_number)
        return {**row, "judge_a": pair[0], "judge_b": pair[1]}
    return row
