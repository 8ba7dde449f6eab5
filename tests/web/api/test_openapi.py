"""The OpenAPI document says what the API does: every route, every response, whatever is sent."""

import json
from collections import Counter
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from jurat.campaigns.api_tokens import SCOPES
from jurat.web.api import routes
from jurat.web.api.openapi import document
from tests.campaigns.sample_campaigns import NAME
from tests.web.api.conftest import client_of
from tests.web.website import Website

SCHEMA = json.loads(document())
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


def test_every_route_is_in_the_document_and_nothing_else(script: TestClient):
    (mount,) = routes
    assert isinstance(mount, Mount)
    served = {
        (route.path, method.lower())
        for route in mount.routes
        if isinstance(route, Route)
        for method in route.methods or ()
        if method != "HEAD" and route.path != "/openapi.json"
    }
    told = {(path, method) for path, one in SCHEMA["paths"].items() for method in one}
    assert served == told
    assert script.get("openapi.json").json() == SCHEMA


# Parts of a request, as schemathesis and the client call them.
SENT = {name: name for name in ("method", "url", "params", "json", "files", "headers")}
SENT["data"] = "content"
FORM = (("/campaigns", "post"), GenerationMode.NEGATIVE)
OPERATIONS = [(path, method) for path, one in SCHEMA["paths"].items() for method in one]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that takes long: passwords are not hashed, and results not waited for."""
    monkeypatch.setattr("jurat.campaigns.auth.hash_password", lambda password: password)
    monkeypatch.setattr("jurat.campaigns.monitoring.cached_results.FIRST_WAIT", 0)


@pytest.mark.usefixtures("quick")
def test_whatever_is_sent_the_answer_is_as_the_document_says(site: Website):
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", site.app)
    schema.validate()
    client = client_of(site, *SCOPES)
    statuses: Counter[int] = Counter()

    def attempt(case: Case[Any]) -> None:
        place = case.path_parameters or {}
        # half of the addresses lead somewhere
        if len(place.get("campaign", "")) % 2:
            case.path_parameters = {**place, "campaign": NAME}
        # a made-up token would get no further than 401, and which ones are made up varies
        case.headers.pop("Authorization", None)
        sent = case.as_transport_kwargs(base_url="http://jurat.test/api/v1")
        parts = {SENT[name]: value for name, value in sent.items() if name in SENT}
        answer = client.request(**parts)
        statuses[answer.status_code] += 1
        answer.request.read()
        case.validate_response(answer, checks=CHECKS)

    modes = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    # httpx does not send forms whose files are no files
    tried = [(*one, mode) for one in OPERATIONS for mode in modes if (one, mode) != FORM]
    for path, method, mode in tried:
        run = given(schema[path][method.upper()].as_strategy(mode))(attempt)
        settings(
            max_examples=2,
            phases=[Phase.generate],
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )(run)()
    assert not any(status >= 500 and status != 503 for status in statuses)
    assert {200, 404, 422} <= {*statuses}
