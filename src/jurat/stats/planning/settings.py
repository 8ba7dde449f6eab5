"""What a coordinator asks of a plan."""

from __future__ import annotations

from jurat.errors import input_error, unknown_name
from jurat.stats.statistic import Settings

CENTRED = "centred"


class PlanSettings(Settings, frozen=True, kw_only=True):
    """A campaign, as far as it is fixed, and the precision wanted; 0 leaves a thing open.

    `method`: `centred` takes each judge's mean off their judgments, where these are from a file.
    """

    systems: int = 0
    segments: int = 0
    judgments: int = 0
    """Of every translation, each by another judge."""
    judges: int = 0
    kit_size: int = 20
    """Items in a kit."""
    interval: float = 0.0
    """Half of the interval of a system's score, in points of the scale."""
    difference: float = 0.0
    """Between two systems, in points of the scale, that is to be found."""
    power: float = 0.8
    """How likely it is to be found."""
    protocol: str = "tapet-adequacy"
    seconds: float = 0.0
    """That a judge takes for an item."""
    severity: float = 0.05
    """Of judges: the deviation of what each takes off every quality, where the scale is 0 to 1."""
    noise: float = 0.1
    """The deviation of a judge's slips, where the scale is 0 to 1."""
    simulations: int = 1000
    stop: bool = False

    def __post_init__(self) -> None:
        for name in ("interval", "difference", "severity", "noise", "seconds"):
            if getattr(self, name) < 0:
                raise input_error(
                    f"{name} cannot be below 0", field=name, value=getattr(self, name)
                )
        if self.method not in ("", CENTRED):
            raise unknown_name("--method", self.method, (CENTRED,))
        if not 0 < self.power < 1:
            raise input_error("power lies between 0 and 1", field="power", value=self.power)

    @property
    def centred(self) -> bool:
        """Whether each judge's mean is taken off their judgments first."""
        return self.method == CENTRED

    @property
    def error(self) -> float:
        """How often a difference may be found where there is none."""
        return 1 - self.confidence
