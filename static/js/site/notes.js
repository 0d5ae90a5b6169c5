// The owner's note on a paper: saved as it is typed, and kept on this device until the server has confirmed it.
// What was typed is never thrown away: not by a lost connection, a reload, a crash, the end of a session, a refusal,
// or another tab. It leaves this device as soon as it is saved.
const KEY = "papersite-note:";
const PAUSE = 1000; // milliseconds without a key before it is saved
const LONGEST_PAUSE = 60_000; // between two tries
const PATIENCE = 30_000; // with an answer
const MOST_SENT = 3; // texts without an answer that are remembered
const MOST_ON_LEAVING = 5_000; // characters that a browser sends on while the page goes away: 64 kB at most
const PAGE = crypto.getRandomValues(new Uint32Array(2)).join("");
const form = document.querySelector("[data-note]");

// What this device keeps: a text for each paper and open page, so that two of them never write over each other. `base`
// is the version that the text is based on, `sent` what was sent since and may be stored, though no answer came.
const drafts = {
  key: (paper) => `${KEY}${paper}:${PAGE}`,
  // Tells whether it was kept: storage may be full or forbidden.
  write(paper, draft) {
    try {
      localStorage.setItem(drafts.key(paper), JSON.stringify(draft));
      return true;
    } catch {
      return false;
    }
  },
  remove(key) {
    try {
      localStorage.removeItem(key);
    } catch {
      // Then nothing was kept.
    }
  },
  // All of one paper, that written last first.
  of(paper) {
    try {
      const keys = Object.keys(localStorage).filter((key) => key.startsWith(`${KEY}${paper}:`));
      return keys.map(drafts.read).filter(Boolean).sort((one, two) => two.at - one.at);
    } catch {
      return [];
    }
  },
  read(key) {
    try {
      const { content, base, sent = [], at = 0 } = JSON.parse(localStorage.getItem(key));
      return typeof content === "string" && typeof base === "string" ? { key, content, base, sent, at } : null;
    } catch {
      return null;
    }
  },
};

