// Decisions go to the server one after the other, in order, until it says that each is on disk.
// To send one twice does no harm: the server knows it by its key.

import { moment } from "./clock.js";

const PATIENCE = [1, 2, 3, 5, 10]; // seconds before the next try
const SHUT = 60; // the same, where a coordinator has to do something first
const LONGEST = 30_000; // milliseconds that the server may think
const SMALL = 15_000; // characters that a browser still sends for a page that is gone (64 KB at most)

export class Delivery {
  // `page`: base, owner, formKey, goOn. `hears`: what the page does when a decision was stored or
  // superseded (`stored`), when it is to be mended (`refused`), and when none can be sent (`stopped`).
  constructor(box, page, hears) {
    this.box = box;
    this.page = page;
    this.hears = hears;
    this.running = null;
    this.failures = 0;
    this.timer = 0;
    this.underway = "";
    // what is on its way when the page is closed goes once more, and need not wait for the next time
    addEventListener("pagehide", () => {
      if (this.underway && this.underway.length < SMALL) this.post({ keepalive: true }).catch(() => {});
    });
    addEventListener("online", () => {
      this.failures = 0; // the first try may still be too early
      this.now();
    });
  }

  // One delivery at a time, in this window and in all others of the judge.
  now() {
    clearTimeout(this.timer);
    this.running ??= this.alone(() => this.flush()).finally(() => (this.running = null));
    return this.running;
  }

  alone(work) {
    const name = `jurat ${this.page.base} ${this.page.owner}`;
    return navigator.locks ? navigator.locks.request(name, work) : work();
  }

  async flush() {
    for (;;) {
      const [first] = await this.box.waiting();
      if (!first || first.refused) return;
      if (!(await this.deliver(first))) return;
    }
  }

  // Whether it can go on with the next one.
  async deliver(decided) {
    let reply, told;
    try {
      reply = await this.send(decided);
      if (reply.status >= 500) return this.later("server-away");
      if (reply.status === 401) return this.stop("login-again");
      if (reply.status === 403) return this.findOwner();
      told = await reply.json(); // a page of somebody else's network is no answer
    } catch {
      return this.later("offline");
    }
    this.failures = 0;
    return this.settle(decided, told, reply.ok);
  }

  async settle(decided, told, ok) {
    if (!ok && told.problem === "shut") return this.later("shut", told.reason ?? "");
    if (!ok && told.problem === "early") return this.hears.early(decided, told);
    if (!ok && !["elsewhere", "gone"].includes(told.problem)) return this.refuse(decided, told);
    if (ok && !told.saved) return this.later("offline");
    const lost = told.problem === "gone" ? await this.dropKit(decided.assignment) : 0;
    await this.box.remove("decisions", decided.key);
    await this.hears.stored(decided, told, lost);
    return true;
  }

  async send(decided) {
    const { assignment, position, revision, answers, language, active, elapsed, made } = decided;
    const waited = (moment() - made) / 1000;
    const have = this.hears.has?.() ?? [];
    const go_on = this.page.goOn;
    const sent = { assignment, position, revision, answers, language, active, elapsed, waited, have, go_on };
    this.underway = JSON.stringify(sent);
    return this.post({ signal: AbortSignal.timeout(LONGEST) }).finally(() => (this.underway = ""));
  }

  post(options) {
    return fetch(`${this.page.base}api/decide`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-form-key": this.page.formKey },
      body: this.underway,
      ...options,
    });
  }

  // The page is not of the login that this device has now: is it anybody's?
  async findOwner() {
    const reply = await fetch(`${this.page.base}api/me`);
    if (reply.status === 401) return this.stop("login-again");
    return reply.ok ? this.stop("taken-over") : this.later("server-away");
  }

  async refuse(decided, told) {
    await this.box.put("decisions", decided.key, { ...decided, refused: true });
    await this.hears.refused(decided, told);
    return false;
  }

  // Nothing of a kit that went to somebody else can be stored any more.
  async dropKit(assignment) {
    const own = (row) => row.assignment === assignment;
    const lost = (await this.box.waiting()).filter(own);
    for (const one of lost) await this.box.remove("decisions", one.key);
    await this.box.clear("steps", (row) => !row.key.startsWith(`${assignment}/`));
    return lost.length;
  }

  async later(why, reason = "") {
    const seconds = why === "shut" ? SHUT : PATIENCE[Math.min(this.failures++, PATIENCE.length - 1)];
    this.timer = setTimeout(() => this.now(), 1000 * seconds);
    return this.stop(why, reason);
  }

  async stop(why, reason = "") {
    await this.hears.stopped(why, (await this.box.waiting()).length, reason);
    return false;
  }
}
