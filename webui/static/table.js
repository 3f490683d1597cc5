// What the page does beyond plain HTML: takes the newest state from the server as it happens, opens
// dialogs in place, sends entries without leaving the page, and keeps the camera picture fresh.
// Everything works without it too: each link is a page and each button a form.
"use strict";

const page = document.body.dataset;
const byId = (id) => document.getElementById(id);

// ---- the state: regions of the page, rendered by the server, replaced when they changed ----

let version = Number(page.version);
let lastHeard = Date.now();

function announce(region, seen) {
  const said = [...region.querySelectorAll("[data-announce]")].filter((e) => !seen.has(e.dataset.new));
  if (said.length) toast(said.map((e) => e.textContent.trim()).join(" · "), false);
}

// A question or a flag is said when it comes, however often its region is drawn again. Gone, its words go too.
let told = new Set([...document.querySelectorAll("#region-notices article[id]")].map((e) => e.id));
let spoken = [];
function tell(region) {
  const shown = [...region.querySelectorAll("article[id]")];
  const fresh = shown.filter((e) => !told.has(e.id));
  told = new Set(shown.map((e) => e.id));
  if (!fresh.length && spoken.every((id) => told.has(id))) return;
  spoken = fresh.map((e) => e.id);
  byId("announcer").textContent = fresh
    .map((e) => [...e.querySelectorAll("h3, h3 + p")].map((part) => part.textContent.trim().replace(/([^.?!…])$/, "$1."))).flat().join(" ");
}

// What was opened or folded stays so when its region is drawn again. If all views are in sight, flags are open.
const unfolded = new Map();
document.addEventListener("toggle", (event) => { if (event.target.id) unfolded.set(event.target.id, event.target.open); }, true);
const allInSight = () => {
  const views = document.querySelector(".views"); // the table's own page alone has them
  return views !== null && getComputedStyle(views).display === "contents";
};
function unfold(region, all = allInSight()) {
  for (const one of region.querySelectorAll("details[id]")) {
    one.open = unfolded.get(one.id) ?? (one.open || (one.classList.contains("fold") && all));
  }
}
unfold(document);

// The chosen view is shown again when the page is loaded again.
for (const view of document.querySelectorAll("input[name=view]")) {
  if (view.id === sessionStorage.getItem("view")) view.checked = true;
  view.addEventListener("change", () => {
    sessionStorage.setItem("view", view.id);
    document.querySelector(".views").scrollIntoView({ block: "start" });  // on a phone it lies below the felt
  });
}

// This phone's turn is said once, in the way that its owner chose.
const myTurn = () => document.querySelector(".seat.own.turn") !== null;
function signal() {
  if (page.signal === "buzz" && navigator.vibrate) navigator.vibrate(120);
  if (page.signal !== "sound") return;
  const audio = new AudioContext();
  const tone = new OscillatorNode(audio, { frequency: 660 });
  const volume = new GainNode(audio, { gain: 0.15 });
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.18);
  tone.onended = () => audio.close();
}

const drawn = new Map();  // the HTML that each region was last given
function show(state) {
  // A phone that became host, or is host no longer, gets another menu; a removed one the page that says how to join.
  if (state.menu !== page.menu) { location.reload(); return; }
  lastHeard = Date.now();
  connection(true);
  const all = allInSight();  // asked once, before anything changes: the browser would work out its styles anew for each
  for (const [name, html] of Object.entries(state.regions)) {
    const region = byId("region-" + name);
    if (!region || drawn.get(name) === html) continue;
    const seen = new Set([...region.querySelectorAll("[data-new]")].map((e) => e.dataset.new));
    const held = region.contains(document.activeElement) ? document.activeElement.id : "";
    const waited = myTurn();
    const next = document.createElement("template");
    next.innerHTML = html;
    becomeWithin(region, next.content);
    drawn.set(name, html);
    unfold(region, all);
    if (name === "felt" && myTurn() && !waited) signal();
    for (const element of region.querySelectorAll("[data-new]")) {
      if (element.dataset.enter && !seen.has(element.dataset.new)) element.classList.add(element.dataset.enter);
    }
    announce(region, seen);
    if (name === "notices") tell(region);
    if (held && byId(held)) byId(held).focus();
  }
  version = state.version;
  if (staying && isStaying()) refresh();
}

