// Tries the steps of a form one after another, each by a request of its own, and shows each as it ends:
// <form data-trial="step step"> and <tr data-step="step">. Without JavaScript one request tries them all.
"use strict";

function tell(row, words, outcome) {
  const result = document.createElement(outcome ? "strong" : "span");
  result.className = outcome ? (outcome.ok ? "is-well" : "is-failed") : "quiet";
  result.textContent = outcome ? (outcome.ok ? words.well : words.failed) : words.running;
  row.querySelector("[data-part=result]").replaceChildren(result);
  row.querySelector("[data-part=seconds]").textContent = outcome?.seconds === undefined ? "" : `${outcome.seconds} ${words.seconds}`;
  row.querySelector("[data-part=message]").textContent = outcome?.message ?? "";
}

async function ask(form, step, words) {
  const data = new FormData(form);
  data.set("step", step);
  try {
    const answer = await fetch(form.action, { method: "POST", body: data, headers: { Accept: "application/json" } });
    if (!answer.ok || answer.redirected) throw new Error(answer.status);
    return (await answer.json()).outcomes[0];
  } catch {
    return { ok: false, message: words.lost };
  }
}

async function tryAll(form, table) {
  const buttons = document.querySelectorAll("[data-trial] button");
  buttons.forEach((button) => (button.disabled = true));
  for (const step of form.dataset.trial.trim().split(/\s+/)) {
    const row = table.querySelector(`[data-step="${step}"]`);
    tell(row, table.dataset, null);
    tell(row, table.dataset, await ask(form, step, table.dataset));
  }
  buttons.forEach((button) => (button.disabled = false));
}

document.querySelectorAll("form[data-trial]").forEach((form) => {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    tryAll(form, document.querySelector("table.trial"));
  });
});
