// A ranking: cards are dragged into order, dropped on each other to share a place, or moved with
// keys; the order is also said in words. Only cards that the judge has placed are ranked, and the last one
// once all others are; then the order is an answer, or when the judge has said that it is right.

import { register } from "../../form.js";
import { before, fromPlaces, groupOf, put, single, step, tie, toggleTie, toPlaces } from "./order.js";

const STIR = 5; // pixels from which a press is a drag
const EDGE = 60; // pixels from the window's edge at which the page begins to roll
const MIDDLE = 0.25; // share of a card at either end that means before or after it, not a tie

const decks = new WeakMap();

class Deck {
  constructor(question) {
    this.question = question;
    this.say = question.dataset;
    this.list = question.querySelector(".deck");
    this.cards = [...this.list.children];
    const begun = JSON.parse(question.dataset.answer);
    const whole = begun.length === this.cards.length;
    const slots = this.cards.map((_, n) => n + 1);
    this.order = whole ? fromPlaces(begun.map(Math.abs)) : single(slots);
    this.placed = new Set(slots.filter((slot) => begun[slot - 1] > 0)); // below 0 in a draft: not placed yet
    this.ties = question.dataset.ties === "yes";
    question.addEventListener("keydown", (event) => this.onKey(event));
    question.addEventListener("jurat:digit", (event) => this.onDigit(event));
    const keep = question.querySelector(".keep");
    keep.addEventListener("click", () => {
      this.change(this.order, slots);
      // the button goes, but browsers take the focus from what is hidden only with the next frame: until then
      // an Enter that should continue would press it again
      keep.blur();
    });
    this.list.addEventListener("pointerdown", (event) => this.onPress(event));
    this.show();
  }

  card = (slot) => this.cards[slot - 1];
  handle = (slot) => this.card(slot).querySelector(".handle");
  slotOf = (element) => Number(element.closest?.(".ranked")?.dataset.slot) || null;

  get decided() {
    return this.placed.size === this.cards.length;
  }

  // What a draft keeps: the place of every card, negative where the judge has not placed it.
  begun() {
    if (!this.placed.size) return undefined;
    return toPlaces(this.order).map((place, n) => (this.placed.has(n + 1) ? place : -place));
  }

  answer() {
    return this.decided ? toPlaces(this.order) : undefined;
  }

  // A new order, in which the judge has placed these cards.
  change(order, placed) {
    const slot = this.list.contains(document.activeElement) && this.slotOf(document.activeElement);
    this.order = order;
    for (const one of placed) this.placed.add(one);
    // the last one has the place that is left: of two cards, whoever places one has ranked both
    if (this.placed.size === this.cards.length - 1) for (const one of order.flat()) this.placed.add(one);
    this.show();
    if (slot) this.handle(slot).focus();
    this.question.querySelector(".said").textContent = this.inWords();
    this.question.dispatchEvent(new Event("change", { bubbles: true }));
  }

  show() {
    const flat = this.order.flat();
    this.list.append(...flat.map(this.card));
    for (const [n, group] of this.order.entries()) for (const slot of group) this.label(slot, n + 1, group);
    for (const [n, slot] of flat.entries()) this.handle(slot).tabIndex = n ? -1 : 0;
    this.question.toggleAttribute("data-decided", this.decided);
    const field = this.question.querySelector("[name$='.json']");
    field.disabled = !this.decided;
    field.value = this.decided ? JSON.stringify(this.answer()) : "";
  }

  label(slot, place, group) {
    const card = this.card(slot);
    card.classList.toggle("tied", group[0] !== slot);
    card.classList.toggle("tied-below", group.at(-1) !== slot);
    const words = this.placed.has(slot) ? this.say.sayPlace.replace("{place}", place) : "";
    card.querySelector(".place").textContent = words;
    this.handle(slot).setAttribute("aria-label", [card.dataset.name, words].filter(Boolean).join(", "));
  }

  inWords() {
    const known = (group) => group.filter((slot) => this.placed.has(slot));
    const names = (group) => group.map((slot) => this.card(slot).dataset.name).join(` ${this.say.sayAnd} `);
    const places = this.order.flatMap((group, n) =>
      known(group).length ? [`${this.say.sayPlace.replace("{place}", n + 1)}: ${names(known(group))}`] : [],
    );
    return this.say.sayOrder.replace("{order}", places.join("; "));
  }

  // Keys