let stream = null;
let polling = null;
let elsewhere = false;  // this phone listens with another page

function listen() {
  if (stream) stream.close();
  stream = new EventSource(page.stream + "&since=" + version);
  stream.addEventListener("state", (message) => { stopPolling(); show(JSON.parse(message.data)); });
  stream.addEventListener("alive", () => { lastHeard = Date.now(); connection(true); });
  stream.addEventListener("elsewhere", () => { stream.close(); elsewhere = true; startPolling(); });
  stream.onerror = () => {
    // A browser reopens a broken stream by itself, but not one that was refused.
    if (stream.readyState === EventSource.CLOSED) startPolling();
  };
}

async function poll() {
  try {
    const answer = await fetch(page.state + "&since=" + version);
    if (answer.status === 403) { location.reload(); return; }
    if (answer.ok) show(await answer.json());
  } catch { connection(false); }
}

function startPolling() {
  if (!polling) { polling = setInterval(poll, 2500); setTimeout(() => { if (!elsewhere) listen(); }, 20000); poll(); }
}

function stopPolling() {
  clearInterval(polling);
  polling = null;
}

function connection(alive) {
  if (alive && !byId("connection").hidden) queue.again();
  byId("connection").hidden = alive;
}

// Only the table's own page takes news.
if (page.stream) {
  setInterval(() => {
    if (Date.now() - lastHeard > 12000) { connection(false); if (!polling) listen(); }
  }, 5000);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && (elsewhere || Date.now() - lastHeard > 16000)) { elsewhere = false; listen(); }
  });
  listen();
}

// ---- dialogs: the same pages, shown in place ----

const dialog = byId("dialog");
let opener = null;

// A modal dialog covers everything outside it, so what tells of entries is inside while one is open.
function fill(html) {
  const [note, waiting] = [byId("toast"), byId("queue")];
  document.body.append(note);
  byId("connection").after(waiting);
  dialog.innerHTML = html;
  if (html) { dialog.prepend(waiting); dialog.append(note); }
}

// The focus of a dialog begins at what is chosen already, never at a field that brings up a phone's keyboard.
function focusFirst() {
  const controls = [...dialog.querySelectorAll(".dialog input:not([type=hidden]), .dialog select, .dialog button, .dialog a[href]")].filter(
    (e) => !e.disabled && !e.closest("header") && e.name !== "typed" && e.getClientRects().length);
  const group = controls[0] && controls[0].type === "radio" ? controls[0].name : "";
  const first = dialog.querySelector("[autofocus]") || (group && controls.find((e) => e.name === group && e.checked))
    || controls[0] || dialog.querySelector(".close");
  if (first) first.focus({ preventScroll: true });
}

// The dialog that was asked for last is shown. `from` is a form that enters one card after the other. If it goes on, it
// is changed in place, and what is typed meanwhile stays.
let asked = 0;
let linked = 0;  // how many were asked for by a tap on a link
async function open(href, from = null) {
  const number = ++asked;
  try {
    const count = queue.booked();
    const answer = await fetch(href, { headers: { "X-Fragment": "1" } });
    const html = await answer.text();
    if (number !== asked) return;
    const next = document.createElement("template");
    next.innerHTML = html;
    const goesOn = from && from.isConnected && next.content.querySelector(`.entering[action="${from.getAttribute("action")}"]`);
    // After another choice in the same form, such as the hand of a fine, the typed words stay.
    const words = pathOf(href) === pathOf(address) ? controls().filter((e) => e.type === "text" && e.value) : [];
    if (goesOn) become(dialog.querySelector(".dialog"), next.content.querySelector(".dialog")); else fill(html);
    for (const { name, value } of words) for (const field of dialog.querySelectorAll(`[name="${name}"]`)) field.value ||= value;
    byHand.clear();
    if (dialog.querySelector("form[data-stay]")) staying = href;
    lift();
    address = href;
    keep();
    if (staying) queue.followed(count); else queue.draw();
    if (!goesOn) { focusFirst(); dialog.scrollTop = 0; }
  } catch { toast(byId("connection").textContent, true); }
}

