"""What a command claims of one simulated campaign, held against the truth."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from jurat.results import Estimate, Key, Result
from jurat.stats import Evaluation, Settings, analyse
from jurat.stats.phrases import FALLS_SHORT

Kind = Literal["test", "family", "alarm", "detection", "interval", "power", "range"]
# The true value of an estimate, by its keys; None where it has none that could be told.
Truth = Callable[[Mapping[str, Key]], float | None]

LEVEL = 0.05
# Words with which a command says by itself how far its claim goes. That items of unknown documents
# are taken as independent is no such word here, where they are.
WARNINGS = (
    "for these judges only",
    "cannot speak for others",
    "say little about others",
    "few judges",
    "few cases outside the commonest",
    "wide, cautious",
    "no variation to judge by",
    "cannot be separated",
    "cannot be told apart",
    "if every decision were independent",
    # intervals of rare answers, skewed scores, long or ratio scales, steps with few pairs
    FALLS_SHORT,
    # documents that only one of two systems has
    "only if they were assigned at random",
    # kits chosen adaptively
    "more often than stated",
    # powers that come from a pilot
    "variances known from",
)


class Reading(NamedTuple):
    """One claim in one campaign: which share of its numbers was wrong or right, or a refusal."""

    claim: str
    kind: Kind
    share: float | None
    """Of tests: rejected; of intervals: holding the truth. None where the command refused."""
    warned: bool = False


Results = Mapping[str, Sequence[Result]]


Keys = tuple[str, tuple[tuple[str, Key], ...]]


def values_by_keys(results: Results) -> dict[Keys, float]:
    """Every value under its name and keys: the truth, where the campaign was a very large one."""
    return {
        _keyed(name, estimate.by): estimate.value
        for name in results
        for estimate in _estimates(results, name)
        if estimate.value is not None
    }


def looked_up(values: Mapping[Keys, float], name: str) -> Truth:
    """The values of a very large campaign as the truth of smaller ones.

    A share that is 0 or 1 in all of it is so by definition, and no claim.
    """

    def truth(by: Mapping[str, Key]) -> float | None:
        value = values.get(_keyed(name, by))
        return None if value in (0.0, 1.0) else value

    return truth


def _keyed(name: str, by: Mapping[str, Key]) -> Keys:
    return name, tuple(sorted(by.items()))


def constant(value: float | None) -> Truth:
    """The same true value for all estimates."""
    return lambda _: value


def computed(
    folder: str, evaluation: Evaluation, settings: Settings, only: Collection[str]
) -> dict[str, list[Result]]:
    """The results of a command by name, as it prints them."""
    found: dict[str, list[Result]] = {}
    # Signatures are not looked at here, and to fingerprint the data for them takes up to a quarter
    # of a campaign's time.
    vars(evaluation).setdefault("fingerprint", "simulated")
    for result in analyse(folder, evaluation, settings, only=only):
        found.setdefault(result.name, []).append(result)
    return found


def rejections(results: Results, name: str, claim: str = "") -> Iterator[Reading]:
    """How many of the p-values are below the level, and whether any is, where there are several."""
    claim = claim or name
    given = list(_estimates(results, name))
    known = [e.value < LEVEL for e in given if e.value is not None]
    warned = _warned(results, name)
    yield Reading(claim, "test", sum(known) / len(known) if known else None, warned)


def any_rejection(results: Results, name: str, claim: str = "") -> Iterator[Reading]:
    """Whether one of the p-values is below the level: the error of the whole family."""
    known = [e.value < LEVEL for e in _estimates(results, name) if e.value is not None]
    share = float(any(known)) if known else None
    yield Reading(claim or f"{name}, any pair", "family", share, _warned(results, name))


def naming(results: Results, name: str, names: Collection[str], claim: str) -> Reading:
    """Whether the headline names anybody, where there is nobody to name; no headline refuses."""
    headlines = [result.headline for result in results.get(name, ()) if result.headline]
    words = {word for headline in headlines for word in re.findall(r"[\w-]+", headline)}
    share = float(not words.isdisjoint(names)) if headlines else None
    return Reading(claim, "alarm", share, _warned(results, name))


def given(results: Results, name: str, claim: str, kind: Kind) -> Reading:
    """Whether any number is given where one stands for a finding."""
    known = [estimate.value is not None for estimate in _estimates(results, name)]
    return Reading(claim, kind, float(any(known)) if known else None, _warned(results, name))


def positive(results: Results, name: str, claim: str) -> Reading:
    """Whether any number is above 0, where a verdict is 1 and its absence 0."""
    known = [e.value > 0 for e in _estimates(results, name) if e.value is not None]
    return Reading(claim, "family", float(any(known)) if known else None, _warned(results, name))


def matching(results: Results, name: str, pattern: str, claim: str) -> Reading:
    """Whether the headline says what the pattern describes, and should not; none refuses."""
    headlines = [result.headline for result in results.get(name, ()) if result.headline]
    said = any(re.search(pattern, headline, re.IGNORECASE) for headline in headlines)
    return Reading(claim, "alarm", float(said) if headlines else None, _warned(results, name))


def excluding(results: Results, name: str, value: float, claim: str) -> Reading:
    """Whether any interval leaves out the value that all the numbers have in truth."""
    ends = [(e.low, e.high) for e in _estimates(results, name)]
    known = [
        low > value or high < value for low, high in ends if low is not None and high is not None
    ]
    return Reading(claim, "family", float(any(known)) if known else None, _warned(results, name))


def more_than_one(results: Results, name: str) -> Reading:
    """Whether systems that are equal were put into several clusters.

    A boundary needs several significant pairs, so that it is rarer than one of them.
    """
    known = [e.value for e in _estimates(results, name) if e.value is not None]
    share = float(max(known) > 1) if known else None
    return Reading(f"{name}, more than one", "alarm", share, _warned(results, name))


def coverage(
    results: Results, name: str, truth: Truth, keys: Collection[str] = ()
) -> Iterator[Reading]:
    """How many intervals hold the true value, apart for each value of `keys`."""
    held: dict[str, list[bool]] = {}
    of_claim: dict[str, list[Estimate]] = {}
    for estimate in _estimates(results, name):
        claim = " ".join([name, *(str(estimate.by[key]) for key in keys if key in estimate.by)])
        true = truth(estimate.by)
        if true is None:
            continue
        inside = held.setdefault(claim, [])
        of_claim.setdefault(claim, []).append(estimate)
        if estimate.low is not None and estimate.high is not None:
            # A bound that was rounded on its way through a logarithm still holds its own end.
            inside.append(estimate.low - 1e-9 <= true <= estimate.high + 1e-9)
    for claim, inside in held.items():
        # a note about one scale is none about the others
        warned = _told(of_claim[claim], results, name, apart=bool(keys))
        yield Reading(claim, "interval", sum(inside) / len(inside) if inside else None, warned)


def _estimates(results: Results, name: str) -> Iterator[Estimate]:
    # a name that was not asked for would count as refused in every campaign
    for result in results[name]:
        yield from result.estimates


def _warned(results: Results, name: str) -> bool:
    return any(word in text for text in _words(results.get(name, ())) for word in WARNINGS)


def _told(estimates: Iterable[Estimate], results: Results, name: str, *, apart: bool) -> bool:
    """Whether most of the estimates have a warning, or their result as a whole has one.

    Where estimates are told `apart`, the headline is about one of them.
    """
    heads = [r.method if apart else f"{r.headline} {r.method}" for r in results.get(name, ())]
    if any(word in text for text in heads for word in WARNINGS):
        return True
    own = [any(word in text for text in _of_estimate(e) for word in WARNINGS) for e in estimates]
    return bool(own) and sum(own) * 2 > len(own)


def _words(results: Iterable[Result]) -> Iterator[str]:
    """All that a reader of the results could have been warned by."""
    for result in results:
        yield result.headline
        yield result.method
        for estimate in result.estimates:
            yield from _of_estimate(estimate)


def _of_estimate(estimate: Estimate) -> Iterator[str]:
    yield from (estimate.reason, estimate.side, estimate.note)
    yield from (str(value) for value in estimate.tags.values())
