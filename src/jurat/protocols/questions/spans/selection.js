// Selecting in a text that cannot be edited: with the mouse, a finger or the arrow keys, word by
// word or sign by sign. What is selected is the browser's own selection, snapped to the pieces.

const FINGER = 250; // milliseconds in which the handles of a selection come to rest
const BESIDE = 12; // pixels beyond the last word from which a click means the end of the text
const STIR = 4; // pixels from which a press is a drag
const WAYS = { ArrowRight: "right", ArrowLeft: "left", ArrowDown: "down", ArrowUp: "up", Home: "home", End: "end" };

const isSame = (a, b) => a.start === b.start && a.end === b.end;

export class TextSelection {
  // `bySigns` tells whether single signs are wanted; `picked` is told what was selected.
  constructor(points, bySigns, picked) {
    this.points = points;
    this.bySigns = bySigns;
    this.told = picked;
    this.head = null; // where the arrow keys are
    this.anchor = null; // where Shift began
    this.shown = null; // the selection that show() has made
    points.element.addEventListener("pointerdown", (event) => this.onPress(event));
  }

  pieces(event) {
    return event?.altKey || this.bySigns() ? this.points.signs : this.points.words;
  }

  get end() {
    return { start: this.points.length, end: this.points.length };
  }

  pick(place, { anchor = place, head = place } = {}) {
    Object.assign(this, { anchor, head });
    this.show(place);
    this.told(place);
  }

  show({ start, end }) {
    const range = this.points.range(start, end);
    getSelection().setBaseAndExtent(range.startContainer, range.startOffset, range.endContainer, range.endOffset);
    this.shown = this.points.selected(getSelection());
  }

  clear() {
    this.shown = null;
    getSelection().removeAllRanges();
  }

  // Mouse and finger

  onPress(event) {
    this.pressed = event;
    // or the browser would carry about what is selected, instead of selecting anew
    if (event.pointerType === "mouse" && !event.button && !event.shiftKey) getSelection().removeAllRanges();
  }

  // By the click the browser has settled the selection; it may end beside the text.
  onClick(event) {
    if (this.pressed) this.take(event);
    this.pressed = null;
  }

  take(event) {
    const settled = this.points.selected(getSelection());
    const found = settled && settled.start === settled.end && this.isDrag(event) ? this.between(event) : settled;
    if (!found) return;
    const pieces = this.pieces(event);
    if (found.start < found.end) {
      const snapped = this.points.snapped(found, pieces);
      if (snapped) this.pick(snapped);
    } else if (event) this.pick(this.isBeyond(event) ? this.end : (this.points.pieceUnder(event, found.start, pieces) ?? found));
  }

  isDrag(event) {
    return event && this.pressed && Math.hypot(event.clientX - this.pressed.clientX, event.clientY - this.pressed.clientY) > STIR;
  }

  // A browser may lose the beginning of a drag between two pixels.
  between(event) {
    const [a, b] = [this.pressed, event].map(({ clientX, clientY }) => this.points.pointUnder(clientX, clientY));
    return a === null || b === null ? null : { start: Math.min(a, b), end: Math.max(a, b) };
  }

  isBeyond(event) {
    if (!this.points.length) return false;
    const last = [...this.points.range(this.points.length - 1, this.points.length).getClientRects()].at(-1);
    if (!last || event.clientY < last.top) return false;
    return this.points.backwards ? event.clientX < last.left - BESIDE : event.clientX > last.right + BESIDE;
  }

  // A finger moves the handles of a selection long after it has left the text.
  onHandles() {
    clearTimeout(this.resting);
    // browsers report a change some time after it was made: only the place tells whether this
    // selection is the one that show() has made
    const now = this.points.selected(getSelection());
    if (!now || (this.shown && isSame(now, this.shown))) return;
    this.shown = null;
    this.resting = setTimeout(() => getSelection().isCollapsed || this.take(), FINGER);
  }

  // Keys; whether the key was one of these

  onKey(event) {
    const way = WAYS[event.key];
    if (event.key === "a" && (event.ctrlKey || event.metaKey)) this.pick({ start: 0, end: this.points.length });
    else if (way && !event.ctrlKey && !event.metaKey) this.move(this.next(way, this.pieces(event)), event.shiftKey);
    else return false;
    return true;
  }

  move(to, more) {
    const anchor = more ? (this.anchor ?? to) : to;
    this.pick({ start: Math.min(anchor.start, to.start), end: Math.max(anchor.end, to.end) }, { anchor, head: to });
    this.points.boundary(to.start).node.parentElement?.scrollIntoView({ block: "nearest" });
  }

  next(way, pieces) {
    if (way === "home" || !pieces.length) return pieces[0] ?? this.end;
    if (way === "end") return this.end;
    const forwards = way === "down" || way === (this.points.backwards ? "left" : "right");
    if (!this.head) return forwards ? pieces[0] : pieces.at(-1);
    if (way === "up" || way === "down") return this.onLine(way, pieces) ?? this.head;
    if (forwards) return pieces.find((piece) => piece.start >= this.head.end && !isSame(piece, this.head)) ?? this.end;
    return pieces.findLast((piece) => piece.end <= this.head.start) ?? this.head;
  }

  // The piece above or below: on the nearest line there, the one nearest to this one's middle.
  onLine(way, pieces) {
    const box = ({ start, end }) => this.points.range(start, end).getClientRects()[0];
    const here = box(this.head.start < this.head.end ? this.head : pieces.at(-1));
    const off = (rect) => (way === "down" ? rect.top - here.bottom : here.top - rect.bottom) + here.height / 2;
    const boxes = pieces.map((piece) => ({ piece, rect: box(piece) })).filter(({ rect }) => rect && off(rect) > 0);
    const nearest = Math.min(...boxes.map(({ rect }) => off(rect)));
    const aside = ({ rect }) => Math.abs(rect.left + rect.right - here.left - here.right);
    const line = boxes.filter(({ rect }) => off(rect) - nearest < here.height / 2);
    return line.sort((a, b) => aside(a) - aside(b))[0]?.piece;
  }
}
