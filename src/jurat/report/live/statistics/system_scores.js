// Scores, ranks and clusters of systems with the tests of every two: `jurat.stats.systems`.

const RANKED = ["system-rank", "system-cluster", "pairwise-p", "pairwise-p-these-judges"];

// The systems of scores, or of comparisons where `first` says which stood first.
const rankedSystems = (kept, settings) => (kept.table.first ? comparedSystems(kept, settings) : scoredSystems(kept, settings));

// What the first table of the page shows of each system, best first.
function systemRows(kept, settings) {
  const found = kept.once(rankedSystems, settings);
  const rows = found.order.map((at) => ({ system: found.system[at], ...found.means[at], n: found.n[at], top: found.tops?.[at].value, adjusted: found.adjusted[at], ...found.places[at] }));
  return rows.filter(({ value }) => !Number.isNaN(value));
}

// Estimates of systems in an order of theirs; of the highest value first unless given.
function ofSystems(names, found, n, order = null) {
  const rows = found.map((one, at) => ({ by: { system: names[at] }, value: one.value, low: one.low ?? NaN, high: one.high ?? NaN, n: n[at] }));
  return order ? order.map((at) => rows[at]) : bestFirst(rows);
}

// Those with the highest value first, those without a value last.
function bestFirst(rows, sign = 1) {
  const place = ({ value }) => (Number.isNaN(value) ? -Infinity : sign * value);
  return [...rows].sort((a, b) => place(b) - place(a) || 0);
}

computes("systems", RANKED, (kept, settings) => {
  const { system, order, places, pairs } = kept.once(rankedSystems, settings);
  const all = places.map(() => places.length);
  const tests = (test) => pairs.map((pair) => ({ by: pairBy([system[pair.a], system[pair.b]]), value: pair[test], low: NaN, high: NaN, n: pair.n }));
  return {
    "system-rank": ofSystems(system, places.map(({ rank, rankLow, rankHigh }) => ({ value: rank, low: rankLow, high: rankHigh })), all, order),
    "system-cluster": ofSystems(system, places.map(({ cluster }) => ({ value: cluster })), all, order),
    "pairwise-p": tests("p"),
    "pairwise-p-these-judges": tests("these"),
  };
});

computes("systems", ["system-score", "system-top", "system-difference"], (kept, settings) => {
  if (kept.table.first) return {};
  const { system, order, means, tops, pairs, n } = kept.once(rankedSystems, settings);
  return {
    "system-score": ofSystems(system, means, n, order),
    "system-top": ofSystems(system, tops, n),
    "system-difference": pairs.map(({ a, b, value, low, high, n }) => ({ by: pairBy([system[a], system[b]]), value, low, high, n })),
  };
});

// An estimate of each system from its rows, the best first.
function ofEachSystem(kept, { sign }, of) {
  const table = kept.once(scoreTable);
  const each = placesBy(table.system, table.systems.length);
  const rows = ofSystems(table.systems, each.map((places) => of(table, places)), each.map((places) => places.length));
  return bestFirst(rows, sign);
}

computes("systems", ["system-median"], (kept, settings) => {
  if (kept.table.first) return {};
  return { "system-median": ofEachSystem(kept, settings, (table, rows) => median(table.values, rows, clustersOf(table, rows), settings.confidence)) };
});

computes("systems", ["adjusted-score"], (kept, settings) => {
  if (kept.table.first) return {};
  const { systems, system } = kept.once(scoreTable);
  return { "adjusted-score": bestFirst(ofSystems(systems, kept.once(adjustedOf, settings), countsOf(system, systems.length)), settings.sign) };
});
