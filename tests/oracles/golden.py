"""Golden rows: what others computed, what Jurat computes, and whether the two are the same.

A module of this folder or of `jurat.cli._studies` answers for a data set: `DATASET` names it, and
`recomputed(data)` yields the id of a golden row with the number, the text, or several of them, that
Jurat gives for it.
"""

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from types import ModuleType

from jurat.cli import _studies
from jurat.cli._studies.command_output import Answer, Printed, command
from jurat.cli._studies.golden import Row, difference, golden_rows
from tests import ROOT, oracles

__all__ = [
    "DATA",
    "DATASETS",
    "Answer",
    "Printed",
    "Row",
    "answers",
    "command",
    "difference",
    "golden",
]

DATA = ROOT.parent / "shared" / "data"
DATASETS = (
    "adequacy_fluency_faen",
    "esa_wmt23",
    "eyetracking_mono",
    "heval_tables",
    "mqm_ted_ende",
    "multiref_eten",
    "preference_parity",
    "stat_examples",
    "tradopad",
    "wmt14_hien",
    "wmt16_ranking",
    "wmt22_calibration",
    "wmt22_da_lven",
    "wmt23_metrics_ende",
)


NO_DATASETS = ("test_", "golden", "page", "command_output", "reproduction", "hamon2008_example")


def golden(dataset: str) -> Iterator[Row]:
    """The rows of a data set that the statistics answer for."""
    return golden_rows(DATA / dataset)


@cache
def answers(dataset: str) -> dict[str, Answer]:
    """What Jurat gives for each golden row of a data set."""
    found: dict[str, Answer] = {}
    for module in modules():
        if dataset == module.DATASET:
            for name, answer in module.recomputed(DATA / dataset):
                assert name not in found, f"two modules answer for {name}"
                found[name] = answer
    return found


def modules() -> Iterator[ModuleType]:
    """The modules that answer for data sets."""
    for package in (oracles, _studies):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            if not module.name.rpartition(".")[2].startswith(NO_DATASETS):
                yield importlib.import_module(module.name)
