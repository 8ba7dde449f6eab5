// How judges change as they go on: their work in slices of equal length, in the order in which it was
// done, as `jurat.stats.fatigue` has it.

const FATIGUE = { fewest: 3, alike: 0.1, orders: 5040, rounding: 1e-12, significant: 0.05 };
const WARM_UP = { seconds: 2 };
const FALLS = ["sd", "distance", "agreement", "seconds"];

// Of each judge, by name, the places of their decisions that are left: from 0, whatever was asked.
function decisionsOfJudges(kept) {
  const places = new Map();
  for (const { table, rows } of kept.together("fatigue")) {
    for (const row of rows) {
      const judge = table.judges[table.judge[row]];
      if (!places.has(judge)) places.set(judge, new Set());
      places.get(judge).add(table.place[row]);
    }
  }
  const ranked = (own) => new Map([...own].sort((a, b) => a - b).map((place, n) => [place, n]));
  return new Map([...places].map(([judge, own]) => [judge, ranked(own)]));
}

// The first answers of judges, and in which slice of their judge's work each was given.
function slicedRatings(kept, { slices }) {
  const { table } = kept;
  const ratings = kept.once(firstRatings);
  const rows = kept.once(firstRows);
  const decisions = kept.all[0].once(decisionsOfJudges);
  const ofJudge = ratings.judges.map((name) => decisions.get(name));
  const place = Array.from(rows, (row, n) => ofJudge[ratings.judge[n]].get(table.place[row]));
  const lengths = ofJudge.map((own) => own.size);
  const slice = place.map((at, n) => Math.floor((at * slices) / lengths[ratings.judge[n]]));
  const edges = Array.from({ length: slices + 1 }, (_, n) => evenlyRounded((100 * n) / slices));
  const names = edges.slice(1).map((high, n) => `${edges[n]}-${high}`);
  return { ...ratings, place, lengths, slice, slices, names, ...ordersOf(ratings, place, lengths, (n) => table.turn[rows[n]]) };
}

// A number for each judge, the same for those with the same sequence of items, and whether judges saw
// the items in similar orders.
function ordersOf({ judge, judges, item }, place, lengths, turn) {
  const known = new Map();
  const orders = placesBy(judge, judges.length).map((own) => {
    const sequence = own.sort((a, b) => place[a] - place[b] || turn(a) - turn(b)).map((n) => item[n]).join(" ");
    if (!known.has(sequence)) known.set(sequence, known.size);
    return known.get(sequence);
  });
  const firsts = new Set([...known.values()].map((order) => orders.indexOf(order)));
  if (known.size < Math.min(FATIGUE.fewest, orders.length)) return { orders, sameOrder: true };
  const rows = place.map((_, n) => n).filter((n) => firsts.has(judge[n]));
  const progress = rows.map((n) => place[n] / lengths[judge[n]]);
  return { orders, sameOrder: intraclass(progress, rows.map((n) => item[n])) > FATIGUE.alike };
}

// The share of variance between items, less two standard errors; 0 without repeats.
function intraclass(values, items) {
  const groups = new Map();
  values.forEach((value, n) => groups.set(items[n], [...(groups.get(items[n]) ?? []), value]));
  const several = [...groups.values()].filter((own) => own.length > 1);
  if (!several.length) return 0;
  const number = total(several.map((own) => own.length));
  const middle = total(several.map(total)) / number;
  const degrees = Math.max(several.length - 1, 1);
  const typical = (number - total(several.map((own) => own.length ** 2)) / number) / degrees;
  const between = total(several.map((own) => own.length * (meanOver(own) - middle) ** 2)) / degrees;
  const within = total(several.map((own) => total(own.map((one) => (one - meanOver(own)) ** 2)))) / (number - several.length);
  const whole = between + (typical - 1) * within;
  if (whole <= 0) return 0;
  return (between - within) / whole - 2 * Math.sqrt(2 / (several.length * typical * Math.max(typical - 1, 1e-9)));
}

// The numbers of each judge in each slice, and a value of them.
function inSlices({ judge, judges, slice, slices }, numbers, value) {
  const cells = judges.map(() => Array.from({ length: slices }, () => []));
  numbers.forEach((one, n) => !Number.isNaN(one) && cells[judge[n]][slice[n]].push(one));
  return cells.map((own) => own.map((cell) => (cell.length ? value(cell) : NaN)));
}

function deviationOf(numbers) {
  const mean = meanOver(numbers);
  return numbers.length > 1 ? Math.sqrt(meanOver(numbers.map((one) => (one - mean) ** 2))) : NaN;
}

