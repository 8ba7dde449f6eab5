// Saves a task while it is edited, and updates the preview.
const PAUSE = 400; // milliseconds after the last change
const FRESH = ["refused", "preview", "audit", "about", "steps", "tasks"];

const form = document.querySelector("form[data-live]");
const kept = document.getElementById("kept");
let waiting = 0;
let asked = 0;

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
  // a task that is named after its protocol follows a change of the protocol
  const [name, fresh] = [document.getElementById("f-name"), page.getElementById("f-name")];
  if (fresh && name !== document.activeElement) name.value = fresh.value;
  for (const field of form.querySelectorAll("[aria-describedby]")) {
    const problem = document.getElementById(field.getAttribute("aria-describedby").split(" ")[0]);
    if (problem.hidden) field.removeAttribute("aria-invalid");
    else field.setAttribute("aria-invalid", "true");
  }
}

async function keep() {
  const own = ++asked;
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    if (!answer.ok && answer.status !== 422) throw new Error(answer.statusText);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (own !== asked) return;
    renew(page);
    kept.textContent = kept.dataset.words;
  } catch {
    kept.textContent = kept.dataset.trouble;
  }
}

if (form) {
  form.addEventListener("change", () => {
    clearTimeout(waiting);
    kept.textContent = "";
    waiting = setTimeout(keep, PAUSE);
  });
}
