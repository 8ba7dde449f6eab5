// Intraclass correlations and Kendall's W of the judges who judged all the items, and Conger's
// kappa of all, as `jurat.stats.agreement.icc_and_kendall_w` and `conger_kappa` have them.

const ICC_FORMS = ["1,1", "A,1", "C,1", "1,k", "A,k", "C,k"];
const MOST_RANKED = 2 ** 23;
const FEWEST_GROUPS = 20;
const MOST_CELLS = 2 ** 25;

// Codes of points, items × judges, of those who gave an answer to every item.
function completeTable({ item, items, code, judge, judges, places, units }) {
  const judged = new Int32Array(judges.length);
  for (const one of judge) judged[one]++;
  const column = new Int32Array(judges.length).fill(-1);
  let k = 0;
  judged.forEach((n, one) => n === items && (column[one] = k++));
  const codes = Array.from({ length: items }, () => new Int32Array(k));
  item.forEach((place, n) => column[judge[n]] >= 0 && (codes[place][column[judge[n]]] = code[n]));
  return { codes, k, places, unit: units ? units.codes : Int32Array.from(codes, (_, n) => n), number: units ? units.number : items };
}

const tellsItems = ({ codes, k }, { nominal }) => !nominal && k > 1 && codes.length > 1;

// With four items more, each a unit of its own: the commonest answer and the one that adds most to
// the squared distance from it, unanimous and split.
function completeWithPseudoItems(table) {
  const given = new Float64Array(table.places.length);
  for (const row of table.codes) for (const code of row) given[code]++;
  const [a, b] = commonestAndOther(given, table.places, squared);
  const half = table.k - (table.k >> 1);
  const row = (pick) => Int32Array.from({ length: table.k }, (_, n) => pick(n < half));
  const more = [row(() => a), row(() => b), row((first) => (first ? a : b)), row((first) => (first ? b : a))];
  const unit = Int32Array.from([...table.unit, ...more.map((_, n) => table.number + n)]);
  return { ...table, codes: [...table.codes, ...more], unit, number: table.number + 4 };
}

// The sums of some columns by unit, or by group of very many units.
function sumsByGroup(rows, unit, groups) {
  const made = Array.from({ length: highest(groups) + 1 }, () => new Float64Array(rows[0].length));
  rows.forEach((row, n) => {
    const own = made[groups[unit[n]]];
    for (let at = 0; at < row.length; at++) own[at] += row[at];
  });
  return made;
}

// All values of a score of sums, each with the interval from leaving out each unit.
function withoutEach(sums, score, { sizes, pseudo = false, confidence }) {
  const whole = summedRows(sums[0].length, sums);
  const values = score(whole);
  const without = sums.map((own) => score(whole.map((one, at) => one - own[at])));
  const alike = equalUnits(sizes);
  return values.map((value, at) => leftOutInterval({ value, leftOut: without.map((one) => one[at]), alike, pseudo, confidence }));
}

function unitSizes(unit, number) {
  const sizes = new Array(number).fill(0);
  for (const one of unit) sizes[one]++;
  return sizes;
}

// The six forms from the mean squares of items, judges, rest and within items.
function iccForms(totals) {
  const [n, squaredSums, squares, ...judges] = totals;
  const k = judges.length;
  const middle = total(judges) ** 2 / (n * k);
  const ofItems = squaredSums / k - middle;
  const ofJudges = judges.reduce((sum, one) => sum + one ** 2, 0) / n - middle;
  const every = squares - middle > 1e-12 * (squares + 1e-300) ? squares - middle : NaN;
  const r = ofItems / (n - 1);
  const c = ofJudges / (k - 1);
  const e = (every - ofItems - ofJudges) / ((n - 1) * (k - 1));
  const w = (every - ofItems) / (n * (k - 1));
  return [
    (r - w) / (r + (k - 1) * w),
    (r - e) / (r + (k - 1) * e + (k * (c - e)) / n),
    (r - e) / (r + (k - 1) * e),
    (r - w) / r,
    (r - e) / (r + (c - e) / n),
    (r - e) / r,
  ];
}

function iccOf({ codes, places, unit, number }, confidence, pseudo = false) {
  let middle = 0;
  for (const row of codes) for (const code of row) middle += places[code];
  middle /= codes.length * codes[0].length;
  const rows = codes.map((row) => {
    const values = Array.from(row, (code) => places[code] - middle);
    return [1, total(values) ** 2, total(values.map((one) => one ** 2)), ...values];
  });
  return withoutEach(sumsByGroup(rows, unit, randomGroups(number)), iccForms, { sizes: unitSizes(unit, number), pseudo, confidence });
}

// Intervals of those of k judges are those of one, stepped up by Spearman and Brown's formula.
function iccResults(ratings, table, rare, { confidence }) {
  const by = ICC_FORMS.map((form) => ({ form }));
  const n = table.codes.length;
  if (!tellsItems(table, ratings)) return by.map((one) => ({ by: one, value: NaN, low: NaN, high: NaN, n }));
  let found = iccOf(table, confidence);
  if (rare.widensDistances) {
    const wide = iccOf(completeWithPseudoItems(table), confidence, true);
    found = found.map((one, at) => (Number.isNaN(one.value) ? one : widest(one, wide[at])));
  }
  const { k } = table;
  const up = (one) => (k * one) / (1 + (k - 1) * one);
  return found.map((one, at) => {
    if (at < 3) return { by: by[at], ...one, n };
    const { low, high } = found[at - 3];
    const least = up(low) > 1 || low <= -1 / (k - 1) ? NaN : up(low);
    return { by: by[at], value: one.value, low: least, high: up(high), n };
  });
}

