// The owner's bookmark and reading status, without a new page. Every form works without this file.
// Only the owner's pages have such forms.
const PATIENCE = 30_000; // milliseconds with an answer: clicks after it wait their turn

function cookie(name) {
  // Read anew each time: signing in again in another tab changes it.
  return document.cookie.split("; ").find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
}

function send(form, address, fields) {
  const headers = { Accept: "application/json", "X-CSRFToken": cookie("csrftoken") || form.elements.csrfmiddlewaretoken.value };
  const request = { method: "POST", headers, body: new URLSearchParams(fields), redirect: "error" };
  return fetch(address, { ...request, signal: AbortSignal.timeout(PATIENCE) });
}

const formsOf = (id) => document.querySelectorAll(`[data-personal="${CSS.escape(id)}"]`);
const noteOf = (id) => document.querySelector(`[data-bookmark-note="${CSS.escape(id)}"]`);

function showIn(form, mine) {
  const button = form.querySelector("[data-key=bookmark]");
  button.setAttribute("aria-pressed", String(mine.bookmarked));
  button.value = mine.bookmarked ? "off" : "on";
  form.elements.status.value = mine.status;
}

// What the server has, so that a choice it never took does not stand there as if it had.
const statuses = new Map();
function showStored(id) {
  for (const { elements: { status } } of formsOf(id)) {
    status.value = statuses.get(id) ?? [...status.options].find((option) => option.defaultSelected).value;
  }
}

function show(id, mine) {
  statuses.set(id, mine.status);
  for (const form of formsOf(id)) showIn(form, mine);
  const note = noteOf(id);
  if (!note) return;
  note.hidden = !mine.bookmarked;
  if (document.activeElement !== note.elements.bookmark_note) note.elements.bookmark_note.value = mine.bookmark_note;
}

function tell(form, text, isBad) {
  const message = form.querySelector("[data-personal-message]");
  message.textContent = text;
  message.classList.toggle("is-bad", isBad);
}

function reasonOf(form, answer) {
  if (!answer) return form.dataset.offline;
  return answer.status === 401 || answer.status === 403 ? form.dataset.signedOut : form.dataset.failed;
}

// One at a time for each paper: the answer of an older click must not come after that of a newer one.
const waiting = new Map();
function change(form, address, fields, said) {
  const id = form.dataset.personal ?? form.dataset.bookmarkNote;
  const told = form.querySelector("[data-personal-message]") ? form : formsOf(id)[0];
  const turn = (waiting.get(id) ?? Promise.resolve()).then(async () => {
    const answer = await send(told, address, fields).catch(() => null);
    const mine = answer?.ok ? await answer.json().catch(() => null) : null;
    // A page of somebody on the way is no answer.
    if (typeof mine?.bookmarked !== "boolean") {
      showStored(id);
      return tell(told, reasonOf(told, answer), true);
    }
    show(id, mine);
    tell(told, said(mine), false);
  });
  waiting.set(id, turn.catch(() => {}));
  return turn;
}

function toggleBookmark(form, button) {
  const said = (mine) => (mine.bookmarked ? button.dataset.doneOn : button.dataset.doneOff);
  return change(form, button.formAction, { bookmark: button.value }, said);
}

function setStatus(form, status) {
  const said = () => status.selectedOptions[0].textContent;
  form.dispatchEvent(new CustomEvent("papersite:status-set", { bubbles: true }));
  return change(form, form.action, { status: status.value }, said);
}

function stepStatus(form) {
  const status = form.elements.status;
  status.selectedIndex = (status.selectedIndex + 1) % status.options.length;
  return setStatus(form, status);
}

addEventListener("submit", (event) => {
  const { target, submitter } = event;
  if (target.matches("[data-bookmark-note]")) {
    event.preventDefault();
    const fields = { bookmark: "on", bookmark_note: target.elements.bookmark_note.value };
    change(target, target.action, fields, () => submitter.dataset.done);
  } else if (target.matches("[data-personal]")) {
    event.preventDefault();
    if (submitter?.name === "bookmark") toggleBookmark(target, submitter);
    else if (submitter?.matches("[data-key=status]")) stepStatus(target);
  }
});

addEventListener("change", ({ target }) => {
  if (target.matches("[data-personal] select[name=status]")) setStatus(target.form, target);
});
