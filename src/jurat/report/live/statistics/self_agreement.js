// Judges with themselves, as `jurat.stats.agreement.self_agreement` has it.

const SELF = ["intra-agreement", "intra-distance", "intra-kappa", "intra-pearson"];

// Every two answers of a judge to the same item, the earlier first; places in the rows.
function repeatedAnswers({ table, rows }) {
  const groups = new Map();
  rows.forEach((row, n) => {
    const key = table.item[row] * table.judges.length + table.judge[row];
    groups.set(key, [...(groups.get(key) ?? []), n]);
  });
  const turn = (n) => table.turn[rows[n]];
  return [...groups.values()].filter((own) => own.length > 1).flatMap((own) => {
    own.sort((a, b) => turn(a) - turn(b));
    return own.flatMap((first, at) => own.slice(at + 1).map((second) => ({ first, second })));
  });
}

// The chance that an earlier and a later answer are equal: columns, and how it follows from totals.
function chanceOfPairs(first, second, points) {
  const n = first.length;
  if (points <= FEW_POINTS || n * points <= FEW_CELLS) {
    const of = (sums) => {
      const [p, q] = [sums.slice(0, points), sums.slice(points)];
      return total(p.map((one, at) => one * q[at])) / total(p) ** 2;
    };
    const add = (own, at, i) => {
      own[at + first[i]]++;
      own[at + points + second[i]]++;
    };
    return { width: 2 * points, add, of };
  }
  const [p, q] = [first, second].map((codes) => countsOf(codes, points).map((one) => one / n));
  const both = total(p.map((one, at) => one * q[at]));
  const add = (own, at, i) => {
    own[at]++;
    own[at + 1] += q[first[i]] + p[second[i]];
  };
  return { width: 2, add, of: ([all, near]) => near / all - both };
}

computes("agreement", SELF, (kept, settings) => {
  const { table } = kept;
  if (!table.judge || (table.again && !table.turn)) return {};
  const ratings = ratingsOf(table, kept.rows);
  const steps = distancesOf(ratings);
  const pairs = table.again ? kept.once(repeatedAnswers) : [];
  const none = { by: {}, ...NOTHING, n: 0 };
  if (!pairs.length) return { "intra-agreement": steps.map((n) => ({ ...none, by: { n } })), "intra-distance": [none], "intra-kappa": [none], "intra-pearson": [none] };
  const { found, shares } = ofRepeats(ratings, pairs, steps, settings);
  const row = (one, by = {}) => ({ by, value: one.value, low: one.low, high: one.high, n: pairs.length });
  const [distance, kappa, r] = found;
  return {
    "intra-agreement": shares.map((one, at) => row(one, { n: steps[at] })),
    "intra-distance": [row({ ...distance, low: Math.max(distance.low, 0) })],
    "intra-kappa": [row(kappa)],
    "intra-pearson": [row(r)],
  };
});

// Distance, kappa and Pearson's r of pairs of answers, and the shares of pairs that are near.
function ofRepeats({ code, values, places, item, units, nominal }, pairs, steps, settings) {
  const [first, second] = [pairs.map((pair) => code[pair.first]), pairs.map((pair) => code[pair.second])];
  const far = pairs.map((pair) => Math.abs(values[pair.first] - values[pair.second]));
  const middle = places[places.length >> 1];
  const [x, y] = [first, second].map((codes) => codes.map((one) => places[one] - middle));
  const chance = chanceOfPairs(first, second, places.length);
  const unit = numbered(Int32Array.from(pairs, (pair) => (units ? units.codes[item[pair.first]] : item[pair.first])));
  const groups = randomGroups(unit.number);
  const start = 9;
  const rows = Array.from({ length: highest(groups) + 1 }, () => new Float64Array(start + chance.width));
  pairs.forEach((_, i) => {
    const own = rows[groups[unit.codes[i]]];
    [1, far[i] <= ROUNDING ? 1 : 0, far[i], x[i], y[i], x[i] ** 2, y[i] ** 2, x[i] * y[i]].forEach((one, at) => (own[at] += one));
    chance.add(own, start, i);
  });
  const unknown = nominal ? NaN : 1;
  const score = (sums) => [
    (unknown * sums[2]) / sums[0],
    chanceCorrected(sums[1] / sums[0], chance.of(Array.from(sums.slice(start)))),
    unknown * pearsonOfSums([sums[0], ...sums.slice(3, 8)]),
  ];
  const whole = summedRows(start + chance.width, rows);
  const without = rows.map((row) => score(whole.map((one, at) => one - row[at])));
  const sizes = Array.from(countsOf(unit.codes, unit.number));
  const found = score(whole).map((value, at) => leftOutInterval({ value, leftOut: without.map((one) => one[at]), alike: equalUnits(sizes), fisher: at > 0, confidence: settings.confidence }));
  const shares = steps.map((n) => {
    const hits = new Array(unit.number).fill(0);
    far.forEach((one, i) => one <= n + ROUNDING && hits[unit.codes[i]]++);
    return shareByUnit({ hits, cases: sizes }, settings);
  });
  return { found, shares };
}