// The way back closes a dialog. Once that is closed, its place in the history is passed over.
let covered = history.state === "dialog" ? location.href : "";  // the page that a dialog was opened on
function lift() {
  if (!dialog.open) { dialog.showModal(); if (history.state !== "dialog") history.pushState("dialog", ""); covered = location.href; }
}
addEventListener("popstate", (event) => {
  const passed = !dialog.open && covered === location.href && event.state !== "dialog";
  covered = event.state === "dialog" ? location.href : "";
  if (dialog.open) dialog.close();
  if (passed) history.back();
});

// What was chosen in a dialog is restored if the page is loaded again meanwhile.
let address = "";
const controls = () => [...dialog.querySelectorAll(".dialog input:not([type=hidden], [type=file], [type=password]), .dialog select")];
const pathOf = (href) => href && new URL(href, location).pathname;
const ticked = (e) => ["radio", "checkbox"].includes(e.type);
function keep() {
  if (address) sessionStorage.setItem("dialog", JSON.stringify([location.pathname, address, controls().map((e) => [e.name, ticked(e) ? e.checked : e.value])]));
}
async function restore() {
  const [path, href, values] = JSON.parse(sessionStorage.getItem("dialog") || "[]");
  sessionStorage.removeItem("dialog");
  if (path !== location.pathname || performance.getEntriesByType("navigation")[0].type !== "reload") return;
  await open(href);
  const found = controls();
  if (found.length !== values.length || found.some((e, place) => e.name !== values[place][0])) return;
  found.forEach((e, place) => { if (ticked(e)) e.checked = values[place][1]; else e.value = values[place][1]; });
  keep();
}
dialog.addEventListener("input", keep);
document.addEventListener("DOMContentLoaded", restore);

// The dialog for entering cards stays open and follows the table. It is changed in place, so that typed words, the focus
// and a tap on its way stay as they are.
let staying = null;    // its address, also while another dialog is opened from it
let fresh = null;      // when it is loaded again
let pressed = false;   // a finger is down: the dialog waits until it is up
const byHand = new Set();  // what was chosen by hand, since the last card

const typed = () => dialog.querySelector("input[name=typed]");
const turn = () => (dialog.querySelector("input[name=player][checked]") || {}).value;  // as the table has it

// `back`: it replaces the dialog that was opened from it. Otherwise it never covers a dialog that was opened meanwhile.
let back = false;
function refresh(returns = false) {
  back = back || returns;
  clearTimeout(fresh);
  fresh = setTimeout(reload, 40);
}

const isStaying = () => dialog.querySelector("form[data-stay]") !== null;

async function reload() {
  const returns = back;
  back = false;
  if (!returns && !isStaying()) return;
  const asked = queue.booked();
  let html;
  try { html = await (await fetch(staying, { headers: { "X-Fragment": "1" } })).text(); } catch { return; }  // the news will come
  if (!dialog.open || !staying || (!returns && !isStaying())) return;
  if (pressed) { back = returns; return; }
  const next = document.createElement("template");
  next.innerHTML = html;
  if (!next.content.querySelector("form[data-stay]")) { dialog.close(); return; }
  const before = turn();
  become(dialog.querySelector(".dialog"), next.content.querySelector(".dialog"));
  const settled = queue.followed(asked);
  // The turn has changed, and not by an entry of this page: the player chosen by hand was meant for the turn before.
  if (settled && turn() !== before) byHand.delete("player");
  for (const one of dialog.querySelectorAll("input[type=radio]")) if (!byHand.has(one.name)) one.checked = one.defaultChecked;
  queue.draw();
  if (!dialog.contains(document.activeElement)) focusFirst();
}

