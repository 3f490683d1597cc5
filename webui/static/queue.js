// Cards entered one after the other. Each waits here, in order and in sight, until the table has acknowledged it. It is
// sent when the card before it is booked, under a name of its own, and under the same name again if no answer came. It
// has no player unless one was chosen by hand: the table finds whose turn it is. After a refused card the rest wait, and
// go on only when a person says whose card the next one is.
"use strict";

const queue = (() => {
  const box = document.getElementById("queue");
  // `cards`: each with its name (once), its fields, its words, the card that it comes after (base), and why it was
  // refused. `last` is what a card has as its base that comes after the one that was booked last.
  let { cards, last } = JSON.parse(sessionStorage.getItem("cards") || '{"cards": [], "last": {}}');
  let count = 0;         // how many were booked since the page was opened
  let behind = false;    // the dialog does not show the last one yet
  let sent = null;       // what stops the request that is on its way
  let lost = false;      // it was not answered
  let held = false;      // the last entry is being undone on the sheet: cards wait for what it then shows
  let later = null;      // when it is sent again
  let shown = "";
  let changing = false;  // the next card takes the place of the one that was refused
  let tap = { card: "", at: 0 };  // the last one

  const entering = () => dialog.querySelector(".entering[data-stay]");
  const seen = () => ({ seen: entering().elements.seen.value });

  function add(form, button) {
    const field = form.elements.typed;
    const tapped = button && button.name === "card";
    const words = tapped ? button.title || button.textContent : field.value.trim();
    if (!words) { toast(box.dataset.empty, true); return; }
    // A finger that meets a card twice means it once: no card is played twice.
    const again = tapped && button.value === tap.card && Date.now() - tap.at < 700;
    if (tapped) tap = { card: button.value, at: Date.now() };
    if (again) return;
    const one = { once: mark(), words, fields: tapped ? { card: button.value } : { typed: words } };
    // The player may be renamed before the card arrives.
    if (byHand.has("player")) Object.assign(one.fields, { player: form.elements.player.value, renames: form.elements.renames.value });
    field.value = "";
    byHand.clear();
    if (changing) {
      const { player, renames } = cards[0].fields;
      one.fields = { ...player && { player, renames }, ...one.fields };
      cards[0] = { ...one, base: seen() };
      changing = false;
    } else {
      if (!cards.length && !held) one.base = behind ? last : seen();
      cards.push(one);
    }
    draw();
    send();
  }

  async function send() {
    const [one] = cards;
    if (!one || one.refused || sent || held) return;
    clearTimeout(later);
    one.base ??= last;
    sent = new AbortController();
    draw();
    const body = new URLSearchParams({ ...one.fields, ...one.base, once: one.once, token: box.dataset.token });
    try {
      const answer = await fetch("/plays", { method: "POST", body, headers: { Accept: "application/json" }, signal: sent.signal });
      const told = await answer.json();
      lost = false;
      if (answer.ok) {
        cards.shift();
        last = told.seen ? { seen: told.seen } : { after: one.once };  // another phone was faster with the same card
        count += 1;
        behind = true;
        toast(told.message, false);
      } else {
        one.refused = { status: answer.status, message: told.message };
      }
    } catch {
      lost = true;  // it may have been booked; under its name it is booked once
      later = setTimeout(send, sent.signal.aborted ? 0 : 2000);
    }
    sent = null;
    draw();
    if (!lost) { follow(); send(); }
  }

  // The line is back: entries still on their way went by the old one.
  function again() {
    if (sent) sent.abort(); else send();
  }

  // The dialog was loaded; it was asked for when `asked` cards were booked. Returns whether it shows all that this page
  // entered.
  function followed(asked) {
    if (asked !== count) { refresh(); return false; }
    const own = behind || cards.length > 0;
    behind = false;
    release();
    return !own;
  }

  function hold() { held = true; }

  function release() {
    if (held && cards.length && entering()) cards[0].base = seen();
    const waited = held;
    held = false;
    draw();
    if (waited) send();
  }

  // ---- what a person decides of a card that was refused ----

  function retry() {
    const [one] = cards;
    // If the program failed, the card may be booked nevertheless, so the same entry is sent again. A refused card is
    // sent as a new entry.
    if (one.refused.status < 500) Object.assign(one, { once: mark(), base: seen() });
    delete one.refused;
    changing = false;
    send();
  }

  function leaveOut(number) {
    cards.splice(0, number);
    changing = false;
    if (cards.length) cards[0].base = seen();
    draw();
    send();
  }

  function change() {
    changing = true;
    draw();
    typed().value = cards[0].fields.typed || "";
    typed().select();
    typed().focus();
  }

  // ---- in sight ----

  const said = (name, values) => box.dataset[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);

  function line(words, role) {
    const p = document.createElement("p");
    p.textContent = words;
    if (role) p.setAttribute("role", role);
    return p;
  }

  function button(words, act) {
    const one = document.createElement("button");
    one.type = "button";
    one.className = "button";
    one.textContent = words;
    one.addEventListener("click", act);
    return one;
  }

  function choices() {
    const [one, next] = cards;
    const found = [];
    const player = (card) => card.fields.player || turn();
    if (entering() && turn()) {
      found.push(button(said("change", {}), change));
      if (one.refused.status !== 400) found.push(button(said("enter", { card: one.words, player: player(one) }), retry));
      const values = next ? { card: one.words, next: next.words, player: player(next) } : { card: one.words };
      found.push(button(said(next ? "then" : "skip", values), () => leaveOut(1)));
    } else if (!dialog.open) {
      const link = Object.assign(document.createElement("a"), { href: "/play", className: "button", textContent: said("open", {}) });
      link.dataset.dialog = "";
      found.push(link);
    }
    const all = next ? said("all", { count: cards.length }) : said("skip", { card: one.words });
    if (next || !found.length) found.push(button(all, () => leaveOut(cards.length)));
    return found;
  }

  function draw() {
    sessionStorage.setItem("cards", JSON.stringify({ cards, last }));
    const [one] = cards;
    const refused = one && one.refused;
    const waiting = cards.slice(refused ? 1 : 0).map((card) => (card.fields.player ? card.fields.player + said("colon", {}) : "") + card.words);
    const parts = [];
    if (refused && changing) parts.push(line(said("changing", { card: one.words }), "status"));
    else if (refused) parts.push(line(said("refused", { card: one.words }) + " " + refused.message, "alert"));
    if (lost) parts.push(line(said("lost", {}), "alert"));
    if (waiting.length) parts.push(line(said("waiting", { cards: waiting.join(" · ") })));
    if (refused) { const acts = document.createElement("div"); acts.className = "acts"; acts.append(...choices()); parts.push(acts); }
    const html = parts.map((part) => part.outerHTML).join("");
    if (html !== shown) box.replaceChildren(...parts);  // a button stays under the finger
    shown = html;
    box.hidden = !one;
    box.classList.toggle("wrong", Boolean(refused));
    // "Undo" means the last booked entry, and whose turn it is shows only when no card waits.
    for (const undo of dialog.querySelectorAll(".undoing button")) undo.disabled = cards.length > 0;
    if (one && !refused && entering() && !byHand.has("player")) for (const each of entering().querySelectorAll("[name=player]")) each.checked = false;
  }

  // Cards that wait go with their tab when that is closed, but not when it opens another page of the table.
  let link = null;
  document.addEventListener("click", (event) => { if (event.target.closest("a[href]")) link = event; });
  addEventListener("beforeunload", (event) => {
    // A link that opened a dialog did not leave the page.
    const followed = link && !link.defaultPrevented && performance.now() - link.timeStamp < 1000;
    if (cards.length && !followed) event.preventDefault();
  });

  document.addEventListener("DOMContentLoaded", () => { draw(); send(); });
  return { add, again, followed, draw, hold, release, booked: () => count };
})();
