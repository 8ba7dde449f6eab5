"""Compressed files and archives: opened, and bounded in what they expand to."""

import gzip
import io
import tarfile
import zipfile

import pytest
import zstandard

from jurat.errors import InputError
from jurat.model import File
from jurat.tables import archives
from jurat.tables.archives import unpacked
from jurat.tables.io import read_table

DATA = b"judge,item,value\na,1,2\n"


def zipped(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def taped(members: dict[str, bytes], size: int | None = None) -> bytes:
    """A TAR archive, whose members say that they have that size, or else their own."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            if size is not None:
                info.pax_headers = {
                    "GNU.sparse.size": str(size),
                    "GNU.sparse.map": f"0,{len(data)}",
                }
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "inside"),
    [
        ("t.csv.gz", gzip.compress(DATA, mtime=0), "t.csv"),
        ("t.csv.zst", zstandard.compress(DATA), "t.csv"),
        # two streams, as tools write that compress in parallel
        ("t.csv.zst", zstandard.compress(DATA[:9]) + zstandard.compress(DATA[9:]), "t.csv"),
        ("t.zip", zipped(**{"a/t.csv": DATA, "__MACOSX/._t.csv": b"x"}), "t.zip/a/t.csv"),
        ("t.tar", taped({"a/t.csv": DATA, "a/._t.csv": b"x"}), "t.tar/a/t.csv"),
        ("t.tar.gz", gzip.compress(taped({"t.csv": DATA}), mtime=0), "t.tar/t.csv"),
        ("t.csv", DATA, "t.csv"),
    ],
)
def test_a_compressed_table_is_read(name: str, data: bytes, inside: str) -> None:
    assert unpacked(File(name, data)) == [File(inside, DATA)]
    assert read_table(File(name, data))["value"].to_list() == ["2"]


def test_an_archive_of_several_files_is_no_single_table() -> None:
    with pytest.raises(InputError, match=r"several files; .*t.zip/a.csv, t.zip/b.csv"):
        read_table(File("t.zip", zipped(**{"a.csv": DATA, "b.csv": DATA})))


@pytest.mark.parametrize("kind", ["gz", "zst", "zip", "tar"])
def test_bombs_are_refused(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "SMALL", 1 << 12)
    zeros = bytes(1 << 22)
    data = {
        "gz": gzip.compress(zeros, mtime=0),
        "zst": zstandard.compress(zeros),
        "zip": zipped(**{"a.csv": zeros}),
        "tar": taped({"a.csv": DATA}, 1 << 40),
    }[kind]
    with pytest.raises(InputError, match="expands to more than"):
        unpacked(File(f"t.{kind}", data))


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(DATA, mtime=0)[:-12],
        b"\x1f\x8bnot gzip",
        zstandard.compress(DATA)[:6] + b"xxxx",
        zstandard.compress(DATA)[:-4],
        b"\x28\xb5\x2f\xfd",
        zipped(**{"a.csv": DATA})[:-30],
        taped({"a.csv": DATA, "b.csv": DATA})[:520],
    ],
)
def test_damaged_files_are_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="cannot be opened"):
        unpacked(File("t.x", data))


def test_an_empty_archive_is_refused() -> None:
    with pytest.raises(InputError, match="no files"):
        unpacked(File("t.zip", zipped(**{"a/.keep": b""})))
