"""The adjudicators' pages: where judges differ, judged once more without seeing who said what."""

from starlette.routing import Route

from jurat.web.adjudicator import cases

routes: list[Route] = cases.routes
