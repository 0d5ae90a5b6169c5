// Sets the theme a reader chose before the first paint. Without a choice the page follows the system.
(() => {
  try {
    const chosen = localStorage.getItem("papersite-theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // Storage may be forbidden; the system's theme is fine.
  }
})();
