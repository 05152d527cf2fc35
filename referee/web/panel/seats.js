// Seat buttons and their lamps. The state of a lamp is also shown as text.

import { el, reconcile } from "./dom.js";
import { SEAT_LETTERS } from "./keyboard.js";

const WORDS = { on: "lit", off: "dark", blink: "blinks" };

/** More seats than this stand in smaller buttons, in the same room. */
const FEW = 3;

export function showLamps(place, { seats }) {
  place.classList.toggle("many", seats.length > FEW);
  const buttons = seats.map(({ key, name, player }) => ({ key, name, player, of: seats.length }));
  if (place.childElementCount !== seats.length) place.replaceChildren(); // another table: none of them has moved
  reconcile(place, buttons, (seat) => seat.key, build);
  for (const seat of seats) light(place.querySelector(`[data-key="${seat.key}"]`), seat);
}

/** A seat is built anew when its name, its player or its place changes; its lamp is only switched, so that a hold survives. */
function build({ key, name, player }) {
  const letter = SEAT_LETTERS[Number(key.split("-")[1]) - 1];
  return el(
    "div",
    { class: "seat" },
    el(
      "button",
      { type: "button", "data-key": key, "aria-keyshortcuts": letter },
      el("span", { class: "lamp", "aria-hidden": "true" }),
      el("span", { class: "name" }, name),
      el(
        "span",
        { class: "says" },
        player ? el("span", { class: "player", dir: "auto" }, player) : null,
        el("span", { class: "state" }, el("span", { class: "word" }, "lamp "), el("span", {})),
      ),
      letter ? el("kbd", { "aria-hidden": "true" }, letter) : null,
    ),
  );
}

function light(button, { state }) {
  const says = WORDS[state] ?? "dark";
  button.dataset.lamp = state in WORDS ? state : "off";
  button.querySelector(".state").lastChild.textContent = says;
}
