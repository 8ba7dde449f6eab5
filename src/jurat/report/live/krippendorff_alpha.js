// Krippendorff's alpha on four scales, as `jurat.stats.agreement.krippendorff_alpha` has it.

// The mid-rank of each point, as a share of all answers.
function rankShares(totals) {
  const whole = total(totals);
  let below = 0;
  return totals.map((one) => {
    below += one;
    return (below - one / 2) / whole;
  });
}

function nominalParts(counts) {
  const chance = expectedAgreement(counts, counts.paired);
  const unequal = counts.perJudgment(counts.pairs.map((n, item) => n - counts.equal[item]));
  const number = counts.size.map((n, item) => n * counts.paired[item]);
  return { columns: [unequal, number, ...chance.columns], ratio: ([far, n, ...rest]) => far / (n ** 2 * (1 - chance.of(rest))) };
}

function ordinalParts(counts) {
  const { points, items } = counts;
  return (items * points * (points + 1)) / 2 <= FEW_COINCIDENCES ? exactOrdinal(counts) : linearOrdinal(counts);
}

// From the totals of the points and of every two that met.
function exactOrdinal(counts) {
  const { points, items } = counts;
  const numbers = Array.from({ length: points }, () => new Float64Array(items));
  counts.item.forEach((item, n) => (numbers[counts.code[n]][item] += counts.count[n] * counts.paired[item]));
  const place = new Map();
  const met = [];
  counts.ofPairs((a, b) => {
    const key = a * points + b;
    if (!place.has(key)) {
      place.set(key, met.length);
      met.push(new Float64Array(items));
    }
    return 0;
  });
  const which = [...place.keys()].map((key) => [Math.floor(key / points), key % points]);
  for (let item = 0; item < items; item++) {
    for (let a = counts.starts[item]; a < counts.starts[item + 1]; a++) {
      for (let b = a + 1; b < counts.starts[item + 1]; b++) {
        met[place.get(counts.code[a] * points + counts.code[b])][item] += (2 * counts.count[a] * counts.count[b]) / (counts.size[item] - 1);
      }
    }
  }
  const ratio = (totals) => {
    const number = totals.slice(0, points);
    const ranks = rankShares(number);
    let observed = 0;
    which.forEach(([a, b], n) => (observed += totals[points + n] * (ranks[a] - ranks[b]) ** 2));
    let [mean, squares, whole] = [0, 0, 0];
    number.forEach((one, k) => {
      whole += one;
      mean += one * ranks[k];
      squares += one * ranks[k] ** 2;
    });
    // Σ over ordered pairs of (r − s)², from the sums of the ranks and of their squares
    return observed / (2 * (whole * squares - mean ** 2));
  };
  return { columns: [...numbers, ...met], ratio };
}

// With many points both disagreements are taken as linear near the ranks as they are.
function linearOrdinal(counts) {
  const weights = counts.cells((n, _, item) => n * counts.paired[item]);
  const number = counts.perPoint(weights);
  const whole = Math.max(total(number), 1);
  const ranks = rankShares(number).map((one) => (one * total(number)) / whole);
  const sum = (value) => number.reduce((made, n, k) => made + n * value(k), 0);
  const [mean, squares] = [sum((k) => ranks[k]), sum((k) => ranks[k] ** 2)];
  const observed = counts.perJudgment(counts.squared(ranks));
  const pull = number.map((n, k) => n * (whole * ranks[k] - mean));
  const expected = 2 * (whole * squares - mean ** 2);
  const through = throughRanks(pull, whole);
  const slopes = [throughRanks(pullsWithin(counts, ranks), whole), ranks.map((r, k) => 2 * (whole * r ** 2 - 2 * r * mean + squares) + through[k])];
  const columns = slopes.map((slope) => counts.perItem(weights.map((one, n) => one * slope[counts.code[n]])));
  const middle = columns.map((column) => counts.copied(column));
  return { columns: [observed, ...columns], ratio: ([far, own, all]) => (far + own - middle[0]) / (expected + all - middle[1]) };
}

// How far each point lies from the answers that it meets within items, in all.
function pullsWithin(counts, ranks) {
  const sums = counts.perItem(counts.cells((n, code) => n * ranks[code]));
  return counts.perPoint(counts.cells((n, code, item) => (n * (counts.size[item] * ranks[code] - sums[item])) / Math.max(counts.size[item] - 1, 1)));
}

// What one more answer of a point changes by moving the ranks above it.
function throughRanks(pulls, whole) {
  let above = total(pulls);
  return pulls.map((one) => {
    above -= one;
    return (4 * (above + one / 2)) / whole;
  });
}

function intervalParts(counts) {
  const middle = counts.places[counts.points >> 1];
  const away = counts.places.map((place) => place - middle);
  const power = (p) => counts.perItem(counts.cells((n, code, item) => n * counts.paired[item] * away[code] ** p));
  const observed = counts.perJudgment(counts.squared(away));
  return { columns: [observed, power(0), power(1), power(2)], ratio: ([far, n, sum, squares]) => far / (2 * (n * squares - sum ** 2)) };
}

function ratioParts(counts) {
  const { places } = counts;
  const distance = (a, b) => (a === b ? 0 : ((places[a] - places[b]) / (places[a] + places[b])) ** 2);
  const chance = expectedAgreement(counts, counts.paired, distance);
  const number = counts.size.map((n, item) => n * counts.paired[item]);
  const far = counts.perJudgment(counts.ofPairs(distance));
  return { columns: [far, number, ...chance.columns], ratio: ([apart, n, ...rest]) => apart / (n ** 2 * chance.of(rest)) };
}

const PARTS = { nominal: nominalParts, ordinal: ordinalParts, interval: intervalParts, ratio: ratioParts };

function alphaParts(counts, scale) {
  const few = counts.points <= MOST_RATIO_POINTS && !(counts.places[0] < 0);
  const known = scale === "nominal" || (!counts.nominal && (scale !== "ratio" || few));
  return known ? PARTS[scale](counts) : { columns: [], ratio: () => NaN };
}

const krippendorffAlpha = {
  name: "krippendorff-alpha",
  gives: ["krippendorff-alpha"],
  categorical: [0],
  weighted: [1, 2, 3],
  keys: () => SCALES.map((scale) => ({ scale })),
  sums(counts) {
    const parts = SCALES.map((scale) => alphaParts(counts, scale));
    const number = counts.size.map((n, item) => n * counts.paired[item]);
    const score = ([n, ...rest]) => {
      let from = 0;
      return parts.map(({ columns, ratio }) => {
        const own = rest.slice(from, (from += columns.length));
        return 1 - (n - 1) * ratio(own);
      });
    };
    return { columns: [number, ...parts.flatMap((part) => part.columns)], score };
  },
};
