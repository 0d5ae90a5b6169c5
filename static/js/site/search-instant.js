// The results follow what is typed in the field of the search page: each time it is the whole page of that address,
// of which the marked parts are taken. The form does the same by itself, and Enter is always the form's.
const form = document.querySelector("[data-search-form]");

if (form) {
  const PAUSE = 200; // milliseconds without a key, after which is asked
  const PATIENCE = 20_000; // milliseconds to wait for an answer
  const field = form.elements.q;
  const status = document.querySelector("[data-search-status]");
  const parts = () => document.querySelectorAll("[data-search-part]");
  const inParts = (selector) => [...document.querySelectorAll(`[data-search-part] ${selector}`)];
  let timer = 0;
  let isComposing = false; // an input method is at work: what stands in the field is no word yet
  let asking = new AbortController();
  let shown = address(field.defaultValue); // what the results on the page are those of
  let said = status.textContent;

  // In the form that the site itself gives: words, filters, order.
  function address(words) {
    const chosen = new FormData(form);
    chosen.set("q", words.trim());
    const query = new URLSearchParams([...chosen].filter(([, value]) => value));
    return query.size ? `${form.getAttribute("action")}?${query}` : form.getAttribute("action");
  }

  function say(text) {
    if (status.textContent !== text) status.textContent = text;
  }

  function stop() {
    clearTimeout(timer);
    asking.abort();
    for (const part of parts()) part.removeAttribute("aria-busy");
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE);
  }

  async function ask() {
    stop();
    const wanted = address(field.value);
    if (wanted === shown) return say(said);
    const own = (asking = new AbortController());
    for (const part of parts()) part.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(wanted, { signal: AbortSignal.any([own.signal, AbortSignal.timeout(PATIENCE)]) });
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (own.signal.aborted) return;
      if (answer.redirected) offer(answer.url, fresh.querySelector("h1"));
      else take(fresh, wanted);
      shown = wanted;
      said = status.textContent;
    } catch {
      if (own.signal.aborted) return; // something newer was typed, or the page is being left
      say(status.dataset.textFailed);
    }
    stop();
  }

  function take(fresh, wanted) {
    show(new Map([...fresh.querySelectorAll("[data-search-part]")].map((part) => [part.dataset.searchPart, part.childNodes])));
    say(fresh.querySelector("[data-search-status]").textContent);
    document.title = fresh.title;
    document.querySelector("link[rel=alternate]")?.remove();
    document.head.append(...fresh.querySelectorAll("link[rel=alternate]"));
    for (const next of document.querySelectorAll(".site-footer input[name=next]")) next.value = wanted;
    try {
      history.replaceState(history.state, "", wanted);
    } catch {
      // A browser that finds there were too many changes; the next one puts it right.
    }
  }

  // The id of a paper leads to its page; whoever is still typing is only shown the way. The address stays that of the
  // last results: one that leads on by itself would be no way back.
  function offer(leadsTo, title) {
    const found = document.querySelector("[data-search-paper]").content.cloneNode(true);
    const link = found.querySelector("a");
    link.href = leadsTo;
    link.lang = title.lang;
    link.append(...title.childNodes);
    show(new Map([["found", [found]]]));
    say(status.dataset.textPaper);
  }

  function show(fresh) {
    const focused = document.activeElement;
    const hadFocus = focused.closest("[data-search-part]");
    const open = new Set(inParts("details[open]").map(nameOf));
    for (const part of parts()) part.replaceChildren(...(fresh.get(part.dataset.searchPart) ?? []));
    for (const fold of inParts("details")) fold.open = open.has(nameOf(fold));
    if (hadFocus) (inParts("a").find((link) => link.href === focused.href) ?? field).focus({ preventScroll: true });
  }

  const nameOf = (fold) => fold.parentElement.getAttribute("aria-labelledby") ?? fold.className;

  field.addEventListener("input", () => {
    if (!isComposing) later();
  });
  field.addEventListener("compositionstart", () => {
    isComposing = true;
    clearTimeout(timer);
  });
  field.addEventListener("compositionend", () => {
    isComposing = false;
    later();
  });
  form.addEventListener("submit", stop);
  addEventListener("pagehide", stop);
  // A page brought back as it stood, and one in which somebody typed before this file was there.
  addEventListener("pageshow", later);
}
