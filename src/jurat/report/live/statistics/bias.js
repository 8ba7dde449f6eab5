// Judges in groups by what they saw: means, differences, and agreement within and across groups, as
// `jurat.stats.bias` has them. Tests that permute groups are not computed anew.

const MOST_SEGMENTS = 2000;

// The answers of a table, the group of each, and judges of several groups as several judges.
function groupedRatings({ table, rows }) {
  const ratings = ratingsOf(table, rows);
  const { names, codes } = table.told.group;
  const group = numbered(taken(codes, rows, Int32Array));
  const told = [];
  rows.forEach((row, n) => (told[group.codes[n]] = names[codes[row]]));
  const member = numbered(ratings.judge.map((judge, n) => judge * group.number + group.codes[n]));
  const [person, groupOf] = [new Int32Array(member.number), new Int32Array(member.number)];
  member.codes.forEach((code, n) => {
    person[code] = ratings.judge[n];
    groupOf[code] = group.codes[n];
  });
  return { ...ratings, group: group.codes, groups: told, member: member.codes, members: member.number, person, groupOf, source: told.indexOf(table.source) };
}

const clustersOfGroups = ({ item, judge, units }, places) => ({
  document: Int32Array.from(places, (n) => (units ? units.codes[item[n]] : item[n])),
  judge: Int32Array.from(places, (n) => judge[n]),
});

const severalJudges = ({ judge }, places) => new Set(places.map((n) => judge[n])).size > 1;

// The mean of all judgments of a group, with an interval for new items and judges.
function groupMean(ratings, places, { confidence }) {
  const values = Float64Array.from(places, (n) => ratings.values[n]);
  const found = { ...meanFinding(values, clustersOfGroups(ratings, places), confidence), value: meanOver(Array.from(values)) };
  return severalJudges(ratings, places) ? found : withoutEnds(found);
}

// What groups are compared by: the judgments of items that both judged, or of all without such.
function sharedPlaces({ item, items, group }, a, b) {
  const of = (code) => new Set(item.filter((_, n) => group[n] === code));
  const [ofA, ofB] = [of(a), of(b)];
  const both = Array.from({ length: items }, (_, one) => ofA.has(one) && ofB.has(one));
  const shared = both.some(Boolean);
  const places = Array.from(item, (_, n) => n).filter((n) => (group[n] === a || group[n] === b) && (!shared || both[item[n]]));
  return { places, shared };
}

function groupDifference(ratings, a, b, confidence) {
  const { places, shared } = sharedPlaces(ratings, a, b);
  const by = { group_a: ratings.groups[a], group_b: ratings.groups[b] };
  const n = places.length;
  if (ratings.nominal) return { by, ...NOTHING, n };
  const values = Float64Array.from(places, (place) => ratings.values[place]);
  const system = Int32Array.from(places, (place) => (ratings.group[place] === b ? 1 : 0));
  const block = shared ? numbered(Int32Array.from(places, (place) => ratings.item[place])).codes : null;
  const contrast = new LinearModel({ values, system, block }).contrast([1, -1]);
  const found = infer(contrast, values, clustersOfGroups(ratings, places), confidence);
  // one judge's habits and what the group saw cannot be told apart
  const alone = [a, b].some((code) => !severalJudges(ratings, places.filter((place) => ratings.group[place] === code)));
  return { by, ...(alone ? { ...NOTHING, value: found.value } : found), n };
}

// The differences of every two groups of all questions: intervals and p are corrected together.
function groupDifferences(any, { confidence }) {
  const pairs = any.together("bias").flatMap((kept) => {
    const ratings = kept.once(groupedRatings);
    return ratings.groups.flatMap((_, a) => ratings.groups.slice(a + 1).map((__, n) => ({ kept, ratings, a, b: a + 1 + n })));
  });
  const tested = pairs.filter(({ ratings }) => !ratings.nominal).length;
  const made = pairs.map(({ kept, ratings, a, b }) => ({ kept, ...groupDifference(ratings, a, b, 1 - (1 - confidence) / Math.max(tested, 1)) }));
  const p = holm(made.map((one) => one.p));
  return made.map((one, n) => ({ ...one, p: p[n] }));
}

function ofGroups(names, make) {
  computes("bias", names, (kept, settings) => (kept.table.judge ? make(kept.once(groupedRatings), settings, kept) : {}));
}

ofGroups(["group-mean"], (ratings, settings) => {
  const each = placesBy(ratings.group, ratings.groups.length);
  const means = each.map((places, code) => ({ by: { group: ratings.groups[code] }, ...(ratings.nominal ? NOTHING : groupMean(ratings, places, settings)), n: places.length }));
  return { "group-mean": means };
});

