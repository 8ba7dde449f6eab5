// What the likelihoods of comparisons are maximized with.

// The solution x of A x = b, by elimination with the largest pivot of a column; A is an array of rows.
function solved(matrix, right) {
  const size = right.length;
  const rows = matrix.map((row, n) => [...row, right[n]]);
  for (let at = 0; at < size; at++) {
    let pivot = at;
    for (let n = at + 1; n < size; n++) if (Math.abs(rows[n][at]) > Math.abs(rows[pivot][at])) pivot = n;
    [rows[at], rows[pivot]] = [rows[pivot], rows[at]];
    for (let n = at + 1; n < size; n++) {
      const times = rows[n][at] / rows[at][at];
      for (let k = at; k <= size && times; k++) rows[n][k] -= times * rows[at][k];
    }
  }
  const made = new Array(size);
  for (let at = size - 1; at >= 0; at--) {
    let left = rows[at][size];
    for (let k = at + 1; k < size; k++) left -= rows[at][k] * made[k];
    made[at] = left / rows[at][at];
  }
  return made;
}

// Whether a chain of wins leads from every system to every other.
function stronglyConnected(wins) {
  const reachesAll = (steps) => {
    const seen = new Set([0]);
    for (const from of seen) steps.forEach((_, to) => steps[from][to] > 0 && seen.add(to));
    return seen.size === steps.length;
  };
  return reachesAll(wins) && reachesAll(wins.map((row, a) => row.map((_, b) => wins[b][a])));
}

const centred = (numbers) => {
  const mean = total(numbers) / numbers.length;
  return numbers.map((one) => one - mean);
};
