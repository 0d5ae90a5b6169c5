// A paper whose summary is still to come: asks for the piece of the page that tells how far it is, seldom and only
// while somebody looks, and puts the summary in its place when it is there. What is being read stays where it is.
const FIRST_PAUSE = 8_000;
const LONGEST_PAUSE = 60_000;
const GROWTH = 1.25;
const paperPage = document.querySelector("[data-paper-page]");

if (paperPage) {
  const news = paperPage.querySelector("[data-progress-news]");
  const progress = () => paperPage.querySelector("[data-part=progress]");
  let pause = FIRST_PAUSE;
  let timer;

  async function asDocument(address) {
    const response = await fetch(address, { headers: { Accept: "text/html" } });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return new DOMParser().parseFromString(await response.text(), "text/html");
  }

  // The first piece that can be seen, and where it stands: what a reader's eyes are on. The contents always can be.
  function landmark() {
    const pieces = [...paperPage.querySelectorAll("h1, h2, h3, p, li, tr")];
    const canBeSeen = (piece) => piece.getBoundingClientRect().bottom > 0 && piece.checkVisibility();
    const seen = pieces.find((piece) => !piece.closest("[data-contents]") && canBeSeen(piece));
    return seen && { seen, top: seen.getBoundingClientRect().top };
  }

  function replaceParts(fresh) {
    const before = landmark();
    for (const part of paperPage.querySelectorAll("[data-part]")) {
      const newer = fresh.querySelector(`[data-part="${part.dataset.part}"]`);
      if (newer && newer.innerHTML !== part.innerHTML) part.replaceChildren(...newer.childNodes);
      if (newer) for (const name of Object.keys(part.dataset)) if (!(name in newer.dataset)) delete part.dataset[name];
      if (newer) Object.assign(part.dataset, newer.dataset);
    }
    document.title = fresh.title;
    if (before?.seen.isConnected && scrollY > 0) {
      scrollBy({ top: before.seen.getBoundingClientRect().top - before.top, behavior: "instant" });
    }
  }

  async function look() {
    try {
      const piece = (await asDocument(progress().dataset.progress)).querySelector("[data-part=progress]");
      if (piece.dataset.stamp !== progress().dataset.stamp) {
        replaceParts(await asDocument(location.pathname));
        news.textContent = news.dataset.text;
        document.dispatchEvent(new CustomEvent("papersite:paper-updated"));
        pause = FIRST_PAUSE;
      }
    } catch {
      // The site is away for a moment, or the paper is gone: asked again, less and less often.
    }
    wait();
  }

  function wait() {
    clearTimeout(timer);
    if (!("awaited" in progress().dataset) || document.hidden) return;
    timer = setTimeout(look, pause);
    pause = Math.min(pause * GROWTH, LONGEST_PAUSE);
  }

  document.addEventListener("visibilitychange", wait);
  paperPage.classList.add("paper--live");
  wait();
}
