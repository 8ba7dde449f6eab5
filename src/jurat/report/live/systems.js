// Scores, ranks and clusters of systems, as `jurat.stats.systems` has them: `system_scores`,
// `system_inference` and `pair_tests`. A table has arrays with a place for each judgment.

const ENOUGH_SHARED = 30;
const UNBALANCED = 0.1;

// The rows of a table that are kept, with codes that have no gaps.
function subset(table, kept) {
  const pick = (codes) => codes && Int32Array.from(kept, (row) => codes[row]);
  const system = numbered(pick(table.system));
  const names = [...new Set(pick(table.system))].sort((a, b) => a - b).map((code) => table.systems[code]);
  const sentence = numbered(pick(table.sentence));
  const document = table.document && numbered(pick(table.document));
  const judge = table.judge && numbered(pick(table.judge));
  const several = document && document.number > 1 && !table.bySegment;
  return {
    values: Float64Array.from(kept, (row) => table.values[row]),
    system: system.codes,
    systems: names,
    sentence: sentence.codes,
    sentences: sentence.number,
    judge: judge && judge.codes,
    judges: judge ? judge.number : 1,
    hasDocuments: Boolean(several),
    document: several ? document.codes : sentence.codes,
    bySegment: table.bySegment,
  };
}

const clustersOf = (table, rows) => ({
  document: rows.map((row) => table.document[row]),
  judge: table.judge && !table.bySegment ? rows.map((row) => table.judge[row]) : null,
});

function mean(values, rows, clusters, confidence) {
  const own = Float64Array.from(rows, (row) => values[row]);
  const model = new LinearModel({ values: own, system: new Int32Array(own.length) });
  return infer(model.contrast([1]), own, clusters, confidence);
}

// The scores of a system by sentence and judge, sorted; the mean where one scored it twice.
function scoresOf(table, system) {
  const sums = new Map();
  table.system.forEach((code, row) => {
    if (code !== system) return;
    const key = table.sentence[row] * table.judges + (table.judge ? table.judge[row] : 0);
    const found = sums.get(key);
    if (!found) sums.set(key, { sum: table.values[row], number: 1, row });
    else Object.assign(found, { sum: found.sum + table.values[row], number: found.number + 1 });
  });
  const known = [...sums].sort(([a], [b]) => a - b);
  return known.map(([key, { sum, number, row }]) => ({ key, row, value: sum / number, sentence: table.sentence[row] }));
}

// The difference of two systems, the first minus the second.
function compare(table, a, b, confidence) {
  const other = new Map(b.map((one) => [one.key, one]));
  const common = a.filter((one) => other.has(one.key));
  if (2 * common.length >= Math.min(a.length, b.length)) {
    const apart = Float64Array.from(common, (one) => one.value - other.get(one.key).value);
    const model = new LinearModel({ values: apart, system: new Int32Array(apart.length) });
    return infer(model.contrast([1]), apart, clustersOf(table, common.map((one) => one.row)), confidence);
  }
  return compareUnpaired(table, a, b, confidence);
}

// The same of systems whose judges mostly differ, adjusted for judges and documents.
function compareUnpaired(table, a, b, confidence) {
  const of = (side) => new Set(side.map((one) => one.sentence));
  const [first, second] = [of(a), of(b)];
  const shared = new Set([...first].filter((one) => second.has(one)));
  const fewer = Math.min(first.size, second.size);
  if (shared.size >= Math.min(ENOUGH_SHARED, Math.floor((fewer + 1) / 2))) {
    a = a.filter((one) => shared.has(one.sentence));
    b = b.filter((one) => shared.has(one.sentence));
  }
  const rows = [...a, ...b].map((one) => one.row);
  const values = Float64Array.from([...a, ...b], (one) => one.value);
  const system = Int32Array.from(rows, (_, n) => (n < a.length ? 0 : 1));
  const clusters = clustersOf(table, rows);
  const { effects, judge, confounded } = judgeEffects(table.judge && rows.map((row) => table.judge[row]), system);
  clusters.judge = table.bySegment ? null : judge;
  const plain = new LinearModel({ values, system, judge: effects });
  const apart = plain.contrast([1, -1]);
  if (confounded && !table.bySegment) {
    const value = apart ? apart.coefficients.reduce((sum, c, i) => sum + c * values[i], 0) : NaN;
    return { ...NOTHING, value };
  }
  const block = documentBlocks(table, clusters.document, system);
  const found = block && infer(new LinearModel({ values, system, judge: effects, block }).contrast([1, -1]), values, clusters, confidence);
  // documents and judges may explain everything: then without documents
  return found && !Number.isNaN(found.low) ? found : infer(apart, values, clusters, confidence);
}

function documentBlocks(table, document, system) {
  const first = new Set(document.filter((_, n) => !system[n]));
  const both = new Set(document.filter((code, n) => system[n] && first.has(code)));
  return table.hasDocuments && both.size >= FEWEST_DOCUMENTS ? numbered(document).codes : null;
}

