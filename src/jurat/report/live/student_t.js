// Student's t for any degrees of freedom v, to about 14 digits.

// Γ(a + ½) / Γ(a), by its asymptotic series from 60 on, and downwards by Γ's recurrence.
function gammaRatio(a) {
  let factor = 1;
  for (; a < 60; a++) factor *= a / (a + 0.5);
  const b = 1 / (a * a);
  const series = -1 / 8 + b * (1 / 192 + b * (-1 / 640 + b * (17 / 14336 - (31 * b) / 18432)));
  return factor * Math.sqrt(a) * Math.exp(series / a);
}

// The continued fraction of the incomplete beta function (Lentz's method).
function betaFraction(a, b, x) {
  const tiny = 1e-300;
  const clip = (value) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / clip(1 - ((a + b) * x) / (a + 1));
  let made = d;
  for (let m = 1; m < 100000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / clip(1 + even * d);
    c = clip(1 + even / c);
    made *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / clip(1 + odd * d);
    c = clip(1 + odd / c);
    made *= d * c;
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return made;
}

// The chance of a t as far from 0, in both directions.
function tTails(t, v) {
  if (!(t > 0)) return 1;
  if (t === Infinity) return 0;
  const a = v / 2;
  const x = v / (v + t * t);
  const y = (t * t) / (v + t * t);
  const front = (gammaRatio(a) / Math.sqrt(Math.PI)) * Math.exp(-a * Math.log1p((t * t) / v)) * Math.sqrt(y);
  if (x < (a + 1) / (a + 2.5)) return (front * betaFraction(a, 0.5, x)) / a;
  return 1 - 2 * front * betaFraction(0.5, a, y);
}

const quantiles = new Map();

// The t that is exceeded in both directions together with this chance.
function tQuantile(chance, v) {
  const key = `${chance} ${v}`;
  if (!quantiles.has(key)) quantiles.set(key, findQuantile(chance, v));
  return quantiles.get(key);
}

function findQuantile(chance, v) {
  let low = 0;
  let high = 2;
  while (tTails(high, v) > chance) high *= 2;
  const scale = gammaRatio(v / 2) / Math.sqrt(v * Math.PI);
  let t = (low + high) / 2;
  for (let n = 0; n < 200; n++) {
    const off = tTails(t, v) - chance;
    if (off > 0) low = t;
    else high = t;
    // Newton's step where it stays between the ends, else half of the way
    const density = 2 * scale * Math.exp((-(v + 1) / 2) * Math.log1p((t * t) / v));
    let next = t + off / density;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (Math.abs(next - t) <= 1e-15 * t) return next;
    t = next;
  }
  return t;
}
