// Signing out takes the unsaved texts of notes from this device; whoever has some is asked first.
const PREFIX = "papersite-note:"; // as notes.js names them

function kept() {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  } catch {
    return []; // Storage may be forbidden: then nothing is kept.
  }
}

addEventListener("submit", (event) => {
  if (!event.target.matches("[data-sign-out]")) return;
  const keys = kept();
  if (keys.length && !confirm(event.target.dataset.unsaved)) return event.preventDefault();
  if (keys.length) document.dispatchEvent(new CustomEvent("papersite:notes-given-up"));
  for (const key of keys) localStorage.removeItem(key);
});
