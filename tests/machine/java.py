"""Find Java on this machine: the original program of METEOR is written in it."""

import shutil

from tests.machine import Missing


def find() -> str:
    """The program that runs Java's classes; raises Missing if there is none."""
    if program := shutil.which("java"):
        return program
    raise Missing("no Java: install a Java runtime")
