// A text in which errors are marked: the translation, or the source.

import { CodePoints } from "./code_points.js";
import { DrawnSpans } from "./draw_spans.js";
import { TextSelection } from "./selection.js";

export class MarkedText {
  // `picked` is told what was selected, with the side that this text is.
  constructor(side, element, { label, hint, bySigns, picked, onKey }) {
    this.side = side;
    this.element = element;
    this.points = new CodePoints(element);
    this.drawn = new DrawnSpans(this.points);
    this.selection = new TextSelection(this.points, bySigns, (place) => picked({ ...place, side }));
    const described = { "aria-label": label, "aria-describedby": hint };
    const readable = { role: "textbox", "aria-readonly": "true", "aria-multiline": "true", tabindex: "0", ...described };
    for (const [name, value] of Object.entries(readable)) element.setAttribute(name, value);
    element.classList.add("markable");
    element.addEventListener("keydown", (event) => onKey(event, this));
  }

  has(error) {
    return !error.mark && sideOf(error) === this.side;
  }

  slice({ start, end }) {
    return this.points.slice(start, end);
  }

  // The first word from a place on; undefined at the end.
  after(point) {
    const word = this.points.words.find((piece) => piece.start >= point);
    return word && this.points.slice(word.start, word.end);
  }
}

export const sideOf = (error) => error.side ?? "translation";
