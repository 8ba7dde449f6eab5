// A magnitude is typed: a digit, wherever the focus is, begins the number.

import { register } from "../../form.js";

const parts = (question) => ({
  typed: question.querySelector("[type=number]"),
  na: question.querySelector("[type=checkbox]"),
});

function read(question) {
  const { typed, na } = parts(question);
  if (na?.checked) return "n/a";
  return typed.value !== "" && Number(typed.value) > 0 && typed.checkValidity() ? Number(typed.value) : undefined;
}

function problem(question) {
  const { typed, na } = parts(question);
  const open = na?.checked || (typed.value === "" && !typed.validity.badInput);
  return open || read(question) !== undefined ? "" : question.dataset.problem;
}

function restore(question, answer) {
  const { typed, na } = parts(question);
  if (typeof answer === "number") typed.value = answer;
  else if (na) na.checked = true;
}

document.addEventListener("jurat:digit", (event) => {
  const question = event.target.closest?.(".question.magnitude");
  if (!question) return;
  const { typed } = parts(question);
  typed.value = event.detail;
  typed.focus();
  typed.dispatchEvent(new Event("change", { bubbles: true }));
  event.preventDefault();
});

register("magnitude", { read, restore, problem });
