// Seat buttons and their lamps. The state of a lamp is also shown as text.

import { el, reconcile } from "./dom.js";
import { SEAT_LETTERS } from "./keyboard.js";

const WORDS = { on: "lit", off: "dark", blink: "blinks" };

export function showLamps(place, message) {
  place.hidden = message.seats.length === 0;
  reconcile(place, message.seats.map(nameOnly), (seat) => seat.key, build);
  for (const seat of message.seats) light(place.querySelector(`[data-key="${seat.key}"]`), seat);
}

/** A seat is built anew when its name changes; its lamp is only switched, so that a hold survives. */
const nameOnly = ({ key, name }) => ({ key, name });

function build({ key, name }) {
  const letter = SEAT_LETTERS[Number(key.split("-")[1]) - 1];
  return el(
    "div",
    { class: "seat" },
    el(
      "button",
      { type: "button", "data-key": key, "aria-keyshortcuts": letter },
      el("span", { class: "lamp", "aria-hidden": "true" }),
      el("span", { class: "name" }, name),
      el("span", { class: "says" }),
      letter ? el("kbd", { "aria-hidden": "true" }, letter) : null,
    ),
  );
}

function light(button, { name, state }) {
  const says = WORDS[state] ?? "dark";
  button.dataset.lamp = state in WORDS ? state : "off";
  button.querySelector(".says").textContent = says;
  button.setAttribute("aria-label", `${name}, lamp ${says}`);
}
