// Decisions to be sent and steps to be judged, in the browser's database (IndexedDB): they survive a
// reload, a closed page and a lost connection.

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
      // a newer version of the page may want to change the tables
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
}

// Used where a browser has no database (some private windows, a full disk): rows last as long as the
// page.
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

  // A decision counts as stored only once it is on disk, hence the strict durability.
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

// The range of keys with this prefix.
const within = (prefix) => IDBKeyRange.bound(prefix, `${prefix}\uffff`);

// Sorts by the time a kit was begun, then by position: a decision that had to be made again is still
// sent before those that came after it.
function inOrder(decisions) {
  const begun = new Map();
  for (const { assignment, made } of decisions) begun.set(assignment, Math.min(made, begun.get(assignment) ?? made));
  return decisions.sort(
    (a, b) =>
      begun.get(a.assignment) - begun.get(b.assignment) || a.position - b.position || a.revision - b.revision,
  );
}

export class Box {
  // The rows of one judge in one campaign: another login on this device neither sees nor sends them.
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

  // Several steps at once; they can be fetched again, so nobody waits for the disk.
  async fill(store, values) {
    const rows = values.map((value) => ({ ...value, id: this.prefix + value.key }));
    return run(store, "readwrite", (there) => void rows.forEach((row) => there.put(row)));
  }

  // Stores a decision; false if another window has stored one for the step already.
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

  // The decisions that are not delivered yet, in the order of sending.
  async waiting() {
    return inOrder(await this.all("decisions"));
  }

  // Undelivered decisions of other judges in the same campaign.
  async ofOthers(store) {
    const rows = await run(store, "readonly", (there) => there.getAll(within(`${this.base} `)));
    return rows.filter((row) => !row.id.startsWith(this.prefix));
  }

  // Deletes the steps of other judges; their decisions stay until they log in again.
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
