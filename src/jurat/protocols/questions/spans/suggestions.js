// Errors that were marked before the judge: which are as they were suggested, which are removed, and
// which the judge has yet to look at where the protocol wants each confirmed.

const FIELDS = ["start", "end", "side", "severity", "category", "missing", "mark"];
const DEFAULTS = { side: "translation", category: null, missing: false, mark: "", start: 0, end: 0 };

export class Suggestions {
  // `given` as the server sends them; `confirm` where each has to be confirmed.
  constructor(given, confirm) {
    this.confirm = confirm;
    this.all = given.map((one, n) => ({ ...one, suggestion: n + 1 }));
  }

  // The errors with which the judge begins: as suggested, or what is left of them after a draft.
  begin(answer, isDraft) {
    const begun = Array.isArray(answer) ? answer.map((error) => ({ ...error })) : [];
    const isOpen = !Array.isArray(answer) || (isDraft && this.confirm);
    return isOpen ? [...begun, ...this.missingIn(begun).map((one) => this.fresh(one))] : begun;
  }

  fresh(one) {
    return { ...one, ...(this.confirm && { pending: true }) };
  }

  missingIn(errors) {
    return this.all.filter((one) => !errors.some((error) => error.suggestion === one.suggestion));
  }

  original(error) {
    return this.all[error.suggestion - 1];
  }

  // Whether an error is just as it was suggested.
  isKept(error) {
    const own = error.suggestion && this.original(error);
    return Boolean(own) && FIELDS.every((name) => (error[name] ?? DEFAULTS[name]) === (own[name] ?? DEFAULTS[name]));
  }
}
