// Saves a task while it is edited, and updates the preview.
const PAUSE = 400; // milliseconds after the last change
const FRESH = ["refused", "preview", "audit", "about", "steps", "tasks", "before"];

const form = document.querySelector("form[data-live]");
const kept = document.getElementById("kept");
let waiting = 0;
let saving = null;
let entries = 0;

function renew(page) {
  for (const id of FRESH) {
    const [old, fresh] = [document.getElementById(id), page.getElementById(id)];
    if (old && fresh) old.replaceChildren(...document.importNode(fresh, true).childNodes);
  }
  for (const fresh of page.querySelectorAll("form[data-live] .problem")) {
    const old = document.getElementById(fresh.id);
    if (!old) continue;
    old.textContent = fresh.textContent;
    old.hidden = fresh.hidden;
  }
  // which fields apply depends on the protocol
  for (const fresh of page.querySelectorAll("[data-field]")) {
    const old = form.querySelector(`[data-field="${CSS.escape(fresh.dataset.field)}"]`);
    if (old) old.hidden = fresh.hidden;
  }
  // a task that is named after its protocol follows a change of the protocol
  const [name, fresh] = [document.getElementById("f-name"), page.getElementById("f-name")];
  if (fresh && name !== document.activeElement) name.value = fresh.value;
  const called = page.querySelector("[name=called]");
  if (called) form.elements.called.value = called.value;
  for (const field of form.querySelectorAll("[aria-describedby]")) {
    const problem = document.getElementById(field.getAttribute("aria-describedby").split(" ")[0]);
    if (problem.hidden) field.removeAttribute("aria-invalid");
    else field.setAttribute("aria-invalid", "true");
  }
}

async function save() {
  const sent = entries;
  const content = new FormData(form);
  content.delete("file"); // uploaded by its own button
  try {
    // `form.action` would be the button of that name
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body: new URLSearchParams(content) });
    if (!answer.ok && ![409, 422].includes(answer.status)) throw new Error(answer.statusText);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    renew(page);
    if (answer.status === 409) return;
    kept.textContent = kept.dataset.words;
    if (sent === entries) form.dispatchEvent(new Event("saved", { bubbles: true }));
  } catch {
    kept.textContent = kept.dataset.trouble;
  }
}

// One request after the other: the next one tells what it was based on.
function keep() {
  saving = (saving ?? Promise.resolve()).then(save).finally(() => (saving = null));
}

if (form) {
  form.addEventListener("input", () => entries++);
  form.addEventListener("change", ({ target }) => {
    clearTimeout(waiting);
    if (target.type === "file") return;
    kept.textContent = "";
    waiting = setTimeout(keep, PAUSE);
  });
  // a button saves as well, but after what is being saved now
  form.addEventListener("submit", (event) => {
    clearTimeout(waiting);
    if (!saving) return;
    event.preventDefault();
    const { submitter } = event;
    saving.then(() => form.requestSubmit(submitter));
  });
}
