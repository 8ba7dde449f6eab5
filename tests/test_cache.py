"""What was made a moment ago is at hand, and makes room in time."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

from jurat.cache import BoundedCache, MadeOnce


class Maker:
    """Makes things, and remembers which."""

    def __init__(self, most: int) -> None:
        self.kept, self.made = BoundedCache[str](most), ""

    def ask(self, key: str) -> str:
        return self.kept.get(key, lambda: self.make(key))

    def make(self, key: str) -> str:
        self.made += key
        return key.upper()


def test_made_once():
    maker = Maker(2)
    assert [maker.ask(key) for key in "aaba"] == ["A", "A", "B", "A"]
    assert maker.made == "ab"


def test_the_oldest_makes_room():
    maker = Maker(2)
    for key in "abacbca":
        maker.ask(key)
    assert maker.made == "abca"


def test_threads_get_what_belongs_to_their_key():
    kept = BoundedCache[int](3)
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda n: kept.get(n % 7, lambda: n % 7), range(2000)))
    assert found == [n % 7 for n in range(2000)]


def test_threads_make_one_value_together():
    """The second asks while the first is in the middle of making it."""
    made: list[object] = []
    second_asks = Event()

    def make() -> object:
        made.append(object())
        assert second_asks.wait(10)
        return made[-1]

    once = MadeOnce(make)
    assert once.peek() is None

    def ask_too() -> object:
        second_asks.set()
        return once.get()

    with ThreadPoolExecutor(2) as threads:
        first, second = threads.submit(once.get), threads.submit(ask_too)
    assert first.result() is second.result() is once.peek()
    assert len(made) == 1
