// The tables and methods of what is open are printed, too, and closed again afterwards.
const opened = new Set();
addEventListener("beforeprint", () => {
  for (const part of document.querySelectorAll("details:not([open]):not(.fold)")) {
    part.open = true;
    opened.add(part);
  }
});
addEventListener("afterprint", () => {
  for (const part of opened) part.open = false;
  opened.clear();
});
// A link into a folded part opens it.
const unfold = () => {
  const target = document.getElementById(location.hash.slice(1));
  target?.closest("details")?.setAttribute("open", "");
  target?.scrollIntoView();
};
addEventListener("hashchange", unfold);
unfold();
