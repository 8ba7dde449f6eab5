"""The rows of CSV and TSV files of other tools, with their lines; most have no heading."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from jurat.decoding import decode
from jurat.errors import input_error
from jurat.model import File


def csv_rows(file: File, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """The first line and the cells of each row of CSV; blank lines are left out.

    Raises `InputError` where quotes are misplaced.
    """
    text = io.StringIO(decode(file), newline="")
    reader = csv.reader(text, delimiter=delimiter, strict=True)
    line = 1
    try:
        for row in reader:
            if row:
                yield line, row
            # line_num is the last line read so far, and a row may have several
            line = reader.line_num + 1
    except csv.Error as error:
        raise input_error(f"cannot be read as CSV: {error}", file=file.name, line=line) from None


def tsv_rows(file: File) -> Iterator[tuple[int, list[str]]]:
    """The line and the cells of each row of TSV without quotes; blank lines are left out."""
    for number, line in enumerate(io.StringIO(decode(file), newline="\n"), 1):
        text = line.rstrip("\r\n")
        if text:
            yield number, text.split("\t")
