// Sends decisions to the server one after the other, in order, until it confirms that each is on
// disk. Sending one twice does no harm: the server recognises it by its key.

import { moment } from "./clock.js";

const PATIENCE = [1, 2, 3, 5, 10]; // seconds before the next attempt
const SHUT = 60; // seconds, if a coordinator has to act first
const LONGEST = 30_000; // milliseconds to wait for the server
const SMALL = 15_000; // characters; browsers send at most 64 KB for a page that has been closed

export class Delivery {
  // `page`: base, owner, formKey, goOn. `hears`: callbacks for a decision that was stored or superseded
  // (`stored`), one that the judge has to correct (`refused`), when nothing can be sent (`stopped`) and
  // when nothing is left to be sent (`emptied`).
  constructor(box, page, hears) {
    this.box = box;
    this.page = page;
    this.hears = hears;
    this.running = null;
    this.asked = false;
    this.failures = 0;
    this.timer = 0;
    this.underway = "";
    this.attempt = new AbortController();
    // a request that is under way when the page is closed would be cancelled, so it is sent once more
    addEventListener("pagehide", () => {
      if (this.underway && this.underway.length < SMALL) this.post({ keepalive: true }).catch(() => {});
    });
    addEventListener("online", () => {
      this.failures = 0; // the first attempt may come before the network is really there
      this.attempt.abort(); // what was sent over a connection that is gone may never be answered
      this.now();
    });
  }

  // One delivery at a time, across all windows of the judge. If it is asked for while one is under way,
  // which may be past its last look at the outbox, another follows: nothing else would start it.
  now() {
    clearTimeout(this.timer);
    this.asked = true;
    this.running ??= this.whileAsked();
    return this.running;
  }

  async whileAsked() {
    try {
      while (this.asked) {
        this.asked = false;
        await this.alone(() => this.flush());
      }
    } finally {
      this.running = null;
    }
  }

  alone(work) {
    const name = `jurat ${this.page.base} ${this.page.owner}`;
    return navigator.locks ? navigator.locks.request(name, work) : work();
  }

  async flush() {
    for (;;) {
      const [first] = await this.box.waiting();
      if (!first) return this.hears.emptied?.();
      if (first.refused) return;
      if (!(await this.deliver(first))) return;
    }
  }

  // Sends one decision; true if the next one can follow.
  async deliver(decided) {
    let reply, told;
    try {
      reply = await this.send(decided);
      if (reply.status >= 500) return this.later("server-away");
      if (reply.status === 401) return this.stop("login-again");
      if (reply.status === 403) return await this.findOwner(); // awaited, so that a failure is tried again
      told = await reply.json(); // throws if a captive portal answered with a page of its own
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
    const { assignment, position, revision, answers, language, active, played, elapsed, made } = decided;
    const { flag, comment, skip } = decided; // left out of the JSON where they are undefined
    const waited = (moment() - made) / 1000;
    const have = this.hears.has?.() ?? [];
    const go_on = this.page.goOn;
    const sent = { assignment, position, revision, answers, language, active, played, elapsed, waited, have, go_on, flag, comment, skip };
    this.underway = JSON.stringify(sent);
    const attempt = (this.attempt = new AbortController());
    setTimeout(() => attempt.abort(), LONGEST); // without effect on what has been answered by then
    return this.post({ signal: attempt.signal }).finally(() => (this.underway = ""));
  }

  post(options) {
    return fetch(`${this.page.base}api/decide`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-form-key": this.page.formKey },
      body: this.underway,
      ...options,
    });
  }

  // The page belongs to another login than this device has now: find out whose it is.
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

  // Decisions of a kit that was reassigned can no longer be stored.
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
