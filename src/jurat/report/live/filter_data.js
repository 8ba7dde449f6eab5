// The judgments that the page holds: packed numbers as arrays, and the rows that a filter keeps.

const KINDS = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f8: Float64Array };

function numbersOf(packed) {
  if (!packed) return null;
  const letters = atob(packed.data);
  const bytes = new Uint8Array(letters.length);
  for (let n = 0; n < bytes.length; n++) bytes[n] = letters.charCodeAt(n);
  return new KINDS[packed.kind](bytes.buffer);
}

const PACKED = ["system", "first", "second", "shown", "judge", "document", "sentence", "item", "again", "judgment", "ranking", "turn", "place"];

// A table of the page's data with arrays in place of packed numbers.
function unpacked(table) {
  const arrays = Object.fromEntries(PACKED.map((name) => [name, numbersOf(table[name])]));
  const size = (arrays.judge ?? arrays.sentence).length;
  // a tag of which the table has one value has no codes
  const tags = Object.entries(table.tags).map(([name, tag]) => [name, { names: tag.names, codes: numbersOf(tag.codes) ?? new Uint8Array(size) }]);
  const told = Object.entries(table.told ?? {}).map(([name, column]) => [name, { names: column.names, codes: numbersOf(column.codes) }]);
  const parts = Object.entries(table.parts ?? {}).map(([name, part]) => [name, unpacked(part)]);
  return { ...table, told: Object.fromEntries(told), parts: Object.fromEntries(parts), ...arrays, ...(table.values && scaleValues(table.values)), seconds: table.seconds && valuesOf(table.seconds), lengths: table.lengths && valuesOf(table.lengths), size, tags: new Map(tags) };
}

const valuesOf = ({ known, places, all }) => (known ? Float64Array.from(numbersOf(places), (at) => known[at]) : numbersOf(all));

// The value of each row, the points of the scale that occur, and which of them each row has.
function scaleValues(packed) {
  const values = valuesOf(packed);
  if (packed.known) return { values, places: packed.known, point: numbersOf(packed.places) };
  const points = [...new Set(values)].sort((a, b) => a - b);
  const at = new Map(points.map((value, n) => [value, n]));
  return { values, places: points, point: Int32Array.from(values, (value) => at.get(value)) };
}

// The columns that a reader can filter by: names, and the codes of each row, two of a comparison.
function columnsOf(table) {
  const columns = new Map();
  if (table.system) columns.set("System", { names: table.systems, codes: [table.system] });
  if (table.first) columns.set("System", { names: table.systems, codes: [table.first, table.second] });
  if (table.judge) columns.set("Judge", { names: table.judges, codes: [table.judge] });
  if (table.document) columns.set("Document", { names: table.documents, codes: [table.document] });
  for (const [name, tag] of table.tags) columns.set(name, { names: tag.names, codes: [tag.codes] });
  return columns;
}

// The rows of which no value is left out; `without` has a set of names for each column. Null where
// the table lacks a column of which something is left out.
function rowsKept(table, without) {
  const columns = columnsOf(table);
  const left = [...without].filter(([, names]) => names.size);
  if (left.some(([name]) => !columns.has(name))) return null;
  const masks = left.flatMap(([name, gone]) => {
    const { names, codes } = columns.get(name);
    const kept = names.map((one) => !gone.has(one));
    return codes.map((own) => ({ own, kept }));
  });
  const rows = [];
  for (let row = 0; row < table.size; row++) {
    if (masks.every(({ own, kept }) => kept[own[row]])) rows.push(row);
  }
  return Int32Array.from(rows);
}
