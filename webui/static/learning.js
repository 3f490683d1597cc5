// The review of a hand: its slider shows each play without loading the page again. Without this script it is a form.
"use strict";

const slide = document.querySelector("form[data-slide]");
const slider = slide && slide.elements.after;
let wanted = null;
let loading = false;

// While a place is loading, only the newest of those that are asked for is remembered and loaded next.
async function load() {
  if (loading || wanted === null) return;
  loading = true;
  const after = wanted;
  wanted = null;
  const address = new URL(slide.action);
  for (const [name, value] of new FormData(slide)) address.searchParams.set(name, value);
  address.searchParams.set("after", after);
  const open = [...document.querySelectorAll("#review details[open]")].map((one) => one.id);
  const held = document.activeElement.dataset.step;
  try {
    const answer = await fetch(address, { headers: { "X-Fragment": "1" } });
    const found = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("review");
    if (answer.ok && found) {
      document.getElementById("review").replaceWith(found);
      for (const id of open) if (document.getElementById(id)) document.getElementById(id).open = true;
      if (held) document.querySelector(`[data-step="${held}"]`).focus();
      slider.setAttribute("aria-valuetext", found.dataset.said);
      history.replaceState(null, "", address);
    }
  } catch { location.href = address; }
  loading = false;
  load();
}

if (slider) {
  slider.addEventListener("input", () => { wanted = Number(slider.value); load(); });
  document.addEventListener("click", (event) => {
    const step = event.target.closest("#review [data-step]");
    if (!step || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const next = Number(slider.value) + Number(step.dataset.step);
    if (next < Number(slider.min) || next > Number(slider.max)) return;
    slider.value = next;
    wanted = next;
    load();
  });
}
