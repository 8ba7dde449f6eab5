// Judging without waiting: a decision is stored in the browser first, the next step is shown at once,
// and the decision is sent in the background until the server confirms that it is on disk.

import { Ahead, keyAfter } from "./upcoming_steps.js";
import { moment, Watch } from "./clock.js";
import { Delivery } from "./delivery.js";
import { begun, JudgeStorage, restoreAnswers, UnfinishedAnswers } from "./saved_answers.js";
import { answers, askBack, complain, follow, forgive, isAsked, missing, questions, unconfirmed } from "./form.js";
import { hasRemark, listenToRemarks, maySkip, remark, restoreRemark } from "./flag.js";
import { forgetPage, keepPage } from "./offline_page.js";
import { listen } from "./keyboard.js";
import { checkMedia } from "./media.js";
import { Box, isFleeting } from "./outbox.js";
import { count, language, line, say } from "./messages.js";
import "./questions.js"; // the scripts of all kinds of question

const AWAY = 60_000; // milliseconds after which the judge may have continued on another device

const stage = document.querySelector(".stage");
const { base, owner, formKey } = stage.dataset;
const plain = "plain" in stage.dataset; // a guest's answers are checked, but not stored
const page = { base, owner, formKey, goOn: "goOn" in stage.dataset };
const box = new Box(base, owner);
const storage = new JudgeStorage(base, owner);
const unfinished = new UnfinishedAnswers(box, storage, page);
const ahead = new Ahead(box, base);
const delivery = new Delivery(box, page, { has, stored, refused, early, stopped, emptied });
let watch = new Watch();
let away = false; // whether the page shows that there is no connection
let unsent = false; // whether it shows how many answers are still to be sent
let deciding = false; // whether a decision is being stored in the browser
let left = null; // the step that the judge left to look back, with its state

const step = () => stage.querySelector(".step");
const isBack = () => Boolean(step()?.dataset.revision);
const hasBegun = () => Boolean(step()) && (hasRemark() || Object.keys(begun(step())).length > 0);

const isSaving = () => document.querySelector("#saved").textContent === say("saving");

function status(text) {
  const place = document.querySelector("#saved");
  place.textContent = text;
  if (text && !isSaving()) setTimeout(() => place.textContent === text && (place.textContent = ""), 1500);
}

// Showing

async function show(html, { given = null, spent, said } = {}) {
  stage.innerHTML = html;
  if (given) restoreAnswers(step(), given);
  restoreRemark(said ?? step()?.dataset);
  prepare(spent);
  window.scrollTo(0, 0);
  stage.querySelector(".texts, .rest")?.setAttribute("tabindex", "-1");
  stage.querySelector(".texts, .rest")?.focus({ preventScroll: true });
  if (location.pathname !== `${base}judge`) history.replaceState(null, "", `${base}judge`);
  await remember(html);
}

function prepare(spent) {
  watch.stop();
  if (!step()) return;
  watch = new Watch(spent);
  follow(step());
  checkMedia(step());
  for (const question of questions(step())) question.dispatchEvent(new CustomEvent("jurat:ready", { bubbles: true }));
  name();
}

// The step may belong to another task than the one before it.
function name() {
  const { task, title } = step().dataset;
  const where = step().querySelector(".progress .where").textContent;
  if (!plain) document.title = `${title} · ${where}`;
  document.querySelector(".current-task b").textContent = title;
  document.querySelector(".current-task .phase").textContent = step().dataset.phase;
  // the number of the kit is that of the kit with which the page was loaded
  const kit = document.querySelector(".current-task .kit");
  if (kit) kit.hidden = kit.dataset.assignment !== step().dataset.assignment;
  document.querySelector("a.guidelines").href = `${base}guidelines/${task}`;
}

// Keeps the step as it was received, in case the page is reopened without a connection.
async function remember(html) {
  if (plain || isBack()) return;
  if (step()) await box.put("kept", "here", { html, step: step().dataset.key });
  else await box.remove("kept", "here");
}

async function goOn(given = null) {
  const reply = await fetch(`${base}api/step${page.goOn ? "?go-on=1" : ""}`);
  if (reply.ok) await show((await reply.json()).html, { given });
}

// Deciding

async function submit({ skip = false } = {}) {
  const current = step();
  if (!current || current.inert) return;
  const { assignment, position, key, revision = "1" } = current.dataset;
  const { lang: language } = document.documentElement; // it may be another when the decision is sent
  const decided = { assignment, position: Number(position), revision: Number(revision), answers: answers(current), language };
  Object.assign(decided, remark(), skip && { skip });
  current.inert = deciding = true; // so that a double click decides only once
  const name = isBack() ? `${key}/${revision}` : key;
  const kept = await box.decide(name, { ...decided, ...watch.stop(), made: moment() });
  if (!isBack()) await leave(current);
  deciding = false;
  status(kept ? say("saving") : "");
  if (!kept) line(say("elsewhere"));
  await delivery.now();
}

