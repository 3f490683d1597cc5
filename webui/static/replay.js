// A hand that is over, step by step on the felt: buttons, slider, arrow keys and swipes. The page has the steps.
"use strict";

(async () => {
  const [felt, said, slider, steps] = ["replay-felt", "replay-said", "slider", "steps"].map((id) => document.getElementById(id));
  const packed = Uint8Array.from(atob(steps.textContent.trim()), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const hands = await new Response(unpacked).json();
  const inside = document.getElementById("pictures");  // in a file, which loads nothing
  const pictures = inside ? JSON.parse(inside.textContent) : {};
  const chosen = document.getElementById("hand");
  const flags = document.getElementById("replay-flags");
  let hand = null;
  let keeping = null;  // when the place is noted: a browser refuses to note many in a row

  const inFile = (html) => html.replace(/ srcset="[^"]*"/g, "").replace(/(\/cards\/\w+\.png)\?small/g, (_, address) => pictures[address]);
  const drawn = inside ? inFile : (html) => html;
  function show(step) {
    slider.max = hand.steps.length - 1;
    slider.value = step;
    const [table, beside] = hand.steps[slider.value];
    felt.innerHTML = drawn(table);
    said.innerHTML = drawn(beside);
    slider.setAttribute("aria-valuetext", said.textContent.trim());
    for (const button of document.querySelectorAll("[data-step]")) {
      const next = Number(slider.value) + Number(button.dataset.step);
      button.disabled = next < 0 || next > Number(slider.max);
    }
    clearTimeout(keeping);
    keeping = setTimeout(() => history.replaceState({ hand: hands.indexOf(hand), step: Number(slider.value) }, ""), 300);
  }
  function open(number, step = 0) {
    hand = hands[number];
    flags.hidden = !hand.flags.length;
    flags.querySelector("ul").replaceChildren(...hand.flags.map(([step, text]) => {
      const line = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      button.className = "told-flag";
      button.textContent = text;
      button.addEventListener("click", () => { show(step); felt.scrollIntoView({ block: "nearest" }); });  // on a phone it lies above
      line.append(button);
      return line;
    }));
    show(step);
  }
  const go = (by) => show(Math.max(0, Math.min(Number(slider.max), Number(slider.value) + by)));

  slider.addEventListener("input", () => show(Number(slider.value)));
  for (const button of document.querySelectorAll("[data-step]")) button.addEventListener("click", () => go(Number(button.dataset.step)));
  if (chosen) chosen.addEventListener("change", () => open(Number(chosen.value)));
  document.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by || event.target === slider || event.target === chosen || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(by);
  });
  let from = null;  // where one finger was put down; two make the page larger, and then one moves it about
  felt.addEventListener("touchstart", (event) => { from = event.touches.length === 1 && visualViewport.scale < 1.01 ? event.touches[0] : null; }, { passive: true });
  felt.addEventListener("touchend", (event) => {
    const [to] = event.changedTouches;
    const across = from ? to.clientX - from.clientX : 0, down = from ? to.clientY - from.clientY : 0;
    from = null;
    if (Math.abs(across) > 40 && Math.abs(across) > 2 * Math.abs(down)) go(across < 0 ? 1 : -1);
  });
  // The page was loaded again, or somebody came back to it: it goes on where it was.
  const before = hands[history.state?.hand] ? history.state : { hand: 0, step: 0 };
  if (chosen) chosen.value = before.hand;
  open(before.hand, before.step);
})();
