"""How often each outcome was chosen, which of two systems is preferred, and whether by chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.resampling import adjust
from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.cluster_inference import Finding, PairFinding
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.hypothesis_tests import sign_test
from jurat.stats.pairwise import matrix, p_words, pair_keys, told_apart
from jurat.stats.phrases import headline_prefix, percent, percentage
from jurat.stats.preferences.comparisons import (
    KINDS,
    TIE,
    A,
    B,
    Comparisons,
    PreferenceStatistic,
    comparisons,
    interval_words,
    preference_findings,
    share_estimate,
    share_finding,
    uneven_sides,
    uneven_words,
)
from jurat.stats.ratings import Array
from jurat.stats.settings import PreferenceSettings
from jurat.tables.schema import OUTCOMES

# Systems in the figure, those compared most often.
MOST_DRAWN = 40
ALL_TIED = "every decision is a tie"


class PreferenceCount(PreferenceStatistic):
    """Counts and shares of a, b and the kinds of "no preference"."""

    name = "preference-count"
    gives = ("preference-count", "preference-share")
    asks = "How often is each of two translations preferred, and how often neither?"
    formula = "number of decisions with each outcome"
    source = "TAP-ET, section 2.2"
    order = 10

    def results(self, evaluation: Evaluation, settings: PreferenceSettings) -> Iterator[Result]:
        """The counts, then the shares with their intervals."""
        parts = comparisons(evaluation)
        found = [(part, outcome_shares(part, settings)) for part in parts]
        who = _who(parts)
        yield self.preference_result(
            evaluation,
            settings,
            [e for part in parts for e in _count_estimates(part)],
            method=f"{self.formula}; {who}; n counts decisions",
            headline=_count_headline(parts),
        )
        yield self.preference_result(
            evaluation,
            settings,
            [e for part, shares in found for e in _share_estimates(part, shares, settings)],
            name="preference-share",
            method=f"count / all decisions; {who}",
            how=interval_words(parts, settings),
        )

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """Bars of the counts, or a point for each share."""
        if name == "preference-share":
            return figures.points_with_intervals(
                "Share of each outcome",
                figures.labelled(estimates),
                over="outcome",
                value="share of decisions",
                facet="of",
                sort=OUTCOMES,
            )
        named = [e._replace(by={**e.by, "system": e.side}) for e in estimates]
        return figures.bars(
            "How often each outcome was chosen",
            figures.rows(figures.labelled(named)),
            x=figures.axis("outcome", "outcome", "nominal", sort=list(OUTCOMES)),
            y=figures.axis("value", "decisions"),
            colour=figures.axis("of", "question", "nominal"),
        )


def outcome_counts(part: Comparisons) -> Array:
    """Decisions (rows) × outcomes: per system where there are two, else per side as shown."""
    # of more than two systems a is no particular one, only the side on the screen
    codes = part.outcomes if len(part.systems) == 2 else part.shown
    return np.asarray(np.eye(KINDS)[codes])


def _outcomes(part: Comparisons) -> list[int]:
    """a, b and tie always; "both good" and "both bad" where somebody said it."""
    used = np.bincount(part.shown, minlength=KINDS)
    # most tables know one kind of tie only
    return [code for code in range(KINDS) if code <= TIE or used[code]]


def _side(part: Comparisons, code: int) -> str:
    """Which system an outcome speaks of, where there are only two."""
    return part.systems[code] if len(part.systems) == 2 and code < TIE else ""


def _count_estimates(part: Comparisons) -> Iterator[Estimate]:
    total = outcome_counts(part).sum(axis=0)
    for code in _outcomes(part):
        by = {"outcome": OUTCOMES[code]}
        yield Estimate.of(total[code], len(part), about=part, by=by, side=_side(part, code))


def outcome_shares(part: Comparisons, settings: PreferenceSettings) -> list[Finding]:
    """The share of each outcome among all decisions, with intervals."""
    everything = np.arange(len(part))
    counts = outcome_counts(part) > 0
    return [share_finding(part, everything, counts[:, code], settings) for code in range(KINDS)]


def _share_estimates(
    part: Comparisons, shares: list[Finding], settings: PreferenceSettings
) -> Iterator[Estimate]:
    for code in _outcomes(part):
        by, side = {"outcome": OUTCOMES[code]}, _side(part, code)
        yield share_estimate(shares[code], len(part), part, settings, by=by, side=side)


def _who(parts: tuple[Comparisons, ...]) -> str:
    if parts and len(parts[0].systems) == 2:
        return "a is {}, b is {}, on whichever side they stood".format(*parts[0].systems)
    if parts and not parts[0].sided:
        return "a is the better system, of which the table does not tell on which side it stood"
    return "a is the system shown first, b the one shown second"


def _count_headline(parts: tuple[Comparisons, ...]) -> str:
    if not parts:
        return "There is nothing to count."
    total = np.sum([outcome_counts(part).sum(axis=0) for part in parts], axis=0)
    first, second = (
        parts[0].systems if len(parts[0].systems) == 2 else ("The system shown first", "the second")
    )
    n = total.sum()
    if len(parts[0].systems) != 2 and not parts[0].sided:
        return f"{int(n):,} decisions prefer one of two systems; preference-wins tells which."
    return (
        f"{first} is preferred in {percent(total[0] / n)} of {int(n):,} decisions, {second} in "
        f"{percent(total[1] / n)}, neither in {percent(total[TIE:].sum() / n)}."
    )


class PreferenceP(PreferenceStatistic):
    """Whether one of two systems is preferred, for new documents and new judges."""

    name = "preference-p"
    gives = ("preference-p", "preference-p-adjusted", "preference-p-these-judges")
    asks = "Is one of two systems preferred, or could that be chance?"
    formula = "two-sided cluster-robust t-test of the mean of 1 (for a), 0 (tie) and −1 (for b)"
    formulas: ClassVar = {
        "preference-p": formula,
        "preference-p-adjusted": f"{formula}; Holm's correction for the number of pairs",
        "preference-p-these-judges": f"{formula}; Holm's correction",
    }
    counted = "sentences"
    source = "Bell & McCaffrey 2002; Cameron, Gelbach & Miller 2011"
    order = 18

    def results(self, evaluation: Evaluation, settings: PreferenceSettings) -> Iterator[Result]:
        """The p-value of each pair of systems, as it is and corrected for their number."""
        parts = comparisons(evaluation)
        found = [(part, _findings(part, settings)) for part in parts]
        how, of_these = (
            parts[0].varying(settings.unit, new_judges=new) if parts else ""
            for new in (True, False)
        )
        plain, holm, these = (
            [e for part, pairs in found for e in _p_estimates(part, pairs, kind)]
            for kind in self.gives
        )
        yield self.preference_result(
            evaluation, settings, plain, how=how, headline=_p_headline(parts, holm, settings)
        )
        give = partial(self.preference_result, evaluation, settings, headline="", adjusted="holm")
        yield give(holm, name=self.gives[1], how=how)
        yield give(these, name=self.gives[2], how=of_these)

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A matrix of the p-values."""
        known = [e for e in estimates if e.value is not None]
        # darker where two systems are told apart: beyond 0.1 all cells look alike
        return matrix("p of the preferences", known[:1000], "p", domain=[0, 0.1], clamp=True)


