// Scores, ranks and clusters of systems, as `jurat.stats.systems` has them: `system_scores`,
// `system_inference` and `pair_tests`. A table has arrays with a place for each judgment.

const ENOUGH_SHARED = 30;
const UNBALANCED = 0.1;
const HEAPED = 0.5;
const FEWEST_HEAPED = 20;

// The numbers at some places; a loop is many times faster than `from` with a function.
function taken(numbers, places, Kind) {
  const made = new Kind(places.length);
  for (let n = 0; n < made.length; n++) made[n] = numbers[places[n]];
  return made;
}

// The places of each group, by its code.
function placesBy(codes, number) {
  const places = Array.from({ length: number }, () => []);
  codes.forEach((code, n) => places[code].push(n));
  return places;
}

// The rows of a table that are kept, with codes that have no gaps.
function subset(table, kept) {
  const pick = (codes) => codes && taken(codes, kept, Int32Array);
  const own = pick(table.system);
  const system = numbered(own);
  const names = [];
  own.forEach((code, n) => (names[system.codes[n]] = table.systems[code]));
  const sentence = numbered(pick(table.sentence));
  const document = table.document && numbered(pick(table.document));
  const judge = table.judge && numbered(pick(table.judge));
  const several = document && document.number > 1 && !table.bySegment;
  return {
    values: taken(table.values, kept, Float64Array),
    system: system.codes,
    systems: names,
    sentence: sentence.codes,
    sentences: sentence.number,
    judge: judge && judge.codes,
    judges: judge ? judge.number : 1,
    hasDocuments: Boolean(several),
    document: several ? document.codes : sentence.codes,
    // which judgment each is, where one counts for several systems with the same output
    judgment: pick(table.judgment),
    bySegment: table.bySegment,
  };
}

const clustersOf = (table, rows) => ({
  document: taken(table.document, rows, Int32Array),
  judge: table.judge && !table.bySegment ? taken(table.judge, rows, Int32Array) : null,
});

function mean(values, rows, clusters, confidence) {
  const own = taken(values, rows, Float64Array);
  const model = new LinearModel({ values: own, system: new Int32Array(own.length) });
  return infer(model.contrast([1]), own, clusters, confidence);
}

// The mean of scores; where half of them or more are at one end, as a share of the way between both.
function meanScore(values, rows, clusters, confidence) {
  const found = mean(values, rows, clusters, confidence);
  const own = taken(values, rows, Float64Array);
  return betweenEnds(found, own, numbered(clusters.document).number, confidence);
}

function betweenEnds(found, values, documents, confidence) {
  if (values.length < FEWEST_HEAPED) return found;
  const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const share = (found.value - low) / (high - low);
  const at = (end) => values.filter((one) => one === end).length / values.length;
  if (!(share > 0 && share < 1) || Number.isNaN(found.low) || Math.max(at(low), at(high)) < HEAPED) return found;
  const half = (found.high - found.low) / 2 / (high - low);
  const ends = wilsonWithin(share, half, documents, confidence);
  return { ...found, low: low + (high - low) * ends.low, high: low + (high - low) * ends.high };
}

// The share of some rows that have the best answer.
function topShare(table, rows, best, sign, confidence) {
  const hits = table.values.map((value) => (sign * value === best ? 1 : 0));
  const clusters = clustersOf(table, rows);
  return inferShare(mean(hits, rows, clusters, confidence), clusters, confidence);
}

// The median with Woodruff's interval: the values at the ends of that of the share below it.
function median(values, rows, clusters, confidence) {
  const sorted = taken(values, rows, Float64Array).sort();
  const last = sorted.length - 1;
  const value = (sorted[Math.floor(last / 2)] + sorted[Math.ceil(last / 2)]) / 2;
  const below = new Float64Array(values.length);
  for (const row of rows) below[row] = values[row] < value ? 1 : values[row] === value ? 0.5 : 0;
  const share = mean(below, rows, clusters, confidence);
  const half = share.high - share.value;
  if (!(half > 0)) return { value, low: NaN, high: NaN };
  const far = half / Math.sqrt(1 + 4 * half ** 2);
  return { value, low: sorted[Math.floor(last * (0.5 - far))], high: sorted[Math.ceil(last * (0.5 + far))] };
}

// The scores of a system by sentence and judge; the mean where one scored it twice. Rows of the
// page's data are sorted by sentence, system and judge, so that equal ones follow each other.
function scoresOf(table, rows) {
  const key = new Float64Array(rows.length);
  const value = new Float64Array(rows.length);
  const row = new Int32Array(rows.length);
  const judgment = new Float64Array(rows.length);
  let length = 0;
  let number = 0;
  for (const one of rows) {
    const own = table.sentence[one] * table.judges + (table.judge ? table.judge[one] : 0);
    if (!length || key[length - 1] !== own) {
      number = 0;
      key[length] = own;
      row[length++] = one;
    }
    value[length - 1] += (table.values[one] - value[length - 1]) / ++number;
    if (table.judgment) judgment[length - 1] += table.judgment[one];
  }
  return { key: key.subarray(0, length), value: value.subarray(0, length), row: row.subarray(0, length), judgment, length };
}

