// Figures are drawn from plain data; while numbers are computed, the page looks again.
const PAUSE = 3000; // milliseconds
const NARROW = 720; // pixels: two pictures do not stand beside each other, nor a legend
const BESIDE = 140; // pixels for the names at an axis

const main = document.querySelector("main");
const dark = matchMedia("(prefers-color-scheme: dark)");
const ink = (name, place = document.documentElement) => getComputedStyle(place).getPropertyValue(name).trim();

// How wide a picture is where several stand beside each other.
const width = (room, across) => Math.max(160, Math.min(560, (room - BESIDE) / across - 40));

// What names stand at an axis or above a picture can be seen: nothing more is said of it.
function unsaid(figure) {
  const { facet, spec, encoding } = figure;
  const named = encoding?.y?.type === "nominal" && { encoding: { ...encoding, y: { ...encoding.y, title: null } } };
  return { ...figure, ...named, ...(facet && { facet: { ...facet, title: null } }), ...(spec && { spec: unsaid(spec) }) };
}

// In the colours of the page, and never wider than it is.
function dressed(figure, place) {
  const room = place.clientWidth;
  const [soft, hair, accent, sheet] = ["--soft", "--hair", "--accent", "--sheet"].map((name) => ink(name));
  const { title, columns, ...rest } = figure; // the page has said the title above
  const across = columns && room >= NARROW ? columns : 1;
  const text = { labelColor: soft, titleColor: soft, labelFontSize: 13, titleFontSize: 13, titleFontWeight: "normal" };
  const config = {
    background: "transparent",
    font: getComputedStyle(document.body).fontFamily,
    range: { category: ink("--series", place).split(" "), heatmap: [sheet, accent], ramp: [sheet, accent] },
    axis: { ...text, gridColor: hair, domainColor: hair, tickColor: hair, labelFlush: false, labelLimit: BESIDE },
    axisQuantitative: { tickCount: 6 },
    axisXDiscrete: { labelAngle: -40, labelLimit: 1.5 * BESIDE },
    legend: { ...text, orient: room < NARROW ? "bottom" : "right", columns: room < NARROW ? 2 : 1 },
    header: { ...text, labelFontSize: 14 },
    title: { color: soft },
    view: { stroke: hair, continuousWidth: width(room, across), step: 28 },
    text: { color: soft },
    point: { color: accent, size: 60 },
    rule: { color: accent, strokeWidth: 2 },
    bar: { color: accent },
    line: { color: accent },
  };
  return { ...unsaid(rest), ...(columns && { columns: across }), config: { ...config, ...figure.config } };
}

async function draw(place, figure) {
  // without eval: expressions are interpreted, and no style is put into the page
  const how = { ast: true, renderer: "svg", actions: false, tooltip: false, defaultStyle: false };
  await window.vegaEmbed(place, dressed(figure, place), { ...how, mode: "vega-lite" });
  place.querySelector("svg")?.setAttribute("aria-hidden", "true"); // its table says the same
  place.dataset.drawn = "";
}

async function begin(places) {
  const [address, library] = [places[0].dataset.figures, places[0].dataset.library];
  const [answer] = await Promise.all([fetch(address), import(library)]);
  if (!answer.ok) return;
  const { figures } = await answer.json();
  const drawAll = async () => {
    for (const place of places.filter((one) => one.isConnected)) {
      const figure = figures[place.dataset.figure];
      if (figure) await draw(place, figure);
      else place.hidden = true;
    }
  };
  dark.addEventListener("change", drawAll);
  await drawAll();
}

function drawn() {
  const places = [...main.querySelectorAll("[data-figure]")];
  if (places.length) begin(places);
}

// What is new takes the place of what was there; whoever reads stays where he was.
function renew(fresh) {
  const held = document.activeElement;
  const open = new Set([...main.querySelectorAll("details[open] > summary")].map((one) => one.textContent));
  main.replaceChildren(...document.importNode(fresh, true).childNodes);
  for (const one of main.querySelectorAll("details > summary")) {
    if (open.has(one.textContent)) one.parentElement.open = true;
  }
  const alike = (one) => one.textContent === held.textContent && one.getAttribute("href") === held.getAttribute("href");
  if (!held.isConnected) [...main.querySelectorAll(held.tagName)].find(alike)?.focus({ preventScroll: true });
  drawn();
}

async function lookAgain() {
  const answer = await fetch(location.href);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector("main");
  if (answer.redirected || !answer.ok || !fresh) return location.reload();
  const busy = document.activeElement?.closest("form"); // nobody loses what he is choosing
  if (busy || fresh.querySelector("[data-computing]")) wait();
  else renew(fresh);
}

const wait = () => setTimeout(() => lookAgain().catch(wait), PAUSE);

drawn();
if (main.querySelector("[data-computing]")) wait();
