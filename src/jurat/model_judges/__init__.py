"""Language models as judges: a campaign's items in, a chat endpoint's checked answers out."""

from __future__ import annotations

from jurat.model_judges.collect import Collected, Collector
from jurat.model_judges.endpoint import Endpoint, EndpointFault, Prices
from jurat.model_judges.prompt import ANSWERABLE

__all__ = ["ANSWERABLE", "Collected", "Collector", "Endpoint", "EndpointFault", "Prices"]
