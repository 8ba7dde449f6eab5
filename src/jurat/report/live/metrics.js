// Metrics against people, as `jurat.stats.metaeval` has it in `correlation` and `segment_ranking`:
// Pearson's r of segments and of systems, and how often metrics order two systems as judges do.

const ALIKE_DIGITS = 12; // in which means of judges must differ to be different
const SCORE_ROUNDING = 1e-12; // of the largest score: differences up to it are ties
const FEWEST_SYSTEMS = 3;
const FLAT = 1e-12; // what rounding leaves of squares that do not vary

// The number of the translation of each row: rows are sorted by sentence and system.
function translationsOf({ sentence, system }) {
  const found = new Int32Array(sentence.length);
  for (let n = 1; n < found.length; n++) found[n] = found[n - 1] + (sentence[n] !== sentence[n - 1] || system[n] !== system[n - 1] ? 1 : 0);
  return found;
}

// The judges' scores of translations, the mean of each judge's; then the means of the judges.
function humanScores(table, rows, sign) {
  const translation = translationsOf(table);
  const cells = new Map();
  for (const row of rows) {
    const judge = table.judge ? table.judge[row] : 0;
    const key = translation[row] * Math.max(1, table.judges.length) + judge;
    const cell = cells.get(key) ?? { row, at: translation[row], judge, sum: 0, n: 0 };
    cell.sum += sign * table.values[row];
    cell.n++;
    cells.set(key, cell);
  }
  const each = [...cells.values()].map(({ row, at, judge, sum, n }) => ({ row, at, judge, sentence: table.sentence[row], system: table.system[row], value: sum / n }));
  const means = new Map();
  for (const one of each) {
    const own = means.get(one.at) ?? { ...one, sum: 0, n: 0 };
    own.sum += one.value;
    own.n++;
    means.set(one.at, own);
  }
  const largest = each.reduce((most, { value }) => Math.max(most, Math.abs(value)), 0);
  const factor = 10 ** (largest > 0 ? ALIKE_DIGITS - Math.ceil(Math.log10(largest)) : ALIKE_DIGITS);
  const alike = ({ sum, n }) => (n > 1 ? Math.round((sum / n) * factor) / factor : sum);
  return { each, means: [...means.values()].map((one) => ({ ...one, value: alike(one) })) };
}

// What varies: the document of each sentence, or the sentence; codes of sentences, and how many.
function sentenceUnits(table, means) {
  const rows = Int32Array.from(means, ({ row }) => row);
  const { codes: item, number: items } = numbered(taken(table.sentence, rows, Int32Array));
  const units = unitsOf(table, { rows, item, items });
  return { of: item, unit: units ? units.codes : Int32Array.from({ length: items }, (_, n) => n), number: units ? units.number : items };
}

function pearsonOfSums([n, x, y, xx, yy, xy]) {
  const [ofX, ofY] = [n * xx - x * x, n * yy - y * y];
  if (!(ofX > FLAT * n * xx && ofY > FLAT * n * yy)) return NaN;
  return Math.min(Math.max((n * xy - x * y) / Math.sqrt(ofX * ofY), -1), 1);
}

function pearsonSums(pairs) {
  const [x, y] = [0, 1].map((side) => total(pairs.map((pair) => pair[side])) / pairs.length);
  return pairs.map(([a, b]) => [1, a - x, b - y, (a - x) ** 2, (b - y) ** 2, (a - x) * (b - y)]);
}

// Pearson's r of translations, with the interval from leaving out each document.
function segmentPearson(means, scores, units, { confidence }) {
  const there = means.map((_, n) => n).filter((n) => !Number.isNaN(scores[n]));
  const nothing = { value: NaN, low: NaN, high: NaN, n: there.length };
  if (!there.length) return nothing;
  const sums = pearsonSums(there.map((n) => [means[n].value, scores[n]]));
  const whole = summedRows(6, sums);
  const value = pearsonOfSums(whole);
  if (units.number < 2) return { ...nothing, value };
  const groups = randomGroups(units.number);
  const number = highest(groups) + 1;
  const rows = Array.from({ length: number }, () => new Float64Array(6));
  const known = new Set();
  there.forEach((n, at) => {
    const unit = units.unit[units.of[n]];
    known.add(unit);
    for (let k = 0; k < 6; k++) rows[groups[unit]][k] += sums[at][k];
  });
  const sizes = new Array(units.number).fill(0);
  units.unit.forEach((unit) => sizes[unit]++);
  const leftOut = rows.map((row) => pearsonOfSums(whole.map((one, k) => one - row[k])));
  const n = Math.min(known.size, number);
  return { ...leftOutInterval({ value, leftOut, n, alike: equalUnits(sizes), confidence }), n: there.length };
}

