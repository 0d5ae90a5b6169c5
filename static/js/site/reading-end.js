// Whoever reads a summary to its end has skimmed the paper: told to the server once, after the end has been in view
// for a while. Only on the owner's pages, and never where a status was set by hand on this page.
const DWELL = 3000; // milliseconds that the end is in view
const form = document.querySelector(".paper [data-personal]");
const summary = document.querySelector("[data-part=summary]");
let timer = 0;
let isOver = !form || form.elements.status.value !== "unread" || !summary;

function stop() {
  clearTimeout(timer);
  timer = 0;
}

async function tell() {
  isOver = true;
  watcher.disconnect();
  const token = document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? form.elements.csrfmiddlewaretoken.value;
  const headers = { Accept: "application/json", "X-CSRFToken": token };
  const answer = await fetch(form.dataset.readAddress, { method: "POST", headers, redirect: "error" }).catch(() => null);
  const mine = answer?.ok ? await answer.json().catch(() => null) : null;
  if (mine?.status) form.elements.status.value = mine.status;
}

function look() {
  stop();
  const isThere = summary.querySelector(".section"); // it may come while the page waits for it
  const isRead = isThere && end.isInView && document.visibilityState === "visible" && !document.prerendering;
  if (isRead && !isOver) timer = setTimeout(tell, DWELL);
}

const end = document.createElement("div");
end.dataset.summaryEnd = "";
end.isInView = false;
const watcher = new IntersectionObserver((seen) => {
  end.isInView = seen.at(-1).isIntersecting;
  look();
});

if (!isOver) {
  summary.after(end);
  watcher.observe(end);
  for (const change of ["visibilitychange", "prerenderingchange", "papersite:paper-updated"]) document.addEventListener(change, look);
  addEventListener("beforeprint", stop);
  addEventListener("papersite:status-set", () => {
    isOver = true;
    stop();
  });
}
