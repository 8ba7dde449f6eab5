// A ranking: cards are dragged into order, dropped on each other to share a place, or moved with
// keys; the order is also said in words. Before the judge has done something it is no answer.

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
    this.decided = begun.length === this.cards.length;
    this.order = this.decided ? fromPlaces(begun) : single(this.cards.map((_, n) => n + 1));
    this.ties = question.dataset.ties === "yes";
    question.addEventListener("keydown", (event) => this.onKey(event));
    question.addEventListener("jurat:digit", (event) => this.onDigit(event));
    question.querySelector(".keep").addEventListener("click", () => this.change(this.order));
    this.list.addEventListener("pointerdown", (event) => this.onPress(event));
    this.show();
  }

  card = (slot) => this.cards[slot - 1];
  handle = (slot) => this.card(slot).querySelector(".handle");
  slotOf = (element) => Number(element.closest?.(".ranked")?.dataset.slot) || null;

  answer() {
    return this.decided ? toPlaces(this.order) : undefined;
  }

  change(order) {
    const slot = this.list.contains(document.activeElement) && this.slotOf(document.activeElement);
    this.order = order;
    this.decided = true;
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
    const words = this.decided ? this.say.sayPlace.replace("{place}", place) : "";
    card.querySelector(".place").textContent = words;
    this.handle(slot).setAttribute("aria-label", [card.dataset.name, words].filter(Boolean).join(", "));
  }

  inWords() {
    const names = (group) => group.map((slot) => this.card(slot).dataset.name).join(` ${this.say.sayAnd} `);
    const places = this.order.map((group, n) => `${this.say.sayPlace.replace("{place}", n + 1)}: ${names(group)}`);
    return this.say.sayOrder.replace("{order}", places.join("; "));
  }

  // Keys

  onKey(event) {
    const slot = event.target.matches(".handle") && this.slotOf(event.target);
    if (!slot || event.ctrlKey || event.metaKey || event.altKey) return;
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (way && event.shiftKey) this.change(step(this.order, slot, way));
    else if (way) this.focusNext(slot, way);
    else if ((event.key === "=" || event.key.toLowerCase() === "t") && this.ties) this.change(toggleTie(this.order, slot));
    else return;
    event.preventDefault();
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
    else if (event.detail >= 1 && event.detail <= this.cards.length) this.change(put(this.order, slot, event.detail - 1));
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
    this.change(kind === "tie" ? tie(this.order, drag.slot, other) : this.inserted(drag.slot, other));
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
  problem(question) {
    const open = decks.get(question)?.decided === false && question.hasAttribute("data-required");
    return open ? question.dataset.problem : "";
  },
  place: (question) => question.querySelector(".handle"),
});
