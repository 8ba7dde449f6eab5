// Moments in the reader's own time and language; without this they stand in UTC.

// The page's language, as the reader's own country writes it.
const language = document.documentElement.lang;
const locale = navigator.languages.find((one) => one.split("-")[0] === language) ?? language;

function localise(root) {
  for (const one of root.querySelectorAll("time[datetime]")) {
    const moment = new Date(one.dateTime);
    const isToday = moment.toDateString() === new Date().toDateString();
    one.textContent = moment.toLocaleString(locale, { timeStyle: "short", ...(!isToday && { dateStyle: "medium" }) });
  }
}

const main = document.querySelector("main");
localise(main);
new MutationObserver((changes) => {
  for (const node of changes.flatMap((change) => [...change.addedNodes])) {
    if (node instanceof Element) localise(node);
  }
}).observe(main, { childList: true });
