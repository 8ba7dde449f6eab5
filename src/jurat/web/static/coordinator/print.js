// Prints the page. The button is hidden at first, since without scripts it could do nothing.
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
