// Error spans: what is selected in a text is marked with a severity and, where the protocol has
// them, a category. The list beside the text shows all marks; there they are changed and removed.

import { register } from "../../form.js";
import { rove } from "../../keyboard.js";
import { Categories } from "./categories.js";
import { ErrorList } from "./error_list.js";
import { MarkedText, sideOf } from "./marked_text.js";
import { Suggestions } from "./suggestions.js";

const markings = new WeakMap();

// Errors of the translation, then of the source, then those without a place.
const SIDES = ["translation", "source"];
const order = (error) => (error.mark ? SIDES.length : SIDES.indexOf(sideOf(error)));
const inOrder = (a, b) => order(a) - order(b) || a.start - b.start || a.end - b.end;
const isPressed = (button) => button?.getAttribute("aria-pressed") === "true";
const press = (button, on) => button?.setAttribute("aria-pressed", String(on));

class Marking {
  constructor(question) {
    this.question = question;
    this.say = question.dataset;
    // of several translations each has its own errors
    this.scope = question.closest("[data-column]") ?? question.closest(".step");
    this.texts = [...this.prepareTexts()];
    this.categories = new Categories(this.find(".categories"), () => this.text.focus());
    this.suggestions = new Suggestions(JSON.parse(question.dataset.suggestions ?? "[]"), question.dataset.suggest === "confirm");
    this.list = new ErrorList(this);
    const begun = JSON.parse(question.dataset.answer);
    this.errors = this.suggestions.begin(begun, "draft" in question.dataset).sort(inOrder);
    this.none = Array.isArray(begun) && !begun.length; // the judge has said that there is no error
    this.picked = null; // what is selected and not yet marked
    this.current = null; // the mark that the palette changes
    this.toMove = null; // the mark that was chosen before something else was selected
    this.done = []; // earlier states, for undo
    this.prepare();
    this.last = this.state();
    this.show();
  }

  find = (selector) => this.question.querySelector(selector);
  all = (selector) => [...this.question.querySelectorAll(selector)];
  severityKeys = "";
  tell = (words) => (this.find(".said").textContent = words);

  *prepareTexts() {
    const hint = this.find(".marking .hint").id;
    const bySigns = () => isPressed(this.find(".sign-switch"));
    const same = { hint, bySigns, picked: (place) => this.onPicked(place), onKey: (event, text) => this.onTextKey(event, text) };
    yield new MarkedText("translation", this.scope.querySelector(".translation .text"), { ...same, label: this.say.sayText });
    const source = "source" in this.say && this.scope.querySelector(".texts .source p");
    if (source) yield new MarkedText("source", source, { ...same, label: this.say.saySource });
  }

  get text() {
    return this.texts[0].element;
  }

  textOf(error) {
    return this.texts.find((text) => text.side === sideOf(error)) ?? this.texts[0];
  }

  prepare() {
    this.question.addEventListener("click", (event) => this.onClick(event));
    this.question.addEventListener("keydown", (event) => this.onListKey(event));
    this.question.addEventListener("jurat:digit", (event) => this.onDigit(event));
    // a press on the palette must not take the selection away
    this.find(".palette").addEventListener("mousedown", (event) => event.preventDefault());
    rove(this.find(".severities"), "button");
    this.severityKeys = this.all(".mark-as[data-digit]").map((button) => button.dataset.digit).join(" ");
  }

  // Under a long text the palette may be out of sight: then it comes to what was selected.
  float(needed) {
    const palette = this.find(".palette");
    const floats = palette.classList.contains("floats");
    if (needed === floats || (needed && palette.getBoundingClientRect().bottom <= innerHeight)) return;
    // its room stays, or what follows would move
    palette.parentElement.style.paddingTop = needed ? `${palette.offsetHeight}px` : "";
    palette.classList.toggle("floats", needed);
  }

  // Keys and clicks

