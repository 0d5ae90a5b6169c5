// A formula that is copied as part of a text is copied as its TeX, not as the signs it is drawn with.
const OPENING = { true: "$$", false: "$" };

function asTex(fragment) {
  for (const formula of fragment.querySelectorAll("math")) {
    const sign = OPENING[formula.getAttribute("display") === "block"];
    formula.replaceWith(`${sign}${formula.getAttribute("alttext") ?? formula.textContent}${sign}`);
  }
  return fragment;
}

// As it would be copied: with the breaks between paragraphs, which only what is laid out has.
function textOf(fragment) {
  const place = document.createElement("div");
  place.className = "visually-hidden";
  place.append(fragment);
  document.body.append(place);
  const text = place.innerText;
  place.remove();
  return text;
}

document.addEventListener("copy", (event) => {
  const selection = getSelection();
  if (selection.isCollapsed || event.target.matches?.("input, textarea")) return;
  const fragment = selection.getRangeAt(0).cloneContents();
  if (!fragment.querySelector("math")) return; // nothing of one, or only a part of a single one
  const html = document.createElement("div");
  html.append(fragment.cloneNode(true));
  event.clipboardData.setData("text/html", html.innerHTML);
  event.clipboardData.setData("text/plain", textOf(asTex(fragment)));
  event.preventDefault();
});
