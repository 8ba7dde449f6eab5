"""WMT22's calibration tasks: everybody judged the same items, some of them twice."""

from collections.abc import Iterator
from pathlib import Path

from tests.oracles.golden import Answer, command

DATASET = "wmt22_calibration"


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    for pair in ("eng-ces", "eng-hrv"):
        found = command(
            "agreement",
            data / f"{pair}.csv",
            "--columns",
            "item=system+docId+itemId,value=score,position=order",
            "--where",
            "level == 'segment'",
        )
        yield f"{pair}-alpha", found.value("krippendorff-alpha", scale="interval")
        yield f"{pair}-icc", tuple(found.value("icc", form=form) for form in ("A,1", "C,1", "A,k"))
        yield f"{pair}-meanr", found.value("pearson-mean")
        if pair == "eng-ces":
            (distance,) = found.rows("intra-distance")
            yield (
                "eng-ces-repeat",
                (found.value("intra-pearson"), distance["value"], float(distance["n"])),
            )
