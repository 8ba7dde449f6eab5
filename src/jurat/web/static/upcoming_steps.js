// Fetches the next steps before they are needed, and keeps them on this device.

const FEW = 5; // steps; with fewer, more are fetched

export const keyAfter = ({ assignment, position }) => `${assignment}/${Number(position) + 1}`;

export class Ahead {
  constructor(box, base) {
    this.box = box;
    this.base = base;
    this.ended = ""; // the kit whose remaining steps before a break are all fetched
  }

  async get(key) {
    return (await this.box.get("steps", key))?.html;
  }

  async fetch(step) {
    const { assignment, position, ahead } = step.dataset;
    const there = await this.following(assignment, Number(position));
    const enough = there >= Math.min(FEW, Number(ahead)) || (there > 0 && this.ended === assignment);
    if (enough || (await this.box.waiting()).length) return;
    const reply = await fetch(`${this.base}api/ahead/${assignment}/${position}`);
    if (!reply.ok) return;
    const steps = await reply.json();
    if (steps.length < Math.min(FEW, Number(ahead))) this.ended = assignment;
    await this.box.clear("steps", (row) => row.key.startsWith(`${assignment}/`));
    await this.box.fill("steps", steps);
  }

  // The number of next steps that are here without a gap.
  async following(assignment, position) {
    const keys = new Set((await this.box.all("steps")).map((row) => row.key));
    let number = 0;
    while (keys.has(`${assignment}/${position + number + 1}`)) number += 1;
    return number;
  }

  // Drops steps that were rendered by another version or in another language.
  async refresh(stamp) {
    if ((await this.box.get("kept", "stamp"))?.stamp === stamp) return;
    await this.box.clear("steps");
    await this.box.put("kept", "stamp", { stamp });
  }
}
