// Keeps a part of a page up to date: <section data-refresh-url="…" data-refresh-seconds="3">…</section>.
// The address answers with the part's new content; the header Refresh-Ended: yes ends it.
"use strict";

const LONGEST_PAUSE = 60;

function follow(part) {
  const seconds = Number(part.dataset.refreshSeconds) || 3;
  let pause = seconds;

  async function look() {
    if (document.hidden) return again(seconds);
    try {
      const answer = await fetch(part.dataset.refreshUrl, { headers: { "X-Requested-With": "fetch" } });
      if (!answer.ok || answer.redirected) throw new Error(answer.status);
      const text = await answer.text();
      pause = seconds;
      // What someone is about to press stays where it is until he has left it.
      if (part.contains(document.activeElement)) return again(seconds);
      part.innerHTML = text;
      if (answer.headers.get("Refresh-Ended") === "yes") return;
    } catch {
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    }
    again(pause);
  }

  function again(wait) {
    setTimeout(look, wait * 1000);
  }

  again(seconds);
}

document.querySelectorAll("[data-refresh-url]").forEach(follow);
