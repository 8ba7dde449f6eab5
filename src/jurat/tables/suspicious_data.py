"""Remarks on suspicious data, which are printed before any result."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from jurat.errors import counted, input_error
from jurat.tables.fingerprint import Hashes
from jurat.tables.schema import FILE, LINE, words

# Columns whose names are compared: one person or system may be written in several ways.
NAMED = ("judge", "system", "system_a", "system_b")
# Columns by which rows of several files meet.
PLACES = ("document", "segment", "item")
# The most points, and the widest range, of a scale on which a stray value is noticed.
FEW_POINTS, NARROW = 12, 12.0
# The largest share of answers that are taken for strays.
STRAY_SHARE = 0.1
# Below this share, answers without a place are exceptions.
HALF = 0.5
# Numbers that stand for missing answers, and the largest share of these.
CODES = (99, 999, 9999)
CODE_SHARE = 0.5
# Digits that a floating-point number holds exactly.
LONGEST_NUMBER = 15
# Names, values or files that a note lists.
MOST_LISTED = 3
# Seconds from which on half of the decisions look like milliseconds.
LONG_SECONDS = 1_000.0
# Values of a column that may tell apart what was judged: language pairs, domains.
FEW_KINDS = 50


class Partners(NamedTuple):
    """How many things of one table have a partner in another."""

    found: int
    total: int
    what: str
    where: str

    @classmethod
    def of(
        cls, one: pl.DataFrame, other: pl.DataFrame, keys: Sequence[str], *, what: str, where: str
    ) -> Partners:
        """Of the distinct keys of one table, those that are in the other; both may have null."""
        first, second = (
            frame.select(words(frame[key]).alias(key) for key in keys).unique()
            for frame in (one, other)
        )
        shared = first.join(second, on=list(keys), how="semi", nulls_equal=True)
        return cls(shared.height, first.height, what, where)

    def note(self, option: str) -> str:
        """What is said of the join that an option asked for; raises `InputError` if none match."""
        number = f"{self.found:,}" if self.found else "none"
        said = f"{option}: {number} of {self.total:,} {self.what} found in {self.where}"
        if self.total and not self.found:
            raise input_error(said)
        return said


def table_notes(frame: pl.DataFrame, places: pl.DataFrame, hashes: Hashes) -> Iterator[str]:
    """What is suspicious about a table that was read without an error.

    Args:
        frame: the rows that are analysed.
        places: their files and lines, in the hidden columns `FILE` and `LINE`, if known.
        hashes: their hashes, as `row_hashes` computes them.
    """
    # without judges, rows are alike because several people say the same
    if "judge" in frame.columns:
        yield from _copies(places, hashes)
    for name in NAMED:
        if name in frame.columns:
            yield from _spellings(name, frame[name])
    for name in PLACES:
        if name in frame.columns and (note := _floats_among_ids(name, frame[name])):
            yield note
            break
    for name in ("judge", "system"):
        if name in frame.columns:
            yield from _unnamed(name, frame[name], places)
    if not frame.is_empty():
        yield from _unplaced(frame, places)
    if "value" in frame.columns and frame.height:
        yield from _without_answers(frame)
        yield from _strays(frame, places)
    if "seconds" in frame.columns:
        yield from _odd_seconds(frame["seconds"], places)


def first_place(places: pl.DataFrame, rows: pl.Series) -> str:
    """Where the first of the rows stands, ` (first: ratings.csv:14)`; empty if that is unknown."""
    found = places.filter(rows) if places.width else places
    if found.is_empty() or not {FILE, LINE} <= set(found.columns):
        return ""
    file, line = found.select(FILE, LINE).row(0)
    return f" (first: {file}:{line})"


def _copies(places: pl.DataFrame, hashes: Hashes) -> Iterator[str]:
    """Rows that are the same as an earlier one in every column."""
    order = np.argsort(hashes, kind="stable")
    again = np.zeros(len(hashes), dtype=bool)
    again[order[1:]] = hashes[order[1:]] == hashes[order[:-1]]
    if count := int(again.sum()):
        first = first_place(places, pl.Series(again))
        verb = "repeats" if count == 1 else "repeat"
        yield (
            f"{counted(count, 'row')} of {len(hashes):,} {verb} an earlier row in every column"
            f"{first}: remove copies; what stays is counted as an answer given twice"
        )


def _spellings(name: str, values: pl.Series) -> Iterator[str]:
    """Names that differ only in case, spaces, or the way in which a number is written."""
    forms: dict[str, list[str]] = {}
    for word in words(values).unique().drop_nulls().sort().to_list():
        forms.setdefault(_normal(word), []).append(word)
    alike = [found for found in forms.values() if len(found) > 1]
    for found in alike[:MOST_LISTED]:
        listed = " and ".join(f"'{_shown(word)}'" for word in found)
        yield f"{listed} in the column {name} are taken as different, but look like the same name"


def _floats_among_ids(name: str, values: pl.Series) -> str:
    """That an id is written as 1 and as 1.0, as pandas does where a cell is empty; else nothing."""
    ids = words(values).unique().drop_nulls()
    bare = ids.filter(ids.str.ends_with(".0")).str.strip_suffix(".0")
    both = bare.filter(bare.is_in(ids.implode())).sort()
    if both.is_empty():
        return ""
    return (
        f"'{both[0]}' and '{both[0]}.0' in the column {name} are taken as different, but look like "
        f"the same number ({counted(len(both), 'id')} of this kind): write them alike"
    )


def _shown(word: str) -> str:
    """The word with an escape for what cannot be seen: marks of its own, characters of no width."""
    seen = not any(unicodedata.category(c) in ("Cf", "Mn") for c in word)
    return word if seen else word.encode("unicode_escape").decode("ascii")


def _normal(word: str) -> str:
    # composed or not, and without what has no width, a name looks the same
    plain = unicodedata.normalize("NFKC", word)
    plain = "".join(c for c in plain if unicodedata.category(c) != "Cf")
    bare = " ".join(plain.split()).casefold()
    # a longer number would be rounded, and look like its neighbour
    if len(bare) > LONGEST_NUMBER:
        return bare
    try:
        return repr(float(bare))
    except ValueError:
        return bare


def _unnamed(name: str, values: pl.Series, places: pl.DataFrame) -> Iterator[str]:
    """Rows without a name in a column that has names."""
    empty = values.is_null()
    if 0 < (count := int(empty.sum())) < len(values):
        verb = "names" if count == 1 else "name"
        yield f"{counted(count, 'row')} {verb} no {name}{first_place(places, empty)}"


def empty_names(table: pl.DataFrame) -> Iterator[str]:
    """That no row says who judged, or which sentence, though there are columns for it."""
    for name, told in (("judge", "who judged"), ("segment", "which sentence was judged")):
        empty = name in table.columns and table[name].null_count() == table.height
        # an item may say what a segment would
        if empty and not (name == "segment" and "item" in table.columns):
            yield f"the column {name} is empty: {told} is not known"


def files_without(table: pl.DataFrame, answered: pl.DataFrame) -> tuple[str, ...]:
    """The files of a table that have no row among those with an answer."""
    if FILE not in table.columns:
        return ()
    there = {*answered[FILE].unique()}
    return tuple(name for name in table[FILE].unique(maintain_order=True) if name not in there)


def _unplaced(frame: pl.DataFrame, places: pl.DataFrame) -> Iterator[str]:
    """Answers without the document or segment that most others to their question have.

    Of some questions, such as those on whole documents, no answer has one.
    """
    asked = "question" if "question" in frame.columns else pl.lit("")
    for name in ("document", "segment"):
        if name in frame.columns:
            empty = frame.select(
                pl.col(name).is_null() & (pl.col(name).is_null().mean().over(asked) < HALF)
            ).to_series()
            if count := int(empty.sum()):
                verb = "names" if count == 1 else "name"
                yield f"{counted(count, 'row')} {verb} no {name}{first_place(places, empty)}"


def dropped_note(dropped: int, height: int, files: Sequence[str] = ()) -> Iterator[str]:
    """That rows without an answer were left out, where there were any; all of some `files`."""
    if dropped:
        verb = "has" if dropped == 1 else "have"
        out = "is left out" if dropped == 1 else "are left out"
        whole = f", all of {' and '.join(files)}" if files else ""
        empty = f"{counted(dropped, 'row')} of {height:,} {verb} no answer (empty or nan)"
        yield f"{empty} and {out}{whole}"


def nothing_left_note(frame: pl.DataFrame, where: str) -> Iterator[str]:
    """That no row meets a condition."""
    if where and frame.is_empty():
        yield f"no row meets the condition {where}"


def _without_answers(frame: pl.DataFrame) -> Iterator[str]:
    answered = frame["value"].is_not_null()
    if "label" in frame.columns:
        answered |= frame["label"].is_not_null()
    if "na" in frame.columns:
        answered &= ~frame["na"].fill_null(value=False)
    if not answered.any():
        yield f"none of the {counted(frame.height, 'row')} has an answer"


def _strays(frame: pl.DataFrame, places: pl.DataFrame) -> Iterator[str]:
    """Values outside the scale of the others, which may stand for a missing answer.

    These are 99 among 1 to 5, far outside a scale of few points, and -1 where nothing else is below
    0.
    """
    counts = frame.select("question", "value").drop_nulls().group_by("question", "value").len()
    for (question,), of_question in sorted(
        counts.partition_by("question", as_dict=True).items(), key=lambda part: str(part[0])
    ):
        found = of_question.sort("value")
        points, number = found["value"].to_list(), found["len"].to_list()
        strays = dict.fromkeys(_only_negative(points, number), "outside")
        strays |= dict.fromkeys(_stray_values(points, number), "far from")
        for value, how in strays.items():
            here = (frame["question"] == question) & (frame["value"] == value)
            low, high = found.filter(pl.col("value") != value)["value"].to_list()[
                :: found.height - 2
            ]
            place = first_place(places, here.fill_null(value=False))
            yield (
                f"{value:g} is {how} the other answers to '{question}', {low:g} to {high:g}"
                f"{place}: if it stands for a missing answer, leave it out with "
                f'--where "value != {value:g}"'
            )


def _only_negative(points: Sequence[float], counts: Sequence[int]) -> Iterator[float]:
    """A single rare answer below 0, a whole one, where all others are not."""
    below = len(points) > 3 and points[0] < 0 <= points[1] and not points[0] % 1
    # where 0 is no point of the scale either, even a frequent -1 is none
    most = CODE_SHARE if points[1:] and points[1] > 0 else STRAY_SHARE
    if below and counts[0] <= most * sum(counts):
        yield points[0]


def _odd_seconds(seconds: pl.Series, places: pl.DataFrame) -> Iterator[str]:
    """Times below 0, and times that look like milliseconds."""
    below = (seconds < 0).fill_null(value=False)
    if count := int(below.sum()):
        verb = "has" if count == 1 else "have"
        yield f"{counted(count, 'row')} {verb} seconds below 0{first_place(places, below)}"
    middle = seconds.median()
    if isinstance(middle, float) and middle >= LONG_SECONDS:
        told = f"half of the decisions took {middle:,.0f} seconds or more"
        yield f"{told}: if these are milliseconds, divide them by 1,000"


def told_apart_note(
    rows: pl.DataFrame, columns: Mapping[str, pl.Series], keys: Sequence[str]
) -> Iterator[str]:
    """That a judge's answers to one item differ in a column that may tell items apart.

    Sentence 1 of one language pair is not sentence 1 of another, and only the first of the two
    answers would count.

    Args:
        rows: all answers, with the hidden columns `FILE` and `LINE` if they are known.
        columns: the file's columns that the analysis does not use.
        keys: the columns by which an answer is a second one.
    """
    kinds = {
        name: series
        for name, series in columns.items()
        if series.dtype == pl.String and _has_few_kinds(series)
    }
    if not kinds:
        return
    again = rows.select(keys).is_duplicated()
    if not again.any():
        return
    twice = rows.select(keys).filter(again)
    for name, series in kinds.items():
        if not twice.with_columns(series.filter(again).alias("\0kind")).is_duplicated().any():
            yield (
                f"{counted(len(twice), 'answer')} of judges to the same item differ in the column "
                f"{name}{first_place(rows, again)}: if it tells items apart, --by {name} or "
                f"--columns item={name}+… says so; else they count as answers given twice"
            )
            return


def unnamed_segments_note(rows: pl.DataFrame, keys: Sequence[str]) -> Iterator[str]:
    """That most answers repeat one of the same judge about the same document.

    Nobody repeats most of the work: a column that names the sentences has been forgotten. Of these
    answers only the first to each document would be compared with other judges'.

    Args:
        rows: all answers.
        keys: the columns by which an answer is a second one.
    """
    if "document" not in rows.columns or "segment" in rows.columns:
        return
    place = ["document", *(name for name in ("system",) if name in rows.columns)]
    # items that tell more than documents and systems do were named by the user
    if rows.select("item").n_unique() > rows.select(place).n_unique():
        return
    again = rows.height - rows.select(keys).n_unique()
    if again > HALF * rows.height:
        yield (
            f"{counted(again, 'answer')} of {rows.height:,} are further ones of a judge about the "
            "same document, and no column names segments: if these are of its sentences, "
            "--columns segment=NAME says which; else they count as answers given twice"
        )


def _has_few_kinds(series: pl.Series) -> bool:
    # texts differ from the start: not all of a million have to be looked at
    return series.head(1_000).n_unique() <= FEW_KINDS and 1 < series.n_unique() <= FEW_KINDS


def _stray_values(points: Sequence[float], counts: Sequence[int]) -> Iterator[float]:
    """The lowest or highest of some whole points if it is further off than the others are wide."""
    if not 4 <= len(points) <= FEW_POINTS or any(point % 1 for point in points):
        return
    for at, rest in ((0, points[1:]), (-1, points[:-1])):
        width = rest[-1] - rest[0]
        gap = min(abs(points[at] - point) for point in rest)
        most = CODE_SHARE if abs(points[at]) in CODES else STRAY_SHARE
        if width < NARROW and gap > width and counts[at] <= most * sum(counts):
            yield points[at]
