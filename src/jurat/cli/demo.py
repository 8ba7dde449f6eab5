"""`jurat demo`: the sample campaign, walked through on the terminal."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    import polars as pl

    from jurat.campaigns import Screen, Service
    from jurat.campaigns.driving import Stopwatch
    from jurat.model import File
    from jurat.protocols import Protocol
    from jurat.results import Result

QUALITIES = {"cedar": 0.92, "birch": 0.74, "willow": 0.5, "bramble": 0.25}
"""How good the sample's systems are; the simulated judges perceive this, each in his own way."""
NAME = "sample"


@click.command(name="demo")
@click.option(
    "--judges", default=12, show_default=True, type=click.IntRange(8, 100), help="How many."
)
@click.option(
    "--seed",
    default=2008,
    show_default=True,
    type=click.IntRange(0),
    help="Another seed, other judges.",
)
def command(judges: int, seed: int) -> None:
    """Walk through a sample campaign: set up, judged by simulated judges, and its result.

    \b
    Example:
      jurat demo
    """
    from jurat.campaigns import Service
    from jurat.campaigns.driving import Stopwatch
    from jurat.campaigns.service import utc_now
    from jurat.store import Store

    watch = Stopwatch(utc_now())
    with TemporaryDirectory() as folder, Store.open(str(Path(folder) / "demo.db")) as store:
        _walk(Service(store, clock=watch), watch, judges, seed)


def _walk(service: Service, watch: Stopwatch, judges: int, seed: int) -> None:
    from jurat.cli.shell.printing import counted
    from jurat.cli.shell.results import print_results

    made = service.create(_resource("campaign.yaml"), _resource, author="demo")
    tasks = " and ".join(task.name for task in service.plan(NAME).tasks)
    kits, items = sum(p.kits for p in made.phases), sum(p.items for p in made.phases)
    _heading(1, "The campaign", f"{made.title}: {tasks}, each after a tutorial,")
    click.echo(f"in {counted(kits, 'kit')} with {counted(items, 'item')}.")
    service.accounts.add(NAME, judges, author="demo")
    service.act(NAME, "start", author="demo")
    first = service.next(NAME, service.store.judges(NAME)[0].id)
    _heading(2, "What a judge sees", "")
    _show(first, service.protocol(NAME, "adequacy"))  # type: ignore[arg-type]
    decisions = _judge(service, watch, seed)
    _heading(
        3, "The judging", f"{counted(judges, 'simulated judge')} made {decisions:,} decisions."
    )
    click.echo(
        "Each has his own severity and his own slips, and none knows which system he judges."
    )
    _heading(4, "The result", "")
    print_results([_system_scores(service.tables(NAME)["judgments"], seed)])
    click.echo(
        "\nTo go on: jurat sample DIR writes these files, and docs/campaigns.md shows how to"
    )
    click.echo("run them; jurat protocols list shows all ways of judging; jurat --help the rest.")


def _heading(number: int, title: str, words: str) -> None:
    click.echo(click.style(f"\n{number}. {title}", bold=True))
    if words:
        click.echo(words)


def _resource(name: str) -> File:
    from importlib.resources import files

    from jurat.model import File

    return File(name, files("jurat").joinpath("sample", name).read_bytes())


def _show(screen: Screen, protocol: Protocol) -> None:
    click.echo(f"{protocol.title}, {screen.position} of {screen.steps}")
    for reference in screen.references:
        click.echo(f"  reference    {reference}")
    click.echo(f"  translation  {screen.translations[0]}\n")
    for question in protocol.questions.values():
        labels = "  ".join(f"( ) {label}".rstrip() for _, label, _ in question.legend())
        click.echo(f"  {screen.questions[question.id]}\n  {labels}")


def _judge(service: Service, watch: Stopwatch, seed: int) -> int:
    """Let simulated judges do it all; how many decisions they made."""
    from jurat.bots import Truth, panel
    from jurat.campaigns.driving import Driver
    from jurat.cli.shell.printing import tracker

    accounts = [account.id for account in service.store.judges(NAME)]
    bots = panel([f"judge {n}" for n, _ in enumerate(accounts, 1)], noise=0.15, seed=seed)
    truth = Truth(qualities=QUALITIES, seed=seed)
    driver = Driver(service, NAME, dict(zip(accounts, bots, strict=True)), truth, watch)
    wanted = sum(phase.wanted_decisions for phase in service.progress(NAME).phases)
    with tracker("judging", wanted) as advance:
        driver.run(lambda _: advance())
    return sum(phase.decisions for phase in service.progress(NAME).phases)


def _system_scores(table: pl.DataFrame, seed: int) -> Result:
    """Mean adequacy of each system, with an interval over documents and judges."""
    import numpy as np
    import polars as pl

    from jurat.resampling import bootstrap
    from jurat.results import Estimate, Result, signature
    from jurat.tables import Intake, Judgments

    judgments = Judgments(table, Intake(where="control == None and question == 'adequacy'"))
    rows = judgments.frame.filter(pl.col("value").is_not_null())
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
    return Result(
        name="system-score",
        estimates=tuple(best),
        method=f"mean adequacy, 1 to 7; n judgments; {sampled.method}",
        signature=signature("system-score", {**judgments.signature(), "seed": seed}),
        headline=" > ".join(str(estimate.by["system"]) for estimate in best),
    )
