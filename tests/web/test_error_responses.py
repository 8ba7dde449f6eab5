"""Who gets an error as a page, and who as JSON."""

import pytest
from starlette.requests import Request

from jurat.web.error_responses import wants_json


@pytest.mark.parametrize(
    ("path", "json"),
    [
        ("/c/sample/api/decide", True),
        ("/c/api/api/step", True),
        ("/c/api/judge", False),  # a campaign may have this name
        ("/c/sample/desk/", False),
        ("/", False),
    ],
)
def test_scripts_get_json_and_people_pages(path: str, json: bool):
    request = Request({"type": "http", "path": path, "headers": []})
    assert wants_json(request) is json
