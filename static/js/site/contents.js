// Marks the section in view in the contents of the page.
const contents = document.querySelector("[data-contents]");

if (contents) {
  // A section counts as read where it crosses this part of the screen.
  const BAND = "-20% 0px -70% 0px";
  const inView = new Set();
  let observer;

  function mark() {
    const links = [...contents.querySelectorAll("a")];
    const current = links.find((link) => inView.has(link.hash.slice(1)));
    if (!current) return; // between two sections: the last one stays marked
    for (const link of links) {
      if (link === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    // On a phone the contents are one line that is pushed sideways; the page itself stays where it is.
    const list = current.closest("ul");
    if (list.scrollWidth > list.clientWidth) list.scrollTo({ left: current.offsetLeft - list.clientWidth / 3 });
  }

  function watch() {
    observer?.disconnect();
    inView.clear();
    observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) inView.add(target.id);
        else inView.delete(target.id);
      }
      mark();
    }, { rootMargin: BAND });
    for (const link of contents.querySelectorAll("a")) {
      const section = document.getElementById(link.hash.slice(1));
      if (section) observer.observe(section);
    }
  }

  document.addEventListener("papersite:paper-updated", watch);
  watch();
}
