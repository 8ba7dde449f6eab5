// Coefficients of agreement that are scores of sums over items, as `jurat.stats.agreement` has them
// in `percent_agreement`, `kappas` and `krippendorff_alpha`. Each gives its values from an
// `AnswerCounts`: columns to be added up (a number for each kind of item) and a score of the totals.

const FEW_POINTS = 16;
const FEW_CELLS = 2 ** 20;
const FEW_COINCIDENCES = 2 ** 21;
const MOST_RATIO_POINTS = 1500;
const MOST_GROUP = 10;
const UNANIMOUS = 0.5;
const SCALES = ["nominal", "ordinal", "interval", "ratio"];
const WEIGHTINGS = ["none", "linear", "quadratic", "ordinal"];

const chanceCorrected = (po, pe) => (Math.abs(1 - pe) > 1e-12 ? (po - pe) / (1 - pe) : NaN);

// Agreement by chance Σ w_jk p_j p_k of the shares p; near the shares as they are where many.
function expectedAgreement(counts, weight, matrix = null) {
  const { points, items } = counts;
  const weights = counts.cells((n, _, item) => n * weight[item]);
  if (points <= FEW_POINTS || items * points <= FEW_CELLS) {
    const columns = Array.from({ length: points }, () => new Float64Array(items));
    weights.forEach((one, n) => (columns[counts.code[n]][counts.item[n]] += one));
    return { columns, of: quadraticForm(points, matrix) };
  }
  const given = counts.perPoint(weights);
  const whole = total(given);
  const shares = given.map((one) => one / whole);
  const slope = matrix ? shares.map((_, j) => shares.reduce((sum, p, k) => sum + matrix(j, k) * p, 0)) : shares;
  const columns = [counts.perItem(weights.map((one, n) => one * slope[counts.code[n]])), counts.perItem(weights)];
  const middle = shares.reduce((sum, p, j) => sum + p * slope[j], 0);
  return { columns, of: ([near, all]) => (2 * near) / all - middle };
}

// Σ w_jk p_j p_k of shares that are totals by their sum; without weights Σ p_j².
function quadraticForm(points, matrix) {
  const weights = matrix && Array.from({ length: points }, (_, j) => Float64Array.from({ length: points }, (__, k) => matrix(j, k)));
  return (totals) => {
    const whole = total(totals);
    if (!whole) return NaN;
    let made = 0;
    for (let j = 0; j < points; j++) {
      if (!totals[j]) continue;
      let inner = weights ? 0 : totals[j];
      if (weights) for (let k = 0; k < points; k++) inner += weights[j][k] * totals[k];
      made += (totals[j] / whole) * (inner / whole);
    }
    return made;
  };
}

const nAgreement = {
  name: "n-agreement",
  gives: ["n-agreement"],
  keys: (counts) => distancesOf(counts).map((n) => ({ n })),
  number: (counts) => counts.copied(counts.pairs),
  sums(counts) {
    const near = distancesOf(counts).map((n) => counts.within(n));
    return { columns: [counts.pairs, ...near], score: ([pairs, ...parts]) => parts.map((one) => one / pairs) };
  },
  shares(counts) {
    const observed = counts.copied(counts.pairs);
    return this.sums(counts).columns.slice(1).map((hits) => ({ hits, cases: counts.pairs, observed, nested: true }));
  },
};

function groupSizes(counts) {
  const most = counts.size.reduce((m, n) => Math.max(m, n), 0);
  const few = [];
  for (let k = 2; k <= Math.min(most, MOST_GROUP); k++) few.push(k);
  return most > MOST_GROUP ? [...few, most] : few.length ? few : [2];
}

function combinations(n, k) {
  let made = 1;
  for (let i = 0; i < k; i++) made = (made * (n - i)) / (i + 1);
  return n < k ? 0 : Math.round(made);
}

// The share of an item's groups of k judgments that are all equal.
function alikeShare(counts, k) {
  const cells = counts.cells((n, _, item) => {
    const size = counts.size[item];
    let alike = size >= k ? 1 : 0;
    for (let taken = 0; taken < k && alike; taken++) alike *= Math.max(n - taken, 0) / (size - taken);
    return alike;
  });
  return counts.perItem(cells);
}

