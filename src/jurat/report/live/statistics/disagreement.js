// Where judges disagree: who agrees least, and which items are contested, as
// `jurat.stats.agreement.disagreement` has it.

const ENDS = ["minimum", "mean", "maximum"];
const FEWEST_PAIRS = 10;
const MOST_CONTESTED = 20;
const MOST_RANKED_ANEW = 200;

// The lowest, mean and highest share of equal judgments of judges, pairs of judges or systems.
function endsOfShares(over, names, equal, n) {
  const few = n.some((one) => one >= FEWEST_PAIRS) ? FEWEST_PAIRS : 1;
  const kept = names.map((name, at) => ({ name, n: n[at], share: equal[at] / n[at] })).filter((one) => one.n >= few);
  const shares = kept.map(({ share }) => share);
  const [low, high] = [Math.min(...shares), Math.max(...shares)];
  const whose = (value) => kept.find(({ share }) => share === value)?.name ?? "";
  const values = { minimum: low, mean: meanOver(shares), maximum: high };
  const row = (end) => ({ by: { over }, value: kept.length ? values[end] : NaN, low: NaN, high: NaN, n: kept.length, side: end === "mean" ? "" : whose(values[end]) });
  return Object.fromEntries(ENDS.map((end) => [end, row(end)]));
}

ofNamedJudges(ENDS.map((end) => `agreement-${end}`), (ratings, kept) => {
  const pairs = judgePairs(ratings);
  const same = pairs.map(({ first, second }) => first.filter((code, i) => code === second[i]).length);
  const names = pairs.map(({ by }) => `${by.judge_a} and ${by.judge_b}`);
  const ofJudge = (name, sums) => total(pairs.map(({ by }, at) => (by.judge_a === name || by.judge_b === name ? sums[at] : 0)));
  const n = pairs.map((pair) => pair.n);
  const found = [
    endsOfShares("judges", ratings.judges, ratings.judges.map((name) => ofJudge(name, same)), ratings.judges.map((name) => ofJudge(name, n))),
    endsOfShares("pairs", names, same, n),
  ];
  if (kept.table.system) found.push(sharesOfSystems(kept));
  return Object.fromEntries(ENDS.map((end) => [`agreement-${end}`, found.map((one) => one[end])]));
});

function sharesOfSystems(kept) {
  const { table } = kept;
  const counts = kept.once(firstCounts);
  const { item, items } = kept.once(firstRatings);
  const own = numbered(taken(table.system, kept.once(firstRows), Int32Array));
  const of = new Int32Array(items);
  const names = [];
  item.forEach((place, n) => {
    of[place] = own.codes[n];
    names[own.codes[n]] = table.systems[table.system[kept.once(firstRows)[n]]];
  });
  const sums = (column) => {
    const made = new Array(own.number).fill(0);
    of.forEach((system, place) => (made[system] += column[counts.kind[place]]));
    return made;
  };
  return endsOfShares("systems", names, sums(counts.equal), sums(counts.pairs));
}

// The spread of every item that has two judgments; of words the share of unequal pairs.
function itemSpreads(kept) {
  const counts = kept.once(firstCounts);
  const sums = counts.nominal ? counts.pairs.map((n, kind) => n - counts.equal[kind]) : counts.apart(counts.places);
  const which = Array.from(counts.kind, (_, item) => item).filter((item) => counts.paired[counts.kind[item]]);
  const means = counts.meanPerPair(sums);
  const distance = alike(which.map((item) => means[counts.kind[item]]), sums.reduce((most, one) => Math.max(most, one), 0));
  return { which, distance };
}

computes("agreement", ["item-spread"], (kept) => {
  const { table } = kept;
  if (!table.items) return {};
  const counts = kept.once(firstCounts);
  const { item } = kept.once(firstRatings);
  const { which, distance } = kept.once(itemSpreads);
  const names = [];
  kept.once(firstRows).forEach((row, n) => (names[item[n]] = table.items[table.item[row]]));
  const order = distance.map((_, at) => at).sort((a, b) => distance[b] - distance[a] || a - b);
  const rows = order.slice(0, MOST_CONTESTED).map((at) => ({ by: { item: names[which[at]] }, value: distance[at], low: NaN, high: NaN, n: counts.size[counts.kind[which[at]]] }));
  return { "item-spread": rows };
});

computes("agreement", ["spread-correlation"], (kept, settings) => {
  const { table } = kept;
  const counts = kept.once(firstCounts);
  const { item, items, units } = kept.once(firstRatings);
  const { which, distance } = kept.once(itemSpreads);
  const correlated = (name, values) => {
    const known = which.map((_, at) => at).filter((at) => values && !Number.isNaN(values[which[at]]));
    const own = known.map((at) => [distance[at], values[which[at]]]);
    const unit = Int32Array.from(known, (at) => (units ? units.codes[which[at]] : which[at]));
    const rho = (there) => {
      const left = own.filter((_, n) => there(n));
      return [spearman(left.map(([one]) => one), left.map(([, other]) => other))];
    };
    const [found] = leftOutByGroup(rho, unit, MOST_RANKED_ANEW, settings);
    return { by: { with: name }, ...found, n: known.length };
  };
  const lengths = table.lengths && new Float64Array(items).fill(NaN);
  if (lengths) kept.once(firstRows).forEach((row, n) => (lengths[item[n]] = table.lengths[row]));
  return { "spread-correlation": [correlated("quality", itemMeans(counts)), correlated("length", lengths)] };
});

// The mean answer to each item; of words there is none.
function itemMeans(counts) {
  if (counts.nominal) return null;
  const sums = counts.perItem(counts.cells((n, code) => n * counts.places[code]));
  const means = alike(sums.map((one, kind) => one / counts.size[kind]), counts.places.reduce((most, one) => Math.max(most, Math.abs(one)), 0));
  return Array.from(counts.kind, (kind) => means[kind]);
}