function editor() {
  const paper = form.dataset.note;
  const field = form.elements.content;
  const part = (name) => document.querySelector(`[data-note-${name}]`);
  const words = part("words").content;
  const saved = { content: field.value, version: form.elements.based_on.value };
  let sent = []; // texts that may be stored, though no answer came
  let timer = 0;
  let tries = 0;
  let isSaving = false;
  let isKept = true; // on this device
  let isGivenUp = false; // by signing out all the same
  let other = null; // the text of a conflict, with what it is based on
  let later = []; // drafts of other pages that are still to be looked at

  // What was taken back is sent too: what was sent before it must not stay.
  const isDirty = () => field.value !== saved.content || sent.length > 0;
  const word = (name) => words.querySelector(`[data-word=${name}]`).textContent;

  function say(name, { isBad = false, values = {} } = {}) {
    const state = part("state");
    state.textContent = word(name).replace(/TIME|LONGEST|LENGTH/g, (value) => values[value] ?? "");
    state.classList.toggle("is-bad", isBad);
    // Said aloud only where there is something to do or to know: not at each pause in the typing.
    part("news").textContent = isBad || name === "restored" ? state.textContent : "";
    if (name === "signed_out") state.append(" ", words.querySelector("[data-word=sign_in] a").cloneNode(true));
  }

  function keep() {
    if (isGivenUp) return;
    if (!isDirty()) drafts.remove(drafts.key(paper));
    else isKept = drafts.write(paper, { content: field.value, base: saved.version, sent, at: Date.now() });
  }

  function plan(pause) {
    clearTimeout(timer);
    timer = setTimeout(save, pause);
  }

  function again() {
    tries += 1;
    plan(Math.min(PAUSE * 2 ** tries, LONGEST_PAUSE));
  }

  async function save() {
    clearTimeout(timer);
    if (isSaving || other) return;
    if (!isDirty()) return keep();
    const content = field.value;
    if (isTooLong(content)) return;
    isSaving = true;
    say("saving");
    sent = [content, ...sent.filter((text) => text !== content)].slice(0, MOST_SENT);
    keep();
    const { answer, json } = await send(content);
    isSaving = false;
    take(answer, json, content);
  }

  // Counted as the server does. It would refuse it, or never read so much to its end.
  function isTooLong(content) {
    const [longest, length] = [Number(form.dataset.longest), [...content].length];
    if (length > longest) say(isKept ? "over" : "nowhere", { isBad: true, values: { LONGEST: longest, LENGTH: length } });
    return length > longest;
  }

  function send(content) {
    const token = document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? form.elements.csrfmiddlewaretoken.value;
    const headers = { Accept: "application/json", "X-CSRFToken": token };
    const body = new URLSearchParams({ content, based_on: saved.version });
    const keepalive = document.visibilityState === "hidden" && content.length <= MOST_ON_LEAVING;
    const request = { method: "POST", headers, body, redirect: "error", keepalive, signal: AbortSignal.timeout(PATIENCE) };
    return read(form.action, request);
  }

  // An answer may break off on its way, or be a page of somebody else on the way.
  async function read(address, request) {
    const answer = await fetch(address, request).catch(() => null);
    const json = (await answer?.json().catch(() => null)) ?? {};
    return { answer, json };
  }

  function take(answer, json, content) {
    const isOurs = typeof json.version === "string";
    if (answer?.ok && isOurs) confirmed(content, json);
    else if (answer?.status === 409 && isOurs) differs(json);
    else refused(answer, json);
  }

  function confirmed(content, { version, saved_at: at }) {
    isNow(content, version);
    tries = 0;
    keep();
    const time = new Date(at ?? Date.now()).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
    say(version ? "saved" : "removed", { values: { TIME: time } });
    if (isDirty()) plan(PAUSE);
    else if (later.length) offer();
  }

  // Whatever is still on its way is based on an older version: it will be refused.
  function isNow(content, version) {
    Object.assign(saved, { content, version });
    form.elements.based_on.value = version;
    sent = [];
  }

  // What is stored may be from here, when only the answer was lost.
  function differs({ content, version }) {
    if (content !== field.value && !sent.includes(content)) return ask("changed_elsewhere", content, version);
    if (content === field.value) return confirmed(content, { version });
    isNow(content, version);
    return save();
  }

  function refused(answer, { code }) {
    const reasons = { 401: "signed_out", 403: "signed_out", 413: "too_long" };
    const reason = code === "no_paper" ? code : answer ? (reasons[answer.status] ?? "failed") : "offline";
    say(isKept ? reason : "nowhere", { isBad: true });
    // Too long stays too long until it is changed, and a paper that is gone stays away.
    if (!["too_long", "no_paper"].includes(reason)) again();
  }

  // Two texts: both are shown, and nothing is saved before one is chosen.
  function ask(title, content, base, key = null) {
    other = { content, base, key };
    part("conflict-title").textContent = word(title);
    part("other").textContent = content;
    part("conflict").hidden = false;
    say("conflict", { isBad: true });
  }

  function settle(chosen, content) {
    other = null;
    part("conflict").hidden = true;
    if (!chosen.key) isNow(chosen.content, chosen.base);
    set(content);
    if (chosen.key && isKept) drafts.remove(chosen.key);
    if (isDirty()) save();
    else confirmed(content, { version: saved.version });
  }

  function set(content) {
    field.value = content;
    keep();
    form.dispatchEvent(new CustomEvent("papersite:note-set"));
  }

  function choose(choice) {
    const mine = field.value;
    const both = [mine.trimEnd(), other.content].filter((text) => text.trim()).join("\n\n---\n\n");
    field.focus();
    settle(other, { both, mine, other: other.content }[choice]);
  }

  function offer() {
    const draft = later.shift();
    if (!draft || !drafts.read(draft.key)) return draft && offer();
    if (draft.content !== field.value) return ask("another_draft", draft.content, draft.base, draft.key);
    drafts.remove(draft.key);
    offer();
  }

  // What an earlier page left on this device: into the field where nothing newer is stored, else beside it.
  function restore() {
    const [first, ...more] = drafts.of(paper).filter((draft) => draft.content !== saved.content || drafts.remove(draft.key));
    later = more;
    if (!first) return;
    if (first.base !== saved.version && !first.sent.includes(saved.content)) {
      later = [first, ...more];
      return offer();
    }
    sent = first.sent;
    set(first.content);
    if (isKept) drafts.remove(first.key); // else it stays where it is
    say("restored");
    plan(PAUSE);
  }

  field.addEventListener("input", () => {
    keep();
    plan(PAUSE);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    save();
  });
  part("conflict").addEventListener("click", ({ target }) => {
    if (target.dataset.noteChoice) choose(target.dataset.noteChoice);
  });
  addEventListener("online", () => { tries = 0; save(); });
  document.addEventListener("visibilitychange", () => isDirty() && save());
  addEventListener("beforeunload", (event) => {
    if (isGivenUp || (!isDirty() && !other)) return;
    keep();
    event.preventDefault();
  });
  document.addEventListener("papersite:notes-given-up", () => {
    isGivenUp = true;
    clearTimeout(timer);
  });
  // A page brought back by the back button: another one may have taken its draft meanwhile, to save it.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted || !isDirty()) return;
    keep();
    save();
  });
  restore();
}

if (form) editor();
