// Figures are drawn from plain data; while numbers are computed, the page looks again.
const PAUSE = 3000; // milliseconds

const ink = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// In the colours of the page, and never wider than it is.
function dressed(figure, room) {
  const [soft, hair, accent] = [ink("--soft"), ink("--hair"), ink("--accent")];
  const { title, ...rest } = figure; // the page has said it above
  const text = { labelColor: soft, titleColor: soft, labelFontSize: 13, titleFontSize: 13 };
  const config = {
    background: "transparent",
    font: getComputedStyle(document.body).fontFamily,
    axis: { ...text, gridColor: hair, domainColor: hair, tickColor: hair },
    legend: text,
    header: text,
    title: { color: soft },
    view: { stroke: hair, continuousWidth: Math.max(160, Math.min(560, room - 220)), step: 26 },
    text: { color: soft },
    point: { color: accent },
    rule: { color: accent },
    bar: { color: accent },
    line: { color: accent },
  };
  return { ...rest, config: { ...config, ...figure.config } };
}

async function draw(place, figure) {
  // without eval: expressions are interpreted, and no style is put into the page
  const how = { ast: true, renderer: "svg", actions: false, tooltip: false, defaultStyle: false };
  await window.vegaEmbed(place, dressed(figure, place.clientWidth), { ...how, mode: "vega-lite" });
  place.querySelector("svg")?.setAttribute("aria-hidden", "true"); // its table says the same
  place.dataset.drawn = "";
}

async function begin(places) {
  const [address, library] = [places[0].dataset.figures, places[0].dataset.library];
  const [answer] = await Promise.all([fetch(address), import(library)]);
  if (!answer.ok) return;
  const { figures } = await answer.json();
  for (const place of places) {
    const figure = figures[place.dataset.figure];
    if (figure) await draw(place, figure);
    else place.hidden = true;
  }
}

const places = [...document.querySelectorAll("[data-figure]")];
if (places.length) begin(places);
if (document.querySelector("[data-computing]")) {
  setTimeout(() => {
    const busy = document.activeElement?.closest("form"); // nobody loses what he is choosing
    if (!busy) location.reload();
  }, PAUSE);
}
