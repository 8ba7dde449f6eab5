"""Comparisons of two systems as arrays: who preferred which, of which item, shown how."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from jurat.resampling.student_t import t_cdf
from jurat.results import Estimate, Key, Result
from jurat.stats.cluster_inference import (
    FEWEST_JUDGES,
    THESE_JUDGES,
    Clusters,
    Finding,
    PairFinding,
    infer,
    infer_pair,
    infer_share,
    varying_words,
)
from jurat.stats.estimates import method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.evaluation_tables import by_question as by_named_question
from jurat.stats.linear_model import Contrast, LinearModel
from jurat.stats.ratings import EARLIER, Array, Codes, coded, codes_of
from jurat.stats.settings import PreferenceSettings
from jurat.stats.statistic import Statistic
from jurat.tables.schema import OUTCOMES

# Codes of the outcomes; from `TIE` on they are kinds of "no preference".
A, B, TIE = 0, 1, 2
KINDS = len(OUTCOMES)
# The columns of every table of preferences.
SIDES = ("system_a", "system_b", "outcome")
# What was asked, where the table does not say.
QUESTION = "preference"
STANDS_FIRST, SIDE_INCLUDED = "stands first in", "a liking for the first side would be part of this"
# Share of the comparisons of two systems in which the same one stands first, from which on a liking
# for the first side passes for a preference, if it is three standard errors above one half. Where
# it was 75 %, and judges liked that side by a third of the SD, equal systems were told apart in
# 10.5 % at 5 %. Sides drawn at random are so uneven in 3 of 1,000 tables.
UNEVEN_SIDES = 0.55


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparisons:
    """The answers to one question, in one split; each row of the frame compares two systems.

    Sides may differ from row to row. `outcomes` speak of the pair in the order of `systems`, so
    that "a" is the same system in all rows of a pair; `shown` speaks of the sides.
    """

    question: str
    systems: tuple[str, ...] = field(repr=False)
    frame: pl.DataFrame = field(repr=False)
    tags: Mapping[str, Key] = field(default_factory=dict)

    def __len__(self) -> int:
        return self.frame.height

    @property
    def by(self) -> dict[str, Key]:
        """What every estimate about these comparisons is of."""
        return {"question": self.question}

    def has(self, column: str) -> bool:
        """Whether a column is there and has a value."""
        return column in self.frame.columns and self.frame[column].null_count() < len(self)

    def at(self, rows: NDArray[np.intp]) -> Comparisons:
        """Some of the comparisons, by their positions."""
        return replace(self, frame=self.frame[rows])

    @cached_property
    def shown(self) -> Codes:
        """Which of the two sides won, or which kind of tie it was."""
        return _codes(self.frame["outcome"], OUTCOMES)

    @cached_property
    def sides(self) -> tuple[Codes, Codes]:
        """The systems shown first and second."""
        first, second = (_codes(self.frame[f"system_{s}"], self.systems) for s in "ab")
        return first, second

    @cached_property
    def turned(self) -> NDArray[np.bool_]:
        """Where the two systems are shown in the other order than in `systems`."""
        return self.sides[0] > self.sides[1]

    @cached_property
    def outcomes(self) -> Codes:
        """Which of the pair won, in the order of `systems`."""
        # A and B are 0 and 1, so that 1 − code names the other side; ties have no side
        return np.where(self.turned & (self.shown < TIE), 1 - self.shown, self.shown)

    @cached_property
    def pair_codes(self) -> Codes:
        """The pair of systems as one number; see `pair`."""
        first, second = self.sides
        return np.minimum(first, second) * len(self.systems) + np.maximum(first, second)

    def pair(self, code: int) -> tuple[str, str]:
        """The two systems of a pair's number."""
        first, second = divmod(int(code), len(self.systems))
        return self.systems[first], self.systems[second]

    @cached_property
    def item_codes(self) -> Codes:
        """The item that was compared; without items each row is its own."""
        return coded(self.frame["item"])[0] if self.has("item") else np.arange(len(self))

    @cached_property
    def judge_codes(self) -> Codes:
        """The judge; without judges each row is another's."""
        return coded(self.frame["judge"])[0] if self.has("judge") else np.arange(len(self))

    @cached_property
    def unit_codes(self) -> Codes:
        """An item and two systems, whichever stood first: what judges can agree about."""
        # numbered anew: S² codes of pairs times the items could be more than an integer holds
        pairs = np.unique(self.pair_codes, return_inverse=True)[1]
        width = int(pairs.max()) + 1 if len(self) else 1
        return self.item_codes * width + pairs

    @cached_property
    def sentence(self) -> Codes:
        """The sentence of each comparison; without one each is about its own."""
        own = next((name for name in ("segment", "item") if self.has(name)), "")
        if not own:
            return np.arange(len(self))
        # segments may be numbered anew in every document
        place = [name for name in ("document", own) if self.has(name)]
        return codes_of(self.frame.select(place))

    def has_documents(self, unit: str) -> bool:
        """Whether whole documents are what varies: several are known, and `unit` allows it."""
        return unit != "segment" and self.has("document") and self.frame["document"].n_unique() > 1

    def clusters(self, unit: str) -> Clusters:
        """What comparisons share: documents (sentences with the unit `segment`), and judges."""
        if self.has_documents(unit):
            place, what = coded(self.frame["document"])[0], "document"
        else:
            place, what = self.sentence, "sentence"
        known = self.has("judge") and unit != "segment"
        return Clusters(place, self.judge_codes if known else None, what)

    def varying(self, unit: str, *, new_judges: bool = True) -> str:
        """What tests take as varying, as a method says it; judges only with `new_judges`."""
        judges = len(np.unique(self.judge_codes)) if self.has("judge") else 0
        if unit == "segment":
            return "sentences are taken as independent, as asked"
        return varying_words(
            "document" if self.has_documents(unit) else "sentence",
            judges if new_judges else min(judges, FEWEST_JUDGES - 1),
            independent="" if self.has_documents(unit) else "documents are unknown",
        )

    @cached_property
    def sided(self) -> bool:
        """Whether a and b are sides on the screen; a table may always name the better one first."""
        # a table of better and worse systems has no other outcome than a, and each pair in any
        # order
        if (self.shown != A).any():
            return True
        turned = np.unique(self.pair_codes[self.turned])
        return not np.isin(self.pair_codes[~self.turned], turned).any()

    @cached_property
    def firsts(self) -> Comparisons:
        """The first decision of each judge about each item and pair, without their repeats."""
        if not self.has("judge"):
            return self
        order = self._chronological
        keys = (self.unit_codes * (int(self.judge_codes.max()) + 1) + self.judge_codes)[order]
        # np.unique gives the first of equal keys, which stand in the order of time
        first = np.unique(keys, return_index=True)[1]
        return self if len(first) == len(self) else self.at(np.sort(order[first]))

    @property
    def _chronological(self) -> NDArray[np.intp]:
        times = [name for name in EARLIER if self.has(name)]
        if not times:
            return np.arange(len(self))
        # with a name that no column of a table can have
        rows = self.frame.select(*times).with_row_index("\0row")
        return rows.sort(times, maintain_order=True)["\0row"].to_numpy().astype(np.intp)


