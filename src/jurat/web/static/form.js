// The questions of a step: their answers, which of them are asked, and which are missing.

import { holds } from "./conditions.js";

// How kinds of question are answered, by the name in `data-kind`. Every function takes the
// question's element:
//   read(question)             the answer; undefined where there is none
//   begun(question)            what a draft keeps of it; by default the answer
//   restore(question, answer)  puts a draft back
//   problem(question)          what an answer still lacks, in words; "" where it is complete
//   place(question)            the element that takes the focus when something is missing
const KINDS = {};

// A kind's script says how it is answered: `register("slider", { read, restore, problem })`.
export function register(kind, ways) {
  KINDS[kind] = { ...FIELDS, begun: ways.read, ...ways };
}

// A kind without a script: radio buttons and tick boxes with their answer in `data-value`, or else
// one field to type in. Several groups, each within [data-part], make a list.
const FIELDS = {
  read(question) {
    const values = (parts(question).length ? parts(question) : [question]).map(valueIn);
    if (values.some((value) => value === undefined)) return undefined;
    return parts(question).length ? values : values[0];
  },
  begun(question) {
    const values = parts(question).map((part) => valueIn(part) ?? null);
    return values.some((value) => value !== null) ? values : FIELDS.read(question);
  },
  restore(question, answer) {
    // a kind that keeps its own state reads what stands there when the step is ready
    if ("answer" in question.dataset) question.dataset.answer = JSON.stringify(answer);
    else if (parts(question).length) parts(question).forEach((part, n) => fill(part, answer[n]));
    else fill(question, answer);
  },
};

const typedIn = (group) => group.querySelector("textarea, select, input:not([type=hidden], [type=radio], [type=checkbox])");

function valueIn(group) {
  const chosen = group.querySelector("input[data-value]:checked");
  if (chosen) return JSON.parse(chosen.dataset.value);
  const typed = typedIn(group);
  if (!typed || !typed.value.trim()) return undefined;
  return typed.type === "number" ? Number(typed.value) : typed.value;
}

function fill(group, answer) {
  for (const input of group.querySelectorAll("input[data-value]")) {
    input.checked = JSON.parse(input.dataset.value) === answer;
  }
  const typed = typedIn(group);
  if (typed) typed.value = answer ?? "";
}

const ways = (question) => KINDS[question.dataset.kind] ?? FIELDS;
export const parts = (question) => [...question.querySelectorAll("[data-part]")];
export const questions = (step) => [...step.querySelectorAll(".question")];
export const isAsked = (question) => !question.hasAttribute("data-waiting");
export const answerOf = (question) => ways(question).read(question);
export const begunIn = (question) => ways(question).begun(question);
export const restore = (question, answer) => ways(question).restore(question, answer);

export function answers(step) {
  const given = {};
  for (const question of questions(step)) {
    if (!isAsked(question)) continue;
    const answer = answerOf(question);
    if (answer !== undefined) given[question.dataset.question] = answer;
  }
  return given;
}

// Shows and hides follow-up questions according to the answers before them, without moving anything.
export function follow(step) {
  for (const question of questions(step)) {
    if (!question.dataset.when) continue;
    const earlier = JSON.parse(question.dataset.earlier ?? "{}"); // answers of earlier stages
    const asked = holds(JSON.parse(question.dataset.when), { ...earlier, ...answers(step) });
    question.toggleAttribute("data-waiting", !asked);
    question.disabled = !asked;
    if (!asked) for (const input of question.querySelectorAll(":checked")) input.checked = false;
  }
}

const problem = (question) => ways(question).problem?.(question) ?? "";
const lacks = (question) =>
  problem(question) !== "" || (question.hasAttribute("data-required") && answerOf(question) === undefined);

export const missing = (step) => questions(step).filter((question) => isAsked(question) && lacks(question));

// Shows what is missing or wrong, and moves the focus there.
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
