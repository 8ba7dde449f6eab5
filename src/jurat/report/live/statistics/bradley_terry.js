// Bradley and Terry's strengths, as `jurat.stats.systems.bradley_terry` has them.

const STEPS = 60;
const SHORTEST = 1e-10;
const LONGEST = 2;

// Log-strengths with mean 0 of wins; NaN where some system is not connected by wins.
function strengthsOf(wins, start) {
  if (wins.length < 2 || !stronglyConnected(wins)) return wins.map(() => NaN);
  const size = wins.length;
  let theta = [...start];
  for (let n = 0; n < STEPS; n++) {
    const chance = theta.map((own) => theta.map((other) => 1 / (1 + Math.exp(other - own))));
    const games = (a, b) => wins[a][b] + wins[b][a];
    const weights = theta.map((_, a) => theta.map((__, b) => games(a, b) * chance[a][b] * chance[b][a]));
    const sums = weights.map(total);
    // the mean is free: a constant in every place makes the solution the one with mean 0
    const free = (total(sums) - total(weights.map((row, a) => row[a]))) / size ** 2;
    const curvature = weights.map((row, a) => row.map((one, b) => (a === b ? sums[a] : 0) - one + free));
    const gradient = wins.map((row, a) => total(row) - total(row.map((_, b) => games(a, b) * chance[a][b])));
    const step = solved(curvature, gradient);
    const largest = Math.max(...step.map(Math.abs));
    const part = Math.min(1, LONGEST / Math.max(largest, SHORTEST));
    theta = theta.map((one, a) => one + part * step[a]);
    if (!(largest > SHORTEST)) break;
  }
  return centred(theta).map((one) => Math.round(one * 1e12) / 1e12 + 0);
}

computes("systems", ["bradley-terry"], (kept, settings) => {
  const { systems, units, rows, met } = kept.once(winCounts, settings);
  const size = systems.length;
  const wins = (totals) => {
    const ties = squareOf(totals, size, 1);
    return squareOf(totals, size, 0).map((row, a) => row.map((one, b) => one + (ties[a][b] + ties[b][a]) / 2));
  };
  let start = systems.map(() => 0);
  const score = (totals) => strengthsOf(wins(totals), start);
  // those without a document lie close to those of all
  if (rows.length) start = score(summedRows(2 * size * size, rows)).map((one) => (Number.isNaN(one) ? 0 : one));
  return { "bradley-terry": ofSystems(systems, units.intervals(rows, score, settings.confidence), met) };
});
