// Comparisons of two systems, as `jurat.stats.preferences` has them. Outcomes are 0 and 1 for the
// two sides, and from 2 on kinds of "no preference".

const TIE = 2;
const OUTCOMES = ["a", "b", "tie", "good", "bad"];
const DEFINITIONS = [["inter", "clean"], ["intra", "clean"], ["inter", "wmt"], ["intra", "wmt"]];

// The comparisons that are kept, with codes that have no gaps, and outcomes in the systems' order.
function comparisonsOf(table, rows) {
  const pick = (codes) => codes && numbered(taken(codes, rows, Int32Array));
  const [first, second] = [taken(table.first, rows, Int32Array), taken(table.second, rows, Int32Array)];
  const shown = taken(table.shown, rows, Int32Array);
  const turned = first.map((one, n) => Number(one > second[n]));
  const there = [...new Set([...first, ...second])].sort((a, b) => a - b);
  const pair = first.map((one, n) => Math.min(one, second[n]) * table.systems.length + Math.max(one, second[n]));
  const own = Int32Array.from(rows, (_, n) => n);
  const item = pick(table.item) ?? { codes: own, number: rows.length };
  const judge = pick(table.judge) ?? { codes: own, number: rows.length };
  const document = pick(table.document);
  return {
    rows, shown, turned, pair, item, judge,
    sentence: pick(table.sentence) ?? item,
    systems: there,
    outcome: shown.map((one, n) => (turned[n] && one < TIE ? 1 - one : one)),
    document: document && document.number > 1 && !table.bySegment ? document : null,
    hasJudges: Boolean(table.judge),
    bySegment: table.bySegment,
    sided: isSided(shown, turned, pair),
    names: (code) => [table.systems[Math.floor(code / table.systems.length)], table.systems[code % table.systems.length]],
    judges: table.judges,
    table,
  };
}

// Whether a and b are sides on the screen; a table may always name the better one first.
function isSided(shown, turned, pair) {
  if (shown.some((one) => one !== 0)) return true;
  const other = new Set(pair.filter((_, n) => turned[n]));
  return !pair.some((code, n) => !turned[n] && other.has(code));
}

// The units in which agreement varies: several documents, or items.
const unitsOfItems = ({ item, document }) => {
  if (!document) return { codes: Int32Array.from({ length: item.number }, (_, n) => n), number: item.number };
  const of = new Int32Array(item.number);
  item.codes.forEach((code, n) => (of[code] = document.codes[n]));
  return { codes: of, number: document.number };
};

function clustersAt(part, places) {
  const document = taken((part.document ?? part.sentence).codes, places, Int32Array);
  return { document, judge: part.hasJudges && !part.bySegment ? taken(part.judge.codes, places, Int32Array) : null };
}

function meanFinding(values, clusters, confidence) {
  const model = new LinearModel({ values, system: new Int32Array(values.length) });
  return infer(model.contrast([1]), values, clusters, confidence);
}

// The share of some comparisons that are hits; `against` gives the p of a test against it.
function shareFinding(part, places, hits, { confidence }, against = 0) {
  if (!places.length) return { ...NOTHING };
  const clusters = clustersAt(part, places);
  const values = Float64Array.from(hits, Number);
  const found = meanFinding(values, clusters, confidence);
  const share = inferShare(found, clusters, confidence);
  if (!against) return share;
  const { value } = share;
  const spread = against * (1 - against);
  if (!(value > 0 && value < 1)) {
    const documents = numbered(clusters.document).number;
    const p = documents < FEWEST_DOCUMENTS ? NaN : tTails(Math.abs(value - against) * Math.sqrt(documents / spread), documents - 1);
    return { ...share, p };
  }
  const shrunk = (value - against) * Math.sqrt((value * (1 - value)) / spread);
  return { ...share, p: meanFinding(values.map((one) => one - value + shrunk), clusters, confidence).p };
}

const allOf = (part) => Array.from(part.shown, (_, n) => n);

// How often each outcome was chosen: of the systems where there are two, else of the sides.
function outcomeResults(part, settings) {
  const two = part.systems.length === 2;
  const codes = two ? part.outcome : part.shown;
  const used = OUTCOMES.map((_, code) => code).filter((code) => code <= TIE || part.shown.includes(code));
  const side = (code) => (two && code < TIE ? part.table.systems[part.systems[code]] : "");
  const places = allOf(part);
  const n = places.length;
  const row = (code, one) => ({ by: { outcome: OUTCOMES[code] }, side: side(code), low: NaN, high: NaN, ...one, n });
  return {
    "preference-count": used.map((code) => row(code, { value: codes.filter((one) => one === code).length })),
    "preference-share": used.map((code) => row(code, shareFinding(part, places, codes.map((one) => one === code), settings))),
  };
}

