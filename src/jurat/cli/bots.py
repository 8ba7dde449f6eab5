"""`jurat bots`: simulated judges for a campaign."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from jurat.cli._common import json_option, setting
from jurat.cli._common.store_address import author, open_service, store_option
from jurat.cli._common.terminal_output import print_json, tracker
from jurat.errors import counted, input_error

if TYPE_CHECKING:
    from jurat.bots import Truth
    from jurat.campaigns import Rest, Service
    from jurat.campaigns.simulate import Driver
    from jurat.store import Decision, Progress

SHARE = click.FloatRange(0, 1)


@click.command(name="bots")
@click.argument("name")
@setting("--judges", default=12, type=click.IntRange(1, 1000), help="Number of simulated judges.")
@setting("--severity", default=0.05, type=SHARE, help="SD of the judges' severity (scale 0-1).")
@setting("--noise", default=0.1, type=SHARE, help="SD of a judge's random error.")
@setting("--drift", default=0.0, type=SHARE, help="SD of a judge's drift over 100 judgments.")
@setting("--careless", default=0.0, type=SHARE, help="Share of judges who answer at random.")
@click.option(
    "--truth",
    default="",
    metavar="MAP",
    help="Quality of each system: cedar=0.9,birch=0.7 (default: 0.9 to 0.3, in test set order).",
)
@click.option("--group", default="", help="Group of the accounts.")
@setting("--seed", default=1, help="Random seed; the same seed gives the same judges.")
@store_option
@json_option
def command(
    *,
    name: str,
    judges: int,
    severity: float,
    noise: float,
    drift: float,
    careless: float,
    truth: str,
    group: str,
    seed: int,
    url: str | None,
    as_json: bool,
) -> None:
    """Let simulated judges do campaign NAME.

    They use the same service as people. Missing accounts are created with the tag bot=yes. The
    judges' clocks are simulated, and never later than now.

    \b
    Example:
      jurat bots sample --judges 12 --seed 1
    """
    from jurat.bots import panel
    from jurat.campaigns.service_context import utc_now
    from jurat.campaigns.simulate import Driver, Stopwatch, expected_duration

    # a simulated clock, so that hours of judging take seconds
    now = utc_now()
    watch = Stopwatch(now, end=now)
    with open_service(url, clock=watch) as service:
        # before accounts are made, which would stay if a quality were missing
        known = _truth(service, name, truth, seed)
        accounts = _accounts(service, name, judges, group)
        bots = panel(
            [f"bot {n}" for n in range(1, judges + 1)],
            severity=severity,
            noise=noise,
            drift=drift,
            careless=careless,
            seed=seed,
        )
        watch.now -= expected_duration(service, name, judges)
        driver = Driver(service, name, dict(zip(accounts, bots, strict=True)), known, watch)
        before = service.monitoring.progress(name)
        made, rests = _run(driver, before)
        progress = service.monitoring.progress(name)
        pins = {one.id: one.pin for one in service.accounts.all(name)}
    if as_json:
        told = [{"pin": pins[j], "bot": b} for j, b in zip(accounts, bots, strict=True)]
        print_json({"truth": known.qualities, "judges": told, "progress": progress})
        return
    click.echo(f"{name}: {counted(made, 'judgment')} by {counted(judges, 'simulated judge')}")
    # each message once: most judges stop for the same reason
    for message in dict.fromkeys(rest.message for rest in rests.values()):
        click.echo(message)


def _run(driver: Driver, before: Progress) -> tuple[int, dict[str, Rest]]:
    """Let the judges judge, with a bar; how many decisions they made, and why each stopped."""
    left = sum(phase.wanted_decisions - phase.decisions for phase in before.phases)
    new: list[bool] = []
    with tracker("judgments", left) as advance:

        def note(decided: Decision) -> None:
            # not every call is a new decision: a repeated one changes nothing
            new.append(decided.new)
            advance()

        rests = driver.run(note)
    return sum(new), rests


def _accounts(service: Service, name: str, count: int, group: str) -> list[str]:
    """The ids of `count` accounts for bots: those of earlier runs, then new ones."""
    wanted = ("yes", group)
    # a second run goes on with the same accounts, whose kits may be half done
    found = [a for a in service.accounts.all(name) if (a.tags.get("bot"), a.group) == wanted]
    if len(found) < count:
        missing = count - len(found)
        service.accounts.add(name, missing, author=author(), group=group, tags={"bot": "yes"})
        # read again, since `add` returns what is handed to judges, not the accounts
        return _accounts(service, name, count, group)
    return [account.id for account in found[:count]]


def _truth(service: Service, name: str, text: str, seed: int) -> Truth:
    from jurat.bots import Truth, ladder

    systems = [system.name for system in service.campaigns.test_set(name).systems]
    tutorial = service.campaigns.tutorial(name)
    # a tutorial may have systems of its own, which nobody needs to know by name
    own = [one.name for one in tutorial.systems if one.name not in systems] if tutorial else []
    taught = ladder(own).qualities
    if not text:
        found = ladder(systems, seed=seed)
        return Truth(qualities={**taught, **found.qualities}, seed=seed)
    try:
        pairs = (part.partition("=") for part in text.split(","))
        given = {system.strip(): float(quality) for system, _, quality in pairs}
    except ValueError:
        raise input_error(f"'{text}' does not give qualities: write cedar=0.9,birch=0.7") from None
    if missing := [system for system in systems if system not in given]:
        raise input_error(f"--truth lacks the quality of {', '.join(missing)}", value=text)
    return Truth(qualities={**taught, **given}, seed=seed)
