// Boxes by which a reader chooses whose errors of which severity are shown, and of which systems. What
// the page's filter leaves out is left out here, too.

function startMarkedTexts() {
  const section = document.getElementById("marked");
  const form = section.querySelector("form");
  const texts = [...section.querySelectorAll("[data-system]")];
  const names = (selector, key) => [...new Set([...section.querySelectorAll(selector)].map((part) => part.dataset[key]))];
  const columns = new Map([
    ["Severity", names("dd mark", "severity")],
    ["System", names("[data-system]", "system").sort()],
    ["Judge", names("[data-judge]", "judge").sort((a, b) => a.localeCompare(b, "en", { numeric: true }))],
  ]);
  for (const [column, own] of columns) if (own.length > 1) form.append(boxesOf(column, own));
  const update = () => {
    const gone = unchecked(form, document.getElementById("filter"));
    for (const text of texts) {
      for (const line of text.querySelectorAll("[data-judge]")) line.hidden = gone("Judge", line.dataset.judge);
      const none = [...text.querySelectorAll("[data-judge]")].every((line) => line.hidden);
      text.hidden = none || gone("System", text.dataset.system) || gone("Document", text.dataset.document);
    }
    for (const mark of section.querySelectorAll("dd mark")) mark.classList.toggle("off", gone("Severity", mark.dataset.severity));
  };
  form.addEventListener("change", update);
  document.getElementById("filter")?.addEventListener("computed", update);
  form.hidden = !form.children.length;
}

function boxesOf(column, names) {
  const field = document.createElement("fieldset");
  const legend = document.createElement("legend");
  legend.textContent = column;
  const boxes = document.createElement("div");
  boxes.className = "boxes";
  for (const name of names) {
    const label = document.createElement("label");
    const box = document.createElement("input");
    Object.assign(box, { type: "checkbox", checked: true, name: column, value: name });
    label.append(box, name);
    boxes.append(label);
  }
  field.append(legend, boxes);
  return field;
}

// Whether a name of a column is left out by a box of one of the forms.
function unchecked(...forms) {
  const gone = new Set();
  for (const form of forms) {
    for (const box of form?.querySelectorAll("input:not(:checked)") ?? []) gone.add(`${box.name} ${box.value}`);
  }
  return (column, name) => gone.has(`${column} ${name}`);
}

startMarkedTexts();
