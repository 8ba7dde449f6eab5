// A slider says nothing until it is moved: its place before that is no answer.

import { register } from "../../form.js";

const parts = (question) => ({
  range: question.querySelector("[type=range]"),
  typed: question.querySelector("[type=number]"),
  na: question.querySelector("[type=checkbox]"),
});

const isNumber = (typed) => typed.value !== "" && typed.checkValidity();

function read(question) {
  const { typed, na } = parts(question);
  if (na?.checked) return "n/a";
  return isNumber(typed) ? Number(typed.value) : undefined;
}

function problem(question) {
  const { typed, na } = parts(question);
  const fine = na?.checked || typed.checkValidity();
  return fine ? "" : question.dataset.problem;
}

// Where the focus goes: to the number that is wrong, else to the slider.
function place(question) {
  const { range, typed } = parts(question);
  return problem(question) ? typed : range;
}

// A dash between the marks' labels says nothing of where they are: each is put at its place.
function placeMarks(question) {
  const { range } = parts(question);
  const [low, high] = [Number(range.min), Number(range.max)];
  const list = question.querySelector(".marks");
  const shares = [...list.children].map((mark) => (Number(mark.dataset.at) - low) / (high - low));
  for (const [n, mark] of [...list.children].entries()) {
    mark.style.setProperty("--at", shares[n]);
    mark.classList.toggle("middle", shares[n] > 0 && shares[n] < 1);
  }
  // the outermost labels begin at their marks, so two neighbours have two thirds of a gap each
  const gaps = shares.slice(1).map((share, n) => Math.abs(share - shares[n]));
  list.style.setProperty("--room", 0.66 * Math.min(1, ...gaps));
  list.classList.add("placed");
}

function touch(question, from) {
  const { range, typed, na } = parts(question);
  if (from === range) typed.value = range.value;
  else if (from === typed && isNumber(typed)) range.value = typed.value;
  if (from !== na && na) na.checked = false;
  range.toggleAttribute("data-untouched", !isNumber(typed));
}

const owner = (event) => event.target.closest?.(".question.slider");

document.addEventListener("input", (event) => {
  const question = owner(event);
  if (question) touch(question, event.target);
});

// A click on the very place where the handle waits moves nothing, but it is an answer.
document.addEventListener("pointerup", (event) => {
  const question = owner(event);
  if (!question || event.target !== parts(question).range) return;
  touch(question, event.target);
  event.target.dispatchEvent(new Event("change", { bubbles: true }));
});

// A digit is the beginning of a number.
document.addEventListener("jurat:digit", (event) => {
  const question = owner(event);
  if (!question) return;
  const { typed } = parts(question);
  typed.value = event.detail;
  typed.focus();
  touch(question, typed);
  typed.dispatchEvent(new Event("change", { bubbles: true }));
  event.preventDefault();
});

document.addEventListener("jurat:ready", (event) => {
  const question = owner(event);
  if (question) placeMarks(question);
});

function restore(question, answer) {
  const { range, typed, na } = parts(question);
  if (typeof answer === "number") range.value = typed.value = answer;
  else if (na) na.checked = true;
  range.toggleAttribute("data-untouched", !isNumber(typed));
}

register("slider", { read, restore, problem, place });
