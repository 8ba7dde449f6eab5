"""`jurat demo`: the sample campaign in the browser, partly judged by simulated judges."""

from __future__ import annotations

import os
import sys
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from jurat.cli._common import setting
from jurat.cli._common.result_output import print_notes, print_results
from jurat.cli._common.terminal_output import tracker
from jurat.errors import counted

if TYPE_CHECKING:
    from datetime import datetime

    from jurat.campaigns import Service
    from jurat.campaigns.accounts import Slip
    from jurat.campaigns.coordinators import Pass
    from jurat.campaigns.simulate import Stopwatch
    from jurat.model import File

# The quality of the sample's systems, as simulated judges perceive it.
QUALITIES = {"cedar": 0.92, "birch": 0.74, "willow": 0.5, "bramble": 0.25}
NAME = "sample"
# Simulated judges that the sample needs for one judgment of each translation: a judge gets each
# segment from one of its four systems only.
SYSTEMS = 4


@click.command(name="demo")
@setting("--judges", default=12, type=click.IntRange(8, 100), help="Number of simulated judges.")
@setting("--seed", default=2008, type=click.IntRange(0), help="Random seed of the judges.")
@setting("--port", default=8000, type=click.IntRange(0, 65535), help="Port, or the next free one.")
@click.option("--no-serve", is_flag=True, help="Print the results and exit.")
def command(judges: int, seed: int, port: int, no_serve: bool) -> None:
    """Open a sample campaign in the browser.

    Simulated judges have done a part of it, and you can go on.

    \b
    Example:
      jurat demo
    """
    from jurat.campaigns import Service
    from jurat.campaigns.service_context import utc_now
    from jurat.campaigns.simulate import Stopwatch
    from jurat.store import Store

    # a file rather than a database in memory, since the server opens the store again
    with TemporaryDirectory() as folder:
        path = str(Path(folder) / "demo.db")
        with Store.open(path) as store:
            # a simulated clock: decisions get plausible durations without anybody waiting, in a
            # campaign that was made the day before
            now = utc_now()
            watch = Stopwatch(now - timedelta(days=1), end=now)
            service = Service(store, clock=watch)
            _prepare(service, watch, judges, seed, now)
            _print_scores(service, seed)
            if no_serve:
                return
            # added after the simulation, or a simulated judge would use this account
            (judge,) = service.accounts.add(NAME, 1, author="demo")
            coordinator = service.coordinators.add("demo", author="demo")
        # the store is closed by now: the server opens its own
        _serve(path, port, judge, coordinator)


def _prepare(service: Service, watch: Stopwatch, judges: int, seed: int, now: datetime) -> None:
    """Create the campaign, and let the simulated judges do what is required of them until now.

    That is less than the campaign wants, so that every task has kits left for visitors.
    """
    from jurat.campaigns.simulate import expected_duration

    made = service.campaigns.create(_plan(judges), _resource, author="demo")
    tasks = " and ".join(task.name for task in service.campaigns.plan(NAME).tasks)
    kits, items = sum(p.kits for p in made.phases), sum(p.items for p in made.phases)
    click.echo(f"{made.title}: {tasks}, each after a tutorial, in {counted(kits, 'kit')}")
    click.echo(f"with {counted(items, 'item')}.")
    service.accounts.add(NAME, judges, author="demo")
    service.campaigns.change_phases(NAME, "start", author="demo")
    watch.now = now - expected_duration(service, NAME, judges)
    decisions = _judge(service, watch, seed)
    click.echo(f"{counted(judges, 'simulated judge')} have made {decisions:,} judgments;")
    click.echo("none of them knows which system is which.\n")


def _judge(service: Service, watch: Stopwatch, seed: int) -> int:
    """Let all simulated judges do what is required; returns the number of decisions."""
    from jurat.bots import Truth, panel
    from jurat.campaigns.simulate import Driver

    accounts = [account.id for account in service.accounts.all(NAME)]
    bots = panel([f"judge {n}" for n, _ in enumerate(accounts, 1)], noise=0.15, seed=seed)
    truth = Truth(qualities=QUALITIES, seed=seed)
    driver = Driver(service, NAME, dict(zip(accounts, bots, strict=True)), truth, watch)
    wanted = sum(phase.wanted_decisions for phase in service.monitoring.progress(NAME).phases)
    with tracker("judging", wanted) as advance:
        driver.run(lambda _: advance(), go_on=False)
    return sum(phase.decisions for phase in service.monitoring.progress(NAME).phases)


def _print_scores(service: Service, seed: int) -> None:
    """Print the systems' scores so far."""
    from jurat.stats import Evaluation
    from jurat.stats.settings import SystemSettings
    from jurat.stats.systems.system_scores import SystemScore
    from jurat.tables import Intake, Judgments

    table = service.campaigns.tables(NAME)["judgments"]
    # by the same rule as the pages: controls and repeats do not count
    seen = Evaluation(judgments=Judgments(table, Intake(where="question == 'adequacy'")))
    results = SystemScore().results(seen, SystemSettings(seed=seed))
    found = [result for result in results if result.name == "system-score"]
    print_notes(seen.scoring_notes)
    print_results(found)


def _serve(path: str, port: int, judge: Slip, coordinator: Pass) -> None:
    """Print the addresses, and serve until stopped."""
    from jurat.web.server import free_port, serve

    port = free_port(port)
    site = f"http://localhost:{port}"
    start = f"{site}/c/{NAME}/"
    link = f"{start}link/{judge.token}"
    click.echo(f"\nJudge:       {link}")
    click.echo(f"Guest:       {start}")
    click.echo(f"Coordinator: {site}/desk/")
    click.echo(f"             name {coordinator.name}, password {coordinator.password}")
    click.echo("Stop with Ctrl+C; nothing is kept.")
    # only where there is a person at a screen, not in a container or over SSH
    if sys.stdout.isatty() and (os.environ.get("DISPLAY") or sys.platform in ("darwin", "win32")):
        import threading
        import webbrowser

        # a second later, when the server answers
        threading.Timer(1.0, webbrowser.open, [link]).start()
    serve(path, host="127.0.0.1", port=port, workers=1, secure=False)


def _plan(judges: int) -> File:
    """The sample's declaration with work for all judges, open to guests and volunteers."""
    from jurat.model import File

    plain = _resource("campaign.yaml")
    data = plain.data.replace(b"wanted: 2", b"wanted: %d" % -(-judges // SYSTEMS))
    return File(plain.name, data + b"\nguest: true\nregistration: true\n")


def _resource(name: str) -> File:
    from importlib.resources import files

    from jurat.model import File

    return File(name, files("jurat").joinpath("sample", name).read_bytes())
