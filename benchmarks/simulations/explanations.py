"""Why claims lie outside the bar, in a sentence each, for the page."""

from __future__ import annotations

from collections.abc import Mapping

SKEWED = "a few items decide about squares of skewed scores, which a note of the command says"
# By section and claim. A claim without a sentence is one that nobody has looked into.
EXPLANATIONS: Mapping[tuple[str, str], str] = {
    ("preferences", "sign-test"): "it takes decisions as independent, which the command says",
    ("preferences", "preference-agreement"): (
        "it is about these judges, and is now counted only where judges have no tastes"
    ),
    ("agreement", "spread-correlation quality"): (
        "few answers differ from the commonest one, which a note of the command says"
    ),
    ("agreement", "cohen-kappa quadratic"): SKEWED,
    ("agreement", "gwet-ac quadratic"): SKEWED,
    ("agreement", "brennan-prediger quadratic"): SKEWED,
    ("agreement", "answer-share"): (
        "answers that nobody gave have no interval; lower ends now take that into account"
    ),
}
