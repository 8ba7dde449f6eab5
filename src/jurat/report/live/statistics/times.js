// How long decisions take, as `jurat.stats.time` has it: means with intervals for new documents
// and judges.

// The decisions in some rows: their seconds, judges, and what varies, documents or items.
function timesOf(table, rows) {
  const own = table.item ? taken(table.item, rows, Int32Array) : rows.map((_, n) => n);
  const { codes: item, number: items } = numbered(own);
  const units = unitsOf(table, { rows, item, items });
  return {
    seconds: taken(table.seconds, rows, Float64Array),
    document: units ? taken(units.codes, item, Int32Array) : item,
    judge: table.judge && taken(table.judge, rows, Int32Array),
    group: (codes) => codes && taken(codes, rows, Int32Array),
  };
}

// no decision takes less than no time
const notNegative = ({ value, low, high }) => ({ value, low: Math.max(low, 0), high });
const placesIn = (codes) => Int32Array.from(codes, (_, n) => n);

// An estimate of some decisions by `how`, which is `mean` or `median`; a judge's own mean is for
// that judge alone, so that only documents vary.
function secondsOf(times, places, how, { confidence }, newJudges = true) {
  const clusters = {
    document: taken(times.document, places, Int32Array),
    judge: newJudges && times.judge ? taken(times.judge, places, Int32Array) : null,
  };
  return { ...notNegative(how(times.seconds, places, clusters, confidence)), n: places.length };
}

function secondsByGroup(times, codes, names, key, settings, newJudges = true) {
  if (!codes) return [];
  return placesBy(codes, names.length).flatMap((places, code) => (places.length ? [{ by: { [key]: names[code] }, ...secondsOf(times, places, mean, settings, newJudges) }] : []));
}

// What each judge spent on each document, and its mean over judges, who are independent.
function secondsOfDocuments({ seconds, judge }, codes, names, { confidence }) {
  if (!codes) return [];
  const spent = names.map(() => new Map());
  codes.forEach((code, n) => {
    const who = judge ? judge[n] : 0;
    spent[code].set(who, (spent[code].get(who) ?? 0) + seconds[n]);
  });
  return spent.flatMap((own, code) => {
    const [each, n] = [[...own.values()], own.size];
    if (!n) return [];
    const value = total(each) / n;
    const error = n > 1 ? Math.sqrt(total(each.map((one) => (one - value) ** 2)) / ((n - 1) * n)) : NaN;
    const reach = n > 1 ? tReach(confidence, n - 1) * error : NaN;
    return [{ by: { document: names[code] }, ...notNegative({ value, low: value - reach, high: value + reach }), n }];
  });
}

const TIMES = ["seconds-mean", "seconds-median", "seconds-capped", "seconds-over", "seconds-of-system", "seconds-of-judge", "seconds-of-document", "hours-worked"];

computes("time", TIMES, ({ table, rows }, settings) => {
  const whole = timesOf(table, rows);
  const short = timesOf(table, rows.filter((row) => table.seconds[row] <= settings.cap));
  const count = (value, n) => [{ by: {}, value, low: NaN, high: NaN, n }];
  const each = (times, how) => (times.seconds.length ? [{ by: {}, ...secondsOf(times, placesIn(times.seconds), how, settings) }] : []);
  const ofGroups = (codes, names, key, newJudges) => secondsByGroup(short, short.group(codes), names, key, settings, newJudges);
  return {
    "seconds-mean": each(whole, mean),
    "seconds-median": each(whole, median),
    "seconds-capped": each(short, mean),
    "seconds-over": count(whole.seconds.length - short.seconds.length, whole.seconds.length),
    "seconds-of-system": ofGroups(table.system, table.systems, "system"),
    "seconds-of-judge": ofGroups(table.judge, table.judges, "judge", false),
    "seconds-of-document": secondsOfDocuments(short, short.group(table.document), table.documents, settings),
    "hours-worked": count(total(short.seconds) / 3600, short.seconds.length),
  };
});
