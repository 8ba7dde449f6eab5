// The list of marked errors beside the text, with their comments, and the suggestions removed.

import { rove } from "../../keyboard.js";

export class ErrorList {
  constructor(marking) {
    this.marking = marking;
    this.list = marking.find(".errors");
    this.list.addEventListener("input", (event) => this.onComment(event));
  }

  // Not drawn anew while somebody writes in it.
  onComment(event) {
    const error = this.marking.errorOf(event.target);
    if (!error) return;
    if (event.target.value.trim()) error.comment = event.target.value;
    else delete error.comment;
    this.marking.last = this.marking.state();
    this.marking.store();
  }

  show() {
    const { marking, list } = this;
    const focused = marking.all(".errors button").indexOf(document.activeElement);
    list.replaceChildren(...marking.errors.map((error, n) => this.entry(error, n)));
    marking.find(".none").hidden = marking.errors.length > 0;
    if (marking.errors.length) rove(list, "button");
    marking.all(".errors button")[focused]?.focus();
    this.showRemoved();
  }

  entry(error, n) {
    const { marking } = this;
    const quote = marking.quote(error);
    const number = made("span", "number", {}, n + 1);
    number.dataset.rank = marking.rank(error);
    const isCurrent = error === marking.current;
    const entry = made("button", "error-entry", { type: "button", ...(isCurrent && { "aria-current": "true" }) });
    const kind = made("span", "what", { lang: document.documentElement.lang }, this.kind(error));
    const gone = error.missing || error.mark;
    entry.append(number, made("span", gone ? "quote gone" : "quote", { dir: "auto" }, quote), kind);
    const remove = { type: "button", "aria-label": marking.say.sayRemove.replace("{text}", quote) };
    const item = made("li");
    if (marking.suggestions.isKept(error)) item.dataset.suggested = "";
    item.append(entry, made("button", "remove", remove, "×"));
    if (error.pending) item.append(this.confirmButton(quote, isCurrent));
    if ("comments" in marking.say && (isCurrent || error.comment)) item.append(this.commentField(error, n));
    return item;
  }

  // What it is, and whether it was suggested: in words, not by its look alone.
  kind(error) {
    const { suggestions, say } = this.marking;
    const whose = suggestions.isKept(error) ? say.saySuggested : error.suggestion ? say.sayChanged : "";
    return [this.marking.kind(error), whose].filter(Boolean).join(" · ");
  }

  confirmButton(quote, isCurrent) {
    const { sayConfirmOne: words } = this.marking.say;
    const button = made("button", "confirm", { type: "button", "aria-label": `${words}: ${quote}` }, words);
    if (isCurrent) button.append(" ", made("kbd", "", {}, "K"));
    return button;
  }

  commentField(error, n) {
    const label = `${this.marking.say.sayComment} ${n + 1}`;
    const field = made("input", "error-comment", { type: "text", maxlength: "500", dir: "auto", "aria-label": label, placeholder: this.marking.say.sayComment, lang: document.documentElement.lang });
    field.value = error.comment ?? "";
    return field;
  }

  showRemoved() {
    const { marking } = this;
    const place = marking.find(".removed");
    if (!place) return;
    const gone = marking.suggestions.missingIn(marking.errors);
    place.hidden = !gone.length;
    const entries = gone.map((one) => {
      const item = made("li");
      const quote = marking.quote(one);
      const restore = { type: "button", "data-suggestion": one.suggestion, "aria-label": `${marking.say.sayRestore}: ${quote}` };
      item.append(made("del", "quote", { dir: "auto" }, quote), made("button", "restore", restore, marking.say.sayRestore));
      return item;
    });
    place.querySelector("ul").replaceChildren(...entries);
  }
}

export function made(name, className = "", attributes = {}, text = "") {
  const element = document.createElement(name);
  if (className) element.className = className;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}
