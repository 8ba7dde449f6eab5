// How often systems were better than each other, from scores given together or from comparisons, as
// `jurat.stats.systems.win_counts` has it.

// The scores given together, by a judge to a sentence, or to a sentence if that is rare: rows of a
// mean for each system, NaN where there is none.
function jointScores(kept) {
  const table = kept.once(scoreTable);
  return (table.judge && jointByJudge(table)) ?? jointBySentence(table);
}

function jointBySentence(table) {
  const { means } = cellMeans(table, table.sentence);
  const rows = [...means].map(([sentence, own]) => ({ sentence, own })).filter(({ own }) => systemsIn(own) > 1);
  return jointRows(table, rows, false, table.judge && table.judges > 1 && !table.bySegment);
}

// By judge and sentence, if a judge scored other outputs too in half of the judgments.
function jointByJudge(table) {
  const { sentence, judge, judges, judgment, system } = table;
  const group = Float64Array.from(sentence, (one, n) => one * judges + judge[n]);
  const seen = new Set();
  const once = [];
  group.forEach((_, n) => {
    if (judgment && seen.has(judgment[n])) return;
    if (judgment) seen.add(judgment[n]);
    once.push(n);
  });
  const known = new Map();
  for (const n of once) known.set(group[n], (known.get(group[n]) ?? new Set()).add(system[n]));
  const several = once.filter((n) => known.get(group[n]).size > 1).length;
  if (!(once.length && 2 * several >= once.length)) return null;
  const { means } = cellMeans(table, group);
  const rows = [...means].map(([key, own]) => ({ sentence: Math.floor(key / judges), judge: key % judges, own })).filter(({ own }) => systemsIn(own) > 1);
  return jointRows(table, rows, true, false);
}

const systemsIn = (own) => own.filter((one) => !Number.isNaN(one)).length;

// Means of each group of rows by system, the groups in the order of their numbers.
function cellMeans({ systems, system, values }, group) {
  const sums = new Map();
  group.forEach((key, n) => {
    if (!sums.has(key)) sums.set(key, { sum: new Float64Array(systems.length), n: new Float64Array(systems.length) });
    const own = sums.get(key);
    own.sum[system[n]] += values[n];
    own.n[system[n]]++;
  });
  const sorted = [...sums].sort(([a], [b]) => a - b);
  return { means: new Map(sorted.map(([key, { sum, n }]) => [key, sum.map((one, at) => (n[at] ? one / n[at] : NaN))])) };
}

function jointRows(table, rows, byJudge, averaged) {
  const documents = new Int32Array(table.sentences);
  table.sentence.forEach((code, n) => (documents[code] = table.document[n]));
  return {
    systems: table.systems,
    means: rows.map(({ own }) => own),
    sentence: Int32Array.from(rows, ({ sentence }) => sentence),
    document: Int32Array.from(rows, ({ sentence }) => documents[sentence]),
    judge: byJudge ? Int32Array.from(rows, ({ judge }) => judge) : null,
    averaged,
  };
}

// Wins of a over b and ties of two, a before b, summed by what is left out for intervals: cells of
// S² wins, then S² ties.
function winCounts(kept, settings) {
  const made = kept.table.first ? countedComparisons(kept) : countedScores(kept, settings);
  const size = made.systems.length;
  const whole = summedRows(2 * size * size, made.rows);
  const wins = squareOf(whole, size, 0);
  const ties = squareOf(whole, size, 1);
  const tied = ties.map((row, a) => row.map((one, b) => one + ties[b][a]));
  const met = wins.map((row, a) => total(row.map((one, b) => one + wins[b][a] + tied[a][b])));
  return { ...made, wins, ties: tied, met };
}

