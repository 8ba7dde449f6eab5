"""Columns of judgments as packed numbers, without a name or an order that tells who judged."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
import polars as pl

from jurat.report.pseudonyms import Pseudonyms
from jurat.results import Key
from jurat.stats.ratings import Array, Codes, coded
from jurat.tables.schema import JUDGMENTS, PREFERENCES

# Values of a column that a reader can choose from; a column with more is no tag.
MOST_TAGS = 12
# Distinct values that are sent as a list and numbers of one or two bytes.
MOST_VALUES = 65_536

# Names as the report shows them, in their own order, and which of them each row has.
Named = tuple[list[str], Codes]


@dataclass(frozen=True, kw_only=True, eq=False)
class Columns:
    """What a reader can filter judgments by; each has a place for each row of the frame."""

    frame: pl.DataFrame
    sentence: Codes
    systems: Sequence[Codes] = ()
    """The system, or the two systems, of each row."""
    judge: Named | None = None
    document: Codes | None = None

    @property
    def order(self) -> Codes:
        """The places of the rows in an order that does not tell who has which pseudonym."""
        judges = [] if self.judge is None else [self.judge[1]]
        return np.lexsort((*judges, *reversed(self.systems), self.sentence))

    def numbered_anew(self, codes: Codes | None) -> dict[str, str] | None:
        """Codes in that order, numbered by sentence and judge: names of judges do not tell them.

        Where codes grow within a sentence and judge, the new ones do.
        """
        if codes is None:
            return None
        judges = [] if self.judge is None else [self.judge[1]]
        by = np.lexsort((codes, *judges, self.sentence))
        new = np.ones(len(by), dtype=np.int64)
        new[:1] = 0
        new[1:] = codes[by[1:]] != codes[by[:-1]]
        made = np.empty(len(by), dtype=np.int64)
        made[by] = np.cumsum(new)
        return packed_codes(made[self.order])

    def packed(self) -> dict[str, Any]:
        """Judges, sentences, documents and tags in that order."""
        order = self.order
        judges, judge = ([], None) if self.judge is None else self.judge
        by, document = (None if one is None else one[order] for one in (judge, self.document))
        return {
            "judges": judges,
            "judge": None if by is None else packed_codes(by),
            "document": None if document is None else packed_codes(document),
            "sentence": packed_codes(self.sentence[order]),
            "tags": dict(_tags(self.frame[order], self.sentence[order], by, document)),
            "constant": dict(_constants(self.frame)),
        }


def split_key(by: Mapping[str, Key], tags: Mapping[str, Key]) -> str:
    """The question and split of a table, as the page names it."""
    both = sorted({**tags, **by}.items())
    return msgspec.json.encode([pair for pair in both if pair[0] != "system"]).decode()


def renamed(stand_ins: Sequence[str], codes: Codes, names: Pseudonyms) -> Named:
    """Names as the report shows them, in their own order, and the codes of the rows."""
    shown = [names.shown(str(name)) for name in stand_ins]
    places = sorted(range(len(shown)), key=shown.__getitem__)
    return [shown[at] for at in places], np.argsort(places)[codes]


def follows(codes: Codes, others: Codes) -> bool:
    """Whether one of the others always goes with the same code."""
    one = np.zeros(int(others.max(initial=0)) + 1, dtype=np.int64)
    one[others] = codes
    return np.array_equal(one[others], codes)


def packed_codes(codes: Iterable[int] | Array) -> dict[str, str]:
    """Whole numbers from 0, in as few bytes as hold the largest."""
    made = np.asarray(codes)
    kind = next(k for k in ("u1", "u2", "u4") if made.max(initial=0) <= np.iinfo(k).max)
    return _packed(made, kind)


def packed_numbers(values: Array) -> dict[str, str]:
    """Numbers as they are, of which some may be NaN."""
    return _packed(values, "f8")


def packed_values(values: Array) -> dict[str, Any]:
    """Numbers as they are, or as places in a list where there are few different ones."""
    known, places = np.unique(values, return_inverse=True)
    if len(known) > min(MOST_VALUES, len(values) // 2):
        return {"all": _packed(values, "f8")}
    return {"known": known.tolist(), "places": packed_codes(places)}


def _packed(numbers: Array | Sequence[int], kind: str) -> dict[str, str]:
    data = np.asarray(numbers).astype(f"<{kind}").tobytes()
    return {"kind": kind, "data": b64encode(data).decode()}


def with_constant_tags(tables: Sequence[dict[str, Any]]) -> None:
    """Give each table the tags of others of which it has one value, to be filtered by them, too.

    What is the same everywhere is no tag, and is taken out.
    """
    tags = {name for table in tables for name in table["tags"]}
    for table in tables:
        constant = table.pop("constant")
        for name in tags & constant.keys():
            table["tags"].setdefault(name, {"names": [constant[name]], "codes": None})


def _constants(frame: pl.DataFrame) -> Iterator[tuple[str, str]]:
    for name, kind in frame.schema.items():
        if kind == pl.String and frame.height and frame[name].n_unique() == 1:
            value = frame[name][0]
            if value is not None:
                yield name, value


def _tags(
    frame: pl.DataFrame, sentence: Codes, judge: Codes | None, document: Codes | None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Columns of the file's own that divide the texts, such as genre or domain.

    A column that says something of judges could tell who they are.
    """
    segment = coded(frame["segment"])[0] if "segment" in frame.columns else None
    own = {column.name for table in (JUDGMENTS, PREFERENCES) for column in table.columns}
    for name in frame.columns:
        if name in own | {"item", "status", "phase", "task"}:
            continue
        if frame[name].dtype != pl.String or frame[name].null_count():
            continue
        codes, values = coded(frame[name])
        if not 1 < len(values) <= MOST_TAGS or not follows(codes, sentence):
            continue
        if segment is not None and follows(codes, segment) and follows(segment, codes):
            # numbers of segments under their own name
            continue
        of_judges = judge is not None and follows(codes, judge)
        if not of_judges and not (document is not None and follows(document, codes)):
            yield name, {"names": list(values), "codes": packed_codes(codes)}
