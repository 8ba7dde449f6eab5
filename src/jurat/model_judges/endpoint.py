"""A chat endpoint of the OpenAI kind: messages in, a text and its tokens out."""

from __future__ import annotations

import email.utils
import http.client
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from jurat.errors import input_error, shortened

PATH = "/chat/completions"
# Bytes of an answer: a hundred times what a judge has to say.
LARGEST = 4 << 20
_CHUNK = 1 << 16
# The longest time that an endpoint may ask to wait with Retry-After.
LONGEST_WAIT = 120.0

Message = Mapping[str, str]
Clock = Callable[[], float]


class Prices(NamedTuple):
    """What a million tokens cost, of the prompt and of the answer."""

    prompt: float
    answer: float


class Usage(msgspec.Struct, frozen=True):
    """The tokens of a request; 0 where the endpoint does not tell."""

    prompt_tokens: int = 0
    completion_tokens: int = 0


class Reply(NamedTuple):
    """What the model wrote, and its tokens."""

    text: str
    usage: Usage


class EndpointFault(Exception):
    """A request that failed; `again` where another attempt may succeed."""

    def __init__(self, message: str, *, again: bool, wait: float | None = None) -> None:
        super().__init__(message)
        self.again = again
        self.wait = wait
        """Seconds after which the endpoint wants to be asked again."""


class _Text(msgspec.Struct, frozen=True):
    content: str | None = None


class _Choice(msgspec.Struct, frozen=True):
    message: _Text


class _Completion(msgspec.Struct, frozen=True):
    choices: list[_Choice]
    usage: Usage | None = None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Takes a redirect for an error: the key is for the address that was given."""

    def redirect_request(self, *args: Any, **more: Any) -> None:
        """Follow nothing."""


class Endpoint:
    """The endpoint at an address; `timeout` is for a whole request, in seconds."""

    def __init__(self, url: str, *, key: str = "", timeout: float = 60.0, clock: Clock) -> None:
        """Raises `InputError` for an address that is none of the web."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            message = f"'{url}' is not an address of an endpoint: write https://host/v1"
            raise input_error(message, field="endpoint", value=url)
        whole = url.rstrip("/")
        self.url = whole if whole.endswith(PATH) else whole + PATH
        self._key = key
        self._timeout = timeout
        self._clock = clock
        self._opener = urllib.request.build_opener(_NoRedirects)

    def ask(
        self, model: str, messages: Sequence[Message], parameters: Mapping[str, object]
    ) -> Reply:
        """The model's next message. Raises `EndpointFault`."""
        body = {**parameters, "model": model, "messages": messages}
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(  # noqa: S310 - the scheme is checked above
            self.url, data=msgspec.json.encode(body), headers=headers, method="POST"
        )
        return _reply(self._sent(request))

    def _sent(self, request: urllib.request.Request) -> bytes:
        end = self._clock() + self._timeout
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                return self._read(response, end)
        except urllib.error.HTTPError as error:
            with error:
                raise _refused(error) from error
        except TimeoutError as error:
            raise self._too_slow() from error
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            if isinstance(reason, TimeoutError):
                raise self._too_slow() from error
            raise EndpointFault(f"the endpoint cannot be reached: {reason}", again=True) from error

    def _read(self, response: http.client.HTTPResponse, end: float) -> bytes:
        """The whole body; the timeout of a socket is for each read only."""
        read = bytearray()
        while chunk := response.read1(_CHUNK):
            read += chunk
            if len(read) > LARGEST:
                raise EndpointFault("the endpoint's answer is too long", again=True)
            if self._clock() > end:
                raise self._too_slow()
        return bytes(read)

    def _too_slow(self) -> EndpointFault:
        return EndpointFault(f"no answer within {self._timeout:g} seconds", again=True)


def _refused(error: urllib.error.HTTPError) -> EndpointFault:
    """The fault of a status that is no success."""
    try:
        said = error.read(2000).decode(errors="replace").strip()
    except (OSError, http.client.HTTPException):
        said = ""
    message = f"the endpoint answered {error.code}" + (f": {shortened(said)}" if said else "")
    again = error.code in (408, 409, 425, 429) or error.code >= 500
    return EndpointFault(message, again=again, wait=_wait(error.headers.get("Retry-After")))


def _wait(told: str | None) -> float | None:
    """The seconds of a Retry-After header, which may also be a date."""
    if not told:
        return None
    try:
        seconds = float(told)
    except ValueError:
        try:
            moment = email.utils.parsedate_to_datetime(told)
        except ValueError:
            return None
        seconds = (moment - datetime.now(UTC)).total_seconds() if moment.tzinfo else 0.0
    return min(max(seconds, 0.0), LONGEST_WAIT)


def _reply(body: bytes) -> Reply:
    try:
        found = msgspec.json.decode(body, type=_Completion)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        message = f"the endpoint's answer is no chat completion: {error}"
        raise EndpointFault(message, again=True) from error
    if not found.choices:
        raise EndpointFault("the endpoint's answer has no choices", again=True)
    text = found.choices[0].message.content or ""
    return Reply(text, found.usage or Usage())
