"""`jurat testset`: look at test sets, check them, and take the part that is to be judged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from jurat.cli._common import file_option, json_option, setting
from jurat.cli._common.files import read_file
from jurat.cli._common.printing import print_json, print_table, report_problems
from jurat.cli._common.testsets import (
    TestSetArguments,
    size,
    takes_test_set,
    write_given,
    writes_test_set,
)
from jurat.errors import InputError

if TYPE_CHECKING:
    from jurat.model import Document, Tags, TestSet
    from jurat.testsets.selection import ReferenceScore


@click.group(name="testset", no_args_is_help=True)
def command() -> None:
    """Check, show and cut test sets.

    \b
    Examples:
      jurat sample try-out
      jurat testset check try-out/testset.jsonl
      jurat testset select try-out/testset.jsonl --first 2 --out small.jsonl
    """


@command.command("formats")
@json_option
def list_formats(as_json: bool) -> None:
    """List the formats with what each of them can hold.

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
    """Check the files of a test set as one whole; every fault is listed with its place.

    \b
    Example:
      jurat testset check try-out/testset.jsonl
    """
    from jurat.testsets import read_test_set

    files = given.set_files()  # a file that is not there is a mistake in the call, no finding
    try:
        test_set = read_test_set(files, format=given.format)
    except InputError as error:
        if as_json:
            print_json({"faults": error.problems})
            ctx.exit(1)
        ctx.exit(report_problems(error))
    if as_json:
        print_json({"faults": [], **_facts(test_set)})
        return
    click.echo(f"good: {size(test_set)}")
    for word, value in _facts(test_set).items():
        if isinstance(value, list | str) and value:
            click.echo(f"{word}: {value if isinstance(value, str) else ', '.join(value)}")


@command.command("show")
@takes_test_set()
@click.option("--document", metavar="ID", help="Show this document's texts side by side.")
@json_option
def show_test_set(given: TestSetArguments, document: str | None, as_json: bool) -> None:
    """Show what is in a test set: its documents and systems, or the texts of one document.

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
@click.option("--where", metavar="EXPR", help="Only segments for which this holds, by their tags.")
@click.option("--random", type=int, metavar="N", help="N segments by chance.")
@click.option("--stratified", type=int, metavar="N", help="N by chance, in proportion to --tag.")
@click.option("--tag", metavar="TAG", help="The tag for --stratified.")
@click.option("--spread", type=int, metavar="N", help="N whose scores vary most by reference.")
@click.option("--spread-metric", metavar="NAME", help="Score for --spread, as `jurat score` does.")
@file_option("--scores", help="A table of scores for --spread.")
@click.option("--metric", metavar="NAME", help="Which metric of the table.")
@setting("--seed", type=int, default=1, help="For the choice by chance.")
@click.option("--human-reference", metavar="NAME", help="Let this reference be a system as well.")
def select_part(
    given: TestSetArguments, *, out: Path, to: str | None, force: bool, **options: object
) -> None:
    """Take a part of a test set: some systems, documents or segments, by name or by choice.

    All conditions hold at once; then segments are chosen, if that is asked for.

    \b
    Examples:
      jurat testset select try-out/testset.jsonl --where "genre == 'news'" --out news.jsonl
      jurat testset select try-out/testset.jsonl --stratified 12 --tag genre --out small.jsonl
      jurat testset select try-out/testset.jsonl --spread 5 --spread-metric gtm --out telling.jsonl
    """
    selection = Selection(**options)  # type: ignore[arg-type]
    write_given(selection.made(given.read()), out, to=to, force=force)


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

    def made(self, test_set: TestSet) -> TestSet:
        """The part of the test set that the options ask for."""
        from jurat.testsets.selection import as_human_system, keep

        kept = keep(
            test_set,
            systems=_names(self.kept_systems),
            documents=_names(self.documents),
            segments=_names(self.segments),
            first=self.first,
            where=self.where,
        )
        chosen = self._chosen(test_set, kept)
        return as_human_system(chosen, self.human_reference) if self.human_reference else chosen

    def _chosen(self, whole: TestSet, kept: TestSet) -> TestSet:
        from jurat.testsets import selection

        ways = (self.random, self.stratified, self.spread)
        if sum(way is not None for way in ways) > 1:
            raise click.UsageError("--random, --stratified and --spread exclude each other.")
        if self.random is not None:
            return selection.choose_random(kept, self.random, seed=self.seed)
        if self.stratified is not None:
            tag = _needed(self.tag, "--stratified needs --tag.")
            return selection.choose_stratified(kept, self.stratified, tag, seed=self.seed)
        if self.spread is not None:
            return selection.choose_by_spread(kept, self.spread, self._scores(whole, kept))
        if self.spread_metric is not None:
            raise click.UsageError("--spread-metric needs --spread.")
        return kept

    def _scores(self, whole: TestSet, kept: TestSet) -> list[ReferenceScore]:
        """Those of a table, or a metric's own."""
        from jurat.testsets.selection import read_scores, scores_of_part

        if self.spread_metric is None:
            file = read_file(_needed(self.scores, "--spread needs --spread-metric or --scores."))
            return scores_of_part(read_scores(file, self.metric), whole, kept)
        if self.scores or self.metric:
            raise click.UsageError("--spread-metric excludes --scores and --metric.")
        from jurat.cli._common.texts import reference_scores
        from jurat.metrics import parse_metrics

        metrics = parse_metrics(self.spread_metric, read_file)
        if len(metrics) > 1:
            raise click.UsageError("--spread-metric names one metric.")
        return reference_scores(kept, metrics[0])


@command.command("easy")
@takes_test_set()
@click.option(
    "--reason",
    "reasons",
    multiple=True,
    type=click.Choice(["identical", "short", "frequent"]),
    help="Suggest only for this reason.",
)
@setting("--words", type=int, default=5, help="How long is short?")
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
    """Suggest translations for which every careful judge should give the top score.

    They are identical to a reference, short, or of a sentence that is frequent. Look through them;
    with --out, the test set is written with all that are listed marked as easy.

    \b
    Examples:
      jurat testset easy try-out/testset.jsonl --reason identical
      jurat testset easy try-out/testset.jsonl --reason identical --out marked.jsonl
    """
    from jurat.testsets.selection import REASONS, easy_candidates, mark_easy

    test_set = given.read()
    wanted = [reason for reason in REASONS if reason in reasons or not reasons]
    found = easy_candidates(test_set, reasons=wanted, words=words)
    if as_json:
        print_json(found)
    elif not found:
        click.echo("no translation looks easy")
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
    """What is in a test set, in numbers and names."""
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
        (d.id, len(d.segments), d.source_language or test_set.source_language, _shown(d.tags))
        for d in test_set.documents
    ]
    columns = ("document", "segments", "language", "tags")
    print_table(columns, rows, numbers=("segments",))
    click.echo()
    systems = [(s.name, s.kind, s.site, _shown(s.tags)) for s in test_set.systems]
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


def _shown(tags: Tags) -> str:
    return ", ".join(f"{name}: {value}" for name, value in tags.items())
