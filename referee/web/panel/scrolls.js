// Cards of which not all fits: reached by Tab, so that arrow keys can scroll them.

/** Let Tab stop at each of these while there is something to scroll; its name is that of the card's heading. */
export function letKeysScroll(places) {
  let awaited = false;
  const look = () => {
    awaited = false;
    // All are measured before one is changed, with the page laid out once for the frame.
    const scroll = places.map(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight);
    places.forEach((place, index) => mark(place, scroll[index]));
  };
  const lookAtNextFrame = () => {
    if (!awaited) requestAnimationFrame(look);
    awaited = true;
  };
  const sizes = new ResizeObserver(lookAtNextFrame);
  const contents = new MutationObserver(lookAtNextFrame);
  for (const place of places) {
    sizes.observe(place);
    contents.observe(place, { childList: true, subtree: true });
  }
}

function mark(place, scrolls) {
  if (scrolls && place.tabIndex !== 0) {
    place.tabIndex = 0;
    place.setAttribute("role", "group");
    place.setAttribute("aria-labelledby", place.previousElementSibling.id);
  } else if (!scrolls && place.tabIndex === 0 && place !== document.activeElement) {
    for (const name of ["tabindex", "role", "aria-labelledby"]) place.removeAttribute(name);
  }
}
