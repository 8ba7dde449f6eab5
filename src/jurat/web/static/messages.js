// Texts that scripts show, in the judge's language; the page contains them.

const known = Object.fromEntries(
  [...(document.querySelector("#words")?.content.querySelectorAll("[data-key]") ?? [])].map((one) => [
    one.dataset.key,
    one.textContent,
  ]),
);

export const say = (key) => known[key];
export const language = document.querySelector("#words")?.dataset.language;

export function count(key, number) {
  const shown = number.toLocaleString(language);
  return number === 1 ? known[`${key}-one`] : known[`${key}-many`].replace("{count}", shown);
}

// Shows one line of status, or none; links are given by address, buttons by function.
export function line(text, actions = {}) {
  const place = document.querySelector("#line");
  place.replaceChildren(text, ...Object.entries(actions).flatMap(([label, action]) => [" ", offered(label, action)]));
  place.hidden = !text;
}

function offered(label, action) {
  const isLink = typeof action === "string";
  const element = document.createElement(isLink ? "a" : "button");
  element.textContent = label;
  if (isLink) element.href = action;
  else element.addEventListener("click", action);
  element.className = "quiet";
  return element;
}