async function leave(current) {
  unfinished.forget();
  storage.put("spent", null);
  const html = await ahead.get(keyAfter(current.dataset));
  await box.remove("steps", current.dataset.key);
  if (html) await show(html);
}

// Steps that the server need not send again.
function has() {
  return [isBack() ? left?.key : step()?.dataset.key].filter(Boolean);
}

async function stored(decided, told, lost) {
  status(told.saved ? say(decided.revision > 1 ? "changed" : "saved") : "");
  if (told.problem) line(told.problem === "gone" ? count("gone", lost) : say("elsewhere"));
  else line("");
  away = unsent = false;
  if ((await box.waiting()).length) return;
  unfinished.send();
  if (isBack() && !step().inert) return; // the judge is looking at another step meanwhile
  await arrive(told.next);
}

// Nothing is left to be sent. Another window may have sent what this one has decided, and only that
// window was told: this one neither waits for it any longer nor claims what it does not know.
async function emptied() {
  if (deciding) return; // what is being stored just now is delivered after this
  if (isSaving()) status("");
  if (unsent) line("");
  unsent = false;
  if (leaving || !step()?.inert) return;
  left = null;
  await goOn().catch(() => {});
}

let leaving = false; // for another page, which the browser loads while this one still runs

// Asking for a step meanwhile would take the next kit before the judge wants it.
function leaveFor(address) {
  leaving = true;
  location.assign(`${base}${address}`);
}
addEventListener("pageshow", () => (leaving = false));

async function arrive(next) {
  if (isBack() && left?.key === next.key) await show(left.html, left);
  else if (step()?.dataset.key === next.key) step().inert = false;
  else {
    if (next.to) return leaveFor(next.to);
    const html = next.html || (await ahead.get(next.key));
    if (!html) return leaveFor("judge");
    await show(html);
  }
  left = null;
  if (step()) ahead.fetch(step()).catch(() => {});
}

// The server refused this answer: shows the step again with the problem.
async function refused(decided, told) {
  if (decided.revision > 1) await box.remove("decisions", decided.key);
  if (step()?.dataset.key !== `${decided.assignment}/${decided.position}`) await goOn(decided.answers).catch(() => {});
  if (!step()) return;
  step().inert = false;
  status("");
  const faults = Object.entries(told.faults ?? {});
  line([say("refused"), ...faults.filter(([name]) => !asks(name)).map(([, words]) => words)].join(" "));
  for (const [name, words] of faults) if (asks(name)) complain(asks(name), words);
}

const asks = (name) => questions(step()).find((one) => one.dataset.question === name && isAsked(one));

// An earlier decision is missing: asks for it, and keeps the later ones waiting.
async function early(decided, told) {
  if (told.next && step()?.dataset.key !== told.next.key) await show(told.next.html);
  return false;
}

async function stopped(why, number, reason) {
  status("");
  if (why === "shut") return shut(number, reason);
  if (why === "login-again" || why === "taken-over") return line(say(why), { [say("log-in")]: base });
  away = unsent = true;
  line(step()?.inert ? say("offline-stop") : count(why, number));
}

// The task is stopped: decisions wait until it is started again, unless the judge discards them.
function shut(number, reason) {
  if (step()) step().inert = true;
  const why = reason ? say("locked-because").replace("{reason}", reason) : say("locked-waiting");
  const back = () => shut(number, reason);
  const ask = () => line(say("discard-ask"), { [say("discard")]: discard, [say("keep")]: back });
  line(`${why} ${count("answers-wait-shut", number)}`, { [say("discard")]: ask });
}

async function discard() {
  await box.clear("decisions");
  unfinished.forget();
  line(say("discarded"));
  location.assign(`${base}judge`);
}

// Looking back, where decisions are not final

async function lookBack(address) {
  if (step().inert) return;
  if (!isBack()) left = { key: step().dataset.key, given: begun(step()), spent: watch.read(), html: await here(), said: remark() };
  await delivery.now();
  try {
    if ((await box.waiting()).length) throw new Error("not yet");
    const reply = await fetch(address.replace(`${base}judge/`, `${base}api/step/`));
    if (!reply.ok) throw new Error(reply.status);
    await show((await reply.json()).html);
    line("");
  } catch {
    line(say("back-later"));
  }
}

const here = async () => (await box.get("kept", "here"))?.html ?? stage.innerHTML;

async function comeBack() {
  if (left) await show(left.html, left);
  else await goOn();
  left = null;
}

stage.addEventListener("click", (event) => {
  if (event.target.closest(".next") && event.detail > 1) return event.preventDefault(); // a double click
  const link = event.target.closest("a.back, a.return");
  if (!link || plain || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.matches(".back")) lookBack(link.getAttribute("href"));
  else comeBack();
});

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("textarea, select, input:not([type=radio], [type=checkbox])");
  if (event.key !== "Backspace" || typing || event.defaultPrevented || event.altKey || event.ctrlKey) return;
  stage.querySelector(event.shiftKey ? "a.return" : "a.back")?.click();
});

