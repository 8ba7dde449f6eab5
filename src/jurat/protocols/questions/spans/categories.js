// The categories of errors, grouped: by mouse, with arrows, by two digits (the group, then the
// member) or by the first letters of a name.

import { rove } from "../../keyboard.js";

const TYPED = 700; // milliseconds within which letters belong together

export class Categories {
  // `root` may be missing: not every protocol sorts errors. `leave` is called on Escape.
  constructor(root, leave) {
    this.root = root;
    this.leave = leave;
    this.typed = "";
    if (!root) return;
    rove(root, ".kind");
    root.addEventListener("keydown", (event) => this.onKey(event));
  }

  get all() {
    return this.root ? [...this.root.querySelectorAll(".kind")] : [];
  }

  get standingAlone() {
    return this.all.filter((kind) => "standsAlone" in kind.dataset).map((kind) => kind.dataset.category);
  }

  label(category) {
    return this.all.find((kind) => kind.dataset.category === category)?.dataset.label;
  }

  show(category) {
    for (const kind of this.all) kind.setAttribute("aria-pressed", String(kind.dataset.category === category));
  }

  focus() {
    (this.all.find((kind) => kind.getAttribute("aria-pressed") === "true") ?? this.all[0]).focus();
  }

  hasFocus() {
    return Boolean(this.root?.contains(document.activeElement));
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") this.leave();
    else if (/^[1-9]$/.test(event.key)) this.onDigit(Number(event.key));
    else if (/^\p{L}$/u.test(event.key)) this.goToName(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  onDigit(digit) {
    const opened = this.root.querySelector(".kinds.open");
    this.open(null);
    if (opened) return opened.querySelector(`.kind[data-digit="${digit}"]`)?.click();
    const group = this.root.querySelector(`.kinds[data-group="${digit}"]`);
    const first = group?.querySelector(".kind");
    // a category that belongs to no group is its own
    if (group && !group.hasAttribute("aria-label")) return first.click();
    this.open(group);
    first?.focus();
  }

  open(group) {
    for (const one of this.root.querySelectorAll(".kinds")) one.classList.toggle("open", one === group);
  }

  goToName(letter) {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => (this.typed = ""), TYPED);
    this.typed += letter.toLowerCase();
    const begins = (name) => name.toLowerCase().startsWith(this.typed);
    this.all.find((kind) => begins(kind.querySelector(".label").textContent) || begins(kind.dataset.label))?.focus();
  }
}
