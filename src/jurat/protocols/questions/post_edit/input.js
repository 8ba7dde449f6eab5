// Post-editing: shows what was changed, word by word, and takes all changes back.

import { difference } from "./difference.js";

const field = (question) => question.querySelector("textarea");

function show(question) {
  const { original } = field(question).dataset;
  const place = question.querySelector(".difference");
  const pieces = difference(original, field(question).value);
  const changed = pieces.some(([kind]) => kind !== "same");
  place.replaceChildren(...(changed ? pieces.map(element) : [place.dataset.none]));
  place.classList.toggle("none", !changed);
  // the changes are written as the translation is, and the words of the page as the page is
  const { lang, dir } = changed ? field(question) : document.documentElement;
  Object.assign(place, { lang, dir });
  question.querySelector(".reset").disabled = !changed;
}

function element([kind, text]) {
  if (kind === "same") return document.createTextNode(text);
  const made = document.createElement(kind === "gone" ? "del" : "ins");
  made.textContent = text;
  return made;
}

document.addEventListener("jurat:ready", (event) => {
  if (event.target.matches(".question.post-edit")) show(event.target);
});

document.addEventListener("input", (event) => {
  const question = event.target.closest?.(".question.post-edit");
  if (question) show(question);
});

document.addEventListener("click", (event) => {
  const question = event.target.closest?.(".question.post-edit .reset")?.closest(".question");
  if (!question) return;
  field(question).value = field(question).dataset.original;
  field(question).dispatchEvent(new Event("input", { bubbles: true }));
  field(question).focus();
});
