// What somebody chose for this browser. Private windows may have no storage; a choice then lasts as long as the page.

export function recall(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // See above.
  }
}
