// Agreement of judges with intervals, as `jurat.stats.agreement.item_statistic` and
// `jurat.stats.agreement.answer_shares` have it.

const ITEM_STATISTICS = [nAgreement, kwayAgreement, fleissKappa, krippendorffAlpha, scottPi, gwetAC, brennanPrediger];
const FEW_OTHERS = 15;
const FEWER_OTHERS = 8;
const SMALL_SHARE = 0.25;
const FEW_UNEQUAL = 6;
const HALF = 0.5;
const FEW_FAR = 50;
const MOST_SHARES = 20;
const MOST_ANSWERS = 200;
const FEW_HAVING = 3;

const fewFar = (share, items) => share <= HALF && share * items < FEW_FAR;
const fewOthers = (share, items) => share * items < (share < SMALL_SHARE ? FEW_OTHERS : FEWER_OTHERS);

// The answers to one question: codes of items and points, and what varies, documents or items.
function ratingsOf(table, rows) {
  const item = numbered(taken(table.item, rows, Int32Array));
  const point = numbered(taken(table.point, rows, Int32Array));
  const places = new Float64Array(point.number);
  point.codes.forEach((code, n) => (places[code] = table.places[table.point[rows[n]]]));
  const names = [];
  if (table.labels) point.codes.forEach((code, n) => (names[code] = table.labels[table.point[rows[n]]]));
  const judge = table.judge && numbered(taken(table.judge, rows, Int32Array));
  const judges = [];
  judge?.codes.forEach((code, n) => (judges[code] = table.judges[table.judge[rows[n]]]));
  const ratings = { rows, item: item.codes, items: item.number, code: point.codes, places, names, judge: judge?.codes, judges, nominal: Boolean(table.labels) };
  return { ...ratings, values: Float64Array.from(point.codes, (code) => places[code]), units: unitsOf(table, ratings) };
}

// The document of each item where several are known; null where items are what varies.
function unitsOf(table, { rows, item, items }) {
  if (!table.document || table.bySegment) return null;
  const of = new Int32Array(items);
  rows.forEach((row, n) => (of[item[n]] = table.document[row]));
  const nameless = table.documents[0] === "" ? table.documents.length : 0;
  // items without a document are documents of their own
  const found = numbered(of.map((code, n) => (nameless && code === 0 ? nameless + n : code)));
  return found.number > 1 ? found : null;
}

// The kinds of items that make up each unit, and how often each has them: cells of `unit`, `kind`
// and `times`. Null where items are what varies.
function sampleOf(counts, units) {
  if (!units) return { counts, units: null };
  const { codes, number } = numbered(Float64Array.from(counts.kind, (kind, item) => units.codes[item] * counts.items + kind));
  const [unit, kind, times] = [new Int32Array(number), new Int32Array(number), new Float64Array(number)];
  codes.forEach((cell, item) => {
    unit[cell] = units.codes[item];
    kind[cell] = counts.kind[item];
    times[cell]++;
  });
  return { counts, units: { unit, kind, times, number: units.number } };
}

function withPseudoItems({ counts, units }, apart) {
  const more = counts.withPseudoItems(apart);
  if (!units) return { counts: more, units };
  const added = (old, value) => old.constructor.from([...old, ...[0, 1, 2, 3].map(value)]);
  const unit = added(units.unit, (n) => units.number + n);
  const kind = added(units.kind, (n) => counts.items + n);
  const times = added(units.times, () => 1);
  return { counts: more, units: { unit, kind, times, number: units.number + 4 } };
}

// Sums by unit, or by group of very many units; how often each counts, and how many there are.
function unitSums(columns, { counts, units }) {
  const whole = Float64Array.from(columns, (column) => counts.copied(column));
  if (units) {
    const rows = summedBy(columns, units, randomGroups(units.number));
    const sizes = new Array(units.number).fill(0);
    units.unit.forEach((unit, n) => (sizes[unit] += units.times[n]));
    return { whole, rows, weight: null, number: rows.length, sizes };
  }
  const each = Int32Array.from({ length: counts.items }, (_, kind) => kind);
  if (counts.items <= MOST_UNITS) {
    const rows = summedBy(columns, { unit: each, kind: each, times: each.map(() => 1) }, each);
    return { whole, rows, weight: counts.copies, number: total(counts.copies) };
  }
  const kind = Int32Array.from(Array.from(counts.copies).flatMap((n, one) => new Array(n).fill(one)));
  const unit = kind.map((_, n) => n);
  const rows = summedBy(columns, { unit, kind, times: unit.map(() => 1) }, randomGroups(unit.length));
  return { whole, rows, weight: null, number: rows.length };
}

function summedBy(columns, { unit, kind, times }, groups) {
  const rows = Array.from({ length: highest(groups) + 1 }, () => new Float64Array(columns.length));
  columns.forEach((column, k) => {
    for (let n = 0; n < unit.length; n++) {
      const one = column[kind[n]];
      if (one) rows[groups[unit[n]]][k] += times[n] * one;
    }
  });
  return rows;
}

