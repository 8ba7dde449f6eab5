"""Executes the notebooks of the documentation, and keeps their outputs.

Run as a program, it writes the notebooks anew with what their cells show.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from tests import ROOT

FOLDER = ROOT / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
# What differs between machines and runs, and says nothing.
CHANGING = ("execution", "language_info", "widgets")
# All names of the notebook before are gone; what it imported need not be loaded again.
FORGET = "%reset -f"


@contextmanager
def kernel() -> Iterator[NotebookClient]:
    """One kernel for all notebooks: to start one and import everything takes longer than to run."""
    client = NotebookClient(new_notebook(), timeout=120, kernel_name="python3")
    with client.setup_kernel():
        yield client


def executed(path: Path, client: NotebookClient) -> NotebookNode:
    """The notebook with the outputs of a run; raises what a cell raises."""
    notebook: NotebookNode = nbformat.read(path, as_version=4)
    client.nb = new_notebook(cells=[new_code_cell(FORGET)])
    client.execute_cell(client.nb.cells[0], 0)
    client.nb = notebook
    client.reset_execution_trackers()
    for number, cell in enumerate(notebook.cells):
        client.execute_cell(cell, number, execution_count=client.code_cells_executed + 1)
        # the kernel goes on counting from one notebook to the next
        for output in cell.get("outputs", ()):
            if "execution_count" in output:
                output.execution_count = cell.execution_count
    for part in (notebook, *notebook.cells):
        for name in CHANGING:
            part.metadata.pop(name, None)
    return notebook


if __name__ == "__main__":
    with kernel() as client:
        for path in NOTEBOOKS:
            nbformat.write(executed(path, client), path)
            print(path.relative_to(ROOT))
