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