// The comparisons of every two systems, the most compared first.
function pairsOfSystems(part) {
  const places = new Map();
  part.pair.forEach((code, n) => {
    if (!places.has(code)) places.set(code, []);
    places.get(code).push(n);
  });
  return [...places].sort(([a, one], [b, other]) => other.length - one.length || a - b);
}

const pairBy = ([system_a, system_b]) => ({ system_a, system_b });

function winResults(part, pairs, settings) {
  return pairs.flatMap(([code, places]) => {
    const decided = places.filter((n) => part.outcome[n] < TIE);
    return [0, 1].map((side) => {
      const names = part.names(code);
      const hits = decided.map((n) => part.outcome[n] === side);
      const found = shareFinding(part, decided, hits, settings);
      return { by: pairBy(side ? names.reverse() : names), ...found, n: decided.length };
    });
  });
}

// The mean of wins less losses of every two systems, tested for new documents and judges, and for
// these judges only.
function testedPairs(part, pairs, confidence) {
  const sorted = [...pairs].sort(([a], [b]) => a - b);
  return sorted.map(([code, places]) => {
    const values = Float64Array.from(places, (n) => (part.outcome[n] === 0 ? 1 : part.outcome[n] === 1 ? -1 : 0));
    const model = new LinearModel({ values, system: new Int32Array(values.length) });
    const n = new Set(places.map((place) => part.sentence.codes[place])).size;
    return { code, n, ...inferPair(model.contrast([1]), values, clustersAt(part, places), confidence) };
  });
}

function testResults(part, pairs, { confidence }) {
  const found = testedPairs(part, pairs, confidence).map((one) => ({ ...one, by: pairBy(part.names(one.code)) }));
  const rows = (values) => found.map(({ by, n }, at) => ({ by, n, value: values[at], low: NaN, high: NaN }));
  return {
    "preference-p": rows(found.map(({ p }) => p)),
    "preference-p-adjusted": rows(holm(found.map(({ p }) => p))),
    "preference-p-these-judges": rows(holm(found.map(({ these }) => these))),
  };
}

// Two-sided exact p of so many wins and losses.
function signTest(won, lost) {
  const n = won + lost;
  if (!n) return NaN;
  let log = -n * Math.LN2;
  let sum = 0;
  for (let k = 0; k <= Math.min(won, lost); k++) {
    sum += Math.exp(log);
    log += Math.log((n - k) / (k + 1));
  }
  return Math.min(1, 2 * sum);
}

function signResults(part, pairs) {
  const found = pairs.map(([code, places]) => {
    const [won, lost] = [0, 1].map((side) => places.filter((n) => part.outcome[n] === side).length);
    return { by: pairBy(part.names(code)), n: won + lost, p: signTest(won, lost) };
  });
  const rows = (values) => found.map(({ by, n }, at) => ({ by, n, value: values[at], low: NaN, high: NaN }));
  const p = found.map((one) => one.p);
  return { "sign-test": rows(p), ...(found.length > 1 && { "sign-test-adjusted": rows(holm(p)) }) };
}

// A judge's first decision about each item and two systems.
const firstsOf = (part) => (part.table.again ? comparisonsOf(part.table, part.rows.filter((row) => !part.table.again[row])) : part);

// Counts of outcomes by a key of each comparison: the item of the key, and how often each was chosen.
function countsByKey(part, key, outcome) {
  const made = new Map();
  allOf(part).forEach((n) => {
    const own = key(n);
    if (!made.has(own)) made.set(own, { item: part.item.codes[n], counts: new Float64Array(OUTCOMES.length) });
    made.get(own).counts[outcome[n]]++;
  });
  return [...made.values()];
}

const comparedKey = (part) => (n) => part.item.codes[n] * (part.table.systems.length ** 2) + part.pair[n];

// How often all judges of a comparison choose the same, with and without ties.
function unanimityResults(part, settings) {
  const firsts = firstsOf(part);
  const units = unitsOfItems(firsts);
  const found = countsByKey(firsts, comparedKey(firsts), firsts.outcome);
  const tied = (counts) => total(counts.slice(TIE)) > 0;
  const kinds = { with: ({ counts }) => counts, without: ({ counts }) => (tied(counts) ? counts.map(() => 0) : counts.slice(0, TIE)) };
  const rows = Object.entries(kinds).map(([ties, of]) => {
    const [hits, cases] = [new Array(units.number).fill(0), new Array(units.number).fill(0)];
    for (const one of found) {
      const counts = of(one);
      const judges = total(counts);
      if (judges < 2) continue;
      cases[units.codes[one.item]]++;
      hits[units.codes[one.item]] += Number(Math.max(...counts) === judges);
    }
    return { by: { ties }, ...shareByUnit({ hits, cases }, settings), n: total(cases) };
  });
  return { "preference-agreement": rows };
}

