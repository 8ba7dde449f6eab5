// The t test of a mean of values of which those of one unit belong together, as `unit_test` of
// `jurat.stats.judges.peer_tests` has it.

const TWO_SIDED = 0;
const LOW = -1;
const HIGH = 1;

// The chance of a t below this one.
const tBelow = (t, v) => (t < 0 ? tTails(-t, v) / 2 : 1 - tTails(t, v) / 2);

function unitTest(values, unit, side) {
  const sums = new Map();
  values.forEach((value, n) => {
    const own = sums.get(unit[n]) ?? { n: 0, sum: 0 };
    sums.set(unit[n], { n: own.n + 1, sum: own.sum + value });
  });
  const units = [...sums.values()];
  const whole = values.length;
  const mean = whole ? total(values) / whole : NaN;
  const share = ({ n }) => n / whole;
  const variance = total(units.map((own) => (share(own) ** 2 * (own.sum / own.n - mean) ** 2) / (1 - share(own))));
  const freedom = 1 / total(units.map((own) => share(own) ** 2)) - 1;
  return { mean, error: Math.sqrt(variance), freedom, p: pOfT(mean, variance, freedom, units.length, side) };
}

function pOfT(mean, variance, freedom, units, side) {
  if (!(freedom > 1 - 1e-9)) return NaN;
  // the same difference in every unit has no error: then the signs say how likely that is
  if (variance <= 1e-20 * mean ** 2) {
    const towards = side === TWO_SIDED ? mean !== 0 : mean * side > 0;
    return towards ? (side === TWO_SIDED ? 2 : 1) * 0.5 ** units : 1;
  }
  const t = mean / Math.sqrt(variance);
  if (side === TWO_SIDED) return tTails(Math.abs(t), freedom);
  return side === LOW ? tBelow(t, freedom) : tBelow(-t, freedom);
}
