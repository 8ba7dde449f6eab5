// Keeps the questions at the same height while short and long texts alternate, as far as possible, so
// that the hand need not search for them. Under a text longer than the window they stay in sight.

const LARGEST = 0.5; // the share of the window that questions may cover while the text scrolls

let most = 0;
let width = 0;
let shape = "";

function keep(step) {
  if (step.matches(".in-columns")) return; // the translations are among the questions
  const texts = step.querySelector(".texts");
  if (width !== innerWidth || shape !== step.className) most = 0;
  [width, shape] = [innerWidth, step.className];
  texts.style.minHeight = "";
  most = Math.min(Math.max(most, texts.offsetHeight), innerHeight * 0.45);
  texts.style.minHeight = `${most}px`;
  // they are smaller once they stay under a long text, so they are measured like that
  step.classList.add("answers-stay", "crowded");
  const stay = step.querySelector(".questions").offsetHeight <= innerHeight * LARGEST;
  step.classList.remove("crowded");
  step.classList.toggle("answers-stay", stay);
  step.classList.toggle("long-text", texts.offsetHeight > innerHeight * LARGEST);
  // with room for everything nothing has to be left out
  step.classList.toggle("crowded", stay && document.documentElement.scrollHeight > innerHeight);
}

const shown = () => document.querySelector(".step:has(.texts, .questions)");
const again = () => shown() && keep(shown());

addEventListener("resize", again);
document.addEventListener("jurat:resize", again);

document.addEventListener("jurat:ready", (event) => {
  const step = event.target.closest(".step");
  if (event.target === step?.querySelector(".question")) keep(step);
});
