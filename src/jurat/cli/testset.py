"""`jurat testset`: check and show test sets, and select what is to be judged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from jurat.cli._common import file_option, json_option, setting
from jurat.cli._common.terminal_output import print_json, print_table, report_problems, tracker
from jurat.cli._common.testsets import (
    TestSetArguments,
    size,
    takes_test_set,
    write_given,
    writes_test_set,
)
from jurat.errors import InputError, counted
from jurat.files import read_file

if TYPE_CHECKING:
    from jurat.metrics.metric import Metric
    from jurat.model import Document, Tags, TestSet
    from jurat.testsets.selection import ReferenceScore


@click.group(name="testset", no_args_is_help=True)
def command() -> None:
    """Check test sets, show them, and select parts of them.

    \b
    Examples:
      jurat sample try-out
      jurat testset check try-out/testset.jsonl
      jurat testset select try-out/testset.jsonl --first 2 --out small.jsonl
    """


@command.command("formats")
@json_option
def list_formats(as_json: bool) -> None:
    """List the formats of test sets.

    \b
    Example:
      jurat testset formats
    """
    from jurat.testsets import FORMATS

    if as_json:
        words = ("name", "endings", "about", "carries")
        print_json([{word: getattr(kind, word) for word in words} for kind in FORMATS])
        return
    rows = [(kind.name, ", ".join(kind.endings), kind.about) for kind in FORMATS]
    print_table(("format", "endings", "what it is"), rows)


@command.command("check")
@takes_test_set()
@json_option
@click.pass_context
def check_test_set(ctx: click.Context, given: TestSetArguments, as_json: bool) -> None:
    """Check the files of a test set together; every problem is shown with its place.

    \b
    Example:
      jurat testset check try-out/testset.jsonl
    """
    from jurat.testsets import read_test_set
    from jurat.testsets.validate import empty_translations

    files = given.set_files()  # a missing file is a mistake in the call, not a finding
    try:
        test_set = read_test_set(files, format=given.format)
    except InputError as error:
        if as_json:
            # `faults` is part of the JSON that programs read, so its name stays
            print_json({"faults": error.problems})
            ctx.exit(1)
        ctx.exit(report_problems(error))
    if as_json:
        print_json({"faults": [], **_facts(test_set)})
        return
    click.echo(f"good: {size(test_set)}")
    for system, places in empty_translations(test_set).items():
        what = f"{counted(len(places), 'empty translation')} by system {system}"
        click.echo(f"warning: {what}, judged as “(empty)”: {', '.join(places)}", err=True)
    for word, value in _facts(test_set).items():
        # the numbers are in the line above
        if isinstance(value, list | str) and value:
            click.echo(f"{word}: {value if isinstance(value, str) else ', '.join(value)}")


@command.command("show")
@takes_test_set()
@click.option("--document", metavar="ID", help="Show the texts of this document.")
@json_option
def show_test_set(given: TestSetArguments, document: str | None, as_json: bool) -> None:
    """Show the documents and systems of a test set, or the texts of one document.

    \b
    Examples:
      jurat testset show try-out/testset.jsonl
      jurat testset show try-out/testset.jsonl --document market
    """
    from jurat.testsets.selection import keep

    test_set = given.read()
    if document is not None:
        test_set = keep(test_set, documents=[document])
    if as_json:
        print_json(test_set)
    elif document is not None:
        _print_document(test_set.documents[0])
    else:
        _print_tables(test_set)


@command.command("select")
@takes_test_set()
@writes_test_set(required=True)
@click.option("--systems", "kept_systems", metavar="A,B", help="Only these systems.")
@click.option("--documents", metavar="A,B", help="Only these documents.")
@click.option("--segments", metavar="A:1,B:2", help="Only these segments.")
@click.option("--first", type=int, metavar="N", help="Only the first N segments of each document.")
@click.option("--where", metavar="EXPR", help="Only segments whose tags meet this condition.")
@click.option("--random", type=int, metavar="N", help="Choose N segments at random.")
@click.option(
    "--stratified", type=int, metavar="N", help="Choose N at random, in proportion to --tag."
)
@click.option("--tag", metavar="TAG", help="Tag for --stratified.")
@click.option(
    "--spread", type=int, metavar="N", help="Choose the N whose scores vary most by reference."
)
@click.option("--spread-metric", metavar="NAME", help="Metric for --spread, as in `jurat score`.")
@file_option("--scores", help="Table of scores for --spread.")
@click.option("--metric", metavar="NAME", help="Metric to use from that table.")
@setting("--seed", type=int, default=1, help="Random seed.")
@click.option("--human-reference", metavar="NAME", help="Add this reference as a human system.")
def select_part(
    given: TestSetArguments, *, out: Path, to: str | None, force: bool, **options: object
) -> None:
    """Write a part of a test set: some systems, documents or segments.

    A segment has to meet all conditions; --random, --stratified and --spread choose among those.

    \b
    Examples:
      jurat testset select try-out/testset.jsonl --where "genre == 'news'" --out news.jsonl
      jurat testset select try-out/testset.jsonl --stratified 12 --tag genre --out small.jsonl
      jurat testset select try-out/testset.jsonl --spread 5 --spread-metric gtm --out telling.jsonl
    """
    selection = Selection(**options)  # type: ignore[arg-type]
    write_given(selection.part_of(given.read()), out, to=to, force=force)


class Selection(msgspec.Struct, kw_only=True):
    """The options of `select`."""

    kept_systems: str | None
    documents: str | None
    segments: str | None
    first: int | None
    where: str | None
    random: int | None
    stratified: int | None
    tag: str | None
    spread: int | None
    spread_metric: str | None
    scores: Path | None
    metric: str | None
    seed: int
    human_reference: str | None

    def part_of(self, test_set: TestSet) -> TestSet:
        """The part of a test set that the options select."""
        from jurat.testsets.selection import as_human_system, keep

        kept = keep(
            test_set,
            systems=_names(self.kept_systems),
            documents=_names(self.documents),
            segments=_names(self.segments),
            first=self.first,
            where=self.where,
        )
        # chosen among what was kept; a human system is added last, so that --systems cannot drop it
        chosen = self._chosen(test_set, kept)
        return as_human_system(chosen, self.human_reference) if self.human_reference else chosen

    def _chosen(self, whole: TestSet, kept: TestSet) -> TestSet:
        from jurat.testsets import selection

        ways = (self.random, self.stratified, self.spread)
        if sum(way is not None for way in ways) > 1:
            raise click.UsageError("--random, --stratified and --spread cannot be used together.")
        if self.random is not None:
            return selection.choose_random(kept, self.random, seed=self.seed)
        if self.stratified is not None:
            tag = _needed(self.tag, "--stratified needs --tag.")
            return selection.choose_stratified(kept, self.stratified, tag, seed=self.seed)
        if self.spread is not None:
            return selection.choose_by_spread(kept, self.spread, self._scores(whole, kept))
        # an option without effect is most likely a mistake
        if self.spread_metric is not None:
            raise click.UsageError("--spread-metric needs --spread.")
        return kept

    def _scores(self, whole: TestSet, kept: TestSet) -> list[ReferenceScore]:
        """The scores of a table, or a metric's scores of the kept segments."""
        from jurat.testsets.selection import read_scores, scores_of_part

        if self.spread_metric is None:
            file = read_file(_needed(self.scores, "--spread needs --spread-metric or --scores."))
            # the table may have scores of the whole set: those of segments left out are no error
            return scores_of_part(read_scores(file, self.metric), whole, kept)
        if self.scores or self.metric:
            raise click.UsageError("--spread-metric cannot be used with --scores or --metric.")
        from jurat.metrics import parse_metrics

        metrics = parse_metrics(self.spread_metric, read_file)
        if len(metrics) > 1:
            raise click.UsageError("--spread-metric takes one metric.")
        return _reference_scores(kept, metrics[0])


