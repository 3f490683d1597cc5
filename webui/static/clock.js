// Counts down to the end of a round, by the clock of the club's server, and shows what others enter meanwhile.
"use strict";

// The browser's own clock may be set meanwhile, so the time since the page came is counted without it.
let saidAt = performance.now(), serverSaid = Number(document.body.dataset.now ?? Date.now() / 1000);
function countDown() {
  for (const one of document.querySelectorAll("[data-ends]")) {
    const left = Math.max(0, Math.ceil(Number(one.dataset.ends) - serverSaid - (performance.now() - saidAt) / 1000));
    one.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    one.parentElement.classList.toggle("up", left === 0);
  }
}
countDown();
setInterval(countDown, 1000);

// Nothing is drawn again under somebody who types, has opened a part of the page, or goes through it by keys.
const touched = () => JSON.stringify([[...document.querySelectorAll("main details")].map((e) => e.open), [...document.forms].map((e) => [...new FormData(e)])]);
let untouched = touched();
const busy = () => touched() !== untouched || document.querySelector("dialog[open], main :focus-visible");
async function drawAgain() {
  if (busy()) return;
  const answer = await fetch(location).catch(() => null);  // without a network the page stays, and asks again
  if (!answer?.ok) return;
  const next = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (busy()) return;
  saidAt = performance.now();
  serverSaid = Number(next.body.dataset.now);
  become(document.getElementById("main"), next.getElementById("main"));
  untouched = touched();
  countDown();
}
if (document.body.dataset.every) setInterval(drawAgain, 1000 * Number(document.body.dataset.every));

// On the wall nobody reloads a browser's page of errors, so the next part is loaded only once the server answers.
async function turnTo(next) {
  const answer = await fetch(next, { method: "HEAD" }).catch(() => null);
  const answers = answer !== null && answer.status < 500;
  document.getElementById("connection").hidden = answers;
  if (answers) location.replace(next);
}
if (document.body.dataset.turnsTo) setInterval(turnTo, 15000, document.body.dataset.turnsTo);
