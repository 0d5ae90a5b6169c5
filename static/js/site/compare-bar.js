// Papers ticked for a comparison: remembered over pages for as long as the tab is open, at most four, with a bar at
// the foot that shows as soon as there is one. Without this, the form at the end of the list does for one page.
const bar = document.querySelector("[data-compare-bar]");
const KEY = "papersite-compare";

function remembered() {
  try {
    const ids = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
  } catch {
    return []; // storage is switched off, or holds something else
  }
}

function remember(ids) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(ids));
  } catch {
    // The ticks of this page still count.
  }
}

if (bar) {
  const most = Number(bar.dataset.most);
  const text = bar.querySelector("#compare-text");
  const clear = bar.querySelector("[data-compare-clear]");
  const compare = bar.querySelector("[type=submit]");
  let ids = remembered().slice(0, most);

  const boxes = () => document.querySelectorAll('input[type=checkbox][name=ids][form="compare"]');

  function sentence() {
    const key = ids.length === 1 ? "textOne" : ids.length < most ? "textSome" : "textFull";
    return bar.dataset[key].replace("{n}", String(ids.length));
  }

  function show() {
    const isFull = ids.length >= most;
    for (const box of boxes()) {
      box.checked = ids.includes(box.value);
      box.disabled = isFull && !box.checked;
      if (box.disabled) box.setAttribute("aria-describedby", text.id);
      else box.removeAttribute("aria-describedby");
    }
    bar.hidden = ids.length === 0;
    clear.hidden = false;
    compare.disabled = ids.length < 2;
    if (ids.length && text.textContent !== sentence()) text.textContent = sentence();
  }

  function change(next) {
    ids = next;
    remember(ids);
    show();
  }

  document.addEventListener("change", (event) => {
    const box = event.target;
    if (!box.matches('input[type=checkbox][name=ids][form="compare"]')) return;
    const others = ids.filter((id) => id !== box.value);
    change(box.checked ? [...others, box.value].slice(0, most) : others);
  });

  // One address for one comparison, with what was ticked on other pages in it.
  bar.addEventListener("submit", (event) => {
    event.preventDefault();
    location.assign(`${bar.action}?ids=${ids.map((id) => encodeURIComponent(id).replaceAll("%2F", "/")).join(",")}`);
  });

  clear.addEventListener("click", () => {
    const first = boxes()[0];
    change([]);
    first?.focus({ preventScroll: true }); // the button that had the focus is gone
  });

  // Lists may be replaced while the page is open, and the back button brings an old page back to newer ticks.
  new MutationObserver(show).observe(bar.parentElement, { childList: true, subtree: true });
  addEventListener("pageshow", () => change(remembered().slice(0, most)));
  bar.classList.add("compare-bar--live");
  show();
}
