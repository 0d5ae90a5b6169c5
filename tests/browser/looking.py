"""What a test looks at in a page, and what it must never see."""

from collections.abc import Container
from urllib.parse import urlsplit

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Response, WebError

# Chromium's own line for an answer of 400 or more: what came of an answer is judged by the answer.
_REFUSED = "Failed to load resource"
# Names the elements that stick out, without what is inside of one that scrolls.
_STICKING_OUT = """
screen => [...document.querySelectorAll("body *")].filter(element => {
  const box = element.getBoundingClientRect();
  if (box.width === 0 || box.right <= screen + 1) return false;
  for (let outer = element.parentElement; outer && outer !== document.body; outer = outer.parentElement)
    if (["auto", "scroll", "hidden"].includes(getComputedStyle(outer).overflowX)) return false;
  return true;
}).map(element => {
  const classes = [...element.classList].map(name => "." + name).join("");
  return element.localName + (element.id ? "#" + element.id : "") + classes;
})
"""


class Faults:
    """Everything that went wrong in the pages of one browser profile, as sentences."""

    def __init__(self, context: BrowserContext, site: str, refusals: Container[int] = ()) -> None:
        """Listen to `context`; only the host of `site` may be asked for anything.

        `refusals` are the statuses that scripts of the page are meant to be answered with.
        """
        self._host = urlsplit(site).netloc
        self._refusals = refusals
        self.found: list[str] = []
        context.on("console", self._console)
        context.on("weberror", self._exception)
        context.on("request", self._request)
        context.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith(_REFUSED):
            self.found.append(f"console: {message.text} ({message.location.get('url')})")

    def _exception(self, error: WebError) -> None:
        self.found.append(f"exception: {error.error}")

    def _request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob", "about") and address.netloc != self._host:
            self.found.append(f"asked another host: {request.url}")

    def _response(self, response: Response) -> None:
        lowest = 500 if response.request.is_navigation_request() else 400
        if response.status >= lowest and response.status not in self._refusals:
            self.found.append(f"HTTP {response.status}: {response.request.method} {response.url}")


def no_wider_than_screen(page: Page) -> None:
    """Assert that the page need not be pushed sideways; say which elements stick out."""
    assert page.viewport_size is not None
    screen = page.viewport_size["width"]
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > screen:
        elements = page.evaluate(_STICKING_OUT, screen)
        raise AssertionError(f"{page.url} is {wide} px wide on a screen of {screen}: {', '.join(elements[:10])}")


# A field in a table is told by the heading of its column.
_UNLABELLED = """
() => [...document.querySelectorAll("input, select, textarea")].filter(field =>
  !["hidden", "submit", "button", "image"].includes(field.type)
  && field.getClientRects().length > 0
  && !field.labels?.length && !field.getAttribute("aria-label") && !field.getAttribute("aria-labelledby") && !field.title
  && !field.closest("table")?.tHead?.rows[0]?.cells[field.closest("td")?.cellIndex]?.textContent.trim()
).map(field => field.outerHTML.slice(0, 120))
"""


def unlabelled_fields(page: Page) -> list[str]:
    """Return the form fields to be seen whose purpose a screen reader could not tell."""
    return page.evaluate(_UNLABELLED)


# Level AA of WCAG 2: 4.5, and 3 for large letters. What lies behind a text is the first ground that is not see-through.
_UNREADABLE = """
() => {
  document.getAnimations().forEach(animation => animation.finish());
  const channels = colour => colour.match(/[\\d.]+/g).map(Number);
  const light = ([red, green, blue]) => [red, green, blue].map(value => value / 255)
    .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, place) => sum + value * [0.2126, 0.7152, 0.0722][place], 0);
  const behind = element => {
    for (let outer = element; outer; outer = outer.parentElement) {
      const style = getComputedStyle(outer), ground = channels(style.backgroundColor);
      if (ground.length === 3 || ground[3] === 1) return ground;
    }
    return matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255];
  };
  const found = new Set();
  for (const element of document.querySelectorAll("body *")) {
    const says = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    const style = getComputedStyle(element);
    if (!says || !element.getClientRects().length || element.closest(".visually-hidden, :disabled, option, noscript")) continue;
    const [one, other] = [light(channels(style.color)), light(behind(element))].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const ratio = (one + 0.05) / (other + 0.05);
    if (ratio < (large ? 3 : 4.5)) found.add(
      `${element.localName}.${element.className} ${style.color} on ${behind(element)}: ${ratio.toFixed(2)}`);
  }
  return [...found];
}
"""


def unreadable_texts(page: Page) -> list[str]:
    """Return the texts whose colour is too close to what lies behind them."""
    return page.evaluate(_UNREADABLE)


# axe-core's own rules for WCAG 2 A and AA; "serious" and "critical" are its two upper grades of four.
_AXE = """
async () => {
  document.getAnimations().forEach(animation => animation.finish());
  const found = await axe.run(document, {
    resultTypes: ["violations"],
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
  });
  return found.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.target.join(" ")}: ${node.html.slice(0, 160)}`));
}
"""


def serious_faults(page: Page) -> list[str]:
    """Return what axe-core finds serious or critical in the page as it stands: rule, selector and beginning of each.

    It is brought in through the debugger, which the content security policy does not bind.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return page.evaluate(_AXE)
