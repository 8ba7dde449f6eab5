// Davidson's strengths with ties and an effect of the side shown, as `jurat.stats.systems.davidson`.

const FIT = { steps: 60, longest: 2, shortest: 1e-9, rounding: 1e-12, farthest: 30 };

// Totals of wins of the first, wins of the second and ties, the row's system being shown first: cells
// of 3 S²; and whether an effect of the side can be told.
function sidedCounts(kept, settings) {
  const { systems, units, rows } = kept.once(winCounts, settings);
  const size = systems.length;
  const square = size * size;
  const part = kept.table.first && kept.once(comparedOf);
  if (part?.sided) {
    const made = units.sums(3 * square, (own, n) => own[Math.min(part.shown[n], TIE) * square + part.sides[0][n] * size + part.sides[1][n]]++);
    return { systems, units, rows: made, sided: sidesTold(summedRows(3 * square, made), size) };
  }
  const made = units.sums(3 * square, () => {});
  rows.forEach((row, cell) => {
    for (let a = 0; a < size; a++) {
      for (let b = a; b < size; b++) {
        made[cell][a * size + b] = row[a * size + b];
        made[cell][square + a * size + b] = row[b * size + a];
        made[cell][2 * square + a * size + b] = row[square + a * size + b];
      }
    }
  });
  return { systems, units, rows: made, sided: false };
}

// Whether a side effect differs from every choice of strengths: no θ_a − θ_b = 1 fits all that met.
function sidesTold(totals, size) {
  const met = (a, b) => [0, 1, 2].some((kind) => totals[(kind * size + a) * size + b] > 0);
  const place = new Array(size).fill(NaN);
  const systems = Array.from({ length: size }, (_, n) => n);
  for (const start of systems) {
    if (!Number.isNaN(place[start])) continue;
    place[start] = 0;
    const waiting = [start];
    for (const a of waiting) {
      for (const b of systems) {
        const steps = [met(a, b) ? -1 : NaN, met(b, a) ? 1 : NaN].filter((one) => !Number.isNaN(one));
        for (const step of steps) {
          if (Number.isNaN(place[b])) {
            place[b] = place[a] + step;
            waiting.push(b);
          } else if (place[b] !== place[a] + step) return true;
        }
      }
    }
  }
  return false;
}

// θ of each system (mean 0), log ν (−∞ without ties) and γ (NaN unless `sided`); all NaN where the
// likelihood has no maximum.
function davidsonFit(totals, size, sided, start) {
  const counts = [0, 1, 2].map((kind) => squareOf(totals, size, kind));
  const tied = counts[TIE].some((row) => row.some(Boolean));
  const wins = counts[0].map((row, a) => row.map((one, b) => one + counts[1][b][a]));
  const linked = wins.map((row, a) => row.map((one, b) => one + counts[TIE][a][b] + counts[TIE][b][a]));
  const none = new Array(size + 2).fill(NaN);
  if (size < 2 || !stronglyConnected(linked) || !wins.some((row) => row.some(Boolean))) return none;
  const free = none.map((_, at) => (at < size ? 1 : Number(at === size ? tied : sided)));
  const found = maximized(counts, free, free.map((one, at) => (one ? start[at] : at === size ? -Infinity : 0)));
  return found ? [...centred(found.slice(0, size)), found[size], sided ? found[size + 1] : NaN] : none;
}

function maximized(counts, free, start) {
  let at = start;
  for (let n = 0; n < FIT.steps; n++) {
    const { gradient, curvature } = davidsonSlopes(counts, at, free);
    const step = solved(curvature, gradient);
    const largest = Math.max(...step.map(Math.abs));
    const part = Math.min(1, FIT.longest / Math.max(largest, FIT.shortest));
    at = at.map((one, k) => one + part * step[k]);
    if (largest <= FIT.shortest) return at;
    if (!at.every((one, k) => !free[k] || Math.abs(one) <= FIT.farthest)) return null;
  }
  return null;
}

// The gradient and the curvature of the likelihood by θ, log ν and γ.
function davidsonSlopes(counts, at, free) {
  const size = counts[0].length;
  const [tie, side] = [at[size], at[size + 1]];
  const gradient = new Array(size + 2).fill(0);
  const curvature = gradient.map(() => new Array(size + 2).fill(0));
  for (let a = 0; a < size; a++) {
    for (let b = 0; b < size; b++) {
      const [first, second, ties] = counts.map((kind) => kind[a][b]);
      const number = first + second + ties;
      if (!number) continue;
      const half = (at[a] - at[b] + side) / 2;
      const top = Math.max(Math.abs(half), tie);
      const odds = [half, -half, tie].map((one) => Math.exp(one - top));
      const whole = total(odds);
      const [ahead, equal] = [(odds[0] - odds[1]) / whole / 2, odds[2] / whole];
      addDerivatives(gradient, a, b, (first - second) / 2 - number * ahead, ties - number * equal);
      const information = number * ((1 - equal) / 4 - ahead ** 2);
      const mixed = -number * equal * ahead;
      for (const [i, j, sign] of [[a, a, 1], [b, b, 1], [a, b, -1], [b, a, -1]]) curvature[i][j] += sign * information;
      addDerivatives(curvature[size], a, b, mixed, number * equal * (1 - equal));
      addDerivatives(curvature[size + 1], a, b, information, mixed);
    }
  }
  return freed(gradient, curvature, free, size);
}

// Derivatives by θ, log ν and γ from those of a pair by d = θ_a − θ_b + γ and by log ν.
function addDerivatives(row, a, b, ofD, ofTie) {
  const size = row.length - 2;
  row[a] += ofD;
  row[b] -= ofD;
  row[size] += ofTie;
  row[size + 1] += ofD;
}

function freed(gradient, curvature, free, size) {
  let trace = 0;
  for (let a = 0; a < size; a++) trace += curvature[a][a];
  // the mean of θ is free: a constant in every place makes the step one with mean 0
  const scale = Math.max(trace / size ** 2, FIT.rounding);
  for (let a = 0; a < size; a++) {
    for (let b = 0; b < size; b++) curvature[a][b] += scale;
    for (const more of [size, size + 1]) curvature[a][more] = curvature[more][a];
  }
  curvature[size][size + 1] = curvature[size + 1][size];
  const made = curvature.map((row, i) => row.map((one, j) => one * free[i] * free[j] + (i === j ? (free[i] ? FIT.rounding : 1) : 0)));
  return { gradient: gradient.map((one, i) => one * free[i]), curvature: made };
}

computes("systems", ["davidson", "davidson-ties", "side-effect"], (kept, settings) => {
  const { met } = kept.once(winCounts, settings);
  const made = kept.once(sidedCounts, settings);
  const { systems, units, rows } = made;
  const size = systems.length;
  const totals = rows.length ? summedRows(3 * size * size, rows) : new Float64Array(3 * size * size);
  const zeros = new Array(size + 2).fill(0);
  const sided = made.sided && davidsonFit(totals, size, true, zeros).some((one) => !Number.isNaN(one));
  const fitted = davidsonFit(totals, size, sided, zeros);
  const start = fitted.map((one) => (Number.isFinite(one) ? one : 0));
  const found = units.intervals(rows, (some) => davidsonFit(some, size, sided, start), settings.confidence);
  const n = total(totals);
  const [ties, side] = [found[size], found[size + 1]];
  return {
    "davidson": ofSystems(systems, found.slice(0, size), met),
    "davidson-ties": [{ by: {}, value: Math.exp(ties.value), low: Math.exp(ties.low), high: Math.exp(ties.high), n }],
    "side-effect": [{ by: {}, ...side, n }],
  };
});
