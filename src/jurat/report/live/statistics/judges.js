// Each judge beside the others on the same items, as `peer_comparison` and `leave_out` of
// `jurat.stats.judges` have it.

const GROUPS = { most: 2000, fewest: 200, cells: 2 ** 22 };

// For each judgment: the others' mean and mean distance; NaN where nobody else judged the item.
function besideOthers({ item, items, code, values, nominal }) {
  const rows = Array.from({ length: items }, () => []);
  for (let n = 0; n < item.length; n++) rows[item[n]].push(n);
  const mean = new Float64Array(item.length).fill(NaN);
  const apart = new Float64Array(item.length).fill(NaN);
  for (const own of rows) {
    if (own.length < 2) continue;
    const sum = own.reduce((made, n) => made + values[n], 0);
    for (const n of own) {
      mean[n] = (sum - values[n]) / (own.length - 1);
      const far = own.reduce((made, m) => made + (nominal ? Number(code[m] !== code[n]) : Math.abs(values[m] - values[n])), 0);
      apart[n] = far / (own.length - 1);
    }
  }
  return { mean, apart };
}

// Units that are left out together are so many at most.
const groupsOfUnits = (number, width) => Math.min(number, Math.max(GROUPS.fewest, Math.min(GROUPS.most, Math.floor(GROUPS.cells / width))));

// Values of every judge from sums of some columns, with each document or item left out in turn.
function judgeIntervals(ratings, columns, score, { confidence }) {
  const { judge, judges, item, units } = ratings;
  const number = units?.number ?? ratings.items;
  const groups = groupsOfUnits(number, judges.length * columns.length);
  const cells = Array.from({ length: judges.length }, () => new Map());
  for (let n = 0; n < judge.length; n++) {
    const group = (units ? units.codes[item[n]] : item[n]) % groups;
    const own = cells[judge[n]];
    if (!own.has(group)) own.set(group, new Float64Array(columns.length));
    columns.forEach((column, k) => (own.get(group)[k] += column[n]));
  }
  return cells.map((own) => {
    // the first column counts what the values are of
    const rows = [...own.values()].filter(([count]) => count);
    const whole = summedRows(columns.length, rows);
    const values = score(whole);
    const without = rows.map((row) => score(whole.map((one, k) => one - row[k])));
    const alike = equalUnits(rows.map((row) => row[0]));
    return values.map((value, at) => {
      const few = whole[0] < 2 || ratings.items < 2;
      const leftOut = without.map((one) => one[at]);
      return few ? { value, low: NaN, high: NaN } : leftOutInterval({ value, leftOut, alike, fisher: false, confidence });
    });
  });
}

// The t interval of each judge's mean difference from the others, documents or items varying.
function differenceIntervals({ judge, judges, item, units, values }, mean, { confidence }) {
  return judges.map((_, code) => {
    const sums = new Map();
    let [n, whole] = [0, 0];
    for (let row = 0; row < judge.length; row++) {
      if (judge[row] !== code || Number.isNaN(mean[row])) continue;
      const unit = units ? units.codes[item[row]] : item[row];
      const own = sums.get(unit) ?? { n: 0, sum: 0 };
      own.n++;
      own.sum += values[row] - mean[row];
      sums.set(unit, own);
      n++;
      whole += values[row] - mean[row];
    }
    const value = whole / n;
    const each = [...sums.values()];
    const variance = total(each.map((own) => ((own.n / n) ** 2 * (own.sum / own.n - value) ** 2) / (1 - own.n / n)));
    const freedom = 1 / total(each.map((own) => (own.n / n) ** 2)) - 1;
    const far = freedom > 1e-9 && variance > 0 ? Math.sqrt(variance) * tReach(confidence, Math.max(freedom, 1)) : NaN;
    return { value, low: value - far, high: value + far, n };
  });
}

// Who lies too far from the mean of the judges, as `far` tells from distance and deviation.
function isOutlying(values, far) {
  const known = values.filter((value) => !Number.isNaN(value));
  const mean = meanOver(known);
  const deviation = Math.sqrt(total(known.map((value) => (value - mean) ** 2)) / (known.length - 1));
  const varied = deviation > 1e-12 * Math.max(1, ...known.map(Math.abs));
  return values.map((value) => known.length > 1 && varied && far(value - mean, deviation));
}

