// Keeps the questions at the same height while short and long texts alternate, as far as possible, so
// that the hand need not search for them.

let most = 0;
let width = 0;
let shape = "";

function keep(step) {
  const texts = step.querySelector(".texts");
  if (width !== innerWidth || shape !== step.className) most = 0;
  [width, shape] = [innerWidth, step.className];
  texts.style.minHeight = "";
  most = Math.min(Math.max(most, texts.offsetHeight), innerHeight * 0.45);
  texts.style.minHeight = `${most}px`;
}

document.addEventListener("jurat:ready", (event) => {
  const step = event.target.closest(".step");
  if (event.target === step?.querySelector(".question")) keep(step);
});