def _reference_scores(test_set: TestSet, metric: Metric) -> list[ReferenceScore]:
    """A score of every translation against each reference, except a human system's own."""
    from jurat.testsets.selection import ReferenceScore

    own = {system.name: system.reference for system in test_set.systems}
    outputs: list[tuple[str, str, str, str]] = []
    hypotheses: list[str] = []
    references: list[list[str]] = []
    for document, segment in test_set.segments():
        for system, made in segment.translations.items():
            for name, text in segment.references.items():
                if own.get(system) != name:
                    outputs.append((document.id, segment.id, system, name))
                    hypotheses.append(made.text)
                    references.append([text])
    with tracker("scoring", len(hypotheses)) as advance:
        counts = metric.count_all({"": hypotheses}, references, progress=advance)[""]
    # `single`: scores of segments, not of a corpus
    values = metric.score(counts, single=True).tolist()
    return [
        ReferenceScore(
            document=document, segment=segment, system=system, reference=name, value=value
        )
        for (document, segment, system, name), value in zip(outputs, values, strict=True)
    ]


@command.command("easy")
@takes_test_set()
@click.option(
    "--reason",
    "reasons",
    multiple=True,
    type=click.Choice(["identical", "short", "frequent"]),
    help="Only for this reason (repeatable).",
)
@setting("--words", type=int, default=5, help="Number of words up to which a translation is short.")
@writes_test_set(required=False)
@json_option
def suggest_easy(
    given: TestSetArguments,
    *,
    reasons: tuple[str, ...],
    words: int,
    out: Path | None,
    to: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Suggest easy translations, which every careful judge should give the top score.

    They are identical to a reference, short, or of a sentence that occurs several times. Review
    them; with --out, the test set is written with all of them tagged as easy.

    \b
    Examples:
      jurat testset easy try-out/testset.jsonl --reason identical
      jurat testset easy try-out/testset.jsonl --reason identical --out marked.jsonl
    """
    from jurat.testsets.selection import REASONS, easy_candidates, mark_easy

    test_set = given.read()
    # from REASONS rather than from the option, so that the order is always the same
    wanted = [reason for reason in REASONS if reason in reasons or not reasons]
    found = easy_candidates(test_set, reasons=wanted, words=words)
    if as_json:
        print_json(found)
    elif not found:
        click.echo("no easy translations found")
    else:
        rows = [
            (f"{each.document}:{each.segment}", each.system, ", ".join(each.reasons), each.text)
            for each in found
        ]
        print_table(("segment", "system", "reasons", "translation"), rows)
    if out:
        write_given(mark_easy(test_set, found), out, to=to, force=force, quiet=as_json)


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",")]


def _needed(value: str | Path | None, otherwise: str) -> str:
    if value is None:
        raise click.UsageError(otherwise)
    return str(value)


def _facts(test_set: TestSet) -> dict[str, object]:
    """Names, languages and sizes of a test set."""
    own = {document.source_language for document in test_set.documents} - {""}
    tags = {tag for pair in test_set.segments() for each in pair for tag in each.tags}
    source = test_set.source_language or "unknown"
    several = f" ({', '.join(sorted(own))})" if own else ""
    return {
        "name": test_set.name,
        "languages": f"{source}{several} to {test_set.target_language or 'unknown'}",
        "documents": len(test_set.documents),
        "segments": sum(1 for _ in test_set.segments()),
        "systems": [system.name for system in test_set.systems],
        "references": list(test_set.references),
        "tags": sorted(tags),
    }


def _print_tables(test_set: TestSet) -> None:
    click.echo(f"{test_set.name or 'test set'}: {size(test_set)}\n")
    rows = [
        (d.id, len(d.segments), d.source_language or test_set.source_language, _as_text(d.tags))
        for d in test_set.documents
    ]
    columns = ("document", "segments", "language", "tags")
    print_table(columns, rows, numbers=("segments",))
    click.echo()
    systems = [(s.name, s.kind, s.site, _as_text(s.tags)) for s in test_set.systems]
    print_table(("system", "kind", "site", "tags"), systems)


def _print_document(document: Document) -> None:
    rows: list[tuple[str, str, str]] = []
    for segment in document.segments:
        texts = {} if segment.source is None else {"source": segment.source}
        texts |= {f"reference {name}": text for name, text in segment.references.items()}
        texts |= {name: made.text for name, made in segment.translations.items()}
        for name, text in texts.items():
            rows.append((segment.id if name == next(iter(texts)) else "", name, text))
    print_table(("segment", "version", "text"), rows)


def _as_text(tags: Tags) -> str:
    return ", ".join(f"{name}: {value}" for name, value in tags.items())
