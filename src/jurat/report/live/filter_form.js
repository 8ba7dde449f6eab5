// The form that filters the judgments, and what then changes on the page: tables of systems are
// computed anew; everything else says that it is for all data.

const ALL_DATA = "For all data: these numbers do not follow the filter.";

function startFilter() {
  const source = document.getElementById("live-data");
  if (!source) return;
  const data = JSON.parse(source.textContent);
  const tables = data.tables.map((table) => ({ ...unpacked(table), tab: tabOf(table.split) })).filter((one) => one.tab);
  if (!tables.length) return;
  const shown = tables.map(({ tab }) => tab.cloneNode(true));
  const section = document.getElementById("filter");
  const fields = fieldsOf(tables);
  const status = section.querySelector("[role=status]");
  const whole = sum(tables.map((table) => table.system.length));
  const update = () => {
    const without = leftOut(section);
    const filtered = [...without.values()].some((names) => names.size);
    markWhole(filtered, tables);
    tables.forEach((table, n) => {
      table.tab.replaceChildren(...shown[n].cloneNode(true).childNodes);
      if (filtered) recompute(table, rowsKept(table, without), data, n === 0);
    });
    const left = sum(tables.map((table) => rowsKept(table, without).length));
    status.textContent = filtered ? `${left.toLocaleString("en-US")} of ${whole.toLocaleString("en-US")} judgments are kept.` : `All ${whole.toLocaleString("en-US")} judgments are kept.`;
  };
  section.querySelector("form").prepend(...fields);
  section.addEventListener("change", update);
  // the boxes are checked again after this event only
  section.addEventListener("reset", () => setTimeout(update));
  section.hidden = false;
  for (const link of document.querySelectorAll("a[href='#filter']")) link.closest("li").hidden = false;
  update();
}

const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
const tabOf = (split) => [...document.querySelectorAll(".tab[data-split]")].find((tab) => tab.dataset.split === split);

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
    return made("fieldset", {}, made("legend", {}, column), made("div", { class: "boxes", tabindex: "0", role: "group", "aria-label": column }, ...boxes));
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

function recompute(table, rows, data) {
  const { tab } = table;
  const note = tab.querySelector(".sign");
  if (!rows.length) {
    tab.querySelector("tbody").replaceChildren();
    note.textContent = "No judgment is left.";
    return;
  }
  showRows(tab, systemResults(subset(table, rows), data), new Map(Object.entries(data.colours)));
  note.textContent = `Computed in this page from ${rows.length.toLocaleString("en-US")} of ${table.system.length.toLocaleString("en-US")} judgments.`;
}

// Everything that is not computed anew is grey and says so while there is a filter.
function markWhole(filtered, tables) {
  for (const note of document.querySelectorAll(".all-data")) note.remove();
  const live = new Set(tables.map(({ tab }) => tab));
  const parts = [document.querySelector(".top"), ...document.querySelectorAll("main > section[id]")];
  for (const part of parts) {
    if (["filter", "missing", "method"].includes(part.id)) continue;
    const own = [...part.children].filter((child) => !live.has(child) && child.tagName !== "H2");
    for (const child of own) child.classList.toggle("whole", filtered);
    if (filtered && own.length) own[0].before(made("p", { class: "all-data" }, ALL_DATA));
  }
}

startFilter();
