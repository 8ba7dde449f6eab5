// Measures how long a step was shown, and how long of that the page was visible, by the browser's
// monotonic clock, which no change of the system time can move.

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

  // Seconds since the step was shown, and those in which the page was visible.
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

// The current time by the page's monotonic clock; windows agree on it as far as their clocks do.
export const moment = () => performance.timeOrigin + performance.now();
