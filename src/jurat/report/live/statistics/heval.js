// HEval's scores and profile, and what its scores go with, as `jurat.stats.heval` has them.

const HEVAL_MOST = 40;
const FEWEST_SENTENCES = 3;
const FEWEST_UNITS = 6;

const ofHeval = (names, make) => computes("heval", names, (kept, settings) => make(kept, { ...settings, sign: 1 }));

// Groups of rows by some keys, in the order of these; `of` gives a row its codes.
function groupsOfRows(rows, of) {
  const groups = new Map();
  rows.forEach((row, n) => {
    const codes = of(row, n);
    const name = codes.join(" ");
    if (!groups.has(name)) groups.set(name, { codes, places: [] });
    groups.get(name).places.push(n);
  });
  const order = (a, b) => a.codes.map((code, n) => code - b.codes[n]).find(Boolean) ?? 0;
  return [...groups.values()].sort(order);
}

// A column by which means are grouped: its name, the code of a row, and its names.
function keyOf(table, name) {
  const own = { system: [table.system, table.systems], judge: [table.judge, table.judges], document: [table.document, table.documents] };
  const [codes, names] = own[name] ?? [table.told[name].codes, table.told[name].names];
  return { name, codes, names };
}

const namesOf = (keys, codes) => Object.fromEntries(keys.map(({ name, names }, n) => [name, names[codes[n]]]));

// The mean of each group of rows, for new documents and judges; of a judge's own, documents vary.
function heldMeans(kept, names, top, { confidence }) {
  const { table, rows } = kept;
  if (!rows.length) return [];
  const scores = kept.once(scoreTable);
  const keys = names.map((name) => keyOf(table, name));
  const alone = names.includes("judge") ? { ...scores, judge: null } : scores;
  return groupsOfRows(rows, (row) => keys.map(({ codes }) => codes[row])).map(({ codes, places }) => {
    const found = mean(scores.values, places, clustersOf(alone, places), confidence);
    const within = (end) => Math.min(Math.max(end, 0), top);
    return { by: namesOf(keys, codes), value: found.value, low: within(found.low), high: within(found.high), n: places.length };
  });
}

// What the first table of the section shows of each system, best first.
function scoreRows(kept, settings) {
  return bestFirst(heldMeans(kept, ["system"], 1, settings)).map((row) => ({ ...row, system: row.by.system }));
}

ofHeval(["heval-score"], (kept, settings) => ({ "heval-score": [...heldMeans(kept, ["system"], 1, settings), ...heldMeans(kept, ["judge", "system"], 1, settings)] }));

ofHeval(["heval-feature"], (kept, settings) => {
  const { table } = kept;
  const answers = kept.part("answers");
  if (!answers) return {};
  const found = heldMeans(answers, ["system", "feature"], table.top, settings);
  const systems = [...new Set(found.map(({ by }) => by.system))];
  const none = { ...NOTHING, n: 0 };
  return { "heval-feature": systems.flatMap((system) => table.features.map((feature) => found.find(({ by }) => by.system === system && by.feature === feature) ?? { ...none, by: { system, feature } })) };
});

// The rows of sentences that have a construct.
function withConstruct(kept) {
  const { names, codes } = kept.table.told.construct;
  return new Kept(kept.table, kept.rows.filter((row) => names[codes[row]] !== ""));
}

ofHeval(["heval-construct", "heval-construct-feature"], (kept, settings) => {
  const answers = kept.part("answers");
  if (!kept.table.told.construct || !answers) return {};
  return {
    "heval-construct": heldMeans(withConstruct(kept), ["construct", "system"], 1, settings),
    "heval-construct-feature": heldMeans(withConstruct(answers), ["construct", "system", "feature"], kept.table.top, settings),
  };
});

// Means of documents and of sentences, of documents with Student's interval over their scores.
function placedMeans(kept, names, ends, { confidence }) {
  const { table, rows } = kept;
  const keys = names.map((name) => keyOf(table, name));
  return groupsOfRows(rows, (row) => keys.map(({ codes }) => codes[row])).map(({ codes, places }) => {
    const own = places.map((place) => table.values[rows[place]]);
    const value = meanOver(own);
    const far = ends && own.length > 1 ? (tReach(confidence, own.length - 1) * Math.sqrt(total(own.map((one) => (one - value) ** 2)) / (own.length - 1))) / Math.sqrt(own.length) : NaN;
    return { by: namesOf(keys, codes), value, low: value - far, high: value + far, n: own.length };
  });
}

for (const [level, places] of [["document", ["document"]], ["segment", ["document", "segment"]]]) {
  const name = `heval-score-${level}`;
  ofHeval([name], (kept, settings) => {
    const { table } = kept;
    const known = places.filter((place) => (place === "document" ? table.document : table.told[place]));
    if (!known.includes(level)) return {};
    const keys = ["system", ...known];
    return { [name]: [...placedMeans(kept, keys, level === "document", settings), ...placedMeans(kept, ["judge", ...keys], level === "document", settings)] };
  });
}

// The sentence scores of each judge alone.
function keptOfJudges(kept) {
  const { table, rows } = kept;
  const there = [...new Set(Array.from(rows, (row) => table.judge[row]))].sort((a, b) => a - b);
  return there.map((code) => ({ judge: table.judges[code], own: new Kept(table, rows.filter((row) => table.judge[row] === code)) }));
}

