// Whether a follow-up question is asked: the server sends its conditions parsed, and they mean here
// what they mean in jurat/condition_language.py. Both pass the same table, tests/conditions.json.

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const TRUTH = { true: true, yes: true, 1: true, false: false, no: false, 0: false };

const isText = (value) => typeof value === "string";
const isNumber = (value) => typeof value === "number" || typeof value === "boolean";
const isWritten = (value) => isText(value) || typeof value === "number";
const isTruth = (value) => typeof value === "boolean";
const trimmed = (text) => text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
const asNumber = (text) => (NUMBER.test(trimmed(text)) ? Number(trimmed(text)) : text);

function asTruth(text) {
  const word = trimmed(text).toLowerCase();
  return Object.hasOwn(TRUTH, word) ? TRUTH[word] : text;
}

// A question may be called like something that every object has.
const answerTo = (name, answers) => (Object.hasOwn(answers, name) ? (answers[name] ?? null) : null);
const valueOf = (operand, answers) =>
  operand.type === "name" ? answerTo(operand.name, answers) : operand.values[0];

// A text beside a number counts as a number, and beside a truth value as one, if it can.
function alike(left, right) {
  if (isText(left) === isText(right)) return [left, right];
  const read = isTruth(left) || isTruth(right) ? asTruth : asNumber;
  return isText(left) ? [read(left), right] : [left, read(right)];
}

// true is 1; lists and objects are equal if all that is in them is.
function isEqual(left, right) {
  if (isNumber(left) && isNumber(right)) return Number(left) === Number(right);
  if (left === null || right === null || typeof left !== "object" || typeof right !== "object") return left === right;
  const keys = Object.keys(left);
  return (
    Array.isArray(left) === Array.isArray(right) &&
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isEqual(left[key], right[key]))
  );
}

// Below 0, 0 or above 0; NaN, which fulfils no comparison, where there is no order. Texts go by code
// points as in Python: a plain `<` would go by UTF-16 units.
function order(left, right) {
  if (isNumber(left) && isNumber(right)) return left - right;
  if (!isText(left) || !isText(right)) return NaN;
  const [a, b] = [[...left], [...right]];
  const at = a.findIndex((sign, n) => sign !== b[n]);
  return at < 0 || at >= b.length ? a.length - b.length : a[at].codePointAt(0) - b[at].codePointAt(0);
}

function compare(first, op, second) {
  if (first === null || second === null) return op === "==" ? first === second : op === "!=" && first !== second;
  const [left, right] = alike(first, second);
  switch (op) {
    case "==": return isEqual(left, right);
    case "!=": return !isEqual(left, right);
    case "<": return order(left, right) < 0;
    case "<=": return order(left, right) <= 0;
    case ">": return order(left, right) > 0;
    default: return order(left, right) >= 0;
  }
}

function isAmong(part, whole) {
  if (Array.isArray(whole)) return part !== null && whole.some((member) => compare(part, "==", member));
  return [part, whole].every(isWritten) && String(whole).includes(String(part));
}

function contains({ left, right }, answers) {
  const part = valueOf(left, answers);
  if (right.type === "name") return isAmong(part, answerTo(right.name, answers));
  return right.values.some((option) => compare(part, "==", option));
}

export function holds(condition, answers) {
  switch (condition.type) {
    case "and": return condition.parts.every((part) => holds(part, answers));
    case "or": return condition.parts.some((part) => holds(part, answers));
    case "not": return !holds(condition.part, answers);
    case "in": return contains(condition, answers);
    default: return compare(valueOf(condition.left, answers), condition.op, valueOf(condition.right, answers));
  }
}
