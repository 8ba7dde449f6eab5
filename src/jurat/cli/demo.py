"""`jurat demo`: the sample campaign, walked through on the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    import polars as pl

    from jurat.model import Item, TestSet
    from jurat.protocols import Protocol
    from jurat.results import Result

QUALITIES = {"cedar": 0.92, "birch": 0.74, "willow": 0.5, "bramble": 0.25}
"""How good the sample's systems are; the simulated judges perceive this, each in his own way."""


@click.command(name="demo")
@click.option(
    "--judges", default=6, show_default=True, type=click.IntRange(2, 100), help="How many."
)
@click.option(
    "--seed",
    default=2008,
    show_default=True,
    type=click.IntRange(0),
    help="Another seed, other judges.",
)
def command(judges: int, seed: int) -> None:
    """Walk through a sample campaign: its test set, its protocol, simulated judges, and the result.

    \b
    Example:
      jurat demo
    """
    from jurat import protocols
    from jurat.cli.shell.printing import counted
    from jurat.cli.shell.results import print_results

    test_set, protocol = _sample(), protocols.load("tapet-adequacy")
    segments = sum(1 for _ in test_set.segments())
    names = ", ".join(system.name for system in test_set.systems)
    _heading(1, "The test set", f"{counted(segments, 'segment')} into English from four languages.")
    click.echo(f"Each has two references and four translations, by {names}.")
    _show_item(next(_items(test_set)), protocol)
    table = _judged(test_set, protocol, judges, seed)
    _heading(3, "The judging", f"{counted(judges, 'simulated judge')} gave {len(table):,} answers.")
    click.echo(
        "Each has his own severity and his own slips, and none knows which system he judges."
    )
    _heading(4, "The result", "")
    print_results([_system_scores(table, seed)])
    click.echo(
        "\nTo go on: jurat sample DIR writes these files; jurat protocols list shows all ways of"
    )
    click.echo("judging; jurat --help shows what else there is.")


def _heading(number: int, title: str, words: str) -> None:
    click.echo(click.style(f"\n{number}. {title}", bold=True))
    if words:
        click.echo(words)


def _sample() -> TestSet:
    from importlib.resources import files

    from jurat.formats import SetFile, read_test_set

    data = files("jurat").joinpath("sample", "testset.jsonl").read_bytes()
    return read_test_set([SetFile("testset.jsonl", data)])


def _items(test_set: TestSet) -> Iterator[Item]:
    """Every translation as a judge would meet it, with both references."""
    from jurat.model import Item, Shown

    for document, segment in test_set.segments():
        for system, translation in segment.translations.items():
            yield Item(
                id=f"{document.id}|{segment.id}|{system}",
                document=document.id,
                segment=segment.id,
                translations=(Shown(system=system, text=translation.text),),
                references=segment.references,
                tags=document.tags,
            )


def _show_item(item: Item, protocol: Protocol) -> None:
    _heading(2, "What a judge sees", protocol.title)
    for reference in item.references.values():
        click.echo(f"  reference    {reference}")
    click.echo(f"  translation  {item.translations[0].text}\n")
    for question in protocol.questions.values():
        labels = "  ".join(f"( ) {label}".rstrip() for _, label, _ in question.legend())
        click.echo(f"  {question.wording(('references',))}\n  {labels}")


def _judged(test_set: TestSet, protocol: Protocol, judges: int, seed: int) -> pl.DataFrame:
    """The long table that simulated judges fill, through the same checks as people's answers."""
    import polars as pl

    from jurat.tables import JUDGMENTS, conform

    random = Random(seed)
    rows: list[dict[str, object]] = []
    for judge in range(1, judges + 1):
        severity = random.gauss(0, 0.05)
        for position, item in enumerate(_items(test_set), 1):
            perceived = QUALITIES[item.translations[0].system] - severity + random.gauss(0, 0.15)
            answers = protocol.check(protocol.simulate(item, [perceived], random), item)
            told = {"judge": f"judge {judge}", "position": position}
            rows += [{**told, **row.values} for row in protocol.rows(answers, item)]
    return conform(pl.DataFrame(rows, infer_schema_length=None), JUDGMENTS)


def _system_scores(table: pl.DataFrame, seed: int) -> Result:
    """Mean adequacy of each system, with an interval over documents and judges."""
    import numpy as np
    import polars as pl

    from jurat.resampling import bootstrap
    from jurat.results import Estimate, Result, signature

    rows = table.filter(pl.col("question") == "adequacy")
    systems = rows["system"].unique(maintain_order=True).to_list()
    member = np.stack([(rows["system"] == system).to_numpy() for system in systems], axis=1)
    sums = np.hstack([member * rows["value"].to_numpy()[:, None], member]).astype(float)
    count = len(systems)
    sampled = bootstrap(
        sums,
        lambda totals: totals[:, :count] / totals[:, count:],
        clusters=(rows["document"].to_numpy(), rows["judge"].to_numpy()),
        seed=seed,
    )
    assert sampled.interval is not None
    numbers = zip(systems, sampled.estimate, *sampled.interval, member.sum(axis=0), strict=True)
    estimates = [
        Estimate(float(mean), int(n), by={"system": system}, low=float(low), high=float(high))
        for system, mean, low, high, n in numbers
    ]
    best = sorted(estimates, key=lambda estimate: -(estimate.value or 0))
    parts = {"judges": table["judge"].n_unique(), "items": rows["item"].n_unique(), "seed": seed}
    return Result(
        name="system-score",
        estimates=tuple(best),
        method=f"mean adequacy, 1 to 7; n judgments; {sampled.method}",
        signature=signature("system-score", parts),
        headline=" > ".join(str(estimate.by["system"]) for estimate in best),
    )
