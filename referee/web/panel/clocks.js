// The clocks of the seats, and that of the round. The box says when something changes; between its messages the page counts by itself.

import { clockText } from "./clock_text.js";
import { el } from "./dom.js";

const LOOK = 200;

export class Clocks {
  #place;
  #message = { seats: [], since: 0 };
  #round = { round: 0 };
  #timer = 0;

  constructor(place) {
    this.#place = place;
  }

  show(message) {
    this.#message = heardAt(message);
    this.#build();
  }

  showRound(message) {
    this.#round = heardAt(message);
    this.#build();
  }

  #build() {
    const { seats } = this.#message;
    const items = seats.map((seat) => build(seat, this.#message));
    if (this.#round.round) items.push(build({ name: `Round ${this.#round.round}` }, { paused: !this.#round.runs }));
    this.#place.hidden = items.length === 0;
    this.#place.classList.toggle("many", items.length > 3);
    this.#place.replaceChildren(...items);
    clearInterval(this.#timer);
    this.#timer = 0;
    if (seats.some(({ runs }) => runs) || this.#round.runs) this.#timer = setInterval(() => this.#count(), LOOK);
    this.#count();
  }

  #count() {
    const texts = seatTexts(this.#message);
    if (this.#round.round) texts.push(roundText(this.#round));
    texts.forEach((text, index) => {
      const place = this.#place.children[index].querySelector("time");
      if (place.textContent !== text) place.textContent = text;
    });
  }
}

/** A message of clocks with the moment at which they stood so, on the clock of this page. */
export const heardAt = (message) => ({ ...message, since: performance.now() - (message.ago ?? 0) });

/** What the clock of each seat shows. */
export function seatTexts({ seats, shared, since }) {
  const passed = performance.now() - since;
  return seats.map(({ ms, runs, free }) => {
    const ran = runs ? Math.max(0, passed - free) / shared : 0;
    return clockText(ms - ran);
  });
}

/** What is left of the round; once time is called, that. */
export function roundText({ ms, runs, about, since }) {
  const left = runs ? ms - (performance.now() - since) : ms;
  if (left <= 0) return about ? "time may be over" : "time called";
  return `${about ? "about " : ""}${clockText(left)}`;
}

function build({ name, runs, down }, { first, paused }) {
  const marks = [runs ? "runs" : null, paused ? "paused" : null, down ? "flag down" : null];
  if (down && first === name) marks.push("first");
  const says = marks.filter(Boolean).join(", ");
  return el(
    "li",
    { class: `clock${runs ? " runs" : ""}${down ? " down" : ""}` },
    el("span", { class: "name" }, name),
    el("time", { role: "timer" }),
    el("span", { class: "says" }, says),
  );
}
