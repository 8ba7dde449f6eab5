// A button of one row also saves the other rows that were edited, which the next page would lose.
const ROW = ".actions-of-row";
const SAVE = "place";
const edited = new Set();

addEventListener("input", ({ target }) => target.form?.matches(ROW) && edited.add(target.form));

// while capturing, so that the scripts that note what was sent only see the form once it is
addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (!form.matches(ROW)) return;
  if (submitter.value === SAVE) edited.delete(form);
  if (!edited.size) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const rows = [...edited];
  edited.clear();
  for (const row of rows) {
    // of what could not be saved, `unsaved.js` asks before the page is left
    if (await save(row)) row.dispatchEvent(new Event("saved", { bubbles: true }));
  }
  form.requestSubmit(submitter);
}, { capture: true });

async function save(row) {
  const body = new URLSearchParams(new FormData(row));
  body.set("action", SAVE);
  // not `row.action`, which is a button of that name
  const sent = { method: "post", body, redirect: "manual" };
  // only what was saved is answered with a redirect
  return fetch(row.getAttribute("action"), sent).then(({ type }) => type === "opaqueredirect", () => false);
}