// Unfinished answers

const saveUnfinished = () => !plain && !isBack() && unfinished.save(step());

stage.addEventListener("change", (event) => {
  const question = event.target.closest(".question");
  if (!question) return;
  forgive(question);
  follow(step());
  saveUnfinished();
});
stage.addEventListener("input", (event) => {
  // a number counts as changed only when its field is left
  if (event.target.matches("[type=number], [type=range]")) forgive(event.target.closest(".question"));
  if (event.target.matches("textarea")) saveUnfinished();
});
listenToRemarks(() => step() && saveUnfinished());

// Coming and going

stage.addEventListener("submit", (event) => {
  if (!event.target.matches(".questions")) return;
  const skip = event.submitter?.name === "skip";
  if (skip && !maySkip()) return event.preventDefault();
  const open = skip ? [] : missing(step());
  const doubtful = skip || open.length ? null : unconfirmed(step());
  if (plain && !open.length && !doubtful) return;
  event.preventDefault();
  if (open.length) complain(open[0], say("missing"));
  else if (doubtful) askBack(doubtful, { change: say("change-answer"), keep: say("keep-answer") }, () => event.target.requestSubmit());
  else submit({ skip });
});
listen(stage, () => step().querySelector(".questions").requestSubmit());

// The judge may have continued on another device or in another window. Unfinished answers here stay.
async function lookAround() {
  await delivery.now();
  if ((await box.waiting()).length) return;
  const free = () => step() && !isBack() && (step().inert || !hasBegun());
  if (!free()) return;
  const reply = await fetch(`${base}api/step${page.goOn ? "?go-on=1" : ""}`).catch(() => null);
  const next = reply?.ok ? await reply.json() : null;
  if (!next || next.key === step()?.dataset.key || !free()) return;
  await show(next.html);
  line(say("elsewhere"));
}

// After the page was opened without a connection: retries until the server answers.
async function findServer(seconds = 1) {
  const reply = await fetch(`${base}api/me`).catch(() => null);
  if (!reply || reply.status >= 500) return void setTimeout(findServer, 1000 * seconds, Math.min(2 * seconds, 20));
  await lookAround();
  await clearAway();
}

async function clearAway() {
  if (away && !(await box.waiting()).length) line("");
}

let hiddenAt = 0;
function comeAndGo() {
  if (document.hidden) {
    hiddenAt = performance.now();
    if (step() && !isBack() && !step().inert) storage.put("spent", { key: step().dataset.key, ...watch.read() });
    unfinished.send({ leaving: true });
  } else if (step()?.inert || performance.now() - hiddenAt > AWAY) lookAround();
}

// The step may have been decided on this device already, without having been delivered.
async function skipDecided() {
  const decided = new Map((await box.waiting()).map((one) => [one.key, one]));
  let html = null;
  let place = { ...step()?.dataset };
  while (decided.has(place.key) && !decided.get(place.key).refused) {
    place = { ...place, key: keyAfter(place), position: Number(place.position) + 1 };
    html = await ahead.get(place.key);
    step().inert = true;
  }
  if (html) await show(html);
}

async function begin(html) {
  storage.forgetOthers();
  if (await box.forgetOthers()) await forgetPage(base);
  const others = (await box.ofOthers("decisions")).length;
  if (others) line(count("others-wait", others));
  await ahead.refresh(`${language} ${import.meta.url}`);
  if ("kept" in stage.dataset) await reopen();
  else await remember(html);
  await skipDecided();
  await delivery.now();
  if (step() && !isBack()) await ahead.fetch(step());
  await keepPage(base);
}

// Without a connection the page is an old copy; the current step is taken from the database.
async function reopen() {
  const kept = await box.get("kept", "here");
  if (kept) await show(kept.html, { given: unfinishedOf(kept.step)?.answers, said: unfinishedOf(kept.step)?.said });
  else if (step()) step().inert = true;
  line(say(kept ? "offline-none" : "offline-stop"));
  away = true;
  findServer();
}

function unfinishedOf(key) {
  const kept = storage.get("draft");
  return kept?.key === key ? kept : null;
}

const html = stage.innerHTML;
const spent = storage.get("spent");
if (step() && !plain && !isBack()) unfinished.restore(step());
prepare(spent?.key === step()?.dataset.key ? spent : {});
if (!plain) {
  document.addEventListener("visibilitychange", comeAndGo);
  addEventListener("pageshow", (event) => event.persisted && lookAround());
  addEventListener("beforeunload", (event) => isFleeting() && event.preventDefault());
  addEventListener("online", () => delivery.now().then(clearAway));
  begin(html).catch(() => {});
}
