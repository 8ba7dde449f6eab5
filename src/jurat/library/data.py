"""`jurat.read`: tables of judgments from files, frames and campaigns."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import polars as pl

from jurat.errors import InputError, counted, input_error
from jurat.files import read_file, read_sources
from jurat.formats import (
    ReadTables,
    open_other_table,
    read_frame,
    read_judgments,
    read_scores_table,
)
from jurat.library.evaluation_from_tables import Joined, evaluation_from
from jurat.library.frames import frame_of
from jurat.library.options import (
    DEFAULTS,
    READING,
    ReadOptions,
    Source,
    checked,
    column_map,
    fold_map,
    names,
    number_map,
)
from jurat.library.stores import is_archive
from jurat.tables import Intake, TableOptions
from jurat.tables.preferences import with_rankings

if TYPE_CHECKING:
    from jurat.stats import Evaluation

# Changes a table before it is read as judgments.
Prepare = Callable[[pl.DataFrame, Intake], pl.DataFrame]
TAKES = ("judgments", "preferences")
# How the address of a server begins, which is no store.
_HTTP = ("http://", "https://")


class Origin(NamedTuple):
    """What a report says of where data come from: the names of files, or a campaign's store."""

    files: tuple[str, ...] = ()
    campaign: str = ""
    store: str | None = None


