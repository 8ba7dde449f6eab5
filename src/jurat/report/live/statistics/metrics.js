// Metrics against people, as `jurat.stats.metaeval` has it in `correlation` and `segment_ranking`:
// Pearson's r of segments and of systems, and how often metrics order two systems as judges do.

const SCORE_ROUNDING = 1e-12; // of the largest score: differences up to it are ties
const FEWEST_SYSTEMS = 3;

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
  const list = [...means.values()];
  const rounded = alike(list.map(({ sum, n }) => sum / n), largest);
  return { each, means: list.map((one, at) => ({ ...one, value: one.n > 1 ? rounded[at] : one.sum })) };
}

// What varies: the document of each sentence, or the sentence; codes of sentences, and how many.
function sentenceUnits(table, means) {
  const rows = Int32Array.from(means, ({ row }) => row);
  const { codes: item, number: items } = numbered(taken(table.sentence, rows, Int32Array));
  const units = unitsOf(table, { rows, item, items });
  return { of: item, unit: units ? units.codes : Int32Array.from({ length: items }, (_, n) => n), number: units ? units.number : items, byDocument: Boolean(units) };
}

// Coefficients of sums of each unit, with intervals; `used` counts the units behind each.
function coefficientsOfUnits(sums, score, used, units, confidence) {
  const width = sums[0].length;
  const whole = summedRows(width, sums);
  const values = score(whole);
  if (units.number < 2) return values.map((value) => ({ value, low: NaN, high: NaN }));
  const rows = groupedRows(sums, width);
  const without = rows.map((row) => score(whole.map((one, k) => one - row[k])));
  const alike = equalUnits(unitSizes(units.unit, units.number));
  return values.map((value, at) => leftOutInterval({ value, leftOut: without.map((one) => one[at]), n: Math.min(used[at], rows.length), alike, confidence }));
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
  const rows = Array.from({ length: units.number }, () => new Float64Array(6));
  there.forEach((n, at) => sums[at].forEach((one, k) => (rows[units.unit[units.of[n]]][k] += one)));
  const known = rows.filter(([count]) => count).length;
  const [found] = coefficientsOfUnits(rows, (totals) => [pearsonOfSums(totals)], [known], units, confidence);
  return { ...found, n: there.length };
}

// People's and the metric's score of each system that has both.
function systemPairs(means, scores, given) {
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
  return [...sums.values()].map((own) => [own.human / own.judged, given ? own.given : own.metric / own.scored]).filter(([, metric]) => !Number.isNaN(metric));
}

// Pearson's r of systems, with Fisher's interval.
function systemPearson(means, scores, given, { normal }) {
  const pairs = systemPairs(means, scores, given);
  const n = pairs.length;
  const value = n < FEWEST_SYSTEMS ? NaN : pearsonOfSums(summedRows(6, pearsonSums(pairs)));
  return { value, ...atanhEnds(value, n > 4 ? 1 / (n - 3) : NaN, normal), n };
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
function consistency(decisions, names, margin, unitOf, units, settings) {
  const table = () => Array.from({ length: Math.max(1, names.length) }, () => new Float64Array(units));
  const [hits, cases] = [table(), table()];
  for (const { sentence, judge, first, second, outcome } of decisions) {
    const apart = margin(first, second);
    if (Number.isNaN(apart) || !outcome) continue;
    const unit = unitOf.get(sentence);
    cases[judge][unit]++;
    if (Math.sign(apart) === outcome) hits[judge][unit]++;
  }
  const totals = cases.map(total);
  const share = (a, b, observed) => shareByUnit({ hits: Array.from(a), cases: Array.from(b), observed }, settings);
  const weighted = (parts) => Array.from({ length: units }, (_, unit) => total(parts.map((part, judge) => (totals[judge] ? part[unit] / totals[judge] : 0))));
  const rows = names.map((judge, n) => ({ by: { judge }, ...share(hits[n], cases[n], totals[n]), n: totals[n] }));
  const n = names.length ? totals.filter(Boolean).length : total(totals);
  return [...rows, { by: {}, ...share(weighted(hits), weighted(cases), total(totals)), n }];
}

// Judgments and metrics' scores of the same translations.
function matchedScores(kept, { sign }) {
  const { table } = kept;
  const { each, means } = humanScores(table, kept.once(firstRows), sign);
  const units = sentenceUnits(table, means);
  const unitOf = new Map(means.map(({ sentence }, n) => [sentence, units.unit[units.of[n]]]));
  const judged = table.judge ? [...new Set(each.map(({ judge }) => judge))].sort((a, b) => a - b) : [];
  const place = new Map(judged.map((code, n) => [code, n]));
  const renumbered = each.map((one) => ({ ...one, judge: place.get(one.judge) ?? 0 }));
  const { decisions, names } = judgeDecisions(renumbered, means, judged.map((code) => table.judges[code]));
  // where nobody judged two systems of a sentence, the means are one judge's scores
  const given = names.length || !table.judge ? renumbered : means.map((one) => ({ ...one, judge: 0 }));
  return { means, units, unitOf, decisions, names, given, metrics: table.metrics.map((metric) => metricOf(metric, means)) };
}

// A metric's scores of the translations that were judged, and what is no difference of two.
function metricOf({ name, sign, scores, ofSystems, allJudged }, means) {
  const all = numbersOf(scores);
  const own = Float64Array.from(means, ({ at }) => all[at]);
  const whole = ofSystems && numbersOf(ofSystems);
  const rounding = SCORE_ROUNDING * own.reduce((most, one) => (Number.isNaN(one) ? most : Math.max(most, Math.abs(one))), 0);
  const of = new Map(means.map(({ at }, n) => [at, own[n]]));
  const margin = (first, second) => {
    const apart = sign * (of.get(first) - of.get(second));
    return Math.abs(apart) <= rounding ? 0 : apart;
  };
  return { name, sign, own, of, margin, allJudged, given: whole && Float64Array.from(means, ({ at }) => whole[at]) };
}

// Results that have estimates of each metric; `make` gives those of one by the name of the result.
function ofMetrics(names, make) {
  computes("metaeval", names, (kept, settings) => {
    const data = kept.once(matchedScores, settings);
    const found = Object.fromEntries(names.map((name) => [name, []]));
    for (const metric of data.metrics) {
      for (const [name, rows] of Object.entries(make(data, metric, settings, kept.table))) {
        found[name].push(...rows.map((row) => ({ low: NaN, high: NaN, ...row, by: { metric: metric.name, ...row.by } })));
      }
    }
    return Object.fromEntries(Object.entries(found).filter(([, rows]) => rows.length));
  });
}

const LEVELS = { segment: { level: "segment", grouping: "none" }, system: { level: "system" } };

ofMetrics(["metric-pearson"], ({ means, units }, { own, given }, settings) => ({
  "metric-pearson": [
    { by: LEVELS.segment, ...segmentPearson(means, own, units, settings) },
    { by: LEVELS.system, ...systemPearson(means, own, given, settings) },
  ],
}));

ofMetrics(["metric-consistency"], ({ decisions, names, unitOf, units }, { margin }, settings) => ({ "metric-consistency": consistency(decisions, names, margin, unitOf, units.number, settings) }));