// The kappas of every two judges in each slice.
function sliceKappas(kept, settings) {
  const sliced = kept.once(slicedRatings, settings);
  const weights = Object.keys(APART).slice(0, sliced.nominal ? 1 : undefined);
  return sliced.names.map((_, at) => {
    const rows = sliced.slice.map((__, n) => n).filter((n) => sliced.slice[n] === at);
    const pick = (codes) => rows.map((n) => codes[n]);
    const pairs = judgePairs({ ...sliced, item: pick(sliced.item), judge: pick(sliced.judge), code: pick(sliced.code), units: null });
    return Object.fromEntries(weights.map((one) => [one, kappasOf(pairs, sliced, one)]));
  });
}

// The kappas that are defined, and the jackknife pseudo-values of their mean, one a judge.
function kappasOf(pairs, { judges, places }, weights) {
  const found = pairs.map((pair) => ({ a: Math.floor(pair.key / judges.length), b: pair.key % judges.length, value: kappaParts(pair, places, weights).value }));
  const known = found.filter(({ value }) => !Number.isNaN(value));
  const nothing = judges.map(() => NaN);
  if (!known.length) return { n: 0, mean: NaN, pseudo: nothing };
  const whole = total(known.map(({ value }) => value));
  const mean = whole / known.length;
  const [sums, counts] = [judges.map(() => 0), judges.map(() => 0)];
  for (const { a, b, value } of known) {
    for (const judge of [a, b]) {
      sums[judge] += value;
      counts[judge]++;
    }
  }
  const there = counts.filter(Boolean).length;
  const pseudo = judges.map((_, judge) => (counts[judge] ? there * mean - ((there - 1) * (whole - sums[judge])) / (known.length - counts[judge]) : NaN));
  // a judge who is in every pair leaves nothing behind
  if (counts.some((n) => n === known.length)) return { n: known.length, mean, pseudo: nothing };
  const shift = mean - definedMean(pseudo);
  return { n: known.length, mean, pseudo: pseudo.map((one) => one + shift) };
}

// The mean of each slice over the judges who have a value, with a t interval.
function meansOfSlices(values, names, { confidence }) {
  return names.map((slice, at) => {
    const own = values.map((row) => row[at]).filter((one) => !Number.isNaN(one));
    const n = own.length;
    if (!n) return { by: { slice }, ...NOTHING, n };
    const mean = meanOver(own);
    const error = n > 1 ? Math.sqrt(total(own.map((one) => (one - mean) ** 2)) / (n - 1) / n) : NaN;
    const far = error > FATIGUE.rounding * Math.abs(mean) ? error * tReach(confidence, n - 1) : NaN;
    return { by: { slice }, value: mean, low: mean - far, high: mean + far, n };
  });
}

// No kappa lies beyond ±1, as pseudo-values may.
const withinOne = ({ low, high }) => ({ low: Math.min(Math.max(low, -1), 1), high: Math.min(Math.max(high, -1), 1) });

// Everything that is measured: values of judges in slices.
function sliceMeasures(kept, settings) {
  const sliced = kept.once(slicedRatings, settings);
  const { judges, slices, nominal, values } = sliced;
  const nothing = judges.map(() => new Array(slices).fill(NaN));
  const found = [
    { by: { measure: "sd" }, values: nominal ? nothing : inSlices(sliced, values, deviationOf) },
    { by: { measure: "mean" }, values: nominal ? nothing : inSlices(sliced, values, meanOver) },
  ];
  const apart = nominal ? [] : Array.from(besideOthers(sliced).mean, (mean, n) => Math.abs(values[n] - mean));
  if (apart.some((one) => !Number.isNaN(one))) found.push({ by: { measure: "distance" }, values: inSlices(sliced, apart, meanOver) });
  const kappas = kept.once(sliceKappas, settings);
  const weights = nominal ? "none" : "linear";
  found.push({ by: { measure: "agreement", weights, pairs: "all" }, values: judges.map((_, judge) => kappas.map((own) => own[weights].pseudo[judge])) });
  const { seconds } = kept.table;
  if (seconds) found.push({ by: { measure: "seconds" }, values: inSlices(sliced, Array.from(kept.once(firstRows), (row) => seconds[row]), middleOf) });
  return found.map((one) => ({ ...one, ...completeOf(one.values, sliced) }));
}

// The judges who have a value in every slice, their orders, and whether other judges can be spoken of.
function completeOf(values, { orders, sameOrder, slices }) {
  const whole = values.map((_, judge) => judge).filter((judge) => !values[judge].some(Number.isNaN));
  const unknown = slices < 2 || !whole.length;
  const own = whole.map((judge) => orders[judge]);
  return { complete: whole.map((judge) => values[judge]), own, unknown, untestable: unknown || sameOrder || new Set(own).size < FATIGUE.fewest };
}

// The least-squares change from one slice to the next.
function slopeOf(values) {
  const steps = values.map((_, n) => n - (values.length - 1) / 2);
  return total(values.map((one, n) => one * steps[n])) / total(steps.map((one) => one ** 2));
}

