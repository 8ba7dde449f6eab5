"""One judge: use of the scale, times, repeated and control items, and outlier rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any, NamedTuple

from jurat.campaigns.monitoring.filters import Filter
from jurat.campaigns.monitoring.sections import DataVersion
from jurat.errors import unknown_name
from jurat.store import AuditEntry

if TYPE_CHECKING:
    import polars as pl

    from jurat.campaigns.monitoring.worker import WorkerState
    from jurat.results import Key, Result
    from jurat.stats import Evaluation
    from jurat.stats.settings import JudgeSettings

# Seconds; longer decisions are counted, and left out of the quartiles.
CAP = 120.0
# Answers that are listed one by one; more of them, as of a slider, are put into ranges.
MOST_ANSWERS = 12
# Of a range's width: 0.3 is three times 0.1, although not in a computer.
ROUNDING = 1e-9

Row = Mapping[str, object]


class Measure(NamedTuple):
    """A measure of a judge, and the range of all judges."""

    name: str
    by: Mapping[str, Key]
    value: float
    n: int
    side: str
    lowest: float
    middle: float
    highest: float


class JudgeAnswers(NamedTuple):
    """How often a judge gave an answer, and how often all judges did."""

    question: str
    answer: str
    number: int
    share: float
    of_all: float


class JudgeTimes(NamedTuple):
    """Times of decisions on a question: the judge's and everybody's."""

    question: str
    n: int
    quartiles: tuple[float, float, float] | None
    of_all: tuple[float, float, float] | None
    over: int
    """Decisions of more than two minutes."""


class RepeatedItem(NamedTuple):
    """An item that the judge saw twice, with both scores."""

    question: str
    item: str
    first: float
    second: float


class JudgeView(NamedTuple):
    """Everything about one judge."""

    as_of: DataVersion
    pin: str
    group: str
    site: str
    judged: bool
    """Whether there are judgments of theirs that count, and of others."""
    compared: bool
    """Whether these are of the same items, so that a test could tell whether they differ."""
    ways: tuple[str, ...]
    """The ways in which they stand out from the others beyond chance."""
    numbers: tuple[Measure, ...]
    """Their measures, where there are other judges to compare them with."""
    uses: tuple[JudgeAnswers, ...]
    times: tuple[JudgeTimes, ...]
    repeats: tuple[RepeatedItem, ...]
    controls: tuple[Row, ...]
    """Answers to items with a known good answer."""
    comments: tuple[Row, ...]
    feedback: tuple[AuditEntry, ...]


def judge(state: WorkerState, campaign: str, pin: str) -> JudgeView:
    """Everything about one judge; raises `InputError` for an unknown PIN."""
    account = state.store.judge_by_pin(campaign, pin)
    if account is None:
        raise unknown_name("judge", pin, [one.pin for one in state.store.judges(campaign)])
    tables = state.tables(campaign)
    seen = state.filtered(campaign, Filter()).evaluation
    judged = _has_judged(seen, account.pin)
    feedback = state.store.logged(campaign, "feedback")
    return JudgeView(
        as_of=tables.as_of,
        pin=account.pin,
        group=account.group,
        site=account.site,
        judged=judged,
        compared=_is_compared(seen, account.pin),
        ways=tuple(_ways(seen, account.pin)),
        numbers=tuple(_numbers(_diagnosed(seen), account.pin)) if judged else (),
        uses=tuple(_uses(seen, account.pin)),
        times=tuple(_times(seen, account.pin)),
        repeats=tuple(_repeats(seen, account.pin)),
        controls=_controls(tables.named.get("judgments"), account.pin),
        comments=_own(tables.named.get("texts"), account.pin),
        feedback=tuple(entry for entry in feedback if entry.author == account.pin),
    )


def _diagnosed(seen: Evaluation) -> list[Result]:
    from jurat.stats import analyse

    return list(analyse("judges", seen, _settings()))


def _settings() -> JudgeSettings:
    from jurat.stats.settings import JudgeSettings

    # without bootstrap intervals, which the page does not show
    return JudgeSettings(bootstrap=0)


def _has_judged(seen: Evaluation, pin: str) -> bool:
    if not seen.judgments:
        return False
    judges = seen.judgments.frame["judge"].unique().to_list()
    return pin in judges and len(judges) > 1


def _is_compared(seen: Evaluation, pin: str) -> bool:
    from jurat.stats.judges.outlier_tests import tested_judges

    return bool(seen.judgments) and pin in tested_judges(seen, _settings())


def _ways(seen: Evaluation, pin: str) -> Iterator[str]:
    from jurat.stats.judges.outlier_tests import standing_out

    if seen.judgments:
        out = standing_out(seen, _settings())
        yield from sorted({way for _, judge, way in out if judge == pin})


def _numbers(results: list[Result], pin: str) -> Iterator[Measure]:
    """Every measure of the diagnosis for this judge, with the range of all judges."""
    from statistics import median

    for result in results:
        # Outlier rules ("way") are shown apart, as words.
        of_judges = [e for e in result.estimates if "judge" in e.by and "way" not in e.by]
        for own in (e for e in of_judges if e.by["judge"] == pin and e.value is not None):
            # compared with estimates of the same question and other keys, for all judges
            rest = {name: key for name, key in own.by.items() if name != "judge"}
            alike = [
                e.value for e in of_judges if e.value is not None and rest.items() <= e.by.items()
            ]
            assert own.value is not None
            yield Measure(
                name=result.name,
                by=rest,
                value=own.value,
                n=own.n,
                side=own.side,
                lowest=min(alike),
                middle=median(alike),
                highest=max(alike),
            )


def _uses(seen: Evaluation, pin: str) -> Iterator[JudgeAnswers]:
    import polars as pl

    for ratings in seen.ratings:
        answer = pl.col("label" if ratings.nominal else "value")
        of_all = ratings.frame.group_by(answer.alias("answer")).len()
        mine = ratings.frame.filter(pl.col("judge") == pin)
        if mine.is_empty():
            continue
        own = Counter(dict(mine.group_by(answer.alias("answer")).len().iter_rows()))
        every = dict(of_all.sort("answer").iter_rows())
        for name, points in _answer_rows(list(every)).items():
            number = sum(own[point] for point in points)
            yield JudgeAnswers(
                question=ratings.question,
                answer=name,
                number=number,
                share=number / mine.height,
                of_all=sum(every[point] for point in points) / len(ratings),
            )


def _answer_rows(answers: Sequence[Any]) -> dict[str, list[Any]]:
    """The answers, in their order, by the name of their row: an answer, or a range of numbers."""
    if len(answers) <= MOST_ANSWERS or not all(isinstance(one, float) for one in answers):
        return {f"{a:g}" if isinstance(a, float) else str(a): [a] for a in answers}
    # the narrowest round width, 1, 2 or 5 times a power of ten, that gives few enough rows
    least = (answers[-1] - answers[0]) / MOST_ANSWERS
    power = 10.0 ** floor(log10(least))
    width = next(step * power for step in (1, 2, 5, 10) if step * power >= least)
    # the highest answer belongs to the last range that it ends
    last = max(ceil(answers[-1] / width - ROUNDING), floor(answers[0] / width + ROUNDING) + 1) - 1
    rows: dict[str, list[Any]] = {}
    for answer in answers:
        number = min(floor(answer / width + ROUNDING), last)
        rows.setdefault(f"{number * width:.9g} – {(number + 1) * width:.9g}", []).append(answer)
    return rows


def _times(seen: Evaluation, pin: str) -> Iterator[JudgeTimes]:
    import polars as pl

    frames = [frame for frame in (seen.valid, seen.compared) if "seconds" in frame.columns]
    for frame in frames:
        timed = frame.filter(pl.col("seconds").is_not_null())
        # the ranks of several translations, or their scores, are one decision
        at_once = [name for name in ("question", "judge", "decided_at") if name in frame.columns]
        if "decided_at" in at_once:
            timed = timed.unique(at_once, maintain_order=True)
        for (question,), rows in timed.partition_by(
            "question", as_dict=True, maintain_order=True
        ).items():
            own = rows.filter(pl.col("judge") == pin)["seconds"]
            yield JudgeTimes(
                question=str(question),
                n=len(own),
                quartiles=_quartiles(own),
                of_all=_quartiles(rows["seconds"]),
                over=int((own > CAP).sum()),
            )


def _quartiles(seconds: pl.Series) -> tuple[float, float, float] | None:
    # Longer ones are pauses; the share of them is in `over`.
    short = seconds.filter(seconds <= CAP)
    low, middle, high = (short.quantile(q, "linear") for q in (0.25, 0.5, 0.75))
    if low is None or middle is None or high is None:
        return None
    return float(low), float(middle), float(high)


def _repeats(seen: Evaluation, pin: str) -> Iterator[RepeatedItem]:
    import polars as pl

    for ratings in seen.ratings:
        own = ratings.chronological.frame.filter(pl.col("judge") == pin)
        # in order of time: the first two judgments, also where an item came three times
        twice = own.filter(pl.len().over("item") > 1)
        pairs = twice.group_by("item", maintain_order=True).agg(
            pl.col("value").first().alias("first"), pl.col("value").get(1).alias("second")
        )
        for item, first, second in pairs.iter_rows():
            if first is not None and second is not None:
                yield RepeatedItem(ratings.question, item, first, second)


def _controls(judged: pl.DataFrame | None, pin: str) -> tuple[Row, ...]:
    import polars as pl

    if judged is None:
        return ()
    # Repeated items have no known answer; they are in `_repeats`.
    known = pl.col("control").is_in(["easy", "degraded", "gold"])
    return _own(judged.filter(known & (pl.col("status") == "valid")), pin)


def _own(frame: pl.DataFrame | None, pin: str) -> tuple[Row, ...]:
    import polars as pl

    return () if frame is None else tuple(frame.filter(pl.col("judge") == pin).to_dicts())
