// Tests and intervals for new documents and new judges, as `jurat.stats.cluster_inference` has them.

const FEWEST_DOCUMENTS = 6;
const FEWEST_JUDGES = 3;
const MANY_CLUSTERS = 10000;
const SAME = 1e-9; // by how much, relative to it, a variance exceeds another that is the same but for rounding

const ESTIMATE_ROUNDING = 1e-12; // what is left of an estimate, relative to what cancels in it, when it is 0 but for rounding
const MARKS = 1 << 24; // numbers up to which a mark for each is faster than a map

// Codes from 0 without gaps, in the same order, and how many there are.
function numbered(codes) {
  const size = highest(codes) + 1;
  if (size > MARKS) return numberedByMap(codes);
  const place = new Int32Array(size);
  for (let i = 0; i < codes.length; i++) place[codes[i]] = 1;
  let number = 0;
  for (let code = 0; code < size; code++) if (place[code]) place[code] = number++;
  const made = new Int32Array(codes.length);
  for (let i = 0; i < codes.length; i++) made[i] = place[codes[i]];
  return { codes: made, number };
}

function numberedByMap(codes) {
  const known = [...new Set(codes)].sort((a, b) => a - b);
  const place = new Map(known.map((code, n) => [code, n]));
  return { codes: Int32Array.from(codes, (code) => place.get(code)), number: known.length };
}

// The cluster-robust variance of a contrast over clusters (CR2) and its degrees of freedom.
function variance({ model, coefficients: c, residuals }, { codes, number }) {
  const squares = new Float64Array(number);
  const sums = new Float64Array(number);
  for (let i = 0; i < c.length; i++) {
    squares[codes[i]] += c[i] * c[i];
    sums[codes[i]] += c[i] * residuals[i];
  }
  const hat = hatProducts(model, c, codes, number);
  const most = squares.reduce((m, value) => Math.max(m, value), 0);
  const factor = new Float64Array(number);
  let trace = 0;
  let value = 0;
  for (let g = 0; g < number; g++) {
    const left = squares[g] - hat.own[g];
    // a cluster that its own effects explain wholly says nothing about the contrast
    if (left > RANK * most) factor[g] = squares[g] / left;
    trace += factor[g] * left;
    value += factor[g] * sums[g] ** 2;
  }
  const product = squaredTrace(hat, factor, squares);
  return { value, freedom: product > 0 ? trace ** 2 / product : 0 };
}

// The rows whose inner products are c′Hc of two clusters: a part for columns, one for blocks.
function hatProducts(model, c, codes, number) {
  const many = number > MANY_CLUSTERS;
  const width = many ? 1 : model.width;
  const totals = many ? new Float64Array(number) : model.byColumn(codes, number, c);
  const blocks = model.blocks;
  const spread = blocks ? spreadOverBlocks(model, c, codes, number) : [];
  const own = new Float64Array(number);
  const columns = new Float64Array(number * width);
  for (let g = 0; g < number; g++) {
    if (blocks && !many) {
      for (const [b, amount] of spread[g]) {
        const share = amount / model.blockWeights[b];
        for (let k = 0; k < width; k++) totals[g * width + k] -= share * model.crossed[b * width + k];
      }
    }
    for (let i = 0; i < width && !many; i++) {
      const amount = totals[g * width + i];
      if (amount) for (let k = 0; k < width; k++) columns[g * width + k] += amount * model.root[i * width + k];
    }
    for (let k = 0; k < width; k++) own[g] += columns[g * width + k] ** 2;
    if (blocks) {
      for (const b of spread[g].keys()) spread[g].set(b, spread[g].get(b) / Math.sqrt(model.blockWeights[b]));
      for (const amount of spread[g].values()) own[g] += amount ** 2;
    }
  }
  return { columns, width, own, spread, blocks };
}

// The contrast's coefficients summed by cluster and block.
function spreadOverBlocks(model, c, codes, number) {
  const made = Array.from({ length: number }, () => new Map());
  for (let i = 0; i < c.length; i++) {
    const own = made[codes[i]];
    own.set(model.block[i], (own.get(model.block[i]) ?? 0) + c[i]);
  }
  return made;
}

// tr P² with P = K (diag(squares) − H) K and K² = diag(factor), without making P.
function squaredTrace({ columns, width, own, spread, blocks }, factor, squares) {
  let made = 0;
  const gram = new Float64Array(width * width);
  const mixed = new Float64Array(width * blocks);
  for (let g = 0; g < factor.length; g++) {
    const weighted = factor[g] * squares[g];
    made += weighted ** 2 - 2 * weighted * factor[g] * own[g];
    for (let i = 0; i < width; i++) {
      const one = columns[g * width + i] * factor[g];
      for (let k = 0; k < width; k++) gram[i * width + k] += one * columns[g * width + k];
    }
    for (const [b, amount] of spread[g] ?? []) {
      for (let i = 0; i < width; i++) mixed[i * blocks + b] += columns[g * width + i] * factor[g] * amount;
    }
  }
  for (const one of gram) made += one ** 2;
  for (const one of mixed) made += 2 * one ** 2;
  return made + (blocks ? blockTrace(spread, factor, blocks) : 0);
}

// The squared inner products of all clusters' parts in blocks.
function blockTrace(spread, factor, blocks) {
  let made = 0;
  if (spread.every((own) => own.size === 1)) {
    // clusters of one block each: their products are sums by block
    const sums = new Float64Array(blocks);
    spread.forEach((own, g) => own.forEach((amount, b) => (sums[b] += factor[g] * amount ** 2)));
    for (const one of sums) made += one ** 2;
    return made;
  }
  for (let g = 0; g < spread.length; g++) {
    for (let h = 0; h <= g; h++) {
      let inner = 0;
      for (const [b, amount] of spread[h]) inner += amount * (spread[g].get(b) ?? 0);
      made += (g === h ? 1 : 2) * factor[g] * factor[h] * inner ** 2;
    }
  }
  return made;
}

