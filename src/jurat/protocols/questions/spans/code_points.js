// A text on the page, counted in code points as the server counts it: JavaScript's own counting
// takes two for an emoji. Words and signs as readers of the language see them.

const WORDS = /[\p{L}\p{M}\p{N}\u200c\u200d]+|[^\s\p{L}\p{M}\p{N}\u200c\u200d]/gu;
const SIGNS = /\P{M}\p{M}*/gu;

export class CodePoints {
  constructor(element) {
    this.element = element;
    this.string = element.textContent;
    this.characters = [...this.string];
    this.length = this.characters.length;
    this.counted = counted(this.characters);
    this.words = this.pieces("word", WORDS);
    this.signs = this.pieces("grapheme", SIGNS);
  }

  get backwards() {
    return getComputedStyle(this.element).direction === "rtl";
  }

  slice(start, end) {
    return this.characters.slice(start, end).join("");
  }

  // Pieces that can be pointed at, without the blanks between them.
  pieces(granularity, pattern) {
    const language = this.element.lang;
    const found = segments(this.string, granularity, language) ?? [...this.string.matchAll(pattern)].map((m) => [m.index, m[0]]);
    return found
      .filter(([, text]) => text.trim())
      .map(([index, text]) => ({ start: this.points(index), end: this.points(index + text.length) }));
  }

  // From the browser's counting to code points, and back.
  points(index) {
    return this.counted[index];
  }

  index(point) {
    return this.counted.indexOf(point);
  }

  // The place of a boundary of a selection.
  pointAt(node, offset) {
    const before = document.createRange();
    before.setStart(this.element, 0);
    before.setEnd(node, offset);
    return this.points(before.toString().length);
  }

  // The place under the pointer; null where it is not in the text.
  pointUnder(x, y) {
    const caret = document.caretPositionFromPoint?.(x, y);
    const range = caret ? null : document.caretRangeFromPoint?.(x, y);
    const [node, offset] = caret ? [caret.offsetNode, caret.offset] : [range?.startContainer, range?.startOffset];
    return node && this.element.contains(node) ? this.pointAt(node, offset) : null;
  }

  // What is selected within the text, in code points; nothing where it lies elsewhere.
  selected(selection) {
    if (!selection.rangeCount) return null;
    const range = selection.getRangeAt(0).cloneRange();
    if (!range.intersectsNode(this.element)) return null;
    const whole = document.createRange();
    whole.selectNodeContents(this.element);
    if (range.compareBoundaryPoints(Range.START_TO_START, whole) < 0) range.setStart(this.element, 0);
    if (range.compareBoundaryPoints(Range.END_TO_END, whole) > 0) range.setEnd(this.element, this.element.childNodes.length);
    const ends = [this.pointAt(range.startContainer, range.startOffset), this.pointAt(range.endContainer, range.endOffset)];
    return { start: ends[0], end: ends[1] };
  }

  range(start, end) {
    const range = document.createRange();
    const [first, last] = [this.boundary(start), this.boundary(end)];
    range.setStart(first.node, first.offset);
    range.setEnd(last.node, last.offset);
    return range;
  }

  boundary(point) {
    let left = this.index(point);
    const walker = document.createTreeWalker(this.element, NodeFilter.SHOW_TEXT);
    let node = walker.nextNode();
    while (node && left > node.data.length) {
      left -= node.data.length;
      node = walker.nextNode();
    }
    return node ? { node, offset: left } : { node: this.element, offset: this.element.childNodes.length };
  }

  // The pieces that a stretch touches, from the first's beginning to the last's end.
  snapped({ start, end }, pieces) {
    const touched = pieces.filter((piece) => piece.end > start && piece.start < end);
    return touched.length ? { start: touched[0].start, end: touched.at(-1).end } : null;
  }

  // The piece under the pointer: a click on the right half of a sign is at the place after it.
  pieceUnder({ clientX: x, clientY: y }, point, pieces) {
    const near = pieces.filter((piece) => piece.start <= point && point <= piece.end);
    const covers = ({ start, end }) =>
      [...this.range(start, end).getClientRects()].some((box) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom);
    return near.find(covers) ?? near[0];
  }
}

// For each place in the browser's counting, the code points before it.
function counted(characters) {
  const found = [0];
  for (const [n, character] of characters.entries()) {
    if (character.length === 2) found.push(n); // within a pair: as before it
    found.push(n + 1);
  }
  return found;
}

function segments(string, granularity, language) {
  if (!globalThis.Intl?.Segmenter) return null;
  const segmenter = new Intl.Segmenter(language || undefined, { granularity });
  return [...segmenter.segment(string)].map(({ index, segment }) => [index, segment]);
}
