// What judges say of pairs of translations that a metric sets apart, and of those that it does not,
// as `jurat.stats.metaeval` has it in `segment_ranking`, `difference_bins`, `disagreements` and
// `pairwise_difference_pearson`.

const VERDICTS = ["agree", "disagree", "metric-tie", "human-tie"];
const BINS = 10;
const ALMOST = 1e-9; // the share of a bin up to which a difference is rounded up

// Each decision that the metric scored: by how much it prefers the first, and who agrees.
function scoredDecisions({ decisions }, { margin }) {
  const found = decisions.map((one) => ({ ...one, apart: margin(one.first, one.second) }));
  return found.filter(({ apart }) => !Number.isNaN(apart));
}

function verdictOf({ apart, outcome }) {
  if (!outcome) return "human-tie";
  if (!apart) return "metric-tie";
  return Math.sign(apart) === outcome ? "agree" : "disagree";
}

ofMetrics(["metric-verdicts"], (data, metric) => {
  const scored = scoredDecisions(data, metric);
  const rows = (by, own) => VERDICTS.map((verdict) => ({ by: { ...by, verdict }, value: own.filter((one) => verdictOf(one) === verdict).length, n: own.length }));
  return { "metric-verdicts": [...data.names.flatMap((judge, at) => rows({ judge }, scored.filter((one) => one.judge === at))), ...rows({}, scored)] };
});

// Every two translations of a sentence that judges compared, with their votes.
function votedPairs({ decisions }) {
  const pairs = new Map();
  for (const { first, second, outcome } of decisions) {
    const key = `${first} ${second}`;
    const own = pairs.get(key) ?? { first, second, apart: 0, tied: 0 };
    if (outcome) own.apart++;
    else own.tied++;
    pairs.set(key, own);
  }
  return [...pairs.values()];
}

ofMetrics(["metric-undifferentiated"], (data, { margin }) => {
  const margins = votedPairs(data).map((pair) => ({ ...pair, margin: margin(pair.first, pair.second) }));
  const scored = margins.filter((pair) => !Number.isNaN(pair.margin));
  if (!scored.length) return { "metric-undifferentiated": [{ ...NOTHING, n: 0 }] };
  const told = scored.filter(({ apart, tied }) => apart > tied);
  return { "metric-undifferentiated": [{ value: told.filter((pair) => pair.margin === 0).length, n: told.length }] };
});

ofMetrics(["metric-consistency-pair"], (data, metric, settings, table) => {
  const { means, unitOf, units } = data;
  const system = new Map(means.map((one) => [one.at, one.system]));
  const codes = [...new Set(system.values())].sort((a, b) => a - b);
  const rows = [];
  const scored = scoredDecisions(data, metric).filter(({ outcome }) => outcome);
  codes.forEach((a, n) => {
    for (const b of codes.slice(n + 1)) {
      const of = scored.filter(({ first, second }) => system.get(first) === a && system.get(second) === b);
      const [hits, cases] = [new Array(units.number).fill(0), new Array(units.number).fill(0)];
      for (const one of of) {
        cases[unitOf.get(one.sentence)]++;
        if (verdictOf(one) === "agree") hits[unitOf.get(one.sentence)]++;
      }
      rows.push({ by: pairBy([table.systems[a], table.systems[b]]), ...shareByUnit({ hits, cases }, settings), n: of.length });
    }
  });
  return { "metric-consistency-pair": rows };
});

// A quantile of sorted numbers, between the two nearest.
function quantileOf(sorted, share) {
  const at = share * (sorted.length - 1);
  const low = Math.floor(at);
  const next = sorted[Math.min(low + 1, sorted.length - 1)];
  const part = at - low;
  // as numpy does, from the nearer end
  return part < 0.5 ? sorted[low] + (next - sorted[low]) * part : next - (next - sorted[low]) * (1 - part);
}

// 0.1 on scales from 0 to 1, 10 on those to 100, else a round tenth of the scores' range.
function binWidth(scores) {
  if (!scores.length) return 0.1;
  const sorted = Float64Array.from(scores).sort();
  const [low, middle, high] = [0.025, 0.5, 0.975].map((share) => quantileOf(sorted, share));
  if (low >= -0.5 && middle <= 1 && high <= 2) return 0.1;
  if (low >= 0 && high > 10 && high <= 200) return 10;
  if (!(high > low)) return 0.1;
  const number = (high - low) / 10;
  const power = 10 ** Math.floor(Math.log10(number));
  const far = (digit) => Math.abs(Math.log((digit * power) / number));
  return [1, 2, 5, 10].reduce((best, digit) => (far(digit) < far(best) ? digit : best)) * power;
}

