// Short and long texts follow each other: the questions below them stay where they were as far as
// that is possible, so that the hand need not look for them.

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
