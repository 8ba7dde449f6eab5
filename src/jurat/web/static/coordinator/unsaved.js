// Asks before a page is left with something entered in a form that was not sent.
const edited = new Set();

// file inputs and controls outside their form (`form="…"`) count as well
addEventListener("input", ({ target }) => {
  if (target.form?.method === "post" && target.form.closest("main")) edited.add(target.form);
});
// one that waits for another request is not sent yet
addEventListener("submit", ({ target, defaultPrevented }) => defaultPrevented || edited.delete(target));
// sent by the script that saves a task while it is edited
addEventListener("saved", ({ target }) => edited.delete(target));
addEventListener("beforeunload", (event) => {
  if (edited.size) event.preventDefault();
});