// The places of the scores that two systems share.
function commonPlaces(a, b) {
  const first = [];
  const second = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a.key[i] < b.key[j]) i++;
    else if (a.key[i] > b.key[j]) j++;
    else {
      first.push(i++);
      second.push(j++);
    }
  }
  return { first, second };
}

// The difference of two systems, the first minus the second.
function compare(table, a, b, pair, confidence) {
  const { first, second } = commonPlaces(a, b);
  // where both have the same output they are equal, which says nothing of where they differ
  const same = table.judgment ? first.filter((at, n) => a.judgment[at] === b.judgment[second[n]]).length : 0;
  if (first.length && 2 * (first.length - same) >= Math.min(a.length, b.length) - same) {
    const apart = taken(a.value, first, Float64Array);
    for (let n = 0; n < apart.length; n++) apart[n] -= b.value[second[n]];
    const model = new LinearModel({ values: apart, system: new Int32Array(apart.length) });
    const rows = taken(a.row, first, Int32Array);
    return { ...inferPair(model.contrast([1]), apart, clustersOf(table, rows), confidence), n: sentencesOf(table, rows) };
  }
  const listed = (side) => Array.from(side.row, (row, n) => ({ row, value: side.value[n], sentence: table.sentence[row] }));
  return compareUnpaired(table, listed(a), listed(b), pair, confidence);
}

const sentencesOf = (table, rows) => new Set(Array.from(rows, (row) => table.sentence[row])).size;

// The same of systems whose judges mostly differ, adjusted for judges and documents.
function compareUnpaired(table, a, b, pair, confidence) {
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
  const n = shared.size || rows.length;
  const clusters = clustersOf(table, rows);
  const { effects, judge, confounded, otherJudges } = judgeEffects(table.judge && rows.map((row) => table.judge[row]), system);
  clusters.judge = table.bySegment ? null : judge;
  const difference = (block) => new LinearModel({ values, system, judge: effects, block }).contrast([1, -1]);
  const block = documentBlocks(table, clusters.document, system);
  const otherDocuments = table.hasDocuments && !block && shared.size < FEWEST_DOCUMENTS;
  if (table.systems.length > 2 && (confounded || otherJudges || otherDocuments)) {
    const found = compareLinked(table, pair, confidence);
    if (!Number.isNaN(found.p)) return { ...found, n };
  }
  if (confounded && !table.bySegment) {
    const plain = difference(null);
    return { ...NOTHING, value: plain ? plain.coefficients.reduce((sum, c, i) => sum + c * values[i], 0) : NaN, n };
  }
  const found = block && inferPair(difference(block), values, clusters, confidence);
  // documents and judges may explain everything: then without documents
  return { ...(found && !Number.isNaN(found.low) ? found : inferPair(difference(null), values, clusters, confidence)), n };
}

