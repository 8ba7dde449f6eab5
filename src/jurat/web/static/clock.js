// Measures how long a step was shown, how long of that the page was visible, and how long its media
// were playing, by the browser's monotonic clock, which no change of the system time can move.

const MEDIA = ".step .media :is(video, audio)";
const MEDIA_EVENTS = ["playing", "pause", "ended", "waiting", "timeupdate", "emptied"]; // they do not bubble
const isPlaying = (one) => !one.paused && !one.ended && one.readyState > 2;

export class Watch {
  // A step that was on the screen before goes on from there.
  constructor({ elapsed = 0, active = 0, played = 0 } = {}) {
    this.before = { elapsed, active };
    this.played = played * 1000;
    this.playingSince = null;
    this.mediaListener = () => this.hear();
    for (const name of MEDIA_EVENTS) document.addEventListener(name, this.mediaListener, true);
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

  // Adds the time since the last event if something was playing.
  hear() {
    const now = performance.now();
    if (this.playingSince !== null) this.played += now - this.playingSince;
    this.playingSince = [...document.querySelectorAll(MEDIA)].some(isPlaying) ? now : null;
  }

  // Seconds since the step was shown, those in which the page was visible, and those in which media
  // were playing, where there are any.
  read() {
    const now = performance.now();
    this.hear();
    const played = document.querySelector(MEDIA) ? { played: this.played / 1000 } : {};
    const away = this.hidden + (this.since === null ? 0 : now - this.since);
    const shown = now - this.start;
    return { elapsed: this.before.elapsed + shown / 1000, active: this.before.active + (shown - away) / 1000, ...played };
  }

  stop() {
    document.removeEventListener("visibilitychange", this.listener);
    for (const name of MEDIA_EVENTS) document.removeEventListener(name, this.mediaListener, true);
    return this.read();
  }
}

// The current time by the page's monotonic clock; windows agree on it as far as their clocks do.
export const moment = () => performance.timeOrigin + performance.now();
