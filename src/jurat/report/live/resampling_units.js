// Intervals of scores of sums from leaving out each document, each judge and each cell of both, as
// `jurat.stats.systems.resampling_units` has them.

const UNITS = { cells: 30000, numbers: 2 ** 25, groups: 2000, fewest: 200, leftOut: 500 };

class ResamplingUnits {
  // The document or sentence of each row, and its judge if judges vary; `columns` are added up.
  constructor(first, judge = null, columns = 1) {
    const count = highest(first) + 1;
    const judges = judge ? highest(judge) + 1 : 0;
    const most = Math.min(UNITS.cells, Math.floor(UNITS.numbers / columns));
    // a single document can be left out in no way; judges are left
    if (judges > 1 && count === 1) return new ResamplingUnits(judge, null, columns);
    const crossed = judges > 1 && judges * Math.min(UNITS.fewest, count) <= most;
    const groups = crossed ? Math.max(UNITS.fewest, Math.min(UNITS.groups, Math.floor(most / judges))) : Math.max(2, Math.min(UNITS.groups, most));
    const block = inGroups(first, count, groups);
    const own = crossed ? Float64Array.from(block, (one, n) => one * judges + judge[n]) : block;
    const { codes, number } = numbered(own);
    Object.assign(this, { cell: codes, cells: number, sizes: countsOf(codes, number) });
    this.document = new Int32Array(number);
    this.judge = crossed ? new Int32Array(number) : null;
    codes.forEach((cell, n) => {
      this.document[cell] = block[n];
      if (crossed) this.judge[cell] = judge[n];
    });
  }

  // Sums of some columns by cell; `add` puts the amounts of a row into a cell's own.
  sums(width, add) {
    this.width = width;
    const made = Array.from({ length: this.cells }, () => new Float64Array(width));
    this.cell.forEach((cell, n) => add(made[cell], n));
    return made;
  }

  // The score of the totals of `rows`, a row of sums for each cell, with intervals.
  intervals(rows, score, confidence, share = false) {
    if (!rows.length) return score(new Float64Array(this.width)).map(() => NOTHING);
    const whole = summedRows(this.width, rows);
    const values = score(whole);
    const leftOut = (codes) => this.leftOut(rows, whole, values, codes, score);
    const documents = leftOut(this.document);
    const number = numbered(this.document).number;
    const tried = this.variances(documents, leftOut);
    return values.map((value, at) => {
      const half = reachOf(tried.map((way) => way[at]), confidence);
      return share ? { value, ...wilsonWithin(value, half, number, confidence) } : { value, low: value - half, high: value + half };
    });
  }

  // For each way of leaving out the variance of each value, of which the largest counts.
  variances(documents, leftOut) {
    if (!this.judge || numbered(this.judge).number < FEWEST_JUDGES) return [documents];
    const judges = leftOut(this.judge);
    if (nested(numbered(this.document), numbered(this.judge))) return [judges];
    const cells = leftOut(Int32Array.from(this.judge, (_, n) => n));
    const both = documents.map((one, at) => twoWay(one, judges[at], cells[at]));
    return [0, 1, 2].map((way) => both.map((tried) => tried[way]));
  }

  // The jackknife's variance of each value for clusters of unequal size, in random groups of many.
  leftOut(rows, whole, values, codes, score) {
    const known = numbered(codes);
    const groups = Math.min(UNITS.leftOut, known.number);
    if (groups < 2) return values.map(() => ({ value: 0, freedom: 0 }));
    const group = inGroups(known.codes, known.number, groups);
    const sums = Array.from({ length: groups }, () => new Float64Array(whole.length));
    const size = new Float64Array(groups);
    rows.forEach((row, cell) => {
      for (let k = 0; k < row.length; k++) sums[group[cell]][k] += row[k];
      size[group[cell]] += this.sizes[cell];
    });
    const all = total(size);
    const share = size.map((one) => one / all);
    const changes = sums.map((own) => score(whole.map((one, k) => one - own[k])).map((one, at) => values[at] - one));
    const freedom = 1 / total(share.map((one) => one ** 2)) - 1;
    return values.map((_, at) => {
      const centre = total(changes.map((change, g) => (1 - share[g]) * change[at]));
      const apart = (g) => (changes[g][at] * (1 - share[g])) / share[g] - centre;
      const squares = changes.map((_, g) => (share[g] / (1 - share[g])) * apart(g) ** 2);
      return { value: total(squares) / groups, freedom };
    });
  }
}

// The codes, or where there are too many the random groups of equal size they are put into.
function inGroups(codes, count, most) {
  if (count <= most) return codes;
  const groups = randomGroups(count, most);
  return Int32Array.from(codes, (code) => groups[code]);
}

const ratioOf = ([part, whole]) => [part / whole];