// The same through systems that were scored by judges, or on documents, of both: `linked_contrast`.
function compareLinked(table, [a, b], confidence) {
  table.additive ??= new LinearModel({ values: table.values, system: table.system, judge: table.judge, block: table.hasDocuments ? table.document : null });
  const apart = table.systems.map((_, system) => (system === a) - (system === b));
  const { document, judge, bySegment } = table;
  return inferPair(table.additive.contrast(apart), table.values, { document, judge: bySegment ? null : judge }, confidence);
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
  if (Math.min(first.size, second.size) >= FEWEST_JUDGES) return { effects: null, judge: codes, otherJudges: true };
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

// Scores as if every system had been judged on every sentence by every judge, with intervals.
function adjustedScores(table, confidence) {
  const [plain, shared] = [false, true].map((withShared) => () => marginalMeans(table, withShared));
  let contrasts = table.judgment ? shared() : plain();
  // where sentences with a shared output cannot be told from the others, all count alike
  if (contrasts.some((one) => !one)) contrasts = plain();
  const means = contrasts.map((one) => (one ? estimate(one.coefficients, table.values) : NaN));
  const values = table.values.map((value, n) => value - means[table.system[n]]);
  const model = new LinearModel({ values, system: table.system });
  const { document, judge, bySegment } = table;
  const clusters = { document, judge: bySegment ? null : judge };
  const documents = numbered(document).number;
  return contrasts.map((contrast, at) => {
    const found = infer(contrast && { model, residuals: values, coefficients: contrast.coefficients }, values, clusters, confidence);
    const by = means[at] - found.value;
    const moved = { value: means[at], low: found.low + by, high: found.high + by };
    return betweenEnds(moved, table.values, documents, confidence);
  });
}

// The marginal mean of each system in the additive model; null where the data do not tell it.
// `withShared` gives systems effects of their own on outputs that they share.
function marginalMeans(table, withShared) {
  const { values, system, judge, sentence, judgment } = table;
  const times = withShared ? countsOf(judgment, highest(judgment) + 1) : null;
  const size = table.systems.length;
  const effect = times ? system.map((code, n) => code + (times[judgment[n]] > 1 ? size : 0)) : system;
  const model = new LinearModel({ values, system: effect, judge, block: sentence });
  const share = 1 / values.length;
  const shares = (codes, number) => (codes ? countsOf(codes, number).map((n) => n * share) : []);
  const [ofEffects, ofJudges, ofSentences] = [shares(effect, model.systems), shares(judge, model.judges), shares(sentence, table.sentences)];
  return table.systems.map((_, at) => {
    const own = ofEffects.map((one, code) => (code % size === at ? one : 0));
    const whole = total(own);
    return model.contrast([...own.map((one) => one / whole), ...ofJudges], ofSentences);
  });
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

// The scores of one question, with codes that have no gaps.
const scoreTable = ({ table, rows }) => subset(table, rows);
const adjustedOf = (kept, { confidence }) => adjustedScores(kept.once(scoreTable), confidence);

// The systems of a table's rows: what each has, its places, and pairs of two, best first.
function scoredSystems(kept, settings) {
  const { sign, confidence } = settings;
  const table = kept.once(scoreTable);
  const each = placesBy(table.system, table.systems.length);
  const best = table.values.reduce((most, value) => Math.max(most, sign * value), -Infinity);
  const means = each.map((rows) => meanScore(table.values, rows, clustersOf(table, rows), confidence));
  const tops = each.map((rows) => topShare(table, rows, best, sign, confidence));
  const scores = orderingScores(table, means.map((one) => one.value), () => kept.once(adjustedOf, settings));
  const found = pairFindings(table, each, confidence);
  const parts = { system: table.systems, means, tops, adjusted: scores, n: each.map((rows) => rows.length) };
  return { ...parts, ...ranked(scores.map((score) => sign * score), found, sign, confidence) };
}

// The places and clusters that scores (higher is better) and tests of every two systems give.
function ranked(scores, found, sign, confidence) {
  const size = scores.length;
  const known = (score) => (Number.isNaN(score) ? -Infinity : score);
  const order = scores.map((_, n) => n).sort((a, b) => known(scores[b]) - known(scores[a]) || a - b);
  const better = betterThan(found, size, sign, confidence);
  const cluster = clusterNumbers(order.filter((system) => !Number.isNaN(scores[system])), better);
  const places = scores.map((score, system) => {
    const rank = Number.isNaN(score) ? NaN : 1 + scores.filter((other) => other > score).length;
    const above = better.filter((row) => row[system]).length;
    const below = better[system].filter(Boolean).length;
    return { rank, rankLow: Math.min(1 + above, rank), rankHigh: Math.max(size - below, rank), cluster: cluster[system] ?? NaN };
  });
  return { order, places, pairs: betterFirst(found, order) };
}

// Means, or adjusted scores where systems were judged on other sentences or by other judges.
function orderingScores(table, means, adjusted) {
  const size = means.length;
  const apart = [distance(table.system, size, table.sentence, table.sentences), judgesApart(table)];
  if (size < 2 || !(Math.max(...apart) > UNBALANCED)) return means;
  const scores = adjusted().map(({ value }) => value);
  return scores.some(Number.isNaN) ? means : scores;
}

// How far systems were judged by different judges.
function judgesApart(table) {
  return distance(table.system, table.systems.length, table.judge ?? new Int32Array(table.values.length), table.judges);
}

// The difference of every two systems, with p-values as they are and corrected.
function pairFindings(table, each, confidence) {
  const scores = each.map((rows) => scoresOf(table, rows));
  const pairs = [];
  for (let a = 0; a < each.length; a++) {
    for (let b = a + 1; b < each.length; b++) pairs.push({ a, b, ...compare(table, scores[a], scores[b], [a, b], confidence) });
  }
  const corrected = ["p", "these"].map((test) => holm(pairs.map((pair) => pair[test])));
  return pairs.map((pair, n) => ({ ...pair, p: corrected[0][n], these: corrected[1][n] }));
}

// The pairs with the better system first, in the order of the first and the second.
function betterFirst(pairs, order) {
  const place = new Map(order.map((system, n) => [system, n]));
  // 0 − x instead of −x, so that no difference is −0
  const turned = ({ a, b, value, low, high, ...rest }) => ({ ...rest, a: b, b: a, value: 0 - value, low: 0 - high, high: 0 - low });
  const made = pairs.map((pair) => (place.get(pair.a) < place.get(pair.b) ? pair : turned(pair)));
  return made.sort((one, other) => place.get(one.a) - place.get(other.a) || place.get(one.b) - place.get(other.b));
}

// Whether each system is significantly better than each other one.
function betterThan(pairs, size, sign, confidence) {
  const better = Array.from({ length: size }, () => new Array(size).fill(false));
  for (const { a, b, value, p } of pairs) {
    // a pair without a test is not told apart
    if (!(p < 1 - confidence)) continue;
    if (sign * value > 0) better[a][b] = true;
    if (sign * value < 0) better[b][a] = true;
  }
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
