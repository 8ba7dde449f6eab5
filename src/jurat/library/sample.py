"""`jurat.sample`: the files of the sample, to try things with."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from jurat.errors import unknown_name


def sample(name: str = "ratings.csv") -> Path:
    """The path of a file of the sample: simulated judgments of four systems, and a test set.

    `ratings.csv` are adequacy ratings by six judges, `preferences.csv` comparisons of two systems,
    `scores.csv` metric scores of the same segments, `features.csv` answers about HEval's features.

    Raises:
        InputError: for a name that the sample does not have.
    """
    folder = Path(str(files("jurat"))) / "sample"
    names = sorted(path.name for path in folder.iterdir())
    if name not in names:
        raise unknown_name("file of the sample", name, names)
    return folder / name
