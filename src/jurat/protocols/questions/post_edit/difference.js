// The difference of two texts in pieces: ["same" | "gone" | "new", text]. Words, spaces and punctuation are
// compared whole; scripts without spaces are split as the browser splits them.

const MOST = 1_500_000; // cells of the table; beyond that, whatever differs is one piece

function words(text) {
  const split = new Intl.Segmenter(undefined, { granularity: "word" });
  return [...split.segment(text)].map(({ segment }) => segment);
}

export function difference(before, after) {
  const [a, b] = [words(before), words(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const middle = compared(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const rest = a.slice(a.length - end);
  return joined([["same", a.slice(0, start).join("")], ...middle, ["same", rest.join("")]]);
}

// The longest common subsequence, by the usual table of lengths from each position to the ends.
function compared(a, b) {
  if (a.length * b.length > MOST) return [["gone", a.join("")], ["new", b.join("")]];
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const down = table[(i + 1) * width + j];
      const right = table[i * width + j + 1];
      table[i * width + j] = a[i] === b[j] ? table[(i + 1) * width + j + 1] + 1 : Math.max(down, right);
    }
  }
  return [...walk(a, b, table, width)];
}

function* walk(a, b, table, width) {
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      yield ["same", a[i]];
      [i, j] = [i + 1, j + 1];
    } else if (j === b.length || (i < a.length && table[(i + 1) * width + j] >= table[i * width + j + 1])) {
      yield ["gone", a[i]];
      i += 1;
    } else {
      yield ["new", b[j]];
      j += 1;
    }
  }
}

// Neighbours of one kind as one piece; what was replaced stands before what replaces it.
function joined(pieces) {
  const made = [];
  let run = { gone: "", new: "" };
  const close = () => {
    for (const kind of ["gone", "new"]) if (run[kind]) made.push([kind, run[kind]]);
    run = { gone: "", new: "" };
  };
  for (const [kind, text] of pieces) {
    if (kind !== "same") run[kind] += text;
    else if (text) {
      close();
      if (made.at(-1)?.[0] === "same") made.at(-1)[1] += text;
      else made.push(["same", text]);
    }
  }
  close();
  return made;
}
