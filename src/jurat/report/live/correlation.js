// Pearson's r, Spearman's ρ and Kendall's τ, as `jurat.stats.correlation` has them.

const FLAT = 1e-12; // what rounding leaves of squares that do not vary
const ALIKE_DIGITS = 12; // in which means must differ to be different

// Means rounded so that equal ones of different numbers are equal; ties go to the even digit.
function alike(means, largest) {
  const factor = 10 ** (largest > 0 ? ALIKE_DIGITS - Math.ceil(Math.log10(largest)) : ALIKE_DIGITS);
  return means.map((one) => Math.round(one * factor) / factor);
}

const meanOver = (numbers) => total(numbers) / numbers.length;

function centredValues(values) {
  if (values.every((one) => one === values[0])) return values.map(() => 0);
  // of values that hardly differ a mean is rounded as much as their differences: a second one helps
  let made = values;
  for (let n = 0; n < 2; n++) {
    const mean = meanOver(made);
    made = made.map((one) => one - mean);
  }
  return made;
}

// Pearson's r of two lists; NaN where one of the two is constant.
function pearson(x, y) {
  if (!x.length) return NaN;
  const [dx, dy] = [centredValues(x), centredValues(y)];
  let [xx, yy, xy] = [0, 0, 0];
  for (let n = 0; n < dx.length; n++) {
    xx += dx[n] ** 2;
    yy += dy[n] ** 2;
    xy += dx[n] * dy[n];
  }
  const below = Math.sqrt(xx * yy);
  return below > 0 ? Math.min(1, Math.max(-1, xy / below)) : NaN;
}

// Ranks from 1; equal values share the mean of theirs.
function midRanks(values) {
  const order = Array.from(values, (_, n) => n).sort((a, b) => values[a] - values[b]);
  const ranks = new Array(values.length);
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && values[order[to]] === values[order[from]]) to++;
    for (let at = from; at < to; at++) ranks[order[at]] = (from + to + 1) / 2;
  }
  return ranks;
}

const spearman = (x, y) => pearson(midRanks(x), midRanks(y));

// Sums of 1, x, y, x², y² and xy of some places, from whose totals r follows.
function momentsOf(x, y, places) {
  const made = [0, 0, 0, 0, 0, 0];
  for (const n of places) {
    made[0]++;
    made[1] += x[n];
    made[2] += y[n];
    made[3] += x[n] ** 2;
    made[4] += y[n] ** 2;
    made[5] += x[n] * y[n];
  }
  return made;
}

function pearsonOfSums([n, x, y, xx, yy, xy]) {
  const [ofX, ofY] = [n * xx - x * x, n * yy - y * y];
  if (!(ofX > FLAT * n * xx && ofY > FLAT * n * yy)) return NaN;
  return Math.min(Math.max((n * xy - x * y) / Math.sqrt(ofX * ofY), -1), 1);
}

// Pairs of places of two lists of codes: concordant less discordant, tied in x or y, and all.
function kendallCounts(x, y) {
  const [height, width] = [highest(x) + 1, highest(y) + 1];
  const table = Array.from({ length: height }, () => new Float64Array(width));
  for (let n = 0; n < x.length; n++) table[x[n]][y[n]]++;
  const below = new Float64Array(width);
  const tied = (counts) => counts.reduce((sum, n) => sum + (n * (n - 1)) / 2, 0);
  let apart = 0;
  let ofX = 0;
  for (const row of table) {
    const all = total(below);
    let lower = 0;
    for (let j = 0; j < width; j++) {
      apart += row[j] * (lower - (all - lower - below[j]));
      lower += below[j];
    }
    for (let j = 0; j < width; j++) below[j] += row[j];
    ofX += tied([total(row)]);
  }
  const different = Math.min(table.filter((row) => row.some(Boolean)).length, below.filter(Boolean).length);
  return { apart, ofX, ofY: tied(below), pairs: tied([x.length]), n: x.length, different };
}

function tauB({ apart, ofX, ofY, pairs }) {
  const below = Math.sqrt((pairs - ofX) * (pairs - ofY));
  return below > 0 ? apart / below : NaN;
}

const tauC = ({ apart, n, different }) => (different > 1 ? (2 * different * apart) / (n * n * (different - 1)) : NaN);

// Fisher's interval of r from the variance of its atanh; none where that is unknown or |r| is 1.
function atanhEnds(r, variance, normal) {
  if (!(Math.abs(r) < 1) || Number.isNaN(variance)) return { low: NaN, high: NaN };
  const far = normal * Math.sqrt(variance);
  return { low: Math.tanh(Math.atanh(r) - far), high: Math.tanh(Math.atanh(r) + far) };
}
