"""NIST's XML: `<mteval>` with srcset, refset and tstset, as mteval-v13 and later read it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from jurat.formats import Format
from jurat.formats.markup import first_tag, xml_events
from jurat.formats.nist import Sets, write_set, writings
from jurat.formats.rows import Row, SetFile
from jurat.model import TestSet

TOP = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE mteval SYSTEM "mteval-xml-v1.3.dtd">
<mteval>
"""


class NistXml(Format):
    """`<mteval>` around sets of documents."""

    name: ClassVar[str] = "nist-xml"
    endings: ClassVar[tuple[str, ...]] = ("xml",)
    about: ClassVar[str] = "NIST's XML for mteval: srcset, refset, tstset"
    carries: ClassVar[tuple[str, ...]] = ("set name", "languages", "genre and origlang")

    def recognises(self, file: SetFile) -> bool:
        return first_tag(file.data) == "mteval"

    def read(self, file: SetFile) -> Iterator[Row]:
        return Sets(file).rows(xml_events(file))

    def write(self, test_set: TestSet) -> list[SetFile]:
        sets = (write_set(test_set, each) for each in writings(test_set, reference_id="refid"))
        body = "".join(f"{line}\n" for lines in sets for line in lines)
        return [SetFile("testset.xml", f"{TOP}{body}</mteval>\n".encode())]
