// How often each system is best on a sentence, and whether judges agree on best and ranks, as
// `jurat.stats.systems.sentence_ranks` has it.

// Ranks (1 is best, NaN where not judged) of each ranking, and what it is about.
function sentenceRanks(kept, { sign }) {
  if (kept.table.first) return comparedRanks(kept.once(comparedOf));
  const { systems, means, sentence, document, judge } = kept.once(jointScores);
  return { systems, sentence, document, judge, ranks: means.map((own) => placesOf(own.map((one) => sign * one))) };
}

// Ranks by the number of systems that were preferred to it in the same ranking.
function comparedRanks({ table, rows, names, sentence, place, judge, hasJudges, sides, shown }) {
  const rankings = new Map();
  rows.forEach((row, n) => {
    const code = table.ranking[row];
    if (!rankings.has(code)) rankings.set(code, { code, n, score: names.map(() => NaN) });
    const { score } = rankings.get(code);
    const [first, second] = [sides[0][n], sides[1][n]];
    for (const side of [first, second]) if (Number.isNaN(score[side])) score[side] = 0;
    if (shown[n] < TIE) score[shown[n] === 0 ? second : first]--;
  });
  const sorted = [...rankings.values()].sort((a, b) => a.code - b.code);
  const at = (codes) => Int32Array.from(sorted, ({ n }) => codes[n]);
  return { systems: names, sentence: at(sentence.codes), document: at(place), judge: hasJudges ? at(judge.codes) : null, ranks: sorted.map(({ score }) => placesOf(score)) };
}

const isBest = (rank) => (rank === 1 ? 1 : 0);

function bestSystems(kept, settings) {
  const { systems, document, judge, ranks } = kept.once(sentenceRanks, settings);
  const size = systems.length;
  const units = new ResamplingUnits(document, judge);
  const rows = units.sums(2 * size, (own, n) => {
    const best = total(ranks[n].map(isBest));
    ranks[n].forEach((rank, at) => {
      own[at] += isBest(rank) / best;
      own[size + at] += Number.isNaN(rank) ? 0 : 1;
    });
  });
  const score = (totals) => systems.map((_, at) => totals[at] / totals[size + at]);
  const n = systems.map((_, at) => total(rows.map((row) => row[size + at])));
  const shares = ofSystems(systems, units.intervals(rows, score, settings.confidence, true), n);
  const counted = ({ by, value, low, high, n: times }) => ({ by, value: value * times, low: low * times, high: high * times, n: times });
  return { "system-best": shares, "system-best-count": shares.map(counted) };
}

// The first rankings of judges who compared the same systems of a sentence; null if none. A sentence
// counts as several where they compared different ones.
function repeatedRanks(kept, settings) {
  const { systems, sentence, document, judge, ranks } = kept.once(sentenceRanks, settings);
  if (!judge) return null;
  const seen = new Set();
  const groups = new Map();
  ranks.forEach((own, n) => {
    const who = `${sentence[n]} ${judge[n]}`;
    // a judge's second ranking of a sentence belongs to self-agreement
    if (seen.has(who)) return;
    seen.add(who);
    const key = `${sentence[n]} ${own.map(Number.isNaN)}`;
    if (!groups.has(key)) groups.set(key, { document: document[n], ranks: [] });
    groups.get(key).ranks.push(own);
  });
  const several = [...groups.values()].filter((one) => one.ranks.length > 1);
  return several.length ? { systems, several } : null;
}

// Pairs of equal answers, and all pairs.
function pairsAlike(answers) {
  const counts = new Map();
  for (const one of answers) counts.set(one, (counts.get(one) ?? 0) + 1);
  const pairs = (n) => (n * (n - 1)) / 2;
  return [total([...counts.values()].map(pairs)), pairs(answers.length)];
}

// Shares of pairs of judges who say the same, `answers` giving what each says, column by column.
function shareAlike(repeated, width, answers, confidence) {
  const { several } = repeated;
  const units = new ResamplingUnits(Int32Array.from(several, ({ document }) => document));
  const rows = units.sums(2 * width, (own, n) => {
    answers(several[n].ranks).forEach((column, at) => {
      const [same, pairs] = pairsAlike(column);
      own[at] += same;
      own[width + at] += pairs;
    });
  });
  const score = (totals) => Array.from({ length: width }, (_, at) => totals[at] / totals[width + at]);
  const n = Array.from({ length: width }, (_, at) => total(rows.map((row) => row[width + at])));
  return units.intervals(rows, score, confidence, true).map((one, at) => ({ ...one, n: n[at] }));
}

function agreementOnBest(kept, settings) {
  const repeated = kept.once(repeatedRanks, settings);
  if (!repeated) return { "best-agreement": [{ by: {}, ...NOTHING, n: 0 }] };
  const bests = (ranks) => [ranks.map((own) => `${own.map(isBest)}`)];
  return { "best-agreement": shareAlike(repeated, 1, bests, settings.confidence).map((one) => ({ by: {}, ...one })) };
}

function agreementOnRanks(kept, settings) {
  const { systems } = kept.once(sentenceRanks, settings);
  const repeated = kept.once(repeatedRanks, settings);
  const ofSystem = (at) => (ranks) => ranks.map((own) => own[at]).filter((rank) => !Number.isNaN(rank));
  const columns = (ranks) => systems.map((_, at) => ofSystem(at)(ranks));
  const found = repeated ? shareAlike(repeated, systems.length, columns, settings.confidence) : systems.map(() => ({ ...NOTHING, n: 0 }));
  return { "rank-agreement": ofSystems(systems, found, found.map(({ n }) => n)) };
}

computes("systems", ["system-best", "system-best-count"], bestSystems);
computes("systems", ["best-agreement"], agreementOnBest);
computes("systems", ["rank-agreement"], agreementOnRanks);
