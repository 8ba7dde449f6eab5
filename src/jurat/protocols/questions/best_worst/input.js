// What is chosen as the best is no longer the worst, and the other way round.

document.addEventListener("change", (event) => {
  const question = event.target.closest?.(".question.best-worst");
  if (!question || !event.target.checked) return;
  for (const other of question.querySelectorAll("input:checked")) {
    if (other !== event.target && other.value === event.target.value) other.checked = false;
  }
}, true);
