// Error spans: what is selected in the text is marked with a severity and, where the protocol has
// them, a category. The list beside the text shows all marks; there they are changed and removed.

import { register } from "../../form.js";
import { rove } from "../../keyboard.js";
import { Categories } from "./categories.js";
import { CodePoints } from "./code_points.js";
import { DrawnSpans } from "./draw_spans.js";
import { TextSelection } from "./selection.js";

const markings = new WeakMap();

const inOrder = (a, b) => a.start - b.start || a.end - b.end;
const isPressed = (button) => button?.getAttribute("aria-pressed") === "true";
const press = (button, on) => button?.setAttribute("aria-pressed", String(on));

class Marking {
  constructor(question) {
    this.question = question;
    this.say = question.dataset;
    // of several translations each has its own errors
    this.scope = question.closest("[data-column]") ?? question.closest(".step");
    this.points = new CodePoints(this.scope.querySelector(".translation .text"));
    this.text = this.points.element;
    this.drawn = new DrawnSpans(this.points);
    this.selection = new TextSelection(this.points, () => isPressed(this.find(".sign-switch")), (place) => this.onPicked(place));
    this.categories = new Categories(this.find(".categories"), () => this.text.focus());
    const begun = JSON.parse(question.dataset.answer);
    this.errors = Array.isArray(begun) ? begun.map((error) => ({ ...error })) : [];
    this.none = Array.isArray(begun) && !begun.length; // the judge has said that there is no error
    this.picked = null; // what is selected and not yet marked
    this.current = null; // the mark that the palette changes
    this.prepare();
    this.show();
  }

  find = (selector) => this.question.querySelector(selector);
  all = (selector) => [...this.question.querySelectorAll(selector)];
  severityKeys = "";
  tell = (words) => (this.find(".said").textContent = words);

