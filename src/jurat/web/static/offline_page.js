// The page itself, kept on this device: so that it can be opened again without a connection. It is
// the judge's own page only, and it is deleted when they log out or somebody else logs in.

// Whether the worker saw this page come: it may take over a little later.
const seen = Boolean(navigator.serviceWorker?.controller);
const name = (base) => `jurat ${base}`;

export async function keepPage(base) {
  if (!("serviceWorker" in navigator) || !("caches" in globalThis)) return;
  const worker = new URL("service_worker.js", import.meta.url);
  await navigator.serviceWorker.register(worker, { scope: base });
  const cache = await caches.open(name(base));
  await keepScripts(cache);
  // with the worker at hand the page was kept as it came; the first time it is asked for again
  if (!seen) await keep(cache, `${base}judge`);
}

// All that this page has loaded of ours; what an earlier edition had goes.
async function keepScripts(cache) {
  const edition = new URL(".", import.meta.url).href;
  const loaded = performance.getEntriesByType("resource").map((one) => one.name);
  const wanted = new Set(loaded.filter((address) => address.startsWith(edition)));
  for (const { url } of await cache.keys()) {
    if (url.includes("/static/") && !url.startsWith(edition)) await cache.delete(url);
    wanted.delete(url);
  }
  for (const address of wanted) await keep(cache, address);
}

async function keep(cache, address) {
  const reply = await fetch(address);
  if (reply.ok && !reply.redirected && mayKeep(reply)) await cache.put(address, reply);
}

const mayKeep = (reply) => reply.url.includes("/static/") || reply.headers.has("jurat-keep");

export async function forgetPage(base) {
  if ("caches" in globalThis) await caches.delete(name(base));
}
