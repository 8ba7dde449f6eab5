// Unfinished answers: saved on this device at once and on the server a little later, so that judges can
// continue on another device; restored when they return to the step.

import { remark, restoreRemark } from "./flag.js";
import { begunIn, collect, keptAnswer, questions, restore } from "./form.js";

const PAUSE = 800; // milliseconds without a change before answers are sent to the server

// Local storage is read synchronously, before the first key is pressed, unlike the database.
// A judge's entries, `draft` and `spent`; two judges may use the same device.
export class JudgeStorage {
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
    } catch {} // local storage may be disabled; the server has the answers as well
  }

  forgetOthers() {
    try {
      const foreign = (key) => key.startsWith(this.others) && !key.startsWith(this.prefix);
      for (const key of Object.keys(localStorage).filter(foreign)) localStorage.removeItem(key);
    } catch {}
  }
}

export class UnfinishedAnswers {
  constructor(box, storage, page) {
    this.box = box;
    this.storage = storage;
    this.page = page;
    this.timer = 0;
    this.sending = new AbortController();
  }

  // The latest answers of a step, which may still have gaps.
  save(step) {
    const { key, assignment, position } = step.dataset;
    this.storage.put("draft", { key, assignment, position: Number(position), answers: begun(step), said: remark() });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), PAUSE);
  }

  // Sends the answers to the server, also while the page is being closed.
  async send({ leaving = false } = {}) {
    clearTimeout(this.timer);
    if ((await this.box.waiting()).length) return; // decisions before it go first
    const unsent = this.storage.get("draft");
    if (!unsent || unsent.sent) return;
    this.sending = new AbortController();
    const { assignment, position, answers: given } = unsent;
    const reply = await fetch(`${this.page.base}api/draft`, {
      method: "PUT",
      headers: { "content-type": "application/json", "x-form-key": this.page.formKey },
      body: JSON.stringify({ assignment, position, answers: given }),
      keepalive: leaving,
      signal: this.sending.signal,
    }).catch(() => null);
    const newest = JSON.stringify(this.storage.get("draft")) === JSON.stringify(unsent);
    if (!reply?.ok || !newest) return;
    this.forget();
    // what is said about the item stays on this device until it is decided
    if (Object.values(unsent.said ?? {}).some(Boolean)) this.storage.put("draft", { ...unsent, answers: {}, sent: true });
  }

  // Once the step is decided: the server would refuse answers that arrive after the decision.
  forget() {
    clearTimeout(this.timer);
    this.sending.abort();
    this.storage.put("draft", null);
  }

  // Answers that never reached the server are newer than the server's.
  restore(step) {
    const kept = this.storage.get("draft");
    if (kept?.key !== step.dataset.key) return;
    restoreAnswers(step, kept.answers);
    restoreRemark(kept.said);
  }
}

// The answers of a step as far as they go: also of a list that still has gaps.
export const begun = (step) => collect(step, begunIn);

export function restoreAnswers(step, given) {
  for (const question of questions(step)) {
    const answer = keptAnswer(question, given);
    if (answer !== undefined) restore(question, answer);
  }
}
