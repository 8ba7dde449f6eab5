// How a judge answers: the same in a row, on little of the scale, in its middle, or too fast, as
// `jurat.stats.judges.answer_patterns` has it.

const LEVEL = 0.05;
const allRatings = ({ table, rows }) => ratingsOf(table, rows);

// Results of the judges of a question; `make` gives rows of estimates from all of their answers.
function ofAllAnswers(names, make) {
  computes("judges", names, (kept, settings) => {
    const ratings = kept.once(allRatings);
    return ratings.judges.length ? make(ratings, settings, kept) : {};
  });
}

// Estimates of every judge, those that `out` marks first.
const ofJudges = (judges, rows, out) => byOutlier(rows.map((row, code) => ({ low: NaN, high: NaN, ...row, by: { judge: judges[code] }, out: Boolean(out[code]) })));

// How often each judge gave each answer.
function answersByJudge({ judge, judges, code, places }) {
  const made = judges.map(() => new Float64Array(places.length));
  judge.forEach((one, n) => made[one][code[n]]++);
  return made;
}

function entropyOf(counts) {
  const whole = total(counts);
  return Math.abs(total(Array.from(counts, (n) => (n ? (n / whole) * Math.log2(n / whole) : 0))));
}

ofAllAnswers(["judge-entropy"], (ratings, { k }) => {
  const counts = answersByJudge(ratings);
  const values = counts.map(entropyOf);
  const out = isOutlying(values, (away, deviation) => -away > k * deviation);
  return { "judge-entropy": ofJudges(ratings.judges, values.map((value, code) => ({ value, n: total(counts[code]) })), out) };
});

// Hits and cases of every judge by unit, or by group of very many units.
function sharesOfJudges({ judge, judges, item, units, items }, hits, settings) {
  const number = units?.number ?? items;
  const groups = groupsOfUnits(number, 2 * judges.length);
  const table = () => judges.map(() => new Array(groups).fill(0));
  const [hit, cases] = [table(), table()];
  judge.forEach((one, n) => {
    const group = (units ? units.codes[item[n]] : item[n]) % groups;
    cases[one][group]++;
    hit[one][group] += Number(hits[n]);
  });
  return judges.map((_, code) => shareByUnit({ hits: hit[code], cases: cases[code] }, settings));
}

ofAllAnswers(["judge-middle-share"], (ratings, settings) => {
  const { values, judge, judges, nominal } = ratings;
  if (nominal) return {};
  const [low, high] = [Math.min(...ratings.places), Math.max(...ratings.places)];
  const third = (high - low) / 3;
  // a point on the border, as 3 and 5 of 1 to 7, belongs to the outer thirds
  const slack = 1e-9 * third;
  const shares = sharesOfJudges(ratings, values.map((one) => (one > low + third + slack && one < high - third - slack ? 1 : 0)), settings);
  const out = isOutlying(shares.map(({ value }) => value), (away, deviation) => away > settings.k * deviation);
  const n = countsOf(judge, judges.length);
  return { "judge-middle-share": ofJudges(judges, shares.map((one, code) => ({ ...one, n: n[code] })), out) };
});

// The probability of a run of at least this length among so many answers, given at random.
function chanceOfRun(length, answers, shares) {
  const runs = total(Array.from(shares, (p) => p ** length * (1 + Math.max(answers - length, 0) * (1 - p))));
  return -Math.expm1(-runs);
}

ofAllAnswers(["judge-longest-run"], (ratings, _, { table, rows }) => {
  if (!table.turn) return {};
  const { judge, judges, code } = ratings;
  const counts = answersByJudge(ratings);
  const all = summedRows(ratings.places.length, counts).map((n) => n / rows.length);
  const longest = placesBy(judge, judges.length).map((own) => {
    own.sort((a, b) => table.turn[rows[a]] - table.turn[rows[b]]);
    let [most, length] = [0, 0];
    own.forEach((n, at) => {
      length = at && code[own[at - 1]] === code[n] ? length + 1 : 1;
      most = Math.max(most, length);
    });
    return most;
  });
  const chance = longest.map((length, one) => {
    const n = total(counts[one]);
    const own = counts[one].map((count) => count / n);
    // by their own shares a run of all answers would be certain
    return chanceOfRun(length, n, Math.max(...own) === 1 ? all : own);
  });
  return { "judge-longest-run": ofJudges(judges, longest.map((value, one) => ({ value, n: total(counts[one]) })), chance.map((p) => p < LEVEL)) };
});

// The answers whose time is known, and log seconds of each beyond those of the others of the item.
function timedAnswers({ table, rows }) {
  const known = rows.filter((row) => table.seconds[row] > 0);
  const ratings = ratingsOf(table, known);
  const { item, items, judge, judges } = ratings;
  const logs = known.length ? Array.from(known, (row) => Math.log(table.seconds[row])) : [];
  const [sums, counts] = [new Float64Array(items), new Float64Array(items)];
  const own = new Map();
  logs.forEach((log, n) => {
    const key = item[n] * judges.length + judge[n];
    const cell = own.get(key) ?? { sum: 0, n: 0 };
    own.set(key, { sum: cell.sum + log, n: cell.n + 1 });
    sums[item[n]] += log;
    counts[item[n]]++;
  });
  const away = logs.map((log, n) => {
    const cell = own.get(item[n] * judges.length + judge[n]);
    const others = counts[item[n]] - cell.n;
    return others > 0 ? log - (sums[item[n]] - cell.sum) / others : NaN;
  });
  return { ratings, away, seconds: taken(table.seconds, known, Float64Array) };
}

function middleOf(numbers) {
  const sorted = Float64Array.from(numbers).sort();
  const last = sorted.length - 1;
  return (sorted[Math.floor(last / 2)] + sorted[Math.ceil(last / 2)]) / 2;
}

computes("judges", ["judge-seconds", "judge-pace"], (kept, settings) => {
  if (!kept.table.seconds || !kept.table.judge) return {};
  const { ratings, away, seconds } = kept.once(timedAnswers);
  const { judges, judge } = ratings;
  // where nobody shares an item, lengths of texts tell the pace, which this page does not know
  if (!away.some((one) => !Number.isNaN(one))) return {};
  const known = away.map((one) => (Number.isNaN(one) ? 0 : 1));
  const score = ([n, sum]) => [n > 0 ? sum / n : NaN];
  const logs = judgeIntervals(ratings, [known, away.map((one) => (Number.isNaN(one) ? 0 : one))], score, settings).map(([one]) => one);
  const n = judges.map((_, code) => total(known.filter((__, at) => judge[at] === code)));
  const each = placesBy(judge, judges.length);
  const out = isOutlying(logs.map(({ value }) => value), (gone, deviation) => -gone > settings.k * deviation);
  const paces = logs.map(({ value, low, high }, code) => ({ value: Math.exp(value), low: Math.exp(low), high: Math.exp(high), n: n[code] }));
  const medians = each.map((own) => ({ value: middleOf(own.map((at) => seconds[at])), n: own.length }));
  return { "judge-seconds": ofJudges(judges, medians, out), "judge-pace": ofJudges(judges, paces, judges.map(() => false)) };
});
