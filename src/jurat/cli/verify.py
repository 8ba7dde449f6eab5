"""`jurat verify`: repeats an analysis or checks an archive, and names what differs."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

import click

from jurat.cli._common import PATH, json_option
from jurat.cli._common.store_address import store_option
from jurat.cli._common.terminal_output import print_json, print_table
from jurat.errors import counted, input_error
from jurat.files import read_file

if TYPE_CHECKING:
    from jurat.model import File

# Relative differences up to this one come from the order in which numbers are added.
ROUNDING = 1e-9
NUMBERS = ("value", "low", "high", "n")
# The commands that record what they did.
REPEATABLE = (
    *("agreement", "bias", "diagnose", "fatigue", "heval", "metaeval", "model-agreement", "plan"),
    *("preferences", "score", "suggestions", "systems", "time"),
)
# Differences that are printed as a table; JSON has all of them.
MOST = 24


class RecordedFile(TypedDict):
    """A file that an analysis read."""

    name: str
    sha256: str


class RecordedAnalysis(TypedDict):
    """What an analysis was."""

    command: str
    arguments: list[str]
    options: dict[str, str | bool | list[str]]
    version: str
    files: list[RecordedFile]
    data: dict[str, str]


class RecordedResults(TypedDict):
    """The JSON output of an analysis, as far as it is used here."""

    analysis: RecordedAnalysis
    results: list[dict[str, Any]]


class Difference(NamedTuple):
    """A number that is not the same now; None where it is missing."""

    name: str
    of: str
    number: str
    recorded: float | None
    now: float | None


@click.command(name="verify")
@click.argument("results", metavar="RESULTS.json|ARCHIVE.zip", type=PATH)
@click.argument("files", nargs=-1, metavar="FILE...", type=PATH)
@click.option("--hash", "published", default="", help="The plan's hash, as it was published.")
@store_option
@json_option
def command(
    results: Path, files: tuple[Path, ...], published: str, url: str, *, as_json: bool
) -> int:
    """Repeat an analysis, or check an archive, and show what differs.

    RESULTS.json is what an analysis printed with --json; FILE... are the files that it read, found
    by content, name or order.

    ARCHIVE.zip is an archive of a campaign: its checksums, its answers and the plan that was
    frozen are checked; FILE... are results of the campaign, which are computed again.

    The exit status is 1 if anything differs.

    \b
    Examples:
      jurat verify results.json ratings.csv
      jurat verify sample.zip sample-results.json
    """
    from zipfile import is_zipfile

    if results.is_file() and is_zipfile(results):
        from jurat.cli._common.archive_verification import verify_archive

        return verify_archive(results, files, published, as_json=as_json)
    compared = compare(read_file(results), [read_file(path) for path in files], url)
    if as_json:
        print_json(compared.plain())
    else:
        compared.print()
    return 0 if compared.equal else 1


class Comparison(NamedTuple):
    """Recorded numbers beside those of today."""

    differences: Sequence[Difference]
    numbers: int
    remarks: Sequence[str]

    @property
    def equal(self) -> bool:
        """Whether all numbers are the same."""
        return not self.differences

    def plain(self) -> dict[str, object]:
        """For JSON."""
        told = {"equal": self.equal, "numbers": self.numbers, "remarks": self.remarks}
        return {**told, "differences": [each._asdict() for each in self.differences]}

    def print(self) -> None:
        """For people."""
        _print(self.differences, self.numbers, self.remarks)


def compare(results: File, files: Sequence[File], url: str) -> Comparison:
    """Repeat the analysis that gave these results, on these files or the store's campaign."""
    recorded = _read_results(results)
    given = _matched(recorded["analysis"]["files"], files)
    now = _repeated(recorded["analysis"], given, url)
    differences = list(_differences(recorded["results"], now["results"]))
    numbers = sum(row.get(name) is not None for row in recorded["results"] for name in NUMBERS)
    return Comparison(differences, numbers, list(_remarks(recorded, now)))


def _print(differences: Sequence[Difference], numbers: int, remarks: Sequence[str]) -> None:
    for remark in remarks:
        click.echo(remark)
    if not differences:
        click.echo(f"All {counted(numbers, 'number')} are the same.")
        return
    # numbers that were not there before are differences, too
    verb = "differs" if len(differences) == 1 else "differ"
    click.echo(f"{counted(len(differences), 'number')} {verb}, of {numbers:,} recorded:")
    rows = [["" if part is None else part for part in each] for each in differences[:MOST]]
    print_table(Difference._fields, rows, numbers=("recorded", "now"))
    if len(differences) > MOST:
        click.echo(f"… and {len(differences) - MOST:,} more: --json prints all")


def _read_results(file: File) -> RecordedResults:
    """The results and the record of their analysis; raises `InputError` if either is missing."""
    import msgspec

    try:
        read = msgspec.json.decode(file.data, type=RecordedResults)
    except msgspec.MsgspecError as error:
        message = f"this is no JSON output of an analysis: {error}"
        raise input_error(message, file=file.name) from None
    command = read["analysis"]["command"]
    if command not in REPEATABLE:
        raise input_error(f"'{command}' is no analysis that can be repeated", file=file.name)
    return read


