// Cohen's kappa of every two judges and its mean, as `jurat.stats.kappa`, `cohen_kappa` and
// `pair_intervals` of `jurat.stats.agreement` have them.

const MOST_EXACT = 128;
const MOST_PAIRS = 5000;
const FEW_SHARED = 5;
const APART = {
  none: (d) => (d === 0 ? 0 : 1),
  linear: Math.abs,
  quadratic: (d) => d * d,
  "one-off": (d) => Math.max(Math.abs(d) - 1, 0),
};

// Every two judges with what both answered to each item that they share.
function judgePairs({ item, items, judge, judges, code, units }) {
  const ofItem = Array.from({ length: items }, () => []);
  for (let n = 0; n < item.length; n++) ofItem[item[n]].push(n);
  const pairs = new Map();
  ofItem.forEach((rows, place) => {
    rows.sort((a, b) => judge[a] - judge[b]);
    rows.forEach((one, n) => {
      for (const other of rows.slice(n + 1)) {
        const key = judge[one] * judges.length + judge[other];
        if (!pairs.has(key)) pairs.set(key, { key, first: [], second: [], unit: [] });
        const pair = pairs.get(key);
        pair.first.push(code[one]);
        pair.second.push(code[other]);
        pair.unit.push(units ? units.codes[place] : place);
      }
    });
  });
  const sorted = [...pairs.values()].sort((a, b) => a.key - b.key);
  const named = (pair) => ({ judge_a: judges[Math.floor(pair.key / judges.length)], judge_b: judges[pair.key % judges.length] });
  return sorted.map((pair) => ({ ...pair, by: named(pair), n: pair.first.length }));
}

const kappaOf = (observed, expected) => (expected > 1e-14 ? 1 - observed / expected : NaN);

function countsOf(codes, points) {
  const made = new Float64Array(points);
  for (const code of codes) made[code]++;
  return made;
}

const codesOf = (counts) => Array.from(counts, (_, code) => code).filter((code) => counts[code]);

// The distance of each point that one judge gave to all answers of the other together.
function toAll(own, others, apart) {
  const made = new Float64Array(own.length);
  const there = codesOf(others);
  for (const code of codesOf(own)) for (const other of there) made[code] += others[other] * apart(code, other);
  return made;
}

// The distances of a pair of judges, observed and expected, and its kappa.
function kappaParts({ first, second, n }, places, weights) {
  const apart = (a, b) => APART[weights](places[a] - places[b]);
  const counts = [countsOf(first, places.length), countsOf(second, places.length)];
  const far = [toAll(counts[0], counts[1], apart), toAll(counts[1], counts[0], apart)];
  let observed = 0;
  for (let i = 0; i < n; i++) observed += apart(first[i], second[i]);
  const expected = counts[0].reduce((sum, one, code) => sum + one * far[0][code], 0);
  return { apart, far, observed, expected, value: kappaOf(observed / n, expected / n ** 2) };
}

// The kappa of a pair, and without each unit that they share: `cells` of unit, size and value.
function kappaWithout(pair, places, weights, byUnit) {
  const { first, second, n } = pair;
  const { apart, far, observed, expected, value } = kappaParts(pair, places, weights);
  const linear = byUnit && places.length > MOST_EXACT;
  const shared = rowsByUnit(pair.unit);
  const cells = [...shared].map(([unit, rows]) => {
    const left = n - rows.length;
    const own = { unit, size: rows.length };
    if (!left) return { ...own, value: NaN };
    let gone = 0;
    let moved = 0;
    for (const i of rows) {
      gone += apart(first[i], second[i]);
      moved += far[0][first[i]] + far[1][second[i]];
    }
    if (linear) return { ...own, value: value - linearChange({ gone, moved, observed: observed / n, expected: expected / n ** 2, n, size: rows.length }) / left };
    let inside = 0;
    for (const i of rows) for (const j of rows) inside += apart(first[i], second[j]);
    return { ...own, value: kappaOf((observed - gone) / left, (expected - moved + inside) / left ** 2) };
  });
  return { value, cells };
}

// The sum of the influences of some shared items on kappa, where a scale has very many points.
function linearChange({ gone, moved, observed, expected, n, size }) {
  if (!(expected > 1e-14)) return NaN;
  const slope = observed / expected ** 2;
  return (slope * moved) / n - size * slope * expected - gone / expected;
}

function rowsByUnit(unit) {
  const made = new Map();
  unit.forEach((one, i) => {
    if (!made.has(one)) made.set(one, []);
    made.get(one).push(i);
  });
  return made;
}

// Each pair with four items more: (a, a), (b, b), (a, b) and (b, a) of the commonest answer and
// the other one, see `commonestAndOther`.
function pairsWithPseudoItems(pairs, places, units, apart = null) {
  const given = new Float64Array(places.length);
  for (const { first, second } of pairs) for (const code of [...first, ...second]) given[code]++;
  const [a, b] = commonestAndOther(given, places, apart);
  return pairs.map((pair) => ({
    ...pair,
    n: pair.n + 4,
    first: [...pair.first, a, b, a, b],
    second: [...pair.second, a, b, b, a],
    unit: [...pair.unit, units, units + 1, units + 2, units + 3],
  }));
}

// Whether pairs share so few units of many that their mean has no interval.
function shareTooFew(found) {
  const shared = found.map(({ cells }) => cells.length).sort((a, b) => a - b);
  const usual = (shared[(shared.length - 1) >> 1] + shared[shared.length >> 1]) / 2;
  const units = new Set(found.flatMap(({ cells }) => cells.map(({ unit }) => unit)));
  return usual < FEW_SHARED && units.size > usual;
}

