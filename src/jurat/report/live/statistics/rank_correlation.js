// Spearman's ρ and Kendall's τ of every two judges, in the mean over pairs of judges, as
// `jurat.stats.agreement.judge_correlation` has them.

const RANKED_ANEW = { pairs: 100000, fewest: 20, most: 100, cells: 2 ** 23 };

const definedMean = (values) => meanOver(values.filter((value) => !Number.isNaN(value)));
const spearmanOf = ({ first, second }) => [spearman(first, second)];

function kendallOf({ first, second }) {
  // of the points that occur alone: two judges share few of a long scale
  const counts = kendallCounts(numbered(first).codes, numbered(second).codes);
  return [tauB(counts), tauC(counts)];
}

// Means over the pairs of what `of` gives for a pair, with intervals from leaving out each unit.
function meansOfPairs(pairs, of, settings, pseudo = false) {
  const answers = total(pairs.map(({ n }) => n));
  const starts = pairs.map(() => 0);
  for (let n = 1; n < pairs.length; n++) starts[n] = starts[n - 1] + pairs[n - 1].n;
  const values = (kept) => {
    const found = pairs.flatMap(({ first, second }, n) => {
      const there = first.map((_, i) => i).filter((i) => kept(starts[n] + i));
      return there.length ? [of({ first: there.map((i) => first[i]), second: there.map((i) => second[i]) })] : [];
    });
    return of({ first: [], second: [] }).map((_, at) => definedMean(found.map((one) => one[at])));
  };
  const unit = Int32Array.from(pairs.flatMap((pair) => pair.unit));
  if (!(answers <= RANKED_ANEW.pairs)) return values(() => true).map((value) => ({ value, low: NaN, high: NaN }));
  const often = Math.max(RANKED_ANEW.fewest, Math.floor((2 * RANKED_ANEW.pairs) / answers));
  return leftOutByGroup(values, unit, Math.min(RANKED_ANEW.most, often), settings, pseudo);
}

// The means with wider intervals where cases are few.
function rankMeans(ratings, rare, of, settings) {
  const pairs = judgePairs(ratings);
  if (!pairs.length) return { found: of({ first: [], second: [] }).map(() => NOTHING), pairs };
  const found = meansOfPairs(pairs, of, settings);
  if (shareTooFew(pairs.map(({ unit }) => ({ cells: [...new Set(unit)].map((one) => ({ unit: one })) })))) return { found: found.map(withoutEnds), pairs };
  if (!rare.widensDistances) return { found, pairs };
  const last = pairs.reduce((most, { unit }) => Math.max(most, highest(unit)), -1);
  const wide = meansOfPairs(pairsWithPseudoItems(pairs, ratings.places, last + 1, squared), of, settings, true);
  return { found: found.map((one, at) => (Number.isNaN(one.value) ? one : widest(one, wide[at]))), pairs };
}

const defined = (pairs, of, at) => pairs.filter((pair) => !Number.isNaN(of(pair)[at])).length;

ofNamedJudges(["spearman-mean"], (ratings, kept, settings) => {
  if (ratings.nominal) return {};
  const { found, pairs } = rankMeans(ratings, kept.once(firstRarity), spearmanOf, settings);
  return { "spearman-mean": [{ by: {}, ...found[0], n: defined(pairs, spearmanOf, 0) }] };
});

ofNamedJudges(["kendall-mean"], (ratings, kept, settings) => {
  if (ratings.nominal || judgePairs(ratings).length * ratings.places.length ** 2 > RANKED_ANEW.cells) return {};
  const { found, pairs } = rankMeans(ratings, kept.once(firstRarity), kendallOf, settings);
  return { "kendall-mean": ["b", "c"].map((form, at) => ({ by: { form }, ...found[at], n: defined(pairs, kendallOf, at) })) };
});