function contributing(taken, { counts, units }) {
  if (!units) return counts.copies.reduce((sum, n, kind) => sum + (taken[kind] ? n : 0), 0);
  const there = new Uint8Array(units.number);
  units.kind.forEach((kind, n) => taken[kind] && (there[units.unit[n]] = 1));
  return total(there);
}

// The values of a statistic with the jackknife's intervals.
function jackknifed(statistic, sample, confidence, pseudo = false) {
  const { counts } = sample;
  const { columns, score } = statistic.sums(counts);
  const { whole, rows, weight, number, sizes } = unitSums(columns, sample);
  const values = score(whole);
  const without = rows.map((row) => score(whole.map((one, k) => one - row[k])));
  const keys = keysOf(statistic, counts);
  const alike = sizes ? equalUnits(sizes) : Infinity;
  return values.map((value, at) => {
    const taken = statistic.taken?.(counts, keys[at].key) ?? counts.paired;
    const n = Math.min(contributing(taken, sample), number);
    return leftOutInterval({ value, leftOut: without.map((one) => one[at]), weight, n, alike, pseudo, confidence });
  });
}

function keysOf(statistic, counts) {
  const keys = statistic.keys?.(counts) ?? [{}];
  return statistic.gives.flatMap((name) => keys.map((key) => ({ name, key })));
}

// Which answers are few, see `jurat.stats.agreement.rare_answer_intervals`.
function rarityOf(counts) {
  const number = counts.copied(counts.paired);
  const given = counts.perPoint(counts.cells((n, _, item) => n * counts.paired[item]));
  if (!number) return { needed: false, answers: 0 };
  const unequal = counts.copied(counts.pairs.map((n, item) => (counts.paired[item] && counts.equal[item] < n ? 1 : 0)));
  const share = 1 - Math.max(...given) / total(given);
  const answers = given.filter((n) => n > 0).length;
  const needed = (fewOthers(share, number) || unequal <= FEW_UNEQUAL) && answers > 1;
  return { needed, answers, widensDistances: answers === 2 ? needed : answers > 2 && fewFar(share, number) };
}

const narrower = (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b));
const higher = (a, b) => -narrower(-a, -b);

// The wider of two intervals; the value lies in it also where nothing varies.
const widest = (plain, wide) => ({
  value: plain.value,
  low: narrower(plain.low, wide.low),
  high: higher(higher(plain.high, wide.high), plain.value),
});

// All values of a statistic: the jackknife's, widened where cases are few, and shares in Wilson's way.
function itemValues(statistic, sample, rare, settings) {
  const plain = jackknifed(statistic, sample, settings.confidence);
  const widen = (places, apart) => {
    if (!places?.length) return;
    const wide = jackknifed(statistic, withPseudoItems(sample, apart), settings.confidence, true);
    for (const at of places) if (!Number.isNaN(plain[at].value)) plain[at] = widest(plain[at], wide[at]);
  };
  if (rare.needed) widen(statistic.categorical, null);
  if (rare.widensDistances) widen(statistic.weighted, squared);
  for (const at of statistic.withoutInterval ?? []) plain[at] = { value: plain[at].value, low: NaN, high: NaN };
  statistic.shares?.(sample.counts).forEach((share, at) => {
    if (!share) return;
    plain[at] = { ...unitShare(share, sample, settings), value: plain[at].value };
    // a share that has all hits of the one before it cannot be lower
    if (share.nested && at) plain[at].low = higher(plain[at].low, plain[at - 1].low);
  });
  return plain;
}

function unitShare({ hits, cases, nested, ...more }, { counts, units }, settings) {
  if (!units) return shareByUnit({ hits: Array.from(hits), cases: Array.from(cases), times: counts.copies, ...more }, settings);
  const sums = (column) => {
    const made = new Array(units.number).fill(0);
    units.unit.forEach((unit, n) => (made[unit] += units.times[n] * column[units.kind[n]]));
    return made;
  };
  return shareByUnit({ hits: sums(hits), cases: sums(cases), ...more }, settings);
}

// How often each answer was given; of those that few units have, the low end given that they occur.
function answerShares(ratings, settings) {
  const counts = answerCounts(ratings);
  if (counts.points > MOST_ANSWERS) return [];
  const answers = ratings.nominal ? ratings.names : Array.from(ratings.places);
  const given = counts.perPoint(counts.count);
  const n = total(given);
  const sample = sampleOf(counts, ratings.units);
  const units = ratings.units?.number ?? ratings.items;
  return answers.map((answer, code) => {
    const by = { answer };
    if (counts.points > MOST_SHARES) return { by, value: given[code] / n, low: NaN, high: NaN, n };
    const hits = new Float64Array(counts.items);
    counts.item.forEach((item, cell) => counts.code[cell] === code && (hits[item] = counts.count[cell]));
    const found = unitShare({ hits, cases: counts.size }, sample, settings);
    const having = contributing(hits, sample);
    const rare = having <= Math.min(FEW_HAVING, units / 4);
    const low = rare ? Math.min(found.low, (found.value * lowestRate(having, settings.confidence)) / having) : found.low;
    return { by, ...found, low, n };
  });
}

