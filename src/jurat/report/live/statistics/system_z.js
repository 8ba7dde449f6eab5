// Mean z-scores of systems, as `jurat.stats.systems.z_scores` has them.

// (score − judge's mean) / judge's SD of each row; NaN where a judge's scores do not vary.
function zScores({ values, judge, judges }) {
  const number = countsOf(judge, judges);
  const sums = new Float64Array(judges);
  judge.forEach((code, n) => (sums[code] += values[n]));
  const mean = sums.map((one, code) => one / number[code]);
  const squares = new Float64Array(judges);
  judge.forEach((code, n) => (squares[code] += (values[n] - mean[code]) ** 2));
  const deviation = squares.map((one, code) => Math.sqrt(one / (number[code] - 1)));
  const known = deviation.map((one, code) => (one > 1e-12 * Math.abs(mean[code]) ? one : NaN));
  return values.map((value, n) => (value - mean[judge[n]]) / known[judge[n]]);
}

computes("systems", ["system-z"], (kept, settings) => {
  if (kept.table.first || !kept.table.judge || !kept.table.allAnswers) return {};
  const table = kept.once(scoreTable);
  const z = zScores(table);
  const each = placesBy(table.system, table.systems.length).map((rows) => rows.filter((row) => !Number.isNaN(z[row])));
  const found = each.map((rows) => (rows.length ? meanScore(z, rows, clustersOf(table, rows), settings.confidence) : NOTHING));
  return { "system-z": bestFirst(ofSystems(table.systems, found, each.map((rows) => rows.length)), settings.sign) };
});
