"""Jurat: human evaluation of machine translation, from system outputs to results.

    import jurat

    data = jurat.read("ratings.csv", columns={"judge": "rater", "value": "score"})
    results = jurat.agreement(data)
    results["krippendorff-alpha"].at(scale="interval").value

`read` reads judgments; `agreement`, `diagnose`, `systems`, `preferences`, `bias`, `fatigue`,
`time`, `heval`, `score`, `metaeval`, `plan` and `report` analyse them as the commands of the same
names do, and return `Results`; `reproduce` recomputes the published numbers of a study.
`krippendorff_alpha`, `cohen_kappa`, `pearson` and others take plain arrays.
`connect` is a client of a server's HTTP API.

Below these: `jurat.testsets` reads, checks and writes test sets; `jurat.tables` reads tables of
judgments; `jurat.protocols` has what judges are asked, `jurat.kits` the packets of items for
judges; `jurat.campaigns`, `jurat.store` and `jurat.web` run a campaign with judges in their
browsers; `jurat.metrics` has automatic metrics, `jurat.stats` the statistics; `jurat.cli` is the
command line.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jurat.cli._studies.reproduction import Reproduction, reproduce
    from jurat.errors import InputError
    from jurat.library.analyses import (
        agreement,
        bias,
        diagnose,
        fatigue,
        heval,
        model_agreement,
        preferences,
        suggestions,
        systems,
        time,
    )
    from jurat.library.array_coefficients import (
        cohen_kappa,
        fleiss_kappa,
        gwet_ac,
        kendall,
        krippendorff_alpha,
        pearson,
        percent_agreement,
        scott_pi,
        spearman,
    )
    from jurat.library.client import ApiError, connect
    from jurat.library.computation import statistics
    from jurat.library.data import Data, read
    from jurat.library.metrics import metaeval, score
    from jurat.library.planning import plan
    from jurat.library.report import report
    from jurat.library.results import Results
    from jurat.library.sample import sample

__version__ = "0.1.0"

# The module that each public name is imported from, when it is first used.
_HOMES = {
    "cli._studies.reproduction": ("Reproduction", "reproduce"),
    "errors": ("InputError",),
    "library.analyses": (
        "agreement",
        "bias",
        "diagnose",
        "fatigue",
        "heval",
        "model_agreement",
        "preferences",
        "suggestions",
        "systems",
        "time",
    ),
    "library.array_coefficients": (
        "cohen_kappa",
        "fleiss_kappa",
        "gwet_ac",
        "kendall",
        "krippendorff_alpha",
        "pearson",
        "percent_agreement",
        "scott_pi",
        "spearman",
    ),
    "library.client": ("ApiError", "connect"),
    "library.computation": ("statistics",),
    "library.data": ("Data", "read"),
    "library.metrics": ("metaeval", "score"),
    "library.planning": ("plan",),
    "library.report": ("report",),
    "library.results": ("Results",),
    "library.sample": ("sample",),
}

__all__ = [
    "ApiError",
    "Data",
    "InputError",
    "Reproduction",
    "Results",
    "agreement",
    "bias",
    "cohen_kappa",
    "connect",
    "diagnose",
    "fatigue",
    "fleiss_kappa",
    "gwet_ac",
    "heval",
    "kendall",
    "krippendorff_alpha",
    "metaeval",
    "model_agreement",
    "pearson",
    "percent_agreement",
    "plan",
    "preferences",
    "read",
    "report",
    "reproduce",
    "sample",
    "score",
    "scott_pi",
    "spearman",
    "statistics",
    "suggestions",
    "systems",
    "time",
]


def __getattr__(name: str) -> Any:
    # polars and numpy take longer to import than `jurat --help` to print
    home = next((module for module, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module 'jurat' has no attribute '{name}'")
    from importlib import import_module

    value = getattr(import_module(f"jurat.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__"})


class _Package(ModuleType):
    """The package, whose functions keep their names where a part of it has the same one."""

    def __setattr__(self, name: str, value: object) -> None:
        # importing `jurat.report.compute` would make `jurat.report` the package of that name
        if not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
