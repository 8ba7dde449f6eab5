"""The judge's pages: log in, see what remains, judge, rest."""

from starlette.convertors import Convertor, register_url_convertor
from starlette.routing import Route

from jurat.web import media
from jurat.web.judge import guidelines, login, pages, platform, questionnaire, script_api
from jurat.web.site_pages import save_preferences


class Position(Convertor[int]):
    """A place in a kit: a number that a database can hold."""

    regex = "[0-9]{1,6}"

    def convert(self, value: str) -> int:
        """The number."""
        return int(value)

    def to_string(self, value: int) -> str:
        """Its digits."""
        return str(value)


# before the routes, whose paths are compiled when they are made
register_url_convertor("position", Position())

# Where forms go: a language that is chosen after one leads back here.
SENT_ONLY = ("/login", "/logout", "/register", "/feedback", "/dismiss", "/look")

# Tried in this order: next to decisions, saving unfinished answers is the most frequent request.
routes = [
    Route("/api/draft", script_api.save_answers, methods=["PUT"]),
    Route("/", pages.home),
    Route("/login", login.log_in, methods=["POST"]),
    Route("/link/{token}", login.follow_link),
    Route("/logout", login.log_out, methods=["POST"]),
    Route("/password", login.password, methods=["GET", "POST"]),
    Route("/register", login.register, methods=["POST"]),
    Route("/guest", login.lessons, methods=["GET"]),
    Route("/guest", login.enter_as_guest, methods=["POST"]),
    Route("/guest-done", pages.guest_done),
    Route("/guest/{task}/{position:position}", pages.guest, methods=["GET", "POST"]),
    Route("/guidelines/{task}", guidelines.show),
    Route("/judge", pages.show, methods=["GET"]),
    Route("/between", pages.between),
    Route("/practice/{assignment}/{position:position}", pages.practice),
    Route("/judge", pages.decide, methods=["POST"]),
    Route("/judge/{assignment}/{position:position}", pages.look_back, methods=["GET", "POST"]),
    Route("/enter", platform.enter),
    Route("/end", platform.end),
    Route("/questionnaire/{moment}", questionnaire.questionnaire, methods=["GET", "POST"]),
    Route("/media/{digest}", media.show),
    Route("/offline", pages.offline),
    Route("/feedback", pages.feedback, methods=["POST"]),
    Route("/dismiss", pages.dismiss, methods=["POST"]),
    Route("/look", save_preferences, methods=["POST"]),
    *(Route(path, login.go_home, methods=["GET"]) for path in SENT_ONLY),
    Route("/api/me", script_api.me),
    Route("/api/step", script_api.step),
    Route("/api/step/{assignment}/{position:position}", script_api.look_back),
    Route("/api/ahead/{assignment}/{position:position}", script_api.ahead),
]
