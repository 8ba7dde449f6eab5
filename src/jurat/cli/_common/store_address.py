"""The `--store` option, the address of a store as it is printed, and who works on it."""

from __future__ import annotations

import getpass
import re

import click

from jurat.library.stores import open_service, store_address

__all__ = ["author", "open_service", "shown_address", "store_address", "store_option"]

store_option = click.option(
    "--store",
    "url",
    metavar="URL",
    envvar="JURAT_STORE",
    help="Store: a file or postgresql://… (default: JURAT_STORE, or jurat.db in your data folder).",
)


def shown_address(url: str | None) -> str:
    """The address of a store without user name and password, to be printed."""
    # a password does not belong on a terminal
    return re.sub(r"://[^/]*@", "://", store_address(url))


def author() -> str:
    """The name of the user at the command line, for the audit log."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        # in a container, the user's id may have no name
        return "command line"
