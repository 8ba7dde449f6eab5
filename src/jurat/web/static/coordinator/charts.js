// Draws the figures of results with Vega-Lite, in the colours of the page and no wider than it is.

const NARROW = 720; // pixels: below this, charts and legends stand below each other
const LABELS = 140; // pixels for the labels of an axis

const dark = matchMedia("(prefers-color-scheme: dark)");
const property = (name, place = document.documentElement) => getComputedStyle(place).getPropertyValue(name).trim();

// The width of each of several charts side by side.
const chartWidth = (available, columns) => Math.max(160, Math.min(560, (available - LABELS) / columns - 40));

// Drops the titles of axes and facets that only repeat what their labels show.
function withoutTitles(figure) {
  const { facet, spec, encoding } = figure;
  const named = encoding?.y?.type === "nominal" && { encoding: { ...encoding, y: { ...encoding.y, title: null } } };
  return { ...figure, ...named, ...(facet && { facet: { ...facet, title: null } }), ...(spec && { spec: withoutTitles(spec) }) };
}

function styled(figure, place) {
  const available = place.clientWidth;
  const [soft, hair, accent, sheet] = ["--soft", "--hair", "--accent", "--sheet"].map((name) => property(name));
  const { title, columns, ...rest } = figure; // the page has the title as a heading
  const across = columns && available >= NARROW ? columns : 1;
  const text = { labelColor: soft, titleColor: soft, labelFontSize: 13, titleFontSize: 13, titleFontWeight: "normal" };
  const config = {
    background: "transparent",
    font: getComputedStyle(document.body).fontFamily,
    range: { category: property("--series", place).split(" "), heatmap: [sheet, accent], ramp: [sheet, accent] },
    axis: { ...text, gridColor: hair, domainColor: hair, tickColor: hair, labelFlush: false, labelLimit: LABELS },
    axisQuantitative: { tickCount: 6 },
    axisXDiscrete: { labelAngle: -40, labelLimit: 1.5 * LABELS },
    legend: { ...text, orient: available < NARROW ? "bottom" : "right", columns: available < NARROW ? 2 : 1 },
    header: { ...text, labelFontSize: 14 },
    title: { color: soft },
    view: { stroke: hair, continuousWidth: chartWidth(available, across), step: 28 },
    text: { color: soft },
    point: { color: accent, size: 60 },
    rule: { color: accent, strokeWidth: 2 },
    bar: { color: accent },
    line: { color: accent },
  };
  return { ...withoutTitles(rest), ...(columns && { columns: across }), config: { ...config, ...figure.config } };
}

async function draw(place, figure) {
  // the security policy allows neither eval nor inline styles: `ast` interprets expressions instead
  const options = { ast: true, renderer: "svg", actions: false, tooltip: false, defaultStyle: false };
  await window.vegaEmbed(place, styled(figure, place), { ...options, mode: "vega-lite" });
  // screen readers get the same numbers from the table below
  place.querySelector("svg")?.setAttribute("aria-hidden", "true");
  place.dataset.drawn = "";
}

// Fetches the figures of a page and draws each in its place.
export async function drawFigures(root) {
  const places = [...root.querySelectorAll("[data-figure]")];
  if (!places.length) return;
  const { figures: address, library } = places[0].dataset;
  const [reply] = await Promise.all([fetch(address), import(library)]);
  if (!reply.ok) return;
  const { figures } = await reply.json();
  const drawAll = async () => {
    for (const place of places) {
      // content that replaced this one, even while a chart is being drawn, draws its own
      if (!place.isConnected) continue;
      const figure = figures[place.dataset.figure];
      if (figure) await draw(place, figure);
      else place.hidden = true;
    }
  };
  dark.addEventListener("change", drawAll);
  await drawAll();
}
