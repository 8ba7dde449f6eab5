// The rows of a table of systems, as `jurat.report.systems_table` writes them.

function made(name, attributes = {}, ...content) {
  const drawn = ["svg", "line", "circle", "text"].includes(name);
  // the name space of the page's own drawings: an address in the file would look like a request
  const space = document.querySelector(drawn ? "svg" : "main").namespaceURI;
  const element = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}

const lineAt = (from, to, y1, y2, kind) => made("line", { x1: from, x2: to, y1, y2, class: kind });
const reachWords = ({ low, high }) => (Number.isNaN(low) ? "–" : `${spoken(low)} to ${spoken(high)}`);

function intervalDrawn(row, scale, colour) {
  const at = (value) => percent(shareOf(scale, value));
  const parts = ticksOf(scale, 4).map((tick) => lineAt(at(tick), at(tick), 0, 22, "g"));
  if (!Number.isNaN(row.low)) parts.push(lineAt(at(row.low), at(row.high), 11, 11, `e ${colour}`));
  parts.push(made("circle", { cx: at(row.value), cy: 11, r: 4, class: colour }));
  const label = `${spoken(row.value)}, ${reachWords(row)}`;
  return made("svg", { class: "ci", height: 22, role: "img", "aria-label": label }, ...parts);
}

function axisDrawn(scale) {
  const ticks = ticksOf(scale, 4);
  const words = tickWords(ticks);
  const texts = ticks.map((tick, n) => made("text", { x: percent(shareOf(scale, tick)), y: 11, "text-anchor": "middle", class: n && n < ticks.length - 1 ? "mid" : "end" }, words[n]));
  return made("svg", { class: "ci", height: 14, "aria-hidden": "true" }, ...texts);
}

// Puts results in place of the rows of a table; tests read the numbers from data attributes.
function showRows(tab, results, colours) {
  const scale = scaleOf(results.flatMap((row) => [row.value, row.low, row.high]));
  const heads = tab.querySelector("thead").textContent;
  const tops = heads.includes("Top answers");
  const adjusted = heads.includes("Adjusted score");
  const ranked = heads.includes("Rank");
  let last = null;
  const rows = results.map((row) => {
    const first = row.cluster !== last;
    last = row.cluster;
    const rank = row.rankLow === row.rankHigh ? `${row.rank}` : `${row.rankLow}–${row.rankHigh}`;
    const cells = [
      ...(ranked ? [made("td", {}, first ? `${row.cluster}` : "")] : []),
      made("th", { scope: "row" }, row.system),
      ...(ranked ? [made("td", { class: adjusted ? "num opt" : "num" }, rank)] : []),
      ...(adjusted ? [made("td", { class: "num" }, spoken(row.adjusted))] : []),
      made("td", { class: "num" }, made("b", {}, spoken(row.value))),
      made("td", { class: "num opt" }, reachWords(row)),
      made("td", { class: "bars" }, intervalDrawn(row, scale, colours.get(row.system) ?? "c1")),
      ...(tops ? [made("td", { class: "num opt" }, `${fixed(100 * row.top, 0)} %`)] : []),
      made("td", { class: "num opt" }, row.n.toLocaleString("en-US")),
    ];
    const line = made("tr", first ? { class: "new" } : {}, ...cells);
    line.dataset.numbers = JSON.stringify(row);
    return line;
  });
  tab.querySelector("tbody").replaceChildren(...rows);
  tab.querySelector("thead .bars svg").replaceWith(axisDrawn(scale));
}
