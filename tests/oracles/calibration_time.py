"""WMT22's calibration HITs: the median time of a judgment."""

from collections.abc import Iterator
from pathlib import Path

from tests.oracles.golden import Answer, command

DATASET = "wmt22_calibration"
COLUMNS = "document=docId,segment=itemId,value=score,shown_at=timeStart,decided_at=timeEnd"


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    for pair in ("eng-ces", "eng-hrv"):
        file, where = data / f"{pair}.csv", "level == 'segment'"
        printed = command("time", file, "--columns", COLUMNS, "--where", where)
        yield f"{pair}-time", printed.value("seconds-median")
