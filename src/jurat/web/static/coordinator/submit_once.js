// What is shown once must not be lost to a second click: a form waits for the answer to the first.
const sent = new WeakSet();

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.hasAttribute("data-once")) return;
  if (sent.has(form)) event.preventDefault();
  sent.add(form);
});

// Whoever comes back to the page finds its forms ready again.
addEventListener("pageshow", (event) => event.persisted && location.reload());