// Outliers first, then from the lowest on; those without a value last. Where nobody has one, nobody
// is named.
function byOutlier(rows) {
  if (rows.every(({ value }) => Number.isNaN(value))) return [{ by: {}, ...NOTHING, n: 0 }];
  const place = (row) => (Number.isNaN(row.value) ? Infinity : row.value);
  return rows.sort((a, b) => Number(b.out) - Number(a.out) || place(a) - place(b));
}

computes("judges", ["judge-mean", "overall-mean", "judge-difference", "judge-others-mean", "judge-distance"], (kept, settings) => {
  const ratings = kept.once(firstRatings);
  const { judges, values, nominal } = ratings;
  if (!judges.length || nominal) return {};
  const { mean, apart } = besideOthers(ratings);
  const others = mean.map((one) => (Number.isNaN(one) ? 0 : 1));
  const known = (column) => column.map((one, n) => (others[n] ? one : 0));
  const columns = [values.map(() => 1), values, others, known(values), known(mean), known(apart)];
  const score = ([count, own, shared, ownShared, other, far]) => [own / count, (ownShared - other) / shared, other / shared, far / shared];
  const found = judgeIntervals(ratings, columns, score, settings);
  const counts = countsOf(ratings.judge, judges.length);
  const shared = new Float64Array(judges.length);
  ratings.judge.forEach((code, n) => (shared[code] += others[n]));
  const column = (at, number) => judges.map((judge, code) => ({ by: { judge }, ...found[code][at], n: number[code] }));
  const marked = (list, far) => isOutlying(list.map((row) => row.value), far).map((out, n) => ({ ...list[n], out }));
  const differences = differenceIntervals(ratings, mean, settings).map((one, code) => ({ by: { judge: judges[code] }, ...one, n: shared[code] }));
  const outside = (away, deviation) => Math.abs(away) > settings.k * deviation;
  const above = (away, deviation) => away > settings.k * deviation;
  const distances = column(3, shared).map((row) => ({ ...row, low: Math.max(row.low, 0) }));
  return {
    "judge-mean": byOutlier(marked(column(0, counts), outside)),
    "overall-mean": [{ by: {}, value: meanOver(values), low: NaN, high: NaN, n: values.length }],
    "judge-difference": byOutlier(marked(differences, outside)),
    "judge-others-mean": byOutlier(column(2, shared).map((row) => ({ ...row, out: false }))),
    "judge-distance": byOutlier(marked(distances, above)),
  };
});

// What leaving out each judge does to the systems: the largest change, and systems that move.
computes("judges", ["judge-influence", "judge-influence-ranks"], ({ table, rows }) => {
  if (!table.system || table.unranked || table.labels) return {};
  const judge = numbered(taken(table.judge, rows, Int32Array));
  const system = numbered(taken(table.system, rows, Int32Array));
  const cell = () => Array.from({ length: judge.number }, () => new Float64Array(system.number));
  const [sums, counts, names] = [cell(), cell(), []];
  rows.forEach((row, n) => {
    names[judge.codes[n]] = table.judges[table.judge[row]];
    sums[judge.codes[n]][system.codes[n]] += table.values[row];
    counts[judge.codes[n]][system.codes[n]]++;
  });
  const all = (parts) => summedRows(system.number, parts);
  const [sum, count] = [all(sums), all(counts)];
  const before = sum.map((one, k) => one / count[k]);
  const found = names.map((name, code) => {
    const after = before.map((_, k) => (count[k] > counts[code][k] ? (sum[k] - sums[code][k]) / (count[k] - counts[code][k]) : NaN));
    const change = after.map((one, k) => one - before[k]);
    const size = change.map((one) => (Number.isNaN(one) ? -1 : Math.abs(one)));
    const [old, now] = [placesOf(before), placesOf(after)];
    const moved = now.filter((place, k) => place !== old[k]).length;
    return { by: { judge: name }, n: total(counts[code]), change: change[size.indexOf(Math.max(...size))], moved };
  });
  const rowsOf = (value) => found.map(({ by, n, ...one }) => ({ by, n, value: value(one), low: NaN, high: NaN }));
  const size = ({ value }) => (Number.isNaN(value) ? 0 : Math.abs(value));
  return {
    "judge-influence": rowsOf((one) => one.change).sort((a, b) => size(b) - size(a)),
    "judge-influence-ranks": rowsOf((one) => one.moved).sort((a, b) => b.value - a.value),
  };
});

// Places from the highest score on, ties sharing the best; NaN has none.
const placesOf = (scores) => Array.from(scores, (score) => (Number.isNaN(score) ? NaN : 1 + scores.filter((other) => other > score).length));