// Make the element `old` like `now`, and keep what is alike, so that only what changed is laid out and painted again.
// An element with a name of its own is never made into another.
const another = (old, now) => old.nodeName !== now.nodeName || (old.id && now.id && old.id !== now.id) || old.dataset?.new !== now.dataset?.new;
function become(old, now) {
  if (old.isEqualNode(now)) return;
  if (another(old, now)) { old.replaceWith(now); return; }
  if (old.nodeType !== Node.ELEMENT_NODE) { if (old.data !== now.data) old.data = now.data; return; }
  for (const { name } of [...old.attributes]) if (!now.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of now.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  becomeWithin(old, now);
}

// New rows come in at an end, and the rows that follow them stay.
function becomeWithin(old, now) {
  const [was, is] = [[...old.childNodes], [...now.childNodes]];
  while (was.length && is.length && was.at(-1).isEqualNode(is.at(-1))) { was.pop(); is.pop(); }
  const after = old.childNodes[was.length] || null;
  is.forEach((child, place) => { if (place < was.length) become(was[place], child); else old.insertBefore(child, after); });
  for (const child of was.slice(is.length)) child.remove();
}

dialog.addEventListener("change", (event) => { if (event.target.type === "radio") byHand.add(event.target.name); });
dialog.addEventListener("pointerdown", (event) => { pressed = event.button === 0; });
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, () => { if (pressed && staying) refresh(); pressed = false; });
}

// The arrow keys go from card to card, as the cards lie.
document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  const here = event.target.closest && event.target.closest(".pick");
  if (!step || !here) return;
  event.preventDefault();
  const middle = (e) => { const box = e.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const [x, y] = middle(here);
  const far = (e) => {
    const [dx, dy] = [middle(e)[0] - x, middle(e)[1] - y];
    const [ahead, aside] = step[0] ? [dx * step[0], Math.abs(dy)] : [dy * step[1], Math.abs(dx)];
    return ahead < 4 || (step[0] && aside > 4) ? Infinity : ahead + 3 * aside;
  };
  const others = [...here.closest(".dialog").querySelectorAll(".pick")].filter((e) => e.getClientRects().length);
  const next = others.reduce((best, e) => (far(e) < far(best) ? e : best), here);
  if (next !== here) (next.querySelector("input") || next).focus();
});

// Whoever has a keyboard just types.
document.addEventListener("keydown", (event) => {
  const field = dialog.open && typed();
  if (!field || event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1 || event.key === " ") return;
  if (!event.target.closest("input[type=text], input[type=number], select")) field.focus();
});

// A field of points is full with its last digit, so the next digit goes into the next field.
document.addEventListener("input", (event) => {
  const field = event.target.closest(".points input");
  if (!field || field.value.length < field.maxLength) return;
  const fields = [...field.closest(".points").querySelectorAll("input")];
  const next = fields[fields.indexOf(field) + 1];
  if (next && !next.value) next.focus();
});

document.addEventListener("click", (event) => {
  // Whoever goes on has read what was entered: it covers nothing of what he opens.
  const note = byId("toast");
  if (event.target === note || !note.classList.contains("wrong")) note.hidden = true;
  const closer = event.target.closest(".close, [data-close]");
  if (closer && dialog.open) { event.preventDefault(); dialog.close(); return; }
  const link = event.target.closest("a[data-dialog]");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    opener = link.id || null;
    linked += 1;
    open(link.href);
  }
  if (event.target === dialog) dialog.close();
  if (event.target.closest("[data-print]")) print();
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    const chosen = link && menu.contains(link);
    if (chosen) menu.querySelector("summary").focus();  // so that the focus comes back to it from the dialog
    if (chosen || !menu.contains(event.target)) menu.open = false;
  }
});
dialog.addEventListener("close", () => {
  staying = null;
  address = "";
  sessionStorage.removeItem("dialog");
  byHand.clear();
  fill("");
  queue.release();
  if (opener && byId(opener)) byId(opener).focus();
});