  onKey(event) {
    const slot = event.target.matches(".handle") && this.slotOf(event.target);
    if (!slot || event.ctrlKey || event.metaKey || event.altKey) return;
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (way && event.shiftKey) this.change(step(this.order, slot, way), [slot]);
    else if (way) this.focusNext(slot, way);
    else if ((event.key === "=" || event.key.toLowerCase() === "t") && this.ties) this.tie(toggleTie(this.order, slot), slot);
    else return;
    event.preventDefault();
  }

  // Who puts a card on the place of another has placed both.
  tie(order, slot) {
    this.change(order, order[groupOf(order, slot)]);
  }

  focusNext(slot, way) {
    const flat = this.order.flat();
    const next = flat[flat.indexOf(slot) + way];
    if (next) this.handle(next).focus();
  }

  onDigit(event) {
    event.preventDefault();
    const slot = this.list.contains(document.activeElement) && this.slotOf(document.activeElement);
    if (!slot) this.handle(this.order[0][0]).focus();
    else if (event.detail >= 1 && event.detail <= this.cards.length) this.change(put(this.order, slot, event.detail - 1), [slot]);
  }

  // Dragging

  onPress(event) {
    const slot = this.slotOf(event.target);
    // a finger on the text scrolls the page; on the handle it takes the card
    const grips = event.pointerType === "mouse" || event.target.closest(".handle");
    if (!slot || !grips || event.button) return;
    const drag = { slot, card: this.card(slot), y: event.clientY + scrollY, begun: false, target: null };
    const move = (moved) => moved.pointerId === event.pointerId && this.onMove(moved, drag);
    const end = (ended) => {
      if (ended.pointerId !== event.pointerId) return;
      for (const [name, listener] of listeners) document.removeEventListener(name, listener);
      this.drop(drag, ended.type === "pointerup");
    };
    const escape = (key) => key.key === "Escape" && ((drag.target = null), end({ pointerId: event.pointerId, type: "pointercancel" }));
    const listeners = [["pointermove", move], ["pointerup", end], ["pointercancel", end], ["keydown", escape]];
    for (const [name, listener] of listeners) document.addEventListener(name, listener);
  }

  onMove(event, drag) {
    const way = event.clientY + scrollY - drag.y;
    if (!drag.begun && Math.abs(way) < STIR) return;
    drag.begun = true;
    event.preventDefault();
    drag.card.classList.add("dragged");
    drag.card.style.transform = `translate(1.5rem, ${way}px)`;
    this.aim(drag, event.clientY);
    if (event.clientY < EDGE) scrollBy(0, -EDGE / 4);
    else if (event.clientY > innerHeight - EDGE) scrollBy(0, EDGE / 4);
  }

  // Where the card would go: onto another, before it, or to the end.
  aim(drag, y) {
    drag.target = this.under(drag.slot, y);
    this.clear();
    const { kind, other } = drag.target;
    const last = this.order.flat().findLast((slot) => slot !== drag.slot);
    if (other === null) this.card(last).classList.add("drop-after");
    else this.card(other).classList.add(kind === "tie" ? "drop-tie" : "drop-before");
  }

  under(slot, y) {
    for (const other of this.order.flat()) {
      if (other === slot) continue;
      const { top, height } = this.card(other).getBoundingClientRect();
      const share = (y - top) / height;
      if (share < (this.ties ? MIDDLE : 0.5)) return { kind: "before", other };
      if (this.ties && share <= 1 - MIDDLE) return { kind: "tie", other };
    }
    return { kind: "before", other: null };
  }

  clear() {
    for (const card of this.cards) card.classList.remove("drop-tie", "drop-before", "drop-after");
  }

  drop(drag, kept) {
    this.clear();
    drag.card.classList.remove("dragged");
    drag.card.style.transform = "";
    if (!kept || !drag.target) return;
    const { kind, other } = drag.target;
    this.tie(kind === "tie" ? tie(this.order, drag.slot, other) : this.inserted(drag.slot, other), drag.slot);
  }

  // Between two cards that share a place is the place itself.
  inserted(slot, other) {
    const group = other === null ? null : this.order[groupOf(this.order, other)].filter((one) => one !== slot);
    return group && group[0] !== other ? tie(this.order, slot, other) : before(this.order, slot, other);
  }
}

document.addEventListener("jurat:ready", (event) => {
  if (event.target.matches(".question.ranking") && !decks.has(event.target)) decks.set(event.target, new Deck(event.target));
});

register("ranking", {
  read: (question) => decks.get(question)?.answer(),
  begun: (question) => decks.get(question)?.begun(),
  problem(question) {
    const open = decks.get(question)?.decided === false && question.hasAttribute("data-required");
    return open ? question.dataset.problem : "";
  },
  place: (question) => question.querySelector(".handle"),
});
