// Shows times in the reader's time zone and language; without this script they are in UTC.

// The page's language with the reader's region, such as en-IN.
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
