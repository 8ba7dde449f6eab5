"""Metrics as people write them, and what is said when they miswrite them."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurat.errors import InputError
from jurat.metrics import metrics, parse_metrics
from jurat.metrics.bleu import Bleu
from jurat.metrics.chrf import Chrf, ChrfPlusPlus
from jurat.metrics.meteor import Meteor
from jurat.metrics.metric import Metric
from jurat.model import File
from tests.input_strategies import attempt, texts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bleu", [Bleu()]),
        ("BLEU,chrF++", [Bleu(), ChrfPlusPlus()]),
        ("bleu:tokenize=zh,lowercase=true,chrf", [Bleu(tokenize="zh", lowercase=True), Chrf()]),
        (" chrf : beta = 3 , bleu ", [Chrf(beta=3), Bleu()]),
        ("bleu,bleu:lowercase=1", [Bleu(), Bleu(lowercase=True)]),
        ("bleu:smooth=floor,smooth_value=0.01", [Bleu(smooth="floor", smooth_value=0.01)]),
        ("bleu:smooth=add-k,chrf:word_order=1", [Bleu(smooth="add-k"), Chrf(word_order=1)]),
    ],
)
def test_what_is_meant(text: str, expected: list[Metric]) -> None:
    assert parse_metrics(text) == expected


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("blue", "unknown metric 'blue'; .*did you mean 'bleu'"),
        ("bleu:tokenise=13a", "unknown option of bleu 'tokenise'; .*did you mean 'tokenize'"),
        ("bleu:tokenize=13b", "bleu: unknown tokenizer '13b'; .*did you mean '13a'"),
        ("bleu:smooth=epx", "bleu:smooth: unknown smoothing 'epx'; .*did you mean 'exp'"),
        ("bleu:order=four", "bleu:order: expected a whole number, got 'four'"),
        ("bleu:order=4.5", "bleu:order: expected a whole number, got '4.5'"),
        ("bleu:order=0", "bleu:order: the order of n-grams is from 1 to 99"),
        ("bleu:smooth_value=much", "bleu:smooth_value: expected a number, got 'much'"),
        ("bleu:lowercase=maybe", "bleu:lowercase: expected true or false, got 'maybe'"),
        ("bleu:lowercase=\ud800", "bleu:lowercase: expected true or false"),
        ("bleu:order=2,order=3", "the option 'order' of bleu is given twice"),
        ("lowercase=true,bleu", "the option 'lowercase=true' stands before any metric"),
        ("bleu,bleu", "'bleu' is asked for twice"),
        ("bleu,BLEU:order=4", "'BLEU' is asked for twice"),
        ("bleu:", "'bleu:' is no metric and no option; write bleu:tokenize=13a"),
        ("bleu:lowercase", "'bleu:lowercase' is no metric and no option"),
        ("bleu,,ter", "'' is no metric and no option"),
        ("", "'' is no metric and no option"),
    ],
)
def test_what_is_miswritten(text: str, word: str) -> None:
    with pytest.raises(InputError, match=f"^{word}"):
        parse_metrics(text)


names = st.sampled_from([*metrics().kinds, "blue", ""])
options = st.sampled_from(["tokenize", "lowercase", "order", "beta", "exponent", "smooth", ""])
values = st.sampled_from(["13a", "true", "4", "-1", "1e400", "nan", "9" * 30, ""]) | texts
parts = (
    texts
    | names
    | st.builds("{}:{}={}".format, names, options, values)
    | st.builds("{}={}".format, options, values)
)


@given(st.lists(parts, max_size=4).map(",".join))
@settings(max_examples=40, deadline=None)
def test_anything_is_understood_or_refused(text: str) -> None:
    found = attempt(lambda: parse_metrics(text))
    assert isinstance(found, list | tuple)
    if isinstance(found, list):
        assert found
        assert all(isinstance(metric, Metric) for metric in found)


def test_what_files_hold() -> None:
    files = {"words.txt": b"the a\nof"}
    (metric,) = parse_metrics(
        "meteor:function_words=words.txt,language=en", lambda name: File(name, files[name])
    )
    assert metric == Meteor(function_words=frozenset({"the", "a", "of"}))
    with pytest.raises(InputError, match="meteor:function_words names a file, and no file is"):
        parse_metrics("meteor:function_words=words.txt")


def test_asking_for_metrics_compiles_nothing() -> None:
    """Help and refusals come at once: what compiles is loaded when it is needed."""
    asked = (
        "import sys; from jurat.metrics import metrics; from jurat.metrics import "
        "parse_metrics; parse_metrics(','.join(metrics().kinds)); print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