const NOTHING = { value: NaN, low: NaN, high: NaN, p: NaN, these: NaN };

// The sum of the values times their coefficients; exactly 0 where only rounding is left of it.
function estimate(coefficients, values) {
  let [told, ofCoefficients, ofValues] = [0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    told += coefficients[i] * values[i];
    ofCoefficients += coefficients[i] ** 2;
    ofValues += values[i] ** 2;
  }
  // no sum of these products is larger (Cauchy and Schwarz)
  return Math.abs(told) <= ESTIMATE_ROUNDING * Math.sqrt(ofCoefficients * ofValues) ? 0 : told;
}

// The value of a contrast with its interval and p-value.
function infer(contrast, values, clusters, confidence, ofDocuments = documentVariance(contrast, clusters)) {
  if (!contrast) return NOTHING;
  const document = numbered(clusters.document);
  const judge = clusters.judge && numbered(clusters.judge);
  const value = estimate(contrast.coefficients, values);
  const few = document.number < FEWEST_DOCUMENTS;
  let least = Infinity;
  let most = -Infinity;
  for (const one of contrast.model.values) {
    least = Math.min(least, one);
    most = Math.max(most, one);
  }
  if (most - least <= 1e-12 * Math.abs(value)) {
    return { ...NOTHING, value, p: few || !value ? NaN : 2 ** (1 - document.number) };
  }
  if (!judge || judge.number < FEWEST_JUDGES) return finding(value, [ofDocuments()], few, confidence);
  if (nested(document, judge)) return finding(value, [variance(contrast, judge)], few, confidence);
  return finding(value, twoWay(ofDocuments(), variance(contrast, judge), variance(contrast, cellsOf(document, judge))), few, confidence);
}

// The variance over documents, which takes long: made once, when it is asked for.
function documentVariance(contrast, { document }) {
  let made = null;
  return () => (made ??= variance(contrast, numbered(document)));
}

// The same with the p-value for these judges only: `infer_pair`.
function inferPair(contrast, values, clusters, confidence) {
  const ofDocuments = documentVariance(contrast, clusters);
  const these = infer(contrast, values, { ...clusters, judge: null }, confidence, ofDocuments);
  return { ...infer(contrast, values, clusters, confidence, ofDocuments), these: these.p };
}

function cellsOf(document, judge) {
  const cell = new Float64Array(document.codes.length);
  for (let i = 0; i < cell.length; i++) cell[i] = document.codes[i] * judge.number + judge.codes[i];
  return numbered(cell);
}

// Whether every document has one judge.
function nested(document, judge) {
  const one = new Int32Array(document.number).fill(-1);
  for (let i = 0; i < document.codes.length; i++) {
    const code = document.codes[i];
    if (one[code] < 0) one[code] = judge.codes[i];
    else if (one[code] !== judge.codes[i]) return false;
  }
  return true;
}

// The variance over documents and judges, then that of each alone: the largest counts.
function twoWay(ofDocuments, ofJudges, cells) {
  const ways = [ofDocuments, ofJudges];
  const extra = ways.map((way) => way.value - cells.value);
  // of equal variances rounding would decide which of them count
  const more = extra.map((one) => (one > SAME * cells.value ? one : 0));
  const value = cells.value + more[0] + more[1];
  const known = ways.filter((_, n) => more[n] > 0);
  // cells are subtracted once where one way adds to them, and then do not count themselves
  if (known.length !== 1) known.push(cells);
  const spread = known.reduce((sum, v) => sum + (v.freedom > 0 ? v.value ** 2 / v.freedom : 0), 0);
  return [{ value, freedom: spread > 0 ? Math.max(1, value ** 2 / spread) : 0 }, ...ways];
}

// Half the widest interval that variances give; NaN where they tell nothing.
function reachOf(tried, confidence) {
  const told = tried.some((v) => v.value > 0) && tried.every((v) => v.freedom >= 1 - 1e-9);
  return told ? Math.max(...tried.map((v) => tQuantile(1 - confidence, v.freedom) * Math.sqrt(v.value))) : NaN;
}

function finding(value, tried, few, confidence) {
  const half = reachOf(tried, confidence);
  // what effects explain wholly leaves rounding alone
  if (!(half > 1e-9 * Math.max(1, Math.abs(value)))) return { ...NOTHING, value };
  const t = (v) => (v.value > 0 ? Math.abs(value) / Math.sqrt(v.value) : value ? Infinity : 0);
  const p = few ? NaN : Math.max(...tried.map((v) => tTails(t(v), v.freedom)));
  return { value, low: value - half, high: value + half, p };
}

// The same of a mean of zeros and ones, with Wilson's interval: `infer_share`.
function inferShare(found, clusters, confidence) {
  const whole = Math.round(found.value);
  // rounding would leave 0.9999999999999999 of nothing but ones
  const value = Math.abs(found.value - whole) < 1e-9 ? whole : found.value;
  return { ...found, value, ...wilsonWithin(value, found.high - found.value, numbered(clusters.document).number, confidence) };
}

// Wilson's interval with the effective number at which a plain one would reach as far as `half`.
function wilsonWithin(value, half, clusters, confidence) {
  if (Number.isNaN(value) || clusters < 2) return { low: NaN, high: NaN };
  const inside = value > 0 && value < 1;
  const squared = inside ? half ** 2 / (value * (1 - value)) : tQuantile(1 - confidence, Math.max(1, clusters - 1)) ** 2 / clusters;
  return wilsonEnds(value, 1 / squared, 1);
}
