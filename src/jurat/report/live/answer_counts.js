// How often each point was given to each kind of item, as `jurat.stats.agreement.answer_counts` has
// it. Items that were given the same answers are one kind, with its number of copies.

const ROUNDING = 1e-9; // 2.2 − 1.2 is one point, although not in a computer
const MOST_STEPS = 10;

const total = (numbers) => numbers.reduce((sum, one) => sum + one, 0);

class AnswerCounts {
  constructor({ items, item, code, count, copies, kind, places, nominal }) {
    Object.assign(this, { items, item, code, count, copies, kind, places, nominal });
    this.points = places.length;
    this.size = this.perItem(count);
    this.paired = this.size.map((n) => (n > 1 ? 1 : 0));
    this.pairs = this.size.map((n) => (n * (n - 1)) / 2);
    this.equal = this.perItem(count.map((n) => (n * (n - 1)) / 2));
  }

  perItem(values) {
    const made = new Float64Array(this.items);
    for (let n = 0; n < this.item.length; n++) made[this.item[n]] += values[n];
    return made;
  }

  perPoint(values) {
    const made = new Float64Array(this.points);
    for (let n = 0; n < this.item.length; n++) made[this.code[n]] += values[n] * this.copies[this.item[n]];
    return made;
  }

  // A value for each cell, from its count, point and item.
  cells(value) {
    return Float64Array.from(this.item, (item, n) => value(this.count[n], this.code[n], item));
  }

  // The places in `item`, `code` and `count` of each item: from a start to before the next.
  get starts() {
    if (!this.found) {
      this.found = new Int32Array(this.items + 1);
      for (const item of this.item) this.found[item + 1]++;
      for (let n = 0; n < this.items; n++) this.found[n + 1] += this.found[n];
    }
    return this.found;
  }

  // Over the pairs of different points of each item: how often both meet, times a weight.
  ofPairs(weight) {
    const made = new Float64Array(this.items);
    for (let item = 0; item < this.items; item++) {
      for (let a = this.starts[item]; a < this.starts[item + 1]; a++) {
        for (let b = a + 1; b < this.starts[item + 1]; b++) {
          made[item] += this.count[a] * this.count[b] * weight(this.code[a], this.code[b]);
        }
      }
    }
    return made;
  }

  // Pairs of judgments of each item that differ by at most n.
  within(n) {
    const { places } = this;
    const near = this.ofPairs((a, b) => (places[b] <= places[a] + n + ROUNDING ? 1 : 0));
    return near.map((one, item) => one + this.equal[item]);
  }

  // Σ(x − y)² over the pairs of each item, around the middle to keep the digits.
  squared(values) {
    const middle = values[values.length >> 1];
    const sums = this.perItem(this.cells((n, code) => n * (values[code] - middle)));
    const squares = this.perItem(this.cells((n, code) => n * (values[code] - middle) ** 2));
    return sums.map((one, item) => Math.max(this.size[item] * squares[item] - one ** 2, 0));
  }

  apart(values) {
    return this.ofPairs((a, b) => values[b] - values[a]);
  }

  meanPerPair(sums) {
    return sums.map((one, item) => (this.pairs[item] > 0 ? one / this.pairs[item] : 0));
  }

  // Sums over pairs, each counted both ways, over the number of others of a judgment.
  perJudgment(sums) {
    return sums.map((one, item) => (this.size[item] > 1 ? (2 * one) / (this.size[item] - 1) : 0));
  }

  // The number of items, a value for each kind of them.
  copied(values) {
    return this.copies.reduce((sum, n, item) => sum + n * values[item], 0);
  }

  // With four more items: two answers, each unanimous, and two split of them.
  withPseudoItems(apart = null) {
    const there = this.size.filter((_, item) => this.paired[item]);
    const judges = Math.max(2, evenlyRounded(total(there) / there.length));
    const given = this.perPoint(this.cells((n, _, item) => n * this.paired[item]));
    const [first, second] = commonestAndOther(given, this.places, apart).sort((a, b) => a - b);
    const half = judges >> 1;
    const added = [[judges, 0], [0, judges], [judges - half, half], [half, judges - half]];
    const cells = added.flatMap(([a, b], n) => [[n, first, a], [n, second, b]]).filter(([, , n]) => n);
    const more = (old, at, shift = 0) => Float64Array.from([...old, ...cells.map((cell) => cell[at] + shift)]);
    return new AnswerCounts({
      ...this,
      items: this.items + 4,
      item: more(this.item, 0, this.items),
      code: more(this.code, 1),
      count: more(this.count, 2),
      copies: Float64Array.from([...this.copies, 1, 1, 1, 1]),
      found: null,
    });
  }
}

// The commonest point, and that which adds most to the distance of all others from it; without a
// distance `apart` the next in number. Of equal ones the lower.
function commonestAndOther(given, places, apart = null) {
  const first = given.indexOf(Math.max(...given));
  const adds = Array.from(given, (n, at) => (apart ? n * apart(places[at] - places[first]) : at === first ? -1 : n));
  if (apart && !adds.some(Boolean)) return commonestAndOther(given, places);
  return [first, adds.indexOf(Math.max(...adds))];
}

const squared = (one) => one ** 2;

function evenlyRounded(value) {
  const low = Math.floor(value);
  if (value - low === 0.5) return low % 2 ? low + 1 : low;
  return Math.round(value);
}

// Counts of answers (codes of items and of points), with the kind of each item.
function answerCounts({ item, items, code, places, nominal }) {
  const cells = Array.from({ length: items }, () => new Map());
  for (let n = 0; n < item.length; n++) cells[item[n]].set(code[n], (cells[item[n]].get(code[n]) ?? 0) + 1);
  const kinds = new Map();
  const made = { item: [], code: [], count: [], copies: [] };
  const kind = Int32Array.from(cells, (own) => {
    const sorted = own.size > 1 ? [...own].sort((a, b) => a[0] - b[0]) : [...own];
    let key = "";
    for (const [point, n] of sorted) key += `${point} ${n} `;
    if (!kinds.has(key)) {
      for (const [point, n] of sorted) {
        made.item.push(kinds.size);
        made.code.push(point);
        made.count.push(n);
      }
      kinds.set(key, kinds.size);
      made.copies.push(0);
    }
    made.copies[kinds.get(key)]++;
    return kinds.get(key);
  });
  const arrays = Object.fromEntries(Object.entries(made).map(([name, list]) => [name, Float64Array.from(list)]));
  return new AnswerCounts({ ...arrays, items: kinds.size, kind, places, nominal });
}

// 0, 1, 2… up to the length of a scale with these points; of words only whether they differ.
function distancesOf({ places, nominal }) {
  if (nominal || !places.length) return [0];
  const length = Math.ceil(places[places.length - 1] - places[0] - ROUNDING);
  return Array.from({ length: Math.min(length, MOST_STEPS) + 1 }, (_, n) => n);
}