class PreferenceStatistic(Statistic[PreferenceSettings]):
    """A statistic of preferences, whose signature and splits are those of the preferences alone."""

    needs: ClassVar[tuple[str, ...]] = SIDES

    def preference_result(
        self,
        evaluation: Evaluation,
        settings: PreferenceSettings,
        estimates: Sequence[Estimate],
        **more: Any,
    ) -> Result:
        """A result of these estimates, or one that says that there are none."""
        missing = [Estimate(value=None, n=0, reason="no comparison is left")]
        return self.result(preferences_only(evaluation), settings, estimates or missing, **more)


def comparisons(evaluation: Evaluation) -> tuple[Comparisons, ...]:
    """The preferences of judges, apart for each question and split; made once."""
    if evaluation.preferences is None:
        return ()
    return evaluation.once(_comparisons)


def _comparisons(evaluation: Evaluation) -> tuple[Comparisons, ...]:
    return tuple(_parts(preferences_only(evaluation)))


def preferences_only(evaluation: Evaluation) -> Evaluation:
    """The preferences alone, with their own splits and signature, without any judgments."""
    # judgments would bring their own columns into splits and signature
    return replace(evaluation, judgments=None)


def by_question(rows: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """The rows of each question; a question without a name is called "preference"."""
    asked = pl.col("question").fill_null(QUESTION) if "question" in rows.columns else None
    named = rows.with_columns(question=pl.lit(QUESTION) if asked is None else asked)
    yield from by_named_question(named)


def preference_findings(
    part: Comparisons, *, unit: str, confidence: float
) -> dict[tuple[int, int], PairFinding]:
    """For every two systems compared the mean of 1 (the first wins), 0 (tie) and −1, tested.

    Keys are places in `systems`, the lower first.
    """
    result = (part.outcomes == A).astype(np.float64) - (part.outcomes == B)
    clusters, found = part.clusters(unit), {}
    for code in np.unique(part.pair_codes).tolist():
        rows = np.flatnonzero(part.pair_codes == code)
        first, second = divmod(code, len(part.systems))
        found[first, second] = infer_pair(
            _mean(result[rows]),
            clusters.at(rows),
            part.sentence[rows],
            note=uneven_sides(part, rows),
            confidence=confidence,
        )
    return found


def uneven_words(estimates: Iterable[Estimate], level: float) -> str:
    """A sentence on pairs that are told apart while one mostly stands first; empty if none is."""
    told = {
        frozenset((e.by["system_a"], e.by["system_b"])): STANDS_FIRST in e.note
        for e in estimates
        if e.value is not None and e.value < level
    }
    if not any(told.values()):
        return ""
    some = "Here" if len(told) == 1 else f"In {sum(told.values())} of them"
    return f" {some} the same system mostly stands first: {SIDE_INCLUDED}."


def uneven_sides(part: Comparisons, rows: Codes) -> str:
    """What to say of two systems of which one mostly stands first; empty if neither does.

    `rows` are the comparisons of these two.
    """
    if not part.sided or not len(rows):
        return ""
    first, second = part.pair(int(part.pair_codes[rows[0]]))
    turned = float(part.turned[rows].mean())
    name, share = (second, turned) if turned > 0.5 else (first, 1 - turned)
    if share < UNEVEN_SIDES or share - 0.5 <= 1.5 / np.sqrt(len(rows)):
        return ""
    return f"{name} {STANDS_FIRST} {100 * share:.0f} %: {SIDE_INCLUDED}"


def share_finding(
    part: Comparisons,
    rows: Codes,
    hits: NDArray[np.bool_],
    settings: PreferenceSettings,
    *,
    against: float = 0.0,
) -> Finding:
    """The share of some decisions (rows) that are hits, with its interval; NaN without any.

    The p-value is of the hypothesis that the share is `against`, from the score test that Wilson's
    interval turns round: it is below .05 where a 95 % interval leaves `against` out.
    """
    if not len(rows):
        return Finding(np.nan)
    clusters = part.clusters(settings.unit).at(rows)
    share = infer_share(_mean(hits.astype(np.float64)), clusters, confidence=settings.confidence)
    if not against:
        return share
    value, spread = share.value, against * (1 - against)
    if not 0 < value < 1:
        steady = infer(_mean(np.ones(len(rows))), clusters, confidence=settings.confidence)
        p = np.nan if steady.reason else _steady_p(value - against, spread, clusters)
        return share._replace(p=p, reason=steady.reason, scope=steady.scope)
    # The variance under the hypothesis is that found times a(1 − a) / p(1 − p); the distance from
    # the hypothesis is divided by the root of that instead, which gives the same t.
    shrunk = (value - against) * np.sqrt(value * (1 - value) / spread)
    tested = infer(_mean(hits - value + shrunk), clusters, confidence=settings.confidence)
    return share._replace(p=tested.p, reason=tested.reason, scope=tested.scope)


def _steady_p(away: float, spread: float, clusters: Clusters) -> float:
    """The same where none or all are hits: every document then counts as one decision."""
    documents = len(np.unique(clusters.document))
    return float(2 * t_cdf(documents - 1, -abs(away) * np.sqrt(documents / spread)))


def _mean(values: Array) -> Contrast:
    one = np.zeros(len(values), dtype=np.int64)
    return LinearModel(values=values, system=one).contrast(np.ones(1))


def share_estimate(
    found: Finding,
    n: int,
    part: Comparisons,
    settings: PreferenceSettings,
    *,
    by: Mapping[str, Key] = {},
    side: str = "",
    reason: str = "",
    note: str = "",
) -> Estimate:
    """A share of n decisions, with its interval if the settings ask for any."""
    drawn = settings.intervals
    return Estimate.of(
        found.value,
        n,
        about=part,
        by=by,
        side=side,
        low=found.low if drawn else None,
        high=found.high if drawn else None,
        reason=reason,
        note=", ".join(filter(None, (found.scope, note))) if drawn else "",
    )


def interval_words(parts: Sequence[Comparisons], settings: PreferenceSettings) -> str:
    """How intervals of shares came about, as a method says it; empty without any."""
    if not parts or not settings.intervals:
        return ""
    varying = parts[0].varying(settings.unit)
    return f"{settings.confidence:.0%} Wilson intervals with the effective number; {varying}"


def of_these_judges(how: str) -> str:
    """How intervals of agreement came about: other judges may agree more, or less."""
    return method_line(how, THESE_JUDGES) if how else ""


def counts_by(keys: Codes, outcomes: Codes) -> tuple[Codes, Array]:
    """The first row of each key, and how often the key has each outcome (keys × outcomes)."""
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    cells = np.bincount(group * KINDS + outcomes, minlength=len(first) * KINDS)
    return first, cells.reshape(-1, KINDS).astype(np.float64)


def _parts(evaluation: Evaluation) -> Iterator[Comparisons]:
    rows = evaluation.compared
    if rows.is_empty():
        return
    # of all questions, so that a is the same system everywhere
    systems = _first_seen(rows)
    for question, of_question in by_question(rows):
        for tags, frame in evaluation.split(of_question):
            yield Comparisons(question=question, systems=systems, frame=frame, tags=tags)


def _first_seen(rows: pl.DataFrame) -> tuple[str, ...]:
    """The systems in the order in which the table names them, row by row."""
    named = [
        rows.select(pl.col(name).alias("system"), at=pl.int_range(pl.len()) * 2 + side)
        for side, name in enumerate(("system_a", "system_b"))
    ]
    return tuple(pl.concat(named).group_by("system").agg(pl.col("at").min()).sort("at")["system"])


def _codes(names: pl.Series, order: Sequence[str]) -> Codes:
    return names.cast(pl.Enum(list(order))).to_physical().to_numpy().astype(np.int64)
