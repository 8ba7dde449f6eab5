// The judgments that the page holds: packed numbers as arrays, and the rows that a filter keeps.

const KINDS = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f8: Float64Array };

function numbersOf({ kind, data }) {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  return new KINDS[kind](bytes.buffer);
}

// A table of the page's data with arrays in place of packed numbers.
function unpacked(table) {
  const { known, places, all } = table.values;
  const at = places && numbersOf(places);
  const tags = Object.entries(table.tags).map(([name, tag]) => [name, { names: tag.names, codes: numbersOf(tag.codes) }]);
  return {
    ...table,
    system: numbersOf(table.system),
    judge: table.judge && numbersOf(table.judge),
    document: table.document && numbersOf(table.document),
    sentence: numbersOf(table.sentence),
    values: all ? numbersOf(all) : Float64Array.from(at, (place) => known[place]),
    tags: new Map(tags),
  };
}

// The columns that a reader can filter by: names, and the code of each row.
function columnsOf(table) {
  const columns = new Map([["System", { names: table.systems, codes: table.system }]]);
  if (table.judge) columns.set("Judge", { names: table.judges, codes: table.judge });
  if (table.document) columns.set("Document", { names: table.documents, codes: table.document });
  for (const [name, tag] of table.tags) columns.set(name, tag);
  return columns;
}

// The rows of which no value is left out; `without` has a set of names for each column.
function rowsKept(table, without) {
  const left = [...columnsOf(table)].filter(([name]) => without.get(name)?.size);
  const masks = left.map(([name, { names, codes }]) => ({ codes, kept: names.map((one) => !without.get(name).has(one)) }));
  const rows = [];
  for (let row = 0; row < table.system.length; row++) {
    if (masks.every(({ codes, kept }) => kept[codes[row]])) rows.push(row);
  }
  return Int32Array.from(rows);
}