def _findings(
    part: Comparisons, settings: PreferenceSettings
) -> dict[tuple[int, int], PairFinding]:
    return preference_findings(part, unit=settings.unit, confidence=settings.confidence)


def _p_estimates(
    part: Comparisons, pairs: Mapping[tuple[int, int], PairFinding], kind: str
) -> Iterator[Estimate]:
    these = kind == PreferenceP.gives[2]
    found = [pair.these_judges if these else pair.finding for pair in pairs.values()]
    p = np.array([one.p for one in found])
    if kind != PreferenceP.gives[0]:
        p = adjust(p, "holm")
    for ((a, b), pair), one, value in zip(pairs.items(), found, p.tolist(), strict=True):
        first, second = part.systems[a], part.systems[b]
        preferred = "" if not one.value else first if one.value > 0 else second
        yield Estimate.of(
            value,
            pair.n,
            about=part,
            by=pair_keys(first, second),
            side=preferred,
            reason=one.reason or ALL_TIED,
            note="" if these else pair.note,
        )


def _p_headline(
    parts: Sequence[Comparisons], tests: list[Estimate], settings: PreferenceSettings
) -> str:
    known, level = [e for e in tests if e.value is not None], 1 - settings.confidence
    if not known:
        reason = next((e.reason for e in tests if e.reason), "there are no comparisons")
        return f"Nothing can be tested: {reason}."
    if len(known) > 1:
        uneven = uneven_words(known, level)
        return f"{told_apart(known, level)[1]} (p < {level:.2g}, Holm).{uneven}"
    test, value = known[0], known[0].value or 0.0
    finding = f"{test.side} is preferred" if value < level else "the two are not told apart"
    where, uneven = headline_prefix(parts[0], parts), uneven_words(known, level)
    return f"{where}{p_words(value)}; {finding}.{uneven}"


