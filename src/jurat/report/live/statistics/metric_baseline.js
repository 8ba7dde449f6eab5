// Each judge, and each metric, against the mean of the other judges, as
// `jurat.stats.metaeval.judge_baseline` has it.

computes("metaeval", ["metric-baseline"], (kept, settings) => {
  const { given, names, units, unitOf, metrics } = kept.once(matchedScores, settings);
  const used = metrics.filter(({ own }) => own.some((one) => !Number.isNaN(one)));
  const none = { "metric-baseline": [{ by: {}, ...NOTHING, n: 0 }] };
  if (names.length < 2) return none;
  const cells = new Map();
  for (const { at, value } of given) {
    const own = cells.get(at) ?? { sum: 0, n: 0 };
    cells.set(at, { sum: own.sum + value, n: own.n + 1 });
  }
  const rows = given.filter(({ at }) => cells.get(at).n > 1 && used.every(({ of }) => !Number.isNaN(of.get(at))));
  if (!rows.length) return none;
  const others = centredOnMean(rows.map(({ at, value }) => (cells.get(at).sum - value) / (cells.get(at).n - 1)));
  const groups = randomGroups(units.number);
  const group = rows.map(({ sentence }) => groups[unitOf.get(sentence)]);
  const n = names.map((_, judge) => rows.filter((one) => one.judge === judge).length);
  const sides = [["human", rows.map(({ value }) => value)], ...used.map(({ name, of }) => [name, rows.map(({ at }) => of.get(at))])];
  const means = [];
  const judges = [];
  for (const [metric, side] of sides) {
    const table = momentsByGroup(others, centredOnMean(side), rows, group, names.length, highest(groups) + 1);
    means.push({ by: { metric }, ...meanOfJudges(table, settings), n: rows.length });
    const whole = summedRows(6 * names.length, table);
    names.forEach((judge, at) => judges.push({ by: { metric: metric === "human" ? `judge:${judge}` : metric, judge }, value: pearsonOfSums(whole.slice(6 * at, 6 * at + 6)), low: NaN, high: NaN, n: n[at] }));
  }
  return { "metric-baseline": [...means, ...judges] };
});

const centredOnMean = (values) => {
  const mean = meanOver(values);
  return values.map((one) => one - mean);
};

// Sums of r of each judge by group of documents: groups × (judges × 6).
function momentsByGroup(x, y, rows, group, judges, groups) {
  const table = Array.from({ length: groups }, () => new Float64Array(6 * judges));
  rows.forEach(({ judge }, n) => momentsOf(x, y, [n]).forEach((one, k) => (table[group[n]][6 * judge + k] += one)));
  return table;
}

// The mean r of the judges who have one, with its interval over documents.
function meanOfJudges(table, { confidence }) {
  const width = table[0].length;
  const score = (totals) => definedMean(Array.from({ length: width / 6 }, (_, judge) => pearsonOfSums(totals.slice(6 * judge, 6 * judge + 6))));
  const rows = table.filter((row) => row.some(Boolean));
  const whole = summedRows(width, rows);
  const value = score(whole);
  if (rows.length < 2) return { value, low: NaN, high: NaN };
  return leftOutInterval({ value, leftOut: rows.map((row) => score(whole.map((one, k) => one - row[k]))), confidence });
}