const transposed = (rows) => rows[0].map((_, at) => rows.map((row) => row[at]));

function trendOf({ by, complete, own, unknown, untestable }, { confidence }) {
  if (unknown) return { by, ...NOTHING, n: 0 };
  const slopes = complete.map(slopeOf);
  const row = { by, value: meanOver(slopes), low: NaN, high: NaN, n: slopes.length };
  if (untestable) return row;
  const { mean, error, freedom } = unitTest(slopes, own, TWO_SIDED);
  const far = error * tReach(confidence, freedom);
  return far <= FATIGUE.rounding * Math.abs(mean) ? row : { ...row, low: mean - far, high: mean + far };
}

function* ordersOfSlices(left, before = []) {
  if (!left.length) yield before;
  for (const one of left) yield* ordersOfSlices(left.filter((other) => other !== one), [...before, one]);
}

// Two-sided p of the change from slice to slice among all other orders of the slices.
function orderP(means) {
  const least = Math.abs(slopeOf(means)) - 1e-12;
  let [hits, all] = [0, 0];
  for (const order of ordersOfSlices(means.map((_, n) => n))) {
    all++;
    if (Math.abs(slopeOf(order.map((at) => means[at]))) >= least) hits++;
  }
  return hits / all;
}

function trendTests({ by, complete, own, unknown, untestable }) {
  const slopes = complete.map(slopeOf);
  const p = { judges: untestable ? NaN : unitTest(slopes, own, TWO_SIDED).p, slices: unknown ? NaN : orderP(transposed(complete).map(meanOver)) };
  return Object.entries(p).map(([test, value]) => ({ by: { ...by, test }, value, low: NaN, high: NaN, n: complete.length }));
}

// One-sided p of a fall at every border of slices, of the distance of a rise.
function borderPs({ by, complete, own, untestable }, slices) {
  if (untestable) return [];
  const first = WARM_UP[by.measure] ?? 1;
  const borders = Array.from({ length: Math.max(0, slices - first) }, (_, n) => first + n);
  const change = (border) => complete.map((row) => meanOver(row.slice(border)) - meanOver(row.slice(0, border)));
  return borders.map((border) => ({ border, p: unitTest(change(border), own, by.measure === "distance" ? HIGH : LOW).p }));
}

// The falls of all measures of all questions, corrected together.
function fallsOf(any, settings) {
  const looked = any.together("fatigue").flatMap((kept) => kept.once(sliceMeasures, settings).filter(({ by }) => FALLS.includes(by.measure)).map((one) => ({ kept, ...one, borders: borderPs(one, settings.slices) })));
  const p = holm(looked.flatMap(({ borders }) => borders.map((one) => one.p)));
  let at = 0;
  return looked.map((one) => ({ ...one, borders: one.borders.map((border) => ({ ...border, p: p[at++] })) }));
}

function ofSlices(names, make) {
  computes("fatigue", names, (kept, settings) => (kept.together("fatigue") ? make(kept, kept.once(slicedRatings, settings), settings) : {}));
}

ofSlices(["quality-fall"], (kept, { lengths }, settings) => {
  const own = kept.all[0].once(fallsOf, settings).filter((one) => one.kept === kept);
  const rows = own.map(({ by, complete, borders }) => {
    const known = borders.filter(({ p }) => !Number.isNaN(p));
    const fall = known.reduce((best, one) => (one.p < best.p ? one : best), { p: Infinity });
    const value = fall.p < FATIGUE.significant ? evenlyRounded((middleOf(lengths) * fall.border) / settings.slices) : NaN;
    return { by, value, low: NaN, high: NaN, n: complete.length };
  });
  return { "quality-fall": rows };
});

ofSlices(["slice-agreement"], (kept, { names, judges }, settings) => {
  const kappas = kept.once(sliceKappas, settings);
  const rows = Object.keys(kappas[0]).flatMap((weights) => {
    const drawn = meansOfSlices(judges.map((_, judge) => kappas.map((own) => own[weights].pseudo[judge])), names, settings);
    return kappas.map((own, at) => ({ by: { slice: names[at], weights, pairs: "all" }, value: own[weights].mean, ...withinOne(drawn[at]), n: own[weights].n }));
  });
  return { "slice-agreement": rows };
});

for (const measure of ["sd", "mean", "seconds"]) {
  ofSlices([`slice-${measure}`], (kept, { names }, settings) => {
    const found = kept.once(sliceMeasures, settings).find(({ by }) => by.measure === measure);
    return found ? { [`slice-${measure}`]: meansOfSlices(found.values, names, settings) } : {};
  });
}

ofSlices(["slice-trend", "slice-trend-p"], (kept, _, settings) => {
  const measures = kept.once(sliceMeasures, settings);
  return { "slice-trend": measures.map((one) => trendOf(one, settings)), "slice-trend-p": measures.flatMap(trendTests) };
});
