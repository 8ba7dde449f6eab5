"""The texts in the pictures: the shipped sample's own, and a few sentences into other scripts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from tests.browser.site import make_set
from tests.campaigns.sample_campaigns import SAMPLE, jsonl


def sample(references: str = "AB") -> bytes:
    """The sample's test set; with fewer references a protocol shows fewer."""
    about, *lines = map(json.loads, (SAMPLE / "testset.jsonl").read_text("utf-8").splitlines())
    return jsonl([about, *(_with(line, references) for line in lines)])


def _with(line: dict[str, Any], references: str) -> dict[str, Any]:
    return {**line, "references": {name: line["references"][name] for name in references}}


SUGGESTED = (
    ("rent a stall", "minor"),
    ("transfer", "minor"),
    ("for more than ten years", "major"),
)
"""What was marked beforehand in a sentence of the sample, not all of it rightly."""


def suggested() -> bytes:
    """The sample, with errors that were marked beforehand in one translation."""
    about, *lines = map(json.loads, sample().splitlines())
    for line in lines:
        text = line["translations"]["willow"]
        if (line["document"], line["segment"]) == ("market", "3"):
            places = [(text.index(words), words, severity) for words, severity in SUGGESTED]
            told = [
                {"start": start, "end": start + len(words), "severity": severity}
                for start, words, severity in places
            ]
            line["translations"]["willow"] = {
                "text": text,
                "tags": {"suggestions": json.dumps(told)},
            }
    return jsonl([about, *lines])


SENTENCES = (
    "The mayor announced on Tuesday that the central market will close for eight months.",
    "According to Ortiz & Vidal, the work will cost 40 million euros, 15% more than planned.",
    "“We don't want to leave, but we don't want the roof on our heads either,” said Ramón.",
)
INTO = {
    "hi": (
        (
            "महापौर ने मंगलवार को घोषणा की कि केंद्रीय बाज़ार आठ महीने बंद रहेगा।",
            "मेयर ने मंगलवार को ऐलान किया कि केंद्रीय बाज़ार आठ महीने के लिए बंद रहेगा।",
        ),
        (
            "Ortiz & Vidal के अनुसार इस काम पर 4 करोड़ यूरो खर्च होंगे, यानी योजना से 15% ज़्यादा।",
            "Ortiz & Vidal के अनुसार काम की लागत 4 करोड़ यूरो होगी, योजना से 15% अधिक।",
        ),
        (
            "रामोन ने कहा, “हम जाना नहीं चाहते, पर यह भी नहीं चाहते कि छत हमारे सिर पर गिरे।”",
            "रामोन ने कहा, “हम छोड़ना नहीं चाहते, लेकिन हमारे सिर पर छत भी नहीं चाहते।”",
        ),
    ),
    "zh": (
        ("市长周二宣布，中央市场将关闭八个月。", "市长在星期二宣布，中央市场会关门八个月。"),
        (
            "据 Ortiz & Vidal 公司称，工程将耗资 4000 万欧元，比原计划高出 15%。",
            "根据 Ortiz & Vidal 的说法，这项工作将花费 4000 万欧元，比计划多 15%。",
        ),
        (
            "拉蒙说：“我们不想走，可也不想让屋顶砸到头上。”",
            "拉蒙说：“我们不想离开，但是我们也不想屋顶在我们的头上。”",
        ),
    ),
    "ar": (
        (
            "أعلنت رئيسة البلدية يوم الثلاثاء أن السوق المركزي سيُغلق ثمانية أشهر.",
            "أعلن العمدة يوم الثلاثاء أن السوق المركزي سيغلق لمدة ثمانية أشهر.",
        ),
        (
            "وبحسب شركة Ortiz & Vidal ستبلغ كلفة الأشغال 40 مليون يورو، أي بزيادة 15% على المخطط.",
            "وفقا لأورتيز وفيدال، العمل سوف يكلف 40 مليون يورو، 15% أكثر من المخطط.",
        ),
        (
            "وقال رامون: «لا نريد أن نرحل، لكننا لا نريد أيضًا أن يسقط السقف على رؤوسنا».",
            "قال رامون: «لا نريد المغادرة، ولكن لا نريد السقف على رؤوسنا أيضا».",
        ),
    ),
}
"""What the sentences should say, and what a system made of them, by language."""


def into(language: str) -> bytes:
    """The sentences, translated from English into another language."""
    sentences: Iterable[Mapping[str, Any]] = [
        {"source": source, "references": {"A": good}, "translations": {"cedar": made}}
        for source, (good, made) in zip(SENTENCES, INTO[language], strict=True)
    ]
    return make_set(sentences, source_language="en", target_language=language)