// The Poisson rate at which so many or more have the probability of one tail, if any occur.
function lowestRate(seen, confidence) {
  if (seen < 2) return 0;
  const least = (rate) => {
    const none = Math.exp(-rate);
    return seen === 2 ? 1 - (rate * none) / -Math.expm1(-rate) : 1 - (none * (rate + rate ** 2 / 2)) / -Math.expm1(-rate);
  };
  let [low, high] = [1e-9, seen];
  for (let n = 0; n < 200; n++) {
    const middle = (low + high) / 2;
    if (least(middle) < (1 - confidence) / 2) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

// Fleiss' kappa without each judge, and the items that are left: only their own items change.
function leftOutKappas({ item, items, code, judge, judges, places }) {
  const cells = Array.from({ length: items }, () => new Map());
  for (let n = 0; n < item.length; n++) cells[item[n]].set(code[n], (cells[item[n]].get(code[n]) ?? 0) + 1);
  const all = { items: 0, equal: 0, given: new Float64Array(places.length) };
  for (const own of cells) count(all, own, 1);
  const rows = judges.map(() => []);
  judge.forEach((one, n) => rows[one].push(n));
  const found = judges.map((name, one) => {
    const left = { ...all, given: all.given.slice() };
    for (const n of rows[one]) {
      count(left, cells[item[n]], -1);
      count(left, new Map(cells[item[n]]).set(code[n], cells[item[n]].get(code[n]) - 1), 1);
    }
    const whole = total(left.given);
    const expected = left.given.reduce((sum, n) => sum + (n / whole) ** 2, 0);
    return { by: { judge: name }, value: chanceCorrected(left.equal / left.items, expected), low: NaN, high: NaN, n: left.items };
  });
  return found.sort((a, b) => (Number.isNaN(b.value) ? -1 : Number.isNaN(a.value) ? 1 : b.value - a.value));
}

// Adds an item's answers to sums, or takes them off; those of one judge do not count.
function count(sums, cells, sign) {
  let [size, equal] = [0, 0];
  for (const n of cells.values()) {
    size += n;
    equal += n * (n - 1);
  }
  if (size < 2) return;
  sums.items += sign;
  sums.equal += (sign * equal) / (size * (size - 1));
  for (const [point, n] of cells) sums.given[point] += sign * n;
}

// The rows without answers that repeat one of the same judge, and the answers of these.
const firstRows = ({ table, rows }) => (table.again ? rows.filter((row) => !table.again[row]) : rows);
const firstRatings = (kept) => ratingsOf(kept.table, kept.once(firstRows));
const firstCounts = (kept) => answerCounts(kept.once(firstRatings));
const firstSample = (kept) => sampleOf(kept.once(firstCounts), kept.once(firstRatings).units);
const firstRarity = (kept) => rarityOf(kept.once(firstCounts));

for (const statistic of ITEM_STATISTICS) {
  computes("agreement", statistic.gives, (kept, settings) => statisticResults(statistic, kept.once(firstSample), kept.once(firstRarity), settings));
}

// Results of judges that are named.
function ofNamedJudges(names, make) {
  computes("agreement", names, (kept, settings) => {
    const ratings = kept.once(firstRatings);
    return ratings.judge ? make(ratings, kept, settings) : {};
  });
}

computes("agreement", ["answer-share"], ({ table, rows }, settings) => ({ "answer-share": answerShares(ratingsOf(table, rows), settings) }));
ofNamedJudges(["cohen-kappa", "cohen-kappa-pairs"], (ratings, kept, settings) => pairResults(ratings, kept.once(firstCounts), kept.once(firstRarity), settings));
ofNamedJudges(["icc", "kendall-w"], (ratings, _, settings) => reliabilityResults(ratings, settings));
ofNamedJudges(["conger-kappa"], (ratings, kept, settings) => congerResult(ratings, kept.once(firstCounts), kept.once(firstRarity), settings));
ofNamedJudges(["pearson-mean"], (ratings, kept, settings) => pearsonMean(ratings, kept.once(firstRarity), settings));
ofNamedJudges(["left-out-kappa"], (ratings) => ({ "left-out-kappa": leftOutKappas(ratings) }));

function statisticResults(statistic, sample, rare, settings) {
  const { counts } = sample;
  const values = itemValues(statistic, sample, rare, settings);
  const found = {};
  keysOf(statistic, counts).forEach(({ name, key }, at) => {
    const n = statistic.number?.(counts, key) ?? counts.copied(counts.paired);
    (found[name] ??= []).push({ by: key, ...values[at], n });
  });
  return found;
}
