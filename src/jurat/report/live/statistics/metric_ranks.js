// Spearman's ρ and Kendall's τ of metrics and people, of segments and of systems, and ρ over the
// systems of each segment, as `jurat.stats.metaeval.correlation` and `segment_ranking` have them.

const MOST_TRANSLATIONS = 100000;
const MOST_RECOMPUTED = 40;

const codesByRank = (values) => {
  const places = new Map([...new Set(values)].sort((a, b) => a - b).map((one, n) => [one, n]));
  return values.map((one) => places.get(one));
};
const kendall = (x, y) => tauB(kendallCounts(codesByRank(x), codesByRank(y)));
// The variance of atanh of a coefficient of n independent pairs.
const bonettWright = (rho, n) => (n > 3 ? (1 + rho ** 2 / 2) / (n - 3) : NaN);
const fieller = (_, n) => (n > 4 ? 0.437 / (n - 4) : NaN);

// The group of each sentence that is left out together: its document, or several of many; null
// where these would be sentences, which are grouped in the order of the file that no page knows.
function sentenceGroups({ unit, number, byDocument }) {
  const size = Math.ceil(number / MOST_RECOMPUTED);
  if (size <= 1) return unit;
  return byDocument ? unit.map((code) => Math.floor(randomOrder(number)[code] / size)) : null;
}

function segmentRanks({ means, units }, { own, sign }, of, groups, { confidence }) {
  const there = means.map((_, n) => n).filter((n) => !Number.isNaN(own[n]));
  const values = (kept) => {
    const left = there.filter((n) => kept(n));
    return of(left.map((n) => means[n].value), left.map((n) => sign * own[n]));
  };
  const value = there.length ? values(() => true) : NaN;
  const number = highest(groups) + 1;
  if (number < 2 || there.length > MOST_TRANSLATIONS) return { value, low: NaN, high: NaN, n: there.length };
  const leftOut = Array.from({ length: number }, (_, group) => values((n) => groups[units.of[n]] !== group));
  const alike = equalUnits(unitSizes(units.unit, units.number));
  return { ...leftOutInterval({ value, leftOut, n: number, alike, confidence }), n: there.length };
}

function systemRanks({ means }, { own, given, sign }, of, variance, { normal }) {
  const pairs = systemPairs(means, own, given);
  const n = pairs.length;
  const value = n < FEWEST_SYSTEMS ? NaN : of(pairs.map(([human]) => human), pairs.map(([, score]) => sign * score));
  return { value, ...atanhEnds(value, n > 4 ? variance(value, n) : NaN, normal), n };
}

function rankCorrelation(name, of, variance) {
  ofMetrics([name], (data, metric, settings) => {
    const groups = sentenceGroups(data.units);
    if (!groups) return {};
    return { [name]: [{ by: LEVELS.segment, ...segmentRanks(data, metric, of, groups, settings) }, { by: LEVELS.system, ...systemRanks(data, metric, of, variance, settings) }] };
  });
}

// the first has its statistic's name, too: another one gives ranks over the systems of a segment
rankCorrelation("metric-pearson-metric-spearman", spearman, bonettWright);
rankCorrelation("metric-kendall", kendall, fieller);

// ρ of each judge's scores of the systems of a sentence; NaN where these, or the metric's, are tied.
function rhoOfSentences({ given, unitOf }, { of, sign }) {
  const groups = new Map();
  for (const one of given) {
    const score = of.get(one.at);
    if (Number.isNaN(score)) continue;
    const key = `${one.sentence} ${one.judge}`;
    if (!groups.has(key)) groups.set(key, { unit: unitOf.get(one.sentence), judge: one.judge, human: [], metric: [] });
    groups.get(key).human.push(one.value);
    groups.get(key).metric.push(sign * score);
  }
  const several = [...groups.values()].filter(({ human }) => human.length > 1);
  return several.map(({ unit, judge, human, metric }) => ({ unit, judge, rho: spearman(human, metric) }));
}

ofMetrics(["metric-spearman", "metric-spearman-undefined"], (data, metric, { confidence }) => {
  const { names, units } = data;
  const number = Math.max(1, names.length);
  const rows = rhoOfSentences(data, metric);
  const sums = Array.from({ length: units.number }, () => new Float64Array(2 * number));
  for (const { unit, judge, rho } of rows) {
    // a segment that is all tied counts as 0
    sums[unit][judge] += Number.isNaN(rho) ? 0 : rho;
    sums[unit][number + judge]++;
  }
  const score = (totals) => {
    const each = Array.from({ length: number }, (_, judge) => (totals[number + judge] > 0 ? totals[judge] / totals[number + judge] : NaN));
    return [...each, definedMean(each)];
  };
  const counted = Array.from({ length: number }, (_, judge) => rows.filter((one) => one.judge === judge));
  const used = [...counted, rows].map((own) => new Set(own.map(({ unit }) => unit)).size);
  const found = coefficientsOfUnits(sums, score, used, units, confidence);
  const totals = [...counted.map((own) => own.length), names.length ? counted.filter((own) => own.length).length : rows.length];
  const at = names.length ? [...names.keys(), number] : [number];
  const by = (judge) => (judge < number ? { judge: names[judge] } : {});
  const tied = (own) => own.filter(({ rho }) => Number.isNaN(rho)).length;
  return {
    "metric-spearman": at.map((judge) => ({ by: by(judge), ...found[judge], n: totals[judge] })),
    "metric-spearman-undefined": at.map((judge) => ({ by: by(judge), value: tied(counted[judge] ?? rows), n: (counted[judge] ?? rows).length })),
  };
});
