// Intervals from leaving out each unit, and of shares, as `jurat.resampling.jackknife_t` and
// `jurat.resampling.wilson` have them.

const MOST_UNITS = 1000;
const tReach = (confidence, freedom) => (freedom > 0 ? tQuantile(1 - confidence, freedom) : NaN);

// numpy's permutation from its generator PCG64 with the seed 0, whose first state this is.
const PCG = {
  state: 35399562948360463058890781895381311971n,
  increment: 87136372517582989555478159403783844777n,
  factor: 0x2360ed051fc65da44385df649fccf645n,
  size: (1n << 128n) - 1n,
};

function* randomWords() {
  let state = PCG.state;
  for (;;) {
    state = (state * PCG.factor + PCG.increment) & PCG.size;
    const turn = state >> 122n;
    const mixed = BigInt.asUintN(64, (state >> 64n) ^ state);
    const word = BigInt.asUintN(64, (mixed >> turn) | (mixed << (BigInt.asUintN(6, 64n - turn))));
    // each word of 64 bits gives two of 32, the lower first
    yield word & 0xffffffffn;
    yield word >> 32n;
  }
}

// A number from 0 to `most`: as many bits as it has, drawn again where they say more.
function drawUpTo(words, most) {
  const mask = 2 ** (32 - Math.clz32(most)) - 1;
  for (;;) {
    const drawn = (Number(words.next().value) & mask) >>> 0;
    if (drawn <= most) return drawn;
  }
}

const orders = new Map();

// A random order of so many, always the same.
function randomOrder(number) {
  if (!orders.has(number)) {
    const order = Int32Array.from({ length: number }, (_, n) => n);
    const words = randomWords();
    for (let at = number - 1; at > 0; at--) {
      const other = drawUpTo(words, at);
      [order[at], order[other]] = [order[other], order[at]];
    }
    orders.set(number, order);
  }
  return orders.get(number);
}

// The group of each unit: itself, or where there are more than `most` one of so many.
function randomGroups(units, most = MOST_UNITS) {
  if (units <= most) return Int32Array.from({ length: units }, (_, n) => n);
  return randomOrder(units).map((place) => place % most);
}

function summedRows(width, rows) {
  const made = new Float64Array(width);
  for (const row of rows) for (let k = 0; k < width; k++) made[k] += row[k];
  return made;
}

// As many units of one size as these are worth, at least 2.
function equalUnits(sizes) {
  const squares = sizes.reduce((sum, one) => sum + one * one, 0);
  const whole = total(sizes) ** 2 / squares;
  return whole > 2 ? whole : 2;
}

// Degrees of freedom of the variance of n influences with these sums of powers, at least 1.
function freedomOfVariance(n, first, second, third, fourth) {
  const mean = first / n;
  const squares = second - n * mean ** 2;
  const fourths = fourth - 4 * mean * third + 6 * mean ** 2 * second - 3 * n * mean ** 4;
  return Math.max(1, Math.floor((2 * n) / ((n * fourths) / squares ** 2 - (n - 3) / (n - 1)) + 1e-9));
}

// The interval of one value from those without each unit, which count as often as `weight` says.
// `n` is the number of units behind the value, and `alike` that of equal units they are worth;
// `pseudo` says that some are pseudo-items, which decide by intention.
function leftOutInterval({ value, leftOut, weight = null, n = leftOut.length, alike = n, fisher = true, pseudo = false, confidence }) {
  const none = { value, low: NaN, high: NaN, p: NaN };
  if (Number.isNaN(value) || n < 2 || leftOut.some(Number.isNaN)) return none;
  const onFisher = fisher && Math.abs(value) < 1 && leftOut.every((one) => Math.abs(one) < 1);
  const there = onFisher ? Math.atanh : (one) => one;
  const z = there(value);
  let [moved, squares, third, fourth] = [0, 0, 0, 0];
  leftOut.forEach((one, at) => {
    const away = there(one) - z;
    const times = weight ? weight[at] : 1;
    moved += times * away;
    squares += times * away * away;
    third += times * away ** 3;
    fourth += times * away ** 4;
  });
  const centre = z - ((n - 1) / n) * moved;
  const error = Math.sqrt(((n - 1) / n) * Math.max(squares - moved ** 2 / n, 0));
  // what rounding leaves of values that are all alike is no variation
  if (!(error > Math.max(1e-12 * Math.abs(value), 1e-14))) return none;
  const known = fisher && !pseudo ? freedomOfVariance(n, moved, squares, third, fourth) : Infinity;
  const freedom = Math.min(n - 1, alike - 1, known);
  const reach = tReach(confidence, freedom) * error;
  const back = (end) => (onFisher ? Math.tanh(end) : end);
  const cut = (end) => (fisher ? Math.min(Math.max(end, -1), 1) : end);
  // of two to six units the correction for bias may carry the interval past the value
  const ends = { low: Math.min(cut(back(centre - reach)), value), high: Math.max(cut(back(centre + reach)), value) };
  return { value, ...ends, p: tTails(Math.abs(centre / error), freedom) };
}