// The steps of a metric's differences: their names, and which a difference is in; 0 is none at all.
function binsOf(data, { own, margin }) {
  const step = binWidth(own.filter((one) => !Number.isNaN(one)));
  const margins = votedPairs(data).map(({ first, second }) => margin(first, second)).filter((one) => !Number.isNaN(one));
  const largest = margins.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  const rounded = (digits) => Number(step.toFixed(digits));
  let digits = Math.max(0, -Math.floor(Math.log10(step) + ALMOST));
  if (rounded(digits) !== rounded(12)) digits++;
  const edges = Array.from({ length: BINS + 1 }, (_, n) => (step * n).toFixed(digits));
  const last = largest > step * BINS * (1 + ALMOST) ? `${edges[BINS - 1]}+` : `${edges[BINS - 1]}-${edges[BINS]}`;
  const names = ["0", ...edges.slice(0, BINS - 1).map((low, n) => `${low}-${edges[n + 1]}`), last];
  const of = (apart) => (apart === 0 ? 0 : Math.min(Math.floor(Math.abs(apart) / step + ALMOST), BINS - 1) + 1);
  return { names, of, margins };
}

ofMetrics(["metric-scale"], (data, metric, settings) => {
  if (!metric.allJudged) return {};
  const { names, unitOf, units } = data;
  const bins = binsOf(data, metric);
  const scored = scoredDecisions(data, metric).map((one) => ({ ...one, bin: bins.of(one.apart), verdict: one.outcome ? (verdictOf(one) === "agree" ? 0 : 1) : 2 }));
  const rows = (by, own, share) => bins.names.flatMap((name, bin) => {
    const inside = own.filter((one) => one.bin === bin);
    const verdicts = bin ? ["agree", "disagree", "tie"] : ["", "differ", "tie"];
    if (!inside.length) return [];
    return verdicts.flatMap((verdict, at) => (verdict ? [{ by: { ...by, bin: name, verdict }, ...share(inside, at), n: inside.length }] : []));
  });
  const drawn = (inside, at) => {
    const [hits, cases] = [new Array(units.number).fill(0), new Array(units.number).fill(0)];
    for (const one of inside) {
      cases[unitOf.get(one.sentence)]++;
      hits[unitOf.get(one.sentence)] += Number(one.verdict === at);
    }
    return shareByUnit({ hits, cases }, settings);
  };
  const plain = (inside, at) => ({ value: inside.filter((one) => one.verdict === at).length / inside.length });
  if (!scored.length) return { "metric-scale": [{ ...NOTHING, n: 0 }] };
  return { "metric-scale": [...rows({}, scored, drawn), ...names.flatMap((judge, at) => rows({ judge }, scored.filter((one) => one.judge === at), plain))] };
});

ofMetrics(["metric-pairs", "metric-pairs-share"], (data, metric) => {
  if (!metric.allJudged) return {};
  const bins = binsOf(data, metric);
  const counts = countsOf(bins.margins.map(bins.of), bins.names.length);
  const n = total(counts);
  const apart = n - counts[0];
  const none = [{ ...NOTHING, n: 0 }];
  return {
    "metric-pairs": n ? bins.names.map((bin, at) => ({ by: { bin }, value: counts[at], n })) : none,
    "metric-pairs-share": apart ? bins.names.slice(1).map((bin, at) => ({ by: { bin }, value: counts[at + 1] / apart, n: apart })) : none,
  };
});

ofMetrics(["metric-pdp"], ({ means, units }, { own, sign }, { confidence }) => {
  const sentences = new Map();
  means.forEach(({ value }, n) => {
    if (Number.isNaN(own[n])) return;
    const sentence = units.of[n];
    if (!sentences.has(sentence)) sentences.set(sentence, { human: [], metric: [] });
    sentences.get(sentence).human.push(value);
    sentences.get(sentence).metric.push(sign * own[n]);
  });
  const rows = Array.from({ length: units.number }, () => new Float64Array(3));
  let pairs = 0;
  const used = new Set();
  for (const [sentence, { human, metric }] of sentences) {
    const n = human.length;
    const [x, y] = [human, metric].map((side) => side.map((one) => one - total(side) / n));
    const sums = [[x, y], [x, x], [y, y]].map(([a, b]) => n * total(a.map((one, at) => one * b[at])));
    sums.forEach((one, k) => (rows[units.unit[sentence]][k] += one));
    if (sums.some(Boolean)) used.add(units.unit[sentence]);
    pairs += (n * (n - 1)) / 2;
  }
  const by = { level: "segment" };
  if (!pairs) return { "metric-pdp": [{ by, ...NOTHING, n: 0 }] };
  const score = ([both, ofX, ofY]) => [ofX > 0 && ofY > 0 ? Math.min(1, Math.max(-1, both / Math.sqrt(ofX * ofY))) : NaN];
  return { "metric-pdp": [{ by, ...coefficientsOfUnits(rows, score, [used.size], units, confidence)[0], n: pairs }] };
});

ofMetrics(["metric-coverage"], ({ means }, { own }) => ({ "metric-coverage": [{ value: own.filter((one) => !Number.isNaN(one)).length / means.length, n: means.length }] }));
