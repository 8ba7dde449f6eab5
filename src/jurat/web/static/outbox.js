// Decisions that wait for the server, and steps that wait for the judge, in the browser's own
// database: they survive a reload, a closed page, and a dead connection.

const NAME = "jurat";
const STORES = ["decisions", "steps", "kept"];

function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 2);
    request.onupgradeneeded = () => {
      const there = request.result.objectStoreNames;
      for (const name of STORES) if (!there.contains(name)) request.result.createObjectStore(name, { keyPath: "id" });
    };
    request.onsuccess = () => {
      // a newer page of ours may want to change the tables
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
}

// Where a browser has no database to give (some private windows, a full disk), what is kept lives
// with the page.
class Memory {
  constructor() {
    this.rows = new Map();
  }

  async run(store, mode, work) {
    const rows = [...this.rows.values()].filter((one) => one.store === store);
    return work({
      get: (id) => this.rows.get(`${store} ${id}`)?.row,
      getAll: (range) => rows.map((one) => one.row).filter((row) => range.includes(row.id)),
      add: (row) => {
        if (this.rows.has(`${store} ${row.id}`)) throw new DOMException("", "ConstraintError");
        this.rows.set(`${store} ${row.id}`, { store, row });
      },
      put: (row) => void this.rows.set(`${store} ${row.id}`, { store, row }),
      delete: (id) => void this.rows.delete(`${store} ${id}`),
    });
  }
}

class Database {
  constructor(database) {
    this.database = database;
  }

  // A decision is done when it is on disk: until then nobody is told that it is kept.
  run(store, mode, work) {
    const durability = store === "decisions" ? "strict" : "relaxed";
    return new Promise((resolve, reject) => {
      const transaction = this.database.transaction(store, mode, { durability });
      const request = work(transaction.objectStore(store));
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
  }
}

let memory = null;
const inMemory = () => (memory ??= new Memory());
let place = opened().then((database) => new Database(database), inMemory);

async function run(store, mode, work) {
  const here = await place;
  try {
    return await here.run(store, mode, work);
  } catch (error) {
    if (error.name === "ConstraintError" || here instanceof Memory) throw error;
    place = Promise.resolve(inMemory());
    return (await place).run(store, mode, work);
  }
}

// Whether a decision would be lost with the page.
export const isFleeting = () => Boolean(memory) && [...memory.rows.values()].some((one) => one.store === "decisions");

// What begins with these letters, and nothing else.
const within = (prefix) => IDBKeyRange.bound(prefix, `${prefix}\uffff`);

// Every kit in the order in which it was begun, and in a kit position after position: so a decision
// that had to be made again still goes before those that came after it.
function inOrder(decisions) {
  const begun = new Map();
  for (const { assignment, made } of decisions) begun.set(assignment, Math.min(made, begun.get(assignment) ?? made));
  return decisions.sort(
    (a, b) =>
      begun.get(a.assignment) - begun.get(b.assignment) || a.position - b.position || a.revision - b.revision,
  );
}

export class Box {
  // Everything of one judge in one campaign: another login on this device neither sees nor sends it.
  constructor(base, owner) {
    this.base = base;
    this.owner = owner;
    this.prefix = `${base} ${owner} `;
  }

  async get(store, key) {
    return run(store, "readonly", (rows) => rows.get(this.prefix + key));
  }

  async put(store, key, value) {
    return run(store, "readwrite", (rows) => rows.put({ ...value, id: this.prefix + key, key }));
  }

  // Many at once: what can be had again need not be on disk before it goes on.
  async fill(store, values) {
    const rows = values.map((value) => ({ ...value, id: this.prefix + value.key }));
    return run(store, "readwrite", (there) => void rows.forEach((row) => there.put(row)));
  }

  // Keep a decision; false where one stands there already, made in another window.
  async decide(key, value) {
    const there = await this.get("decisions", key);
    if (there?.refused) return this.put("decisions", key, value).then(() => true);
    const row = { ...value, id: this.prefix + key, key };
    return run("decisions", "readwrite", (rows) => rows.add(row)).then(() => true, () => false);
  }

  async remove(store, key) {
    return run(store, "readwrite", (rows) => rows.delete(this.prefix + key));
  }

  async all(store) {
    return run(store, "readonly", (rows) => rows.getAll(within(this.prefix)));
  }

  async clear(store, unless = () => false) {
    for (const row of await this.all(store)) if (!unless(row)) await this.remove(store, row.key);
  }

  // The decisions that are not delivered yet, in the order in which they go.
  async waiting() {
    return inOrder(await this.all("decisions"));
  }

  // What others have left here, in the same campaign.
  async ofOthers(store) {
    const rows = await run(store, "readonly", (there) => there.getAll(within(`${this.base} `)));
    return rows.filter((row) => !row.id.startsWith(this.prefix));
  }

  // The texts of others go, if there are any; what they decided stays until they come back.
  async forgetOthers() {
    let found = false;
    for (const store of ["steps", "kept"]) {
      for (const { id } of await this.ofOthers(store)) {
        await run(store, "readwrite", (rows) => rows.delete(id));
        found = true;
      }
    }
    return found;
  }
}
