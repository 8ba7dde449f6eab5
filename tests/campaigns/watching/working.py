"""What a process beside is asked in tests: functions that it can find."""

import os
import time

from jurat.campaigns.watching.room import Room
from jurat.faults import complain


def names(room: Room) -> list[str]:
    return [campaign.name for campaign in room.store.campaigns()]


def process(_: Room) -> tuple[int, int]:
    return os.getpid(), os.nice(0)


def echo(_: Room, *given: object) -> tuple[object, ...]:
    print("what is printed does not disturb the answer")
    return given


def fault(_: Room) -> None:
    raise complain("that is wrong", field="x", allowed=("y",))


def mistake(_: Room) -> None:
    raise ZeroDivisionError


def unspeakable(_: Room) -> object:
    return lambda: None


def end(_: Room) -> None:
    os._exit(3)


def slow(_: Room, seconds: float) -> float:
    time.sleep(seconds)
    return seconds
