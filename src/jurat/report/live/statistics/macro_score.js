// Mean scores in which every domain counts alike, as `jurat.stats.systems.macro_score` has them.

const DOMAIN = "domain";

// The mean of the domains' means; domains are fixed, documents and judges vary within them.
function macroMean(table, rows, domain, confidence) {
  const { codes, number } = numbered(Int32Array.from(rows, (row) => domain[row]));
  const values = taken(table.values, rows, Float64Array);
  const contrast = new LinearModel({ values, system: codes }).contrast(new Array(number).fill(1 / number));
  const clusters = clustersOf(table, rows);
  const documents = Array.from({ length: number }, () => new Set());
  codes.forEach((code, n) => documents[code].add(clusters.document[n]));
  // a document that is its domain's only one tells nothing of the domain's other documents
  if (documents.some((own) => own.size < 2)) return { ...NOTHING, value: estimate(contrast.coefficients, values) };
  return infer(contrast, values, clusters, confidence);
}

computes("systems", ["macro-score"], (kept, settings) => {
  const tag = kept.table.tags.get(DOMAIN);
  if (kept.table.first || !tag) return {};
  const domain = Int32Array.from(kept.rows, (row) => tag.codes[row]);
  const whole = new Set(domain).size;
  const lacks = (rows) => new Set(rows.map((row) => domain[row])).size < whole;
  // averages over different domains would not be comparable
  return { "macro-score": ofEachSystem(kept, settings, (table, rows) => (lacks(rows) ? NOTHING : macroMean(table, rows, domain, settings.confidence))) };
});
