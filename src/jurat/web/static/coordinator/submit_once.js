// Prevents a second submission: its answer would replace passwords that are shown only once.
const sent = new WeakSet();

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.hasAttribute("data-once")) return;
  if (sent.has(form)) event.preventDefault();
  sent.add(form);
});

// Enables the forms again when the browser restores the page from its back/forward cache.
addEventListener("pageshow", (event) => event.persisted && location.reload());
