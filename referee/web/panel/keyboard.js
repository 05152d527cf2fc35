// The keyboard as the box: keydown is a press, keyup a release, auto-repeat is ignored.

import { byId } from "./dom.js";

export const SEAT_LETTERS = ["q", "w", "e", "r", "t", "y", "u", "i"];

const TURNS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** The box's key for a key of the keyboard, or undefined. */
export function boxKey(event) {
  if (/^[1-6]$/.test(event.key)) return `die-${event.key}`;
  // French keyboards need Shift for digits; so the position of the key counts.
  const place = /^Digit([1-6])$/.exec(event.code);
  if (place) return `die-${place[1]}`;
  if (event.key === "Enter") return "select";
  if (event.key === "Backspace" || event.key === "Escape") return "back";
  const seat = SEAT_LETTERS.indexOf(event.key.toLowerCase());
  return seat < 0 ? undefined : `seat-${seat + 1}`;
}

export function listen(keys) {
  /** Which key of the box each key of the keyboard holds: the letter may change with Shift before it comes up. */
  const held = new Map();

  // Arrow keys scroll the log if Tab moved the focus to it; after a click on it they still turn the encoder.
  let pointed = false;
  addEventListener("pointerdown", () => (pointed = true), { capture: true });
  addEventListener("keydown", () => (pointed = false), { capture: true });
  addEventListener("focusin", (event) => {
    if (pointed && event.target.matches("[data-scrolls]")) event.target.blur();
  });

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (event.target.closest?.("input")) return;
    const focused = event.target.closest?.("[data-key]");
    const presses = event.key === "Enter" || event.key === " ";
    if (presses && !focused && event.target.closest?.("a, button, summary")) {
      if (event.repeat) event.preventDefault(); // held, it would answer the next question too
      return;
    }
    if (event.key in TURNS && event.target.closest?.("[data-scrolls]")) return;
    const key = focused && presses ? focused.dataset.key : boxKey(event);
    // Whoever goes on with the keys of the box leaves the answer that Tab was at: Enter is Select again.
    if ((key || event.key in TURNS) && event.target.closest?.("#asked button")) byId("asked-head").focus({ preventScroll: true });
    if (key) {
      event.preventDefault();
      if (event.repeat || held.has(event.code)) return;
      held.set(event.code, key);
      keys.press(key, `keyboard ${event.code}`, event.timeStamp);
    } else if (event.key in TURNS) {
      event.preventDefault();
      if (!event.repeat) keys.turn(TURNS[event.key]);
    }
  });

  addEventListener("keyup", (event) => {
    const key = held.get(event.code);
    if (!key) return;
    // Without this a focused button would also be clicked.
    event.preventDefault();
    held.delete(event.code);
    keys.release(key, `keyboard ${event.code}`, event.timeStamp);
  });

  return () => held.clear();
}
