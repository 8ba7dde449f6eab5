// The same questions about several translations: keys go from one to the next, the bar of tools is
// that of the translation being worked on, and the order that the numbers imply is said in words.

import { answers } from "../../form.js";

const each = () => document.querySelector("[data-each]");
const columns = () => [...(each()?.querySelectorAll("[data-column]") ?? [])];
const active = () => columns().find((column) => column.hasAttribute("data-active")) ?? columns()[0];

function activate(column) {
  for (const one of columns()) one.toggleAttribute("data-active", one === column);
}

const first = (column) => column.querySelector(".markable, input:not([type=hidden]), textarea, select, button");

function go(way) {
  const all = columns();
  const here = all.find((column) => column.contains(document.activeElement));
  // the first key press enters the first column, or the last one when going backwards
  const at = here ? all.indexOf(here) + way : way > 0 ? 0 : all.length - 1;
  const next = all[(at + all.length) % all.length];
  activate(next);
  first(next)?.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

function goToLast() {
  const field = active()?.querySelector(".question:last-of-type")?.querySelector("input[type=number], input:not([type=hidden]), textarea, select");
  field?.focus();
  field?.select?.();
}

document.addEventListener("keydown", (event) => {
  const writing = event.target.matches("textarea, select, input[type=text]");
  if (!each() || writing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const key = event.key.toLowerCase();
  if (key === "n") go(event.shiftKey ? -1 : 1);
  else if (key === "s" && !event.shiftKey) goToLast();
  else return;
  event.preventDefault();
});

for (const kind of ["focusin", "pointerdown"]) {
  document.addEventListener(kind, (event) => {
    const column = event.target.closest?.("[data-each] [data-column]");
    if (column) activate(column);
  });
}

// "Your scores put them in this order: 3 (80), 1 (78), 2 (34)."
function sayOrder() {
  const { rankedBy, each: name, sayOrder: words, sayTied: tied } = each().dataset;
  const given = answers(each().closest(".step"))[name] ?? [];
  const numbers = given.map((one, n) => ({ n: n + 1, number: one[rankedBy] })).filter(({ number }) => typeof number === "number");
  const place = each().querySelector(".implied");
  if (numbers.length < columns().length) return void (place.textContent = "");
  const sorted = numbers.sort((a, b) => b.number - a.number);
  const said = sorted.map(({ n, number }, at) => (at ? (sorted[at - 1].number === number ? ` ${tied} ` : ", ") : "") + `${n} (${number})`);
  place.textContent = words.replace("{order}", said.join(""));
}

function prepare() {
  if (!columns().some((column) => column.hasAttribute("data-active"))) activate(columns()[0]);
  if (each().dataset.rankedBy) sayOrder();
}

for (const kind of ["jurat:ready", "change", "input"]) {
  document.addEventListener(kind, (event) => event.target.closest?.("[data-each]") && prepare());
}
