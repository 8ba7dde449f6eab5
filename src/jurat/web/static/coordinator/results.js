// While the server computes newer results, this script asks for their status, which is a few bytes.
// Only when they are there is the page fetched once, and its content replaced in place.

const PAUSE = 3000; // milliseconds between two requests
const SHORT_PAUSE = 1000; // where a progress bar is shown
const main = document.querySelector("main");

if (main.querySelector("[data-computing]")) wait();

function wait() {
  // a request that fails, as on a train, is simply made again
  setTimeout(() => check().catch(wait), main.querySelector("[data-progress]") ? SHORT_PAUSE : PAUSE);
}

async function check() {
  const reply = await fetch(location.href, { headers: { Accept: "application/json" } });
  // logged out, or a filter that turned out to be wrong: the server says it in words
  if (reply.redirected || !reply.ok) return location.reload();
  const { computing, progress } = await reply.json();
  const bar = main.querySelector("[data-progress]");
  if (bar && progress) bar.value = progress;
  // somebody who is filling in the filter would lose their choices
  const busy = document.activeElement?.closest("form");
  if (computing || busy) return wait();
  return refresh();
}

async function refresh() {
  const reply = await fetch(location.href);
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  const fresh = page.querySelector("main");
  if (reply.redirected || !reply.ok || !fresh) return location.reload();
  replace(fresh);
  // judgments may have come meanwhile, and their results are being computed already
  if (main.querySelector("[data-computing]")) return wait();
  // who waited for a file gets it without another click
  main.querySelector("[data-download]")?.click();
}

// Puts the new content in place of the old one; sections that the reader opened stay open, and the
// keyboard focus stays where it was.
function replace(fresh) {
  const focused = document.activeElement;
  const open = new Set([...main.querySelectorAll("details[open] > summary")].map((one) => one.textContent));
  main.replaceChildren(...document.importNode(fresh, true).childNodes);
  for (const summary of main.querySelectorAll("details > summary")) {
    if (open.has(summary.textContent)) summary.parentElement.open = true;
  }
  const same = (one) => one.textContent === focused.textContent && one.getAttribute("href") === focused.getAttribute("href");
  if (!focused.isConnected) [...main.querySelectorAll(focused.tagName)].find(same)?.focus({ preventScroll: true });
}
