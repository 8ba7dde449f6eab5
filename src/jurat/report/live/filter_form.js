// The form that filters the judgments, and what then changes on the page: results are computed anew
// section by section; what a page cannot compute is grey and says that it is for all data.

const PARTLY = "Grey parts are for all data and do not follow the filter: this page cannot compute them anew.";
const ALL_DATA = "For all data: this part does not follow the filter.";
// The first table of a section, a row of each system.
const ROWS = new Map([["systems", systemRows], ["heval", scoreRows]]);

const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
const tabOf = (split) => [...document.querySelectorAll(".tab[data-split]")].find((tab) => tab.dataset.split === split);
// a table of the times of decisions that another table holds, too
const ofTimes = (sections) => sections.join() === "time";
const worded = (number) => number.toLocaleString("en-US");

function startFilter() {
  const source = document.getElementById("live-data");
  if (!source) return;
  const data = JSON.parse(source.textContent);
  Object.assign(wording, data.wording);
  const tables = data.tables.map(unpacked);
  // answers that score systems may compare them, too, under the same question: scores come first
  const shown = new Set();
  for (const table of tables.filter(({ sections }) => sections.some((name) => ROWS.has(name)))) {
    const tab = tabOf(table.split);
    table.tab = shown.has(tab) ? null : tab;
    shown.add(tab);
  }
  const filter = new Filter(document.getElementById("filter"), { ...data, tables, colours: new Map(Object.entries(data.colours)) });
  filter.start();
  for (const link of document.querySelectorAll("a[href='#filter']")) {
    link.closest("li").hidden = false;
    link.addEventListener("click", () => (document.querySelector("#filter details").open = true));
  }
}

class Filter {
  constructor(section, data) {
    Object.assign(this, { section, data, turn: 0 });
    this.status = section.querySelector("[role=status]");
    this.blocks = new Map([...document.querySelectorAll(".block[id]")].map((block) => [block.id, block]));
    this.changed = new Map();
  }

  start() {
    this.section.querySelector("form").prepend(...fieldsOf(this.data.tables));
    this.section.addEventListener("change", () => this.update());
    // the boxes are checked again after this event only
    this.section.addEventListener("reset", () => setTimeout(() => this.update()));
    this.section.hidden = false;
    this.tell(null);
  }

  update() {
    const without = leftOut(this.section);
    const filtered = [...without.values()].some((names) => names.size);
    this.restore();
    this.turn++;
    markWhole(filtered);
    if (!filtered) return this.finish(null);
    const tables = Kept.of(this.data.tables, without);
    this.section.setAttribute("aria-busy", "true");
    this.status.textContent = "Computing…";
    this.run(this.jobs(tables), this.turn, () => this.finish(tables));
  }

  // The parts of the work, so that the page stays responsive between them.
  jobs(tables) {
    const known = tables.filter(({ rows }) => rows);
    const systems = known.filter(({ table }) => table.tab).map((kept) => () => this.showSystems(kept));
    const others = [...COMPUTED.keys()].map((name) => () => this.sectionJobs(name, known.filter(({ table }) => table.sections.includes(name))));
    return [...systems, ...others];
  }

  run(jobs, turn, done) {
    if (turn !== this.turn) return;
    if (!jobs.length) return done();
    // a job may be made of further ones
    const more = jobs[0]() ?? [];
    setTimeout(() => this.run([...more, ...jobs.slice(1)], turn, done));
  }

  finish(tables) {
    this.tell(tables);
    for (const note of document.querySelectorAll("section > .all-data")) {
      // where everything follows the filter there is nothing to say
      if (!note.parentElement.querySelector(".whole")) note.remove();
    }
    this.section.removeAttribute("aria-busy");
    this.section.dispatchEvent(new Event("computed"));
  }

  tell(tables) {
    // judgments that several tables hold count once
    const counted = this.data.tables.map(({ sections }, n) => sections.includes("agreement") || sections.includes("preferences") || !(ofTimes(sections) || this.sharesRows(n)));
    const whole = sum(this.data.tables.map(({ size }, n) => (counted[n] ? size : 0)));
    const left = tables && sum(tables.map(({ rows, table }, n) => (counted[n] ? (rows?.length ?? table.size) : 0)));
    this.status.textContent = tables ? `${worded(left)} of ${worded(whole)} answers are kept.` : `All ${worded(whole)} answers are kept.`;
  }

  sharesRows(n) {
    const { split } = this.data.tables[n];
    return this.data.tables.some((other) => other.split === split && other.sections.includes("agreement"));
  }

  // Everything as it is for all data.
  restore() {
    for (const [part, children] of this.changed) part.replaceChildren(...children);
    this.changed.clear();
    showHeadlines(document, true);
  }

