// Numbers for people, and the ticks of an axis, as `jurat.results.spoken` and
// `jurat.report.svg.canvas` have them.

function fixed(value, digits) {
  const size = Math.abs(value);
  const scaled = size * 10 ** digits;
  // Python rounds a tie to the even digit; only fractions of powers of two are ties
  const tie = scaled % 1 === 0.5 && Number.isInteger(size * 2 ** (digits + 1));
  const even = tie && Math.floor(scaled) % 2 === 0 ? Math.floor(scaled) / 10 ** digits : size;
  const text = even.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return value < 0 && Number(text.replaceAll(",", "")) !== 0 ? `-${text}` : text;
}

function spoken(value) {
  const size = Math.abs(value);
  if (size > 0 && size < 0.0005) return value.toExponential(1).replace(/e([+-])(\d)$/, "e$10$2");
  if (Number.isInteger(value) && size >= 1000) return fixed(value, 0);
  return fixed(value, size < 1 ? 3 : size < 100 ? 2 : 1);
}

// A scale that holds all values, with a little room.
function scaleOf(values) {
  const known = values.filter(Number.isFinite);
  const low = Math.min(...known);
  const high = Math.max(...known);
  const flat = high - low <= 1e-9 * Math.max(Math.abs(low), Math.abs(high));
  const room = flat ? Math.abs(high) * 0.1 || 0.5 : (high - low) * 0.04;
  return { low: low - room, high: high + room };
}

const shareOf = ({ low, high }, value) => Math.min(Math.max((value - low) / (high - low), 0), 1);
const percent = (share) => `${(100 * share).toFixed(2)}%`;

// Round numbers between the ends, at most so many.
function ticksOf({ low, high }, most) {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((f) => power * f).find((one) => one >= rough * (1 - 1e-9));
  const ticks = [];
  for (let n = Math.ceil(low / step - 1e-9); n <= Math.floor(high / step + 1e-9); n++) ticks.push(n * step);
  return ticks;
}

// Ticks with as many decimals as tell them apart.
function tickWords(ticks) {
  for (let digits = 0; digits < 7; digits++) {
    const close = (tick) => Math.abs(Number(tick.toFixed(digits)) - tick) <= 1e-9 * Math.abs(tick);
    if (ticks.every(close)) return ticks.map((tick) => fixed(tick, digits).replace("-", "−"));
  }
  return ticks.map(spoken);
}