ofHeval(["system-best", "system-best-count"], (kept, settings) => {
  const found = bestSystems(kept, settings);
  for (const { judge, own } of kept.once(keptOfJudges)) {
    for (const [name, rows] of Object.entries(bestSystems(own, settings))) found[name].push(...rows.map((row) => ({ ...row, by: { ...row.by, judge } })));
  }
  return found;
});

ofHeval(["best-agreement"], agreementOnBest);
ofHeval(["rank-agreement"], agreementOnRanks);

// Sentence scores with the answer to another question: the judge's own, else the mean of all.
function comparedScores(kept, question, judge = null) {
  const { table, rows } = kept;
  const other = kept.part("compared");
  const { codes } = other.table.told.question;
  const key = (from, row) => `${from.systems[from.system[row]]} ${from.item[row]}`;
  const name = (from, row) => from.judges[from.judge[row]];
  const means = new Map();
  const own = new Map();
  for (const row of other.rows) {
    if (codes[row] !== question) continue;
    const place = key(other.table, row);
    means.set(place, [...(means.get(place) ?? []), other.table.values[row]]);
    if (other.table.judge) own.set(`${place} ${name(other.table, row)}`, other.table.values[row]);
  }
  const joined = Array.from(rows).filter((row) => means.has(key(table, row)) && (judge === null || name(table, row) === judge));
  const answer = (row) => own.get(`${key(table, row)} ${name(table, row)}`) ?? meanOver(means.get(key(table, row)));
  if (judge !== null) return joined.map((row) => ({ row, x: table.values[row], y: answer(row) }));
  const groups = new Map();
  for (const row of joined) groups.set(key(table, row), [...(groups.get(key(table, row)) ?? []), row]);
  return [...groups].map(([place, own]) => ({ row: own[0], x: meanOver(own.map((row) => table.values[row])), y: meanOver(means.get(place)) }));
}

// Correlations of each system's sentences, documents or sentences being left out.
function correlatedSystems(kept, pairs, by, settings) {
  const { table } = kept;
  const rows = Int32Array.from(pairs, ({ row }) => row);
  const { codes: item, number: items } = numbered(taken(table.sentence, rows, Int32Array));
  const units = unitsOf(table, { rows, item, items });
  const systems = [...new Set(Array.from(rows, (row) => table.system[row]))].sort((a, b) => a - b);
  return systems.map((system) => {
    const places = pairs.map((_, n) => n).filter((n) => table.system[rows[n]] === system);
    const [x, y] = ["x", "y"].map((side) => places.map((n) => pairs[n][side]));
    const unit = Int32Array.from(places, (n) => (units ? units.codes[item[n]] : item[n]));
    return { by: { ...by, system: table.systems[system] }, n: places.length, ...correlatedSentences(x, y, unit, settings) };
  });
}

function correlatedSentences(x, y, unit, { confidence }) {
  if (x.length < FEWEST_SENTENCES) return { r: NOTHING, rho: NOTHING };
  const [dx, dy] = [centredOnMean(x), centredOnMean(y)];
  const units = numbered(unit);
  const rows = Array.from({ length: units.number }, () => new Float64Array(6));
  dx.forEach((_, n) => momentsOf(dx, dy, [n]).forEach((one, k) => (rows[units.codes[n]][k] += one)));
  const sizes = Array.from(countsOf(units.codes, units.number));
  const whole = summedRows(6, rows);
  const groups = groupedRows(rows, 6);
  const leftOut = groups.map((row) => pearsonOfSums(whole.map((one, k) => one - row[k])));
  const found = leftOutInterval({ value: pearsonOfSums(whole), leftOut, alike: equalUnits(sizes), confidence });
  const r = { ...found, p: units.number < FEWEST_UNITS ? NaN : (found.p ?? NaN) };
  const [ofX, ofY] = [x, y].map((side) => alike(side, Math.max(...side.map(Math.abs))));
  const ranks = (kept) => [spearman(ofX.filter((_, n) => kept(n)), ofY.filter((_, n) => kept(n)))];
  return { r, rho: leftOutByGroup(ranks, unit, HEVAL_MOST, { confidence })[0] };
}

ofHeval(["heval-correlation", "heval-spearman", "heval-correlation-p"], (kept, settings) => {
  const other = kept.part("compared");
  if (!other || kept.table.bySegment) return {};
  const { names } = other.table.told.question;
  const judges = kept.once(keptOfJudges).map(({ judge }) => judge);
  const found = names.flatMap((question, code) => [null, ...judges].flatMap((judge) => correlatedSystems(kept, comparedScores(kept, code, judge), { with: question, ...(judge !== null && { judge }) }, settings)));
  const rows = (of) => found.map(({ by, n, ...one }) => ({ by, n, low: NaN, high: NaN, ...of(one) }));
  return {
    "heval-correlation": rows(({ r: { value, low, high } }) => ({ value, low, high })),
    "heval-spearman": rows(({ rho: { value, low, high } }) => ({ value, low, high })),
    "heval-correlation-p": rows(({ r }) => ({ value: r.p })),
  };
});
