// Media of a step: keys to play and rewind, and a word where something cannot be shown.

const BACK = 5; // seconds that the key goes back
const PLAYERS = ".step .media :is(video, audio)";

let latest = null; // the player that was used last

// The player that the keys mean: the one used last, else the first on the page.
const player = () => (latest?.isConnected ? latest : document.querySelector(PLAYERS));

function toggle(one) {
  if (one.paused) one.play().catch(() => {}); // what goes wrong is an error event, too
  else one.pause();
}

const KEYS = {
  p: toggle,
  r: (one) => (one.currentTime = Math.max(0, one.currentTime - BACK)),
};

document.addEventListener("keydown", (event) => {
  const act = KEYS[event.key.toLowerCase()];
  const typing = event.target.matches?.("textarea, select, input:not([type=radio], [type=checkbox], [type=range])");
  if (!act || typing || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const one = player();
  if (!one) return;
  event.preventDefault();
  act(one);
});

// Events of media do not bubble; they are heard on their way down.
const hear = (name, act) => document.addEventListener(name, ({ target }) => target.closest?.(".media") && act(target), true);

hear("play", (one) => (latest = one));
hear("loadeddata", (one) => tell(one, false));
hear("load", (one) => tell(one, false));
hear("error", (one) => tell(one, true));

// Says that something cannot be shown, and opens its text alternative in its place.
function tell(one, wrong) {
  const section = one.closest(".media");
  section.querySelector(".media-problem").hidden = !wrong;
  if (wrong) section.querySelector("details")?.setAttribute("open", "");
}

document.addEventListener("click", ({ target }) => {
  if (!target.matches?.(".media-again")) return;
  const one = target.closest(".media").querySelector("video, audio, img");
  if (one.matches("img")) one.src = one.getAttribute("src");
  else one.load();
});

// Media that had failed before this script ran.
export function checkMedia(step) {
  for (const one of step.querySelectorAll(".media :is(video, audio)")) if (one.error) tell(one, true);
  for (const one of step.querySelectorAll(".media img")) if (one.complete && !one.naturalWidth) tell(one, true);
}
