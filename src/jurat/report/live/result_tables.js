// Results that were computed in the page, in place of those for all data.

const MOST_ROWS = 60;
const SHORT = 12; // rows of a table that is not folded

// What keys and their values are called, as `jurat.report.labels` has it; the page's data say it.
const wording = { headings: {}, values: {}, measured: {} };
const keyHeading = (key) => (key === "n" ? "at most apart" : (wording.headings[key] ?? key.replaceAll("_", " ")));
const valueWords = (key, value) => `${wording.values[key]?.[value] ?? value ?? ""}`;

// The decimals that suit all numbers of a column, as `jurat.results.column_decimals` has them.
function columnDecimals(rows) {
  const sizes = rows.flatMap(({ value, low, high }) => [value, low, high]).filter(Number.isFinite).map(Math.abs).filter(Boolean);
  if (!sizes.length) return null;
  const most = Math.max(...sizes);
  const digits = most <= 1 ? 3 : most < 100 ? 2 : 1;
  const small = sizes.filter((size) => size < 10 ** (1 - digits)).length;
  return digits < 3 && small > sizes.length / 5 ? null : digits;
}

// How numbers of a column are written: counts without decimals, others with the same number of them.
function columnWords(rows) {
  const values = rows.map(({ value }) => value).filter(Number.isFinite);
  const whole = values.every(Number.isInteger) && values.some((value) => Math.abs(value) > 1);
  const digits = columnDecimals(rows);
  return (value) => {
    if (!Number.isFinite(value)) return "–";
    if (whole) return fixed(value, 0);
    const tiny = value !== 0 && Math.abs(value) < 0.5 * 10 ** -(digits ?? 3);
    return digits === null || tiny ? spoken(value) : fixed(value, digits);
  };
}

// What tells the rows apart: their keys, without those that are the same for all, as a question may be.
function keysToShow(rows) {
  const keys = [...new Set(rows.flatMap(({ by }) => Object.keys(by)))];
  return keys.filter((key) => key !== "question" || new Set(rows.map(({ by }) => by[key])).size > 1);
}

function resultTable(name, rows, colours) {
  const shown = rows.slice(0, MOST_ROWS);
  const keys = keysToShow(rows);
  const say = columnWords(rows);
  const intervals = rows.some(({ low }) => !Number.isNaN(low));
  const scale = scaleOf(shown.flatMap(({ value, low, high }) => [value, low, high]));
  const sides = rows.some(({ side }) => side);
  const number = (text) => made("td", { class: "num" }, text);
  const lines = shown.map((row) => {
    const named = keys.map((key, n) => made(n ? "td" : "th", n ? {} : { scope: "row" }, valueWords(key, row.by[key])));
    const reach = Number.isNaN(row.low) ? "–" : `${say(row.low)} to ${say(row.high)}`;
    const drawn = () => made("td", { class: "bars" }, Number.isNaN(row.value) ? "" : intervalDrawn(row, scale, colours.get(row.by.system) ?? "c1"));
    const line = made("tr", {}, ...named, number(say(row.value)), ...(intervals ? [number(reach), drawn()] : []), number(row.n.toLocaleString("en-US")));
    if (sides) line.append(made("td", {}, row.side ?? ""));
    line.dataset.estimate = JSON.stringify({ name, by: row.by, value: row.value, low: row.low, high: row.high, n: row.n, side: row.side });
    return line;
  });
  const head = (text, kind) => made("th", { scope: "col", ...(kind && { class: kind }) }, text);
  const axis = () => made("th", { scope: "col", class: "bars" }, axisDrawn(scale), made("span", { class: "unseen" }, "Interval, drawn"));
  const heads = [...keys.map((key) => head(keyHeading(key))), head(wording.measured[name] ?? "value", "num"), ...(intervals ? [head("interval", "num"), axis()] : []), head("n", "num")];
  if (sides) heads.push(head("for"));
  const table = made("table", {}, made("thead", {}, made("tr", {}, ...heads)), made("tbody", {}, ...lines));
  return made("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": `Numbers of ${name.replaceAll("-", " ")}` }, table);
}

// The block of a result with its numbers computed anew.
function showResult(block, name, rows, colours, kept) {
  const told = made("p", { class: "rem" }, kept);
  const left = rows.length - MOST_ROWS;
  const more = left > 0 ? [made("p", { class: "rem" }, `… and ${left.toLocaleString("en-US")} more rows`)] : [];
  const none = made("p", { class: "rem" }, "Nothing can be said from the judgments that are left.");
  const table = rows.length ? [resultTable(name, rows, colours), ...more] : [];
  const folded = rows.length > SHORT ? [made("details", {}, made("summary", {}, `Table of ${rows.length.toLocaleString("en-US")} rows`), ...table)] : table;
  block.replaceChildren(...(rows.length ? [told, ...folded] : [none]));
}
