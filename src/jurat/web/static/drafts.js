// What a judge has begun to answer: kept on this device at once, on the server a little later, so
// that he can go on with another device; and put back into the step when he returns.

import { answers, isAsked, parts, questions } from "./form.js";

const PAUSE = 800; // milliseconds without a change, before the server is asked

// What is small and needed before the first key is pressed: at hand at once, unlike a database.
export class Pocket {
  constructor(base, owner) {
    this.others = `jurat ${base} `;
    this.prefix = `${this.others}${owner} `;
  }

  get(name) {
    try {
      return JSON.parse(localStorage.getItem(this.prefix + name));
    } catch {
      return null;
    }
  }

  put(name, value) {
    try {
      if (value === null) localStorage.removeItem(this.prefix + name);
      else localStorage.setItem(this.prefix + name, JSON.stringify(value));
    } catch {} // a browser that keeps nothing; the server does
  }

  forgetOthers() {
    try {
      const foreign = (key) => key.startsWith(this.others) && !key.startsWith(this.prefix);
      for (const key of Object.keys(localStorage).filter(foreign)) localStorage.removeItem(key);
    } catch {}
  }
}

export class Drafts {
  constructor(box, pocket, page) {
    this.box = box;
    this.pocket = pocket;
    this.page = page;
    this.timer = 0;
  }

  // The latest answers of a step, which may still have gaps.
  keep(step) {
    const { key, assignment, position } = step.dataset;
    this.pocket.put("draft", { key, assignment, position: Number(position), answers: begun(step) });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), PAUSE);
  }

  // To the server; also by a page that is about to go away.
  async send({ leaving = false } = {}) {
    clearTimeout(this.timer);
    const draft = this.pocket.get("draft");
    if (!draft || (await this.box.waiting()).length) return; // first what was decided before it
    const { assignment, position, answers: given } = draft;
    const reply = await fetch(`${this.page.base}api/draft`, {
      method: "PUT",
      headers: { "content-type": "application/json", "x-form-key": this.page.formKey },
      body: JSON.stringify({ assignment, position, answers: given }),
      keepalive: leaving,
    }).catch(() => null);
    const newest = JSON.stringify(this.pocket.get("draft")) === JSON.stringify(draft);
    if (reply?.ok && newest) this.forget();
  }

  forget() {
    clearTimeout(this.timer);
    this.pocket.put("draft", null);
  }

  // What was begun here and never reached the server is newer than what the server knows.
  restore(step) {
    const kept = this.pocket.get("draft");
    if (kept?.key === step.dataset.key) restoreAnswers(step, kept.answers);
  }
}

export function begun(step) {
  const given = answers(step);
  for (const question of questions(step)) {
    const chosen = isAsked(question) && question.dataset.kind === "list" ? parts(question).map(chosenIn) : [];
    if (chosen.some((one) => one !== null)) given[question.dataset.question] ??= chosen;
  }
  return given;
}

function chosenIn(part) {
  const chosen = part.querySelector("input:checked");
  return chosen ? JSON.parse(chosen.dataset.value) : null;
}

export function restoreAnswers(step, given) {
  for (const question of questions(step)) {
    const answer = given[question.dataset.question];
    if (answer !== undefined) restore(question, answer);
  }
}

function restore(question, answer) {
  const text = question.querySelector("textarea");
  // a kind that keeps its own state reads what stands there when the step is ready
  if ("answer" in question.dataset) question.dataset.answer = JSON.stringify(answer);
  else if (question.dataset.kind === "slider") slide(question, answer);
  else if (parts(question).length) parts(question).forEach((part, n) => tick(part, answer[n]));
  else if (text) text.value = answer;
  else tick(question, answer);
}

function tick(group, answer) {
  for (const input of group.querySelectorAll("input[data-value]")) {
    input.checked = JSON.parse(input.dataset.value) === answer;
  }
}

function slide(question, answer) {
  const range = question.querySelector("[type=range]");
  if (typeof answer !== "number") question.querySelector("[type=checkbox]").checked = true;
  else for (const input of [range, question.querySelector("[type=number]")]) input.value = answer;
  range.toggleAttribute("data-untouched", typeof answer !== "number");
}