class SignTest(PreferenceStatistic):
    """The two-sided exact binomial test of every two systems, ties left out."""

    name = "sign-test"
    asks = "What does the sign test of the field say, with every decision independent?"
    formula = "two-sided exact binomial p of the decisions with a preference, against one half"
    formulas: ClassVar = {
        "sign-test": (
            f"{formula}; decisions are taken as independent, also those of one item, document or "
            "judge: see preference-p; n counts them"
        ),
        "sign-test-adjusted": (
            f"{formula}; decisions are taken as independent; n counts them; Holm's correction for "
            "the number of pairs of systems"
        ),
    }
    source = "Dixon and Mood 1946; as in Läubli, Sennrich and Volk 2018"
    order = 20

    def results(self, evaluation: Evaluation, settings: PreferenceSettings) -> Iterator[Result]:
        """The p-value of each pair of systems, as it is and corrected for their number."""
        parts = comparisons(evaluation)
        found = [(part, *_tested(part)) for part in parts]
        plain = [e for each in found for e in _sign_estimates(*each)]
        holm = [
            e
            for part, pairs, wins, p in found
            for e in _sign_estimates(part, pairs, wins, adjust(p, "holm"))
        ]
        yield self.preference_result(
            evaluation,
            settings,
            plain,
            headline=_sign_headline(parts, holm),
            draw=lambda: self.figure_of("sign-test-adjusted", holm),
        )
        if any(len(pairs) > 1 for _, pairs, _, _ in found):
            name = "sign-test-adjusted"
            yield self.preference_result(evaluation, settings, holm, name=name, adjusted="holm")

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A matrix of the corrected p-values."""
        known = [e for e in estimates if e.value is not None]
        # darker where p is small: beyond 0.1 all cells look alike
        return matrix("p of the sign test", known[:1000], "p (Holm)", domain=[0, 0.1], clamp=True)


def _tested(part: Comparisons) -> tuple[list[int], Array, Array]:
    """The pairs of systems, the most compared first, wins of both, and p-values."""
    codes, of_row, numbers = np.unique(part.pair_codes, return_inverse=True, return_counts=True)
    cells = of_row * 2 + part.outcomes
    wins = np.bincount(cells[part.outcomes < TIE], minlength=2 * len(codes)).reshape(-1, 2)
    order = np.argsort(-numbers, kind="stable")
    won = wins[order].astype(np.float64)
    return codes[order].tolist(), won, sign_test(won[:, 0], won[:, 1])


def _sign_estimates(
    part: Comparisons, pairs: list[int], wins: Array, p: Array
) -> Iterator[Estimate]:
    for code, (a, b), value in zip(pairs, wins.tolist(), p.tolist(), strict=True):
        first, second = part.pair(code)
        by = pair_keys(first, second)
        preferred = "" if a == b else first if a > b else second
        yield Estimate.of(value, a + b, about=part, by=by, side=preferred, reason=ALL_TIED)


def _sign_headline(parts: Sequence[Comparisons], tests: list[Estimate]) -> str:
    known = [e for e in tests if e.value is not None]
    if not known:
        return "No decision has a preference: nothing can be tested."
    assumed = "if every decision were independent"
    if len(known) > 1:
        names = {name for part in parts for name in part.systems}
        single = [e for e in known if not any(_joins(str(one), names) for one in e.by.values())]
        known, more = single or known, len(known) - len(single)
        below = sum((e.value or 0.0) < 0.05 for e in known)
        others = f" ({more:,} more with systems of the same output)" if single and more else ""
        return f"p < 0.05 (Holm) in {below} of {len(known)} pairs of systems{others}, {assumed}."
    test = known[0]
    where = headline_prefix(parts[0], parts)
    return f"{where}Sign test of {test.n:,} decisions: {p_words(test.value or 0.0)}, {assumed}."


class PreferenceWins(PreferenceStatistic):
    """The share of decisions for one of two systems, ties left out."""

    name = "preference-wins"
    asks = "Of every two systems, which is preferred, and how clearly?"
    formula = "share of decisions with a preference that are for system_a"
    counted = "decisions with a preference"
    source = "TAP-ET, section 2.2"
    order = 15

    def results(self, evaluation: Evaluation, settings: PreferenceSettings) -> Iterator[Result]:
        """Every two systems that were compared, both ways round."""
        parts = comparisons(evaluation)
        found = [(part, list(_each(part, settings))) for part in parts]
        estimates = [
            e for part, pairs in found for pair in pairs for e in _both(part, pair, settings)
        ]
        yield self.preference_result(
            evaluation,
            settings,
            estimates,
            how=interval_words(parts, settings),
            headline=_win_headline(found, settings),
            draw=lambda: _draw_wins(parts, estimates),
        )


def pairs_of_systems(part: Comparisons) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """The number of every two systems and the rows that compare them, the most compared first."""
    order = np.argsort(part.pair_codes, kind="stable")
    codes, starts = np.unique(part.pair_codes[order], return_index=True)
    # sorted by pair once, instead of a search for the rows of every pair
    rows = np.split(order, starts[1:])
    for at in sorted(range(len(codes)), key=lambda at: -len(rows[at])):
        yield int(codes[at]), rows[at]


def _each(part: Comparisons, settings: PreferenceSettings) -> Iterator[_SystemPair]:
    """Every two systems, with the share of decisions for each of them."""
    for code, rows in pairs_of_systems(part):
        decided = rows[part.outcomes[rows] < TIE]
        won = [part.outcomes[decided] == side for side in (A, B)]
        wins = np.array([side.sum() for side in won], dtype=np.float64)
        shares = [share_finding(part, decided, side, settings) for side in won]
        yield _SystemPair(code, wins, shares, uneven_sides(part, rows))


class _SystemPair(NamedTuple):
    """Two systems, how often each was preferred, and in which share of the decisions."""

    code: int
    wins: Array
    shares: list[Finding]
    note: str
    """What to beware of."""


def _both(part: Comparisons, pair: _SystemPair, settings: PreferenceSettings) -> Iterator[Estimate]:
    first, second = part.pair(pair.code)
    n = int(pair.wins.sum())
    for at, (one, other) in enumerate(((first, second), (second, first))):
        by = pair_keys(one, other)
        share = pair.shares[at]
        yield share_estimate(share, n, part, settings, by=by, reason=ALL_TIED, note=pair.note)


def _joined(part: Comparisons, pair: _SystemPair) -> bool:
    """Whether one of two is several systems that gave the same output, whose names + joins."""
    return any(_joins(name, {*part.systems}) for name in part.pair(pair.code))


def _joins(name: str, systems: set[str]) -> bool:
    return "+" in name and {*name.split("+")} <= systems


def _win_headline(
    found: Sequence[tuple[Comparisons, list[_SystemPair]]], settings: PreferenceSettings
) -> str:
    parts = [part for part, _ in found]
    for part, pairs in found:
        decided = [pair for pair in pairs if pair.wins.any()]
        if not decided:
            continue
        # by p and not by share: 3 of 3 is no clearer than 90 of 100
        clearest = min(decided, key=lambda pair: float(sign_test(*pair.wins)))
        best = max(_both(part, clearest, settings), key=lambda e: e.value or 0.0)
        single = sum(not _joined(part, pair) for pair in pairs)
        which = "" if len(pairs) == 1 else f" (the clearest of {single or len(pairs):,} pairs)"
        return (
            f"{headline_prefix(part, parts)}{best.by['system_a']} is preferred to "
            f"{best.by['system_b']} in {percentage(best)} of {best.n:,} decisions "
            f"with a preference{which}."
        )
    return "No decision has a preference."


def _draw_wins(parts: Sequence[Comparisons], estimates: list[Estimate]) -> Figure:
    shown = _most_compared(parts)
    drawn = [e for e in estimates if {e.by["system_a"], e.by["system_b"]} <= shown]
    won: dict[object, float] = {}
    of: dict[object, int] = {}
    for one in drawn:
        system = one.by["system_a"]
        won[system] = won.get(system, 0.0) + one.n * (one.value or 0.0)
        of[system] = of.get(system, 0) + one.n
    # the systems that are preferred most come first
    drawn.sort(key=lambda e: -won[e.by["system_a"]] / max(of[e.by["system_a"]], 1))
    return matrix(
        "How often the row is preferred to the column",
        drawn,
        "share",
        domain=[0, 1],
        scheme="blueorange",
    )


def _most_compared(parts: Sequence[Comparisons]) -> set[object]:
    counts: dict[str, int] = {}
    for part in parts:
        both = np.bincount(np.concatenate(part.sides), minlength=len(part.systems))
        for system, n in zip(part.systems, both.tolist(), strict=True):
            counts[system] = counts.get(system, 0) + n
    return set(sorted(counts, key=lambda system: -counts[system])[:MOST_DRAWN])
