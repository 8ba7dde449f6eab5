// What a judge says about the item itself: a flag, a comment, or that it is skipped for that. The fields
// are on the page once and belong to whichever step is shown.

const panel = document.querySelector("#flag");
const kind = panel?.querySelector("select");
const comment = panel?.querySelector("textarea");
const why = panel?.querySelector("#skip-why");

// What goes with the decision; nothing for guests, who have no fields.
export function remark() {
  return panel ? { flag: kind.value, comment: comment.value.trim() } : {};
}

export const hasRemark = () => Object.values(remark()).some(Boolean);

// Shows what was said before, or nothing, for another step.
export function restoreRemark(said) {
  if (!panel) return;
  // `comment` without a kind is no option of the list
  kind.value = said?.flag === "comment" ? "" : (said?.flag ?? "");
  comment.value = said?.comment ?? "";
  panel.open = false;
  if (why) why.hidden = true;
  mark();
}

// Whether the step may be skipped now; asks for the reason where there is none.
export function maySkip() {
  why.hidden = hasRemark();
  if (!why.hidden) kind.focus();
  return why.hidden;
}

const mark = () => panel.classList.toggle("said", hasRemark());

// Calls back whenever something was said, so that it can be kept.
export function listenToRemarks(changed) {
  if (!panel) return;
  mark();
  panel.addEventListener("input", () => {
    if (why) why.hidden = true;
    mark();
    changed();
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("textarea, select, input:not([type=radio], [type=checkbox], [type=range])");
    if (event.key === "Escape" && panel.open) {
      panel.open = false;
      panel.querySelector("summary").focus();
    }
    if (event.key.toLowerCase() !== "f" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    panel.open = !panel.open;
    if (panel.open) kind.focus();
  });
}