  onTextKey(event, text) {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (text.selection.onKey(event)) event.preventDefault();
    else if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      this.remove(this.current ?? this.errorAt(text, text.selection.head?.start));
    } else if (plain && /^[0-9]$/.test(event.key)) {
      event.preventDefault();
      this.onNumber(Number(event.key));
    }
  }

  onDigit(event) {
    event.preventDefault();
    this.onNumber(event.detail);
  }

  onNumber(digit) {
    const button = this.find(`.mark-as[data-digit="${digit}"]`);
    if (digit === 0) this.sayNone();
    else if (button) this.rate(button.dataset.severity, { byKey: true });
  }

  onClick(event) {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.matches(".mark-as")) this.rate(button.dataset.severity, { byKey: event.detail === 0 });
    else if (button.matches(".kind")) this.sort(button.dataset.category);
    else if (button.matches(".gap-switch, .sign-switch")) this.toggle(button);
    else if (button.matches(".special-mark")) this.addMark(button.dataset.mark);
    else if (button.matches(".move-here")) this.move();
    else if (button.matches(".undo")) this.undo();
    else if (button.matches(".none-switch")) this.sayNone();
    else if (button.matches(".remove")) this.remove(this.errorOf(button));
    else if (button.matches(".confirm")) this.confirm(this.errorOf(button));
    else if (button.matches(".restore")) this.restore(Number(button.dataset.suggestion));
    else if (button.matches(".error-entry")) this.choose(this.errorOf(button));
  }

  onListKey(event) {
    const error = this.errorOf(event.target);
    if (!error || event.target.matches("input") || (event.key !== "Delete" && event.key !== "Backspace")) return;
    event.preventDefault();
    this.remove(error);
  }

  // A letter, wherever the focus is; whether it means anything here.
  onLetter(key) {
    const button = this.find({ m: ".gap-switch", c: ".sign-switch" }[key] ?? `.special-mark[data-letter="${CSS.escape(key)}"]`);
    if (button) button.click();
    else if (key === "b" && this.canMove()) this.move();
    else if (key === "k" && this.current?.pending) this.confirm(this.current);
    else if (key === "o" && this.texts.length > 1) this.otherText().focus();
    else return false;
    return true;
  }

  otherText() {
    const here = this.texts.findIndex((text) => text.element === document.activeElement);
    return this.texts[here === 1 ? 0 : 1].element;
  }

  errorOf(element) {
    return this.errors[this.all(".errors li").indexOf(element.closest(".errors li"))];
  }

  errorAt(text, point) {
    return this.errors.find((error) => text.has(error) && error.start <= point && point < error.end);
  }

  // Marking

  onPicked(place) {
    for (const other of all()) if (other !== this) other.release();
    latest = this;
    const had = this.current;
    this.toMove = had ?? this.toMove;
    this.picked = place;
    this.current = null;
    this.tell(this.named(place));
    this.showPalette();
    if (!had) return;
    this.show();
    this.textOf(place).selection.show(place); // drawing has taken the selection away
  }

  toggle(button) {
    press(button, !isPressed(button));
    // without this, an earlier "select some words first" would stand, which a gap does not need
    const picked = this.picked ? this.named(this.picked) : "";
    if (button.matches(".gap-switch")) this.tell(isPressed(button) ? this.say.saySeverity : picked);
    this.showPalette();
  }

  choose(error) {
    this.letGo();
    this.current = error;
    this.show();
    this.tell(this.told(error));
  }

  letGo() {
    this.release();
    for (const text of this.texts) text.selection.clear();
  }

  // What was selected here counts no longer, since something else is.
  release() {
    const drawn = this.current;
    this.picked = this.current = this.toMove = null;
    press(this.find(".gap-switch"), false);
    if (drawn) this.show();
    else this.showPalette();
  }

  sayNone() {
    if (!this.find(".none-switch") || this.errors.length) return;
    this.none = !this.none;
    this.changed();
  }

  rate(severity, { byKey }) {
    const error = this.target();
    if (!error) return;
    error.severity = severity;
    delete error.pending;
    this.changed();
    const open = this.needsCategory(error);
    this.tell(open ? this.say.sayCategory : this.told(error));
    if (open && byKey) this.categories.focus();
  }

  sort(category) {
    if (this.current?.mark) return;
    const error = this.target();
    if (!error) return;
    error.category = category;
    delete error.pending;
    this.changed();
    this.tell(error.severity ? this.told(error) : this.say.saySeverity);
    if (this.categories.hasFocus()) this.text.focus();
  }

  // A special mark has no place: pressed again it is the same one.
  addMark(mark) {
    const known = this.errors.find((error) => error.mark === mark);
    if (known) return this.choose(known);
    this.letGo();
    if (this.isFull()) return;
    this.current = this.add({ mark });
    this.changed();
    this.tell(this.say.saySeverity);
  }

  isFull() {
    const full = this.errors.length >= Number(this.say.most ?? Infinity);
    if (full) this.tell(this.say.sayMost);
    return full;
  }

  add(error) {
    this.errors.push(error);
    this.errors.sort(inOrder);
    return error;
  }

  // The error that is meant: a new one where something is selected, else the current one.
  target() {
    const place = this.newPlace();
    if (!place) {
      if (!this.current) this.tell(this.say.sayFirst);
      return this.current;
    }
    const known = this.twin(place);
    if (!known && (this.isFull() || this.overlaps(place))) return null;
    this.letGo();
    this.current = known ?? this.add(place);
    return this.current;
  }

  // Whether errors may not share words here, and these would.
  overlaps(place, moved) {
    const isOver = (error) => error !== moved && !error.mark && sideOf(error) === sideOf(place) && error.start < place.end && place.start < error.end;
    const over = "apart" in this.say && this.errors.some(isOver);
    if (over) this.tell(this.say.sayOverlap);
    return over;
  }

  // The same words marked again are the same error, unless errors are of several kinds.
  twin(place) {
    const isSame = (error) => !inOrder(error, place) && !error.missing === !place.missing;
    return this.categories.root ? undefined : this.errors.find(isSame);
  }

  // What is missing has no words of its own: it is missing before what is selected.
  newPlace() {
    const { picked } = this;
    const source = picked?.side === "source";
    const isGap = !source && (isPressed(this.find(".gap-switch")) || (picked && picked.start === picked.end));
    const start = picked?.start ?? 0;
    if (isGap) return this.find(".gap-switch") && { start, end: start, missing: true };
    return picked && picked.start < picked.end ? { start, end: picked.end, ...(source && { side: "source" }) } : null;
  }

  // An error that was chosen before something else was selected can go there.
  canMove() {
    return Boolean(this.picked && this.toMove && this.errors.includes(this.toMove) && !this.toMove.mark && this.placeFor(this.toMove));
  }

  placeFor(error) {
    const { start, end, side } = this.picked;
    if (side !== sideOf(error)) return null;
    if (error.missing) return { start, end: start };
    return start < end ? { start, end } : null;
  }

  move() {
    const error = this.toMove;
    if (!this.canMove()) return this.tell(this.say.sayFirst);
    const place = this.placeFor(error);
    if (this.overlaps({ ...error, ...place }, error)) return;
    Object.assign(error, place);
    delete error.pending;
    this.errors.sort(inOrder);
    this.letGo();
    this.current = error;
    this.changed();
    this.tell(this.told(error));
  }

  confirm(error) {
    delete error.pending;
    this.current = error;
    this.changed();
    this.tell(this.told(error));
  }

  remove(error) {
    const at = this.errors.indexOf(error);
    if (at < 0) return;
    const inList = this.find(".errors").contains(document.activeElement);
    this.errors.splice(at, 1);
    this.current = null;
    this.changed();
    this.tell(this.say.sayRemoved.replace("{text}", this.quote(error)));
    if (inList) (this.all(".error-entry")[Math.min(at, this.errors.length - 1)] ?? this.text).focus();
  }

  // A suggestion that was removed comes back as it was.
  restore(number) {
    const one = this.suggestions.all[number - 1];
    if (this.isFull() || (!one.mark && this.overlaps(one))) return;
    this.current = this.add({ ...one });
    this.changed();
    this.tell(this.told(this.current));
  }

  // What was done last is undone, also what was removed.

  state() {
    return JSON.stringify([this.errors, this.none]);
  }

  undo() {
    const before = this.done.pop();
    if (!before) return;
    [this.errors, this.none] = JSON.parse(before);
    this.letGo();
    this.last = before;
    this.show();
    this.announce();
    this.tell(this.say.sayUndone);
  }

  changed() {
    if (this.errors.length) this.none = false;
    this.done.push(this.last);
    this.last = this.state();
    this.show();
    this.announce();
  }

  announce() {
    this.question.dispatchEvent(new Event("change", { bubbles: true }));
  }

  // Showing

  show() {
    const looks = {
      rank: (error) => this.rank(error),
      number: (error) => this.errors.indexOf(error) + 1,
      isSuggested: (error) => this.suggestions.isKept(error),
      current: this.current,
    };
    for (const text of this.texts) text.drawn.draw(this.errors.filter((error) => text.has(error)), looks);
    this.showPalette();
    this.list.show();
    this.store();
  }

  store() {
    const [field, answer] = [this.find("[name$='.json']"), this.answer()];
    field.disabled = answer === undefined;
    field.value = field.disabled ? "" : JSON.stringify(answer);
  }

  showPalette() {
    for (const button of this.all(".mark-as")) press(button, this.current?.severity === button.dataset.severity);
    for (const button of this.all(".special-mark")) press(button, this.current?.mark === button.dataset.mark);
    this.categories.show(this.current?.category);
    press(this.find(".none-switch"), this.none);
    this.find(".undo").disabled = !this.done.length;
    const move = this.find(".move-here");
    move.hidden = !this.canMove();
    if (!move.hidden) move.querySelector(".label").textContent = this.say.sayMove.replace("{number}", this.errors.indexOf(this.toMove) + 1);
    const waits = this.picked || this.current || isPressed(this.find(".gap-switch"));
    // its own keys always: with nothing selected they say so, and are no score of the next question
    this.question.dataset.claims = waits ? "all" : this.severityKeys;
    const unsorted = this.current && this.needsCategory(this.current);
    this.float(Boolean(this.picked || unsorted || isPressed(this.find(".gap-switch"))));
  }

  // In words

  button(error) {
    return this.all(".mark-as").find((one) => one.dataset.severity === error.severity);
  }

  markButton(error) {
    return this.all(".special-mark").find((one) => one.dataset.mark === error.mark);
  }

  rank(error) {
    return Number(this.button(error)?.dataset.rank ?? 0);
  }

  named(place) {
    const text = this.textOf(place);
    if (place.start < place.end) return this.say.sayPicked.replace("{text}", text.slice(place));
    const word = text.after(place.start);
    return word ? this.say.sayPlace.replace("{text}", word) : this.say.sayEnd;
  }

  quote(error) {
    if (error.mark) return this.markButton(error)?.querySelector(".label").textContent ?? error.mark;
    if (!error.missing) return this.textOf(error).slice(error);
    if (error.start === 0) return this.say.sayMissing;
    const word = this.textOf(error).after(error.start);
    return word ? this.say.sayBefore.replace("{text}", word) : this.say.sayLast;
  }

  kind(error) {
    const severity = this.button(error)?.querySelector(".label").textContent ?? "…";
    const category = this.categories.root && !error.mark ? ` · ${this.categories.label(error.category) ?? "…"}` : "";
    const side = sideOf(error) === "source" ? ` · ${this.say.saySide}` : "";
    return severity + category + side;
  }

  told(error) {
    return `${this.kind(error)}: ${this.quote(error)}`;
  }

  // Answering

  needsCategory(error) {
    return Boolean(this.categories.root && !error.category && !error.mark);
  }

  answer() {
    const decided = this.errors.filter((error) => !error.pending);
    if (!decided.length) return this.none || this.errors.length || !("alone" in this.say) ? [] : undefined;
    return decided.map((error) => ({ ...error }));
  }

  unfinished() {
    return this.errors.find((error) => error.pending || !error.severity || this.needsCategory(error));
  }

  problem() {
    const open = this.unfinished();
    if (open?.pending) return this.say.sayConfirm;
    if (open) return open.severity ? this.say.sayCategory : this.say.saySeverity;
    const alone = this.errors.some((error) => this.categories.standingAlone.includes(error.category));
    return alone && this.errors.length > 1 ? this.say.sayAlone : "";
  }

  place() {
    const open = this.unfinished();
    if (!open) return this.text;
    this.choose(open);
    if (open.pending) return this.find(".confirm");
    return open.severity ? this.find(".kind") : this.find(".mark-as");
  }
}