// ---- entries ----

let sending = false;
let looking = null;
// The last button of a form, also on the page that this one is loaded in place of.
let tapped = JSON.parse(sessionStorage.getItem("tapped")) || { what: "", finger: null, at: 0 };
let finger = null;  // where the last tap was; null by the keyboard
document.addEventListener("click", (event) => { finger = event.detail ? [event.clientX, event.clientY] : null; }, true);

const mark = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16)).join("");

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  event.preventDefault();
  const button = event.submitter;
  if (form.matches("dialog .entering[data-stay]")) { queue.add(form, button); return; }
  const field = form.matches(".entering") ? form.elements.typed : null;
  const words = field ? field.value.trim() : "";
  if (field && sending) { wait(form.getAttribute("action"), button && button.value, words); field.value = ""; return; }
  // A finger that taps twice means it once. Another player's bid may be there by then, or another question.
  const what = button && !field ? [form.getAttribute("action"), button.name, button.value].join() : "";
  const there = finger && tapped.finger && Math.hypot(finger[0] - tapped.finger[0], finger[1] - tapped.finger[1]) < 24;
  const at = performance.timeOrigin + event.timeStamp;
  const again = what && (what === tapped.what || there) && at - tapped.at < 400;
  tapped = { what, finger: what && finger, at };
  sessionStorage.setItem("tapped", JSON.stringify(tapped));
  if (again) return;
  const data = new FormData(form);
  if (button && button.name) data.append(button.name, button.value);
  if (field) field.value = "";
  // Each entry has a name of its own, so that no other entry passes for one whose answer was lost.
  data.set("once", mark());
  if (button && (button.name || !field)) button.disabled = true;  // Enter in a field would do nothing
  const undoes = form.matches("dialog [data-stay]");
  if (undoes) queue.hold();
  sending = true;
  const links = linked;
  try {
    const action = (button && button.getAttribute("formaction")) || form.getAttribute("action");
    const body = form.enctype === "multipart/form-data" ? data : new URLSearchParams(data);
    const answer = await fetch(action, { method: "POST", body, headers: { Accept: "application/json" } });
    const told = await answer.json();
    if (answer.ok) {
      // A page that shows what was entered, but takes no news, is loaded again.
      const shown = !page.stream && (dialog.open || form.matches("#entry, [data-stay]"));
      // Another dialog may have been opened, or asked for, while this entry was on its way: that dialog stays.
      const covered = linked !== links || (dialog.open && !dialog.contains(form));
      // A dialog that is a page of its own leads back to the table, as one in place is closed.
      const closer = !page.stream && !address && !form.matches("[data-stay]") && document.querySelector(".page > .dialog > header .close");
      if (told.dialog && !covered) { staying = null; await open(told.dialog, form); if (told.message) toast(told.message, false); return; }
      if (dialog.open && !staying && !covered) dialog.close();
      const go = told.go || form.dataset.go || (closer && closer.getAttribute("href"));
      if ((told.go || closer) && told.message) sessionStorage.setItem("said", told.message);  // said by the page that opens next
      if (go) {
        clearTimeout(looking);
        if (go === location.pathname) sessionStorage.setItem("place", scrollY);  // the next entry is not far away
        location.href = go;
        return;
      }
      if (shown) { location.reload(); return; }
      toast(told.message, false);
      follow();
    } else if (told.ask) {
      staying = null;
      address = "";
      fill(told.ask);
      lift();
      focusFirst();
    } else {
      if (undoes) queue.release();
      ahead = [];
      giveBack(field, words);
      toast(told.message, true);
      // The dialog did not follow the table: others entered something meanwhile, or the line was down.
      if (answer.status === 409) { follow(); if (dialog.contains(form) && address && !staying) open(address); }
    }
  } catch {
    if (undoes) queue.release();
    ahead = [];
    giveBack(field, words);
    toast(page.offline, true);
  } finally {
    sending = false;
    if (button) button.disabled = false;
    goOn();
  }
});

