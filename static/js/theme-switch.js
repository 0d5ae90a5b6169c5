// The switch between the system's theme, light and dark, remembered in this browser.
const KEY = "papersite-theme";
const root = document.documentElement;

function remember(choice) {
  try {
    if (choice === "auto") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, choice);
  } catch {
    // Storage may be forbidden; the choice then holds for this page.
  }
}

function show(choice, buttons) {
  if (choice === "auto") delete root.dataset.theme;
  else root.dataset.theme = choice;
  for (const button of buttons) {
    button.setAttribute("aria-pressed", String(button.dataset.themeChoice === choice));
  }
}

for (const group of document.querySelectorAll("[data-theme-switch]")) {
  const buttons = [...group.querySelectorAll("[data-theme-choice]")];
  show(root.dataset.theme ?? "auto", buttons);
  group.hidden = false;
  group.addEventListener("click", ({ target }) => {
    const choice = target.closest("[data-theme-choice]")?.dataset.themeChoice;
    if (!choice) return;
    remember(choice);
    show(choice, buttons);
  });
}
