"""The judge's pages: log in, see what remains, judge, rest."""

from starlette.convertors import Convertor, register_url_convertor
from starlette.routing import Route

from jurat.web.judge import access, api, guides, home, judging
from jurat.web.looks import look


class Position(Convertor[int]):
    """A place in a kit: a number that a database can hold."""

    regex = "[0-9]{1,6}"

    def convert(self, value: str) -> int:
        """The number."""
        return int(value)

    def to_string(self, value: int) -> str:
        """Its digits."""
        return str(value)


register_url_convertor("position", Position())

SENT_ONLY = ("/login", "/logout", "/register", "/feedback", "/look")
"""Where forms go: a language that is chosen after one leads back here."""

routes = [
    # what judges ask for most is looked for first
    Route("/api/decide", api.decide, methods=["POST"]),
    Route("/api/draft", api.draft, methods=["PUT"]),
    Route("/", home.show),
    Route("/login", access.log_in, methods=["POST"]),
    Route("/link/{token}", access.follow_link),
    Route("/logout", access.log_out, methods=["POST"]),
    Route("/password", access.password, methods=["GET", "POST"]),
    Route("/register", access.register, methods=["POST"]),
    Route("/guest", access.lessons, methods=["GET"]),
    Route("/guest", access.enter_as_guest, methods=["POST"]),
    Route("/guest/{task}/{position:position}", judging.guest, methods=["GET", "POST"]),
    Route("/guidelines/{task}", guides.show),
    Route("/judge", judging.show, methods=["GET"]),
    Route("/judge", judging.decide, methods=["POST"]),
    Route("/judge/{assignment}/{position:position}", judging.look_back, methods=["GET", "POST"]),
    Route("/feedback", home.feedback, methods=["POST"]),
    Route("/look", look, methods=["POST"]),
    *(Route(path, access.go_home, methods=["GET"]) for path in SENT_ONLY),
    Route("/api/me", api.me),
    Route("/api/step", api.step),
    Route("/api/step/{assignment}/{position:position}", api.look_back),
    Route("/api/ahead/{assignment}/{position:position}", api.ahead),
]
