// Whether a follow-up question is asked: the server's own conditions, as it parsed them.

const COMPARE = {
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

const values = (operand, answers) =>
  operand.type === "name" ? [answers[operand.name]] : operand.values;

function compares(condition, answers) {
  const [left] = values(condition.left, answers);
  const [right] = values(condition.right, answers);
  if (left === undefined || right === undefined) return condition.op === "!=";
  if (typeof left === typeof right) return COMPARE[condition.op](left, right);
  return COMPARE[condition.op](Number(left), Number(right));
}

function contains(condition, answers) {
  const [left] = values(condition.left, answers);
  if (condition.right.type === "literals") return condition.right.values.map(String).includes(String(left));
  return String(answers[condition.right.name] ?? "").includes(String(left));
}

export function holds(condition, answers) {
  switch (condition.type) {
    case "and": return condition.parts.every((part) => holds(part, answers));
    case "or": return condition.parts.some((part) => holds(part, answers));
    case "not": return !holds(condition.part, answers);
    case "in": return contains(condition, answers);
    default: return compares(condition, answers);
  }
}