// Words that were refused stand in their field again, and give way to what is typed next.
function giveBack(field, words) {
  if (field && !field.value) { field.value = words; field.select(); }
}

// Cards may be tapped or typed faster than they are answered: each is sent when its dialog has gone on.
let ahead = [];

function wait(action, card, words) {
  const twice = ahead.some((one) => one.card === card && one.words === words);
  if ((card || words) && !twice) ahead.push({ action, card, words });
}

function goOn() {
  const one = ahead.shift();
  if (!one) return;
  const form = dialog.querySelector(`.entering[action="${one.action}"]`);
  const button = form && (one.card ? form.querySelector(`[name=card][value="${one.card}"]`) : form.querySelector(".typed button"));
  if (!button) { ahead = []; toast(page.early, true); return; }
  const field = form.elements.typed;
  const meanwhile = field.value;
  field.value = one.words;
  form.requestSubmit(button);
  field.value = meanwhile;
}

// Show what was entered: on the dialog that stays open, and on a page that hears no news just now.
function follow() {
  if (dialog.open && staying) refresh(true);
  if (page.stream && (!stream || stream.readyState !== EventSource.OPEN)) poll();
}

let toastTimer = null;
function toast(message, wrong) {
  const note = byId("toast");
  // A modal dialog covers everything outside it, so the note moves inside while one is open.
  const home = dialog.open ? dialog : document.body;
  if (note.parentElement !== home) home.append(note);
  note.textContent = message;
  note.setAttribute("role", wrong ? "alert" : "status");
  note.classList.toggle("wrong", wrong);
  note.hidden = false;
  note.style.top = "";
  // A long one stands below the button that undoes what it tells.
  const lies = note.getBoundingClientRect();
  const undo = document.querySelector(dialog.open ? "dialog .undoing" : "a[href='/undo']")?.getBoundingClientRect();
  if (undo && lies.bottom > undo.top && lies.top < undo.bottom) note.style.top = `${undo.bottom + 4}px`;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { note.hidden = true; }, (wrong ? 5000 : 2200) + 45 * message.length);
}
{
  const said = sessionStorage.getItem("said"), place = sessionStorage.getItem("place");
  sessionStorage.removeItem("said");
  sessionStorage.removeItem("place");
  if (said) toast(said, false);
  if (place) scrollTo(0, place);
}

// ---- the camera: the next picture is asked for when the last picture has come ----

// For the table's page, and for a dialog that shows who sits where.
function nextPicture() {
  const shown = document.querySelectorAll("img.live");
  if (document.hidden || !shown.length) { setTimeout(nextPicture, 1000); return; }
  const picture = new Image();
  picture.onload = () => {
    for (const image of shown) { image.src = picture.src; image.classList.remove("blank"); }
    setTimeout(nextPicture, 220);
  };
  picture.onerror = () => {
    for (const image of shown) image.classList.toggle("blank", !image.naturalWidth);  // no broken-picture sign
    setTimeout(nextPicture, 2500);
  };
  picture.src = "/camera.jpg?t=" + Date.now();
}

// A page that waits for the camera's next card is loaded again, except while an entry is on its way or something is open.
// Without an answer it stays: a page of the browser's own would never come back.
async function again() {
  const busy = () => sending || document.querySelector("dialog[open], details.menu[open]");
  const there = !busy() && await fetch(location, { method: "HEAD" }).then(() => true, () => false);
  connection(busy() || there);
  if (there && !busy()) location.reload(); else looking = setTimeout(again, 1000);
}

if ("again" in page) looking = setTimeout(again, 1000);
nextPicture();
