import pytest

from jurat.metrics import counts_errors, error_metrics


def test_error_metrics_are_those_of_jurat_and_others():
    assert {"ter", "wer", "hter", "cer", "terp"} <= error_metrics()
    assert not {"bleu", "chrf", "gtm", "meteor"} & error_metrics()


@pytest.mark.parametrize(
    ("label", "errors"),
    [
        ("TER", True),
        ("ter-refA", True),
        ("WER_src", True),
        ("ter:no_punct=true", True),
        ("TERRIFIC", False),
        ("chrF++", False),
        ("BLEU", False),
    ],
)
def test_a_name_tells_by_its_beginning(label, errors):
    assert counts_errors(label) is errors
