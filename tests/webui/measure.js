// What on this page lies over something else, is cut off, or reaches beyond the screen: one sentence for each.
const all = (selector, within = document) => [...within.querySelectorAll(selector)].filter((e) => e.getClientRects().length);
const box = (e) => e.getBoundingClientRect();
const called = (e) => `${e.className.baseVal ?? e.className} “${(e.textContent.trim() || e.id).replace(/\s+/g, " ").slice(0, 30)}”`;
const found = [];

// The share of `other` that lies under `one`.
const share = (one, other) => {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return (Math.max(0, width) * Math.max(0, height)) / (other.width * other.height || 1);
};
const apart = (covers, covered, most) => {
  for (const one of covers) {
    for (const other of covered) {
      if (one !== other && !one.contains(other) && !other.contains(one) && share(box(one), box(other)) > most) {
        found.push(`${called(one)} covers ${Math.round(100 * share(box(one), box(other)))} % of ${called(other)}`);
      }
    }
  }
};

const wide = document.documentElement.clientWidth;
if (document.documentElement.scrollWidth > wide) {
  const widest = all("body *").reduce((one, other) => (box(other).right > box(one).right ? other : one));
  found.push(`the page is ${document.documentElement.scrollWidth} px wide on ${wide}: ${called(widest)}`);
}

const cards = all(".trick-card .card");
const seats = all(".felt .seat");
apart([...seats, ...all(".banners span"), ...all(".felt .cup"), ...all(".last-trick"), ...all(".col-acts"), ...all(".bar")], cards, 0.02);
apart(seats, [...seats, ...all(".felt .cup")], 0.02);
apart(all(".col-acts"), [...seats, ...all(".felt .cup")], 0.02);
const apiece = cards.filter((card) => !card.closest(".rows"));
apart(apiece, apiece, 0.2);
for (const card of apiece) {
  const { x, y, width, height } = box(card);
  if (y + height / 2 > innerHeight || y < 0) continue;  // scrolled to
  const hit = document.elementFromPoint(x + width / 2, y + height / 2);
  if (!hit || hit.closest(".trick-card") !== card.closest(".trick-card")) found.push(`a tap on ${card.closest(".trick-card").id} meets ${hit && called(hit)}`);
}

// What stands beside or below one another does not lie over it.
const papers = all("main .paper, main .notice").filter((one) => !one.parentElement.closest(".paper, .notice"));
apart(papers, papers, 0);
const bar = document.querySelector(".bar");
if (bar && matchMedia("(min-width: 18.1em)").matches && box(bar).height > 3.4 * parseFloat(getComputedStyle(document.documentElement).fontSize)) found.push(`the header is ${Math.round(box(bar).height)} px high`);

// In a row each card shows a strip with its sign.
for (const row of all(".rows .pile, .open-hand")) {
  const strips = all(".card", row).map(box);
  strips.forEach(({ left, top }, place) => {
    const before = strips[place - 1];
    if (place && top === before.top && left - before.left < 9) found.push(`a card of a row shows ${Math.round(left - before.left)} px`);
  });
}

// What stands in a player's plate stays in it, and the plate on the felt.
const felt = document.querySelector(".felt");
for (const seat of seats) {
  for (const inner of all(":not(.unseen)", seat)) {
    if (box(inner).right > box(seat).right + 1 || box(inner).left < box(seat).left - 1 || box(inner).bottom > box(seat).bottom + 1) found.push(`${called(inner)} runs out of ${called(seat)}`);
  }
  for (const one of [seat, ...all(".chips, small", seat)]) if (one.scrollWidth > one.clientWidth + 1) found.push(`${called(one)} is cut off`);
  if (seat.querySelector(".name b") && box(seat.querySelector(".name b")).width < 12) found.push(`no room for the name of ${called(seat)}`);
  if (box(seat).right > box(felt).right + 1 || box(seat).left < box(felt).left - 1 || box(seat).bottom > box(felt).bottom + 1 || box(seat).top < box(felt).top - 1) found.push(`${called(seat)} lies beyond the felt`);
}

// Every button below the table is in sight, whole, and on its own place.
const acts = all(".col-acts .acts > *");
for (const one of acts) {
  const { left, right, bottom, top } = box(one);
  if (left < -1 || right > wide + 1) found.push(`${called(one)} is out of sight`);
  // With letters so large that a player's plate and a card fill the screen, the page scrolls.
  if ((bottom > innerHeight + 1 || top < 0) && innerHeight > 28 * parseFloat(getComputedStyle(document.documentElement).fontSize)) found.push(`${called(one)} is below the screen`);
}
if (matchMedia("(min-width: 24em)").matches && Math.max(...acts.map((one) => box(one).top)) >= Math.min(...acts.map((one) => box(one).bottom))) found.push("the buttons take two rows");
apart(acts, acts, 0.02);

// What is wider than its place can be scrolled to.
for (const inner of all("table")) {
  const scroller = inner.closest(".ledger, .hist, .score-sheet, .guide");
  if (!scroller && box(inner).right > wide + 1) found.push("a table is wider than the screen, and nothing shows it");
}
return found;
