// Keys as in miniflux and GitHub. Everything they do is a link, a button or a field of the page; they only reach it.
const SWITCH = "papersite-keys";
const PATIENCE = 1500; // milliseconds between g and the letter after it
const CARD = ".paper-list > li";
const TYPED = "textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=button], [type=submit])";
const help = document.querySelector("[data-keys-help]");
const main = document.querySelector("main");
const thePaper = main.querySelector(".paper"); // on the page of one
let chosen = null; // the address of the card that is selected: a list may be drawn anew beneath it
let goUntil = 0;

function isOff() {
  try {
    return localStorage.getItem(SWITCH) === "off";
  } catch {
    return false; // Storage may be forbidden.
  }
}

function remember(isOn) {
  try {
    if (isOn) localStorage.removeItem(SWITCH);
    else localStorage.setItem(SWITCH, "off");
  } catch {
    // The choice then holds for this page.
  }
}

const cards = () => [...main.querySelectorAll(CARD)];
const titleOf = (card) => card?.querySelector("h2 a, h3 a, a");
const selected = () => cards().find((card) => titleOf(card)?.href === chosen);

function mark(card) {
  for (const other of main.querySelectorAll(`${CARD}.is-selected`)) other.classList.remove("is-selected");
  card.classList.add("is-selected");
  chosen = titleOf(card).href;
}

// The focus goes along, so that a screen reader reads the title and Enter opens it.
function select(card) {
  mark(card);
  titleOf(card).focus({ preventScroll: true });
  card.scrollIntoView({ block: "nearest" });
}

// Without a selection, what is in view counts: the first card that is not above the screen.
function step(by) {
  const all = cards();
  const current = selected();
  const inView = all.findIndex((card) => card.getBoundingClientRect().bottom > 0);
  const next = current ? all[all.indexOf(current) + by] : all[Math.max(inView, 0)];
  if (next) select(next);
}

// On the page of a paper the next one is another page.
function paper(by) {
  if (thePaper) follow(main.querySelector(`.neighbours a[rel~=${by > 0 ? "next" : "prev"}]`));
  else step(by);
}

function section(by) {
  const headings = [...main.querySelectorAll("section[id], h2[id], h3[id]")].filter((place) => place.offsetParent);
  const tops = headings.map((place) => place.getBoundingClientRect().top);
  const gap = 24; // one that was just gone to lies a little below the edge
  const next = by > 0 ? tops.findIndex((top) => top > gap) : tops.findLastIndex((top) => top < -gap / 4);
  headings[next]?.scrollIntoView({ block: "start" });
}

function follow(link) {
  link?.click();
}

// The pages of a list come before the days and months beside it.
const beside = (rel) => main.querySelector(`.pager a[rel~=${rel}]`) ?? main.querySelector(`a[rel~=${rel}]`);

// A button is pressed; a field is gone to.
function use(name) {
  const found = (thePaper ?? selected())?.querySelector(`[data-key="${name}"]`);
  if (found?.matches("select, textarea, input")) found.focus();
  else follow(found);
}

function tick() {
  const box = selected()?.querySelector("input[type=checkbox][form=compare]");
  follow(box ?? main.querySelector(".paper__compare"));
}

function search() {
  const field = document.getElementById("site-search");
  field.focus();
  field.select();
}

function whereTo(letter) {
  const link = document.querySelector(`[data-go="${CSS.escape(letter)}"]`);
  return link && (() => follow(link));
}

const KEYS = {
  j: () => paper(1),
  k: () => paper(-1),
  n: () => section(1),
  p: () => section(-1),
  o: () => follow(titleOf(selected())),
  u: () => follow(main.querySelector(".paper__place a")),
  h: () => follow(beside("prev")),
  l: () => follow(beside("next")),
  s: () => use("bookmark"),
  m: () => use("status"),
  x: tick,
  c: () => document.getElementById("compare")?.requestSubmit(),
  v: () => follow(thePaper?.querySelector(".actions a")), // the first of its links out
  g: () => { goUntil = performance.now() + PATIENCE; },
  "/": search,
  "?": () => help.showModal(),
};

function leaveField(event) {
  if (!event.target.matches(TYPED) || event.target.matches("select")) return;
  event.preventDefault(); // a search field would be emptied
  event.target.blur();
}

function isForUs(event) {
  const isTyped = event.isComposing || event.keyCode === 229; // an input method is at work
  return !(event.defaultPrevented || isTyped || event.ctrlKey || event.metaKey || event.altKey);
}

addEventListener("keydown", (event) => {
  if (!isForUs(event)) return;
  if (event.key === "Escape") leaveField(event);
  if (isOff() || event.target.matches(TYPED) || event.target.closest("dialog[open]")) return;
  const going = performance.now() < goUntil;
  goUntil = 0;
  const key = event.shiftKey ? event.key : event.key.toLowerCase(); // Caps Lock is no Shift
  const action = (going && whereTo(key)) || KEYS[key];
  if (!action || (event.repeat && !"jknp".includes(key))) return;
  event.preventDefault();
  action();
});

main.addEventListener("focusin", ({ target }) => {
  const card = target.closest(CARD);
  if (card && titleOf(card)) mark(card);
});

for (const button of document.querySelectorAll("[data-keys-open]")) {
  button.hidden = false;
  button.addEventListener("click", () => help.showModal());
}

const choice = help.querySelector("[data-keys-switch]");
choice.checked = !isOff();
choice.addEventListener("change", () => remember(choice.checked));
