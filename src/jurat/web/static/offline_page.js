// Caches the judging page on this device, so that it can be reopened without a connection, and a page
// that stands in for all others. They are deleted when the judge logs out or somebody else logs in.

// Whether the service worker handled the request for this page: it may become active only later.
const seen = Boolean(navigator.serviceWorker?.controller);
const name = (base) => `jurat ${base}`;

const canKeep = () => "serviceWorker" in navigator && "caches" in globalThis;

export async function keepPage(base) {
  if (!canKeep()) return;
  const cache = await keepOfflinePage(base);
  // an active service worker has cached the page already; before that, the page is requested once more
  if (!seen) await keep(cache, `${base}judge`);
}

export async function keepOfflinePage(base) {
  if (!canKeep()) return null;
  const worker = new URL("service_worker.js", import.meta.url);
  await navigator.serviceWorker.register(worker, { scope: base });
  const cache = await caches.open(name(base));
  await keepScripts(cache);
  await keep(cache, `${base}offline`);
  return cache;
}

// Caches the scripts and styles of this page, and drops those of earlier versions.
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
