// Cards of which not all fits: reached by Tab, so that arrow keys can scroll them.

/** Let Tab stop at each of these while there is something to scroll; its name is that of the card's heading. */
export function letKeysScroll(places) {
  const look = ({ target }) => {
    const place = target.closest("[data-scrolls]");
    if (place.scrollHeight > place.clientHeight) {
      place.tabIndex = 0;
      place.setAttribute("role", "group");
      place.setAttribute("aria-labelledby", place.previousElementSibling.id);
    } else if (place !== document.activeElement) {
      for (const name of ["tabindex", "role", "aria-labelledby"]) place.removeAttribute(name);
    }
  };
  const sizes = new ResizeObserver((entries) => entries.forEach(look));
  for (const place of places) {
    sizes.observe(place);
    new MutationObserver(() => look({ target: place })).observe(place, { childList: true, subtree: true });
  }
}
