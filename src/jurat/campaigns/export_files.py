"""Downloads with all judgments of a campaign: tables, other tools' formats, and the archive.

Those of large campaigns are written by a process of their own. Python runs one thread at a time, so
that judges would wait; and what a million judgments took of memory would stay with the server.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from os import SEEK_SET
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, TYPE_CHECKING, BinaryIO, cast

from jurat.cache import MadeOnce
from jurat.campaigns.service_context import ServiceContext
from jurat.files import zipped

if TYPE_CHECKING:
    from jurat.campaigns.monitoring.worker import WorkerProcess, WorkerState
    from jurat.campaigns.service import Service

KINDS = ("csv", "jsonl", "parquet")
# The formats of other tools, by name, and what a button calls them; these are proper names.
FORMATS = {
    "excel": "Excel",
    "pearmut": "Pearmut",
    "appraise": "Appraise",
    "google-mqm": "MQM (Marot)",
    "mt-metrics-eval": "mt-metrics-eval",
    "wmt-ranking": "WMT",
    "label-studio": "Label Studio",
    "comet": "COMET",
}
# Decisions up to which a process of its own would take longer to start than to write them.
SMALL = 20_000
# Seconds after which that process ends, and gives its memory back.
IDLE = 10.0

# Writes a file of a campaign, by its service and the campaign's name.
Write = Callable[["Service", str, IO[bytes]], None]


class ExportFiles:
    """Writes downloads, each into a temporary file that vanishes when it is closed."""

    def __init__(self, service: Service, context: ServiceContext) -> None:
        self._service = service
        self._store = context.store
        self._worker = MadeOnce(self._new_worker)

    def judgments(self, campaign: str, kind: str) -> IO[bytes]:
        """A zip of all judgments, in one of `KINDS` or of `FORMATS`.

        Raises `InputError` for a format that holds nothing of what this campaign asks.
        """
        return self._written(partial(_write_judgments, kind=kind), campaign)

    def archive(self, campaign: str) -> IO[bytes]:
        """The whole campaign, as `jurat campaign archive` writes it, for another server."""
        return self._written(write_archive, campaign)

    def close(self) -> None:
        """Stop the process, if there is one."""
        if worker := self._worker.peek():
            worker.close()

    def _new_worker(self) -> WorkerProcess:
        # imported here: a server starts without it
        from jurat.campaigns.monitoring.worker import WorkerProcess

        return WorkerProcess(self._store.address, idle=IDLE)

    def _written(self, write: Write, campaign: str) -> IO[bytes]:
        progress = self._store.progress(campaign)
        file = NamedTemporaryFile(prefix="jurat-")  # noqa: SIM115 - whoever sends it closes it
        try:
            if sum(phase.decisions for phase in progress.phases) <= SMALL:
                write(self._service, campaign, file)
            else:
                self._worker.get().submit(_write_apart, write, campaign, file.name).result()
        except BaseException:
            file.close()
            raise
        file.seek(SEEK_SET)
        return file


def _write_apart(state: WorkerState, write: Write, campaign: str, path: str) -> None:
    """Write a file in the other process."""
    from jurat.campaigns.service import Service

    with Path(path).open("wb") as file:
        write(Service(state.store), campaign, file)


def _write_judgments(service: Service, campaign: str, file: IO[bytes], *, kind: str) -> None:
    """Write a zip of all judgments in one of `KINDS` or of `FORMATS`."""
    made = _tables if kind in KINDS else in_format
    file.write(made(service, campaign, kind))


def write_archive(service: Service, campaign: str, file: IO[bytes]) -> None:
    """Write the archive of a campaign."""
    service.campaigns.archive(campaign, cast("BinaryIO", file))


def _tables(service: Service, campaign: str, kind: str) -> bytes:
    """A zip of every table that has rows, and of metadata about them."""
    # imported here: it loads polars, which the other pages do not need
    from jurat.tables.package import package

    return zipped(package(service.campaigns.export_tables(campaign), campaign, kind))


def in_format(service: Service, campaign: str, name: str) -> bytes:
    """A zip of another tool's files, and of notes on what they cannot hold."""
    from jurat.formats import ReadTables, counting_tables, write_judgments
    from jurat.tables.archives import NOTES

    found = counting_tables(ReadTables(tables=service.campaigns.tables_with_texts(campaign)))
    written = write_judgments(found.tables, name, ending="")
    notes = "".join(f"{note}\n" for note in (*found.notes, *written.notes))
    files = {file.name: file.data for file in written.files}
    return zipped({**files, **({NOTES: notes.encode()} if notes else {})})