  prepare() {
    const described = { "aria-label": this.say.sayText, "aria-describedby": this.find(".marking .hint").id };
    const readable = { role: "textbox", "aria-readonly": "true", "aria-multiline": "true", tabindex: "0", ...described };
    for (const [name, value] of Object.entries(readable)) this.text.setAttribute(name, value);
    this.text.classList.add("markable");
    this.text.addEventListener("keydown", (event) => this.onTextKey(event));
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

  onTextKey(event) {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (this.selection.onKey(event)) event.preventDefault();
    else if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      this.remove(this.current ?? this.errorAt(this.selection.head?.start));
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
    else if (button.matches(".none-switch")) this.sayNone();
    else if (button.matches(".remove")) this.remove(this.errorOf(button));
    else if (button.matches(".error-entry")) this.choose(this.errorOf(button));
  }

  onListKey(event) {
    const error = this.errorOf(event.target);
    if (!error || (event.key !== "Delete" && event.key !== "Backspace")) return;
    event.preventDefault();
    this.remove(error);
  }

  errorOf(element) {
    return this.errors[this.all(".errors li").indexOf(element.closest(".errors li"))];
  }

  errorAt(point) {
    return this.errors.find((error) => error.start <= point && point < error.end);
  }

  // Marking

  onPicked(place) {
    for (const other of all()) if (other !== this) other.release();
    latest = this;
    const had = this.current;
    this.picked = place;
    this.current = null;
    this.tell(this.named(place));
    this.showPalette();
    if (!had) return;
    this.show();
    this.selection.show(place); // drawing has taken the selection away
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
    this.selection.clear();
  }

  // What was selected here counts no longer, since something else is.
  release() {
    const drawn = this.current;
    this.picked = this.current = null;
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
    this.changed();
    const open = this.categories.root && !error.category;
    this.tell(open ? this.say.sayCategory : this.told(error));
    if (open && byKey) this.categories.focus();
  }

  sort(category) {
    const error = this.target();
    if (!error) return;
    error.category = category;
    this.changed();
    this.tell(error.severity ? this.told(error) : this.say.saySeverity);
    if (this.categories.hasFocus()) this.text.focus();
  }

  // The error that is meant: a new one where something is selected, else the current one.
  target() {
    const place = this.newPlace();
    if (!place) {
      if (!this.current) this.tell(this.say.sayFirst);
      return this.current;
    }
    const known = this.twin(place);
    if (!known && this.errors.length >= Number(this.say.most ?? Infinity)) {
      this.tell(this.say.sayMost);
      return null;
    }
    if (!known) this.errors.push(place);
    this.errors.sort(inOrder);
    this.letGo();
    this.current = known ?? place;
    return this.current;
  }

  // The same words marked again are the same error, unless errors are of several kinds.
  twin(place) {
    const isSame = (error) => !inOrder(error, place) && !error.missing === !place.missing;
    return this.categories.root ? undefined : this.errors.find(isSame);
  }

  // What is missing has no words of its own: it is missing before what is selected.
  newPlace() {
    const { picked } = this;
    const isGap = isPressed(this.find(".gap-switch")) || (picked && picked.start === picked.end);
    const start = picked?.start ?? 0;
    if (isGap) return this.find(".gap-switch") && { start, end: start, missing: true };
    return picked && { ...picked };
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

  changed() {
    if (this.errors.length) this.none = false;
    this.show();
    this.question.dispatchEvent(new Event("change", { bubbles: true }));
  }

  // Showing

  show() {
    this.drawn.draw(this.errors, (error) => this.rank(error), this.current);
    this.showPalette();
    this.showList();
    const [field, answer] = [this.find("[name$='.json']"), this.answer()];
    field.disabled = answer === undefined;
    field.value = field.disabled ? "" : JSON.stringify(answer);
  }

  showPalette() {
    for (const button of this.all(".mark-as")) press(button, this.current?.severity === button.dataset.severity);
    this.categories.show(this.current?.category);
    press(this.find(".none-switch"), this.none);
    const waits = this.picked || this.current || isPressed(this.find(".gap-switch"));
    // its own keys always: with nothing selected they say so, and are no score of the next question
    this.question.dataset.claims = waits ? "all" : this.severityKeys;
    const unsorted = this.current && this.categories.root && !this.current.category;
    this.float(Boolean(this.picked || unsorted || isPressed(this.find(".gap-switch"))));
  }

  showList() {
    const list = this.find(".errors");
    const focused = this.all(".errors button").indexOf(document.activeElement);
    list.replaceChildren(...this.errors.map((error, n) => this.entry(error, n)));
    this.find(".none").hidden = this.errors.length > 0;
    if (this.errors.length) rove(list, "button");
    this.all(".errors button")[focused]?.focus();
  }

  entry(error, n) {
    const quote = this.quote(error);
    const number = made("span", "number", {}, n + 1);
    number.dataset.rank = this.rank(error);
    const entry = made("button", "error-entry", { type: "button", ...(error === this.current && { "aria-current": "true" }) });
    const kind = made("span", "what", { lang: document.documentElement.lang }, this.kind(error));
    entry.append(number, made("span", error.missing ? "quote gone" : "quote", { dir: "auto" }, quote), kind);
    const remove = { type: "button", "aria-label": this.say.sayRemove.replace("{text}", quote) };
    const item = made("li");
    item.append(entry, made("button", "remove", remove, "×"));
    return item;
  }

  // In words

  button(error) {
    return this.all(".mark-as").find((one) => one.dataset.severity === error.severity);
  }

  rank(error) {
    return Number(this.button(error)?.dataset.rank ?? 0);
  }

  after(point) {
    const word = this.points.words.find((piece) => piece.start >= point);
    return word && this.points.slice(word.start, word.end);
  }

  named({ start, end }) {
    if (start < end) return this.say.sayPicked.replace("{text}", this.points.slice(start, end));
    const word = this.after(start);
    return word ? this.say.sayPlace.replace("{text}", word) : this.say.sayEnd;
  }

  quote(error) {
    if (!error.missing) return this.points.slice(error.start, error.end);
    if (error.start === 0) return this.say.sayMissing;
    const word = this.after(error.start);
    return word ? this.say.sayBefore.replace("{text}", word) : this.say.sayLast;
  }

  kind(error) {
    const severity = this.button(error)?.querySelector(".label").textContent ?? "…";
    const category = this.categories.root ? ` · ${this.categories.label(error.category) ?? "…"}` : "";
    return severity + category;
  }

  told(error) {
    return `${this.kind(error)}: ${this.quote(error)}`;
  }

  // Answering

  answer() {
    if (!this.errors.length) return this.none || !("alone" in this.say) ? [] : undefined;
    return this.errors.map((error) => ({ ...error }));
  }

  unfinished() {
    return this.errors.find((error) => !error.severity || (this.categories.root && !error.category));
  }

  problem() {
    const open = this.unfinished();
    if (open) return open.severity ? this.say.sayCategory : this.say.saySeverity;
    const alone = this.errors.some((error) => this.categories.standingAlone.includes(error.category));
    return alone && this.errors.length > 1 ? this.say.sayAlone : "";
  }

  place() {
    const open = this.unfinished();
    if (!open) return this.text;
    this.choose(open);
    return open.severity ? this.find(".kind") : this.find(".mark-as");
  }
}

function made(name, className = "", attributes = {}, text = "") {
  const element = document.createElement(name);
  if (className) element.className = className;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

const all = () => [...document.querySelectorAll(".question.spans")].map((question) => markings.get(question)).filter(Boolean);
let latest = null; // in which something was selected last

// The one that keys are for: where the focus is, else where something was selected last.
function shown() {
  const known = all();
  const focused = known.find((one) => one.scope.contains(document.activeElement));
  return focused ?? (known.includes(latest) ? latest : known[0]);
}

let finger = false;
document.addEventListener("pointerdown", (event) => (finger = event.pointerType === "touch"));
document.addEventListener("click", (event) => all().forEach((one) => one.selection.onClick(event)));
document.addEventListener("selectionchange", () => finger && all().forEach((one) => one.selection.onHandles()));

// Switches of the palette, wherever the focus is.
document.addEventListener("keydown", (event) => {
  const one = shown();
  const busy = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented;
  if (!one || busy || event.target.matches("textarea, select, input[type=number]")) return;
  const button = one.find({ m: ".gap-switch", c: ".sign-switch" }[event.key.toLowerCase()] ?? "no-switch");
  if (button) one.toggle(button);
  // arrows begin to select without a way to the text, unless something else uses them
  else if (/^Arrow(Left|Right)$/.test(event.key) && !event.target.closest("input, button, a, summary, [tabindex='0']")) {
    one.text.focus();
    one.onTextKey(event);
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
