// Mean scores by system and document, as `DocumentScore` of `jurat.stats.systems.system_scores`.

computes("systems", ["document-score"], (kept, { confidence }) => {
  const { table, rows } = kept;
  if (table.first || !table.document) return {};
  const { values, system, systems, sentence } = kept.once(scoreTable);
  const document = taken(table.document, rows, Int32Array);
  const cells = new Map();
  system.forEach((code, n) => {
    const key = document[n] * systems.length + code;
    if (!cells.has(key)) cells.set(key, { by: { system: systems[code], document: table.documents[document[n]] }, places: [] });
    cells.get(key).places.push(n);
  });
  const found = [...cells].sort(([a], [b]) => a - b).map(([, { by, places }]) => ({ by, ...ratioWithin(values, sentence, places, table.unit === "document", confidence), n: places.length }));
  return { "document-score": found };
});

// The mean of some rows with an interval over their sentences: a ratio of cluster totals.
function ratioWithin(values, sentence, places, undivided, confidence) {
  const n = places.length;
  const value = total(places.map((place) => values[place])) / n;
  const left = new Map();
  for (const place of places) left.set(sentence[place], (left.get(sentence[place]) ?? 0) + values[place] - value);
  const k = left.size;
  const squares = total([...left.values()].map((one) => one ** 2));
  const far = !undivided && k > 1 && squares > 0 ? (tReach(confidence, k - 1) * Math.sqrt((k / (k - 1)) * squares)) / n : NaN;
  return { value, low: value - far, high: value + far };
}
