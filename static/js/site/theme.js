// The switch between the system's theme, light and dark, at once and without a request. The form behind it does the
// same by way of the server, which reads the cookie and sends the page in that theme from its first byte.
const COOKIE = "papersite-theme";
const YEAR = 365 * 24 * 3600;
const root = document.documentElement;
const buttons = document.querySelectorAll("[data-theme-switch] button[name=theme]");

function remembered() {
  return document.cookie.match(/(?:^|; )papersite-theme=(light|dark)(?:;|$)/)?.[1] ?? "system";
}

function remember(choice) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  const age = choice === "system" ? 0 : YEAR;
  document.cookie = `${COOKIE}=${choice}; Path=/; Max-Age=${age}; SameSite=Lax${secure}`;
}

function show(choice) {
  const follows = choice === "system";
  if (follows) delete root.dataset.theme;
  else root.dataset.theme = choice;
  for (const button of buttons) button.setAttribute("aria-pressed", String(button.value === choice));
  document.querySelector("meta[name=color-scheme]").content = follows ? "light dark" : choice;
  for (const meta of document.querySelectorAll("meta[data-theme-color]")) {
    const own = meta.dataset.themeColor;
    meta.media = follows ? `(prefers-color-scheme: ${own})` : own === choice ? "all" : "not all";
  }
}

for (const form of document.querySelectorAll("[data-theme-switch]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    remember(event.submitter.value);
    show(event.submitter.value);
  });
}

// A page brought back by the back button was kept as it stood; the choice may be newer.
addEventListener("pageshow", (event) => {
  if (event.persisted) show(remembered());
});
