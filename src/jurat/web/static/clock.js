// How long a step was on the screen, and how long of that the page was in front: by the browser's
// steady clock, which no change of the date can move.

export class Watch {
  // A step that was on the screen before goes on from there.
  constructor({ elapsed = 0, active = 0 } = {}) {
    this.before = { elapsed, active };
    this.start = performance.now();
    this.hidden = 0;
    this.since = document.hidden ? this.start : null;
    this.listener = () => this.look();
    document.addEventListener("visibilitychange", this.listener);
  }

  look() {
    const now = performance.now();
    if (document.hidden) this.since ??= now;
    else if (this.since !== null) {
      this.hidden += now - this.since;
      this.since = null;
    }
  }

  // Seconds since the showing, and those in front.
  read() {
    const now = performance.now();
    const away = this.hidden + (this.since === null ? 0 : now - this.since);
    const shown = now - this.start;
    return { elapsed: this.before.elapsed + shown / 1000, active: this.before.active + (shown - away) / 1000 };
  }

  stop() {
    document.removeEventListener("visibilitychange", this.listener);
    return this.read();
  }
}

// The moment as the page's own steady clock tells it; pages share it as well as their clocks agree.
export const moment = () => performance.timeOrigin + performance.now();
