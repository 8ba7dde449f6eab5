"""The command line: one file per command, found by its name.

A module of this folder holds the command that it is named after, as `command`; a module in `SHARED`
holds several, each under its own name. Outside packages add commands by an entry point in the group
`jurat.cli`. At their top, modules import only click and `_common`; whatever takes long to import
(polars, numpy, rich, the store) is imported in the function that needs it.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from jurat import __version__
from jurat.cli._common import ARGUMENTS
from jurat.errors import InputError, did_you_mean, input_error
from jurat.registry import entry_points, guarded

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

EPILOG = "New here? `jurat demo` opens a sample campaign; `jurat sample DIR` writes its files."
# Modules that hold several commands, and these commands.
SHARED = {
    "analyses": (
        "agreement",
        "bias",
        "diagnose",
        "fatigue",
        "heval",
        "model-agreement",
        "preferences",
        "suggestions",
        "systems",
        "time",
    ),
    "backup": ("backup", "restore"),
}


# The commands by what one wants to do, as `jurat --help` lists them; others follow under "Other".
GROUPS = {
    "Collect judgments": (
        *("demo", "sample", "testset", "protocols", "campaign", "plan", "serve", "judges"),
        *("coordinators", "bots", "model-judge", "export"),
    ),
    "Analyse judgments": (
        *("agreement", "diagnose", "systems", "preferences", "bias", "fatigue", "time", "heval"),
        *("model-agreement", "suggestions"),
    ),
    "Metrics": ("score", "metaeval"),
    "Publish": ("report", "reproduce", "verify", "convert"),
    "Keep": ("backup", "restore", "doctor"),
}


def _function(command: str) -> str:
    """The name of a command's function in a module of several commands."""
    return command.replace("-", "_")


class Commands(click.Group):
    """Jurat's own commands and those of outside packages; each is imported when it is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, sorted."""
        return sorted({*self._own(), *self._outside()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; None if there is none."""
        if module := self._own().get(cmd_name):
            loaded = importlib.import_module(f"{__name__}.{module}")
            command = getattr(loaded, _function(cmd_name) if module in SHARED else "command")
            assert isinstance(command, click.Command)
            return command
        outside = self._outside()
        return self._load(outside[cmd_name]) if cmd_name in outside else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in groups, with the first sentence of their help."""
        names = self.list_commands(ctx)
        grouped = {name for group in GROUPS.values() for name in group}
        groups = {**GROUPS, "Other": [name for name in names if name not in grouped]}
        # as click computes it: the width without margins and the column of names
        longest = max(map(len, names))
        limit = formatter.width - 6 - longest
        for title, group in groups.items():
            # padded, so that the columns of all groups are aligned
            rows = [
                (name.ljust(longest), self._summary(ctx, name, limit))
                for name in group
                if name in names
            ]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def _summary(self, ctx: click.Context, name: str, limit: int) -> str:
        """The first sentence of a command's help, shortened to `limit` characters."""
        # Importing every command would take twice as long as all the rest of `jurat --help`, so
        # the sentence is read from the docstring in the source file.
        if module := self._own().get(name):
            function = _function(name) if module in SHARED else "command"
            docstring = rf'^def {function}\(.*?"""(.*?)"""'
            with open(f"{__path__[0]}/{module}.py", encoding="utf-8") as file:  # noqa: PTH123
                if found := re.search(docstring, file.read(), re.DOTALL | re.MULTILINE):
                    return click.Command(name, help=found[1]).get_short_help_str(limit)
        command = self.get_command(ctx, name)
        return command.get_short_help_str(limit) if command else ""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Suggest the nearest name for a mistyped one."""
        # as they were typed, for the record of an analysis
        ctx.meta[ARGUMENTS] = args[1:]
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            hint = did_you_mean(args[0], self.list_commands(ctx)) or "see jurat --help"
            raise click.UsageError(f"{error.message.rstrip('.')}; {hint}", ctx) from None

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; where the packages of an extra are missing, name the extra."""
        try:
            return super().invoke(ctx)
        except (ModuleNotFoundError, InputError) as error:
            # a registry turns a failed import into an `InputError`
            from jurat.cli._common.extras import install, missing_extra

            extra = missing_extra(error)
            if extra is None:
                raise
            message = f"{ctx.invoked_subcommand} needs the extra '{extra}': {install(extra)}"
            raise click.ClickException(message) from error

    @staticmethod
    def _load(entry: EntryPoint) -> click.Command:
        """An outside package's command; one that cannot be loaded becomes a command that says so.

        Raising here would break `jurat --help` and with it every other command.
        """
        source = f"the command '{entry.name}' ({entry.value})"
        # an error is returned as a command, so that it appears in the list and when it is run
        try:
            offered = guarded(entry.load, source)
            if isinstance(offered, click.Command):
                return offered
            raise input_error(f"{source} is not a click command")
        except InputError as error:
            return click.Command(entry.name, callback=partial(_raise, error), help=str(error))

    @staticmethod
    def _own() -> dict[str, str]:
        """The module of each of Jurat's own commands."""
        files = os.listdir(__path__[0])  # noqa: PTH208 - pathlib is slow to import
        # listed without importing: `jurat --help` has to be quick
        modules = [n[:-3] for n in files if n.endswith(".py") and not n.startswith("_")]
        alone = {m.replace("_", "-"): m for m in modules if m not in SHARED}
        return alone | {name: module for module, names in SHARED.items() for name in names}

    @staticmethod
    def _outside() -> dict[str, EntryPoint]:
        return {entry.name: entry for entry in entry_points(__name__)}


@click.command(
    cls=Commands,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="jurat")
def jurat() -> None:
    """Evaluate machine translation with human judges, from system outputs to results."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit; a user's mistake prints plain lines and exits with status 2."""
    try:
        # not standalone, or click would print errors in its own way and exit by itself
        status = jurat.main(arguments, prog_name="jurat", standalone_mode=False)
    except InputError as error:
        sys.exit(_say(2, *map(str, error.problems)))
    # a group without a subcommand: help was asked for, so this is no error
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help())
        sys.exit(0)
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "jurat"
        sys.exit(_say(2, error.format_message(), f"see {path} --help"))
    except click.ClickException as error:
        sys.exit(_say(2, error.format_message()))
    except click.Abort:
        # 130 is what shells report for a program that was stopped by Ctrl+C
        sys.exit(_say(130, "stopped"))
    except BrokenPipeError:
        # the reader of the pipe has gone; without this Python would report it again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    # a full disk or a missing permission: a message is enough, without a traceback
    except OSError as error:
        sys.exit(_say(2, f"{error.filename or 'file'}: {error.strerror or error}"))
    sys.exit(status if isinstance(status, int) else 0)


def _raise(error: InputError) -> None:
    raise error


def _say(status: int, *lines: str) -> int:
    for line in lines:
        click.echo(f"jurat: {line}" if line is lines[0] else f"       {line}", err=True)
    return status
