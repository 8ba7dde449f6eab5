"""Find nginx on this machine, which stands before servers of Jurat."""

import os
import shutil

from tests.machine import Missing

# Debian puts it where only root's PATH leads.
PLACES = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin"))


def find() -> str:
    """The program; raises Missing if there is none."""
    if program := shutil.which("nginx", path=PLACES):
        return program
    raise Missing("no nginx: install the package nginx-light")
