"""The part of `jurat verify` that checks an archive: checksums, answers, plan, and results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import click

from jurat.cli._common.store_address import open_service
from jurat.cli._common.terminal_output import print_json, print_table
from jurat.errors import InputError, counted
from jurat.files import read_file, reading

if TYPE_CHECKING:
    from jurat.campaigns.preregistration import PlannedRow
    from jurat.campaigns.service import Service
    from jurat.cli.verify import Comparison


class ArchivedCampaign(NamedTuple):
    """A campaign of an archive, with the plan that was recorded for it."""

    name: str
    decisions: int
    frozen: str
    """When it was planned, and the record's hash; empty where no plan was recorded."""
    hash: str
    rows: Sequence[PlannedRow]

    @property
    def changed(self) -> bool:
        """Whether something is not as it was planned."""
        return any(row.changed for row in self.rows)


def verify_archive(path: Path, results: Sequence[Path], published: str, *, as_json: bool) -> int:
    """Check an archive in a store of its own; 1 if anything differs.

    `results` are JSON outputs of analyses of its campaign, `published` is the hash of its plan.
    """
    with TemporaryDirectory(prefix="jurat-verify-") as folder:
        store = str(Path(folder) / "archive.db")
        try:
            with open_service(store, create=True) as service, reading(path) as file:
                campaigns = list(
                    _campaigns(service, service.campaigns.open_archive(file).campaigns)
                )
        except InputError as error:
            return _refused(error, as_json=as_json)
        compared = _compared(results, store)
    wrong_hash = bool(published) and published not in [one.hash for one in campaigns]
    wrong = wrong_hash or any(one.changed for one in campaigns)
    wrong = wrong or not all(one.equal for one in compared.values())
    if as_json:
        told = [{**one._asdict(), "rows": [r._asdict() for r in one.rows]} for one in campaigns]
        found = {name: one.plain() for name, one in compared.items()}
        print_json({"equal": not wrong, "campaigns": told, "results": found})
        return int(wrong)
    for one in campaigns:
        _print(one, published if wrong_hash else "")
    for name, comparison in compared.items():
        click.echo(f"{name}:")
        comparison.print()
    return int(wrong)


def _campaigns(service: Service, names: Sequence[str]) -> Iterator[ArchivedCampaign]:
    for name in names:
        decisions = sum(p.decisions for p in service.monitoring.progress(name).phases)
        frozen = service.campaigns.frozen(name)
        rows = service.campaigns.planned_and_done(name)
        told = (str(frozen), frozen.hash) if frozen else ("", "")
        yield ArchivedCampaign(name, decisions, *told, rows)


def _compared(results: Sequence[Path], store: str) -> dict[str, Comparison]:
    """Each file of results, computed again from the archive's campaign."""
    from jurat.cli.verify import compare

    return {path.name: compare(read_file(path), [], store) for path in results}


def _refused(error: InputError, *, as_json: bool) -> int:
    """What is damaged in the archive, named by file and line."""
    if as_json:
        print_json({"equal": False, "problems": [str(one) for one in error.problems]})
    else:
        click.echo("The archive is not as it was written:")
        for problem in error.problems:
            click.echo(f"  {problem}")
    return 1


def _print(campaign: ArchivedCampaign, wrong_hash: str) -> None:
    judgments = counted(campaign.decisions, "judgment")
    click.echo(f"{campaign.name}: {judgments}; checksums and answers are right")
    if not campaign.frozen:
        click.echo("No plan was recorded: jurat campaign freeze does it before judging.")
        return
    click.echo(campaign.frozen)
    if wrong_hash:
        click.echo(f"This is not the plan with the hash {wrong_hash}.")
    rows = [(row.what, row.planned, row.done) for row in campaign.rows]
    print_table(("what", "planned", "done"), rows)
