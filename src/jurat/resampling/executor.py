"""Where the chunks of random work are computed: here, or by the workers of a Dask cluster.

Chunks and their seeds do not depend on it, so that neither do the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from jurat.errors import InputError, input_error

if TYPE_CHECKING:
    from distributed import Client

DASK = "dask://"
# Seconds until a scheduler must have answered.
PATIENCE = 10
# Work is done elsewhere if its worker dies, so often.
RETRIES = 3

_clients: list[Client] = []
"""The cluster that is used now is the last: a process computes one analysis at a time."""

Chunk = Callable[..., NDArray[Any]]
Task = tuple[Any, ...]


@contextmanager
def executor(address: str) -> Iterator[None]:
    """Compute in the cluster at this address within the block; here for an empty one.

    Args:
        address: `dask://HOST:PORT` of a scheduler; its workers have the same version of Jurat.

    Raises:
        InputError: for another kind of address, a scheduler that does not answer or has no
            workers, or without the extra `dask`.
    """
    if not address:
        yield
        return
    with _connected(address) as client:
        _clients.append(client)
        try:
            yield
        finally:
            _clients.remove(client)


def is_remote() -> bool:
    """Whether work goes to a cluster now."""
    return bool(_clients)


def compute_remotely(chunk: Chunk, tasks: Sequence[Task], shared: Task) -> list[NDArray[Any]]:
    """The results of `chunk(*task, *shared)` for every task, in order, by the cluster."""
    client = _clients[-1]
    # on every worker, so that the loss of one of them loses nothing
    scattered = client.scatter(list(shared), broadcast=True, hash=False) if shared else []
    futures = [
        client.submit(chunk, *task, *scattered, pure=False, retries=RETRIES) for task in tasks
    ]
    found: list[NDArray[Any]] = client.gather(futures)
    return found


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    if not address.startswith(DASK):
        raise _refused(address, f"an executor is {DASK}HOST:PORT")
    try:
        from distributed import Client
    except ImportError:
        raise _refused(address, 'it needs the extra "dask": pip install "jurat[dask]"') from None
    try:
        client = Client(address.replace(DASK, "tcp://", 1), timeout=PATIENCE)
    except (OSError, ValueError):
        raise _refused(address, "no Dask scheduler answers there") from None
    try:
        if not client.scheduler_info(n_workers=-1)["workers"]:
            raise _refused(address, "the scheduler has no workers")
        yield client
    finally:
        client.close()


def _refused(address: str, why: str) -> InputError:
    return input_error(why, field="executor", value=address)