// For every item and definition: agreeing, comparable, kinds of tie, total.
function pairCounts(part) {
  const { item, judge, turned, shown, outcome } = part;
  const compared = comparedKey(part);
  const asShown = (n) => compared(n) * 2 + turned[n];
  const ofJudge = (key) => (n) => `${key(n)} ${judge.codes[n]}`;
  const pairs = (key, outcomes) => {
    const made = Array.from({ length: item.number }, () => [0, 0]);
    for (const { item: at, counts } of countsByKey(part, key, outcomes)) {
      const size = total(counts);
      made[at][0] += total(counts.map((n) => n * (n - 1))) / 2;
      made[at][1] += (size * (size - 1)) / 2;
    }
    return made;
  };
  const ties = (kept) => {
    const made = Array.from({ length: item.number }, () => new Float64Array(OUTCOMES.length - TIE + 1));
    shown.forEach((one, n) => {
      if (!kept(n)) return;
      if (one >= TIE) made[item.codes[n]][one - TIE]++;
      made[item.codes[n]][OUTCOMES.length - TIE]++;
    });
    return made;
  };
  const again = repeatedItems(part, ofJudge(asShown));
  const [clean, cleanOwn] = [pairs(compared, outcome), pairs(ofJudge(compared), outcome)];
  const [wmt, wmtOwn] = [pairs(asShown, shown), pairs(ofJudge(asShown), shown)];
  const every = ties(() => true);
  const repeated = ties(again);
  return clean.map((own, at) => [
    ...own.map((one, k) => one - cleanOwn[at][k]), ...every[at],
    ...cleanOwn[at], ...every[at],
    ...wmt[at], ...every[at],
    ...wmtOwn[at], ...repeated[at],
  ]);
}

// Whether a comparison is of an item of which its judge compared some two systems again.
function repeatedItems(part, key) {
  const seen = new Set();
  const again = new Set();
  const own = (n) => part.item.codes[n] * part.judge.number + part.judge.codes[n];
  allOf(part).forEach((n) => {
    if (seen.has(key(n))) again.add(own(n));
    seen.add(key(n));
  });
  return (n) => again.has(own(n));
}

const WIDTH = 3 + OUTCOMES.length - TIE;

// Kappa, observed and expected agreement by each definition, from totals of `pairCounts`.
function preferenceKappas(totals) {
  const parts = DEFINITIONS.map((_, n) => {
    const [agree, comparable, ...rest] = totals.slice(n * WIDTH, (n + 1) * WIDTH);
    const whole = rest.pop();
    const tied = rest.map((one) => one / whole);
    const expected = total(tied.map((one) => one ** 2)) + (1 - total(tied)) ** 2 / 2;
    return [chanceCorrected(agree / comparable, expected), agree / comparable, expected];
  });
  return [0, 1, 2].flatMap((k) => parts.map((part) => part[k]));
}

// The rows of units, added up by group where units are very many.
function groupedRows(rows, width) {
  const groups = randomGroups(rows.length);
  const made = Array.from({ length: highest(groups) + 1 }, () => new Float64Array(width));
  rows.forEach((row, n) => row.forEach((one, k) => (made[groups[n]][k] += one)));
  return made;
}

function kappaResults(part, { confidence }) {
  const rows = pairCounts(part);
  const units = unitsOfItems(part);
  const byUnit = Array.from({ length: units.number }, () => new Float64Array(WIDTH * DEFINITIONS.length));
  rows.forEach((row, item) => row.forEach((one, k) => (byUnit[units.codes[item]][k] += one)));
  const whole = summedRows(WIDTH * DEFINITIONS.length, rows);
  const groups = groupedRows(byUnit, whole.length);
  const number = groups.length;
  const without = groups.map((row) => preferenceKappas(Array.from(whole, (one, k) => one - row[k])));
  const items = new Array(units.number).fill(0);
  units.codes.forEach((unit) => items[unit]++);
  const found = preferenceKappas(Array.from(whole)).map((value, at) => {
    const column = (at % DEFINITIONS.length) * WIDTH + 1;
    const comparable = byUnit.filter((row) => row[column]).length;
    const n = Math.min(at < 2 * DEFINITIONS.length ? comparable : units.number, number);
    return leftOutInterval({ value, leftOut: without.map((one) => one[at]), n, alike: equalUnits(items), confidence });
  });
  const names = ["preference-kappa", "preference-observed", "preference-expected"];
  const made = {};
  DEFINITIONS.forEach(([scope, definition], at) => {
    const by = { scope, definition };
    const [agree, comparable, ...ties] = whole.slice(at * WIDTH, (at + 1) * WIDTH);
    const all = ties.pop();
    const unknown = (scope === "intra" && !part.hasJudges) || (definition === "wmt" && !part.sided);
    const give = (name, one, n) => (made[name] ??= []).push(unknown ? { by, ...NOTHING, n: 0 } : { by, low: NaN, high: NaN, ...one, n });
    names.forEach((name, k) => give(name, k === 2 ? withoutEnds(found[k * DEFINITIONS.length + at]) : found[k * DEFINITIONS.length + at], k === 2 ? all : comparable));
    give("preference-pairs", { value: comparable }, all);
    give("preference-agree", { value: agree }, comparable);
    give("preference-ties", { value: total(ties) }, all);
    give("preference-total", { value: all }, all);
  });
  return made;
}

