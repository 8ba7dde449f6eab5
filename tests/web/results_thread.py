"""Results of campaigns, computed in the tests' own process."""

from __future__ import annotations

import pickle
from functools import partial
from typing import Any

from jurat.campaigns.monitoring.worker import (
    JobFuture,
    WorkerProcess,
    WorkerState,
    _Job,
    _outcome,
)


class WorkerThread(WorkerProcess):
    """The worker without a process of its own, which would first import everything for a second.

    What goes in and comes out is pickled as ever.
    """

    _state: WorkerState | None = None

    def close(self) -> None:
        """Let the job that runs end; the others fail with `WorkerFailed`."""
        super().close()
        if self._state:
            self._state.store.close()
            self._state = None

    def _exchange(self, job: _Job) -> tuple[str, Any]:
        self._state = self._state or WorkerState(self._settings[0])
        self._state.progress = partial(_tell, job.future)
        work, arguments = pickle.loads(pickle.dumps((job.function, job.arguments)))
        kind, found = pickle.loads(_outcome(work, self._state, arguments))
        return kind, found


def _tell(future: JobFuture[Any], share: float) -> None:
    future.progress = share