def _matched(recorded: Sequence[RecordedFile], given: Sequence[File]) -> dict[str, str]:
    """The path of each recorded file: the one of its content, else of its name, else the next."""
    from hashlib import sha256

    if len(recorded) != len(given):
        names = ", ".join(file["name"] for file in recorded) or "none"
        raise input_error(f"the analysis read {counted(len(recorded), 'file')}: {names}")
    left = {file.name: (sha256(file.data).hexdigest(), Path(file.name).name) for file in given}
    found: dict[str, str] = {}
    # three rounds, so that a file of the right content is not taken for another by its name
    for suits in (0, 1, None):
        for one in recorded:
            wanted = (one["sha256"], Path(one["name"]).name)
            alike = (p for p, of in left.items() if suits is None or of[suits] == wanted[suits])
            if one["name"] not in found and (path := next(alike, None)):
                found[one["name"]] = path
                del left[path]
    return found


def _repeated(analysis: RecordedAnalysis, files: Mapping[str, str], url: str) -> RecordedResults:
    """The JSON output of the same command on these files."""
    import msgspec

    from jurat.cli import jurat
    from jurat.cli._common.analysis_record import LEFT_OUT, option_name, renamed

    known = jurat.get_command(click.Context(jurat), analysis["command"])
    assert known is not None
    options = {option_name(p): p for p in known.params if isinstance(p, click.Option)}
    arguments = [analysis["command"]]
    for name, value in analysis["options"].items():
        # a file from elsewhere must not make this command write files
        if name not in options or options[name].name in LEFT_OUT:
            raise input_error(f"the analysis has an unknown option '--{name}'")
        for each in value if isinstance(value, list) else [value]:
            text = [renamed(each, files)] if isinstance(each, str) else []
            arguments += [f"--{name}", *text]
    if "campaign" in analysis["options"]:
        arguments += ["--store", url] if url else []
    texts = [renamed(text, files) for text in analysis["arguments"]]
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            # -- ends the options: a recorded argument cannot be one
            jurat.main([*arguments, "--json", "--", *texts], standalone_mode=False)
    except click.UsageError as error:
        raise input_error(f"the analysis cannot be repeated: {error.format_message()}") from None
    return msgspec.json.decode(printed.getvalue(), type=RecordedResults)


def _differences(
    recorded: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]
) -> Iterator[Difference]:
    """The numbers that are not the same, and those that only one side has."""
    before, after = _by_key(recorded), _by_key(now)
    for key in dict.fromkeys((*before, *after)):
        one, other = before.get(key, {}), after.get(key, {})
        for number in NUMBERS:
            if not _same(one.get(number), other.get(number)):
                yield Difference(*key[:2], number, one.get(number), other.get(number))


def _by_key(rows: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str, int], Mapping[str, Any]]:
    """The rows by name, keys, and their number among those of the same keys."""
    found: dict[tuple[str, str, int], Mapping[str, Any]] = {}
    seen: dict[tuple[str, str], int] = {}
    for row in rows:
        keys = {**row.get("by", {}), **row.get("tags", {})}
        of = ", ".join(f"{name} {value}" for name, value in sorted(keys.items()))
        place = (str(row.get("name")), of)
        seen[place] = seen.get(place, -1) + 1
        found[*place, seen[place]] = row
    return found


def _same(one: float | None, other: float | None) -> bool:
    from math import isclose

    if one is None or other is None:
        return one is other
    return isclose(one, other, rel_tol=ROUNDING, abs_tol=ROUNDING * ROUNDING)


def _remarks(recorded: RecordedResults, now: RecordedResults) -> Iterator[str]:
    """What else differs: version, files, data, order, and options in signatures."""
    before, after = recorded["analysis"], now["analysis"]
    if before["version"] != after["version"]:
        yield f"Recorded with Jurat {before['version']}; this is {after['version']}."
    yield from _data_remarks(before, after)
    signed = [_signed(recorded["results"]), _signed(now["results"])]
    told = sorted(
        name for name in signed[0] | signed[1] if signed[0].get(name) != signed[1].get(name)
    )
    if told:
        yield f"The signatures differ in {', '.join(told)}."


def _data_remarks(before: RecordedAnalysis, after: RecordedAnalysis) -> Iterator[str]:
    same_files = [{f["sha256"] for f in each["files"]} for each in (before, after)]
    if same_files[0] == same_files[1]:
        return
    one, other = before["data"], after["data"]
    if one.get("fingerprint") != other.get("fingerprint"):
        yield "The data differ."
    elif one.get("order") != other.get("order"):
        yield "The files differ, but only in the order of their rows."
    elif one:
        yield "The files differ, but the data that are analysed are the same."
    else:
        yield "The files differ."


def _signed(rows: Sequence[Mapping[str, Any]]) -> dict[str, set[str]]:
    """The values of each part of the signatures, but of those that are compared otherwise."""
    import re

    found: dict[str, set[str]] = {}
    for row in rows:
        # a separator after a backslash belongs to a value
        for part in re.split(r"(?<!\\)\|", str(row.get("signature", "")))[1:]:
            name, _, value = part.partition(":")
            if name not in ("data", "order", "jurat", "version"):
                found.setdefault(name, set()).add(value)
    return found