// Cohen's kappa of every two judges, with the outcomes as answers. Of several pairs of systems every
// comparison counts twice, once with its two systems exchanged: which of them is called a is arbitrary.
function preferenceCohen(part, { confidence }) {
  const firsts = firstsOf(part);
  if (!firsts.hasJudges) return {};
  const keys = numbered(Float64Array.from(allOf(firsts), comparedKey(firsts)));
  const unit = new Int32Array(keys.number);
  keys.codes.forEach((code, n) => (unit[code] = (firsts.document ?? firsts.item).codes[n]));
  const judges = [];
  firsts.judge.codes.forEach((code, n) => (judges[code] = part.judges[part.table.judge[firsts.rows[n]]]));
  const pairs = judgePairs({ item: keys.codes, items: keys.number, judge: firsts.judge.codes, judges, code: firsts.outcome, units: { codes: unit } });
  const several = new Set(part.pair).size > 1;
  const counted = several ? pairs.map(inBothOrders) : pairs;
  const places = Float64Array.from({ length: highest(firsts.outcome) + 2 }, (_, n) => n);
  const found = counted.map((pair) => kappaWithout(pair, places, "none", Boolean(firsts.document)));
  const mean = shareTooFew(found) ? withoutEnds(meanOfPairs(found, confidence)) : meanOfPairs(found, confidence);
  const known = pairs.filter((_, at) => !Number.isNaN(found[at].value));
  const by = { weights: "none", pairs: "all" };
  const rounded = (one) => ({ ...one, value: Math.abs(one.value) < 1e-12 ? 0 : one.value });
  const each = pairs.map((pair, at) => ({ by: { ...by, ...pair.by }, ...rounded(pairInterval(found[at], confidence)), n: pair.n }));
  return { "cohen-kappa": [{ by, ...rounded(mean), n: total(known.map(({ n }) => n)) }, ...each] };
}

function inBothOrders(pair) {
  const turned = (code) => (code < TIE ? 1 - code : code);
  return { ...pair, n: 2 * pair.n, first: [...pair.first, ...pair.first.map(turned)], second: [...pair.second, ...pair.second.map(turned)], unit: [...pair.unit, ...pair.unit] };
}

// Whether the side that is shown first wins more often, of pairs that were shown both ways round.
function sideResults(part, settings) {
  const [straight, turned] = [0, 1].map((way) => new Set(part.pair.filter((_, n) => part.turned[n] === way)));
  const used = (n) => part.sided && straight.has(part.pair[n]) && turned.has(part.pair[n]) && part.shown[n] < TIE;
  const places = allOf(part).filter(used);
  const found = shareFinding(part, places, places.map((n) => part.shown[n] === 0), settings, 0.5);
  const n = places.length;
  return { "side-bias": [{ by: {}, ...found, n }], "side-bias-p": [{ by: {}, value: found.p, low: NaN, high: NaN, n }] };
}

const comparedPart = ({ table, rows }) => comparisonsOf(table, rows);
const comparedPairs = (kept) => pairsOfSystems(kept.once(comparedPart));

// Results of comparisons, by the part of the work that gives them.
function ofComparisons(names, make, needsItems = false) {
  computes("preferences", names, (kept, settings) => (needsItems && !kept.table.item ? {} : make(kept.once(comparedPart), settings, kept)));
}

ofComparisons(["preference-count", "preference-share"], outcomeResults);
ofComparisons(["preference-wins"], (part, settings, kept) => ({ "preference-wins": winResults(part, kept.once(comparedPairs), settings) }));
ofComparisons(["preference-p", "preference-p-adjusted", "preference-p-these-judges"], (part, settings, kept) => testResults(part, kept.once(comparedPairs), settings));
ofComparisons(["sign-test", "sign-test-adjusted"], (part, _, kept) => signResults(part, kept.once(comparedPairs)));
ofComparisons(["preference-agreement"], unanimityResults, true);
ofComparisons(["preference-kappa", "preference-observed", "preference-expected", "preference-pairs", "preference-agree", "preference-ties", "preference-total"], kappaResults, true);
ofComparisons(["cohen-kappa"], preferenceCohen, true);
ofComparisons(["side-bias", "side-bias-p"], sideResults);
