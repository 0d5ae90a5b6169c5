// How the owner's note looks while it is written: asked anew after each pause in the typing, saved or not.
const PAUSE = 500; // milliseconds without a key
const preview = document.querySelector("[data-note-preview]");
const form = document.querySelector("[data-note]");
let timer = 0;
let asked = 0; // how often: only the answer to the last question is shown

function ask(content) {
  const token = document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? form.elements.csrfmiddlewaretoken.value;
  const headers = { Accept: "application/json", "X-CSRFToken": token };
  return fetch(preview.dataset.address, { method: "POST", headers, body: new URLSearchParams({ content }), redirect: "error" });
}

// Null for everything but an answer of the site: no connection, the end of the session, a page of a proxy.
async function htmlOf(content) {
  try {
    const answer = await ask(content);
    const { html } = await answer.json();
    return answer.ok && typeof html === "string" ? html : null;
  } catch {
    return null;
  }
}

async function refresh() {
  clearTimeout(timer);
  if (!preview.open) return;
  asked += 1;
  const turn = asked;
  const html = await htmlOf(form.elements.content.value);
  if (turn !== asked) return;
  const place = preview.querySelector("[data-note-html]");
  if (html === null) place.textContent = preview.dataset.failed;
  else place.innerHTML = html || preview.dataset.empty; // cleaned by the server
}

function plan() {
  clearTimeout(timer);
  timer = setTimeout(refresh, PAUSE);
}

if (preview && form) {
  preview.addEventListener("toggle", refresh);
  form.elements.content.addEventListener("input", plan);
  form.addEventListener("papersite:note-set", plan);
  addEventListener("online", refresh);
}
