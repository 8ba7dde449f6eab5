"""What a process worker is asked in tests: functions that it can find."""

import os
import time

from jurat.campaigns.monitoring.worker import WorkerState
from jurat.errors import input_error


def names(state: WorkerState) -> list[str]:
    return [campaign.name for campaign in state.store.campaigns()]


def process(_: WorkerState) -> tuple[int, int]:
    return os.getpid(), os.nice(0)


def echo(_: WorkerState, *given: object) -> tuple[object, ...]:
    print("what is printed does not disturb the answer")
    return given


def problem(_: WorkerState) -> None:
    raise input_error("that is wrong", field="x", allowed=("y",))


def mistake(_: WorkerState) -> None:
    raise ZeroDivisionError


def unspeakable(_: WorkerState) -> object:
    return lambda: None


def end(_: WorkerState) -> None:
    os._exit(3)


def slow(_: WorkerState, seconds: float) -> float:
    time.sleep(seconds)
    return seconds
