// The theme of the console: the choice that the readers' pages keep in a cookie, in place of one of its own.
// Not deferred: it sets the theme before the first paint. The buttons and the marks for `auto` are Django's.
(() => {
  const COOKIE = "papersite-theme";
  const YEAR = 365 * 24 * 3600;
  const root = document.documentElement;
  const remembered = () => document.cookie.match(/(?:^|; )papersite-theme=(light|dark)(?:;|$)/)?.[1] ?? "auto";

  function choose(choice) {
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `${COOKIE}=${choice}; Path=/; Max-Age=${choice === "auto" ? 0 : YEAR}; SameSite=Lax${secure}`;
    root.dataset.theme = choice;
  }

  // From the system's theme first to the other one, so that each press is seen.
  function next() {
    const order = matchMedia("(prefers-color-scheme: dark)").matches
      ? ["auto", "light", "dark"]
      : ["auto", "dark", "light"];
    return order[(order.indexOf(remembered()) + 1) % order.length];
  }

  root.dataset.theme = remembered();
  addEventListener("pageshow", () => { root.dataset.theme = remembered(); });
  addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll(".theme-toggle")) {
      button.addEventListener("click", () => choose(next()));
    }
  });
})();