ofGroups(["group-difference", "group-difference-p"], ({ groups }, settings, kept) => {
  if (!kept.together("bias")) return {};
  const none = [{ by: {}, ...NOTHING, n: 0 }];
  if (groups.length < 2) return { "group-difference": none, "group-difference-p": none };
  const own = kept.all[0].once(groupDifferences, settings).filter((one) => one.kept === kept);
  return {
    "group-difference": own.map(({ by, value, low, high, n }) => ({ by, value, low, high, n })),
    "group-difference-p": own.map(({ by, p, n }) => ({ by, value: p, low: NaN, high: NaN, n })),
  };
});

// Which kinds of pairs two judges are: of one group, of two, who saw the source, and any.
function kindsOfPair({ person, groupOf, groups, source }, a, b) {
  if (person[a] === person[b]) return [];
  if (groups.length < 2) return ["all"];
  const same = groupOf[a] === groupOf[b];
  if (groupOf[a] !== source && groupOf[b] !== source) return [same ? "within" : "across", "all"];
  return same ? ["source", "all"] : ["all"];
}

ofGroups(["cohen-kappa"], (ratings, { confidence }) => {
  const { members, person, groups, source, nominal } = ratings;
  const names = Array.from({ length: members }, (_, code) => code);
  const pairs = judgePairs({ ...ratings, judge: ratings.member, judges: names, units: null });
  const kinds = groups.length < 2 ? ["all"] : ["within", "across", ...(source < 0 ? [] : ["source"]), "all"];
  const persons = { judges: ratings.judges, places: ratings.places };
  const rows = Object.keys(APART).slice(0, nominal ? 1 : undefined).flatMap((weights) => kinds.map((kind) => {
    const own = pairs.filter(({ key }) => kindsOfPair(ratings, Math.floor(key / members), key % members).includes(kind));
    const renamed = own.map((pair) => ({ ...pair, key: person[Math.floor(pair.key / members)] * ratings.judges.length + person[pair.key % members] }));
    const { n, mean, pseudo } = kappasOf(renamed, persons, weights);
    const [drawn] = meansOfSlices(pseudo.map((one) => [one]), [""], { confidence });
    return { by: { weights, pairs: kind }, value: mean, ...withinOne(drawn), n };
  }));
  return { "cohen-kappa": rows };
});

// Each item's mean in each group, and how far those that saw a reference lie apart.
function segmentMeans(kept) {
  const { item, items, group, groups, values, source } = kept.once(groupedRatings);
  const table = Array.from({ length: items }, () => groups.map(() => ({ sum: 0, n: 0 })));
  item.forEach((place, n) => {
    const cell = table[place][group[n]];
    cell.sum += values[n];
    cell.n++;
  });
  const means = table.map((row, place) => ({ place, cells: row.map(({ sum, n }) => ({ mean: n ? sum / n : NaN, n })) }));
  const spreads = means.map((one) => {
    const saw = one.cells.map((cell, code) => ({ ...cell, code })).filter(({ code }) => code !== source);
    const known = saw.filter(({ n }) => n);
    const [high, low] = [(a, b) => (b.mean > a.mean ? b : a), (a, b) => (b.mean < a.mean ? b : a)].map((better) => known.length && known.reduce(better));
    return { ...one, n: total(saw.map((cell) => cell.n)), high, low, spread: known.length > 1 ? high.mean - low.mean : NaN };
  });
  const place = ({ spread }) => (Number.isNaN(spread) ? Infinity : -spread);
  return spreads.sort((a, b) => place(a) - place(b) || a.place - b.place).slice(0, MOST_SEGMENTS);
}

ofGroups(["segment-spread", "segment-mean"], (ratings, _, kept) => {
  const { table, rows } = kept;
  if (!table.items || ratings.nominal) return {};
  const names = [];
  ratings.item.forEach((place, n) => (names[place] = table.items[table.item[rows[n]]]));
  const listed = kept.once(segmentMeans);
  const ends = { low: NaN, high: NaN };
  const spread = ({ place, spread: value, high, low, n }) => ({ by: { item: names[place], ...(!Number.isNaN(value) && { highest: ratings.groups[high.code], lowest: ratings.groups[low.code] }) }, value, ...ends, n });
  const none = [{ by: {}, ...NOTHING, n: 0 }];
  return {
    "segment-spread": listed.some((one) => !Number.isNaN(one.spread)) ? listed.map(spread) : none,
    "segment-mean": listed.flatMap(({ place, cells }) => cells.flatMap(({ mean: value, n }, code) => (n ? [{ by: { item: names[place], group: ratings.groups[code] }, value, ...ends, n }] : []))),
  };
});
