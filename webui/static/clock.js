// Counts down to the end of a round, by the clock of the club's server.
"use strict";

const behind = document.body.dataset.now ? Number(document.body.dataset.now) * 1000 - Date.now() : 0;
function countDown() {
  for (const one of document.querySelectorAll("[data-ends]")) {
    const left = Math.max(0, Math.ceil(Number(one.dataset.ends) - (Date.now() + behind) / 1000));
    one.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    one.parentElement.classList.toggle("up", left === 0);
  }
}
countDown();
setInterval(countDown, 1000);
