// What the page computes anew: of each section, functions that give estimates by the name of their
// result. A file of `statistics` adds its own by `computes`, and nothing else has to know of it.

const COMPUTED = new Map();

// `names` are the results; `compute` makes them of what is kept of a table, and the settings.
function computes(section, names, compute) {
  COMPUTED.set(section, [...(COMPUTED.get(section) ?? []), { names, compute }]);
}

// What a filter keeps of a table of the page's data; what several results need is made once.
class Kept {
  constructor(table, rows, without = new Map()) {
    Object.assign(this, { table, rows, without, made: new Map() });
  }

  // What is kept of all tables, each of which knows the others. `without` is what is left out.
  static of(tables, without) {
    const all = tables.map((table) => new Kept(table, rowsKept(table, without), without));
    for (const kept of all) kept.all = all;
    return all;
  }

  // What is kept of all tables of a section; null where one of them lacks a column of which
  // something is left out, so that nothing can be said of all together.
  together(section) {
    const own = this.all.filter(({ table }) => table.sections.includes(section));
    return own.every(({ rows }) => rows) ? own.filter(({ rows }) => rows.length) : null;
  }

  // What is kept of a part of the table; null where there is no such part, or it lacks a column.
  part(name) {
    const found = this.once(Kept.parts)[name];
    return found?.rows ? found : null;
  }

  static parts({ table, without }) {
    return Object.fromEntries(Object.entries(table.parts).map(([name, part]) => [name, new Kept(part, rowsKept(part, without), without)]));
  }

  once(make, ...given) {
    if (!this.made.has(make)) this.made.set(make, make(this, ...given));
    return this.made.get(make);
  }
}