// Wilson's interval of a share of n cases.
function wilsonEnds(share, n, z) {
  const centre = (share + z ** 2 / (2 * n)) / (1 + z ** 2 / n);
  const reach = (z / (1 + z ** 2 / n)) * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n ** 2));
  const low = share === 0 ? 0 : centre - reach;
  const high = share === 1 ? 1 : centre + reach;
  return { low: Math.max(low, 0), high: Math.min(high, 1) };
}

// The share Σ hits / Σ cases over units, cases of a unit being alike; `times` are equal units.
function shareByUnit({ hits, cases, times = null, observed = null, opposite = 0 }, { confidence, normal }) {
  const number = times ?? hits.map(() => 1);
  const summed = (value) => number.reduce((sum, one, at) => sum + one * value(at), 0);
  const hit = summed((at) => hits[at]);
  const whole = summed((at) => cases[at]);
  const units = summed((at) => (cases[at] > 0 ? 1 : 0));
  const share = hit / whole;
  const n = observed ?? whole;
  const single = n === units && hits.every((one, at) => (one === 0 || one === cases[at]) && (cases[at] === 0 || cases[at] === 1));
  if (!(whole > 0)) return { value: NaN, low: NaN, high: NaN };
  if (single) return { value: share, ...wilsonEnds(share, n, normal) };
  const part = (at) => cases[at] / whole;
  const freedom = 1 / summed((at) => part(at) ** 2) - 1;
  if (!(freedom > 0)) return { value: share, low: NaN, high: NaN };
  const around = (middle) => summed((at) => (hits[at] - middle * cases[at]) ** 2 / (1 - part(at)));
  const variance = around(share) / whole ** 2;
  let effective = variance > 0 ? Math.min(n, (share * (1 - share)) / variance) : n;
  const far = share < 0.5 ? 1 : 0;
  const middle = (hit + opposite * far) / (whole + opposite);
  const more = (around(middle) + opposite * (far - middle) ** 2) / whole / (whole + opposite);
  effective = Math.min(effective, more > 0 ? (middle * (1 - middle)) / more : n);
  if (share === 0 || share === 1) effective = units;
  return { value: share, ...wilsonEnds(share, effective, tReach(confidence, freedom)) };
}

// Values computed anew without each unit, or group of more units than `most`, for what no sums can
// tell. `values` takes a function that says of each place whether it is kept; `unit` is of each place,
// and `pseudo` says that some are pseudo-items.
function leftOutByGroup(values, unit, most, { confidence }, pseudo = false) {
  const whole = values(() => true);
  const units = numbered(unit);
  if (units.number < 2 || whole.every(Number.isNaN)) return whole.map((value) => ({ value, low: NaN, high: NaN }));
  const groups = randomGroups(units.number, most);
  const number = highest(groups) + 1;
  const without = Array.from({ length: number }, (_, group) => values((at) => groups[units.codes[at]] !== group));
  const alike = equalUnits(Array.from(countsOf(units.codes, units.number)));
  return whole.map((value, at) => leftOutInterval({ value, leftOut: without.map((one) => one[at]), n: number, alike, pseudo, confidence }));
}