// The coefficient of concordance of the items that are kept, corrected for ties.
function kendallW(codes, k, points, kept) {
  const sums = new Float64Array(kept.length);
  let ties = 0;
  for (let judge = 0; judge < k; judge++) {
    const counts = new Float64Array(points);
    for (const item of kept) counts[codes[item][judge]]++;
    const ranks = new Float64Array(points);
    let below = 0;
    counts.forEach((count, point) => {
      below += count;
      ranks[point] = below - (count - 1) / 2;
      ties += count ** 3 - count;
    });
    kept.forEach((item, at) => (sums[at] += ranks[codes[item][judge]]));
  }
  const n = kept.length;
  const mean = total(sums) / n;
  const most = k ** 2 * (n ** 3 - n) - k * ties;
  return most > 0 ? (12 * sums.reduce((all, one) => all + (one - mean) ** 2, 0)) / most : NaN;
}

function concordance({ codes, k, places, unit, number }, confidence, pseudo = false) {
  const every = Array.from(codes, (_, n) => n);
  const value = kendallW(codes, k, places.length, every);
  if (number < 2) return { value, low: NaN, high: NaN };
  const size = codes.length * k;
  const groups = randomGroups(number, Math.max(FEWEST_GROUPS, Math.min(MOST_UNITS, Math.floor(MOST_RANKED / size))));
  const leftOut = Array.from({ length: highest(groups) + 1 }, (_, group) => kendallW(codes, k, places.length, every.filter((item) => groups[unit[item]] !== group)));
  return leftOutInterval({ value, leftOut, alike: equalUnits(unitSizes(unit, number)), pseudo, confidence });
}

function concordanceResult(ratings, table, rare, { confidence }) {
  const n = table.codes.length;
  if (!tellsItems(table, ratings)) return [{ by: {}, value: NaN, low: NaN, high: NaN, n }];
  let found = concordance(table, confidence);
  if (rare.widensDistances && !Number.isNaN(found.value)) found = widest(found, concordance(completeWithPseudoItems(table), confidence, true));
  return [{ by: {}, ...found, low: Math.max(found.low, 0), n }];
}

// What is few among the answers of the judges who judged everything.
function completeRarity({ codes, places }) {
  const items = codes.length;
  const item = codes.flatMap((row, n) => Array.from(row, () => n));
  return rarityOf(answerCounts({ item, items, code: codes.flatMap((row) => Array.from(row)), places, nominal: false }));
}

function reliabilityResults(ratings, settings) {
  const table = completeTable(ratings);
  const rare = table.k && table.codes.length ? completeRarity(table) : { needed: false, answers: 0 };
  return { icc: iccResults(ratings, table, rare, settings), "kendall-w": concordanceResult(ratings, table, rare, settings) };
}

// Chance from each judge's own shares: the mean over pairs of judges.
function congerScore(judges, points) {
  return ([items, alike, ...given]) => {
    const both = new Float64Array(points);
    let squares = 0;
    let known = 0;
    for (let judge = 0; judge < judges; judge++) {
      let whole = 0;
      for (let point = 0; point < points; point++) whole += given[judge * points + point];
      if (!(whole > 0)) continue;
      known++;
      for (let point = 0; point < points; point++) {
        const share = given[judge * points + point] / whole;
        both[point] += share;
        squares += share ** 2;
      }
    }
    const expected = (both.reduce((sum, one) => sum + one ** 2, 0) - squares) / (known * (known - 1));
    return [chanceCorrected(alike / items, expected)];
  };
}

function congerResult(ratings, counts, rare, { confidence }) {
  const { item, items, code, judge, judges, units } = ratings;
  const points = counts.points;
  const paired = Array.from(counts.kind, (kind) => counts.paired[kind]);
  const n = total(paired);
  if (!n) return { "conger-kappa": [{ by: {}, value: NaN, low: NaN, high: NaN, n }] };
  const width = judges.length * points;
  const unit = units ? units.codes : Int32Array.from({ length: items }, (_, at) => at);
  const groups = randomGroups(units ? units.number : items, Math.max(FEWEST_GROUPS, Math.min(MOST_UNITS, Math.floor(MOST_CELLS / width))));
  const alike = counts.meanPerPair(counts.equal);
  const sums = Array.from({ length: highest(groups) + 1 }, () => new Float64Array(width + 2));
  paired.forEach((one, at) => {
    const own = sums[groups[unit[at]]];
    own[0] += one;
    own[1] += alike[counts.kind[at]];
  });
  item.forEach((place, at) => sums[groups[unit[place]]][2 + judge[at] * points + code[at]]++);
  const score = congerScore(judges.length, points);
  const interval = (rows, pseudo = false) => withoutEach(rows, score, { sizes: rows.map(([size]) => size), pseudo, confidence })[0];
  let found = interval(sums);
  if (rare.needed && !Number.isNaN(found.value)) found = widest(found, interval([...sums, ...congerPseudoItems(counts, judges.length)], true));
  return { "conger-kappa": [{ by: {}, ...found, n }] };
}

// Four items of all judges: two unanimous, and two split between the commonest answers.
function congerPseudoItems(counts, judges) {
  const points = counts.points;
  const given = counts.perPoint(counts.count);
  const [a, b] = commonestAndOther(given, counts.places);
  const half = judges - (judges >> 1);
  const picks = [() => a, () => b, (first) => (first ? a : b), (first) => (first ? b : a)];
  return picks.map((pick) => {
    const row = new Float64Array(judges * points + 2);
    const number = new Float64Array(points);
    for (let judge = 0; judge < judges; judge++) {
      const point = pick(judge < half);
      row[2 + judge * points + point]++;
      number[point]++;
    }
    row[0] = 1;
    row[1] = number.reduce((sum, one) => sum + one * (one - 1), 0) / (judges * (judges - 1));
    return row;
  });
}
