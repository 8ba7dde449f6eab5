"""The settings that every analysis shares; each command adds its own in a subclass.

Nothing heavy is imported here: scores of metrics start without tables.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from jurat.errors import input_error

Chosen = TypeVar("Chosen", bound="ResamplingSettings")


class ResamplingSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How bootstrap intervals are computed."""

    seed: int = 1
    bootstrap: int = 1000
    """The number of resamples; 0 gives values without intervals."""
    confidence: float = 0.95
    jobs: int = 1

    @classmethod
    def of(cls: type[Chosen], settings: ResamplingSettings) -> Chosen:
        """The settings as this class; what only this class has keeps its default."""
        if isinstance(settings, cls):
            return settings
        common: dict[str, Any] = {
            name: getattr(settings, name)
            for name in cls.__struct_fields__
            if hasattr(settings, name)
        }
        return cls(**common)


class Settings(ResamplingSettings, frozen=True, kw_only=True):
    """How an analysis is computed: intervals, and the named method where there are several."""

    method: str = ""

    def refuse_method(self) -> None:
        """Raise InputError if a method is named where there is only one."""
        if self.method:
            raise input_error(
                f"unknown method '{self.method}': there is only one way to compute this"
            )
