// For pages other than judging: delivers decisions that wait on this device as soon as their judge is
// logged in again, and deletes the texts of judges who have logged out.

import { Delivery } from "./delivery.js";
import { JudgeStorage } from "./saved_answers.js";
import { forgetPage, keepOfflinePage } from "./offline_page.js";
import { Box } from "./outbox.js";
import { count, line, say } from "./messages.js";

const { base, owner, formKey } = document.querySelector("#line").dataset;
const box = new Box(base, owner);
let delivered = 0;
let leaving = false;
addEventListener("beforeunload", () => (leaving = true));

const hears = {
  stored: (decided, told) => (delivered += told.saved ? 1 : 0),
  refused: stay,
  early: stay,
  stopped(why, number, reason) {
    const because = reason ? say("locked-because").replace("{reason}", reason) : say("locked-waiting");
    line(why === "shut" ? `${because} ${count("answers-wait-shut", number)}` : count(why, number));
  },
};

// Only the judging page can ask the judge again for a decision that is missing.
async function stay() {
  line(count("answers-wait", (await box.waiting()).length));
  return false;
}

async function begin() {
  new JudgeStorage(base, owner).forgetOthers();
  if ((await box.forgetOthers()) || !owner) await forgetPage(base);
  const others = (await box.ofOthers("decisions")).length;
  if (others) line(count("others-wait", others));
  if (!owner) return;
  await new Delivery(box, { base, owner, formKey, goOn: false }, hears).now();
  if (delivered && !leaving) return location.reload(); // what is left to do has changed
  await keepOfflinePage(base).catch(() => {}); // as in a browser window that stores nothing
}

begin();
