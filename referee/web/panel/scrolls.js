// Cards of which not all fits: they show that there is more below, and Tab reaches them, so that arrow keys scroll them.

const NEARLY = 4;

/** Mark each of these while there is more below. Tab stops at those in which it reaches nothing; the heading names them. */
export function watchScrolls(places) {
  let awaited = false;
  const look = () => {
    awaited = false;
    // All are measured before one is changed, with the page laid out once for the frame.
    const seen = places.map(({ scrollHeight, clientHeight, scrollTop }) => [scrollHeight - clientHeight, scrollTop]);
    places.forEach((place, index) => mark(place, ...seen[index]));
  };
  const lookAtNextFrame = () => {
    if (!awaited) requestAnimationFrame(look);
    awaited = true;
  };
  const sizes = new ResizeObserver(lookAtNextFrame);
  const contents = new MutationObserver(lookAtNextFrame);
  for (const place of places) {
    sizes.observe(place);
    contents.observe(place, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    place.addEventListener("scroll", lookAtNextFrame, { passive: true });
  }
}

/** `hidden`: pixels of its height that do not fit; `above`: so many of them above. */
function mark(place, hidden, above) {
  const scrolls = hidden > 0 && (place.hasAttribute("data-scrolls") || !isReached(place));
  place.toggleAttribute("data-more", hidden - above > NEARLY);
  if (scrolls && place.tabIndex !== 0) {
    place.tabIndex = 0;
    place.setAttribute("role", "group");
    place.setAttribute("aria-labelledby", place.previousElementSibling.id);
  } else if (!scrolls && place.tabIndex === 0 && place !== document.activeElement) {
    for (const name of ["tabindex", "role", "aria-labelledby"]) place.removeAttribute(name);
  }
}

/** Whether Tab comes to something in it: who watches finds all buttons disabled. */
function isReached(place) {
  return [...place.querySelectorAll("button:enabled, a[href]")].some((each) => each.checkVisibility());
}
