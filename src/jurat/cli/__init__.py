"""The command line: one file per command, found by its name.

A module of this folder offers a click command as `command`. Outside packages join with an entry
point in the group `jurat.cli`. Heavy libraries are imported inside the functions that need them,
so that `jurat --help` is there at once.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from functools import partial
from importlib.metadata import EntryPoint, entry_points

import click

from jurat import __version__
from jurat.faults import FaultyInput, complain, did_you_mean
from jurat.registry import guarded

EXAMPLE = "Start with `jurat sample DIR` for files to try things on."


class Commands(click.Group):
    """The commands that the folder offers."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Own and outside commands, by name."""
        return sorted({*self._own(), *self._outside()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command when it is asked for."""
        if cmd_name in self._own():
            offered: object = importlib.import_module(f"{__name__}.{cmd_name}").command
            return self._command(offered)
        outside = self._outside()
        return self._stranger(outside[cmd_name]) if cmd_name in outside else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Suggest the nearest name for a mistyped one."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            hint = did_you_mean(args[0], self.list_commands(ctx)) or "see jurat --help"
            raise click.UsageError(f"{error.message.rstrip('.')}; {hint}", ctx) from None

    def _stranger(self, entry: EntryPoint) -> click.Command:
        """An outside package's command; one that is broken says so, and spoils no other."""
        source = f"the command '{entry.name}' ({entry.value})"
        try:
            offered = guarded(entry.load, source)
            if isinstance(offered, click.Command):
                return offered
            raise complain(f"{source} is no command")
        except FaultyInput as error:
            return click.Command(entry.name, callback=partial(_raise, error), help=str(error))

    @staticmethod
    def _command(offered: object) -> click.Command:
        assert isinstance(offered, click.Command)
        return offered

    @staticmethod
    def _own() -> list[str]:
        return [module.name for module in pkgutil.iter_modules(__path__) if not module.ispkg]

    @staticmethod
    def _outside() -> dict[str, EntryPoint]:
        return {entry.name: entry for entry in entry_points(group=__name__)}


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
    except FaultyInput as error:
        sys.exit(_say(2, *map(str, error.faults)))
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


def _raise(error: FaultyInput) -> None:
    raise error


def _say(status: int, *lines: str) -> int:
    for line in lines:
        click.echo(f"jurat: {line}" if line is lines[0] else f"       {line}", err=True)
    return status