// Judges whose severity is taken out, and judges as clusters.
function judgeEffects(judge, system) {
  if (!judge) return { effects: null, judge: null };
  const first = new Set(judge.filter((_, n) => !system[n]));
  const second = new Set(judge.filter((_, n) => system[n]));
  const both = [...first].filter((code) => second.has(code)).length;
  const { codes } = numbered(judge);
  if (both >= FEWEST_JUDGES) return { effects: codes, judge: codes };
  if (Math.min(first.size, second.size) >= FEWEST_JUDGES) return { effects: null, judge: codes };
  return both ? { effects: codes, judge: null } : { effects: null, judge: null, confounded: true };
}

// How far the judgments of systems lie on other sentences, or with other judges: 0 to 1.
function distance(system, systems, codes, number) {
  const all = new Float64Array(number);
  const own = Array.from({ length: systems }, () => new Float64Array(number));
  const counts = new Float64Array(systems);
  codes.forEach((code, n) => {
    all[code]++;
    own[system[n]][code]++;
    counts[system[n]]++;
  });
  const apart = own.map((part, s) => part.reduce((sum, n, code) => sum + Math.abs(n / counts[s] - all[code] / codes.length), 0) / 2);
  return Math.max(...apart);
}

// Scores as if every system had been judged on every sentence by every judge; null if unknown.
function adjustedScores(table) {
  const model = new LinearModel({ values: table.values, system: table.system, judge: table.judge, block: table.sentence });
  const share = 1 / table.values.length;
  const ofJudges = new Float64Array(model.judges);
  const ofSentences = new Float64Array(table.sentences);
  table.values.forEach((_, n) => {
    if (table.judge) ofJudges[table.judge[n]] += share;
    ofSentences[table.sentence[n]] += share;
  });
  const scores = table.systems.map((_, at) => {
    const own = table.systems.map((__, n) => (n === at ? 1 : 0));
    const found = model.contrast([...own, ...ofJudges], ofSentences);
    return found ? found.coefficients.reduce((sum, c, i) => sum + c * table.values[i], 0) : NaN;
  });
  return scores.some(Number.isNaN) ? null : scores;
}

// p-values corrected by Holm's method; those that are missing do not count.
function holm(p) {
  const order = p.map((_, n) => n).filter((n) => !Number.isNaN(p[n])).sort((a, b) => p[a] - p[b]);
  const made = p.map(() => NaN);
  let most = 0;
  order.forEach((n, place) => {
    most = Math.max(most, p[n] * (order.length - place));
    made[n] = Math.min(1, most);
  });
  return made;
}

// Everything about the systems of a table's rows: one object a system, best first.
function systemResults(table, { sign, confidence }) {
  const size = table.systems.length;
  const each = table.systems.map((_, at) => [...table.system.keys()].filter((row) => table.system[row] === at));
  const best = table.values.reduce((most, value) => Math.max(most, sign * value), -Infinity);
  const means = each.map((rows) => mean(table.values, rows, clustersOf(table, rows), confidence));
  const top = each.map((rows) => rows.filter((row) => sign * table.values[row] === best).length / rows.length);
  let scores = means.map((one) => sign * one.value);
  const judge = table.judge ?? new Int32Array(table.values.length);
  const unbalanced = size > 1 && Math.max(distance(table.system, size, table.sentence, table.sentences), distance(table.system, size, judge, table.judges)) > UNBALANCED;
  if (unbalanced) scores = adjustedScores(table)?.map((score) => sign * score) ?? scores;
  const better = betterThan(table, size, sign, confidence);
  const order = scores.map((_, n) => n).sort((a, b) => scores[b] - scores[a] || a - b);
  const cluster = clusterNumbers(order, better);
  return order.map((at) => {
    const rank = 1 + scores.filter((score) => score > scores[at]).length;
    const above = better.filter((row) => row[at]).length;
    const below = better[at].filter(Boolean).length;
    return {
      system: table.systems[at],
      ...means[at],
      n: each[at].length,
      top: top[at],
      rank,
      rankLow: Math.min(1 + above, rank),
      rankHigh: Math.max(size - below, rank),
      cluster: cluster[at],
    };
  });
}

// Whether each system is significantly better than each other one.
function betterThan(table, size, sign, confidence) {
  const scores = table.systems.map((_, at) => scoresOf(table, at));
  const pairs = [];
  for (let a = 0; a < size; a++) for (let b = a + 1; b < size; b++) pairs.push([a, b]);
  const found = pairs.map(([a, b]) => compare(table, scores[a], scores[b], confidence));
  const p = holm(found.map((one) => one.p));
  const better = Array.from({ length: size }, () => new Array(size).fill(false));
  pairs.forEach(([a, b], n) => {
    if (!(p[n] < 1 - confidence)) return;
    if (sign * found[n].value > 0) better[a][b] = true;
    if (sign * found[n].value < 0) better[b][a] = true;
  });
  return better;
}

// A line is drawn where every system above is significantly better than every one below.
function clusterNumbers(order, better) {
  const found = [];
  let number = 1;
  order.forEach((system, at) => {
    const line = order.slice(0, at).every((above) => order.slice(at).every((below) => better[above][below]));
    if (at && line) number++;
    found[system] = number;
  });
  return found;
}
