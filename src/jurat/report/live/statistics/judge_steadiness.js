// How steady judges are: whether they repeat their own answers, and whether they become stricter, as
// `jurat.stats.judges.consistency` and `drift` have it.

const FEW_DOCUMENTS = 6;

// Which answers repeat one of the same judge, and how far from the first of these.
function repeatedBy({ table, rows }, { judge, judges, item, values, code, nominal }) {
  const again = new Float64Array(rows.length);
  const apart = new Float64Array(rows.length);
  const cells = new Map();
  judge.forEach((one, n) => {
    const key = item[n] * judges.length + one;
    cells.set(key, [...(cells.get(key) ?? []), n]);
  });
  for (const own of cells.values()) {
    const [first, ...others] = own.sort((a, b) => table.turn[rows[a]] - table.turn[rows[b]]);
    for (const n of others) {
      again[n] = 1;
      apart[n] = nominal ? Number(code[n] !== code[first]) : Math.abs(values[n] - values[first]);
    }
  }
  return { again, apart };
}

ofAllAnswers(["judge-self-distance"], (ratings, settings, kept) => {
  const { judges, judge } = ratings;
  if (!kept.table.turn) return {};
  const { again, apart } = repeatedBy(kept, ratings);
  const n = judges.map((_, code) => total(again.filter((__, at) => judge[at] === code)));
  if (!total(n)) return { "judge-self-distance": [] };
  const found = judgeIntervals(ratings, [again, apart], ([count, sum]) => [count > 0 ? sum / count : NaN], settings).map(([one]) => one);
  const out = isOutlying(found.map(({ value }) => value), (away, deviation) => away > settings.k * deviation);
  return { "judge-self-distance": ofJudges(judges, found.map((one, code) => ({ ...one, low: Math.max(one.low, 0), n: n[code] })), out) };
});

// How much of their answers a judge had given before each, from 0 to 1.
function progressOf({ judge, judges }, turn) {
  const made = new Float64Array(judge.length);
  for (const own of placesBy(judge, judges.length)) {
    own.sort((a, b) => turn(a) - turn(b)).forEach((n, at) => (made[n] = at / Math.max(own.length - 1, 1)));
  }
  return made;
}

// The slope of y over x, its interval with units as what varies, and whether it differs from 0 at all.
function slopeOver(x, y, unit, confidence) {
  const n = x.length;
  const [dx, dy] = n ? [centredOnMean(x), centredOnMean(y)] : [[], []];
  const square = total(dx.map((one) => one ** 2));
  const slope = total(dx.map((one, at) => one * dy[at])) / square;
  const units = new Map();
  unit.forEach((code, at) => {
    const own = units.get(code) ?? { n: 0, rest: 0, square: 0 };
    units.set(code, { n: own.n + 1, rest: own.rest + dx[at] * (dy[at] - slope * dx[at]), square: own.square + dx[at] ** 2 });
  });
  const shares = [...units.values()].map((own) => ({ ...own, share: own.square / square, leverage: own.square / square + own.n / n }));
  const variance = total(shares.map(({ rest, leverage }) => (leverage < 1 ? rest ** 2 / (1 - leverage) : NaN))) / square ** 2;
  const freedom = 1 / total(shares.map(({ share }) => share ** 2)) - 1;
  const far = freedom > 1e-9 && variance > 0 ? Math.sqrt(variance) * tReach(confidence, Math.max(freedom, 1)) : NaN;
  return { value: slope, low: slope - far, high: slope + far, p: pOfSlope(x, y) };
}

// The two-sided p of a least-squares slope; NaN with fewer than three values.
function pOfSlope(x, y) {
  const [n, sx, sy, sxx, syy, sxy] = momentsOf(x, y, x.keys());
  const [xx, yy, xy] = [sxx - sx ** 2 / n, syy - sy ** 2 / n, sxy - (sx * sy) / n];
  if (!(n > 2 && xx > 1e-12)) return NaN;
  const rest = Math.max(yy - xy ** 2 / xx, 0);
  const t = Math.abs(xy / xx) / Math.sqrt(rest / (n - 2) / xx);
  return tTails(Number.isNaN(t) ? 0 : t, n - 2);
}

// How many documents a judge typically has, of documents that vary.
function documentsOfJudges({ judge, judges, item, units }) {
  const seen = judges.map(() => new Set());
  judge.forEach((code, n) => seen[code].add(units.codes[item[n]]));
  return Math.floor(middleOf(seen.map((own) => own.size)));
}

computes("judges", ["judge-drift"], (kept, { confidence }) => {
  const { table } = kept;
  const ratings = kept.once(firstRatings);
  const rows = kept.once(firstRows);
  const { judge, judges, item, units, values, nominal } = ratings;
  if (!judges.length || !table.turn || nominal) return {};
  const beyond = Array.from(besideOthers(ratings).mean, (mean, n) => values[n] - mean);
  const compared = beyond.some((one) => !Number.isNaN(one));
  const score = compared ? beyond : Array.from(values);
  const x = progressOf(ratings, (n) => table.turn[rows[n]]);
  const untold = !compared && units && documentsOfJudges(ratings) < FEW_DOCUMENTS;
  const found = placesBy(judge, judges.length).map((own) => {
    const known = own.filter((n) => !Number.isNaN(score[n]));
    const pick = (of) => known.map(of);
    const one = slopeOver(pick((n) => x[n]), pick((n) => score[n]), pick((n) => (units ? units.codes[item[n]] : item[n])), confidence);
    const drift = Number.isNaN(one.p) ? { ...one, ...NOTHING, p: one.p } : untold ? withoutEnds(one) : one;
    return { ...drift, n: known.length };
  });
  return { "judge-drift": ofJudges(judges, found, found.map(({ p }) => p < LEVEL)) };
});