class Data:
    """Judgments or preferences, and the options they were read with; made by `jurat.read`."""

    def __init__(self, source: _Source, options: Mapping[str, Any]) -> None:
        self._source = source
        self.options = {name: options[name] for name in READING if name in options}
        """The options that were given."""
        # analyses of the same tables share what they compute
        self._evaluations: dict[tuple[object, ...], Evaluation] = {}

    def __repr__(self) -> str:
        """How much there is of what: `Data: 36 judgments of 12 items by 3 judges (adequacy)`.

        Notes, such as the columns that were guessed, stand on lines of their own.
        """
        evaluation = self.evaluation(TAKES)
        parts = []
        for word, rows in (("judgment", evaluation.valid), ("preference", evaluation.compared)):
            if rows.height:
                of = [
                    counted(rows[name].n_unique(), name)
                    for name in ("item", "judge")
                    if name in rows.columns
                ]
                parts.append(f"{counted(rows.height, word)} of {' by '.join(of)}")
        told = f"Data: {', '.join(parts)} ({', '.join(evaluation.questions)})"
        return "\n".join([told, *(f"note: {note}" for note in evaluation.notes)])

    @property
    def origin(self) -> Origin:
        """The files or the campaign that the data were read from; neither of a table in memory."""
        return self._source.origin

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of results has to know about the data first."""
        return self.evaluation(TAKES).notes

    def frame(self, kind: str = "polars") -> Any:
        """The long table that analyses start from: a row per answer, or per comparison.

        `kind` is `polars` or `pandas`.
        """
        from jurat.library.results import as_kind

        evaluation = self.evaluation(TAKES)
        table = evaluation.judgments or evaluation.preferences
        assert table is not None
        hidden = [name for name in table.frame.columns if name.startswith("\0")]
        return as_kind(table.frame.drop(hidden), kind)

    def check(self) -> None:
        """Raise `InputError` if no analysis can use the data."""
        from jurat.stats.time.decision_times import decisions

        try:
            self.evaluation(TAKES)
        except InputError as error:
            # tables with times but no answers are for `jurat.time` alone
            try:
                timed = "seconds" in self.evaluation(TAKES, prepare=decisions).columns
            except InputError:
                timed = False
            if not timed:
                raise error from None

    def again(self, **options: Any) -> Data:
        """The same data read with other options."""
        return Data(self._source, {**self.options, **options}) if options else self

    def evaluation(
        self,
        takes: Sequence[str] = ("judgments",),
        *,
        prepare: Prepare | None = None,
        joined: Joined = "keep",
        with_texts: bool = False,
        mark: Callable[[pl.DataFrame], pl.DataFrame] | None = None,
    ) -> Evaluation:
        """The tables that an analysis takes, read as the options say.

        `with_texts` adds the texts that were judged, where they are known, and `mark` adds columns
        to the judgments.
        """
        key: tuple[object, ...] = (tuple(takes), prepare, joined, with_texts)
        if key in self._evaluations and not mark:
            return self._evaluations[key]
        intake = self.intake()
        tables = self._source.read(intake, prepare, joined)
        used = tuple(sorted({*takes} & {*tables.tables}))
        # with --by, it matters which table comes first
        same = (used, prepare, joined, with_texts, takes[0] if intake.by else "")
        found = None if mark else self._evaluations.get(same)
        if found is None:
            found = evaluation_from(
                tables,
                intake,
                takes=takes,
                items=_items(self.options.get("items")),
                joined=joined,
                with_texts=with_texts,
                mark=mark,
            )
        # columns that one analysis adds are its own
        if not mark:
            self._evaluations[same] = self._evaluations[key] = found
        return found

    def tables(self) -> Mapping[str, pl.DataFrame]:
        """All tables that were read, also those that no analysis takes as its subject."""
        return self._source.read(self.intake(), None, "keep").tables

    def intake(self) -> Intake:
        """The options as the tables take them."""
        told: dict[str, Any] = {**DEFAULTS, **self.options}
        return Intake(
            columns=column_map(told["columns"], self._source.columns),
            questions=names(told["questions"]),
            systems=names(told["systems"]),
            judges=names(told["judges"]),
            sum=told["sum"],
            weights=number_map(told["weights"]),
            where=told["where"],
            standardise_where=told["standardise_where"],
            by=names(told["by"]),
            exclude=names(told["exclude"]),
            fold=fold_map(told["fold"]),
            model_judges=names(told["model_judges"]),
            include_models=told["include_models"],
        )


class _Source:
    """Where tables come from; `columns` are those of a table in memory."""

    columns: Sequence[str] = ()
    origin = Origin()

    def read(self, intake: Intake, prepare: Prepare | None, joined: Joined) -> ReadTables:
        """The tables by name, and notes on how they were read."""
        raise NotImplementedError


class _Files(_Source):
    """Files of any format."""

    def __init__(self, paths: Sequence[Path | str], opening: TableOptions) -> None:
        self._files = read_sources(paths)
        self.origin = Origin(files=file_names(paths))
        self._opening = opening

    def read(self, intake: Intake, prepare: Prepare | None, joined: Joined) -> ReadTables:
        opening = self._opening
        return read_judgments(self._files, intake, options=opening, prepare=prepare, joined=joined)


class _Frame(_Source):
    """A table in memory."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self._frame = frame
        self.columns = frame.columns

    def read(self, intake: Intake, prepare: Prepare | None, joined: Joined) -> ReadTables:
        return read_frame(self._frame, intake, prepare=prepare)


class _Tables(_Source):
    """The long tables of a campaign."""

    def __init__(
        self,
        tables: Mapping[str, pl.DataFrame],
        with_spans: Mapping[str, pl.DataFrame] | None = None,
    ) -> None:
        """`with_spans` are those in which models' spans are among the others."""
        self._tables = tables
        self._with_spans = tables if with_spans is None else with_spans

    def read(self, intake: Intake, prepare: Prepare | None, joined: Joined) -> ReadTables:
        tables = self._with_spans if intake.include_models else self._tables
        return ReadTables(tables=with_rankings(tables, joined=joined))


class _Campaign(_Tables):
    """The judgments of a campaign in a store."""

    def __init__(self, campaign: str, store: str | None) -> None:
        from jurat.library.stores import open_service

        store = store or os.environ.get("JURAT_STORE")
        self.origin = Origin(campaign=campaign, store=store)
        with open_service(store) as service:
            own = service.campaigns.tables_with_models
            super().__init__(own(campaign, spans=False), own(campaign, spans=True))


class _Archive(_Tables):
    """The judgments of an archived campaign."""

    def __init__(self, path: Path | str) -> None:
        from jurat.library.stores import open_archived

        self.origin = Origin(files=file_names(path))
        with open_archived(path) as (service, campaign):
            own = service.campaigns.tables_with_models
            super().__init__(own(campaign, spans=False), own(campaign, spans=True))


