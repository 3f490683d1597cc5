// A step of the set-up follows the camera: the part marked data-follow is asked for again and again.
"use strict";

const followed = document.querySelector("[data-follow]");
let shownBefore = "";

async function follow() {
  try {
    const answer = await fetch(followed.dataset.follow, { headers: { "X-Fragment": "1" } });
    if (answer.status === 403) { location.reload(); return; }
    const html = answer.ok ? await answer.text() : shownBefore;
    const bare = html.replace(/value="[0-9a-f]{24,}"/g, "");  // the forms' tokens are new each time
    const opened = followed.querySelector("details[open]");
    if (bare !== shownBefore && !opened) {
      const held = followed.contains(document.activeElement) ? document.activeElement.id : "";
      const picture = followed.querySelector("img.live");
      followed.innerHTML = html;
      const blank = followed.querySelector("img.live");
      if (picture && blank) blank.replaceWith(picture);
      if (held && document.getElementById(held)) document.getElementById(held).focus();
      shownBefore = bare;
    }
  } catch { /* the next request may come through */ }
  setTimeout(follow, 600);
}

if (followed) follow();

// Whoever leaves a step by a link keeps what was chosen there. A choice that is refused is said; the next tap leaves.
const chosen = document.querySelector("form[action='/setup/game'], form[action='/setup/players']");
let keeps = location.search !== "";  // another game was tapped
if (chosen) chosen.addEventListener("input", () => { keeps = true; });

document.addEventListener("click", async (event) => {
  const link = event.target.closest(".steps a, a.button");
  if (!link || !chosen || !keeps) return;
  event.preventDefault();
  keeps = false;
  const asked = { method: "POST", body: new URLSearchParams(new FormData(chosen)), headers: { Accept: "application/json" } };
  const answer = await fetch(chosen.getAttribute("action"), asked).catch(() => null);
  if (answer && !answer.ok) toast((await answer.json()).message, true); else location.href = link.href;
});
