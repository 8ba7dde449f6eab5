"""Jobs that run side by side in one transaction of PostgreSQL, on one connection.

While a job waits for the server's answer the others go on, so that what they ask for is sent
together: a group needs as many round trips as the job with the most questions, however many jobs
there are. Jobs are plain functions; each runs in a greenlet of its own, and they take turns.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from greenlet import getcurrent, greenlet
from psycopg import Pipeline


class PipelineTurns:
    """Lets jobs take turns until all of them have finished."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._hub = getcurrent()
        self._live: list[greenlet] = []
        self._held: dict[Hashable, greenlet] = {}
        """Who works on what no other job may work on meanwhile."""
        self._blocked: set[greenlet] = set()
        """Who waits for other jobs, and not for the server."""
        self._alone: list[greenlet] = []
        """Who wants to be the only one at work, in order; the first of them may be."""
        self._apart: set[greenlet] = set()
        """Who was the only one at work, and touches nothing that others may touch any more."""

    def run(self, works: Sequence[Callable[[], None]]) -> None:
        """Run all of them to their ends. Raises what one of them raises, or the server's error."""
        self._live = [greenlet(work, self._hub) for work in works]
        try:
            while self._live:
                for one in tuple(self._live):
                    one.switch()
                    if one.dead:
                        self._leave(one)
                self._pipeline.sync()
        except BaseException:
            self._end_all()
            raise

    def wait(self) -> None:
        """Let the others go on until the server has answered what this job has asked."""
        self._hub.switch()

    def exclude(self, key: Hashable) -> None:
        """Wait until no other job holds a key, and hold it to this job's end."""
        me = getcurrent()
        while self._held.setdefault(key, me) is not me:
            self._block(me)

    def exclude_all(self) -> None:
        """Wait until no other job is at work, and keep all others waiting to this job's end."""
        me = getcurrent()
        self._apart.discard(me)
        if me not in self._alone:
            self._alone.append(me)
        # those who wait for a key of this job would wait for ever if it waited for them
        while self._alone[0] is not me or self._others_at_work(me):
            self._block(me)

    def admit_all(self) -> None:
        """Let others work again, before the end of the job that has excluded them."""
        me = getcurrent()
        self._alone.remove(me)
        self._apart.add(me)

    def _others_at_work(self, me: greenlet) -> bool:
        idle = self._blocked | self._apart
        return any(one is not me and one not in idle for one in self._live)

    def _block(self, me: greenlet) -> None:
        self._blocked.add(me)
        self._hub.switch()
        self._blocked.discard(me)

    def _leave(self, one: greenlet) -> None:
        self._live.remove(one)
        self._held = {key: holder for key, holder in self._held.items() if holder is not one}
        if one in self._alone:
            self._alone.remove(one)

    def _end_all(self) -> None:
        """End what has begun: a greenlet that is left alone would end wherever it is collected."""
        for one in self._live:
            if one:
                one.throw()