const kwayAgreement = {
  name: "kway-agreement",
  gives: ["kway-agreement"],
  keys: (counts) => groupSizes(counts).map((k) => ({ k })),
  number: (counts, { k }) => counts.copied(counts.size.map((n) => (n >= k ? 1 : 0))),
  taken: (counts, { k }) => counts.size.map((n) => (n >= k ? 1 : 0)),
  sums(counts) {
    const sizes = groupSizes(counts);
    const columns = [...sizes.map((k) => alikeShare(counts, k)), ...sizes.map((k) => this.taken(counts, { k }))];
    return { columns, score: (t) => sizes.map((_, n) => t[n] / t[sizes.length + n]) };
  },
  shares(counts) {
    return groupSizes(counts).map((k) => ({
      hits: alikeShare(counts, k),
      cases: this.taken(counts, { k }),
      observed: counts.copied(counts.size.map((n) => combinations(n, k))),
      opposite: k > 2 ? UNANIMOUS : 0,
    }));
  },
};

const fleissKappa = {
  name: "fleiss-kappa",
  gives: ["fleiss-kappa", "fleiss-observed", "fleiss-expected"],
  categorical: [0],
  withoutInterval: [2],
  sums(counts) {
    const chance = expectedAgreement(counts, counts.paired);
    return {
      columns: [counts.paired, counts.meanPerPair(counts.equal), ...chance.columns],
      score: ([items, equal, ...rest]) => {
        const [observed, expected] = [equal / items, chance.of(rest)];
        return [chanceCorrected(observed, expected), observed, expected];
      },
    };
  },
  shares(counts) {
    return [null, { hits: counts.meanPerPair(counts.equal), cases: counts.paired, observed: counts.copied(counts.pairs) }, null];
  },
};

const scottPi = {
  name: "scott-pi",
  gives: ["scott-pi"],
  categorical: [0],
  sums(counts) {
    const chance = expectedAgreement(counts, counts.size.map((n) => Math.max(n - 1, 0)));
    return {
      columns: [counts.pairs, counts.equal, ...chance.columns],
      score: ([pairs, equal, ...rest]) => [chanceCorrected(equal / pairs, chance.of(rest))],
    };
  },
};

// The weighted agreement of the pairs of each item, and the sum of all weights.
function weightingsOf(counts) {
  const { points, places } = counts;
  const plain = { agreement: counts.meanPerPair(counts.equal), total: points };
  if (counts.nominal) return [plain];
  const steps = Float64Array.from(places, (_, n) => n);
  const length = points ? places[points - 1] - places[0] : 0;
  const both = (a, b) => a.map((one, n) => (one + b[n]) / 2);
  const ordinal = both(counts.squared(steps), counts.apart(steps));
  const allSteps = (allSquared(steps) + allApart(steps)) / 2;
  return [
    plain,
    weighting(counts, counts.apart(places), allApart(places), length),
    weighting(counts, counts.squared(places), allSquared(places), length ** 2),
    weighting(counts, ordinal, allSteps, (points * (points - 1)) / 2),
  ];
}

function weighting(counts, sums, every, largest) {
  const means = counts.meanPerPair(sums);
  const agreement = largest ? means.map((one, item) => (counts.paired[item] ? 1 - one / largest : 0)) : counts.paired;
  return { agreement, total: largest ? counts.points ** 2 - every / largest : NaN };
}

const allApart = (values) => 2 * total(values.map((one, n) => one * (2 * n - values.length + 1)));
function allSquared(values) {
  const mean = total(values) / values.length;
  return 2 * values.length * total(values.map((one) => (one - mean) ** 2));
}

const filledUp = (values) => WEIGHTINGS.map((_, n) => (n < values.length ? values[n] : NaN));
const weightKeys = () => WEIGHTINGS.map((weights) => ({ weights }));

const gwetAC = {
  name: "gwet-ac",
  gives: ["gwet-ac"],
  categorical: [0],
  weighted: [1, 2, 3],
  keys: weightKeys,
  sums(counts) {
    const weights = weightingsOf(counts);
    const chance = expectedAgreement(counts, counts.size.map((n) => 1 / Math.max(n, 1)));
    const q = counts.points;
    return {
      columns: [counts.paired, ...weights.map((w) => w.agreement), ...chance.columns],
      score: ([items, ...rest]) => {
        const missed = 1 - chance.of(rest.slice(weights.length));
        return filledUp(weights.map((w, n) => (q > 1 ? chanceCorrected(rest[n] / items, (missed * w.total) / (q * (q - 1))) : NaN)));
      },
    };
  },
};

const brennanPrediger = {
  name: "brennan-prediger",
  gives: ["brennan-prediger"],
  categorical: [0],
  weighted: [1, 2, 3],
  keys: weightKeys,
  sums(counts) {
    const weights = weightingsOf(counts);
    const q = counts.points;
    return {
      columns: [counts.paired, ...weights.map((w) => w.agreement)],
      score: ([items, ...rest]) => filledUp(weights.map((w, n) => (q > 1 ? chanceCorrected(rest[n] / items, w.total / q ** 2) : NaN))),
    };
  },
};
