// Service worker: passes requests to the network. Without a connection it answers with the cached
// judging page, whose script continues with what is stored on the device, or with a page that says so.

const base = new URL(self.registration.scope).pathname;
const NAME = `jurat ${base}`;
const PAGE = `${base}judge`;
const OFFLINE = `${base}offline`;
const STATIC = new URL("..", self.location).pathname;
const AWAY = [502, 504]; // what a proxy answers when the server behind it is down

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith(STATIC)) event.respondWith(script(request));
  else if (request.mode !== "navigate") return;
  else if (pathname === PAGE || pathname === base) event.respondWith(page(event, pathname));
  else event.respondWith(other(request));
});

// Files at these addresses never change, since their address contains a hash of their content.
async function script(request) {
  return (await caches.match(request, { cacheName: NAME })) ?? fetch(request);
}

async function page(event, pathname) {
  const reply = await fetch(event.request).catch(() => null);
  if (reply && reply.status < 500) {
    if (reply.ok && reply.headers.has("jurat-keep")) event.waitUntil(keep(reply.clone()));
    return reply;
  }
  const kept = await caches.match(PAGE, { cacheName: NAME });
  if (!kept) return reply ?? offline();
  return pathname === PAGE ? marked(kept) : Response.redirect(PAGE);
}

// Other pages need the server: without it, ours says so rather than the browser's.
async function other(request) {
  const reply = await fetch(request).catch(() => null);
  return reply && !AWAY.includes(reply.status) ? reply : offline();
}

async function offline() {
  return (await caches.match(OFFLINE, { cacheName: NAME })) ?? Response.error();
}

// Always under the same address, so that it replaces the page before it, whoever's it was.
async function keep(reply) {
  const cache = await caches.open(NAME);
  await cache.put(PAGE, reply);
}

// Tells the page that it is a copy: the step to be shown is in the database.
async function marked(kept) {
  const text = (await kept.text()).replace('<main id="main"', '<main id="main" data-kept');
  return new Response(text, { headers: kept.headers });
}
