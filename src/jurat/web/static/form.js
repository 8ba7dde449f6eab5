// The questions of a step: their answers, which of them are asked, and which are missing.

import { holds } from "./conditions.js";

// How a kind of question is read. Besides `read` a kind may say what an answer still lacks
// (`problem`, in words) and where to go to give it (`place`, an element).
const KINDS = {
  picked: {
    read(question) {
      const chosen = question.querySelector("input:checked");
      return chosen ? JSON.parse(chosen.dataset.value) : undefined;
    },
  },
  list: {
    read(question) {
      const chosen = parts(question).map((part) => part.querySelector("input:checked"));
      return chosen.every(Boolean) ? chosen.map((one) => JSON.parse(one.dataset.value)) : undefined;
    },
  },
  text: {
    read(question) {
      const text = question.querySelector("textarea").value;
      return text.trim() ? text : undefined;
    },
  },
};

// Other kinds bring their own: `register("spans", { read: (question) => … })`.
export function register(kind, ways) {
  KINDS[kind] = ways;
}

const ways = (question) => KINDS[question.dataset.kind];
export const parts = (question) => [...question.querySelectorAll("[data-part]")];
export const questions = (step) => [...step.querySelectorAll(".question")];
export const isAsked = (question) => !question.hasAttribute("data-waiting");
export const answerOf = (question) => ways(question).read(question);

export function answers(step) {
  const given = {};
  for (const question of questions(step)) {
    if (!isAsked(question)) continue;
    const answer = answerOf(question);
    if (answer !== undefined) given[question.dataset.question] = answer;
  }
  return given;
}

// Follow-up questions come and go with the answers before them, without moving anything.
export function follow(step) {
  for (const question of questions(step)) {
    if (!question.dataset.when) continue;
    const asked = holds(JSON.parse(question.dataset.when), answers(step));
    question.toggleAttribute("data-waiting", !asked);
    question.disabled = !asked;
    if (!asked) for (const input of question.querySelectorAll(":checked")) input.checked = false;
  }
}

const problem = (question) => ways(question).problem?.(question) ?? "";
const lacks = (question) =>
  problem(question) !== "" || (question.hasAttribute("data-required") && answerOf(question) === undefined);

export const missing = (step) => questions(step).filter((question) => isAsked(question) && lacks(question));

// Say what is missing or wrong, and go there.
export function complain(question, words) {
  const line = question.querySelector(".problem");
  line.textContent = problem(question) || words;
  line.hidden = false;
  const place = ways(question).place?.(question) ?? firstOpen(question);
  place?.focus({ preventScroll: true });
  const fits = question.offsetHeight < innerHeight;
  (fits ? question : line).scrollIntoView({ block: "nearest" });
}

function firstOpen(question) {
  const open = parts(question).find((part) => !part.querySelector(":checked"));
  return (open ?? question).querySelector("input:not([type=hidden]), textarea, select, [tabindex]");
}

export function forgive(question) {
  const line = question.querySelector(".problem");
  if (line) line.hidden = true;
}