def data_of(data: Source, options: Mapping[str, Any]) -> Data:
    """What an analysis was given as data, read with its options."""
    reading = {name: value for name, value in options.items() if name in READING}
    if isinstance(data, Data):
        if reading.get("campaign") or reading.get("store"):
            raise input_error("the data have been read already: leave out campaign and store")
        return data.again(**reading)
    return Data(_source_of(data, reading), reading)


def _source_of(data: Source, options: Mapping[str, Any]) -> _Source:
    campaign, store = options.get("campaign"), options.get("store")
    if campaign and not (isinstance(data, str) and data.startswith(_HTTP)):
        if data is not None and store:
            raise input_error("give the store as data or as store=, not both")
        return _Campaign(campaign, store or (None if data is None else str(data)))
    if data is None:
        raise input_error("give data or campaign=")
    if isinstance(data, str) and data.startswith(_HTTP):
        how = "jurat.connect(URL, TOKEN).campaign(NAME).judgments()"
        raise input_error(f"a campaign on a server is read with {how}")
    if isinstance(data, str) and "://" in data:
        raise input_error("a store needs campaign=, the name of a campaign in it")
    if isinstance(data, Mapping) and data and all(_is_frame(one) for one in data.values()):
        return _Tables(data)
    paths = _paths(data)
    if len(paths) == 1 and is_archive(paths[0]):
        return _Archive(paths[0])
    opening = TableOptions(
        header=names(options.get("header")),
        sheet=options.get("sheet", ""),
        read_as=options.get("read_as", ""),
    )
    return _Files(paths, opening) if paths else _Frame(frame_of(data))


def _is_frame(one: object) -> bool:
    return isinstance(one, pl.DataFrame)


def _paths(data: Source) -> list[Path | str]:
    """The paths that the data are; none if they are a table."""
    if isinstance(data, str | PathLike):
        return [Path(data)]
    if isinstance(data, list | tuple) and data and all(isinstance(d, str | PathLike) for d in data):
        return [Path(each) for each in data]
    return []


def file_names(source: Source) -> tuple[str, ...]:
    """The names of the files that a table is given as; none if it is in memory."""
    return tuple(Path(path).name for path in _paths(source))


def table_of(source: Source, *, what: str) -> pl.DataFrame:
    """A table beside the judgments, from a file or in memory.

    Warns where a file is read in another way than it might be meant, as in Latin-1.
    """
    if isinstance(source, str | PathLike):
        frame, notes = open_other_table(read_file(Path(source)))
        for note in notes:
            warnings.warn(note, stacklevel=2)
        return frame
    return frame_of(source, what=what)


def scores_of(source: Source) -> pl.DataFrame:
    """Metric scores, from a file of any format or in memory."""
    if isinstance(source, str | PathLike):
        return read_scores_table(read_sources([Path(source)]))
    return frame_of(source, what="scores")


def _items(source: Source) -> pl.DataFrame | None:
    """The list of items to use: a table, or their ids."""
    if source is None:
        return None
    if isinstance(source, list | tuple | set) and all(isinstance(i, str | int) for i in source):
        return frame_of({"item": list(source)}, what="items")
    return table_of(source, what="items")


@checked
def read(data: Source = None, **options: Unpack[ReadOptions]) -> Data:
    """Read judgments or preferences, for any of the analyses.

    Args:
        data: a path or several, the archive of a campaign, a frame of pandas, polars or Arrow, a
            list of dicts, a dict of columns, the tables of a campaign by name, or (with
            `campaign`) the address of a store; what `read` returned is read again with other
            options.
        options: as on the command line, such as `columns` and `where`; `help(jurat.read)` has
            a line for each.

    Returns:
        The data, which keeps what analyses compute in common.

    Raises:
        InputError: if it cannot be read; the message names the place and what is allowed.
    """
    found = data_of(data, options)
    found.check()
    return found
