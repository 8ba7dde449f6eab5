// The questions of a step: their answers, which of them are asked, and which are missing.

import { holds } from "./conditions.js";

// How kinds of question are answered, by the name in `data-kind`. Every function takes the
// question's element:
//   read(question)             the answer; undefined where there is none
//   begun(question)            what is saved of it before it is sent; by default the answer
//   restore(question, answer)  puts an answer back
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

// Where the same questions are asked of several translations, each of these has a column; the
// answers are a list of what was answered in each, and a question is called by its column, too:
// "translations.2.score".
const columnOf = (question) => question.closest("[data-each] [data-column]");
const columns = (each) => [...each.querySelectorAll("[data-column]")];
const ownName = (question) => question.dataset.question.split(".").at(-1);

function place(question) {
  const column = columnOf(question);
  if (!column) return null;
  const each = column.closest("[data-each]");
  return { name: each.dataset.each, slot: Number(column.dataset.column) - 1, count: columns(each).length };
}

// The answers of a step by question, as `read` finds them.
export function collect(step, read) {
  const given = {};
  for (const question of questions(step).filter(isAsked)) {
    const answer = read(question);
    if (answer === undefined) continue;
    const at = place(question);
    if (!at) given[question.dataset.question] = answer;
    else (given[at.name] ??= Array.from({ length: at.count }, () => ({})))[at.slot][ownName(question)] = answer;
  }
  return given;
}

export const answers = (step) => collect(step, answerOf);

// Of the answers of a step that were kept, the one to this question.
export function keptAnswer(question, given) {
  const at = place(question);
  return at ? given[at.name]?.[at.slot]?.[ownName(question)] : given[question.dataset.question];
}

// What a condition of a question is about: the answers in its column, or those of the step.
function around(question) {
  const step = question.closest(".step");
  const at = place(question);
  return at ? (answers(step)[at.name]?.[at.slot] ?? {}) : answers(step);
}

const isNothing = (answer) => Array.isArray(answer) && !answer.length;

// The first answer that is to be asked back and was not confirmed as it is, with the words for it.
export function unconfirmed(step) {
  for (const question of questions(step).filter((one) => isAsked(one) && one.dataset.confirm)) {
    const given = around(question);
    for (const { when, without, ask } of JSON.parse(question.dataset.confirm)) {
      const due = holds(when, given) && (!without || isNothing(given[without]));
      if (due && question.dataset.confirmed !== JSON.stringify(given)) return { question, ask, given };
    }
  }
  return null;
}

// Asks about an answer once more, at its place; `keep` goes on with it as it is.
export function askBack({ question, ask, given }, words, keep) {
  // a field tells that it was changed only when it is left, and a change takes the question away
  document.activeElement?.blur();
  question.querySelector(".ask-back")?.remove();
  const box = document.createElement("div");
  box.className = "ask-back";
  box.setAttribute("role", "alert");
  const text = document.createElement("p");
  text.textContent = ask;
  const [change, stay] = [words.change, words.keep].map((word) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = word;
    return button;
  });
  const scope = columnOf(question) ?? question.closest(".step");
  change.addEventListener("click", () => {
    box.remove();
    (scope.querySelector(".markable") ?? firstOpen(question))?.focus();
  });
  stay.addEventListener("click", () => {
    question.dataset.confirmed = JSON.stringify(given);
    box.remove();
    keep();
  });
  box.append(text, change, " ", stay);
  question.append(box);
  change.focus({ preventScroll: true });
  box.scrollIntoView({ block: "nearest" });
}

// Shows and hides follow-up questions according to the answers before them, without moving anything.
export function follow(step) {
  for (const question of questions(step)) {
    if (!question.dataset.when) continue;
    const earlier = JSON.parse(question.dataset.earlier ?? "{}"); // answers of earlier stages
    const asked = holds(JSON.parse(question.dataset.when), { ...earlier, ...around(question) });
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
  const place = ways(question).place?.(question) ?? firstOpen(question);
  // a field tells that it was changed only when it is left, and a change takes the words away
  document.activeElement?.blur();
  line.textContent = problem(question) || words;
  line.hidden = false;
  place?.focus({ preventScroll: true });
  const fits = question.offsetHeight < innerHeight;
  (fits ? question : line).scrollIntoView({ block: "nearest" });
}

function firstOpen(question) {
  const open = parts(question).find((part) => !part.querySelector(":checked"));
  return (open ?? question).querySelector("input:not([type=hidden]), textarea, select, [tabindex]");
}

export function forgive(question) {
  const scope = columnOf(question) ?? question.closest(".step");
  for (const box of scope.querySelectorAll(".ask-back")) box.remove();
  const line = question.querySelector(".problem");
  if (line) line.hidden = true;
}