  // Remembers what is in a part before it changes.
  change(part) {
    if (!this.changed.has(part)) this.changed.set(part, [...part.cloneNode(true).childNodes]);
    part.classList.remove("whole");
    for (let fold = part.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      fold.classList.remove("whole");
      showHeadlines(fold.querySelector("summary"), false);
    }
  }

  keptWords(tables) {
    const [left, whole] = [sum(tables.map(({ rows }) => rows.length)), sum(tables.map(({ table }) => table.size))];
    return `Computed in this page from ${worded(left)} of ${worded(whole)} answers.`;
  }

  showSystems(kept) {
    const { tab } = kept.table;
    this.change(tab);
    const note = tab.querySelector(".sign");
    tab.querySelector(".whole-only")?.remove();
    if (!kept.rows.length) {
      tab.querySelector("tbody").replaceChildren();
      note.textContent = "No answer is left.";
      return;
    }
    const rowsOf = ROWS.get(kept.table.sections.find((name) => ROWS.has(name)));
    showRows(tab, rowsOf(kept, this.data), this.data.colours);
    note.textContent = this.keptWords([kept]);
  }

  // One part of the work for each kind of results that the page shows.
  sectionJobs(name, tables) {
    const left = tables.filter(({ rows }) => rows.length);
    const shown = COMPUTED.get(name).filter(({ names }) => names.some((one) => this.blocks.has(`${name}-${one}`)));
    if (!left.length) return shown.map(({ names }) => () => this.showResults(name, names, [], tables));
    return shown.map(({ names, compute }) => () => {
      const found = left.map((kept) => ({ kept, results: compute(kept, this.data) }));
      const given = names.filter((one) => found.some(({ results }) => results[one]));
      this.showResults(name, given, found, tables);
    });
  }

  showResults(section, names, found, tables) {
    if (!tables.length) return;
    for (const name of names) {
      const block = this.blocks.get(`${section}-${name}`);
      if (!block) continue;
      const rows = found.flatMap(({ kept, results }) => (results[name] ?? []).map((row) => ({ ...row, by: { ...kept.table.by, ...row.by } })));
      this.change(block);
      showResult(block, name, rows, this.data.colours, this.keptWords(tables));
    }
  }
}

// What summaries of folded parts say of all data, or what they are about instead.
function showHeadlines(part, shown) {
  for (const said of part.querySelectorAll(".said")) said.hidden = !shown;
  for (const about of part.querySelectorAll(".instead")) about.hidden = shown;
}

// A box for every name of every column that has at least two.
function fieldsOf(tables) {
  const columns = new Map();
  for (const table of tables) {
    for (const [column, { names }] of columnsOf(table)) {
      columns.set(column, new Set([...(columns.get(column) ?? []), ...names]));
    }
  }
  const several = [...columns].filter(([, names]) => names.size > 1);
  return several.map(([column, names]) => {
    const sorted = [...names].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    const boxes = sorted.map((name) => made("label", {}, made("input", { type: "checkbox", checked: "", name: column, value: name }), name));
    return made("fieldset", {}, made("legend", {}, column), ...wholeColumn(column), made("div", { class: "boxes", tabindex: "0", role: "group", "aria-label": column }, ...boxes));
  });
}

// Buttons that check all boxes of a column, or none.
function wholeColumn(column) {
  return ["All", "None"].map((words) => {
    const button = made("button", { type: "button", class: "quiet", "aria-label": `${words}: ${column}` }, words);
    button.addEventListener("click", () => {
      for (const box of button.parentElement.querySelectorAll("input")) box.checked = words === "All";
      button.dispatchEvent(new Event("change", { bubbles: true }));
    });
    return button;
  });
}

// The names that are not checked, by column.
function leftOut(section) {
  const without = new Map();
  for (const box of section.querySelectorAll("input[type=checkbox]:not(:checked)")) {
    without.set(box.name, (without.get(box.name) ?? new Set()).add(box.value));
  }
  return without;
}

// Everything is grey until it is computed anew; a sentence says what grey means.
function markWhole(filtered) {
  for (const note of document.querySelectorAll(".all-data")) note.remove();
  const parts = [document.querySelector(".top"), ...document.querySelectorAll("main > section[id]")];
  for (const part of parts) {
    if (["filter", "missing", "method", "marked"].includes(part.id)) continue;
    const own = part.id ? [...part.querySelectorAll(":scope > :not(h2, h3), .block")] : [part];
    for (const child of own) child.classList.toggle("whole", filtered);
    // the first page is a grid of two: the words stand above it
    const first = part.id ? part.querySelector("h2")?.nextElementSibling : part;
    if (filtered && first) first.before(made("p", { class: "all-data" }, COMPUTED.has(part.id) ? PARTLY : ALL_DATA));
  }
}

startFilter();
