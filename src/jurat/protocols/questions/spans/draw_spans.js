// Draws marked errors into a text, over its shading. The text itself stays as it is: numbers and
// signs for what is missing are drawn by the style, so that nothing is added that could be counted.

export class DrawnSpans {
  constructor(points) {
    this.points = points;
    this.shades = [...points.element.querySelectorAll("mark")].map((mark) => {
      const start = points.pointAt(mark, 0);
      return { start, end: start + [...mark.textContent].length, className: mark.className };
    });
  }

  // `errors` of this text in their order; the functions `rank`, `number` and `isSuggested` say of
  // each how bad it is, what it is called and whose it is; `current` is shown as such.
  draw(errors, looks) {
    const { points, shades } = this;
    const edges = [...errors, ...shades].flatMap(({ start, end }) => [start, end]);
    const cuts = [...new Set([0, ...edges, points.length])].sort((a, b) => a - b);
    const nodes = [];
    for (const [n, start] of cuts.entries()) {
      for (const gap of errors.filter((error) => error.start === error.end && error.start === start)) {
        nodes.push(this.gap(gap, looks));
      }
      const end = cuts[n + 1];
      if (end !== undefined) nodes.push(this.stretch(start, end, errors, looks));
    }
    points.element.replaceChildren(...nodes);
  }

  stretch(start, end, errors, looks) {
    const text = this.points.slice(start, end);
    const over = errors.filter((error) => error.start < error.end && error.start <= start && end <= error.end);
    const shade = this.shades.find((one) => one.start <= start && end <= one.end);
    if (!over.length && !shade) return document.createTextNode(text);
    const made = document.createElement(shade ? "mark" : "span");
    made.textContent = text;
    if (shade) made.className = shade.className;
    if (over.length) this.dress(made, over, { start, end }, looks);
    return made;
  }

  // The worst of the errors here gives the line its shape; a second one thickens the tint.
  dress(made, over, { start, end }, { rank, number, isSuggested, current }) {
    const begins = over.filter((error) => error.start === start);
    made.classList.add("error");
    made.dataset.rank = Math.max(...over.map(rank));
    made.dataset.depth = Math.min(over.length, 3);
    made.classList.toggle("begins", begins.length > 0);
    made.classList.toggle("ends", over.some((error) => error.end === end));
    made.classList.toggle("current", over.includes(current));
    if (over.some(isSuggested)) made.dataset.suggested = "";
    if (begins.length) made.dataset.number = begins.map((error) => (isSuggested(error) ? "◇" : "") + number(error)).join(",");
  }

  gap(error, { rank, number, isSuggested, current }) {
    const made = document.createElement("span");
    made.className = "gap";
    made.dataset.rank = rank(error);
    if (isSuggested(error)) made.dataset.suggested = "";
    made.dataset.number = (isSuggested(error) ? "◇" : "") + number(error);
    made.classList.toggle("current", error === current);
    return made;
  }
}
