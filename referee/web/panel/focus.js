// Whoever plays with the keyboard alone keeps a place on the page when what they were at has gone.

/** Show what the box has told; move the focus to the question if what had it is no longer on the page. */
export function keepingFocus(show) {
  const before = document.activeElement;
  show();
  if (before === document.body) return;
  // Parts of the page that find their own again do so first.
  setTimeout(() => {
    const isLeft = before.checkVisibility() && !before.matches(":disabled"); // as all answers are for who only watches now
    if (isLeft || ![before, document.body].includes(document.activeElement)) return;
    document.getElementById("asked-head").focus({ preventScroll: true });
  });
}