// The mean over pairs, each unit being left out of all pairs at once.
function meanOfPairs(found, confidence, pseudo = false) {
  const known = found.filter(({ value }) => !Number.isNaN(value));
  if (!known.length) return { value: NaN, low: NaN, high: NaN, n: 0 };
  const sum = total(known.map(({ value }) => value));
  const units = new Map();
  for (const { value, cells } of found) {
    for (const cell of cells) {
      const own = units.get(cell.unit) ?? { change: 0, fewer: 0, size: 0 };
      own.change += (Number.isNaN(cell.value) ? 0 : cell.value) - (Number.isNaN(value) ? 0 : value);
      own.fewer += (Number.isNaN(cell.value) ? 0 : 1) - (Number.isNaN(value) ? 0 : 1);
      own.size += cell.size;
      units.set(cell.unit, own);
    }
  }
  const each = [...units.values()];
  const leftOut = each.map(({ change, fewer }) => (known.length + fewer > 0 ? (sum + change) / (known.length + fewer) : NaN));
  const alike = equalUnits(each.map(({ size }) => size));
  return { ...leftOutInterval({ value: sum / known.length, leftOut, alike, pseudo, confidence }), n: known.length };
}

const withoutEnds = (one) => ({ ...one, low: NaN, high: NaN });

function pairInterval({ value, cells }, confidence, pseudo = false) {
  const leftOut = cells.map((cell) => cell.value);
  // a pair without one of its units may have no kappa: then there is no interval
  return leftOutInterval({ value, leftOut, n: cells.length, alike: equalUnits(cells.map(({ size }) => size)), pseudo, confidence });
}

// Pairs that know few answers outside their commonest one, or differ about few items.
function isRarePair({ first, second, n }, points, distances) {
  const given = countsOf([...first, ...second], points);
  const share = 1 - Math.max(...given) / (2 * n);
  if (distances) return fewFar(share, n);
  return fewOthers(share, n) || first.filter((code, i) => code !== second[i]).length <= FEW_UNEQUAL;
}

// Kappas of all pairs, the means first, with every kind of weights.
function pairResults(ratings, counts, rare, { confidence }) {
  const pairs = judgePairs(ratings);
  const points = ratings.places.length;
  const last = pairs.reduce((most, { unit }) => Math.max(most, highest(unit)), -1);
  const means = [];
  const singles = [];
  for (const weights of Object.keys(APART)) {
    if (ratings.nominal && weights !== "none") continue;
    const found = pairs.map((pair) => kappaWithout(pair, ratings.places, weights, Boolean(ratings.units)));
    const distances = weights !== "none" && rare.answers !== 2;
    // with two answers in use all weights come to the same
    const alike = distances ? weights : "none";
    const wide = pairs.length && rare.answers > 1 ? pairsWithPseudoItems(pairs, ratings.places, last + 1, distances ? APART[weights] : null) : [];
    const wider = wide.map((pair) => kappaWithout(pair, ratings.places, alike, Boolean(ratings.units)));
    let mean = meanOfPairs(found, confidence);
    if (shareTooFew(found)) mean = withoutEnds(mean);
    else if ((distances ? rare.widensDistances : rare.needed) && !Number.isNaN(mean.value)) mean = { ...widest(mean, meanOfPairs(wider, confidence, true)), n: mean.n };
    means.push({ by: { weights, pairs: "all" }, ...mean });
    largest(pairs).forEach((at) => {
      let ends = pairInterval(found[at], confidence);
      const few = rare.answers > 1 && isRarePair(pairs[at], points, distances) && !Number.isNaN(ends.value);
      if (few) ends = widest(ends, pairInterval(wider[at], confidence, true));
      singles.push({ by: { weights, ...pairs[at].by }, ...ends, n: pairs[at].n });
    });
  }
  return { "cohen-kappa": means, "cohen-kappa-pairs": singles };
}

// Pearson's r of two judges and without each unit that they share: `cells` as of kappa.
function pearsonWithout(pair, places) {
  const middle = places[places.length >> 1];
  const x = pair.first.map((code) => places[code] - middle);
  const y = pair.second.map((code) => places[code] - middle);
  const whole = momentsOf(x, y, Array.from(x, (_, i) => i));
  const cells = [...rowsByUnit(pair.unit)].map(([unit, rows]) => {
    const own = momentsOf(x, y, rows);
    return { unit, size: rows.length, value: pearsonOfSums(whole.map((one, at) => one - own[at])) };
  });
  return { value: pearson(x, y), cells };
}

// The mean correlation of every two judges.
function pearsonMean(ratings, rare, { confidence }) {
  if (ratings.nominal || !ratings.judge) return {};
  const pairs = judgePairs(ratings);
  const found = pairs.map((pair) => pearsonWithout(pair, ratings.places));
  let mean = meanOfPairs(found, confidence);
  if (shareTooFew(found)) mean = withoutEnds(mean);
  else if (rare.widensDistances && !Number.isNaN(mean.value)) {
    const last = pairs.reduce((most, { unit }) => Math.max(most, highest(unit)), -1);
    const wide = pairsWithPseudoItems(pairs, ratings.places, last + 1, squared).map((pair) => pearsonWithout(pair, ratings.places));
    mean = { ...widest(mean, meanOfPairs(wide, confidence, true)), n: mean.n };
  }
  return { "pearson-mean": [{ by: {}, ...mean }] };
}

// The pairs with the most shared items, in the order of the judges.
function largest(pairs) {
  const order = pairs.map((_, at) => at).sort((a, b) => pairs[b].n - pairs[a].n || a - b);
  return order.slice(0, MOST_PAIRS).sort((a, b) => a - b);
}
