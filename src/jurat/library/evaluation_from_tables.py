"""The tables of one evaluation, as the command line and the library hand them to the statistics."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from jurat.errors import InputError, Problem, input_error

if TYPE_CHECKING:
    import polars as pl

    from jurat.formats import ReadTables
    from jurat.protocols import Protocol
    from jurat.stats import Evaluation
    from jurat.stats.settings import BiasSettings
    from jurat.tables import Intake, Judgments

Joined = Literal["keep", "split"]


def evaluation_from(
    read: ReadTables,
    intake: Intake,
    *,
    takes: Sequence[str] = ("judgments",),
    items: pl.DataFrame | None = None,
    joined: Joined = "keep",
    with_texts: bool = False,
    mark: Callable[[pl.DataFrame], pl.DataFrame] | None = None,
) -> Evaluation:
    """The tables read as the options say; raises `InputError` if there is none of them.

    `takes` names the tables that an analysis can use: judgments, preferences, spans. The first is
    its subject; another is left out if it lacks a column of `--by`. `with_texts` adds the texts
    that were judged to the judgments, where they are known, and `mark` adds columns to them.
    """
    from jurat import formats
    from jurat.stats import Evaluation
    from jurat.tables import Judgments
    from jurat.tables.preferences import Preferences

    found = {n: t for n, t in read.tables.items() if n in takes}
    # files without any table have been refused before
    if not read.tables:
        raise input_error("the campaign has no judgments yet")
    if not found:
        raise input_error(f"the input has no {' or '.join(takes)}{_instead(read.tables)}")
    # otherwise the other table is the subject, and a missing column of --by is an error
    if takes[0] in found:
        found = {n: t for n, t in found.items() if n == takes[0] or {*intake.by} <= {*t.columns}}
    judged, compared = found.get("judgments"), found.get("preferences")
    if with_texts and judged is not None:
        judged = formats.with_texts(read.tables)
    if mark and judged is not None:
        judged = mark(judged)
    # where there are judgments too, options about numeric answers apply to them alone
    of_pairs = intake if judged is None else intake.for_pairs()
    pairs = partial(Preferences, intake=of_pairs, items=items, joined=joined)
    try:
        return Evaluation(
            judgments=None if judged is None else Judgments(judged, intake, items=items),
            preferences=None if compared is None else pairs(compared),
            spans=found.get("spans"),
            remarks=read.notes,
        )
    except InputError as error:
        # which sheet was read, or which columns were guessed, may be what is wrong
        notes = [Problem(message=f"note: {note}") for note in read.notes]
        raise InputError([*error.problems, *notes]) from None


def _instead(tables: Collection[str]) -> str:
    """What there is in place of what an analysis takes, and who analyses that."""
    there = f", but {', '.join(tables)}" if tables else ""
    hint = (
        "; `jurat systems` ranks by these, and `jurat preferences` says how judges choose (how far "
        "they agree: --statistic preference-agreement,cohen-kappa)"
    )
    return there + (hint if "preferences" in tables else "")


def with_spans(evaluation: Evaluation, table: pl.DataFrame) -> Evaluation:
    """The evaluation with marked errors, and a note on how many of them belong to a judgment."""
    from jurat.tables import SPANS, conform
    from jurat.tables.item_names import shared_items
    from jurat.tables.suspicious_data import Partners

    spans = conform(table, SPANS)
    judged = shared_items(evaluation.judged)
    keys = [name for name in ("judge", "item") if name in spans.columns and name in judged.columns]
    found = Partners.of(spans, judged, keys, what="judgments with spans", where="the table")
    return _remarked(replace(evaluation, spans=spans), found.note("--spans"))


def with_other(evaluation: Evaluation, other: Evaluation, name: str) -> Evaluation:
    """The evaluation with another one, called `name`, whose agreement is compared with its own."""
    return replace(evaluation, against=other, chosen={**evaluation.chosen, "against": name})


def with_texts(evaluation: Evaluation, settings: BiasSettings) -> Evaluation:
    """The evaluation with a note on how many judged segments have texts in the settings' table."""
    from jurat.stats.bias.reference_similarity import text_keys
    from jurat.tables.item_names import shared_items
    from jurat.tables.suspicious_data import Partners

    if settings.texts is None:
        return evaluation
    judged = shared_items(evaluation.judged)
    keys = text_keys(settings.texts, judged, settings.references)
    # without a column that is in both tables there is nothing to say
    if not keys:
        return evaluation
    where = f"the texts, by {', '.join(keys)}"
    found = Partners.of(judged, settings.texts, keys, what="judged segments", where=where)
    return _remarked(evaluation, found.note("--texts"))


def with_judgments(evaluation: Evaluation, judgments: Judgments | None) -> Evaluation:
    """Preferences with scores of the same segments, and a note on how many segments have some."""
    from jurat.stats.preferences.score_preference_agreement import segment_keys
    from jurat.tables.item_names import shared_items
    from jurat.tables.suspicious_data import Partners

    both = replace(evaluation, judgments=judgments)
    judged = shared_items(both.judged)
    keys = segment_keys(judged, both.compared)
    if not keys:
        return both
    what, where = "compared segments", f"the judgments, by {', '.join(keys)}"
    found = Partners.of(both.compared, judged, keys, what=what, where=where)
    return _remarked(both, found.note("--judgments"))


def check_preferences(evaluation: Evaluation) -> None:
    """Raise `InputError` if there are no preferences."""
    if evaluation.preferences is None:
        forms = ("system_a, system_b, outcome", "better, worse", "output1…n, rank1…n")
        raise input_error("no columns say which of two systems is better", allowed=forms)


def ordered_protocol(name: str | None) -> Protocol | None:
    """A protocol by its name or from a file; raises `InputError` if it has no order of answers."""
    from pathlib import Path

    from jurat import protocols
    from jurat.files import read_file

    if not name:
        return None
    path = Path(name)
    # names of protocols have no dot, so a suffix means a file
    found = (
        protocols.read(read_file(path).data, file=name, folder=path.parent)
        if path.suffix
        else protocols.load(name)
    )
    if not found.order:
        raise input_error(f"the protocol '{found.name}' has no order of answers")
    return found


def with_direction(evaluation: Evaluation, *, lower_better: bool) -> Evaluation:
    """The evaluation with a note where sums, which mostly count errors, are taken as merits."""
    judged = evaluation.judgments
    if lower_better or judged is None or not judged.intake.sum:
        return evaluation
    # negated errors, as MQM's scores are, are higher where a system is better
    if (judged.frame["value"] < 0).any():
        return evaluation
    told = f"the higher the sum of {judged.intake.sum}, the better a system is taken to be"
    return _remarked(evaluation, f"{told}; --lower-better turns that round, as for errors")


def _remarked(evaluation: Evaluation, note: str) -> Evaluation:
    return replace(evaluation, remarks=(*evaluation.remarks, note))
