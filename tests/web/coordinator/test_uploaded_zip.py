"""Zip files that are too large are refused for that, not as broken ones."""

import io
from zipfile import ZipFile

import pytest

from jurat.errors import InputError
from jurat.model import File
from jurat.web.coordinator import uploaded_zip


def test_a_zip_that_unpacks_to_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = io.BytesIO()
    with ZipFile(packed, "w") as file:
        file.writestr("source.txt", "one sentence\n")
    monkeypatch.setattr(uploaded_zip, "MAX_BYTES", 5)
    with pytest.raises(InputError, match="more than 5 bytes"):
        uploaded_zip.unpacked([File("set.zip", packed.getvalue())])
