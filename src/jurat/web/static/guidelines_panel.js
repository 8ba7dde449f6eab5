// Guidelines and keys in a panel beside the text: opened and closed by the link in the bar or by `?`.

import { say } from "./messages.js";

const panel = document.querySelector("#help");
const link = document.querySelector("a.guidelines");
const content = panel.querySelector(".content");
let loaded = ""; // the address whose guidelines the panel has
let before = null; // what had the focus when it was opened

const typing = (element) => element.matches("textarea, select, input:not([type=radio], [type=checkbox], [type=range])");

// The task may have changed since the panel was last open, and the link's address with it.
async function load() {
  const address = link.href;
  if (loaded === address) return;
  const reply = await fetch(address).catch(() => null);
  if (!reply?.ok) return void (content.textContent = say("no-server"));
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  content.replaceChildren(...page.querySelectorAll(".prose, .answers-rule, .examples"));
  loaded = address;
}

function open() {
  before = document.activeElement;
  panel.hidden = false;
  link.setAttribute("aria-expanded", "true");
  panel.focus();
  load();
}

function close() {
  panel.hidden = true;
  link.setAttribute("aria-expanded", "false");
  if (before?.isConnected) before.focus();
}

const toggle = () => (panel.hidden ? open() : close());

link.setAttribute("aria-expanded", "false");
link.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return; // in a tab of its own
  event.preventDefault();
  toggle();
});
panel.querySelector(".close").addEventListener("click", close);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !panel.hidden && !event.defaultPrevented) close();
  if (event.key !== "?" || event.ctrlKey || event.metaKey || typing(event.target)) return;
  event.preventDefault();
  toggle();
});