// Pearson's r of systems, with Fisher's interval.
function systemPearson(means, scores, given, { normal }) {
  const sums = new Map();
  means.forEach(({ system, value }, n) => {
    const own = sums.get(system) ?? { human: 0, judged: 0, metric: 0, scored: 0, given: given ? given[n] : NaN };
    own.human += value;
    own.judged++;
    if (!Number.isNaN(scores[n])) {
      own.metric += scores[n];
      own.scored++;
    }
    sums.set(system, own);
  });
  const pairs = [...sums.values()].map((own) => [own.human / own.judged, given ? own.given : own.metric / own.scored]).filter(([, metric]) => !Number.isNaN(metric));
  const n = pairs.length;
  const value = n < FEWEST_SYSTEMS ? NaN : pearsonOfSums(summedRows(6, pearsonSums(pairs)));
  if (!(Math.abs(value) < 1) || n <= 4) return { value, low: NaN, high: NaN, n };
  const far = normal / Math.sqrt(n - 3);
  return { value, low: Math.tanh(Math.atanh(value) - far), high: Math.tanh(Math.atanh(value) + far), n };
}

// Pairs of systems of a sentence that a judge scored, and what the judge says of them: 1 where the
// first is better, −1 where it is worse. Where no judge scored two, the means are one judge's.
function judgeDecisions(each, means, judges) {
  const pairsOf = (list) => {
    const groups = new Map();
    for (const one of list) {
      const key = `${one.sentence} ${one.judge}`;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(one);
    }
    return [...groups.values()].flatMap((own) => own.flatMap((first, n) => own.slice(n + 1).map((second) => ({ sentence: first.sentence, judge: first.judge, first: first.at, second: second.at, outcome: Math.sign(first.value - second.value) }))));
  };
  const found = pairsOf(each);
  if (found.length || !judges.length) return { decisions: found, names: judges };
  return { decisions: pairsOf(means.map((one) => ({ ...one, judge: 0 }))), names: [] };
}

// How often a metric orders two systems as each judge does, and in the mean of the judges.
function consistency(decisions, names, score, sign, rounding, unitOf, units, settings) {
  const number = Math.max(1, names.length);
  const table = () => Array.from({ length: number }, () => new Float64Array(units));
  const [hits, cases] = [table(), table()];
  for (const { sentence, judge, first, second, outcome } of decisions) {
    const apart = sign * (score.get(first) - score.get(second));
    if (Number.isNaN(apart) || !outcome) continue;
    const margin = Math.abs(apart) <= rounding ? 0 : apart;
    const unit = unitOf.get(sentence);
    cases[judge][unit]++;
    if (Math.sign(margin) === outcome) hits[judge][unit]++;
  }
  const totals = cases.map(total);
  const share = (a, b, observed) => shareByUnit({ hits: Array.from(a), cases: Array.from(b), observed }, settings);
  const weighted = (parts) => Array.from({ length: units }, (_, unit) => total(parts.map((part, judge) => (totals[judge] ? part[unit] / totals[judge] : 0))));
  const rows = names.map((judge, n) => ({ by: { judge }, ...share(hits[n], cases[n], totals[n]), n: totals[n] }));
  const n = names.length ? totals.filter(Boolean).length : total(totals);
  return [...rows, { by: {}, ...share(weighted(hits), weighted(cases), total(totals)), n }];
}

function metricResults(table, kept, settings) {
  const rows = table.again ? kept.filter((row) => !table.again[row]) : kept;
  const { each, means } = humanScores(table, rows, settings.sign);
  const units = sentenceUnits(table, means);
  const unitOf = new Map(means.map(({ sentence }, n) => [sentence, units.unit[units.of[n]]]));
  const judged = table.judge ? [...new Set(each.map(({ judge }) => judge))].sort((a, b) => a - b) : [];
  const place = new Map(judged.map((code, n) => [code, n]));
  const renumbered = each.map((one) => ({ ...one, judge: place.get(one.judge) ?? 0 }));
  const { decisions, names } = judgeDecisions(renumbered, means, judged.map((code) => table.judges[code]));
  const found = { "metric-pearson": [], "metric-consistency": [] };
  const systems = [];
  for (const { name: metric, sign, scores: packed, ofSystems } of table.metrics) {
    const all = numbersOf(packed);
    const own = Float64Array.from(means, ({ at }) => all[at]);
    const whole = ofSystems && numbersOf(ofSystems);
    const given = whole && Float64Array.from(means, ({ at }) => whole[at]);
    const rounding = SCORE_ROUNDING * own.reduce((most, one) => (Number.isNaN(one) ? most : Math.max(most, Math.abs(one))), 0);
    const score = new Map(means.map(({ at }, n) => [at, own[n]]));
    found["metric-pearson"].push({ by: { metric, level: "segment", grouping: "none" }, ...segmentPearson(means, own, units, settings) });
    systems.push({ by: { metric, level: "system" }, ...systemPearson(means, own, given, settings) });
    for (const row of consistency(decisions, names, score, sign, rounding, unitOf, units.number, settings)) found["metric-consistency"].push({ ...row, by: { metric, ...row.by } });
  }
  found["metric-pearson"].push(...systems);
  return found;
}