const all = () => [...document.querySelectorAll(".question.spans")].map((question) => markings.get(question)).filter(Boolean);
const texts = () => all().flatMap((one) => one.texts);
let latest = null; // in which something was selected last

// The one that keys are for: where the focus is, else where something was selected last.
function shown() {
  const known = all();
  const focused = known.find((one) => one.scope.contains(document.activeElement));
  return focused ?? (known.includes(latest) ? latest : known[0]);
}

let finger = false;
document.addEventListener("pointerdown", (event) => (finger = event.pointerType === "touch"));
document.addEventListener("click", (event) => texts().forEach((one) => one.selection.onClick(event)));
document.addEventListener("selectionchange", () => finger && texts().forEach((one) => one.selection.onHandles()));

// Keys of the palette, wherever the focus is.
document.addEventListener("keydown", (event) => {
  const one = shown();
  if (!one || event.defaultPrevented || event.altKey || event.target.matches("textarea, select, input[type=number], input[type=text]")) return;
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (key !== "z" || event.shiftKey) return;
    event.preventDefault();
    one.undo();
  } else if (/^[a-z]$/.test(key) && one.onLetter(key)) event.preventDefault();
  // arrows begin to select without a way to the text, unless something else uses them
  else if (/^Arrow(Left|Right)$/.test(event.key) && !event.target.closest("input, button, a, summary, [tabindex='0']")) {
    one.text.focus();
    one.onTextKey(event, one.texts[0]);
  } else if (event.key === "Escape") {
    one.letGo();
    one.show();
    one.tell("");
  }
});

document.addEventListener("jurat:ready", (event) => {
  if (event.target.matches(".question.spans") && !markings.has(event.target)) markings.set(event.target, new Marking(event.target));
});

register("spans", {
  read: (question) => markings.get(question)?.answer(),
  problem: (question) => markings.get(question)?.problem() ?? "",
  place: (question) => markings.get(question)?.place(),
});