function countedScores(kept, { sign }) {
  const { systems, means, document, judge } = kept.once(jointScores);
  const size = systems.length;
  const units = new ResamplingUnits(document, judge, 2 * size * size);
  const rows = units.sums(2 * size * size, (own, n) => {
    for (let a = 0; a < size; a++) {
      for (let b = 0; b < size; b++) {
        const apart = sign * (means[n][a] - means[n][b]);
        if (apart > 0) own[a * size + b]++;
        else if (apart === 0 && a < b) own[size * size + a * size + b]++;
      }
    }
  });
  return { systems, units, rows };
}

// Part `at` of totals as a table of systems by systems.
const squareOf = (totals, size, at) => Array.from({ length: size }, (_, a) => Array.from(totals.slice((at * size + a) * size, (at * size + a + 1) * size)));

// The shares of wins of every two, NaN where there are none.
const winShares = (wins) => wins.map((row, a) => row.map((one, b) => one / (one + wins[b][a])));

// The mean share over the other systems that one met: WMT's expected wins.
function expectedWins(shares) {
  return shares.map((row) => {
    const known = row.filter((one) => !Number.isNaN(one));
    return total(known) / known.length;
  });
}

// What is left out for the interval of comparisons: their document, sentence or item; else each.
function comparedPlace({ table, rows, sentence, item }) {
  const document = table.document && numbered(taken(table.document, rows, Int32Array));
  const found = [document, sentence, table.item && item].find((one) => one && one.number > 1);
  return found ? found.codes : Int32Array.from(rows, (_, n) => n);
}

// The comparisons that are kept, with the systems that they are between numbered without gaps.
function comparedOf({ table, rows }) {
  const part = comparisonsOf(table, rows);
  const place = new Map(part.systems.map((code, n) => [code, n]));
  const side = (codes) => Int32Array.from(rows, (row) => place.get(codes[row]));
  return { ...part, place: comparedPlace(part), sides: [side(table.first), side(table.second)], names: part.systems.map((code) => table.systems[code]) };
}

function countedComparisons(kept) {
  const { names, place, sides, shown, judge, hasJudges } = kept.once(comparedOf);
  const size = names.length;
  const units = new ResamplingUnits(place, hasJudges ? judge.codes : null, 2 * size * size);
  const rows = units.sums(2 * size * size, (own, n) => {
    const [first, second] = [sides[0][n], sides[1][n]];
    if (shown[n] >= TIE) own[size * size + Math.min(first, second) * size + Math.max(first, second)]++;
    else own[shown[n] === 0 ? first * size + second : second * size + first]++;
  });
  return { systems: names, units, rows };
}

// Systems that judges compared: in the order of their expected wins, with tests of every two.
function comparedSystems(kept, settings) {
  const part = kept.once(comparedOf);
  const { systems, met, wins } = kept.once(winCounts, settings);
  const means = kept.once(winRates, settings).slice(0, systems.length);
  const tested = new Map(testedPairs(part, pairsOfSystems(part), settings.confidence).map((one) => [one.code, one]));
  const found = [];
  for (let a = 0; a < systems.length; a++) {
    for (let b = a + 1; b < systems.length; b++) {
      const code = part.systems[a] * part.table.systems.length + part.systems[b];
      found.push({ a, b, ...(tested.get(code) ?? { ...NOTHING, n: 0 }) });
    }
  }
  const corrected = ["p", "these"].map((test) => holm(found.map((pair) => pair[test])));
  const pairs = found.map((pair, n) => ({ ...pair, p: corrected[0][n], these: corrected[1][n] }));
  const scores = means.map(({ value }) => value);
  const decided = wins.map((row, a) => total(row.map((one, b) => one + wins[b][a])));
  return { system: systems, means, adjusted: scores, n: decided, met, ...ranked(scores, pairs, 1, settings.confidence) };
}

// Expected wins of every system, then the share of wins of every two, with intervals.
function winRates(kept, settings) {
  const { units, rows, systems } = kept.once(winCounts, settings);
  const score = (totals) => {
    const shares = winShares(squareOf(totals, systems.length, 0));
    return [...expectedWins(shares), ...shares.flat()];
  };
  return units.intervals(rows, score, settings.confidence, true);
}
