"""The command line: one file per command, found by its name.

A module of this folder offers a click command as `command`. Outside packages join with an entry
point in the group `jurat.cli`. Modules of this folder import click and `_common` alone at their
top; whatever is heavy (polars, numpy, rich, the store) is imported in the function that needs it.
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
from jurat.errors import InputError, did_you_mean, input_error
from jurat.registry import entry_points, guarded

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

EXAMPLE = "Start with `jurat sample DIR` for files to try things on."
_DOCSTRING = re.compile(r'^def command\(.*?"""(.*?)"""', re.DOTALL | re.MULTILINE)


class Commands(click.Group):
    """The commands that the folder and outside packages offer; each is imported when it is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of own and outside commands, sorted."""
        return sorted({*self._own(), *self._outside()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; None if there is none."""
        if cmd_name in self._own():
            offered = importlib.import_module(f"{__name__}.{cmd_name}").command
            assert isinstance(offered, click.Command)
            return offered
        outside = self._outside()
        return self._load(outside[cmd_name]) if cmd_name in outside else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with the first sentence of their help.

        click would import every command for that, which takes twice as long as all the rest of
        `jurat --help`; the sentence is read from the docstring in the source file instead.
        """
        names = self.list_commands(ctx)
        limit = formatter.width - 6 - max(map(len, names))
        rows = [(name, self._summary(ctx, name, limit)) for name in names]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def _summary(self, ctx: click.Context, name: str, limit: int) -> str:
        """The first sentence of a command's help, shortened to so many characters."""
        if name in self._own():
            with open(f"{__path__[0]}/{name}.py", encoding="utf-8") as file:  # noqa: PTH123
                if found := _DOCSTRING.search(file.read()):
                    return click.Command(name, help=found[1]).get_short_help_str(limit)
        command = self.get_command(ctx, name)
        return command.get_short_help_str(limit) if command else ""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Suggest the nearest name for a mistyped one."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            hint = did_you_mean(args[0], self.list_commands(ctx)) or "see jurat --help"
            raise click.UsageError(f"{error.message.rstrip('.')}; {hint}", ctx) from None

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; if the packages of an extra are missing, say which extra it is."""
        try:
            return super().invoke(ctx)
        except (ModuleNotFoundError, InputError) as error:
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
        try:
            offered = guarded(entry.load, source)
            if isinstance(offered, click.Command):
                return offered
            raise input_error(f"{source} is no command")
        except InputError as error:
            return click.Command(entry.name, callback=partial(_raise, error), help=str(error))

    @staticmethod
    def _own() -> list[str]:
        files = os.listdir(__path__[0])  # noqa: PTH208 - pathlib is slow to import
        return [name[:-3] for name in files if name.endswith(".py") and not name.startswith("_")]

    @staticmethod
    def _outside() -> dict[str, EntryPoint]:
        return {entry.name: entry for entry in entry_points(__name__)}


@click.command(
    cls=Commands,
    epilog=EXAMPLE,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="jurat")
def jurat() -> None:
    """Human evaluation of machine translation, from the systems' outputs to the report."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; a user's mistake gives one or two plain lines and status 2, no traceback."""
    try:
        status = jurat.main(arguments, prog_name="jurat", standalone_mode=False)
    except InputError as error:
        sys.exit(_say(2, *map(str, error.problems)))
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help())
        sys.exit(0)
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "jurat"
        sys.exit(_say(2, error.format_message(), f"see {path} --help"))
    except click.ClickException as error:
        sys.exit(_say(2, error.format_message()))
    except click.Abort:
        sys.exit(_say(130, "stopped"))
    except BrokenPipeError:
        # the reader of a pipe has gone; without this Python complains again while it shuts down
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        sys.exit(_say(2, f"{error.filename or 'file'}: {error.strerror or error}"))
    sys.exit(status if isinstance(status, int) else 0)


def _raise(error: InputError) -> None:
    raise error


def _say(status: int, *lines: str) -> int:
    for line in lines:
        click.echo(f"jurat: {line}" if line is lines[0] else f"       {line}", err=True)
    return status
