"""How texts are written: from which side, and exactly."""

import pytest

from jurat.web.html_text import direction, exact


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        *(("ar", "rtl"), ("ur-PK", "rtl"), ("fa_IR", "rtl"), ("pa-Arab", "rtl")),
        *(("hi", "ltr"), ("zh-Hans", "ltr"), ("", "auto"), ("Arabic", "auto"), ("??", "auto")),
    ],
)
def test_a_language_has_a_direction(language: str, expected: str) -> None:
    assert direction(language) == expected


def test_a_text_is_safe_and_keeps_every_sign() -> None:
    assert exact("<b>a\r\nb</b> & 'c'") == "&lt;b&gt;a&#13;\nb&lt;/b&gt; &amp; &#39;c&#39;"
