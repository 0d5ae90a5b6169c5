// A day whose summaries are still being made: counts are brought up to date while the page is looked at, and finished
// papers are offered. They come into the list when the reader asks, so that nothing moves by itself.
const EVERY = 15_000; // milliseconds
const SELDOM = 5 * 60_000; // after answers that say nothing new, or none at all
const box = document.querySelector("[data-day-progress]");
const news = document.querySelector("[data-day-news]");

if (box && news) {
  const words = news.querySelector("[data-part=news]");
  const show = news.querySelector("[data-day-show]");
  const shown = { done: Number(box.dataset.done), total: Number(box.dataset.total) };
  let latest = { ...shown };
  let wait = EVERY;
  let timer = 0;

  async function page(address) {
    const response = await fetch(address, { cache: "no-cache", credentials: "same-origin" });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return new DOMParser().parseFromString(await response.text(), "text/html");
  }

  // Each part that says the same stays as it is: a screen reader hears only what changed, and the focus is kept.
  function bringUpToDate(fresh) {
    for (const part of fresh.querySelectorAll("[data-part]")) {
      const old = box.querySelector(`[data-part=${part.dataset.part}]`);
      if (old.localName === "progress") Object.assign(old, { max: part.max, value: part.value });
      else if (old.innerHTML !== part.innerHTML && !old.contains(document.activeElement)) old.replaceChildren(...part.childNodes);
    }
    latest = { done: Number(fresh.dataset.done), total: Number(fresh.dataset.total) };
    box.toggleAttribute("data-going-on", fresh.hasAttribute("data-going-on"));
  }

  function offer() {
    const { textHint, textOne, textSome, textListed } = news.dataset;
    const done = latest.done - shown.done;
    const hasNews = done > 0 || latest.total > shown.total;
    const text = done > 1 ? textSome.replace("{n}", String(done)) : done === 1 ? textOne : hasNews ? textListed : textHint;
    if (words.textContent !== text) words.textContent = text;
    show.hidden = !hasNews;
    news.classList.toggle("has-news", hasNews);
  }

  function later() {
    clearTimeout(timer);
    const isGoingOn = box.hasAttribute("data-going-on");
    if (isGoingOn && document.visibilityState === "visible") timer = setTimeout(ask, wait);
  }

  async function ask() {
    const before = box.innerHTML;
    try {
      bringUpToDate((await page(box.dataset.dayProgress)).querySelector("[data-day-progress]"));
      offer();
      wait = box.innerHTML === before ? Math.min(wait * 1.5, 4 * EVERY) : EVERY;
    } catch {
      wait = Math.min(wait * 2, SELDOM); // the connection, or a site that is being restarted
    }
    later();
  }

  const cardOf = (root, id) => root.querySelector(`.paper-list article[data-paper="${CSS.escape(id)}"]`);

  function replaceCard(old, fresh) {
    const hadFocus = old.contains(document.activeElement);
    old.replaceWith(document.adoptNode(fresh));
    if (hadFocus) fresh.querySelector("a").focus({ preventScroll: true });
  }

  // Papers that were listed meanwhile come in where the fresh list has them: behind the one before.
  function takeOver(fresh) {
    let before = null;
    for (const item of fresh.querySelectorAll(".paper-list > li")) {
      const card = item.querySelector("article[data-paper]");
      const old = cardOf(document, card.dataset.paper);
      const place = old?.closest("li") ?? document.adoptNode(item);
      if (!old) before ? before.after(place) : document.querySelector(".paper-list").prepend(place);
      else if (old.outerHTML !== card.outerHTML) replaceCard(old, card);
      before = place;
    }
  }

  // What was unfolded stays so, and the focus where it was.
  function replaceInside(part, fresh) {
    const nameOf = (details) => details.closest("[aria-labelledby]")?.getAttribute("aria-labelledby");
    const open = new Set([...part.querySelectorAll("details[open]")].map(nameOf));
    const focused = part.contains(document.activeElement) ? document.activeElement : null;
    const [at, link] = [[...part.querySelectorAll("a, summary")].indexOf(focused), focused?.getAttribute("href")];
    part.replaceChildren(...[...fresh.childNodes].map((node) => document.adoptNode(node)));
    for (const details of part.querySelectorAll("details")) details.open = open.has(nameOf(details));
    if (!focused) return;
    const places = [...part.querySelectorAll("a, summary")];
    (places.find((place) => link && place.getAttribute("href") === link) ?? places[at])?.focus({ preventScroll: true });
  }

  // What is counted beside the list: all papers, those that the filters leave, and what each filter would leave.
  function bringCounts(fresh) {
    for (const part of fresh.querySelectorAll("[data-day-count]")) {
      const old = document.querySelector(`[data-day-count="${part.dataset.dayCount}"]`);
      if (!old && part.localName === "details") document.querySelector(".day__rail").append(document.adoptNode(part));
      else if (old && old.innerHTML !== part.innerHTML) replaceInside(old, part);
    }
  }

  // What the reader looks at stays where it is on the screen.
  function holdingStill(change) {
    const root = document.documentElement;
    const held = [...document.querySelectorAll(".paper-list > li")].find((item) => item.getBoundingClientRect().bottom > 0);
    const top = held?.getBoundingClientRect().top;
    root.classList.add("is-bringing-news");
    change();
    if (held && top < innerHeight && scrollY > 0) scrollBy({ top: held.getBoundingClientRect().top - top, behavior: "instant" });
    requestAnimationFrame(() => root.classList.remove("is-bringing-news"));
  }

  show.addEventListener("click", async () => {
    show.disabled = true;
    try {
      const fresh = await page(location.href);
      holdingStill(() => {
        takeOver(fresh);
        bringCounts(fresh);
      });
      const state = fresh.querySelector("[data-day-progress]");
      Object.assign(shown, state ? { done: Number(state.dataset.done), total: Number(state.dataset.total) } : latest);
      document.dispatchEvent(new CustomEvent("papersite:list-changed"));
      offer();
    } catch {
      location.reload();
    } finally {
      show.disabled = false;
    }
  });

  document.addEventListener("visibilitychange", () => {
    wait = EVERY;
    if (document.visibilityState === "visible" && box.hasAttribute("data-going-on")) ask();
    else clearTimeout(timer);
  });

  offer();
  later();
}
