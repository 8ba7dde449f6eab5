"""Two ways to judge: with the mouse alone, and with the keyboard alone.

Both give answers that can be known beforehand, so that what is stored can be compared with them.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

from jurat.protocols import Protocol
from jurat.protocols.questions import NA, Question
from jurat.protocols.questions.each import Each

BOX = """(element, [start, end]) => {
  const range = document.createRange();
  const place = (point) => {
    let left = [...element.textContent].slice(0, point).join("").length;
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (left <= node.data.length) return [node, left];
      left -= node.data.length;
    }
  };
  range.setStart(...place(start));
  range.setEnd(...place(end));
  const { x, y, width, height } = range.getClientRects()[0];
  return { x, y, width, height };
}"""
"""Where a piece of a text, in code points, is on the page."""


def box_of(text: Locator, start: int, end: int) -> dict[str, float]:
    """Where a piece of a text, in code points, is on the page."""
    found: dict[str, float] = text.evaluate(BOX, [start, end])
    return found


def word_at(text: str, number: int) -> tuple[int, int]:
    """Where the word with this number, from 0, is in a text whose words have blanks between."""
    words = text.split(" ")
    start = sum(len(word) + 1 for word in words[:number])
    return start, start + len(words[number].rstrip("."))


class InputDevice:
    """Somebody who answers every question on the page in some way."""

    def __init__(self, page: Page, protocol: Protocol) -> None:
        self.page = page
        self.protocol = protocol
        self.steps = 0

    def answer(self) -> dict[str, object]:
        """Answer all that is asked at this step; what should be stored."""
        self.steps += 1
        given: dict[str, object] = {}
        for question in self.asked():
            # a follow-up is there only after what it follows
            if self.place(question).get_attribute("data-waiting") is None:
                ways = getattr(self, question.name.replace("-", "_"))
                self._put(given, question, ways(question, self.place(question)))
        return given

    def _put(self, given: dict[str, Any], question: Question, answer: object) -> None:
        outer, _, rest = question.id.partition(".")
        if not rest:
            given[outer] = answer
            return
        slot, own = rest.split(".")
        count = self.page.locator("[data-column]").count()
        given.setdefault(outer, [{} for _ in range(count)])[int(slot) - 1][own] = answer

    def asked(self) -> list[Question]:
        """The questions of the step, in the order of the page."""
        places = self.page.locator(".question").all()
        return [self._question(str(one.get_attribute("data-question"))) for one in places]

    def _question(self, name: str) -> Question:
        """A question; one about each translation is called translations.2.score."""
        outer, *rest = name.split(".")
        question = self.protocol.questions[outer]
        if not rest:
            return question
        assert isinstance(question, Each)
        return question.at(int(rest[0]), self.protocol.questions[rest[1]])

    def text_of(self, place: Locator) -> Locator:
        """The translation that a question is about."""
        column = self.page.locator("[data-column]").filter(has=place)
        return (column if column.count() else self.page).locator(".translation .text")

    def place(self, question: Question) -> Locator:
        return self.page.locator(f".question[data-question='{question.id}']")

    def choices(self, question: Question) -> list[object]:
        """Everything that can be picked, in the order of the page."""
        values = [value for value, _, _ in question.legend()]
        return [*values, NA] if getattr(question, "not_applicable", False) else values

    def turn(self, question: Question, count: int) -> int:
        """Which of so many to choose now: another one at every step and in every question."""
        return (
            self.steps + list(self.protocol.questions).index(question.id.split(".")[-1])
        ) % count

    def next(self) -> None:
        raise NotImplementedError

    def scale(self, question: Question, place: Locator) -> object:
        raise NotImplementedError


class Mouse(InputDevice):
    """Clicks and drags; types only words."""

    def next(self) -> None:
        self.page.locator(".next").click()

    def scale(self, question: Question, place: Locator) -> object:
        choices = self.choices(question)
        n = self.turn(question, len(choices))
        place.locator(".target").nth(n).click()
        return choices[n]

    choice = preference = scale

    def concepts(self, question: Question, place: Locator) -> object:
        choices, chosen = self.choices(question), []
        for n, part in enumerate(place.locator("[data-part]").all()):
            at = (n + self.steps) % len(choices)
            part.locator(".target").nth(at).click()
            chosen.append(choices[at])
        return chosen

    def reading(self, question: Question, place: Locator) -> object:
        chosen = []
        for part in place.locator("[data-part]").all():
            part.locator(".target").last.click()
            chosen.append(part.locator(".target").count())
        return chosen

    def text(self, question: Question, place: Locator) -> object:
        place.locator("textarea").click()
        self.page.keyboard.insert_text(f"It says {self.steps} 🌍.")
        return f"It says {self.steps} 🌍."

    def post_edit(self, question: Question, place: Locator) -> object:
        field = place.locator("textarea")
        before = field.input_value()
        field.click()
        self.page.keyboard.press("ControlOrMeta+Home")
        self.page.keyboard.insert_text("Well: ")
        return f"Well: {before}"

    def slider(self, question: Question, place: Locator) -> object:
        track = place.locator("input[type=range]")
        box = track.bounding_box()
        assert box is not None
        share = (0.25, 0.5, 0.9)[self.steps % 3]  # the middle is where the handle waits
        track.click(position={"x": box["width"] * share, "y": box["height"] / 2})
        shown = place.locator("input[type=number]").input_value()
        assert abs(int(shown) - 100 * share) < 5
        return int(shown)

    def best_worst(self, question: Question, place: Locator) -> object:
        best, worst = place.locator("[data-part]").all()
        best.locator(".target").last.click()
        worst.locator(".target").first.click()
        return [best.locator(".target").count(), 1]

    def magnitude(self, question: Question, place: Locator) -> object:
        place.locator("input[type=number]").fill(str(40 + self.steps))
        return 40 + self.steps

    def ranking(self, question: Question, place: Locator) -> object:
        """The last to the top; and at every second step the last two together."""
        cards = place.locator(".ranked")
        count = cards.count()
        drag(self.page, cards.last, cards.first, 0.05)
        places = [*range(2, count + 1), 1]
        if self.steps % 2 == 0:
            drag(self.page, cards.last, cards.nth(count - 2), 0.5)
            places[-2] = places[-3] if count > 2 else places[-1]
        if place.locator(".keep").is_visible():
            place.locator(".keep").click()
        return places

    def spans(self, question: Question, place: Locator) -> object:
        """Two words by dragging, one by a click, and something that is missing before it."""
        text = self.text_of(place)
        first, last = word_at(text.inner_text(), 1), word_at(text.inner_text(), 2)
        sweep(self.page, text, first[0], last[1])
        marked = [self._marked(question, place, 0, first[0], last[1])]
        start, end = word_at(text.inner_text(), 3)
        self._tap(text, start, end)
        marked.append(self._marked(question, place, 1, start, end))
        self._tap(text, *word_at(text.inner_text(), 4))
        place.locator(".gap-switch").click()
        gap = word_at(text.inner_text(), 4)[0]
        return [*marked, self._marked(question, place, 1, gap, gap, missing=True)]

    def _tap(self, text: Locator, start: int, end: int) -> None:
        box = box_of(text, start, end)
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def _marked(
        self, question: Any, place: Locator, n: int, start: int, end: int, *, missing: bool = False
    ) -> dict[str, object]:
        severity = question.severities[n]
        place.locator(f".mark-as[data-severity={severity.value}]").click()
        category = None
        if question.categories:
            category = question.categories[n + 2].value
            place.locator(f".kind[data-category='{category}']").click()
        return span(start, end, severity.value, category, missing=missing)


class Keyboard(InputDevice):
    """Never touches the mouse; the focus is wherever the page has put it."""

    def next(self) -> None:
        typing = self.page.evaluate("document.activeElement.matches('textarea')")
        self.press("ControlOrMeta+Enter" if typing else "Enter")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, target: Locator) -> None:
        """Press the tabulator until something has the focus."""
        for _ in range(40):
            if target.evaluate("element => element === document.activeElement"):
                return
            self.press("Tab")
        raise AssertionError(f"{target} cannot be reached with the tabulator")

    def scale(self, question: Question, place: Locator) -> object:
        choices = self.choices(question)
        n = self.turn(question, len(choices))
        # a number below zero is a minus and a digit
        self.press(*str(place.locator(".target input").nth(n).get_attribute("data-digit")))
        return choices[n]

    choice = preference = scale

    def concepts(self, question: Question, place: Locator) -> object:
        choices, chosen = self.choices(question), []
        for n in range(place.locator("[data-part]").count()):
            at = (n + self.steps) % len(choices)
            self.press(str(at + 1))
            chosen.append(choices[at])
        return chosen

    def reading(self, question: Question, place: Locator) -> object:
        count = place.locator("[data-part]").count()
        self.press(*["2"] * count)
        return [2] * count

    def text(self, question: Question, place: Locator) -> object:
        self.tab_to(place.locator("textarea"))
        self.page.keyboard.type(f"It says {self.steps}.")
        self.press("Enter")  # a new line, not the next step
        self.page.keyboard.type("So it does.")
        return f"It says {self.steps}.\nSo it does."

    def post_edit(self, question: Question, place: Locator) -> object:
        field = place.locator("textarea")
        before = field.input_value()
        self.tab_to(field)
        self.press("ControlOrMeta+End")
        self.page.keyboard.type(" Indeed.")
        return f"{before} Indeed."

    def slider(self, question: Question, place: Locator) -> object:
        if self.steps % 2:
            self.tab_to(place.locator("input[type=range]"))
            self.press("ArrowRight", "ArrowRight")
            return 52
        if not self.page.evaluate("document.activeElement.matches('.texts')"):
            self.tab_to(place.locator("input[type=range]"))
        self.page.keyboard.type("87")
        return 87

    def best_worst(self, question: Question, place: Locator) -> object:
        self.press("2", "1")
        return [2, 1]

    def magnitude(self, question: Question, place: Locator) -> object:
        self.tab_to(place.locator("input[type=number]"))
        self.page.keyboard.type(f"{60 + self.steps}.5")
        return 60.5 + self.steps

    def ranking(self, question: Question, place: Locator) -> object:
        """The second to the top; and at every second step the last two together."""
        count = place.locator(".ranked").count()
        # a key that is pressed before the cards can be moved is lost
        expect(place.locator(".handle[tabindex='0']")).to_have_count(1)
        self.press("1")  # which puts the focus on the first card
        self.press("ArrowDown", "1")
        places = [2, 1, *range(3, count + 1)]
        if self.steps % 2 == 0:
            self.press(*["ArrowDown"] * (count - 1), "=")
            places[-1] -= 1
        if place.locator(".keep").is_visible():
            self.tab_to(place.locator(".keep"))
            self.press("Enter")
        return places

    def spans(self, question: Question, place: Locator) -> object:
        text = self.text_of(place)
        self.tab_to(text)
        words = text.inner_text()
        (first, _), (_, last) = word_at(words, 1), word_at(words, 2)
        self.press("ArrowRight", "ArrowRight", "Shift+ArrowRight")
        marked = [self._marked(question, 0, first, last)]
        self.press("ArrowRight", "ArrowRight", "ArrowLeft")
        marked.append(self._marked(question, 1, *word_at(words, 3)))
        self.press("ArrowRight", "m")
        gap = word_at(words, 4)[0]
        return [*marked, self._marked(question, 1, gap, gap, missing=True)]

    def _marked(
        self, question: Any, n: int, start: int, end: int, *, missing: bool = False
    ) -> dict[str, object]:
        keys = {choice.value: choice.key for choice in question.severity_choices()}
        self.press(keys[question.severities[n].value])
        if question.categories:
            # the first digit is the group, the second the category in it
            self.press("2", str(n + 1))
            name = ("fluency/punctuation", "fluency/spelling")[n]
            return span(start, end, question.severities[n].value, name, missing=missing)
        return span(start, end, question.severities[n].value, None, missing=missing)


def span(
    start: int, end: int, severity: str, category: str | None, *, missing: bool = False
) -> dict[str, object]:
    """A marked error as it is stored."""
    return {
        "start": start,
        "end": end,
        "severity": severity,
        "category": category,
        "missing": missing,
    }


def drag(page: Page, what: Locator, onto: Locator, share: float) -> None:
    """Take a card and drop it on another, so far down its height."""
    start, end = what.bounding_box(), onto.bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + 200, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(start["x"] + 200, start["y"] + start["height"] / 2 - 10)
    page.mouse.move(end["x"] + 200, end["y"] + end["height"] * share, steps=3)
    page.mouse.up()


def sweep(page: Page, text: Locator, start: int, end: int) -> None:
    """Select from the middle of the first sign to the middle of the last, with the mouse."""
    first, last = box_of(text, start, start + 1), box_of(text, end - 1, end)
    page.mouse.move(first["x"] + first["width"] * 0.6, first["y"] + first["height"] / 2)
    page.mouse.down()
    page.mouse.move(last["x"] + last["width"] * 0.6, last["y"] + last["height"] / 2, steps=3)
    page.mouse.up()


def play(page: Page, *devices: InputDevice) -> list[dict[str, object]]:
    """Judge a kit to its end, with one device after the other; the answers given."""
    given: list[dict[str, object]] = []
    page.locator(".step").wait_for()
    while page.locator(".step").count():
        key = page.locator(".step").get_attribute("data-key")
        device = devices[len(given) % len(devices)]
        given.append(device.answer())
        device.next()
        expect(page.locator(f".step[data-key='{key}']")).to_have_count(0)
    expect(page.locator(".rest")).to_be_visible()
    assert len(given) >= len(devices), "not every device was used"
    return given
