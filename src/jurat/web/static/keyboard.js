// Keyboard control: digits answer the current question, arrows move between rows, Enter continues.

import { answerOf, isAsked, parts, questions } from "./form.js";

const typing = (element) => element?.matches?.("textarea, select, input[type=number], input[type=text]");
const focusedAmong = (elements) => elements.find((one) => one.contains(document.activeElement));

// Whether a question has asked for a digit wherever the focus is: for all, or for those that it names.
const claims = ({ dataset }, number) => dataset.claims === "all" || dataset.claims?.split(" ").includes(String(number));

// The question in which the focus is, else one that claims the digit, else the first without an answer.
function current(step, number) {
  const asked = questions(step).filter((question) => isAsked(question));
  return (
    focusedAmong(asked) ??
    asked.find((question) => claims(question, number)) ??
    asked.find((question) => answerOf(question) === undefined) ??
    asked.at(-1)
  );
}

// The rows of targets on the page: questions, and the parts of those that have several.
const rowsOf = (question) => (parts(question).length ? parts(question) : [question]);
const rows = (step) => questions(step).filter((one) => isAsked(one)).flatMap(rowsOf);

// The row that a digit means: the one with the focus, else the first without an answer.
function rowFor(question) {
  const own = rowsOf(question);
  return focusedAmong(own) ?? own.find((row) => !row.querySelector("input:checked")) ?? own.at(-1);
}

function pick(step, number) {
  const question = current(step, number);
  if (!question) return false;
  const told = new CustomEvent("jurat:digit", { bubbles: true, cancelable: true, detail: number });
  if (number >= 0 && !question.dispatchEvent(told)) return true;
  const row = rowFor(question);
  const chosen = row.querySelector(`.target input[data-digit="${number}"]`);
  if (!chosen) return false;
  chosen.checked = true;
  chosen.focus();
  chosen.dispatchEvent(new Event("change", { bubbles: true }));
  advance(step, row);
  return true;
}

// Moves the focus on once a row is answered.
function advance(step, row) {
  const all = rows(step);
  const next = all[all.indexOf(row) + 1];
  if (next && !next.querySelector(":checked")) enter(next);
}

function enter(row) {
  const inputs = row.querySelectorAll("input:checked, input:not([type=hidden]), textarea");
  ([...inputs].find((input) => input.checked) ?? inputs[0])?.focus();
}

// Up and down go to the neighbouring row where targets stand side by side; left and right are the
// browser's own, and choose.
function goToNeighbour(step, event) {
  const all = rows(step);
  const row = focusedAmong(all);
  if (all.length < 2 || !row || !event.target.matches("input[type=radio]") || row.matches(".tall")) return;
  const next = all[all.indexOf(row) + (event.key === "ArrowDown" ? 1 : -1)];
  event.preventDefault();
  if (next) enter(next);
}

const TWICE = 400; // milliseconds in which a second Enter belongs to the first
let enteredAt = -Infinity; // when Enter was pressed, if nothing else has been done since
for (const done of ["pointerdown", "input", "change"]) addEventListener(done, () => (enteredAt = -Infinity));

// A key held down or pressed twice decides only once, and does not ask for the next step's answer.
function goOn(event, submit) {
  const sends = event.ctrlKey || event.metaKey;
  if (!sends && event.target.matches("a, button:not(.handle), summary, textarea")) return;
  event.preventDefault();
  const again = event.repeat || event.timeStamp - enteredAt < TWICE;
  enteredAt = event.timeStamp;
  if (!again) submit();
}

let minus = false; // the last key was a minus: the next digit is a number below zero

// The number that a key completes; null if it completes none.
function typedNumber(step, event) {
  const sign = minus ? -1 : 1;
  minus = event.key === "-" && !typing(event.target) && Boolean(step.querySelector('[data-digit^="-"]'));
  if (!/^[0-9]$/.test(event.key) || typing(event.target)) return null;
  return sign * Number(event.key) || 0; // and not -0
}

export function listen(stage, submit) {
  document.addEventListener("keydown", (event) => {
    const step = stage.querySelector(".step");
    if (!step || event.defaultPrevented) return;
    if (event.key === "Enter") return goOn(event, submit);
    enteredAt = -Infinity;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const number = typedNumber(step, event);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") goToNeighbour(step, event);
    else if (number !== null && pick(step, number)) event.preventDefault();
  });
}

// A group of buttons is one tab stop; arrow keys move within it.
export function rove(group, selector) {
  const all = () => [...group.querySelectorAll(selector)];
  const stop = (button) => all().forEach((one) => (one.tabIndex = one === button ? 0 : -1));
  if (!group.dataset.roves) {
    group.dataset.roves = "yes";
    group.addEventListener("focusin", (event) => event.target.matches(selector) && stop(event.target));
    group.addEventListener("keydown", (event) => {
      const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!way || !event.target.matches(selector) || event.defaultPrevented) return;
      event.preventDefault();
      all()[all().indexOf(event.target) + way]?.focus();
    });
  }
  stop(all().find((one) => one.tabIndex === 0 && one.isConnected) ?? all()[0]);
}
